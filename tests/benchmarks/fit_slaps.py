"""Fit what each piece of evidence counts for in telling whose stop a slap is.

    uv run python -m tests.benchmarks.fit_slaps FOLDER_OR_CLIP... [--halve]

For each round every way to give its stops to the seats is listed, with the numbers of
``companion.vision.slapevidence`` summed over its slaps and with what lies on the pile at rest
(``companion.vision.slapseats``). One multinomial over the ways is fitted to the true one, drawn towards the present
weights. Prints old and new weights, and how well old and new ones do: the likelihood of the true ways, and in how many
rounds the likeliest way is the true one. "Left out" are five fits that did not see a fifth of the clips each, measured
on that fifth. Rounds in which a slap is no stop at all teach nothing and are left out. The clips are those of
``slap_times.py``.
"""

import argparse
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from companion.training.slaprounds import clips, frames_of, rates, window
from companion.vision.frame import NS_PER_S, Frame
from companion.vision.geometry import solve_camera
from companion.vision.layout import Layout, load_layout
from companion.vision.slapevidence import features
from companion.vision.slapfit import laid
from companion.vision.slapmotion import Stop
from companion.vision.slapnet import strip_views
from companion.vision.slapread import SETTINGS
from companion.vision.slaprest import find_rests
from companion.vision.slapseats import Claims, choices_of, laid_features, same_arm, weigh
from companion.vision.slapstops import Stops, stops_before
from companion.vision.slapview import pile_view

OF_STOPS = (
    "none",
    "share",
    "beside",
    "misfit",
    "freed",
    "landed",
    "missed",
    "lesser",
    "echo",
    "ago",
    "landing",
    "present",
)
OF_WAYS = ("explained", "last_laid")
DRAW = 0.3
"""How strongly the weights are drawn to the present ones."""
FOLDS = 5
NEAR = 1.3
"""Frames from the contact within which a stop is the slap's."""
WAYS = 2000
"""Most ways of a round; those that are unlikely by the present weights are left out."""


@dataclass(frozen=True, slots=True)
class Round:
    """The ways of one round (ways x weights), and which of them are true: every slap within a frame of its contact."""

    clip: str
    ways: np.ndarray
    true: np.ndarray


def main() -> None:
    """Fit on the clips named on the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("where", nargs="+", type=Path)
    parser.add_argument("--halve", action="store_true")
    args = parser.parse_args()
    rounds: list[Round] = []
    for base in clips(args.where):
        rounds.extend(_rounds_of(base, args.halve))
        print(base.name, flush=True)
    seats = SETTINGS.seats
    old = np.array([getattr(seats.weights, n) for n in OF_STOPS] + [getattr(seats, n) for n in OF_WAYS])
    new = _fit(rounds, old)
    for name, before, after in zip(OF_STOPS + OF_WAYS, old, new, strict=True):
        print(f"{name:10s} {before:6.2f} -> {after:6.2f}")
    names = sorted({r.clip for r in rounds})
    left_out = []
    for k in range(FOLDS):
        fifth = set(names[k::FOLDS])
        weights = _fit([r for r in rounds if r.clip not in fifth], old)
        left_out.extend((r, weights) for r in rounds if r.clip in fifth)
    for label, pairs in (
        ("old weights", [(r, old) for r in rounds]),
        ("fitted", [(r, new) for r in rounds]),
        ("left out", left_out),
    ):
        right = sum(bool(r.true[(r.ways @ w).argmax()]) for r, w in pairs)
        cost = -sum(np.log(max(_chances(r.ways, w) @ r.true, 1e-12)) for r, w in pairs)
        print(f"{label}: {right} of {len(pairs)} rounds right, {cost / len(pairs):.2f} nats a round")


def _rounds_of(base: Path, halve: bool) -> Iterator[Round]:
    truth = json.loads(base.with_suffix(".truth.json").read_text())
    layout = load_layout(base.with_suffix(".layout.json"))
    for fps, frames in rates(frames_of(base, truth), round(truth["fps"]), halve):
        for slaps in truth["slaps"]:
            ways = _ways_of(window(frames, slaps, truth), layout, slaps, fps)
            if ways is not None:
                yield Round(base.name, *ways)


def _ways_of(frames: list[Frame], layout: Layout, slaps: dict, fps: float) -> tuple[np.ndarray, np.ndarray] | None:
    """Return the ways of a round and which are true; None where a slap is no stop."""
    camera = solve_camera(layout)
    rests = find_rests(frames, pile_view(camera, layout, SETTINGS.look), SETTINGS.rest)
    if not rests:
        return None
    view = pile_view(camera, layout, SETTINGS.view)
    seats = [s.seat for s in layout.seats if s.seat != slaps["by"]]
    stops = stops_before(frames, view, strip_views(camera, layout, view, seats), rests[0], SETTINGS.stops)
    return ways_in(stops, seats, slaps, fps)


def ways_in(stops: Stops, seats: list[int], slaps: dict, fps: float) -> tuple[np.ndarray, np.ndarray] | None:
    """Return the ways to read what came to a stop (ways x numbers) and which are true; None where a slap is no stop."""
    came_to_lie = laid(stops.seen, stops.view, SETTINGS.stops.fit)
    claims = weigh(stops, seats, SETTINGS.seats, laid=came_to_lie)
    true = _true_way(claims, slaps, stops, fps)
    if true is None:
        return None
    numbers = {
        (seat, stop): np.array([features(evidence, SETTINGS.seats.weights)[name] for name in OF_STOPS])
        for seat, own in claims.items()
        for evidence, stop in own
    }
    ways = _list_ways(claims, true, stops)
    rows = [
        np.append(
            sum((numbers[seat, stop] for seat, stop in way.items()), np.zeros(len(OF_STOPS))),
            [laid_features(way.values(), came_to_lie, SETTINGS.seats)[name] for name in OF_WAYS],
        )
        for way in ways
    ]
    return np.array(rows), np.array([_is_true(way, slaps, stops, fps) for way in ways])


def _true_way(claims: Claims, slaps: dict, stops: Stops, fps: float) -> dict[int, Stop] | None:
    """Return each slap's nearest stop; None where there is none within 1.3 frames, or outside of what was seen."""
    way = {}
    for contact in slaps["contacts"]:
        off = {stop: _off_s(stop, contact["at_s"], stops, fps) for _, stop in claims[contact["seat"]]}
        nearest = min(off, key=off.__getitem__, default=None)
        if nearest is None or off[nearest] > NEAR / fps:
            return None
        way[contact["seat"]] = nearest
    return way


def _is_true(way: dict[int, Stop], slaps: dict, stops: Stops, fps: float) -> bool:
    return way.keys() == {c["seat"] for c in slaps["contacts"]} and all(
        _off_s(way[c["seat"]], c["at_s"], stops, fps) <= NEAR / fps for c in slaps["contacts"]
    )


def _off_s(stop: Stop, at_s: float, stops: Stops, fps: float) -> float:
    """Return how far a stop's frame is from a contact: it is seen half a frame late, on average."""
    return abs(float(stops.seen.at_s[stop.frame]) + stops.seen.zero_ns / NS_PER_S - 0.5 / fps - at_s)


def _list_ways(claims: Claims, true: dict[int, Stop], stops: Stops) -> list[dict[int, Stop]]:
    ways: list[tuple[float, dict[int, Stop]]] = [(0.0, {})]
    for seat, own in choices_of(claims, SETTINGS.seats).items():
        ways += [
            (before + gain, {**given, seat: stop})
            for before, given in ways
            for gain, stop in own
            if not any(same_arm(stop, other, stops.seen, SETTINGS.seats) for other in given.values())
        ]
        ways = sorted(ways, key=lambda way: -way[0])[:WAYS]
    listed = [way for _, way in ways]
    return listed if true in listed else [*listed, true]


def _fit(rounds: list[Round], old: np.ndarray) -> np.ndarray:
    """Return the likeliest weights, by Newton's method with halved steps."""
    weights = old.copy()
    for _ in range(50):
        slope = 2 * DRAW * (weights - old)
        bend = 2 * DRAW * np.eye(len(old))
        for r in rounds:
            chance = _chances(r.ways, weights)
            mean = r.ways.T @ chance
            true = chance * r.true
            slope += mean - r.ways.T @ (true / max(true.sum(), 1e-12))
            off = r.ways - mean
            bend += (off * chance[:, None]).T @ off
        step = np.linalg.solve(bend, slope)
        size = 1.0
        while size > 1e-6 and _cost(rounds, weights - size * step, old) > _cost(rounds, weights, old):
            size /= 2
        weights = weights - size * step
    return weights


def _chances(ways: np.ndarray, weights: np.ndarray) -> np.ndarray:
    gains = ways @ weights
    likely = np.exp(gains - gains.max())
    return likely / likely.sum()


def _cost(rounds: list[Round], weights: np.ndarray, old: np.ndarray) -> float:
    likely = sum(np.log(max(_chances(r.ways, weights) @ r.true, 1e-12)) for r in rounds)
    return float(-likely + DRAW * ((weights - old) ** 2).sum())


if __name__ == "__main__":
    main()
