"""Fit the rules that join the cues (models/rules.json), kind by kind, and say what they are worth.

    train/bin/python -m companion.training.rules FIT_FOLDER... --kept KEPT --score SCORE.py \
        [--check FOLDER...] [--out models/rules.json]

Gradient boosting of small trees (scikit-learn) on the long rows of `hindsight`, judged JUDGED_S late. What is
said of the clips fitted on is cross-validated by clip; folders to check are never fitted on.
"""

import argparse
import json
import runpy
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import HistGradientBoostingClassifier

from companion.training.cues import SeenClip, kept_at, read_seen
from companion.training.curve import Point, draw, lines
from companion.vision.events import EventKind, Sensitivity
from companion.vision.evidence import HAND_ROW, SEAT_ROW
from companion.vision.gestures import WATCHED, SeatGestures
from companion.vision.hindsight import JUDGED_S, long_names
from companion.vision.telling import Runs, Telling, Watched
from companion.vision.weights import SEEN

Floats = NDArray[np.float64]
FOLDS = 5
DEPTH = 3
BEGIN_S = 0.8
CORE = (EventKind.HAND_BELOW_TABLE, EventKind.SLEEVE_MOVEMENT)


@dataclass(frozen=True, slots=True)
class Margin:
    """From when to when (s after an event's start, s after its end) an instant counts, and what is left out around."""

    start: float
    end: float
    before: float = 0.3
    after: float = 0.8


MARGINS = {
    EventKind.HAND_BELOW_TABLE: Margin(0.15, 0.1),
    EventKind.SLEEVE_MOVEMENT: Margin(0.1, 0.15, 0.4),
    EventKind.BEHIND_HEAD: Margin(0.05, 0.25, 0.4),
    EventKind.CARD_DROP: Margin(0.05, 0.25, 0.4),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Track:
    """The long rows of one seat's hand (or the seat), with labels: 1, 0, or -1 where either answer is right."""

    watched: Watched
    seat: int
    times: Floats
    rows: Floats
    labels: NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """All tracks of a clip, and its truth."""

    name: str
    truth: dict[str, Any]
    tracks: list[Track]


def rows_of(clip: SeenClip, truth: dict[str, Any]) -> Rows:
    """Return the rows of every seat and hand, and the labels of the instants that they judge."""
    tracks = []
    for seat in (s.seat for s in clip.layout.seats):
        gestures = SeatGestures(clip.camera, clip.layout, seat)
        times, rows = [], []
        for instant in clip.instants:
            cue = instant[seat]
            times.append(cue.at_s)
            rows.append(gestures.long_rows(gestures.evidence.update(cue), cue))
        for watched in WATCHED:
            labels = [label(truth, seat, watched, t - JUDGED_S) for t in times]
            tracks.append(
                Track(
                    watched=watched,
                    seat=seat,
                    times=np.array(times),
                    rows=np.array([r[watched[1]] for r in rows], np.float32),
                    labels=np.array(labels),
                )
            )
    return Rows(name=clip.name, truth=truth, tracks=tracks)


def label(truth: dict[str, Any], seat: int, watched: Watched, at_s: float) -> int:
    """Say whether a movement is under way at an instant (1), not (0), or either answer is right (-1)."""
    kind, side = watched
    margin = MARGINS[kind]
    near = at_s < 0
    for event in truth["events"]:
        if event["kind"] != kind.value or event["seat"] != seat:
            continue
        here = side is None or event.get("side") in (None, side.value)
        if here and event["start_s"] + margin.start <= at_s <= event["end_s"] + margin.end:
            return 1
        if here:
            near |= event["start_s"] - margin.before <= at_s <= event["end_s"] + margin.after
    for span in truth["ignored"]:
        if span["seat"] == seat and kind.value in span["kinds"]:
            near |= span["start_s"] - margin.before <= at_s <= span["end_s"] + 0.5
    return -1 if near else 0


def fitted(clips: Sequence[Rows], kind: EventKind, *, trees: int, rate: float, leaf: int, seed: int = 0) -> Any:
    """Return the boosted trees for one kind."""
    tracks = [t for c in clips for t in c.tracks if t.watched[0] is kind]
    rows = np.concatenate([t.rows[t.labels >= 0] for t in tracks])
    labels = np.concatenate([t.labels[t.labels >= 0] for t in tracks])
    model = HistGradientBoostingClassifier(
        max_depth=DEPTH, learning_rate=rate, max_iter=trees, l2_regularization=10, min_samples_leaf=leaf,
        max_features=0.5, early_stopping=False, random_state=seed,
    )  # fmt: skip
    return model.fit(rows, labels)


def odds_of(model: Any, clip: Rows, kind: EventKind) -> dict[tuple[int, Watched], Floats]:
    """Return the log odds along every track of a kind."""
    return {
        (t.seat, t.watched): np.clip(model.decision_function(t.rows), -5, 5)
        for t in clip.tracks
        if t.watched[0] is kind
    }


def flags_of(clip: Rows, odds: dict[tuple[int, Watched], Floats], telling: Telling) -> list[dict[str, Any]]:
    """Return the flags that the product's own telling raises from these log odds."""
    flags = []
    times = clip.tracks[0].times
    for seat in sorted({s for s, _ in odds}):
        if seat == clip.truth.get("guard"):
            continue
        watched = [w for s, w in odds if s == seat]
        runs = Runs(watched, Sensitivity.NORMAL)
        for k, at_s in enumerate(times.tolist()):
            for w in watched:
                told = runs.step(w, telling, float(odds[seat, w][k]), at_s)
                if told is not None and at_s >= times[0] + BEGIN_S:
                    start = max(told.start_s - JUDGED_S, 0.0)
                    flags.append({"kind": w[0].value, "seat": seat, "start_s": start, "end_s": at_s, "raised_s": at_s})
    return flags


def telling_of(smooth_s: float, level: float, drop: float = 1.2) -> Telling:
    """Return levels that are the same at each sensitivity, for trying."""
    return Telling(smooth_s=smooth_s, levels=MappingProxyType(dict.fromkeys(Sensitivity, level)), drop=drop)


def line(score: Any, clips: Sequence[Rows], odds: Iterable[Any], telling: Telling, kind: EventKind) -> str:
    """Return found, false and lateness of one kind."""
    tally = score["Tally"]()
    for clip, of_clip in zip(clips, odds, strict=True):
        events = [e for e in clip.truth["events"] if e["kind"] == kind.value]
        truth = {**clip.truth, "events": events, "slaps": [], "hands": []}
        tally.clip({"flags": flags_of(clip, of_clip, telling)}, truth)
    hit, miss, false = tally.hit[kind.value], tally.miss[kind.value], tally.false[kind.value]
    late = f"{np.median(tally.latency):+.2f}/{np.percentile(tally.latency, 95):+.2f}" if tally.latency else "-"
    minutes = max(tally.player_s / 60, 1e-9)
    right = hit / max(hit + false, 1)
    return f"{hit:3d}/{hit + miss:<3d} false {false:3d} ({false / minutes:.2f}/min) right {right:.2f} late {late}"


def curve(score: Any, clips: Sequence[Rows], odds: Mapping[EventKind, list[Any]]) -> list[Point]:
    """Return, for levels moved by so much, what is found of both core kinds and how many flags are false."""
    points = []
    for move in (-1.5, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5):
        tally = score["Tally"]()
        for i, clip in enumerate(clips):
            flags = []
            for kind in CORE:
                level = SEEN[kind].levels[Sensitivity.NORMAL] + move
                flags += flags_of(clip, odds[kind][i], telling_of(SEEN[kind].smooth_s, level, SEEN[kind].drop))
            events = [e for e in clip.truth["events"] if e["kind"] in {k.value for k in CORE}]
            tally.clip({"flags": flags}, {**clip.truth, "events": events, "slaps": [], "hands": []})
        hit, false = sum(tally.hit.values()), sum(tally.false.values())
        events_in_all = hit + sum(tally.miss.values())
        points.append(Point(move=move, found=hit, events=events_in_all, false=false, player_min=tally.player_s / 60))
    return points


def exported(model: Any, names: tuple[str, ...]) -> dict[str, Any]:
    """Return the trees as `trees.load_rules` reads them: filled up to equal depth."""
    columns, borders, answers = [], [], []
    for (tree,) in model._predictors:
        nodes = tree.nodes
        at: list[int] = [0]
        cols: list[int] = []
        bars: list[float] = []
        for _ in range(DEPTH):
            below: list[int] = []
            for n in at:
                node = nodes[n]
                leaf = bool(node["is_leaf"])
                cols.append(0 if leaf else int(node["feature_idx"]))
                bars.append(1e9 if leaf else round(float(node["num_threshold"]), 5))
                below += [n, n] if leaf else [int(node["left"]), int(node["right"])]
            at = below
        columns.append(cols)
        borders.append(bars)
        answers.append([round(float(nodes[n]["value"]), 5) for n in at])
    base = float(np.ravel(model._baseline_prediction)[0])
    return {"names": names, "base": base, "columns": columns, "borders": borders, "answers": answers}


def read_rows(folders: Sequence[Path], kept: Path, only: Sequence[str]) -> list[Rows]:
    """Read all kept clips of folders."""
    found = []
    for folder in folders:
        for path in sorted(folder.glob("*.truth.json")):
            clip = folder / f"{path.name.removesuffix('.truth.json')}.mp4"
            if kept_at(kept, clip.stem).exists() and (not only or any(clip.match(o) for o in only)):
                found.append(rows_of(read_seen(clip, kept), json.loads(path.read_text())))
    return found


def main() -> int:
    """Fit, print the tables, write the rules."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--only", nargs="*", default=[], help="patterns of the clips to fit on, such as 'v*.mp4'")
    parser.add_argument("--check", nargs="*", default=[], type=Path)
    parser.add_argument("--kept", type=Path, required=True)
    parser.add_argument("--score", type=Path, required=True)
    parser.add_argument("--trees", type=int, default=120)
    parser.add_argument("--rate", type=float, default=0.06)
    parser.add_argument("--leaf", type=int, default=100)
    parser.add_argument("--kinds", nargs="*", default=[k.value for k in EventKind])
    parser.add_argument("--out", type=Path)
    parser.add_argument("--curve", type=Path, help="draw what the sensitivity does (SVG)")
    args = parser.parse_args()
    score = runpy.run_path(str(args.score))
    ours = read_rows(args.folders, args.kept, args.only)
    theirs = {str(f): read_rows([f], args.kept, []) for f in args.check}
    say(f"{len(ours)} clips to fit on")
    rules = {}
    groups: dict[str, tuple[Sequence[Rows], dict[EventKind, list[Any]]]] = {"cross-validated": (ours, {})}
    groups |= {Path(name).name: (clips, {}) for name, clips in theirs.items()}
    for kind in (EventKind(k) for k in args.kinds):
        how = {"trees": args.trees, "rate": args.rate, "leaf": args.leaf}
        odds: list[Any] = [None] * len(ours)
        for fold in range(FOLDS):
            model = fitted([c for i, c in enumerate(ours) if i % FOLDS != fold], kind, **how)
            for i in range(fold, len(ours), FOLDS):
                odds[i] = odds_of(model, ours[i], kind)
        model = fitted(ours, kind, **how)
        unseen = {name: [odds_of(model, c, kind) for c in clips] for name, clips in theirs.items()}
        for smooth_s in (0.2, 0.4):
            for level in (-2.0, -1.5, -1.0, -0.5, 0.0, 0.5):
                telling = telling_of(smooth_s, level)
                text = f"{kind.value} {smooth_s} {level:+.1f} | {line(score, ours, odds, telling, kind)}"
                for name, clips in theirs.items():
                    text += f" | {Path(name).name} {line(score, clips, unseen[name], telling, kind)}"
                say(text)
        groups["cross-validated"][1][kind] = odds
        for name in theirs:
            groups[Path(name).name][1][kind] = unseen[name]
        names = long_names(HAND_ROW if kind is EventKind.HAND_BELOW_TABLE else SEAT_ROW)
        rules[kind.value] = exported(model, names)
    if set(CORE) <= {EventKind(k) for k in args.kinds}:
        curves = {name: curve(score, clips, odds) for name, (clips, odds) in groups.items()}
        say("\n".join(lines(curves)))
        if args.curve:
            draw(curves, args.curve)
    if args.out:
        args.out.write_text(json.dumps(rules))
    return 0


def say(text: str) -> None:
    """Print a line at once."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
