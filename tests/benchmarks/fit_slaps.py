"""Fit what each piece of evidence counts for in telling whose stop a slap is.

    uv run python -m tests.benchmarks.fit_slaps FOLDER_OR_CLIP... [--every 2]

For each round with an even number (``--every 1``: for all), each seat of the table and each stop that may be its slap,
the numbers of ``companion.vision.slapevidence`` are taken; a multinomial over a seat's stops and "did not slap" is
fitted to them, drawn towards the present weights. Prints old and new weights, and how often the likeliest choice is
right on the rounds that were fitted and on those that were not. The clips are those of ``slap_times.py``.
"""

import argparse
import json
from pathlib import Path

import numpy as np

from companion.vision.frame import NS_PER_S, Frame
from companion.vision.geometry import solve_camera
from companion.vision.layout import Layout, load_layout
from companion.vision.slapevidence import EvidenceWeights, features
from companion.vision.slapread import SETTINGS, stops_before
from companion.vision.slaprest import find_rests
from companion.vision.slapseats import weigh
from companion.vision.slapview import pile_view
from tests.benchmarks.slap_times import BACK_S, clips, frames_of

WEIGHTS = EvidenceWeights()
NAMES = ("none", "share", "beside", "misfit", "freed", "faint", "landed", "lesser", "echo", "ago", "present")
DRAW = 0.3
"""How strongly the weights are drawn to the present ones."""

Seat = tuple[np.ndarray, int]
"""The numbers of a seat's stops (stops x weights), and which one is its slap (-1: it did not slap)."""


def main() -> None:
    """Fit on the clips named on the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("where", nargs="+", type=Path)
    parser.add_argument("--every", type=int, default=2)
    args = parser.parse_args()
    fitted: list[Seat] = []
    others: list[Seat] = []
    for base in clips(args.where):
        truth = json.loads(base.with_suffix(".truth.json").read_text())
        layout = load_layout(base.with_suffix(".layout.json"))
        frames = frames_of(base, truth)
        for number, slaps in enumerate(truth["slaps"]):
            (fitted if number % args.every == 0 else others).extend(_seats(frames, layout, slaps, truth["fps"]))
        print(base.name, flush=True)
    old = np.array([getattr(WEIGHTS, name) for name in NAMES])
    new = _fit(fitted, old)
    for name, before, after in zip(NAMES, old, new, strict=True):
        print(f"{name:8s} {before:6.2f} -> {after:6.2f}")
    for label, seats in (("fitted", fitted), ("others", others)):
        right = [int(np.append(x @ new, 0.0).argmax()) == (y if y >= 0 else len(x)) for x, y in seats]
        print(f"{label}: {sum(right)} of {len(right)} seats right")


def _seats(frames: list[Frame], layout: Layout, slaps: dict, fps: float) -> list[Seat]:
    entered_ns = round(slaps["entered_s"] * NS_PER_S)
    window = [f for f in frames if entered_ns - BACK_S * NS_PER_S <= f.at_ns <= entered_ns]
    camera = solve_camera(layout)
    rests = find_rests(window, pile_view(camera, layout, SETTINGS.look), SETTINGS.rest)
    if not rests:
        return []
    view = pile_view(camera, layout, SETTINGS.view)
    stops = stops_before(window, view, rests[0], SETTINGS)
    at = {c["seat"]: c["at_s"] - stops.seen.zero_ns / NS_PER_S for c in slaps["contacts"]}
    if not all(0 < t < stops.seen.at_s[-1] for t in at.values()):
        return []
    seats = [s.seat for s in layout.seats if s.seat != slaps["by"]]
    rows = []
    for seat, claims in weigh(stops.came, seats, stops.seen, view, SETTINGS.seats).items():
        numbers = [[features(evidence, WEIGHTS)[name] for name in NAMES] for evidence, _ in claims]
        off = [abs(float(stops.seen.at_s[stop.frame]) - 0.5 / fps - at.get(seat, np.inf)) for _, stop in claims]
        own = int(np.argmin(off)) if off and min(off) < 1.3 / fps else -1
        if own >= 0 or seat not in at:  # a slap that is not among the stops teaches nothing about which one it is
            rows.append((np.array(numbers).reshape(-1, len(NAMES)), own))
    return rows


def _fit(seats: list[Seat], old: np.ndarray) -> np.ndarray:
    """Return the likeliest weights, by Newton's method with halved steps."""
    weights = old.copy()
    for _ in range(50):
        slope = 2 * DRAW * (weights - old)
        bend = 2 * DRAW * np.eye(len(old))
        for x, y in seats:
            chance = _chances(x, weights)[:-1]
            slope += x.T @ (chance - (np.arange(len(x)) == y))
            mean = x.T @ chance
            bend += (x * chance[:, None]).T @ x - np.outer(mean, mean)
        step = np.linalg.solve(bend, slope)
        size = 1.0
        while size > 1e-6 and _cost(seats, weights - size * step, old) > _cost(seats, weights, old):
            size /= 2
        weights = weights - size * step
    return weights


def _chances(x: np.ndarray, weights: np.ndarray) -> np.ndarray:
    gains = np.append(x @ weights, 0.0)
    likely = np.exp(gains - gains.max())
    return likely / likely.sum()


def _cost(seats: list[Seat], weights: np.ndarray, old: np.ndarray) -> float:
    return float(
        -sum(np.log(max(_chances(x, weights)[y], 1e-12)) for x, y in seats) + DRAW * ((weights - old) ** 2).sum()
    )


if __name__ == "__main__":
    main()
