"""Look back over frames for slaps: where hands rest, what came to a stop before, whose it is and when.

The hands land on each other, so only the first one touches the card; a slap is a hand's sudden stop over the pile.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from companion.vision.frame import Frame
from companion.vision.geometry import solve_camera
from companion.vision.layout import Layout
from companion.vision.slapdoubt import Moments, Reading
from companion.vision.slapfit import (
    Contact,
    FitSettings,
    Onset,
    approach,
    arrived_before,
    fit_contact,
    laid,
    landed,
    late_of,
    onset,
)
from companion.vision.slapmotion import MotionSettings, Stop, Stretch, find_stops, stop_weights, stretch
from companion.vision.slaprest import Rest, RestSettings, find_rests
from companion.vision.slapseats import SeatSettings, give_stops, likeliest_stops, share_explained, share_present
from companion.vision.slaptop import Top, TopSettings, hand_on_top
from companion.vision.slapview import PileView, ViewSettings, pile_view


@dataclass(frozen=True, slots=True, kw_only=True)
class SlapSettings:
    """How stops become slaps; times in seconds, angles in degrees."""

    view: ViewSettings = field(default_factory=ViewSettings)
    look: ViewSettings = field(default_factory=lambda: ViewSettings(pixel_mm=6.5))
    """The coarse view in which the rest is looked for."""
    rest: RestSettings = field(default_factory=RestSettings)
    motion: MotionSettings = field(default_factory=MotionSettings)
    fit: FitSettings = field(default_factory=FitSettings)
    top: TopSettings = field(default_factory=TopSettings)
    seats: SeatSettings = field(default_factory=SeatSettings)
    great: float = 0.2
    """Share of an arm's image that stops from which on it is told apart from its neighbours when a stop is judged."""
    floor_s: float = 0.001
    """Error that no fit goes below: what the contact of a soft hand is, and the clocks."""
    hidden: float = 0.5
    """Frame intervals by which the fit of an arm that was hidden at once is less certain."""
    stretch: float = 0.9
    """Factor on the fitted error that makes it honest on the training drills."""
    long_rest_s: float = 0.1
    """Of a slap's own time: pixels that another arm passes so soon after it are left out, where enough others are
    there."""
    enough: float = 0.8
    """Slaps before a rest, over all readings, from which on no earlier rest is looked at; one that is must have
    one more: the last rest with arms enough is rarely not the right one."""
    there: float = 0.8
    """Share of an arm seen in the rest from which on a seat that was not seen to slap may have been the last."""
    covers: float = 0.4
    """Share of the pile from which on the last hand seen to come lies on top: no arm can have come later unseen."""
    ignored: float = 0.01
    """Other times of a slap that are less likely than this do not widen its error."""
    call_chance: float = 0.88
    """How likely it must be, over all readings, that the seat was last (or first in a race) for it to be called."""
    apart: float = 1.7
    """How many standard deviations of their difference the last two must be apart to be called: wrong in 4 of 100 at
    that very distance, and far fewer over all."""


SETTINGS = SlapSettings()


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """When each seat slapped by the likeliest reading, all the readings, from when their times count, whose hand is on
    top, and the seats whose arm lies there, may have come last, and was not seen to slap."""

    stated: Moments
    readings: tuple[Reading, ...]
    zero_ns: int
    top: Top | None
    untimed: tuple[int, ...]

    @property
    def slaps(self) -> float:
        """Return how many slaps there were, over all readings."""
        return sum(reading.chance * len(reading.at) for reading in self.readings)


def find_slaps(frames: Sequence[Frame], layout: Layout, seats: list[int], settings: SlapSettings) -> Found | None:
    """Return the slaps before the likeliest rest; None where no hands were seen to rest on the pile.

    ``frames`` in order of time, at full rate; ``seats`` those that may have slapped. Frames that must be decoded are
    read about ten times a second, and at full rate around the slaps alone.
    """
    camera = solve_camera(layout)
    rests = find_rests(frames, pile_view(camera, layout, settings.look), settings.rest)
    view = pile_view(camera, layout, settings.view)
    best: Found | None = None
    for rest in rests[:3]:
        found = _found(stops_before(frames, view, rest, settings), view, seats, settings)
        if best is None or found.slaps > best.slaps + 1.0:
            best = found
        if found.slaps >= settings.enough:
            break
    return best


@dataclass(frozen=True, slots=True)
class Stops:
    """What came to a stop before a rest: how each came about, and its fit (None where too little was seen)."""

    seen: Stretch
    came: list[tuple[Stop, Onset]]
    fits: dict[Stop, Contact | None]


def stops_before(frames: Sequence[Frame], view: PileView, rest: Rest, settings: SlapSettings) -> Stops:
    """Return what came to a stop before a rest."""
    seen = stretch(frames, view, rest, settings.motion)
    stops = find_stops(stop_weights(seen, settings.motion), view, seen, settings.motion)
    great = [stop for stop in stops if stop.share > settings.great]
    came: list[tuple[Stop, Onset]] = []
    fits: dict[Stop, Contact | None] = {}
    for stop in stops:  # grows by the arms that were hidden by a passing hand as soon as they lay there
        far, used = approach(stop, great, seen, view, settings.fit)
        fits[stop] = fit_contact(far, stop, seen, late_of(used, view), settings.fit)
        before = arrived_before(stop, used, seen, settings.fit)
        if before is not None and stop.shown_at is None:
            stops.append(replace(stop, frame=before, shown_at=stop.frame))
        down = landed(stop, seen, view, settings.fit)
        came.append((stop, onset(far, fits[stop], freed=before is not None, landed=down)))
    return Stops(seen, came, fits)


def _found(stops: Stops, view: PileView, seats: list[int], settings: SlapSettings) -> Found:
    seen, fits = stops.seen, stops.fits
    came_to_lie = laid(seen, view, settings.fit)
    ways = give_stops(stops.came, seats, seen, view, settings.seats, laid=came_to_lie)
    likeliest = likeliest_stops(ways)
    at = {}
    for seat, stop in likeliest.items():
        others = list(likeliest.values())
        alone = _fitted(stop, others, seen, view, replace(settings.fit, rest_s=settings.long_rest_s))
        alone = alone or _fitted(stop, others, seen, view, settings.fit) or fits[stop]
        at[seat, stop] = moment_of(stop, alone, seen, settings)
    for way in ways:
        for seat, stop in way.stops.items():
            at.setdefault((seat, stop), moment_of(stop, fits[stop], seen, settings))
    readings = tuple(Reading(way.chance, {seat: at[seat, stop] for seat, stop in way.stops.items()}) for way in ways)
    stated = {seat: at[seat, stop] for seat, stop in likeliest.items()}
    top = hand_on_top(likeliest, seen, view, settings.top)
    last = max(likeliest.values(), key=lambda stop: stop.frame, default=None)
    covers = last is not None and share_explained([last], came_to_lie) >= settings.covers
    untimed = () if covers else _untimed(likeliest, seats, seen, view, settings)
    return Found(stated=stated, readings=readings, zero_ns=seen.zero_ns, top=top, untimed=untimed)


def _fitted(stop: Stop, others: list[Stop], seen: Stretch, view: PileView, settings: FitSettings) -> Contact | None:
    far, used = approach(stop, others, seen, view, settings)
    return fit_contact(far, stop, seen, late_of(used, view), settings)


def _untimed(
    slaps: dict[int, Stop], seats: list[int], seen: Stretch, view: PileView, settings: SlapSettings
) -> tuple[int, ...]:
    """Return the seats without a slap whose arm lies there in the rest."""
    others = list(slaps.values())
    present = {s: share_present(view.seat_deg[s], others, seen, view, settings.seats) for s in seats if s not in slaps}
    return tuple(seat for seat, share in present.items() if share is not None and share > settings.there)


def moment_of(stop: Stop, contact: Contact | None, seen: Stretch, settings: SlapSettings) -> tuple[float, float]:
    """Return when a stop was, and its error."""
    if contact is None:
        return float(seen.at_s[stop.frame]), seen.interval_s
    hidden_s = 0.0 if stop.shown_at is None else settings.hidden * seen.interval_s
    over = max(contact.misfit - settings.fit.doubtful_from, 0.0)
    fit_s = contact.error_s * min(1.0 + settings.fit.doubtful * over, settings.fit.doubtful_most)
    return contact.at_s, settings.stretch * math.hypot(fit_s, settings.floor_s, hidden_s)
