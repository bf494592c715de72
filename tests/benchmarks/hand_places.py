"""Print how far off the wrists' places are, and how honest the stated uncertainty is, on clips with known truth.

    uv run python tests/benchmarks/hand_places.py FOLDER... --kept KEPT [--only 'u1*.mp4' ...] [--half 1]

KEPT is what `uv run python -m companion.training.cues FOLDER... --out KEPT` wrote: the
hands as the pipeline saw them. A spread of the error of 1.00 in units of the stated one is honest. The first row of a
pair places every wrist 75 mm over the table, give or take 40 mm. Lengths need the renderer's full truth (NAME.json.gz)
beside the clip.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from companion.training.cues import SeenClip
from companion.training.truehands import VISIBLE, TrueHand, read_clips
from companion.training.truth import read_full, seat_order
from companion.vision.camera import Floats
from companion.vision.handplace import HandPlaces
from companion.vision.hands import WRIST
from companion.vision.handsize import LearntSize

PLAIN_MM = 75.0
PLAIN_SPREAD_MM = 40.0
MODEL_SHARE = 0.90
"""The hand model's length of a flat rendered hand, of that of its bones (75 hands, all views)."""
UNTIL_S = (1.0, 3.0, 6.0, 10.0, 15.0)


@dataclass(slots=True)
class Row:
    """What was placed of one view's hands."""

    off: list[Floats]
    stated: list[Floats]
    height: list[float]


def placed(clip: SeenClip, hands: Sequence[TrueHand]) -> Iterator[tuple[TrueHand, Floats, Floats, LearntSize]]:
    """Place every hand as the pipeline does, sizes learnt on the way; yield position, spread and size."""
    places = HandPlaces(clip.camera, clip.layout)
    sizes = {s.seat: LearntSize(s.hand_mm) for s in clip.layout.seats}
    for hand in hands:
        wrist, learnt = hand.cue.landmarks_px[WRIST], sizes[hand.seat]
        place = places.place(hand.seat, hand.side, wrist, hand.cue.size_px, learnt.size)
        yield hand, place.position_mm, place.spread_mm, learnt
        plain = places.plain_mm(place, wrist, hand.cue.size_px)
        if hand.cue.found and hand.cue.hits >= 3 and plain is not None:
            learnt.see(plain)


def true_lengths(folder: Path, name: str) -> dict[int, float]:
    """Return each seat's true hand length as the model would measure it (mm); empty without the full truth."""
    path = folder / f"{name}.json.gz"
    if not path.exists():
        return {}
    full = read_full(path)
    lengths = {}
    for number, seat in enumerate(seat_order(full)):
        joints = np.asarray(full["hands"][f"{seat['index']}R"]["xyz"])[0, [0, 9, 10, 11, 12]] * 1000
        lengths[number] = MODEL_SHARE * float(np.linalg.norm(np.diff(joints, axis=0), axis=1).sum())
    return lengths


def line(name: str, row: Row) -> str:
    """Return one line of the table."""
    off, stated, height = np.array(row.off), np.array(row.stated), np.array(row.height)
    far, up = np.linalg.norm(off, axis=1), np.abs(off[:, 2])
    spread = np.sqrt(((off / stated) ** 2).mean(axis=0))
    within = (np.abs(off) <= stated).mean(axis=0)
    right = ((height + off[:, 2] > 0) == (height > 0)).mean()
    return (
        f"{name:22s} {len(off):6d} | {np.median(far):4.0f} {np.percentile(far, 90):4.0f} | {np.median(up):4.0f} "
        f"{np.percentile(up, 90):4.0f} | {' '.join(f'{v:4.0f}' for v in np.median(stated, axis=0))} | "
        f"{' '.join(f'{v:4.2f}' for v in spread)} | {' '.join(f'{v:4.2f}' for v in within)} | {right:.4f}"
    )


def main() -> int:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--kept", type=Path, required=True)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--half", type=int, choices=(0, 1), help="every second clip, from this one")
    args = parser.parse_args()
    clips = read_clips(args.folders, args.kept, args.only)
    if args.half is not None:
        clips = clips[args.half :: 2]
    rows: dict[str, Row] = {}
    sizes: list[tuple[float, float, float]] = []
    for clip, hands in clips:
        folder = next(f for f in args.folders if (f / f"{clip.name}.truth.json").exists())
        lengths = true_lengths(folder, clip.name)
        view = view_of(clip)
        for hand, position, spread, learnt in placed(clip, hands):
            plain = clip.camera.to_table(hand.cue.landmarks_px[WRIST : WRIST + 1], PLAIN_MM)[0]
            group = view if hand.visible >= VISIBLE and hand.own else "-" if hand.own else "another player's"
            if not np.isfinite(plain).all() or group == "-":
                continue
            groups = (group, "all") if group == view else (group,)
            for name in groups:
                for kind, at, stated in (
                    ("75 mm", plain, np.full(3, PLAIN_SPREAD_MM)),
                    ("placed", position, spread),
                ):
                    row = rows.setdefault(f"{name}, {kind}", Row([], [], []))
                    row.off.append(at - hand.wrist_mm)
                    row.stated.append(stated)
                    row.height.append(float(hand.wrist_mm[2]))
            if hand.own and hand.seat in lengths:
                sizes.append((hand.at_s, np.log(learnt.size.length_mm / lengths[hand.seat]), learnt.size.share))
    print(f"{len(clips)} clips; mm; off: median, 90 of 100 | height off: the same | stated x y z | spread of the error "
          "in units of the stated x y z | within it (0.68 is a Gaussian's) | above or below right")  # fmt: skip
    for name in sorted(rows):
        print(line(name, rows[name]))
    told = np.array(sizes)
    for since, until in zip((0.0, *UNTIL_S), UNTIL_S, strict=False):
        here = told[(told[:, 0] >= since) & (told[:, 0] < until)] if len(told) else told
        if len(here):
            off, stated = here[:, 1], here[:, 2]
            print(
                f"hand lengths from {since:.0f} to {until:.0f} s: off by {np.sqrt((off**2).mean()):.3f} of the length "
                f"(median {np.median(off):+.3f}), stated {np.median(stated):.3f}, spread in units of the stated "
                f"{np.sqrt(((off / stated) ** 2).mean()):.2f}"
            )
    return 0


def view_of(clip: SeenClip) -> str:
    """Return how steeply a camera looks down, in words."""
    x, y, z = clip.camera.position_mm
    steep = np.degrees(np.arctan2(z, np.hypot(x, y)))
    return "steep (over 65)" if steep > 65 else "low (under 40)" if steep < 40 else "between"


if __name__ == "__main__":
    sys.exit(main())
