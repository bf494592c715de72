"""Watch clips once and keep what was seen at every seat: hands, edges and the seat net's scores.

uv run python -m companion.training.cues FOLDER... --out KEPT

The net says whose a hand is, too, so all is seen anew where what is kept is older than the net's weights.
"""

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import msgspec
import numpy as np

from companion.vision.camera import Camera, solve_camera
from companion.vision.edgecues import EdgeLook
from companion.vision.events import Context, Side
from companion.vision.evidence import HandCue, SeatCue, table_colour
from companion.vision.hands import HandFinder
from companion.vision.layout import Layout, load_layout
from companion.vision.pipeline import NET_NAMES, Pipeline
from companion.vision.seatnet import WEIGHTS, SeatNet
from companion.vision.video import VideoFile


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenClip:
    """A clip's cues, instant by instant: seat to cue."""

    name: str
    layout: Layout
    camera: Camera
    instants: list[dict[int, SeatCue]]


def keep_cues(clip: Path, out: Path, finder: HandFinder, net: SeatNet) -> None:
    """Write OUT/NAME.cues: what the pipeline saw at each analysed instant (msgpack)."""
    pipeline = Pipeline(load_layout(clip.with_suffix(".layout.json")), finder, net=net)
    instants = []
    for frame in VideoFile(clip).frames():
        before = pipeline.analysed
        pipeline.feed(frame, Context())
        if pipeline.analysed > before:
            instants.append({"at_s": frame.at_s, "seats": {s: _plain(cue) for s, cue in pipeline.cues.items()}})
    kept_at(out, clip.stem).write_bytes(msgspec.msgpack.encode(instants))


def kept_at(kept: Path, name: str) -> Path:
    """Return where a clip's cues are kept."""
    return kept / f"{name}.cues"


def _plain(cue: SeatCue) -> dict[str, Any]:
    edge = cue.edge
    hands = {
        side.value: [np.round(h.landmarks_px, 1).tolist(), h.size_px, h.found, h.hits] for side, h in cue.hands.items()
    }
    looks = [np.round(a, 1).tolist() for a in (edge.inside, edge.outside, edge.motion)] if edge is not None else None
    return {"hands": hands, "edge": looks, "net": [cue.net[name] for name in NET_NAMES]}


def read_seen(clip: Path, kept: Path) -> SeenClip:
    """Read a clip's cues."""
    layout = load_layout(clip.with_suffix(".layout.json"))
    seen = msgspec.msgpack.decode(kept_at(kept, clip.stem).read_bytes(), strict=False)
    return SeenClip(
        name=clip.stem, layout=layout, camera=solve_camera(layout), instants=[dict(_cues(instant)) for instant in seen]
    )


def _cues(instant: dict[str, Any]) -> Iterator[tuple[int, SeatCue]]:
    edges = {
        seat: EdgeLook(*(np.asarray(a, np.float32) for a in seen["edge"]))
        for seat, seen in instant["seats"].items()
        if seen["edge"] is not None
    }
    colour, spread = table_colour(edges)
    for seat, seen in instant["seats"].items():
        hands = {
            Side(side): HandCue(landmarks_px=np.asarray(px), size_px=size, found=found, hits=hits)
            for side, (px, size, found, hits) in seen["hands"].items()
        }
        yield (
            seat,
            SeatCue(
                at_s=instant["at_s"],
                hands=hands,
                edge=edges.get(seat),
                table_lab=colour,
                table_spread=spread,
                net=dict(zip(NET_NAMES, seen["net"], strict=True)),
            ),
        )


def main() -> int:
    """Keep all clips of the folders given, those that are kept already with these weights left alone."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--only", default="*")
    parser.add_argument("--weights", type=Path, default=WEIGHTS)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    cv2.setNumThreads(1)
    clips = sorted(c for folder in args.folders for c in folder.glob(f"{args.only}.mp4"))
    clips = [c for c in clips if c.with_suffix(".truth.json").exists()]
    net = SeatNet(args.weights)
    kept_from = args.weights.stat().st_mtime
    from companion import handmodel

    with HandFinder(handmodel.ensure()) as finder:
        for clip in clips:
            kept = kept_at(args.out, clip.stem)
            if not (kept.exists() and kept.stat().st_mtime > kept_from):
                keep_cues(clip, args.out, finder, net)
                sys.stdout.write(f"{clip.stem}\n")
                sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
