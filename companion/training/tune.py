"""Choose when scores become spans, on clips held out of training: for each kind a table of recall and precision."""

import argparse
import itertools
import json
import runpy
import sys
from pathlib import Path
from typing import Any

import numpy as np

from companion.training.measure import flags_of
from companion.vision.seatspans import Rule, SpanSettings

KINDS = {
    "below": "hand_below_table",
    "sleeve": "sleeve_movement",
    "behind_head": "behind_head",
    "card_drop": "card_drop",
}
SMOOTH_S, ON, OFF = (0.1, 0.3), (0.3, 0.4, 0.5, 0.6, 0.7, 0.8), (0.5,)
NEVER = Rule(smooth_s=0.1, on=2.0, off=1.9)


def main() -> int:
    """Print the best rules of every kind by F1, with recall, precision and how late they are."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("scores", type=Path, help="what measure.py --keep-scores wrote")
    parser.add_argument("footage", nargs="+", type=Path, help="folders with layouts and truth")
    parser.add_argument("--score", type=Path, required=True, help="the project's score.py")
    parser.add_argument("--show", type=int, default=6)
    args = parser.parse_args()
    match = runpy.run_path(str(args.score))["match_flags"]
    kept = np.load(args.scores)
    names = [n for n in kept.files if not n.endswith("_t")]
    clips = []
    for name in names:
        folder = next(f for f in args.footage if (f / f"{name}.truth.json").exists())
        seats = tuple(s["seat"] for s in json.loads((folder / f"{name}.layout.json").read_text())["seats"])
        truth = json.loads((folder / f"{name}.truth.json").read_text())
        clips.append((kept[name], kept[f"{name}_t"], seats, truth))
    for rule, kind in KINDS.items():
        rows = []
        for smooth, on, off in itertools.product(SMOOTH_S, ON, OFF):
            settings = SpanSettings(
                **{k: NEVER for k in KINDS if k != rule} | {rule: Rule(smooth_s=smooth, on=on, off=on * off)}
            )
            rows.append((*_worth(match, clips, kind, settings), smooth, on, on * off))
        rows.sort(key=lambda r: -r[0])
        for f1, recall, precision, false, late, smooth, on, off in rows[: args.show]:
            sys.stdout.write(
                f"{kind:<17} F1 {f1:.2f} recall {recall:.2f} precision {precision:.2f} false {false} "
                f"late {late:+.2f} s: smooth {smooth} on {on} off {off:.2f}\n"
            )
    return 0


def _worth(match: Any, clips: list[Any], kind: str, settings: SpanSettings) -> tuple[float, float, float, int, float]:
    hits, missed, wrong, late = 0, 0, 0, []
    for scores, times, seats, truth in clips:
        flags = [f for f in flags_of(scores, times, seats, settings) if f["seat"] != truth.get("guard")]
        events = [e for e in truth["events"] if e["kind"] == kind]
        pairs, false, miss = match(flags, events, truth["ignored"])
        hits, missed, wrong = hits + len(pairs), missed + len(miss), wrong + len(false)
        late += [f["raised_s"] - e["end_s"] for f, e in pairs]
    recall, precision = hits / max(1, hits + missed), hits / max(1, hits + wrong)
    f1 = 2 * recall * precision / max(1e-9, recall + precision)
    return f1, recall, precision, wrong, float(np.median(late)) if late else float("nan")


if __name__ == "__main__":
    sys.exit(main())
