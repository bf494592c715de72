"""Measure the drift watch: bumps put into footage (noticed, how soon, how well realigned) and false alarms without any.

uv run python tests/benchmarks/drift.py FOLDER... [--every N] [--conditions N] [--seed N]

Every clip is watched once a condition: from another picture on, forwards or backwards, with a flicker of the light, a
change of exposure, noise, JPEG and a trembling camera of its own (`tests/benchmarks/conditions.py`), and without a bump
and with one. So people's movements repeat from condition to condition; the reference, the light and the noise do not.
"""

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from companion.vision.drift import NS_PER_S, Drift, DriftReading, DriftWatch
from tests.benchmarks.conditions import Condition, Pictures

BUMP_S, WITHIN_S, LOOK_S = 3.0, 5.0, 0.5
SHARES = (0.01, 0.01, 0.015, 0.02, 0.03, 0.06)


@dataclass
class Tally:
    """What was seen over all clips and conditions."""

    watched_s: float = 0.0
    alarms: int = 0
    unsure: int = 0
    bumps: int = 0
    missed: int = 0
    asked: int = 0
    after_s: list[float] = field(default_factory=list)
    off: list[float] = field(default_factory=list)


def read(path: Path) -> Pictures:
    """Read a clip's pictures half a second apart, grey, 640 px wide."""
    video = cv2.VideoCapture(str(path))
    step = max(1, round(LOOK_S * video.get(cv2.CAP_PROP_FPS)))
    images, k = [], 0
    while video.grab():
        if k % step == 0:
            grey = cv2.cvtColor(video.retrieve()[1], cv2.COLOR_BGR2GRAY)
            size = (640, round(grey.shape[0] * 640 / grey.shape[1]))
            images.append(np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), dtype=np.uint8))
        k += 1
    video.release()
    return images


def bump(size: tuple[int, int], share: float, rng: np.random.Generator) -> "np.typing.NDArray[np.float64]":
    """Return the homography of a camera turned so that the picture's middle moves by ``share`` of the width."""
    width, height = size
    focal = width * 0.75
    matrix = np.array([[focal, 0, width / 2], [0, focal, height / 2], [0, 0, 1]])
    direction = rng.uniform(0, 2 * np.pi)
    angle = np.arctan(share * width / focal)
    turn, _ = cv2.Rodrigues(np.array([np.sin(direction) * angle, np.cos(direction) * angle, rng.normal(0, 0.01)]))
    return np.asarray(matrix @ turn @ np.linalg.inv(matrix))


def watch_still(name: str, pictures: Pictures, condition: Condition, tally: Tally) -> None:
    """Watch a clip that is not bumped: each alarm is a false one, and the watch starts anew after it."""
    watch: DriftWatch | None = None
    for t, image in shown(pictures, condition, None, len(pictures) * LOOK_S):
        tally.watched_s += LOOK_S
        if watch is None:
            watch = DriftWatch(image)
            continue
        reading = watch.feed(image, int(t * NS_PER_S))
        tally.unsure += reading.state is Drift.UNSURE
        if reading.state is Drift.MOVED:
            tally.alarms += 1
            print("FALSE ALARM", name, condition, f"at {t:.1f} s", said(reading), flush=True)
            watch = None


def watch_bumped(name: str, pictures: Pictures, condition: Condition, tally: Tally) -> None:
    """Watch a clip whose camera is turned after three seconds."""
    rng = np.random.default_rng(condition.seed)
    share = float(rng.choice(SHARES))
    size = (pictures[0].shape[1], pictures[0].shape[0])
    motion = bump(size, share, rng)
    tally.bumps += 1
    watch, reading = None, DriftReading(state=Drift.STEADY)
    for t, image in shown(pictures, condition, motion, BUMP_S + WITHIN_S + LOOK_S):
        if watch is None:
            watch = DriftWatch(image)
            continue
        reading = watch.feed(image, int(t * NS_PER_S))
        if reading.state is Drift.MOVED:
            break
    if reading.state is not Drift.MOVED or reading.to_now is None:
        tally.missed += 1
        print("MISSED", name, condition, f"{share:.1%}", said(reading), flush=True)
        return
    tally.after_s.append(t - BUMP_S)
    tally.asked += not reading.certain
    if reading.certain:
        grid = np.array([[[x * size[0], y * size[1]] for x in (0.3, 0.5, 0.7) for y in (0.4, 0.6, 0.8)]])
        true, found = (cv2.perspectiveTransform(grid, m)[0] for m in (motion, reading.to_now))
        tally.off.append(float(np.linalg.norm(true - found, axis=1).max()) / size[0])


def shown(
    pictures: Pictures, condition: Condition, motion: "np.typing.NDArray[np.float64] | None", until_s: float
) -> Iterator[tuple[float, "np.typing.NDArray[np.uint8]"]]:
    """Yield times and pictures as a camera in this condition shows them, back and forth where the clip is too short."""
    for k in range(int(until_s / LOOK_S)):
        t = k * LOOK_S
        yield t, condition.picture(pictures, k, motion if t >= BUMP_S else None)


def said(reading: DriftReading) -> str:
    """Return a reading in few words."""
    return f"shift {reading.shift:.2%}, {reading.moved} moved, {reading.stayed} stayed, {reading.state.value}"


def main() -> None:
    """Print misses and false alarms as they happen, and the totals."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--conditions", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    tally = Tally()
    clips = [path for folder in args.folders for path in sorted(folder.glob("*.mp4"))][:: args.every]
    for number, path in enumerate(clips):
        pictures = read(path)
        if len(pictures) * LOOK_S < WITHIN_S:
            continue
        for k in range(args.conditions):
            condition = Condition(args.seed * 1_000_000 + number * 100 + k, len(pictures))
            watch_still(path.name, pictures, condition, tally)
            watch_bumped(path.name, pictures, condition, tally)
    noticed = tally.bumps - tally.missed
    print(f"false alarms: {tally.alarms} in {tally.watched_s / 3600:.2f} h: {len(clips)} clips x {args.conditions}")
    print(f"looks that were unsure without a bump: {tally.unsure} of {tally.watched_s / LOOK_S:.0f}")
    late = f"after {np.median(tally.after_s):.1f} s, at most {max(tally.after_s):.1f} s" if noticed else ""
    print(f"noticed: {noticed} of {tally.bumps} ({noticed / max(tally.bumps, 1):.2%}) {late}")
    if tally.off:
        off = f"off by {np.median(tally.off):.2%} of the width, 95 % below {np.percentile(tally.off, 95):.2%}"
        print(f"realigned: {len(tally.off)}, {off}, at most {max(tally.off):.2%}; asked: {tally.asked}")


if __name__ == "__main__":
    main()
