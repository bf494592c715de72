"""Cut every seat's strips out of slap rounds once, and keep them with the true contacts as one file a clip.

    uv run python -m companion.training.slapkeep CLIP_OR_FOLDER... --out KEPT

For each round what ``companion.vision.slapread`` would look at is kept at the clip's own rate: the frames from before
the slaps to the rest, as it finds it. Frames that only fill a gap of the clip are marked.
"""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

from companion.training.slaprounds import clips, frames_of, window
from companion.vision.frame import NS_PER_S, Frame
from companion.vision.geometry import solve_camera
from companion.vision.layout import Layout, load_layout
from companion.vision.slapmotion import stretch
from companion.vision.slapread import SETTINGS
from companion.vision.slaprest import find_rests
from companion.vision.slapstrip import strip_view
from companion.vision.slapview import pile_view


def keep_clip(base: Path, out: Path) -> int:
    """Write OUT/NAME.npz with all rounds of a clip; return how many."""
    truth = json.loads(base.with_suffix(".truth.json").read_text())
    layout = load_layout(base.with_suffix(".layout.json"))
    frames = frames_of(base, truth)
    kept: dict[str, Any] = {}
    n = 0
    for slaps in truth["slaps"]:
        one = _round(window(frames, slaps, truth), layout, slaps, truth)
        if one is not None:
            kept.update({f"{n}_{name}": value for name, value in one.items()})
            n += 1
    np.savez(out / f"{base.name}.npz", rounds=np.array(n), fps=np.array(truth["fps"]), **kept)
    return n


def _round(frames: list[Frame], layout: Layout, slaps: dict[str, Any], truth: dict[str, Any]) -> dict[str, Any] | None:
    """Return strips (seats x frames x side x side x 3), those at rest and of the free pile, times and contacts.

    None where no rest is found, or another one than this round's.
    """
    camera = solve_camera(layout)
    rests = find_rests(frames, pile_view(camera, layout, SETTINGS.look), SETTINGS.rest)
    if not rests:
        return None
    view = pile_view(camera, layout, SETTINGS.view)
    seen = stretch(frames, view, rests[0], SETTINGS.stops.motion)
    at_s = seen.at_s + seen.zero_ns / NS_PER_S
    contacts = {c["seat"]: c["at_s"] for c in slaps["contacts"]}
    if not all(at_s[0] < t < at_s[-1] for t in contacts.values()):
        return None
    rest = seen.pictures[seen.rest[0] :].mean(axis=0)
    seats = [s.seat for s in layout.seats if s.seat != slaps["by"]]
    views = [strip_view(camera, layout, view, seat) for seat in seats]
    times = np.array(truth.get("frame_t", at_s))
    near = np.clip(np.searchsorted(times, at_s - 1e-3), 0, len(times) - 1)
    return {
        "strips": np.stack([np.stack([v.cut(p) for p in seen.pictures]) for v in views]),
        "rest": np.stack([v.cut(rest) for v in views]),
        "free": np.stack([v.cut(seen.free) for v in views]),
        "camera": np.array([v.camera for v in views], np.float32),
        "at_s": at_s,
        "own": np.abs(times[near] - at_s) < 1e-3,
        "contact_s": np.array([contacts.get(seat, np.nan) for seat in seats]),
        "seats": np.array(seats),
    }


def main() -> int:
    """Keep the clips named on the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("where", nargs="+", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    for base in clips(args.where):
        if not (args.out / f"{base.name}.npz").exists():
            sys.stdout.write(f"{base.name}: {keep_clip(base, args.out)} rounds\n")
            sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
