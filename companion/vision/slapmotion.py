"""Where and when something came to a stop around the pile: the map in which contacts are found."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.frame import NS_PER_S, Frame
from companion.vision.slaprest import Rest
from companion.vision.slapview import Floats, Mask, PileView, turn_deg


@dataclass(frozen=True, slots=True, kw_only=True)
class MotionSettings:
    """How a stop is told from noise and from a hand that only passes; measured on the training drills."""

    changed: float = 14.0
    """Least sum of the channels' differences from one frame to the next that is motion."""
    over_noise: float = 4.0
    """The same in units of the pixel's own median difference, for dim light."""
    still_s: float = 0.05
    """A stop is followed by at least this much stillness."""
    passing_s: float = 0.25
    """What lay still for a frame and is seen again within this time was only hidden by a hand that passed."""
    credit_s: float = 0.3
    """Stillness that counts in full: a hand that hovers before it strikes rests for 0.1 s, one that lies for longer."""
    credit_least: float = 0.2
    """Credit of a stop that is covered at once by the next hand."""
    full_change: float = 100.0
    """Change of a pixel that counts in full: an arm on a table changes it by 40 to 400, its shadow by 15 to 50."""
    foreign: float = 24.0
    """Difference from the free pile at which a pixel shows an arm; brown arms on brown wood differ by 40."""
    least: float = 0.06
    """Least share of an arm's image that stops where an arm stops; arms have 0.1 to 0.8."""
    most: int = 40
    """Most stops that are told apart."""
    same_s: float = 0.034
    """Stops of one arm's image closer than this in time are one."""
    remembered: int = 3
    """Pictures at rest that a pixel is compared with: what comes back is nothing new."""
    gap: float = 4.0
    """Frames more than this many intervals apart are a gap: what moved in it cannot be timed, so it is no stop."""
    rest_s: float = 0.45
    """How much of the rest is taken in: a stop shortly before it earns its full credit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """The pictures around a slap round at full rate, cut to the pile.

    ``at_s`` seconds since ``zero_ns``; ``pictures`` N x height x width x 3; ``moving`` whether a pixel changed since
    the frame before; ``still_s`` for how long it stays as it is after this frame; ``fresh`` by how much what it shows
    after this frame differs from what lay there before, 0 where that is not new; ``rest`` the first and last frame of
    the rest; ``free`` the pile without hands; ``noise`` the usual difference between frames; ``foreign`` the difference
    at which two pictures of a pixel show different things; ``foreign_at_rest`` where the rest does not show ``free``.
    """

    zero_ns: int
    at_s: NDArray[np.float64]
    pictures: Floats
    moving: Mask
    still_s: Floats
    fresh: Floats
    rest: tuple[int, int]
    free: Floats
    noise: Floats
    foreign: float
    foreign_at_rest: Mask

    @property
    def interval_s(self) -> float:
        """Return the usual time from frame to frame."""
        return float(np.median(np.diff(self.at_s)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Stop:
    """Something came to a stop: the frame in which it last moved, the arm's direction, and the share of it seen.

    ``shown_at``: the frame after which it is seen where a passing hand hid it first.
    """

    frame: int
    angle_deg: float
    share: float
    shown_at: int | None = None

    @property
    def shown(self) -> int:
        """Return the frame after which it lies there to be seen."""
        return self.frame if self.shown_at is None else self.shown_at


def stretch(frames: Sequence[Frame], view: PileView, rest: Rest, settings: MotionSettings) -> Stretch:
    """Cut the frames around a slap round and tell for every pixel when it moves and how long it is still."""
    taken: list[tuple[int, Floats]] = []
    for i in range(rest.begin, len(frames)):
        frame = frames[i]
        if (
            i > rest.first
            and (frame.at_ns - taken[-1][0]) > 0
            and frame.at_ns > _rest_end(frames, rest, settings.rest_s)
        ):
            break
        taken.append((frame.at_ns, view.cut(frame.image)))
    zero = taken[0][0]
    at_s = np.array([(ns - zero) / NS_PER_S for ns, _ in taken])
    pictures = np.array([p for _, p in taken], dtype=np.float32)
    # picture by picture: of all at once the copies alone took a third of an answer
    change = np.array([_difference(after, before) for before, after in pairwise(pictures)], dtype=np.float32)
    noise = np.partition(change, len(change) // 2, axis=0)[len(change) // 2]  # the median, at a sixth of its cost
    moving = np.zeros(pictures.shape[:3], dtype=bool)
    moving[1:] = change > np.maximum(settings.changed, settings.over_noise * noise)
    height, width = view.shape
    background = np.asarray(cv2.resize(rest.background, (width, height)), dtype=np.float32)
    still_s = _still(moving, pictures, at_s, settings)
    rest_first = min(int(np.searchsorted(at_s, (frames[rest.first].at_ns - zero) / NS_PER_S)), len(taken) - 1)
    return Stretch(
        zero_ns=zero,
        at_s=at_s,
        pictures=pictures,
        moving=moving,
        still_s=still_s,
        fresh=_fresh(pictures, moving, still_s, background, settings),
        rest=(rest_first, len(taken) - 1),
        free=background,
        noise=np.asarray(noise, dtype=np.float32),
        foreign=settings.foreign,
        foreign_at_rest=np.abs(pictures[rest_first:].mean(axis=0) - background).sum(-1) > settings.foreign,
    )


def stop_weights(seen: Stretch, settings: MotionSettings) -> Floats:
    """Return how much each pixel came to a stop at each frame (N x pixels), 0 to 1.

    A pixel counts at the frame of its last motion if it then shows something new: the more, the longer it stays as
    it is and the more it differs from what it was.
    """
    weights = np.zeros((len(seen.at_s), seen.moving[0].size), dtype=np.float32)
    longest_s = settings.gap * seen.interval_s
    for k in range(1, len(seen.at_s) - 1):
        if seen.at_s[k] - seen.at_s[k - 1] > longest_s:
            continue
        stops = seen.fresh[k].ravel() > 0
        credit = np.minimum(seen.still_s[k].ravel()[stops] / settings.credit_s + settings.credit_least, 1.0)
        weights[k, stops] = credit * np.minimum(seen.fresh[k].ravel()[stops] / settings.full_change, 1.0)
    return weights


def find_stops(weights: Floats, view: PileView, seen: Stretch, settings: MotionSettings) -> list[Stop]:
    """Return the stops, the largest first: each the arm direction and frame that explain most of what is left.

    What a stop explains, in its arm's image and around it, is taken away before the next is looked for: an arm seen
    from the side looks like several in neighbouring directions.
    """
    weights = weights.copy()
    share = view.arms @ weights.T
    gap = max(1, round(settings.same_s / seen.interval_s))
    stops: list[Stop] = []
    while len(stops) < settings.most:
        # a contact inside the exposure makes two frames of motion out of one stop
        last = share.copy()
        last[:, 1:] += share[:, :-1]
        b, k = (int(i) for i in np.unravel_index(int(last.argmax()), last.shape))
        if last[b, k] < settings.least:
            break
        frame = k if share[b, k] > 0.25 * last[b, k] else k - 1
        stops.append(Stop(frame=frame, angle_deg=_middle(last[:, k], b, view, settings), share=float(last[b, k])))
        span = slice(max(0, k - gap), k + gap + 1)
        weights[span, view.wide_arms[b]] = 0.0
        share[:, span] = view.arms @ weights[span].T
    return stops


def _middle(share: Floats, best: int, view: PileView, settings: MotionSettings) -> float:
    near = [(best + j) % len(share) for j in (-2, -1, 0, 1, 2)]
    weight = np.maximum(share[near] - 0.5 * share[best], 0.0)
    step = float(view.arm_deg[1] - view.arm_deg[0])
    return float(
        turn_deg(float(view.arm_deg[best]) + step * float(weight @ np.arange(-2, 3)) / float(weight.sum()), 0.0)
    )


def _difference(a: Floats, b: Floats) -> Floats:
    """Return the sum of the channels' differences of two pictures."""
    return np.asarray(cv2.transform(cv2.absdiff(a, b), np.ones((1, 3), dtype=np.float32)), dtype=np.float32)


def _rest_end(frames: Sequence[Frame], rest: Rest, rest_s: float) -> int:
    return min(frames[rest.first].at_ns + round(rest_s * NS_PER_S), frames[rest.last].at_ns)


def _still(moving: Mask, pictures: Floats, at_s: NDArray[np.float64], settings: MotionSettings) -> Floats:
    """Tell for how long each pixel stays as it is after each frame; what a hand hides for a moment stays."""
    steps = np.diff(at_s)
    # in a gap a pixel may have moved and come back: it counts as little stillness
    steps = np.where(steps > settings.gap * np.median(steps), 2 * np.median(steps), steps)
    still = np.zeros(moving.shape, dtype=np.float32)
    later = pictures[-1].copy()
    later_s = np.full(moving.shape[1:], np.inf)
    later_still = np.zeros(moving.shape[1:], dtype=np.float32)
    for k in range(len(moving) - 2, 0, -1):
        still[k] = np.where(moving[k + 1], np.float32(0.0), still[k + 1] + float(steps[k]))
        rests = moving[k] & (still[k] > settings.still_s)
        brief = moving[k] & ~moving[k + 1] & ~rests & (later_s - at_s[k] < settings.passing_s)
        if brief.any():
            back = np.abs(pictures[k + 1][brief] - later[brief]).sum(-1) < settings.foreign
            where = np.flatnonzero(brief)[back]
            still[k].ravel()[where] = later_still.ravel()[where]
            rests.ravel()[where] = True
        later[rests] = pictures[k + 1][rests]
        later_s[rests] = at_s[k]
        later_still[rests] = still[k][rests]
    return still


def _fresh(pictures: Floats, moving: Mask, still_s: Floats, background: Floats, settings: MotionSettings) -> Floats:
    """Tell by how much a pixel that stops shows something new: not the free pile, nor what a passing hand hid."""
    fresh = np.zeros(moving.shape, dtype=np.float32)
    # what each pixel showed at rest, the newest last: a hand that hovers over an arm comes between it and itself
    known = [background.copy() for _ in range(settings.remembered)]
    for k in range(1, len(pictures) - 1):
        stops = moving[k] & (still_s[k] > settings.still_s)
        if not stops.any():
            continue
        after = pictures[k + 1][stops]
        change = np.abs(after - background[stops]).sum(-1)
        for shown in known:
            change = np.minimum(change, np.abs(after - shown[stops]).sum(-1))
        new = change > settings.foreign
        last = np.abs(after - known[-1][stops]).sum(-1)
        fresh[k][stops] = np.where(new, last, 0.0)
        where = np.flatnonzero(stops)[new]
        for older, newer in pairwise(known):
            older.reshape(-1, 3)[where] = newer.reshape(-1, 3)[where]
        known[-1].reshape(-1, 3)[where] = after[new]
    return fresh
