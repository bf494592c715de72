"""How many of the plainly visible hands are found, and how many of those are given to a wrong seat, clip by clip.

uv run python tests/benchmarks/hands_owners.py CLIP.mp4... [--no-net]

Each clip has its layout and its truth beside it. The answer is compared as ../shared/score.py does it: the nearest hand
within 0.6 of a hand's size of a true wrist, at most 0.12 s off.
"""

import argparse
import json
import sys
from collections import Counter, defaultdict
from pathlib import Path

import cv2
import numpy as np

from companion import handmodel
from companion.vision.events import Context
from companion.vision.hands import HandFinder
from companion.vision.layout import load_layout
from companion.vision.pipeline import Pipeline, PipelineSettings, SeenHand
from companion.vision.seatnet import SeatNet
from companion.vision.video import VideoFile

VISIBLE, NEAR, SOON_S = 0.6, 0.6, 0.12


def watch(
    clip: Path, finder: HandFinder, net: SeatNet | None, settings: PipelineSettings
) -> dict[float, list[SeenHand]]:
    """Return the hands of every analysed instant."""
    pipeline = Pipeline(load_layout(clip.with_suffix(".layout.json")), finder, settings, net=net)
    seen = {}
    for frame in VideoFile(clip).frames():
        before = pipeline.analysed
        pipeline.feed(frame, Context())
        if pipeline.analysed > before:
            seen[frame.at_s] = pipeline.hands
    return seen


def count(seen: dict[float, list[SeenHand]], truth: Path) -> Counter[str]:
    """Count the plainly visible hands, those found, those of a wrong seat, and those of the right seat's other side."""
    counts: Counter[str] = Counter()
    times = np.array(sorted(seen))
    by_time = defaultdict(list)
    for hand in json.loads(truth.read_text())["hands"]:
        if hand["visible"] >= VISIBLE:
            by_time[hand["t_s"]].append(hand)
    for at_s, hands in by_time.items():
        nearest = float(times[np.abs(times - at_s).argmin()])
        for hand in hands:
            counts["visible"] += 1
            best = min(seen[nearest], key=lambda h: _off(h, hand["wrist_px"]), default=None)
            late = abs(nearest - at_s) > SOON_S
            if best is None or late or _off(best, hand["wrist_px"]) > NEAR * hand["size_px"]:
                continue
            counts["found"] += 1
            if best.track.seat != hand["seat"]:
                counts["wrong seat"] += 1
            elif best.track.side.value != hand["side"]:
                counts["other side"] += 1
    return counts


def _off(hand: SeenHand, wrist_px: tuple[float, float]) -> float:
    return float(np.linalg.norm(hand.track.wrist_px - np.asarray(wrist_px)))


def line(name: str, counts: Counter[str], calls: int) -> str:
    """Return a clip's figures as one line."""
    shares = {part: 100 * counts[part] / max(counts["found"], 1) for part in ("wrong seat", "other side")}
    found = 100 * counts["found"] / max(counts["visible"], 1)
    return (
        f"{name:12s} {counts['visible']:6d} visible, found {found:5.1f} %, wrong seat {shares['wrong seat']:5.2f} %, "
        f"other side {shares['other side']:5.2f} %, {calls} calls of the hand model\n"
    )


def main() -> int:
    """Print a line a clip, and one for all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clips", nargs="+", type=Path)
    parser.add_argument("--no-net", action="store_true")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    net = None if args.no_net else SeatNet()
    total: Counter[str] = Counter()
    with HandFinder(handmodel.ensure()) as finder:
        for clip in args.clips:
            before = finder.calls
            counts = count(watch(clip, finder, net, PipelineSettings()), clip.with_suffix(".truth.json"))
            sys.stdout.write(line(clip.stem, counts, finder.calls - before))
            sys.stdout.flush()
            total += counts
        sys.stdout.write(line("all", total, finder.calls))
    return 0


if __name__ == "__main__":
    sys.exit(main())
