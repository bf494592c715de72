"""The instant of a contact to a fraction of a frame: how the picture came to be what it is at rest."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.vision.slapmotion import Stop, Stretch
from companion.vision.slapview import Mask, PileView, turn_deg

Numbers = NDArray[np.float64]


LEVEL_NOISE = 0.5
"""What noise and compression leave of a difference that is averaged over an arm, in levels."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FitSettings:
    """How the approach of a hand to its place of rest is modelled; measured on the training drills."""

    half_deg: float = 26.0
    """Directions on either side of the stop whose pixels are the arm's."""
    ring_mm: tuple[float, float] = (55.0, 290.0)
    rest_s: float = 0.05
    """Pictures after the stop that make up the picture at rest."""
    before_s: float = 0.1
    """How far back the approach is fitted; before it the hand may hover."""
    exposure: float = 0.5
    """Share of the frame interval that the shutter is open; unknown for most cameras, between 0.1 and 1."""
    rise_s: tuple[float, float] = (0.004, 0.08)
    """Range of the time in which the picture becomes wholly different as the hand is farther from its rest."""
    rise_usual_s: float = 0.02
    rise_spread: float = 0.55
    """Median and spread (of the logarithm) of that time on training footage."""
    near_misfit: float = 0.02
    far_misfit: float = 0.09
    """Usual deviation of the model from the measured approach, in units of the full difference, at rest and how much
    more far from it: near the rest only noise counts, far from it what the arm happens to pass over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Contact:
    """A fitted contact: when, its one-sigma error, and what the fit stood on."""

    at_s: float
    error_s: float
    rise_s: float
    misfit: float
    pixels: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Onset:
    """How a stop came about, which tells a contact from a hand that slows down, passes by or only casts a shadow.

    ``misfit``: how unlike a sudden stop; ``early``: how different the picture was at first, as a share of how different
    it became (low where the same lay there before); ``level``: the greatest difference, in levels.
    """

    misfit: float
    early: float
    level: float


def onset(far: Numbers, contact: Contact | None) -> Onset:
    """Return how a stop came about, from its approach and its fit."""
    seen = far[np.isfinite(far)]
    if contact is None or len(seen) < 4:
        return Onset(misfit=math.inf, early=0.0, level=0.0)
    level = float(seen.max())
    return Onset(misfit=contact.misfit, early=float(seen[:2].max()) / max(level, 1e-6), level=level)


def approach(
    stop: Stop, others: list[Stop], seen: Stretch, view: PileView, settings: FitSettings
) -> tuple[Numbers, Mask]:
    """Return how far the picture of a stop's arm is from its rest (N values, 0 at rest) and the pixels used."""
    k = stop.frame
    off = np.abs(turn_deg(view.angle_deg, stop.angle_deg))
    mine = (off < settings.half_deg) & (view.radius_mm > settings.ring_mm[0]) & (view.radius_mm < settings.ring_mm[1])
    for other in others:
        if other is not stop:
            mine &= off <= np.abs(turn_deg(view.angle_deg, other.angle_deg))
    frames = max(2, round(settings.rest_s / seen.interval_s))
    back = max(3, round(settings.before_s / seen.interval_s))
    end = min(k + 1 + frames, len(seen.at_s))
    lo = max(0, k - back)
    used = mine & seen.moving[max(1, k - 3) : k + 1].any(axis=0) & ~seen.moving[k + 1 : end].any(axis=0)
    used &= (seen.fresh[max(1, k - 4) : k + 1] > 0).any(axis=0)
    rest = seen.pictures[k + 1 : end].mean(axis=0)
    far = np.full(len(seen.at_s), np.nan)
    if used.sum() < 12 or end - (k + 1) < 1:
        return far, used
    for i in range(lo, end):
        far[i] = float(np.abs(seen.pictures[i][used] - rest[used]).sum(-1).mean())
    return far - float(np.nanmean(far[k + 1 : end])), used


def model(before_s: Numbers, rise_s: Numbers, exposure_s: float) -> Numbers:
    """Return the share of the full difference at times before the contact, averaged over the exposure.

    1 - exp(-t / rise) for t > 0: the difference grows with the distance and levels off when the arm's picture no longer
    overlaps its picture at rest.
    """

    def whole(t: Numbers) -> Numbers:
        t = np.maximum(t, 0.0)
        return np.asarray(t - rise_s * (1 - np.exp(-t / rise_s)))

    half = exposure_s / 2
    return np.asarray((whole(before_s + half) - whole(before_s - half)) / exposure_s)


def fit_contact(far: Numbers, stop: Stop, seen: Stretch, pixels: int, settings: FitSettings) -> Contact | None:
    """Fit the instant at which the approach reaches the rest; None where too little was seen of it."""
    use = np.isfinite(far)
    at, y = seen.at_s[use], far[use]
    if len(y) < 4 or y.max() < 3.0:
        return None
    dt = seen.interval_s
    tc = seen.at_s[stop.frame] + np.arange(-1.7 * dt, 1.2 * dt, 0.0005)
    rise = np.exp(np.linspace(np.log(settings.rise_s[0]), np.log(settings.rise_s[1]), 24))
    before = tc[:, None, None] - at[None, None, :]
    f = model(before, rise[None, :, None], settings.exposure * dt)
    # far back the hand's path and turn matter more than its distance
    weight = np.exp(-0.5 * (np.maximum(before, 0) / (0.025 + dt)) ** 2)
    near = weight / (settings.near_misfit + settings.far_misfit * f) ** 2
    full = np.clip((near * f * y).sum(-1) / ((near * f * f).sum(-1) + 1e-9), 1e-3, 1.3 * y.max())[..., None]
    off = (y / full - f) / np.hypot(settings.near_misfit + settings.far_misfit * f, LEVEL_NOISE / full)
    # a hand that passes over the arm for a frame must not pull the contact with it
    misfit = (weight * 4.0 * (np.sqrt(1 + off**2 / 4.0) - 1)).sum(-1)
    prior = (np.log(rise / settings.rise_usual_s) / settings.rise_spread) ** 2
    cost = misfit + prior[None, :]
    likely = np.exp(-0.5 * (cost - cost.min()))
    over = likely.sum(axis=1) / likely.sum()
    mean = float(over @ tc)
    best = np.unravel_index(int(cost.argmin()), cost.shape)
    # that the picture is for a moment more different than it stays is no sign of a hand that slows down
    slow = np.where((off[best] > 0) & (f[best] > 0.3), 0.0, off[best])
    return Contact(
        at_s=mean,
        error_s=float(np.sqrt(over @ (tc - mean) ** 2)),
        rise_s=float(rise[best[1]]),
        misfit=float((np.broadcast_to(weight, f.shape)[best] * 4.0 * (np.sqrt(1 + slow**2 / 4.0) - 1)).sum()),
        pixels=pixels,
    )
