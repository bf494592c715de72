"""Look back over frames for slaps: where hands rest, what came to a stop before, whose it is and when.

The hands land on each other, so only the first one touches the card; a slap is a hand's sudden stop over the pile.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from companion.vision.frame import Frame
from companion.vision.geometry import solve_camera
from companion.vision.layout import Layout
from companion.vision.slapdoubt import Moments, Reading
from companion.vision.slapfit import Contact, FitSettings, approach, fit_contact, laid, late_of
from companion.vision.slapmoment import MomentSettings, moment_of
from companion.vision.slapmotion import Stop
from companion.vision.slapnet import strip_views
from companion.vision.slaprest import RestSettings, find_rests
from companion.vision.slapseats import SeatSettings, give_stops, likeliest_stops, share_explained, share_present
from companion.vision.slapstops import Stops, StopSettings, stops_before
from companion.vision.slaptop import Top, TopSettings, hand_on_top
from companion.vision.slapview import ViewSettings, pile_view


@dataclass(frozen=True, slots=True, kw_only=True)
class SlapSettings:
    """How stops become slaps; times in seconds, angles in degrees."""

    view: ViewSettings = field(default_factory=ViewSettings)
    look: ViewSettings = field(default_factory=lambda: ViewSettings(pixel_mm=6.5))
    """The coarse view in which the rest is looked for."""
    rest: RestSettings = field(default_factory=RestSettings)
    stops: StopSettings = field(default_factory=StopSettings)
    moment: MomentSettings = field(default_factory=MomentSettings)
    top: TopSettings = field(default_factory=TopSettings)
    seats: SeatSettings = field(default_factory=SeatSettings)
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
    call_chance: float = 0.9
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
    strips = strip_views(camera, layout, view, seats)
    best: Found | None = None
    for rest in rests[:3]:
        found = _found(stops_before(frames, view, strips, rest, settings.stops), seats, settings)
        if best is None or found.slaps > best.slaps + 1.0:
            best = found
        if found.slaps >= settings.enough:
            break
    return best


def _found(stops: Stops, seats: list[int], settings: SlapSettings) -> Found:
    fit = settings.stops.fit
    came_to_lie = laid(stops.seen, stops.view, fit)
    ways = give_stops(stops, seats, settings.seats, laid=came_to_lie)
    likeliest = likeliest_stops(ways)
    at = {}
    for seat, stop in likeliest.items():
        others = list(likeliest.values())
        alone = _fitted(stop, others, stops, replace(fit, rest_s=settings.long_rest_s))
        alone = alone or _fitted(stop, others, stops, fit) or stops.fits[stop]
        at[seat, stop] = moment_of(stop, alone, stops.landings.get(seat), stops.seen, settings.moment)
    for way in ways:
        for seat, stop in way.stops.items():
            landing = stops.landings.get(seat)
            at.setdefault((seat, stop), moment_of(stop, stops.fits[stop], landing, stops.seen, settings.moment))
    readings = tuple(Reading(way.chance, {seat: at[seat, stop] for seat, stop in way.stops.items()}) for way in ways)
    stated = {seat: at[seat, stop] for seat, stop in likeliest.items()}
    top = hand_on_top(likeliest, stops.seen, stops.view, settings.top)
    last = max(likeliest.values(), key=lambda stop: stop.frame, default=None)
    covers = last is not None and share_explained([last], came_to_lie) >= settings.covers
    untimed = () if covers else _untimed(likeliest, stops, seats, settings)
    return Found(stated=stated, readings=readings, zero_ns=stops.seen.zero_ns, top=top, untimed=untimed)


def _fitted(stop: Stop, others: list[Stop], stops: Stops, settings: FitSettings) -> Contact | None:
    far, used = approach(stop, others, stops.seen, stops.view, settings)
    return fit_contact(far, stop, stops.seen, late_of(used, stops.view), settings)


def _untimed(slaps: dict[int, Stop], stops: Stops, seats: list[int], settings: SlapSettings) -> tuple[int, ...]:
    """Return the seats without a slap whose arm lies there in the rest."""
    others = list(slaps.values())
    present = {
        seat: share_present(stops.view.seat_deg[seat], others, stops.seen, stops.view, settings.seats)
        for seat in seats
        if seat not in slaps
    }
    return tuple(seat for seat, share in present.items() if share is not None and share > settings.there)
