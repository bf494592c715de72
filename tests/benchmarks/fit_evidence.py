"""Fit the evidence model's weights of hand and edge cues on training footage, and print them.

    uv run python tests/benchmarks/fit_evidence.py ../shared/footage/train [--only 'u1*']

Logistic regression, by hand and instant, on the rows that SeatEvidence makes; instants near a movement's borders and in
the footage's ignored spans are left out. Clips that the seat model was trained on must not be among them.
"""

import argparse
import fnmatch
import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion import handmodel
from companion.vision.camera import solve_camera
from companion.vision.events import Context, Side
from companion.vision.evidence import HAND_NAMES, SeatCue, SeatEvidence
from companion.vision.hands import HandFinder
from companion.vision.layout import Layout, load_layout
from companion.vision.pipeline import Pipeline
from companion.vision.seatnet import SeatNet
from companion.vision.video import VideoFile

Floats = NDArray[np.float64]
SETTLE_S = (0.15, 0.1)
"""A hand counts as below from so long after the movement's start until so long after its end."""
LEAVE_S = (0.3, 0.8)
"""Around that, so much is left out: either answer would be right."""
RIDGE = 2.0


def collect(video: Path, layout: Layout, finder: HandFinder, net: SeatNet) -> list[dict[int, SeatCue]]:
    """Return the cues of every seat at every analysed instant."""
    pipeline = Pipeline(layout, finder, net=net)
    cues = []
    for frame in VideoFile(video).frames():
        before = pipeline.analysed
        pipeline.feed(frame, Context())
        if pipeline.analysed > before:
            cues.append(dict(pipeline.cues))
    return cues


def rows(cues: list[dict[int, SeatCue]], layout: Layout, truth: dict[str, Any]) -> tuple[Floats, Floats]:
    """Return the rows and their labels (1 below, 0 not), without the instants that are left out."""
    camera = solve_camera(layout)
    evidence = {s.seat: SeatEvidence(camera, layout, s.seat) for s in layout.seats}
    features, labels = [], []
    for instant in cues:
        for seat, cue in instant.items():
            for side, row in evidence[seat].update(cue).items():
                label = label_of(truth, seat, side, cue.at_s)
                if label is not None:
                    features.append(row)
                    labels.append(label)
    return np.array(features), np.array(labels)


def label_of(truth: dict[str, Any], seat: int, side: Side, at_s: float) -> float | None:
    """Return whether a hand is below at an instant, None where either answer is right."""
    near = False
    for event in truth["events"]:
        if event["kind"] != "hand_below_table" or event["seat"] != seat or event.get("side") != side.value:
            continue
        if event["start_s"] + SETTLE_S[0] <= at_s <= event["end_s"] + SETTLE_S[1]:
            return 1.0
        near |= event["start_s"] - LEAVE_S[0] <= at_s <= event["end_s"] + LEAVE_S[1]
    for span in truth["ignored"]:
        if span["seat"] == seat and "hand_below_table" in span["kinds"]:
            near |= span["start_s"] - LEAVE_S[0] <= at_s <= span["end_s"] + 0.5
    return None if near else 0.0


def fit(features: Floats, labels: Floats) -> Floats:
    """Return the weights of a ridge logistic regression (Newton's method)."""
    weights = np.zeros(features.shape[1])
    for _ in range(40):
        chance = 1 / (1 + np.exp(-np.clip(features @ weights, -30, 30)))
        slope = features.T @ (labels - chance) - RIDGE * weights
        curve = (features.T * (chance * (1 - chance))) @ features + RIDGE * np.eye(len(weights))
        weights = weights + np.linalg.solve(curve, slope)
    return weights


def main() -> None:
    """Fit on a folder of footage and print weights that can be pasted into weights.py."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("footage", type=Path)
    parser.add_argument("--only", nargs="*", default=["u10*", "u11[0-7]*", "t03*"], help="clips held out of the net's")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    parts = []
    net = SeatNet()
    with HandFinder(handmodel.ensure()) as finder:
        for video in sorted(args.footage.glob("*.mp4")):
            if any(fnmatch.fnmatch(video.stem, pattern) for pattern in args.only):
                layout = load_layout(video.with_suffix(".layout.json"))
                truth = json.loads(video.with_suffix(".truth.json").read_text())
                parts.append(rows(collect(video, layout, finder, net), layout, truth))
    features, labels = (np.concatenate(p) for p in zip(*parts, strict=True))
    weights = fit(features, labels)
    print(f"{len(parts)} clips, {len(labels)} instants, {int(labels.sum())} below")
    for name, weight, here, there in zip(
        HAND_NAMES, weights, features[labels == 1].mean(0), features[labels == 0].mean(0), strict=True
    ):
        print(f"{name:16s} {weight:6.2f}   mean {here:5.2f} below, {there:5.2f} not")


if __name__ == "__main__":
    main()
