"""Measure the slap timing on footage with known contacts.

    uv run python tests/benchmarks/slap_times.py FOLDER... [--halve]

Every clip NAME.mp4 with NAME.layout.json and NAME.truth.json is looked back at as the contract's ``analyze`` does, 8 s
from when the card was entered. ``--halve`` also takes every second frame of 60 fps clips, both ways, as 30 fps.
Prints for each frame rate: slaps found, time errors, their spread in units of the stated error, pairs in the right
order, last hands called, and the time that an answer took.
"""

import argparse
import json
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path

import numpy as np

from companion.vision.frame import NS_PER_S, Frame
from companion.vision.layout import Layout, load_layout
from companion.vision.slaps import SlapRound, time_slaps
from companion.vision.video import VideoFile

BACK_S = 8.0


@dataclass(slots=True)
class Tally:
    """What was measured at one frame rate; times in ms."""

    true: int = 0
    ghosts: int = 0
    errors: list[float] = field(default_factory=list)
    spread: list[float] = field(default_factory=list)
    pairs: list[tuple[float, bool]] = field(default_factory=list)
    rounds: int = 0
    called: int = 0
    wrong: int = 0
    took_s: list[float] = field(default_factory=list)

    def add(self, answer: SlapRound, contacts: dict[int, float]) -> None:
        """Take in one round."""
        found = {s.seat: s for s in answer.order if s.at_ns is not None}
        self.true += len(contacts)
        self.ghosts += len(found.keys() - contacts.keys())
        both = [s for s in contacts if s in found]
        for seat in both:
            off = found[seat].at_ns / NS_PER_S - contacts[seat]
            self.errors.append(off * 1000)
            self.spread.append(off / found[seat].error_s)
        for a, b in combinations(both, 2):
            gap = contacts[b] - contacts[a]
            self.pairs.append((abs(gap), gap * (found[b].at_ns - found[a].at_ns) > 0))
        self.rounds += 1
        self.called += answer.last is not None
        self.wrong += answer.last is not None and answer.last != max(contacts, key=contacts.__getitem__)

    def report(self) -> str:
        """Return the figures as lines of text."""
        off = np.abs(self.errors)
        lines = [
            f"  slaps found {len(off)} of {self.true} ({100 * len(off) / self.true:.1f} %), ghosts {self.ghosts}",
            f"  error: median {np.median(off):.1f} ms, p95 {np.percentile(off, 95):.1f} ms, "
            f"bias {np.median(self.errors):+.1f} ms, over 40 ms: {int((off > 40).sum())}",
            f"  spread in units of the stated error: {np.std(self.spread):.2f}; of those within 40 ms "
            f"{np.std(np.array(self.spread)[off <= 40]):.2f}",
        ]
        for low, high in ((0, 0.01), (0.01, 0.03), (0.03, 0.1), (0.1, 9)):
            right = [ok for gap, ok in self.pairs if low <= gap < high]
            if right:
                share = 100 * np.mean(right)
                lines.append(f"  pairs {low * 1000:.0f} to {high * 1000:.0f} ms apart: {share:.1f} % of {len(right)}")
        lines.append(f"  rounds {self.rounds}, called {self.called}, of those wrong {self.wrong}")
        lines.append(f"  answer took {np.median(self.took_s):.2f} s, at most {max(self.took_s):.2f} s")
        return "\n".join(lines)


def main() -> None:
    """Measure the folders named on the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--halve", action="store_true")
    args = parser.parse_args()
    tallies: dict[int, Tally] = defaultdict(Tally)
    for truth_path in sorted(p for folder in args.folders for p in folder.glob("*.truth.json")):
        truth = json.loads(truth_path.read_text())
        base = truth_path.with_suffix("").with_suffix("")
        if not truth["slaps"]:
            continue
        layout = load_layout(base.with_suffix(".layout.json"))
        frames = list(VideoFile(base.with_suffix(".mp4")).frames())
        for fps, part in _rates(frames, round(truth["fps"]), args.halve):
            for slaps in truth["slaps"]:
                _measure(part, layout, slaps, tallies[fps])
        print(base.name, flush=True)
    for fps, tally in sorted(tallies.items()):
        print(f"{fps} frames a second\n{tally.report()}")


def _rates(frames: list[Frame], fps: int, halve: bool) -> Iterator[tuple[int, list[Frame]]]:
    yield fps, frames
    if halve and fps == 60:
        yield 30, frames[::2]
        yield 30, frames[1::2]


def _measure(frames: list[Frame], layout: Layout, slaps: dict, tally: Tally) -> None:
    entered_ns = round(slaps["entered_s"] * NS_PER_S)
    window = [f for f in frames if entered_ns - BACK_S * NS_PER_S <= f.at_ns <= entered_ns]
    began = time.perf_counter()
    answer = time_slaps(window, layout, entered_ns, slaps["by"])
    tally.took_s.append(time.perf_counter() - began)
    tally.add(answer, {c["seat"]: c["at_s"] for c in slaps["contacts"]})


if __name__ == "__main__":
    main()
