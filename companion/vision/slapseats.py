"""Whose hand it is: stops are given to seats by where the arms come in and what lies there at the end, all at once."""

import math
from collections.abc import Collection
from dataclasses import dataclass, field, replace

import cv2
import numpy as np

from companion.vision.slapevidence import Evidence, EvidenceWeights, gain
from companion.vision.slapfit import Numbers, Onset
from companion.vision.slapmotion import Stop, Stretch
from companion.vision.slapstops import Stops
from companion.vision.slapview import BEYOND_DEG, REACH_DEG, PileView, beside_deg, turn_deg


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatSettings:
    """How stops are given to seats; angles in degrees."""

    weights: EvidenceWeights = field(default_factory=EvidenceWeights)
    same_deg: float = 17.0
    same_s: float = 0.06
    """Two stops closer than this in direction and time are one arm's."""
    echo_sudden: float = 1.2
    echo_kept: float = 0.8
    echo_share: float = 0.35
    """Where this share of an earlier sudden stop's outlines is still there after a later one, and the earlier one was
    not much smaller, the later one is an echo: a shadow, a hand that passed over."""
    most: int = 6
    least_gain: float = -4.0
    """How many stops a seat may choose from, and how unlikely they may be."""
    beam: int = 2000
    """How many ways are followed up from seat to seat."""
    explained: float = 4.0
    """How much likelier a way is (logarithm) if all of what lies on the pile at rest came with one of its slaps."""
    last_laid: float = 1.8
    laid_least: float = 0.03
    laid_usual: float = 0.3
    """How much likelier a way is for each factor e more of the pile that its last slap covers at rest, as the last hand
    lies on top: not less than the first share, and at the second it says nothing."""
    unlikely: float = 0.002
    """Ways less likely than this, as a share of the likeliest, are left out."""


@dataclass(frozen=True, slots=True)
class Way:
    """One way to give stops to seats, at most one each, and how likely it is; all the ways' chances sum to 1."""

    chance: float
    stops: dict[int, Stop]


Choice = tuple[float, Stop]
"""A stop that may be a seat's, and the logarithm of how much more likely that is than that the seat did not slap."""


Came = list[tuple[Stop, Onset]]
"""Stops, each with how it came about."""

Claims = dict[int, list[tuple[Evidence, Stop]]]
"""Of each seat, the stops that may be its slap and what speaks for each."""


def give_stops(stops: Stops, seats: list[int], settings: SeatSettings, *, laid: Numbers | None = None) -> list[Way]:
    """Return the ways to give stops to seats, the likeliest first; ``laid`` as in :func:`assign`."""
    return assign(choices_of(weigh(stops, seats, settings, laid=laid), settings), stops.seen, settings, laid)


def weigh(stops: Stops, seats: list[int], settings: SeatSettings, *, laid: Numbers | None = None) -> Claims:
    """Return what speaks for each stop as each seat's slap; ``laid`` as in :func:`assign`."""
    view, seen = stops.view, stops.seen
    claims = _moving(stops, seats, settings)
    first = assign(choices_of(claims, settings), seen, settings, laid)[0].stops
    for seat in seats:
        others = [stop for s, stop in first.items() if s != seat]
        present = share_present(view.seat_deg[seat], others, seen, view, settings)
        claims[seat] = [(replace(evidence, present=present), stop) for evidence, stop in claims[seat]]
    return claims


def likeliest_stops(ways: list[Way]) -> dict[int, Stop]:
    """Return each seat's likeliest stop over all ways, for the seats that more likely slapped than not."""
    chances: dict[int, dict[Stop, float]] = {}
    for way in ways:
        for seat, stop in way.stops.items():
            of_seat = chances.setdefault(seat, {})
            of_seat[stop] = of_seat.get(stop, 0.0) + way.chance
    return {seat: max(own, key=own.__getitem__) for seat, own in chances.items() if sum(own.values()) >= 0.5}


def _moving(stops: Stops, seats: list[int], settings: SeatSettings) -> Claims:
    """Return what speaks for each stop as each seat's slap; what lies there in the rest is not looked at."""
    came, view, seen = stops.came, stops.view, stops.seen
    rest_s = float(seen.at_s[seen.rest[0]])
    sudden = [stop for stop, how in came if how.misfit < settings.echo_sudden]
    claims: Claims = {}
    for seat in seats:
        near = [(stop, how, beside_deg(stop.angle_deg, seat, view)) for stop, how in came]
        near = [(stop, how, off) for stop, how, off in near if abs(off) <= BEYOND_DEG]
        own = [stop for stop, _, _ in near if stop in sudden]
        claims[seat] = [
            (
                Evidence(
                    share=stop.share,
                    off_deg=off,
                    misfit=how.misfit,
                    freed=how.freed,
                    landed=how.landed,
                    stirred=how.stirred,
                    lesser=_lesser(stop, came),
                    echo=any(_echoes(early, stop, seen, view, settings) for early in own),
                    ago_s=rest_s - float(seen.at_s[stop.frame]),
                    landing=stops.landings[seat].about(stop.frame) if seat in stops.landings else 0.0,
                ),
                stop,
            )
            for stop, how, off in near
        ]
    return claims


def choices_of(claims: Claims, settings: SeatSettings) -> dict[int, list[Choice]]:
    """Return each seat's likeliest stops."""
    weighed = {s: [(gain(evidence, settings.weights), stop) for evidence, stop in own] for s, own in claims.items()}
    return {
        seat: sorted((c for c in own if c[0] > settings.least_gain), key=lambda c: -c[0])[: settings.most]
        for seat, own in weighed.items()
    }


def assign(
    choices: dict[int, list[Choice]], seen: Stretch, settings: SeatSettings, laid: Numbers | None = None
) -> list[Way]:
    """Return the ways to take at most one of each seat's choices so that no two are one arm, the likeliest first.

    ``laid``: for each frame the share of the pile that shows at rest what came to lie there then; what lies on the pile
    at rest came with a slap.
    """
    ways: list[tuple[float, dict[int, Stop]]] = [(0.0, {})]
    for seat, own in choices.items():
        with_it = [
            (before + more, {**given, seat: stop})
            for before, given in ways
            for more, stop in own
            if not any(same_arm(stop, other, seen, settings) for other in given.values())
        ]
        ways = sorted([*ways, *with_it], key=lambda way: -way[0])[: settings.beam]
    if laid is not None:
        ways = [(more + _gain_laid(given.values(), laid, settings), given) for more, given in ways]
        ways.sort(key=lambda way: -way[0])
    weights = [math.exp(more - ways[0][0]) for more, _ in ways]
    total = sum(w for w in weights if w > settings.unlikely)
    return [Way(w / total, stops) for w, (_, stops) in zip(weights, ways, strict=True) if w > settings.unlikely]


def laid_features(stops: Collection[Stop], laid: Numbers, settings: SeatSettings) -> dict[str, float]:
    """Return the numbers that the settings of the same names are multiplied with: what lies on the pile at rest."""
    last = max(stops, key=lambda stop: stop.frame, default=None)
    on_top = 0.0 if last is None else share_explained([last], laid)
    return {
        "explained": share_explained(stops, laid),
        "last_laid": math.log(max(on_top, settings.laid_least) / settings.laid_usual),
    }


def _gain_laid(stops: Collection[Stop], laid: Numbers, settings: SeatSettings) -> float:
    return sum(float(getattr(settings, name)) * v for name, v in laid_features(stops, laid, settings).items())


def share_explained(stops: Collection[Stop], laid: Numbers) -> float:
    """Return the share of the pile that shows at rest what came to lie there within a frame of a stop."""
    frames = {k for stop in stops for k in range(max(stop.frame - 1, 0), min(stop.frame + 2, len(laid)))}
    return float(laid[list(frames)].sum())


def _lesser(stop: Stop, came: Came) -> float:
    """Return a stop's size against the greatest one at the same moment: a smaller one is likely its shadow or hand."""
    greatest = max(other.share for other, _ in came if abs(other.frame - stop.frame) <= 1)
    return stop.share / max(greatest, 1e-6)


def _echoes(early: Stop, late: Stop, seen: Stretch, view: PileView, settings: SeatSettings) -> bool:
    """Tell whether a stop is where an arm that lay there already was only shadowed or passed over, or slapped again."""
    return (
        early.frame < late.frame
        and early.shown_at is None
        and early.share > settings.echo_share * late.share
        and abs(float(turn_deg(early.angle_deg, late.angle_deg))) < settings.same_deg
        and share_kept(early, late, seen, view) > settings.echo_kept
    )


def same_arm(a: Stop, b: Stop, seen: Stretch, settings: SeatSettings) -> bool:
    """Tell whether two stops are so near in direction and time that they are one arm's."""
    near = abs(float(turn_deg(a.angle_deg, b.angle_deg))) < settings.same_deg
    return near and abs(float(seen.at_s[a.frame] - seen.at_s[b.frame])) < settings.same_s


def share_kept(early: Stop, late: Stop, seen: Stretch, view: PileView) -> float:
    """Return the share of the outlines of what stopped in an early stop that are there after a late one.

    Outlines alone, as the middle of a plain sleeve looks the same wherever it is; shadows are allowed for.
    """
    stopped = view.wide(early.angle_deg) & (seen.fresh[max(1, early.frame - 2) : early.frame + 1] > 0).any(axis=0)
    if stopped.sum() < 20:
        return 0.0
    was = seen.pictures[min(early.frame + 2, late.frame - 1)]
    now = seen.pictures[min(late.frame + 2, len(seen.at_s) - 1)]
    slope = sum(np.abs(cv2.Sobel(was, cv2.CV_32F, *d, ksize=3)).sum(-1) for d in ((1, 0), (0, 1)))
    steep = stopped & (slope >= np.percentile(slope[stopped], 75))
    # a shadow darkens all channels by one factor
    factor = np.clip(now.sum(-1) / np.maximum(was.sum(-1), 1.0), 0.7, 1.4)[..., None]
    return float((np.abs(now - was * factor).sum(-1) < seen.foreign)[steep].mean())


def share_present(
    seat_deg: float, others: list[Stop], seen: Stretch, view: PileView, settings: SeatSettings
) -> float | None:
    """Return how much of an arm from a seat's direction lies there in the rest, where the others' arms do not hide it.

    None where the others hide nearly all of it.
    """
    hidden = np.zeros(view.arms.shape[1], dtype=bool)
    for other in others:
        hidden |= view.wide(other.angle_deg).ravel()
    there = seen.foreign_at_rest.ravel() & ~hidden
    reach_deg = REACH_DEG + settings.same_deg
    near = np.flatnonzero(np.abs(turn_deg(view.arm_deg, seat_deg)) <= reach_deg)
    free = view.arms[near] @ ~hidden
    if free.max() < 0.3:
        return None
    return float(((view.arms[near] @ there) / np.maximum(free, 1e-6))[free >= 0.3].max())
