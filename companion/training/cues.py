"""Watch clips once and keep what was seen of hands and edges; the seat net's scores are joined to it later.

uv run python -m companion.training.cues FOLDER... --out KEPT        (hands and edges: the slow part)
uv run python -m companion.training.cues FOLDER... --out KEPT --net  (the net's scores, where they are older than it)
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
from companion.vision.seatview import SeatMemory, seat_input, seat_picture, seat_view
from companion.vision.video import VideoFile


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenClip:
    """A clip's cues, instant by instant: seat to cue."""

    name: str
    layout: Layout
    camera: Camera
    instants: list[dict[int, SeatCue]]


def keep_hands(clip: Path, out: Path, finder: HandFinder) -> None:
    """Write OUT/NAME.hands: what the pipeline saw of hands and edges at each analysed instant (msgpack)."""
    pipeline = Pipeline(load_layout(clip.with_suffix(".layout.json")), finder)
    instants = []
    for frame in VideoFile(clip).frames():
        before = pipeline.analysed
        pipeline.feed(frame, Context())
        if pipeline.analysed > before:
            instants.append({"at_s": frame.at_s, "seats": {s: _plain(cue) for s, cue in pipeline.cues.items()}})
    (out / f"{clip.stem}.hands").write_bytes(msgspec.msgpack.encode(instants))


def _plain(cue: SeatCue) -> dict[str, Any]:
    edge = cue.edge
    hands = {
        side.value: [np.round(h.landmarks_px, 1).tolist(), h.size_px, h.found, h.hits] for side, h in cue.hands.items()
    }
    looks = [np.round(a, 1).tolist() for a in (edge.inside, edge.outside, edge.motion)] if edge is not None else None
    return {"hands": hands, "edge": looks}


def keep_net(clip: Path, out: Path, net: SeatNet) -> None:
    """Write OUT/NAME.net: the seat net's scores at the instants of OUT/NAME.hands."""
    layout = load_layout(clip.with_suffix(".layout.json"))
    camera = solve_camera(layout)
    views = {s.seat: seat_view(camera, layout, s.seat) for s in layout.seats}
    memories = {seat: SeatMemory() for seat in views}
    due = [i["at_s"] for i in msgspec.msgpack.decode((out / f"{clip.stem}.hands").read_bytes())]
    rows: list[dict[int, list[float]]] = []
    for frame in VideoFile(clip).frames():
        if len(rows) == len(due) or frame.at_s < due[len(rows)] - 1e-6:
            continue
        for seat, view in views.items():
            memories[seat].add(frame.at_s, seat_picture(view, frame.image))
        scores = net.scores([seat_input(view, memories[seat].moments()) for seat, view in views.items()])
        rows.append({s: [getattr(q, n) for n in NET_NAMES] for s, q in zip(views, scores, strict=True)})
    (out / f"{clip.stem}.net").write_bytes(msgspec.msgpack.encode(rows))


def _needs_net(kept: Path, name: str, weights: Path) -> bool:
    hands, scores = kept / f"{name}.hands", kept / f"{name}.net"
    return hands.exists() and not (scores.exists() and scores.stat().st_mtime > weights.stat().st_mtime)


def read_seen(clip: Path, kept: Path) -> SeenClip:
    """Read a clip's cues, the net's scores joined."""
    layout = load_layout(clip.with_suffix(".layout.json"))
    hands = msgspec.msgpack.decode((kept / f"{clip.stem}.hands").read_bytes(), strict=False)
    nets = msgspec.msgpack.decode((kept / f"{clip.stem}.net").read_bytes())
    instants = [dict(_cues(i, net)) for i, net in zip(hands, nets, strict=True)]
    return SeenClip(name=clip.stem, layout=layout, camera=solve_camera(layout), instants=instants)


def _cues(instant: dict[str, Any], net: dict[int, list[float]]) -> Iterator[tuple[int, SeatCue]]:
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
                net=dict(zip(NET_NAMES, net[seat], strict=True)),
            ),
        )


def main() -> int:
    """Keep all clips of the folders given; hands that are kept already are left alone."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--only", default="*")
    parser.add_argument("--net", action="store_true")
    parser.add_argument("--weights", type=Path, default=WEIGHTS)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    cv2.setNumThreads(1)
    clips = sorted(c for folder in args.folders for c in folder.glob(f"{args.only}.mp4"))
    clips = [c for c in clips if c.with_suffix(".truth.json").exists()]
    if args.net:
        net = SeatNet(args.weights)
        for clip in clips:
            if _needs_net(args.out, clip.stem, args.weights):
                keep_net(clip, args.out, net)
        return 0
    from companion import handmodel

    with HandFinder(handmodel.ensure()) as finder:
        for clip in clips:
            if not (args.out / f"{clip.stem}.hands").exists():
                keep_hands(clip, args.out, finder)
                sys.stdout.write(f"{clip.stem}\n")
                sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
