"""The kept clips in memory: which samples there are, and what is true of each."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion.training.vary import Sample
from companion.vision.seatview import MOMENTS_S, Floats


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class KeptClip:
    """One clip's seat pictures (seats x frames x side x side x 3) and truth (empty arrays where there is none)."""

    name: str
    view: str
    pictures: NDArray[np.uint8]
    times: Floats
    edge: Floats
    near: Floats
    inside: Floats
    up: Floats
    seats: tuple[int, ...]
    below: Floats
    visible: Floats
    reach_mm: Floats
    kinds: Floats
    spots: Floats
    steps: tuple[int, ...]

    def sample(self, seat: int, frame: int) -> Sample:
        """Return one seat (by its place in the file) at one frame, with the moments before it."""
        rows = [max(0, frame - s) for s in self.steps]
        return Sample(
            pictures=self.pictures[seat][rows],
            edge=self.edge[seat],
            near=self.near[seat],
            inside=self.inside[seat],
            up=(float(self.up[seat, 0]), float(self.up[seat, 1])),
            spots=self.spots[seat, frame] if self.spots.size else np.zeros((2, 2), np.float32),
        )


def read_kept(path: Path) -> KeptClip:
    """Read one file that cache.py wrote."""
    with np.load(path) as f:
        fps = float(f["fps"])
        none = np.zeros(0, np.float32)
        return KeptClip(
            name=path.stem,
            view=str(f["view"]),
            pictures=f["pictures"],
            times=f["times"],
            edge=f["edge"].astype(np.float32),
            near=f["near"].astype(np.float32),
            inside=f["inside"].astype(np.float32),
            up=f["up"],
            seats=tuple(int(s) for s in f["seats"]),
            below=f.get("below", none),
            visible=f.get("visible", none),
            reach_mm=f.get("reach_mm", none),
            kinds=f.get("kinds", none),
            spots=f.get("spot", none),
            steps=tuple(round(m * fps) for m in MOMENTS_S),
        )


def held_out(name: str) -> bool:
    """Say whether a clip is kept for selection: every person, table and camera in it is new to the net."""
    return (name[0] == "u" and 100 <= int(name[1:]) < 118) or (name[0] == "t" and int(name[1:]) >= 30)
