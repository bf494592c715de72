"""Measure the drift watch: bumps put into footage (noticed, how soon, how well realigned) and false alarms without any.

uv run python tests/benchmarks/drift.py FOLDER... [--every N]
"""

import argparse
import sys
from pathlib import Path

import cv2
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from companion.vision.drift import NS_PER_S, Drift, DriftWatch

BUMP_S, AFTER_S = 3.0, 5.0


def frames(path: Path, every_s: float = 0.25) -> list[tuple[float, "np.typing.NDArray[np.uint8]"]]:
    """Read a clip's pictures about ``every_s`` apart, with their times, and play it back and forth up to 20 s."""
    video = cv2.VideoCapture(str(path))
    fps = video.get(cv2.CAP_PROP_FPS)
    step = max(1, round(every_s * fps))
    images, k = [], 0
    while video.grab():
        if k % step == 0:
            images.append(np.asarray(video.retrieve()[1], dtype=np.uint8))
        k += 1
    video.release()
    while images and len(images) * step / fps < 12:
        images = images + images[-2:0:-1]
    return [(k * step / fps, image) for k, image in enumerate(images)]


def bump(size: tuple[int, int], share: float, rng: np.random.Generator) -> "np.typing.NDArray[np.float64]":
    """Return the homography of a camera turned so that the picture's middle moves by ``share`` of the width."""
    width, height = size
    focal = width * 0.75
    matrix = np.array([[focal, 0, width / 2], [0, focal, height / 2], [0, 0, 1]])
    direction = rng.uniform(0, 2 * np.pi)
    angle = np.arctan(share * width / focal)
    turn, _ = cv2.Rodrigues(np.array([np.sin(direction) * angle, np.cos(direction) * angle, rng.normal(0, 0.01)]))
    return np.asarray(matrix @ turn @ np.linalg.inv(matrix))


def main() -> None:
    """Print misses and false alarms as they happen, and the totals."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--every", type=int, default=1)
    args = parser.parse_args()
    rng = np.random.default_rng(1)
    watched = 0.0
    alarms, noticed, late, asked, off = 0, 0, [], 0, []
    clips = [path for folder in args.folders for path in sorted(folder.glob("*.mp4"))][:: args.every]
    for path in clips:
        seen = frames(path)
        watch = DriftWatch(seen[0][1])
        states = [watch.feed(image, int(t * NS_PER_S)).state for t, image in seen]
        watched += seen[-1][0]
        if Drift.MOVED in states:
            alarms += 1
            print("FALSE ALARM", path.name, round(seen[states.index(Drift.MOVED)][0], 1), watch.reading)
        share = float(rng.choice([0.01, 0.01, 0.015, 0.03, 0.06]))
        size = (seen[0][1].shape[1], seen[0][1].shape[0])
        motion = bump(size, share, rng)
        watch = DriftWatch(seen[0][1])
        when = None
        for t, image in seen:
            shown = image if t < BUMP_S else cv2.warpPerspective(image, motion, size, borderMode=cv2.BORDER_REPLICATE)
            reading = watch.feed(np.asarray(shown, dtype=np.uint8), int(t * NS_PER_S))
            if reading.state is Drift.MOVED:
                when = t - BUMP_S
                break
            if t > BUMP_S + AFTER_S:
                break
        if when is None:
            print("MISSED", path.name, f"{share:.1%}", watch.reading)
            continue
        noticed += 1
        late.append(when)
        asked += not reading.certain
        if reading.certain and reading.to_now is not None:
            grid = np.array([[[x * size[0], y * size[1]] for x in (0.3, 0.5, 0.7) for y in (0.4, 0.6, 0.8)]])
            true, found = (cv2.perspectiveTransform(grid, m)[0] for m in (motion, reading.to_now))
            off.append(float(np.linalg.norm(true - found, axis=1).max()) / size[0])
    print(f"false alarms: {alarms} in {watched / 60:.1f} min of {len(clips)} clips")
    print(f"noticed: {noticed} of {len(clips)}, after {np.median(late):.1f} s, at most {max(late):.1f} s")
    print(f"realigned: {len(off)}, off by {np.median(off):.2%} of the width, at most {max(off):.2%}; asked: {asked}")


if __name__ == "__main__":
    main()
