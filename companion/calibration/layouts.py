"""Saved layouts: the contract's files in the user's data folder, by camera and place, offered again.

Each is the layout as the contract has it with one added field, ``saved``, so that a file taken from the folder is
itself an export, and a file from anywhere is imported by reading it.
"""

import contextlib
import json
import os
import re
import secrets
import tempfile
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from companion.errors import CompanionError
from companion.letters import cut, one_line
from companion.vision.cardscale import CARD_MM, SIDE_MM
from companion.vision.layout import XY, Layout, dump_layout, load_layout, parse_layout

MOST_BYTES = 200_000
"""A layout has about 1 kB; a file far larger is something else."""
LONGEST_NAME = 60
CARD_FILE = "card.txt"
"""Beside the layouts: what one card of the house measures, in mm."""


class SavedLayoutError(CompanionError):
    """A saved layout cannot be read or written; says what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedLayout:
    """A layout with its id (the file's name), the place's name, the camera it was made with, and when (ISO 8601)."""

    id: str
    place: str
    camera: str
    saved_at: str
    layout: Layout


class LayoutStore:
    """The folder of saved layouts."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def all(self) -> tuple[SavedLayout, ...]:
        """Return the saved layouts, the newest first; files that cannot be read are passed over."""
        found = []
        for path in self._folder.glob("*.json") if self._folder.is_dir() else ():
            with contextlib.suppress(CompanionError):
                found.append(self._read(path))
        return tuple(sorted(found, key=lambda saved: saved.saved_at, reverse=True))

    def for_camera(self, camera: str) -> SavedLayout | None:
        """Return the layout last saved with a camera, None where there is none."""
        return next((saved for saved in self.all() if saved.camera == camera), None)

    def get(self, layout_id: str) -> SavedLayout:
        """Return one by its id; raises SavedLayoutError."""
        path = self._path(layout_id)
        if not path.is_file():
            raise SavedLayoutError("There is no such saved table: it may have been removed.")
        return self._read(path)

    def path(self, layout_id: str) -> Path:
        """Return the file of a saved layout."""
        return self._path(layout_id)

    def picture(self, layout_id: str) -> Path:
        """Return the file of the picture that a layout was saved with; imported ones have none."""
        return self._path(layout_id).with_suffix(".jpg")

    def save(self, layout: Layout, *, place: str, camera: str, at: datetime) -> SavedLayout:
        """Save a layout; one of the same place and camera is replaced. Whole or not at all."""
        place = cut(one_line(place), LONGEST_NAME) or "Table"
        known = next((s for s in self.all() if (s.place, s.camera) == (place, camera)), None)
        slug = re.sub(r"[^a-z0-9]+", "-", place.lower()).strip("-")[:40] or "table"
        saved = SavedLayout(
            id=known.id if known else f"{slug}-{secrets.token_hex(3)}",
            place=place,
            camera=camera,
            saved_at=at.isoformat(timespec="seconds"),
            layout=layout,
        )
        # an older picture would be compared with a layout that it does not show
        self.picture(saved.id).unlink(missing_ok=True)
        self._write(self._path(saved.id), export_text(saved))
        return saved

    def card_mm(self) -> XY:
        """Return the size of the house's cards, the usual one where none was said."""
        with contextlib.suppress(OSError, ValueError):
            short, long = (float(side) for side in (self._folder / CARD_FILE).read_text(encoding="ascii").split("x"))
            if all(SIDE_MM[0] <= side <= SIDE_MM[1] for side in (short, long)):
                return short, long
        return CARD_MM

    def keep_card_mm(self, card_mm: XY) -> None:
        """Keep the size of the house's cards for the next time; raises SavedLayoutError."""
        self._write(self._folder / CARD_FILE, "{:g}x{:g}".format(*card_mm))

    def remove(self, layout_id: str) -> None:
        """Remove one; nothing happens where there is none."""
        self._path(layout_id).unlink(missing_ok=True)
        self.picture(layout_id).unlink(missing_ok=True)

    def import_text(self, text: str, *, place: str, camera: str, at: datetime) -> SavedLayout:
        """Keep a layout that came as a file; raises LayoutError or SavedLayoutError with what is wrong with it."""
        if len(text) > MOST_BYTES:
            raise SavedLayoutError("This file is far too large for a layout: choose the one that was exported.")
        try:
            value = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise SavedLayoutError("This file is not a layout: choose the one that was exported.") from error
        layout = parse_layout(value)
        mark = value.get("saved")
        named = mark.get("place") if isinstance(mark, dict) else None
        return self.save(layout, place=named if isinstance(named, str) else place, camera=camera, at=at)

    def _path(self, layout_id: str) -> Path:
        if not re.fullmatch(r"[a-z0-9-]{1,60}", layout_id):
            raise SavedLayoutError("There is no such saved table: it may have been removed.")
        return self._folder / f"{layout_id}.json"

    def _read(self, path: Path) -> SavedLayout:
        layout = load_layout(path)
        mark = json.loads(path.read_text(encoding="utf-8")).get("saved")
        mark = mark if isinstance(mark, dict) else {}
        return SavedLayout(
            id=path.stem,
            place=str(mark.get("place", path.stem)),
            camera=str(mark.get("camera", "")),
            saved_at=str(mark.get("at", "")),
            layout=layout,
        )

    def _write(self, path: Path, text: str) -> None:
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=self._folder, suffix=".part")
            try:
                with os.fdopen(handle, "w", encoding="utf-8") as file:
                    file.write(text)
                    file.flush()
                    os.fsync(file.fileno())
                os.replace(name, path)
            except BaseException:
                Path(name).unlink(missing_ok=True)
                raise
        except OSError as error:
            raise SavedLayoutError(
                "The table could not be saved in {folder} ({why}): make room, or check the folder's permissions.",
                folder=self._folder,
                why=error.strerror or error,
            ) from error


def export_text(saved: SavedLayout) -> str:
    """Return the contract's file for a saved layout."""
    value: dict[str, Any] = dump_layout(saved.layout)
    value["saved"] = {"place": saved.place, "camera": saved.camera, "at": saved.saved_at}
    return json.dumps(value, indent=1) + "\n"
