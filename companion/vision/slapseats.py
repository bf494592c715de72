"""Whose hand it is: stops are given to seats by where the arms come in and what lies there at the end, all at once."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.slapfit import Onset
from companion.vision.slapmotion import Stop, Stretch
from companion.vision.slapview import PileView, turn_deg


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatSettings:
    """How stops are given to seats; angles in degrees, likelihoods as logarithms; from the training drills."""

    reach_deg: float = 9.0
    reach_spread_deg: float = 17.0
    """An arm comes in this much beside the seat's ray, right hands on one side and left hands on the other: +9 and -9
    with a spread of 10 on the training drills."""
    beyond_deg: float = 40.0
    """Farther off the ray a stop is not this seat's."""
    same_deg: float = 17.0
    same_s: float = 0.06
    """Two stops closer than this in direction and time are one arm's."""
    echo_sudden: float = 1.2
    echo_kept: float = 0.8
    echo_share: float = 0.35
    """Where this share of an earlier sudden stop's outlines is still there after a later one, and the earlier one was
    not much smaller, the later one is an echo: a shadow, a hand that passed over."""
    doubt: float = 1.5
    """How much less likely (logarithm) an echo is."""
    unsudden: float = 1.2
    unsudden_weight: float = 0.7
    unsudden_most: float = 2.0
    """From which misfit on, and how fast, a stop counts as a hand that slows down: 95 of 100 contacts are below 2.3,
    three of four such hands above 2.0."""
    early: float = 0.3
    early_doubt: float = 2.5
    """A stop that looks as it did 0.1 s ago is what a passing hand gave free again."""
    faint: float = 28.0
    faint_doubt: float = 1.5
    """Levels: below, it is a shadow or the pop of a video's key frame (15 to 22)."""
    usual_s: float = 0.7
    long_doubt: float = 1.5
    """Slaps are usually over within this time before all hands rest, and how much less likely each second more is."""
    present: float = 0.6
    present_weight: float = 4.0
    """Share of the arm seen in the rest at which it says nothing, and how fast more or less of it counts: seats that
    slapped showed 0.75 and more, the others 0.45 and less, on the training drills."""
    lesser: float = 0.5
    lesser_doubt: float = 1.0
    """A stop that comes with one twice as great at another seat is likely that one's shadow or hand."""
    least: float = 0.05
    """Share of an arm's image that stops at which a seat slapped rather than not."""
    certain: float = 1.0
    """How much likelier the best explanation is than any with another seat last, for that seat to be called: three of
    seven wrong calls on the training drills were below, and one right call in twelve."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Owned:
    """Each seat's stop, and how much likelier this is than any way of giving them with another seat last."""

    stops: dict[int, Stop]
    last_margin: float


Choice = tuple[float, Stop]
"""A stop that may be a seat's, and the logarithm of how much more likely that is than that the seat did not slap."""


Came = list[tuple[Stop, Onset]]
"""Stops, each with how it came about."""


def give_stops(came: Came, seats: list[int], seen: Stretch, view: PileView, settings: SeatSettings) -> Owned:
    """Return the likeliest way to give stops to seats, at most one each."""
    rest_s = float(seen.at_s[seen.rest[0]])
    late = [(stop, how, _long_ago(rest_s - float(seen.at_s[stop.frame]), settings)) for stop, how in came]
    choices = {s: _choices(late, view.seat_deg[s], settings) for s in seats}
    sudden = [stop for stop, how in came if how.misfit < settings.echo_sudden]
    choices = {s: _without_echoes(c, sudden, seen, view, settings) for s, c in choices.items()}
    first = assign(choices, seen, settings).stops
    for seat in seats:
        others = [stop for s, stop in first.items() if s != seat]
        present = share_present(view.seat_deg[seat], others, seen, view, settings)
        choices[seat] = _with_others(choices[seat], others, present, settings)
    return assign(choices, seen, settings)


def assign(choices: dict[int, list[Choice]], seen: Stretch, settings: SeatSettings) -> Owned:
    """Return the likeliest way to take at most one of each seat's choices, so that no two are the same arm."""
    best: dict[int, tuple[float, dict[int, Stop]]] = {-1: (0.0, {})}
    for gain, given in _ways(list(choices), choices, seen, settings):
        last = max(given, key=lambda s: given[s].frame, default=-1)
        if last not in best or gain > best[last][0]:
            best[last] = (gain, given)
    ranked = sorted(best.values(), key=lambda way: -way[0])
    margin = ranked[0][0] - ranked[1][0] if len(ranked) > 1 else 0.0
    return Owned(stops=ranked[0][1], last_margin=margin)


def _long_ago(before_rest_s: float, settings: SeatSettings) -> float:
    return settings.long_doubt * max(0.0, before_rest_s - settings.usual_s)


def _choices(came: list[tuple[Stop, Onset, float]], ray_deg: float, settings: SeatSettings) -> list[Choice]:
    choices = []
    for stop, how, doubt in came:
        off = float(turn_deg(stop.angle_deg, ray_deg))
        if abs(off) <= settings.beyond_deg:
            beside = (abs(off) - settings.reach_deg) / settings.reach_spread_deg
            gain = math.log(stop.share / settings.least) - 0.5 * beside**2 - _doubt(how, settings) - doubt
            if gain > 0:
                choices.append((gain, stop))
    return sorted(choices, key=lambda c: -c[0])[:7]


def _doubt(how: Onset, settings: SeatSettings) -> float:
    """Return how much less likely a stop is a slap for the way it came about."""
    doubt = settings.unsudden_weight * min(max(how.misfit - settings.unsudden, 0.0), settings.unsudden_most)
    if how.early < settings.early:
        doubt += settings.early_doubt
    if how.level < settings.faint:
        doubt += settings.faint_doubt
    return doubt


def _without_echoes(
    choices: list[Choice], sudden: list[Stop], seen: Stretch, view: PileView, settings: SeatSettings
) -> list[Choice]:
    """Doubt a stop where an arm that lay there already was only shadowed or passed over, or slapped again."""
    weighed = []
    for gain, late in choices:
        echo = any(
            early in sudden
            and early.frame < late.frame
            and early.share > settings.echo_share * late.share
            and abs(float(turn_deg(early.angle_deg, late.angle_deg))) < settings.same_deg
            and share_kept(early, late, seen, view) > settings.echo_kept
            for _, early in choices
        )
        weighed.append((gain - settings.doubt * echo, late))
    return weighed


def _with_others(
    choices: list[Choice], others: list[Stop], present: float | None, settings: SeatSettings
) -> list[Choice]:
    """Weigh a seat's stops by whether its arm lies there in the rest, and by whether a greater stop came with them."""
    more = 0.0
    if present is not None:
        more = float(np.clip(settings.present_weight * (present - settings.present), -2.0, 0.5))
    weighed = []
    for gain, stop in choices:
        with_it = any(
            abs(stop.frame - other.frame) <= 1 and other is not stop and stop.share < settings.lesser * other.share
            for other in others
        )
        weighed.append((gain + more - settings.lesser_doubt * with_it, stop))
    return weighed


def _ways(
    seats: list[int], choices: dict[int, list[Choice]], seen: Stretch, settings: SeatSettings
) -> Iterator[tuple[float, dict[int, Stop]]]:
    if not seats:
        yield 0.0, {}
        return
    seat, rest = seats[0], seats[1:]
    for gain, given in _ways(rest, choices, seen, settings):
        yield gain, given
        for more, stop in choices[seat]:
            if more > 0 and not any(_same_arm(stop, other, seen, settings) for other in given.values()):
                yield gain + more, {seat: stop, **given}


def _same_arm(a: Stop, b: Stop, seen: Stretch, settings: SeatSettings) -> bool:
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
    reach_deg = settings.reach_deg + settings.same_deg
    near = np.flatnonzero(np.abs(turn_deg(view.arm_deg, seat_deg)) <= reach_deg)
    free = view.arms[near] @ ~hidden
    if free.max() < 0.3:
        return None
    return float(((view.arms[near] @ there) / np.maximum(free, 1e-6))[free >= 0.3].max())
