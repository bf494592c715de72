"""Whose card was first on a cockroach: when each seat's arm reached the pile, before the card was entered.

A card is laid in passing: unlike a slap nothing comes to rest, so what is told is how much of an arm from each seat
lies over the ring around the pile, picture by picture.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from companion.vision.frame import NS_PER_S, Frame
from companion.vision.geometry import solve_camera
from companion.vision.layout import Layout
from companion.vision.slaprest import usual_picture
from companion.vision.slaps import Slap
from companion.vision.slapview import PileView, ViewSettings, pile_view, turn_deg
from companion.words import Words, say

Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class RaceSettings:
    """How a reach is told; times in seconds, angles in degrees, arms as the share of an arm's picture that is seen.

    Chosen on 24 pairs of rendered plays, 15 pictures a second (docs/slaps.md).
    """

    look: ViewSettings = field(default_factory=lambda: ViewSettings(pixel_mm=6.5))
    step_s: float = 1 / 15
    """Spacing of the pictures looked at."""
    usual_of: int = 40
    """Pictures out of which the free pile is told."""
    foreign: float = 40.0
    """Difference from the free pile (sum of three channels) at which a pixel shows an arm."""
    beside_deg: float = 30.0
    """Farther off a seat's ray an arm is not that seat's."""
    enter: float = 0.5
    leave: float = 0.3
    """Shares of an arm at which it comes and is gone again."""
    there: float = 0.85
    """Share of the most that is seen of an arm at which it has reached the pile."""
    near_deg: float = 100.0
    lesser: float = 0.05
    same_s: float = 0.15
    """Of two arms from seats this near, seen at the same time, one of which is seen less by ``lesser``, that one is the
    other's picture."""
    error_s: float = 0.08
    """Spread of the reaches about the moment in which the card lay, less a constant of 0.35 s."""
    apart: float = 1.7
    """How many standard deviations of their difference the first two must be apart to be called."""
    after_s: float = 0.1
    """The race begins this long after the cockroach's own hand has reached the pile."""
    unbegun_s: float = 4.0
    """Where that hand was not seen, the race is looked for in this time before the card was entered: before it others
    played and drew."""


SETTINGS = RaceSettings()


@dataclass(frozen=True, slots=True, kw_only=True)
class Race:
    """Who reached the pile in a cockroach race, the first one first.

    ``first`` is None where nobody did or the first two cannot be told apart (``too_close``).
    """

    entered_ns: int
    first: int | None
    too_close: bool
    order: tuple[Slap, ...]
    reasons: tuple[Words, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """A seat's arm over the ring around the pile: when it had reached the pile, from when to when it was there."""

    seat: int
    at_s: float
    first: int
    last: int
    most: float


def time_race(
    frames: Sequence[Frame], layout: Layout, entered_ns: int, by: int, *, settings: RaceSettings = SETTINGS
) -> Race:
    """Tell who reached the pile first after a cockroach.

    ``frames``: the last 6 to 8 seconds before ``entered_ns`` in order, of which about 15 a second are read. ``by`` laid
    the cockroach (-1: unknown): that hand's first reach begins the race, a later one takes part in it. Never raises for
    what the pictures show.
    """
    zero_ns, at_s, shares, seats = _look(frames, layout, settings)
    if len(at_s) < 8:
        return _nobody(entered_ns)
    found = reaches(at_s, shares, seats, settings)
    return judge(found, by=by, zero_ns=zero_ns, entered_ns=entered_ns, settings=settings)


def judge(found: list[Reach], *, by: int, zero_ns: int, entered_ns: int, settings: RaceSettings) -> Race:
    """Return who won, from the reaches in the order of time; ``zero_ns`` is when their times count from."""
    order = _order(found, by, (entered_ns - zero_ns) / NS_PER_S, settings)
    if not order:
        return _nobody(entered_ns)
    slaps = tuple(Slap(one.seat, zero_ns + round(one.at_s * NS_PER_S), settings.error_s) for one in order)
    first, reasons = _first(order, settings)
    return Race(entered_ns=entered_ns, first=first, too_close=first is None, order=slaps, reasons=reasons)


def reaches(at_s: Numbers, shares: Numbers, seats: dict[int, float], settings: RaceSettings) -> list[Reach]:
    """Return when arms reached the pile, in the order of time.

    ``shares`` (seats x pictures, in the order of ``seats``): how much of an arm from that seat is seen; ``seats`` gives
    each seat's direction in degrees.
    """
    found = [
        reach
        for row, seat in enumerate(seats)
        for reach in _reaches_of(seat, at_s, np.asarray(shares[row], dtype=np.float64), settings)
    ]
    true = [one for one in found if not any(_hides(other, one, seats, settings) for other in found)]
    return sorted(true, key=lambda one: one.at_s)


def _look(
    frames: Sequence[Frame], layout: Layout, settings: RaceSettings
) -> tuple[int, Numbers, Numbers, dict[int, float]]:
    """Return the first instant, the pictures' times since it, and how much of each seat's arm they show."""
    view = pile_view(solve_camera(layout), layout, settings.look)
    if len(frames) < 2:
        return 0, np.zeros(0), np.zeros((len(view.seat_deg), 0)), view.seat_deg
    zero_ns = frames[0].at_ns
    seconds = (frames[-1].at_ns - zero_ns) / NS_PER_S
    step = max(1, round(settings.step_s * (len(frames) - 1) / max(seconds, 1e-6)))
    times, pictures = [], []
    for at in range(0, len(frames), step):
        frame = frames[at]
        times.append((frame.at_ns - zero_ns) / NS_PER_S)
        pictures.append(view.cut(frame.image))
    cut = np.array(pictures)
    free = usual_picture(cut[:: max(1, len(cut) // settings.usual_of)], settings.foreign)
    arms = (np.abs(cut - free).sum(-1) > settings.foreign).reshape(len(cut), -1).astype(np.float32)
    return (
        zero_ns,
        np.array(times),
        _of_seats(np.asarray(view.arms @ arms.T, dtype=np.float64), view, settings),
        view.seat_deg,
    )


def _of_seats(shares: Numbers, view: PileView, settings: RaceSettings) -> Numbers:
    """Return for each seat the most that is seen of an arm from one of its directions (directions x pictures)."""
    rays = np.array(list(view.seat_deg.values()), dtype=np.float32)
    off = np.abs(turn_deg(view.arm_deg[:, None], rays[None, :]))
    mine = (off.argmin(axis=1)[:, None] == np.arange(len(rays))) & (off <= settings.beside_deg)
    return np.array([shares[mine[:, row]].max(axis=0, initial=0.0) for row in range(len(rays))])


def _reaches_of(seat: int, at_s: Numbers, share: Numbers, settings: RaceSettings) -> list[Reach]:
    found, first = [], None
    for k in range(len(share)):
        if first is None and share[k] > settings.enter:
            first = k
        if first is not None and (share[k] < settings.leave or k == len(share) - 1):
            most = float(share[first : k + 1].max())
            there = first + int(np.argmax(share[first : k + 1] >= settings.there * most))
            reached_s = _crossing(at_s, share, there, settings.there * most)
            found.append(Reach(seat=seat, at_s=reached_s, first=first, last=k, most=most))
            first = None
    return found


def _crossing(at_s: Numbers, share: Numbers, k: int, level: float) -> float:
    """Return when a share that is above a level in picture ``k`` for the first time crossed it."""
    if k == 0 or share[k] <= share[k - 1]:
        return float(at_s[k])
    part = (level - share[k - 1]) / (share[k] - share[k - 1])
    return float(at_s[k - 1] + max(0.0, part) * (at_s[k] - at_s[k - 1]))


def _hides(other: Reach, one: Reach, seats: dict[int, float], settings: RaceSettings) -> bool:
    """Tell whether one reach is only the picture of another's arm: a fraction of it at the same time, near by."""
    return (
        other.seat != one.seat
        and abs(float(turn_deg(seats[other.seat], seats[one.seat]))) < settings.near_deg
        and abs(other.at_s - one.at_s) < settings.same_s
        and other.most > one.most + settings.lesser
    )


def _order(found: list[Reach], by: int, entered_s: float, settings: RaceSettings) -> list[Reach]:
    """Return each seat's first reach after the cockroach's own."""
    own = next((one.at_s + settings.after_s for one in found if one.seat == by), entered_s - settings.unbegun_s)
    order: dict[int, Reach] = {}
    for one in found:
        if one.at_s > own:
            order.setdefault(one.seat, one)
    return list(order.values())


def _first(order: list[Reach], settings: RaceSettings) -> tuple[int | None, tuple[Words, ...]]:
    """Return the seat that was first, None where that cannot be told, and why."""
    if len(order) == 1:
        return order[0].seat, (say("{seat} alone was seen to reach the pile.", seat=order[0].seat),)
    first, after = order[:2]
    gap_s, error_s = after.at_s - first.at_s, math.sqrt(2) * settings.error_s
    came = say(
        "{seat} came {ms} ms before {to}, give or take {error} ms.",
        seat=first.seat,
        to=after.seat,
        ms=round(gap_s * 1000),
        error=round(error_s * 1000),
    )
    if gap_s < settings.apart * error_s:
        return None, (came, say("That is too close to call."))
    return first.seat, (came,)


def _nobody(entered_ns: int) -> Race:
    why = say("No hand was seen to reach the pile before the card was entered.")
    return Race(entered_ns=entered_ns, first=None, too_close=False, order=(), reasons=(why,))
