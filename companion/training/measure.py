"""Measure the net as it runs: OpenCV reads the weights, scores become spans, spans are compared with the truth."""

import argparse
import json
import runpy
import sys
from dataclasses import fields
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.training.kept import KeptClip, held_out, read_kept
from companion.training.vary import plain
from companion.vision.seatnet import SeatNet, SeatScores
from companion.vision.seatspans import Rule, SpanFinder, SpanSettings

FLAG = {
    "below": "hand_below_table",
    "sleeve": "sleeve_movement",
    "behind_head": "behind_head",
    "card_drop": "card_drop",
}


def clip_scores(net: SeatNet, clip: KeptClip, step: int) -> Any:
    """Return seats x looks x outputs and the looks' times."""
    frames = range(0, len(clip.times), step)
    out = []
    for seat in range(len(clip.seats)):
        xs = [plain(clip.sample(seat, k))[0] for k in frames]
        rows = []
        for i in range(0, len(xs), 32):
            rows += [[getattr(s, f.name) for f in fields(SeatScores)] for s in net.scores(xs[i : i + 32])]
        out.append(rows)
    return np.array(out), np.asarray(clip.times)[list(frames)]


def flags_of(scores: Any, times: Any, seats: tuple[int, ...], settings: SpanSettings) -> list[dict[str, Any]]:
    """Return the flags that spans alone would raise, as the contract writes them."""
    names = [f.name for f in fields(SeatScores)]
    flags = []
    for seat, rows in zip(seats, scores, strict=True):
        finder = SpanFinder(settings)
        spans = []
        for t, row in zip(times, rows, strict=True):
            spans += finder.feed(float(t), SeatScores(**dict(zip(names, map(float, row), strict=True))))
        quiet = SeatScores(**dict.fromkeys(names, 0.0))
        spans += finder.feed(float(times[-1]) + 9.0, quiet)
        for s in spans:
            side = ("left" if s.left > 0 else "right") if s.kind == "below" else None
            end = min(s.end_s, float(times[-1]))
            flags.append(
                {
                    "kind": FLAG[s.kind],
                    "side": side,
                    "seat": seat,
                    "start_s": s.start_s,
                    "end_s": end,
                    "raised_s": s.raised_s,
                    "confidence": s.peak,
                }
            )
    return flags


def report(score: Any, kept: list[KeptClip], found: list[Any], truths: list[Any], settings: SpanSettings) -> str:
    """Return the table that the project's scoring prints."""
    tally = score["Tally"]()
    for clip, (scores, times), truth in zip(kept, found, truths, strict=True):
        flags = [f for f in flags_of(scores, times, clip.seats, settings) if f["seat"] != truth.get("guard")]
        tally.clip({"flags": flags}, {**truth, "slaps": [], "hands": []})
    return str(tally.report()[0])


def rules_from(text: str | None) -> SpanSettings:
    """Read settings like `sleeve=0.3,0.6,0.3;below=...` (smooth, on, off); what is not named stays."""
    rules = {}
    for part in (text or "").split(";"):
        if part:
            name, numbers = part.split("=")
            smooth, on, off = map(float, numbers.split(","))
            rules[name] = Rule(smooth_s=smooth, on=on, off=off)
    return SpanSettings(**rules)


def kept_scores(net: SeatNet, clips: list[KeptClip], looks: float) -> list[Any]:
    """Score every clip at about so many looks a second (no more than were kept)."""
    return [clip_scores(net, c, max(1, round(1 / (float(np.median(np.diff(c.times))) * looks)))) for c in clips]


def main() -> int:
    """Print the table for a folder of kept clips."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kept", type=Path)
    parser.add_argument("footage", nargs="+", type=Path, help="folders with the clips' truth files")
    parser.add_argument("--score", type=Path, required=True, help="the project's score.py")
    parser.add_argument("--weights", type=Path)
    parser.add_argument("--all", action="store_true", help="also clips that were trained on")
    parser.add_argument("--looks", type=float, default=5.0)
    parser.add_argument("--rules")
    parser.add_argument("--keep-scores", type=Path)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    net = SeatNet(args.weights) if args.weights else SeatNet()
    clips = [read_kept(p) for p in sorted(args.kept.glob("*.npz"))]
    clips = [c for c in clips if args.all or c.name[0] not in "tu" or held_out(c.name)]
    truths = [_truth(args.footage, c.name) for c in clips]
    found = kept_scores(net, clips, args.looks)
    if args.keep_scores:
        np.savez(
            args.keep_scores,
            **{c.name: s for c, (s, _) in zip(clips, found, strict=True)},
            **{c.name + "_t": t for c, (_, t) in zip(clips, found, strict=True)},
        )
    score = runpy.run_path(str(args.score))
    sys.stdout.write(report(score, clips, found, truths, rules_from(args.rules)) + "\n")
    return 0


def _truth(folders: list[Path], name: str) -> Any:
    for folder in folders:
        path = folder / f"{name}.truth.json"
        if path.exists():
            return json.loads(path.read_text())
    raise FileNotFoundError(name)


if __name__ == "__main__":
    sys.exit(main())
