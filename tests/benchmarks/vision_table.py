"""Print the score table of each part of the vision, so that each shows what it is worth.

    uv run python tests/benchmarks/vision_table.py ../shared/footage/dev [--only 'c*'] [--out DIR]

Whole frame: MediaPipe on the whole picture (ten hands), a flag where a hand lies outside the outline for half a second.
Crops: hands found and followed in crops; the same rule, and a flag where a followed hand is gone for half a second.
Heights: the same, where the hand's size says that it is lower than the table. Cues: the evidence model with edge,
motion and absences, without the seat model. All: with the seat model. The last four share one pass over the video.
"""

import argparse
import fnmatch
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion import handmodel
from companion.vision.events import Context, Event, Sensitivity
from companion.vision.frame import NS_PER_S
from companion.vision.geometry import Box, beyond_edge_mm, seat_axes, solve_camera
from companion.vision.gestures import SeatGestures
from companion.vision.hands import HandFinder, HandSettings
from companion.vision.layout import Layout, load_layout
from companion.vision.pipeline import Pipeline
from companion.vision.seatnet import SeatNet
from companion.vision.video import VideoFile

HOLD_S = 0.5
"""How long a simple rule waits before it flags."""
VARIANTS = ("whole", "crops", "heights", "cues", "all")


@dataclass(slots=True)
class Rule:
    """Flags what holds without a break for half a second, once."""

    since: dict[Any, float] = field(default_factory=dict)
    flags: list[dict[str, Any]] = field(default_factory=list)
    told: set[Any] = field(default_factory=set)

    def feed(self, who: tuple[int, str], holds: bool, at_s: float) -> None:
        """Take one instant of one hand."""
        if not holds:
            self.since.pop(who, None)
            self.told.discard(who)
            return
        start = self.since.setdefault(who, at_s)
        if at_s - start >= HOLD_S and who not in self.told:
            self.told.add(who)
            self.flags.append(
                {"kind": "hand_below_table", "seat": who[0], "side": who[1], "start_s": start, "end_s": at_s,
                 "raised_s": at_s, "confidence": 0.5, "why": "rule"}
            )  # fmt: skip


def whole_frame(video: Path, layout: Layout, finder: HandFinder, guard: int | None) -> dict[str, Any]:
    """Analyse with whole-frame detection and pixels only."""
    camera = solve_camera(layout)
    bodies = {}
    for seat in layout.seats:
        middle, _, away = seat_axes(layout, seat.seat)
        bodies[seat.seat] = camera.project([(*(middle + 100 * away), 75.0)])[0]
    polygon = camera.project([(*p, 0.0) for p in layout.outline_mm]).astype(np.float32)
    rule, hands, due, last = Rule(), [], 0.0, 0.0
    for frame in VideoFile(video).frames():
        last = frame.at_s
        if frame.at_s + 0.02 < due:
            continue
        due = frame.at_s + 0.1
        outside = set()
        for hand in finder.find(frame.image, [Box(0, 0, *layout.image_size)]):
            wrist = hand.wrist_px
            seat = min(bodies, key=lambda s: float(np.linalg.norm(bodies[s] - wrist)))
            hands.append({"t_s": frame.at_s, "seat": seat, "side": hand.side.value, "wrist_px": wrist.tolist()})
            if cv2.pointPolygonTest(polygon, (float(wrist[0]), float(wrist[1])), False) < 0:
                outside.add((seat, hand.side.value))
        for seat in bodies:
            for side in ("left", "right"):
                rule.feed((seat, side), (seat, side) in outside and seat != guard, frame.at_s)
    return {"flags": rule.flags, "hands": hands, "slaps": [], "timing": {"wall_s": last}}


def one_pass(
    video: Path, layout: Layout, finder: HandFinder, guard: int | None, net: SeatNet
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Analyse with the pipeline once; yield the answers of the four variants that build on it."""
    pipeline = Pipeline(layout, finder, net=net)
    camera = pipeline.camera
    blind = {s.seat: SeatGestures(camera, layout, s.seat, Sensitivity.NORMAL) for s in layout.seats}
    crops, heights = Rule(), Rule()
    events: dict[str, list[Event]] = {"cues": [], "all": []}
    hands: list[dict[str, Any]] = []
    context = Context(guard=guard)
    known: set[tuple[int, str]] = set()
    for frame in VideoFile(video).frames():
        before = pipeline.analysed
        events["all"] += pipeline.feed(frame, context)
        if pipeline.analysed == before:
            continue
        here = {}
        for hand in pipeline.hands:
            who = (hand.track.seat, hand.track.side.value)
            here[who] = hand
            known.add(who)
            hands.append(
                {"t_s": round(frame.at_s, 3), "seat": who[0], "side": who[1],
                 "wrist_px": hand.track.wrist_px.tolist(), "position_mm": list(hand.position_mm)}
            )  # fmt: skip
        for who in known:
            if who[0] == guard:
                continue
            hand = here.get(who)
            out = hand is None or bool(beyond_edge_mm(layout, camera.to_table([hand.track.wrist_px]))[0] > 60)
            crops.feed(who, out, frame.at_s)
            low = out
            if out and hand is not None:
                depth = camera.focal_px * 180.0 / max(hand.track.size_px * 1.13, 1.0)
                low = bool(camera.at_depth([hand.track.wrist_px], [depth])[0, 2] < -60)
            heights.feed(who, low, frame.at_s)
        for seat, cue in pipeline.cues.items():
            events["cues"] += blind[seat].observe(cue.without_net(), context)
    yield "crops", {"flags": crops.flags, "hands": hands}
    yield "heights", {"flags": heights.flags, "hands": hands}
    for name, seen in events.items():
        yield name, {"flags": [_flag(e) for e in seen], "hands": hands}


def _flag(event: Event) -> dict[str, Any]:
    times = {
        "start_s": event.start_ns / NS_PER_S, "end_s": event.end_ns / NS_PER_S, "raised_s": event.raised_ns / NS_PER_S
    }  # fmt: skip
    return {"kind": event.kind.value, "seat": event.seat, "side": event.side and event.side.value, **times}


def main() -> None:
    """Run every variant over a folder of footage and print its table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("footage", type=Path)
    parser.add_argument("--only", default="*")
    parser.add_argument("--out", type=Path, default=Path("score-out/table"))
    args = parser.parse_args()
    cv2.setNumThreads(1)
    model = handmodel.ensure()
    whole = HandFinder(model, HandSettings(most_hands=10, confidence=0.5, presence=0.5, small_px=0))
    net = SeatNet()
    with whole, HandFinder(model) as finder:
        for video in sorted(args.footage.glob("*.mp4")):
            if not fnmatch.fnmatch(video.stem, args.only):
                continue
            began = time.perf_counter()
            layout = load_layout(video.with_suffix(".layout.json"))
            guard = json.loads(video.with_suffix(".truth.json").read_text()).get("guard")
            answers = dict(one_pass(video, layout, finder, guard, net))
            answers["whole"] = whole_frame(video, layout, whole, guard)
            for name, answer in answers.items():
                (args.out / name).mkdir(parents=True, exist_ok=True)
                (args.out / name / f"{video.stem}.json").write_text(json.dumps(answer))
            print(f"  {video.stem}: {time.perf_counter() - began:.0f} s", file=sys.stderr, flush=True)
    score = args.footage.parent.parent / "score.py"
    for name in VARIANTS:
        print(f"\n=== {name}", flush=True)
        command = [sys.executable, str(score), str(args.footage), "--out", str(args.out / name), "--reuse"]
        subprocess.run([*command, "--only", args.only], check=True)


if __name__ == "__main__":
    main()
