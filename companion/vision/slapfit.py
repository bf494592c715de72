"""The instant of a contact to a fraction of a frame: how the picture came to be what it is at rest."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.vision.slapmotion import Stop, Stretch
from companion.vision.slapview import Mask, PileView, turn_deg

Numbers = NDArray[np.float64]
Pixels = NDArray[np.intp]


LEVEL_NOISE = 0.5
"""What noise and compression leave of a difference that is averaged over an arm, in levels."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FitSettings:
    """How the approach of a hand to its place of rest is modelled; measured on the training drills."""

    half_deg: float = 26.0
    """Directions on either side of the stop whose pixels are the arm's."""
    ring_mm: tuple[float, float] = (55.0, 290.0)
    hidden_s: float = 0.25
    hidden_same: float = 0.5
    """An arm that is hidden by a passing hand is seen again within this time, and so much of it was the same before:
    0.63 of one that was hidden, less than 0.31 of twenty contacts that were looked at."""
    clear_px: int = 40
    """Pixels of a hidden arm that are enough to fit its stop in the frame after it too."""
    pile_mm: float = 60.0
    """Around the middle of the pile: a hand that slaps covers most of it."""
    rest_s: float = 0.05
    """Pictures after the stop that make up the picture at rest."""
    before_s: float = 0.1
    """How far back the approach is fitted; before it the hand may hover."""
    exposure: float = 0.5
    """Share of the frame interval that the shutter is open; unknown for most cameras, between 0.1 and 1."""
    rise_s: tuple[float, float] = (0.004, 0.08)
    """Range of the time in which the picture becomes wholly different as the hand is farther from its rest."""
    rise_usual_s: float = 0.016
    rise_spread: float = 0.55
    """Median and spread (of the logarithm) of that time at 60 frames a second; with 20 ms all contacts are 1 to 2 ms
    later."""
    readout_s: float = 0.0
    """Time from the readout of a picture's first line to that of its last; frames carry the time of the middle line."""
    readout_spread_s: float = 0.012
    """How far the sensor's readout may be from that: webcams need 5 to 30 ms, and few say how long."""
    near_misfit: float = 0.02
    far_misfit: float = 0.09
    """Usual deviation of the model from the measured approach, in units of the full difference, at rest and how much
    more far from it: near the rest only noise counts, far from it what the arm happens to pass over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Contact:
    """A fitted contact: when, its one-sigma error, and how it came about."""

    at_s: float
    error_s: float
    rise_s: float
    misfit: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Onset:
    """How a stop came about, which tells a contact from a hand that slows down, passes by or only casts a shadow.

    ``misfit``: how unlike a sudden stop, infinite where too little was seen of it; ``freed``: whether the same lay
    there before, hidden by a hand that passed; ``landed``: the share of the pile itself that shows something new from
    then on; ``stirred``: the share of it that moved then.
    """

    misfit: float
    freed: bool
    landed: float
    stirred: float


def arrived_before(stop: Stop, used: Pixels, seen: Stretch, settings: FitSettings) -> int | None:
    """Return the frame at which what a stop shows had come before, until a passing hand hid it; None where it had not.

    Many of its pixels then showed the same already, most of them from one frame on.
    """
    lo = int(np.searchsorted(seen.at_s, seen.at_s[stop.frame] - settings.hidden_s))
    if len(used) < 12 or stop.frame - lo < 5:
        return None
    pictures = seen.pictures.reshape(len(seen.at_s), -1, 3)
    rest = pictures[min(stop.shown + 1, len(seen.at_s) - 1), used]
    same: Mask = np.asarray(np.abs(pictures[lo : stop.frame - 2, used] - rest).sum(-1) < seen.foreign)
    if same.any(axis=0).mean() < settings.hidden_same:
        return None
    began = same.argmax(axis=0)[same.any(axis=0) & ~same[0]]
    frame = lo + int(np.bincount(began, minlength=1).argmax()) if len(began) else lo
    return frame if frame > max(lo, 1) else None


def laid(seen: Stretch, view: PileView, settings: FitSettings) -> Numbers:
    """Return for each frame the share of the pile that shows at rest what came to lie there then: a hand's landing."""
    fresh: Mask = np.asarray(seen.fresh[:, view.radius_mm < settings.pile_mm] > 0)
    last = len(fresh) - 1 - fresh[::-1].argmax(axis=0)
    came = np.bincount(last[fresh.any(axis=0)], minlength=len(fresh))
    return np.asarray(came / max(fresh.shape[1], 1), dtype=np.float64)


def landed(stop: Stop, seen: Stretch, view: PileView, settings: FitSettings) -> float:
    """Return the share of the pile that came to show something new within a frame or two of a stop."""
    pile = view.radius_mm < settings.pile_mm
    fresh: Mask = np.asarray((seen.fresh[max(1, stop.frame - 1) : stop.frame + 2] > 0).any(axis=0))
    return float(fresh[pile].mean()) if pile.any() else 0.0


def stirred(stop: Stop, seen: Stretch, view: PileView, settings: FitSettings) -> float:
    """Return the share of the pile that moved within a frame or two of a stop: a hand that comes down stirs it."""
    pile = view.radius_mm < settings.pile_mm
    moved: Mask = np.asarray(seen.moving[max(1, stop.frame - 2) : stop.frame + 2].any(axis=0))
    return float(moved[pile].mean()) if pile.any() else 0.0


def approach(
    stop: Stop, others: list[Stop], seen: Stretch, view: PileView, settings: FitSettings
) -> tuple[Numbers, Pixels]:
    """Return how far the picture of a stop's arm is from its rest (N values, 0 at rest) and the pixels used (flat)."""
    k, shown = stop.frame, stop.shown
    radius, angle = view.radius_mm.ravel(), view.angle_deg.ravel()
    off = np.abs(turn_deg(angle, stop.angle_deg))
    used = np.flatnonzero((off < settings.half_deg) & (radius > settings.ring_mm[0]) & (radius < settings.ring_mm[1]))
    off, angle = off[used], angle[used]
    nearest = np.ones(len(used), dtype=bool)
    for other in others:
        if other is not stop:
            nearest &= off <= np.abs(turn_deg(angle, other.angle_deg))
    used = used[nearest]
    frames = max(2, round(settings.rest_s / seen.interval_s))
    back = max(3, round(settings.before_s / seen.interval_s))
    end = min(shown + 1 + frames, len(seen.at_s))
    lo = max(0, k - back)
    moving = seen.moving.reshape(len(seen.at_s), -1)
    fresh = seen.fresh.reshape(len(seen.at_s), -1)
    used = used[
        moving[max(1, k - 3) : k + 1, used].any(axis=0)
        & ~moving[shown + 1 : end, used].any(axis=0)
        & (fresh[max(1, k - 4) : shown + 1, used] > 0).any(axis=0)
    ]
    pictures = seen.pictures.reshape(len(seen.at_s), -1, 3)
    far = np.full(len(seen.at_s), np.nan)
    if end - (shown + 1) < 1:
        return far, used
    rest = pictures[shown + 1 : end, used].mean(axis=0)
    last = end
    if shown > k:  # only what is seen right after the stop, before the passing hand
        clear: Mask = np.asarray(np.abs(pictures[k : k + 2, used] - rest).sum(-1) < seen.foreign)
        last = k + 2 if clear.all(axis=0).sum() >= settings.clear_px else k + 1
        seen_clear = np.flatnonzero(clear[: last - k].all(axis=0))
        used, rest = used[seen_clear], rest[seen_clear]
    if len(used) < 12:
        return far, used
    far[lo:last] = np.abs(pictures[lo:last, used] - rest).sum(-1).mean(axis=1)
    return far - float(far[last - 1] if shown > k else np.nanmean(far[k + 1 : end])), used


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


def late_of(used: Pixels, view: PileView) -> float:
    """Return how much later than the middle line the pixels' lines are read, as a share of the readout."""
    if len(used) == 0:
        return 0.0
    row = view.y0 + (float(np.mean(used // view.shape[1])) + 0.5) * view.reduce
    return row / view.frame_height - 0.5


def fit_contact(far: Numbers, stop: Stop, seen: Stretch, late: float, settings: FitSettings) -> Contact | None:
    """Fit the instant at which the approach reaches the rest; None where too little was seen of it.

    ``late``: when the lines it is seen in are read, as a share of the sensor's readout, 0 for the middle line.
    """
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
        at_s=mean + late * settings.readout_s,
        error_s=math.hypot(float(np.sqrt(over @ (tc - mean) ** 2)), late * settings.readout_spread_s),
        rise_s=float(rise[best[1]]),
        misfit=float((np.broadcast_to(weight, f.shape)[best] * 4.0 * (np.sqrt(1 + slow**2 / 4.0) - 1)).sum()),
    )
