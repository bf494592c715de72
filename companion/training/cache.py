"""Cut every seat out of every clip once, and keep the small pictures with their truth as one file a clip."""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.training.truth import SeatTruth, read_full, seat_truths
from companion.vision.camera import solve_camera
from companion.vision.layout import load_layout
from companion.vision.seatview import SeatView, seat_picture, seat_view

MARGIN = 1 / 12
WIDE_PX = 112
"""Side of a kept picture: SIDE_PX and a margin on each side, so that training can shift and turn."""


def keep_clip(clip: Path, out: Path, fps: float) -> None:
    """Write OUT/NAME.npz: pictures (seats x frames x side x side x 3) at about `fps`, what is fixed, and the truth."""
    layout = load_layout(clip.with_suffix(".layout.json"))
    camera = solve_camera(layout)
    events = json.loads(clip.with_suffix(".truth.json").read_text())
    video = cv2.VideoCapture(str(clip))
    rate = video.get(cv2.CAP_PROP_FPS)
    step = max(1, round(rate / fps))
    numbers = [s.seat for s in layout.seats]
    views = [seat_view(camera, layout, s, side_px=WIDE_PX, margin=MARGIN) for s in numbers]
    rows: list[list[Any]] = [[] for _ in views]
    times, k = [], 0
    while True:
        good, image = video.read()
        if not good:
            break
        if k % step == 0:
            times.append(k / rate)
            for view, row in zip(views, rows, strict=True):
                row.append(seat_picture(view, np.asarray(image, np.uint8)))
        k += 1
    full = clip.with_suffix(".json.gz")
    truths = seat_truths(read_full(full), events) if full.exists() else []
    by_seat = {t.seat: t for t in truths}
    np.savez(
        out / f"{clip.stem}.npz",
        pictures=np.stack([np.stack(r) for r in rows]),
        times=np.array(times),
        edge=np.stack([v.edge for v in views]).astype(np.float16),
        near=np.stack([v.near for v in views]).astype(np.float16),
        inside=np.stack([v.inside for v in views]).astype(np.uint8),
        up=np.array([v.up for v in views], np.float32),
        seats=np.array(numbers),
        view=np.array(events["view"]),
        fps=np.array(rate / step),
        **_truth_arrays(views, numbers, by_seat, step, len(times)),
    )


def _truth_arrays(
    views: list[SeatView], numbers: list[int], by_seat: dict[int, SeatTruth], step: int, n: int
) -> dict[str, Any]:
    if not by_seat:
        return {}
    out: dict[str, Any] = {}
    rows = slice(0, None, step)
    for name in ("below", "visible", "reach_mm", "kinds"):
        out[name] = np.stack([getattr(by_seat[s], name)[rows][:n] for s in numbers])
    spots = []
    for view, s in zip(views, numbers, strict=True):
        px = by_seat[s].middle_px[rows][:n]
        spots.append((px @ view.to_seat[:, :2].T + view.to_seat[:, 2]) / WIDE_PX)
    out["spot"] = np.stack(spots).astype(np.float32)
    return out


def main() -> int:
    """Keep all clips of the folders given, those that are kept already left alone."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--only", default="*")
    parser.add_argument("--fps", type=float, default=10.0)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    cv2.setNumThreads(1)
    for clip in sorted(c for folder in args.folders for c in folder.glob(f"{args.only}.mp4")):
        ready = clip.with_suffix(".truth.json").exists() and (
            clip.with_suffix(".json.gz").exists() or "real" in str(clip)
        )
        if ready and not (args.out / f"{clip.stem}.npz").exists():
            keep_clip(clip, args.out, args.fps)
            sys.stdout.write(f"{clip.stem}\n")
            sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
