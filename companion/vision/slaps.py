"""Who slapped when, and who was last: a look back over the frames before the mosquito card was entered.

The hands land on each other, so only the first one touches the card; a slap is a hand's sudden stop over the pile.
"""

import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field

from companion.vision.frame import NS_PER_S, Frame
from companion.vision.geometry import solve_camera
from companion.vision.layout import Layout
from companion.vision.slapfit import Contact, FitSettings, approach, fit_contact, onset
from companion.vision.slapmotion import MotionSettings, find_stops, stop_weights, stretch
from companion.vision.slaprest import Rest, RestSettings, find_rests
from companion.vision.slapseats import SeatSettings, give_stops
from companion.vision.slapview import PileView, ViewSettings, pile_view
from companion.words import Words, say


@dataclass(frozen=True, slots=True, kw_only=True)
class SlapSettings:
    """How stops become slaps; times in seconds, angles in degrees."""

    view: ViewSettings = field(default_factory=ViewSettings)
    look: ViewSettings = field(default_factory=lambda: ViewSettings(pixel_mm=6.5))
    """The coarse view in which the rest is looked for."""
    rest: RestSettings = field(default_factory=RestSettings)
    motion: MotionSettings = field(default_factory=MotionSettings)
    fit: FitSettings = field(default_factory=FitSettings)
    seats: SeatSettings = field(default_factory=SeatSettings)
    great: float = 0.2
    """Share of an arm's image that stops from which on it is told apart from its neighbours when a stop is judged."""
    floor_s: float = 0.001
    """Error that no fit goes below: what the contact of a soft hand is, and the clocks."""
    stretch: float = 1.1
    """Factor on the fitted error that makes it honest on the training drills."""
    apart: float = 1.7
    """How many standard deviations of their difference the last two must be apart to be called: wrong in 4 of 100 at
    that very distance, and far fewer over all."""


SETTINGS = SlapSettings()


@dataclass(frozen=True, slots=True)
class Slap:
    """A seat's slap: when, with one standard deviation; both None where the seat never slapped."""

    seat: int
    at_ns: int | None
    error_s: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SlapRound:
    """The slaps of a mosquito, first to slowest, then the seats that never slapped.

    ``last`` is None where nobody slapped or the last two cannot be told apart (``too_close``). ``reasons`` are
    sentences about what the answer stands on; ``on_top`` is the seat whose hand lies on top at the end, None where
    nobody can tell.
    """

    entered_ns: int
    by: int
    last: int | None
    too_close: bool
    order: tuple[Slap, ...]
    reasons: tuple[Words, ...]
    on_top: int | None = None


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
class _Found:
    """The contacts, from when their times count, and whether it is certain whose the last one is."""

    contacts: dict[int, Contact]
    zero_ns: int
    certain: bool


def time_slaps(
    frames: Sequence[Frame],
    layout: Layout,
    entered_ns: int,
    by: int,
    guard: int | None = None,
    *,
    settings: SlapSettings = SETTINGS,
) -> SlapRound:
    """Time the slaps before a mosquito card was entered.

    ``frames``: the last 6 to 8 seconds before ``entered_ns`` at full rate, in order; each is read at most three times,
    so a sequence may decode on access. ``by`` is the seat that played the card and does not slap (-1: unknown). The
    Guard slaps like everybody; ``guard`` is taken for the call's symmetry. Never raises for what the pictures show.
    """
    del guard
    seats = [s.seat for s in layout.seats if s.seat != by]
    found = _find(_until(frames, entered_ns), layout, seats, settings)
    if found is None:
        return _nobody(
            entered_ns, by, seats, say("No hands were seen to rest on the pile before the card was entered.")
        )
    if not found.contacts:
        return _nobody(entered_ns, by, seats, say("Hands were on the pile, but nobody's slap could be told."))
    order = _order(found.contacts, found.zero_ns, seats, settings)
    last, reasons = _last(order, found.certain, settings)
    return SlapRound(
        entered_ns=entered_ns, by=by, last=last, too_close=last is None, order=order, reasons=tuple(reasons)
    )


def time_race(
    frames: Sequence[Frame], layout: Layout, entered_ns: int, by: int, *, settings: SlapSettings = SETTINGS
) -> Race:
    """Time who reached the pile first after a cockroach, by the same means as the slaps.

    ``frames``, ``entered_ns`` and ``by`` as for ``time_slaps``; a race is over when a hand lies on the pile, so hands
    that turned back are not in the order.
    """
    seats = [s.seat for s in layout.seats if s.seat != by]
    found = _find(_until(frames, entered_ns), layout, seats, settings)
    if found is None or not found.contacts:
        why = say("No hand was seen to reach the pile before the card was entered.")
        return Race(entered_ns=entered_ns, first=None, too_close=False, order=(), reasons=(why,))
    order = tuple(s for s in _order(found.contacts, found.zero_ns, seats, settings) if s.at_ns is not None)
    first, reasons = _first(order, settings)
    return Race(entered_ns=entered_ns, first=first, too_close=first is None, order=order, reasons=tuple(reasons))


def _find(frames: Sequence[Frame], layout: Layout, seats: list[int], settings: SlapSettings) -> _Found | None:
    """Return the contacts in the likeliest rest; None where no hands were seen to rest on the pile."""
    camera = solve_camera(layout)
    rests = find_rests(frames, pile_view(camera, layout, settings.look), settings.rest)
    view = pile_view(camera, layout, settings.view)
    best: _Found | None = None
    for rest in rests[:3]:
        found = _contacts(frames, view, rest, seats, settings)
        if best is None or len(found.contacts) > len(best.contacts):
            best = found
        if len(found.contacts) >= 2:
            break
    return best


def _until(frames: Sequence[Frame], entered_ns: int) -> Sequence[Frame]:
    """Return the frames up to an instant; looks at few of them, as each may have to be decoded."""
    return frames[: bisect_right(frames, entered_ns, key=lambda frame: frame.at_ns)]


def _nobody(entered_ns: int, by: int, seats: list[int], why: Words) -> SlapRound:
    order = tuple(Slap(s, None, None) for s in seats)
    return SlapRound(entered_ns=entered_ns, by=by, last=None, too_close=False, order=order, reasons=(why,))


def _contacts(frames: Sequence[Frame], view: PileView, rest: Rest, seats: list[int], settings: SlapSettings) -> _Found:
    seen = stretch(frames, view, rest, settings.motion)
    stops = find_stops(stop_weights(seen, settings.motion), view, seen, settings.motion)
    great = [stop for stop in stops if stop.share > settings.great]
    came = []
    for stop in stops:
        far, used = approach(stop, great, seen, view, settings.fit)
        came.append((stop, onset(far, fit_contact(far, stop, seen, int(used.sum()), settings.fit))))
    owned = give_stops(came, seats, seen, view, settings.seats)
    contacts = {}
    for seat, stop in owned.stops.items():
        far, used = approach(stop, list(owned.stops.values()), seen, view, settings.fit)
        contact = fit_contact(far, stop, seen, int(used.sum()), settings.fit)
        if contact is not None:
            contacts[seat] = contact
    certain = owned.last_margin >= settings.seats.certain
    return _Found(contacts=contacts, zero_ns=seen.zero_ns, certain=certain)


def _order(contacts: dict[int, Contact], zero_ns: int, seats: list[int], settings: SlapSettings) -> tuple[Slap, ...]:
    slaps = []
    for seat in sorted(contacts, key=lambda s: contacts[s].at_s):
        error = settings.stretch * math.hypot(contacts[seat].error_s, settings.floor_s)
        slaps.append(Slap(seat, zero_ns + round(contacts[seat].at_s * NS_PER_S), error))
    return (*slaps, *(Slap(s, None, None) for s in seats if s not in contacts))


def _last(order: tuple[Slap, ...], certain: bool, settings: SlapSettings) -> tuple[int | None, list[Words]]:
    """Return the seat that was last, None where that cannot be told, and why."""
    timed = [(s.seat, s.at_ns / NS_PER_S, s.error_s) for s in order if s.at_ns is not None and s.error_s is not None]
    if len(timed) == 1:
        return timed[0][0], [say("{seat} alone was seen to slap.", seat=timed[0][0])]
    (before, before_s, before_error), (last, last_s, last_error) = timed[-2:]
    gap, error = last_s - before_s, math.hypot(before_error, last_error)
    apart, unsure = round(gap * 1000), round(error * 1000)
    came = say("{seat} came {ms} ms after {to}, give or take {error} ms.", seat=last, to=before, ms=apart, error=unsure)
    reasons = [came]
    if gap < settings.apart * error:
        return None, [*reasons, say("That is too close to call.")]
    if not certain:
        return None, [*reasons, say("It cannot be told for certain whose hand the last one is.")]
    return last, reasons


def _first(order: tuple[Slap, ...], settings: SlapSettings) -> tuple[int | None, list[Words]]:
    """Return the seat that was first, None where that cannot be told, and why."""
    timed = [(s.seat, s.at_ns / NS_PER_S, s.error_s) for s in order if s.at_ns is not None and s.error_s is not None]
    if len(timed) == 1:
        return timed[0][0], [say("{seat} alone was seen to reach the pile.", seat=timed[0][0])]
    (first, first_s, first_error), (after, after_s, after_error) = timed[:2]
    gap, error = after_s - first_s, math.hypot(first_error, after_error)
    apart, unsure = round(gap * 1000), round(error * 1000)
    came = say(
        "{seat} came {ms} ms before {to}, give or take {error} ms.", seat=first, to=after, ms=apart, error=unsure
    )
    reasons = [came]
    if gap < settings.apart * error:
        return None, [*reasons, say("That is too close to call.")]
    return first, reasons
