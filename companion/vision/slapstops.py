"""What came to a stop before a rest: every contact there may have been, how each came about and when."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from companion.vision.frame import Frame
from companion.vision.slapfit import (
    Contact,
    FitSettings,
    Onset,
    approach,
    arrived_before,
    fit_contact,
    landed,
    late_of,
    stirred,
)
from companion.vision.slapmotion import MotionSettings, Stop, Stretch, find_stops, stop_weights, stretch
from companion.vision.slapnet import Landings, landings, shipped_net
from companion.vision.slaprest import Rest
from companion.vision.slapstrip import StripView
from companion.vision.slapview import BEYOND_DEG, REACH_DEG, Floats, PileView, beside_deg


@dataclass(frozen=True, slots=True, kw_only=True)
class StopSettings:
    """What counts as a stop; times in seconds, angles in degrees."""

    motion: MotionSettings = field(default_factory=MotionSettings)
    fit: FitSettings = field(default_factory=FitSettings)
    great: float = 0.2
    """Share of an arm's image that stops from which on it is told apart from its neighbours when a stop is judged."""
    landed_odds: float = -1.0
    """Where the net holds it likelier than this that a hand landed (logarithm, against that it did not slap), that is
    looked at even if no stop was seen."""


@dataclass(frozen=True, slots=True)
class Stops:
    """What came to a stop in a stretch: how each came about, and its fit (None where too little was seen).

    ``landings``: what the slap net says of each seat.
    """

    view: PileView
    seen: Stretch
    landings: dict[int, Landings]
    came: list[tuple[Stop, Onset]]
    fits: dict[Stop, Contact | None]


def stops_before(
    frames: Sequence[Frame], view: PileView, strips: dict[int, StripView], rest: Rest, settings: StopSettings
) -> Stops:
    """Return what came to a stop before a rest, and what the slap net says of the seats of ``strips``."""
    seen = stretch(frames, view, rest, settings.motion)
    late, fit = view.late, settings.fit
    said = landings(
        seen,
        strips,
        shipped_net(),
        late_s=late * fit.readout_s,
        late_error_s=abs(late) * fit.readout_spread_s,
    )
    return stops_in(seen, said, view, settings)


def stops_in(seen: Stretch, said: dict[int, Landings], view: PileView, settings: StopSettings) -> Stops:
    """Return what came to a stop in a stretch; ``said`` as in ``Stops.landings``."""
    weights = stop_weights(seen, settings.motion)
    stops = find_stops(weights, view, seen, settings.motion)
    stops += _landed_unseen(stops, said, weights, view, settings)
    great = [stop for stop in stops if stop.share > settings.great]
    came: list[tuple[Stop, Onset]] = []
    fits: dict[Stop, Contact | None] = {}
    for stop in stops:  # grows by the arms that were hidden by a passing hand as soon as they lay there
        far, used = approach(stop, great, seen, view, settings.fit)
        fit = fits[stop] = fit_contact(far, stop, seen, late_of(used, view), settings.fit)
        before = arrived_before(stop, used, seen, settings.fit)
        if before is not None and stop.shown_at is None:
            stops.append(replace(stop, frame=before, shown_at=stop.frame))
        down, moved = (f(stop, seen, view, settings.fit) for f in (landed, stirred))
        misfit = math.inf if fit is None else fit.misfit
        came.append((stop, Onset(misfit=misfit, freed=before is not None, landed=down, stirred=moved)))
    return Stops(view, seen, said, came, fits)


def _landed_unseen(
    stops: list[Stop], said: dict[int, Landings], weights: Floats, view: PileView, settings: StopSettings
) -> list[Stop]:
    """Return the landings that the net holds likely and that are no stops: of arms of which too little is seen."""
    more = []
    for seat, landing in said.items():
        own = [stop.frame for stop in stops if abs(beside_deg(stop.angle_deg, seat, view)) <= BEYOND_DEG]
        odds = landing.odds
        for k in range(1, len(odds) - 1):
            peak = odds[k] >= max(odds[k - 1], odds[k + 1]) and odds[k] > settings.landed_odds
            if peak and not any(abs(frame - k) <= 1 for frame in own):
                near = [b for b, deg in enumerate(view.arm_deg) if abs(beside_deg(float(deg), seat, view)) <= REACH_DEG]
                share = view.arms[near] @ weights[k - 1 : k + 2].sum(axis=0)
                best = int(share.argmax())
                more.append(Stop(frame=k, angle_deg=float(view.arm_deg[near[best]]), share=float(share[best])))
    return more
