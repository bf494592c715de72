"""What really happened at a seat, frame by frame, from a rendered clip's full ground truth."""

import gzip
import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]

KINDS = ("hand_below_table", "sleeve_movement", "behind_head", "card_drop")
SIDES = ("left", "right")
_TIPS = [8, 12, 16]


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatTruth:
    """One seat's truth: arrays of frames; sides are left, right. Table frame in mm, picture in px."""

    seat: int
    below: Array
    """frames x 2: how far the middle of the hand's joints lies below the table top, mm (above is negative)."""
    middle_px: Array
    """frames x 2 x 2: the middle of the joints in the frame."""
    visible: Array
    """frames x 2: part of the joints that the camera sees."""
    reach_mm: Array
    """frames x 2: how near the finger tips of this side are to the other side's wrist."""
    kinds: Array
    """frames x 4: 1 during an event of that kind, 0 outside, -1 where neither answer is wrong."""


def read_full(path: Path) -> dict[str, Any]:
    """Read the renderer's own ground truth (JSON, gzip)."""
    found: dict[str, Any] = json.loads(gzip.decompress(path.read_bytes()))
    return found


def seat_truths(full: dict[str, Any], events: dict[str, Any]) -> list[SeatTruth]:
    """Return the truth of every seat; `events` is the clip's truth file, which numbers seats as the layout does."""
    times = np.asarray(full["frame_t"])
    return [_one(full, events, times, s["index"], number) for number, s in enumerate(seat_order(full))]


def seat_order(full: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the renderer's seats in the order in which the layout numbers them."""
    return sorted(full["seats"], key=lambda s: (-(s["angle"] + math.pi / 2)) % (2 * math.pi))


def _one(full: dict[str, Any], events: dict[str, Any], times: Any, index: int, number: int) -> SeatTruth:
    hands = [full["hands"][f"{index}{side}"] for side in "LR"]
    joints = np.stack([np.asarray(h["xyz"]) for h in hands], axis=1) * 1000  # frames, side, joint, xyz
    pixels = np.stack([np.asarray(h["uv"]) for h in hands], axis=1)
    seen = [[v.count("1") / len(v) for v in h["vis"]] for h in hands]
    tips = joints[:, :, _TIPS].mean(axis=2)
    reach = np.stack([np.linalg.norm(tips[:, s] - joints[:, 1 - s, 0], axis=-1) for s in (0, 1)], axis=1)
    kinds = np.zeros((len(times), len(KINDS)), np.float32)
    for span in events["ignored"]:
        if span["seat"] == number:
            _mark(kinds, times, span, [KINDS.index(k) for k in span["kinds"] if k in KINDS], -1)
    for span in events["events"]:
        if span["seat"] == number:
            _mark(kinds, times, span, [KINDS.index(span["kind"])], 1)
    return SeatTruth(
        seat=number,
        below=(-joints[..., 2].mean(axis=2)).astype(np.float32),
        middle_px=pixels.mean(axis=2).astype(np.float32),
        visible=np.asarray(seen, np.float32).T,
        reach_mm=reach.astype(np.float32),
        kinds=kinds,
    )


def _mark(kinds: Array, times: Any, span: dict[str, Any], columns: list[int], value: int) -> None:
    rows = (times >= span["start_s"] - 1e-3) & (times <= span["end_s"] + 1e-3)
    for column in columns:
        kinds[rows, column] = value
