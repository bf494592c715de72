"""When a slap was, out of two readings of the same instant: the fit of its approach, and what the slap net says."""

import math
from dataclasses import dataclass

from companion.vision.slapfit import Contact
from companion.vision.slapmotion import Stop, Stretch
from companion.vision.slapnet import Landings

Moment = tuple[float, float]
"""When (s), and its standard deviation (s)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MomentSettings:
    """How the two readings are weighed; measured on the rounds that the slap net was not trained on."""

    floor_s: float = 0.001
    """Error that no reading goes below: what the contact of a soft hand is, and the clocks."""
    hidden: float = 0.5
    """Frame intervals by which the fit of an arm that was hidden at once is less certain."""
    fit: float = 1.1
    net: float = 1.25
    """Factors on the errors of the fit and of the net."""
    doubtful_from: float = 0.4
    doubtful: float = 2.0
    doubtful_most: float = 2.2
    """A contact that fits badly is off by more than its fit says: from this misfit on by so much a unit, up to this
    factor. Without it errors were 2.1 and 2.4 stated ones where the misfit was 0.6 to 1 and 1 to 2, and 0.7 to 1.1
    where it was less."""
    alike: float = 0.35
    """Correlation of the two readings' errors."""
    believed: float = -3.0
    """Odds (logarithm, against no slap) below which the net's time for a landing that it does not believe in is left
    out."""
    apart: float = 2.0
    """Readings farther apart than so many of their own errors make the joint error as much larger."""


SETTINGS = MomentSettings()


def moment_of(
    stop: Stop, contact: Contact | None, landing: Landings | None, seen: Stretch, settings: MomentSettings = SETTINGS
) -> Moment:
    """Return when a stop was, and its error; half a frame before it was first seen, where neither reading is there."""
    readings = [r for r in (_fitted(stop, contact, seen, settings), _told(stop, landing, settings)) if r is not None]
    if not readings:
        return float(seen.at_s[stop.frame]) - seen.interval_s / 2, seen.interval_s
    return readings[0] if len(readings) == 1 else joined(readings[0], readings[1], settings)


def joined(a: Moment, b: Moment, settings: MomentSettings = SETTINGS) -> Moment:
    """Return the best reading of one instant out of two whose errors are alike in part."""
    (a_s, a_error), (b_s, b_error) = a, b
    common = settings.alike * a_error * b_error
    apart = a_error**2 + b_error**2 - 2 * common
    of_b = min(max((a_error**2 - common) / apart, 0.0), 1.0)
    variance = (1 - of_b) ** 2 * a_error**2 + of_b**2 * b_error**2 + 2 * of_b * (1 - of_b) * common
    wide = max(abs(a_s - b_s) / (settings.apart * math.sqrt(apart)), 1.0)
    return (1 - of_b) * a_s + of_b * b_s, wide * math.sqrt(variance)


def _fitted(stop: Stop, contact: Contact | None, seen: Stretch, settings: MomentSettings) -> Moment | None:
    if contact is None:
        return None
    hidden_s = 0.0 if stop.shown_at is None else settings.hidden * seen.interval_s
    over = max(contact.misfit - settings.doubtful_from, 0.0)
    fit_s = contact.error_s * min(1.0 + settings.doubtful * over, settings.doubtful_most)
    return contact.at_s, settings.fit * math.hypot(fit_s, settings.floor_s, hidden_s)


def _told(stop: Stop, landing: Landings | None, settings: MomentSettings) -> Moment | None:
    """Return when the net says the hand landed, at the frame of a stop or next to it."""
    if landing is None:
        return None
    near = range(max(stop.frame - 1, 0), min(stop.frame + 2, len(landing.odds)))
    best = max(near, key=lambda k: float(landing.odds[k]))
    if landing.odds[best] < settings.believed:
        return None
    return float(landing.at_s[best]), settings.net * math.hypot(float(landing.error_s[best]), settings.floor_s)
