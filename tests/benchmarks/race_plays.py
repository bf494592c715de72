"""Measure who is told to be first in a race, on rendered plays that lie close together in time.

    uv run python -m tests.benchmarks.race_plays FOLDER...

Nobody rendered a race; but in NAME.mp4 (with NAME.layout.json and NAME.json.gz) players lay cards one after another.
Two plays of different seats within 2 s stand for a race: the seat of the first card is the winner. Where another play
lies within 3 s before, it stands for the cockroach; else the look back begins 1.2 s before the winner's card lies, as
in a race nobody draws a card meanwhile, and here others do. Prints each pair, how many were called, how many of those
right, and how far the reaches are from the cards' own times.
"""

import argparse
import gzip
import json
import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from companion.vision.frame import NS_PER_S, Frame
from companion.vision.layout import load_layout
from companion.vision.race import Race, time_race
from companion.vision.video import VideoFile

CLOSE_S = 2.0
COCKROACH_S = 3.0
BEGIN_S = 1.2
NEAR_S = 0.3
"""A reach farther from the usual one is another hand, or another visit."""
TAP_S = 1.0
"""The card is entered this long after the second card lies."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two plays: who was first, and when; who laid the cockroach (-1: nobody); from when to when is looked."""

    first: int
    second: int
    lands_s: tuple[float, float]
    by: int
    span_s: tuple[float, float]


def main() -> None:
    """Measure the folders named on the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    pairs = called = right = among = 0
    late: list[float] = []
    for path in sorted(p for folder in parser.parse_args().folders for p in folder.glob("*.json.gz")):
        scene = json.loads(gzip.decompress(path.read_bytes()))
        base = path.with_suffix("").with_suffix("")
        found = list(pairs_of(scene))
        if not found:
            continue
        layout = load_layout(base.with_suffix(".layout.json"))
        frames = list(VideoFile(base.with_suffix(".mp4")).frames())
        for pair in found:
            race = time_race(_between(frames, *pair.span_s), layout, round(pair.span_s[1] * NS_PER_S), pair.by)
            pairs += 1
            called += race.first is not None
            right += race.first == pair.first
            among += pair.first in [slap.seat for slap in race.order[:2]]
            late += _late(race, pair)
            gap_s = pair.lands_s[1] - pair.lands_s[0]
            print(f"{base.name}: {gap_s:.2f} s apart, first {pair.first}, told {race.first}", *race.reasons, flush=True)
    print(f"pairs {pairs}, called {called}, of those right {right}; the first among the first two told: {among}")
    off = np.array(late) - np.median(late)
    near = off[np.abs(off) < NEAR_S]
    print(f"reach after the card lay: median {np.median(late):+.2f} s, spread {off.std():.2f} s, n = {len(off)}")
    print(f"those within {NEAR_S} s of the median: spread {near.std():.2f} s, n = {len(near)}")


def pairs_of(scene: dict[str, Any]) -> Iterator[Pair]:
    """Yield the pairs of plays of a scene, with seats as the layout numbers them."""
    if scene["fps"] < 15:
        return
    order = sorted(scene["seats"], key=lambda seat: (-(seat["angle"] + math.pi / 2)) % (2 * math.pi))
    number = {seat["index"]: place for place, seat in enumerate(order)}
    plays = sorted((e["land"], number[e["seat"]]) for e in scene.get("events", []) if e["kind"] == "play_card")
    for place, ((first_s, first), (second_s, second)) in enumerate(pairwise(plays)):
        if first == second or second_s - first_s > CLOSE_S:
            continue
        before = plays[place - 1] if place and first_s - plays[place - 1][0] < COCKROACH_S else None
        begin_s = before[0] - BEGIN_S if before else first_s - BEGIN_S
        yield Pair(
            first=first,
            second=second,
            lands_s=(first_s, second_s),
            by=before[1] if before else -1,
            span_s=(begin_s, second_s + TAP_S),
        )


def _between(frames: list[Frame], start_s: float, end_s: float) -> list[Frame]:
    return [frame for frame in frames if start_s * NS_PER_S <= frame.at_ns <= end_s * NS_PER_S]


def _late(race: Race, pair: Pair) -> list[float]:
    told = {slap.seat: slap.at_ns / NS_PER_S for slap in race.order if slap.at_ns is not None}
    true = zip((pair.first, pair.second), pair.lands_s, strict=True)
    return [told[seat] - at_s for seat, at_s in true if seat in told]


if __name__ == "__main__":
    main()
