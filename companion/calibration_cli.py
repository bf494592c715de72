"""`cheating-moth calibrate`: print the pages; list, export and import saved layouts; place a table from a picture."""

import argparse
import json
import sys
from datetime import UTC, datetime
from pathlib import Path

from companion.calibration.layouts import LayoutStore, export_text
from companion.config import load_config
from companion.errors import CompanionError
from companion.vision.printed import Paper, pages_pdf


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Add the options of `calibrate`."""
    command.add_argument("--config", type=Path, help="configuration file (TOML); the user's own where none is named")
    command.add_argument(
        "--folder", type=Path, help="folder of the saved layouts' data; the user's own where none is named"
    )
    what = command.add_mutually_exclusive_group(required=True)
    what.add_argument("--print", dest="page", action="store_true", help="write the page of markers as a PDF")
    what.add_argument("--layouts", action="store_true", help="list the saved layouts")
    what.add_argument("--export", metavar="ID", help="write a saved layout to a file")
    what.add_argument(
        "--import", dest="bring", type=Path, metavar="FILE", help="keep a layout file with the saved ones"
    )
    what.add_argument(
        "--picture", type=Path, metavar="FILE", help="find the table in a picture of the page lying on it"
    )
    command.add_argument("--paper", choices=[paper.value for paper in Paper], default=Paper.A4.value)
    command.add_argument("--out", type=Path, help="file to write; standard output where none is named")
    command.add_argument("--camera", default="", help="the camera an imported layout belongs to")
    command.add_argument("--place", default="", help="the imported layout's name")
    command.add_argument("--players", type=int, default=4, help="places to propose with --picture (2 to 8)")


def run(args: argparse.Namespace) -> int:
    """Do what was asked for; returns the exit status."""
    if args.page:
        return _write(pages_pdf(Paper(args.paper)), args.out or Path(f"cheating-moth-{args.paper}.pdf"))
    if args.picture:
        return _place(args.picture, args.players, args.out)
    folder = args.folder or load_config(args.config).folder
    store = LayoutStore(folder / "layouts")
    if args.layouts:
        for saved in store.all():
            print(
                f"{saved.id}  {saved.place}, {len(saved.layout.seats)} places, camera {saved.camera}, {saved.saved_at}"
            )
        return 0
    if args.export:
        return _write(export_text(store.get(args.export)).encode(), args.out)
    try:
        text = args.bring.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise CompanionError(
            "The file {path} cannot be read ({why}); check its name.", path=args.bring, why=error
        ) from error
    place = args.place or args.bring.stem
    print(store.import_text(text, place=place, camera=args.camera, at=datetime.now(UTC)).id)
    return 0


def _place(picture: Path, players: int, out: Path | None) -> int:
    import cv2
    import numpy as np

    from companion.vision.calibrate import propose_table
    from companion.vision.layout import Layout, dump_layout, parse_layout
    from companion.vision.seatplan import propose_piles, propose_seats

    if not 2 <= players <= 8:
        raise CompanionError("--players must lie between 2 and 8.")
    image = cv2.imread(str(picture))
    if image is None:
        raise CompanionError("The picture {path} cannot be read; name a JPEG or PNG file.", path=picture)
    found = propose_table(np.asarray(image, dtype=np.uint8))
    for doubt in found.doubts:
        print(doubt, file=sys.stderr)
    discard, draw = propose_piles(found.table)
    layout = Layout(
        image_size=(image.shape[1], image.shape[0]),
        lens=found.lens,
        table=found.table,
        outline_px=found.outline_px,
        seats=propose_seats(found.table, players),
        discard_mm=discard,
        draw_mm=draw,
    )
    text = json.dumps(dump_layout(parse_layout(dump_layout(layout))), indent=1) + "\n"
    return _write(text.encode(), out)


def _write(content: bytes, out: Path | None) -> int:
    if out is None:
        sys.stdout.buffer.write(content)
        return 0
    try:
        out.write_bytes(content)
    except OSError as error:
        raise CompanionError("{path} cannot be written: {why}.", path=out, why=error.strerror or error) from error
    print(out, file=sys.stderr)
    return 0
