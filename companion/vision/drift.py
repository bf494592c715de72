"""Notice a bumped camera, and find where the table is now.

Corners of the still background are followed from a reference picture to the present one. People move by themselves and
in their own ways; a bumped camera moves everything still in one way. So the question at each look is which fits more of
the corners: that nothing moved, or one common motion. Corners that keep wandering off (on people, cups, screens) lose
their say. Source of the tracker: Bouguet 2001, "Pyramidal implementation of the Lucas Kanade feature tracker", with
the forward-backward check of Kalal et al. 2010.
"""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.layout import XY, Layout
from companion.vision.markers import FloatArray, Image

NS_PER_S = 1_000_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class DriftSettings:
    """Numbers of the drift watch; shares are of the picture's width. Measured: docs/calibration.md."""

    width_px: int = 640
    """Pictures are compared at this width: a shift of 1 % is 6 px, and a look costs about 10 ms."""
    corners: int = 160
    apart_px: float = 14.0
    every_s: float = 0.5
    """Time between two looks."""
    moved_share: float = 0.006
    """A common motion from this size on counts: below the 1 % that must be noticed, above a camera that trembles."""
    still_px: float = 1.2
    """A corner within this of its old place is where it was."""
    fit_px: float = 1.6
    """A corner within this of the common motion moved with it."""
    least_votes: int = 8
    """Fewer corners than this are not asked."""
    majority: float = 0.33
    """The part of the corners still followed that must move together: half of a picture may be people."""
    spread: float = 0.25
    """The corners that moved together must span this much of the picture, both ways: a person is smaller."""
    lead: float = 3.0
    """How many times more corners must have moved together than stayed."""
    confirm: int = 4
    """Looks in a row that must agree, 2 s: a person who leans across the camera passes, a bump stays."""
    trust_after: int = 6
    """Looks after which a corner must have earned its say."""
    trust: float = 0.5
    """The part of looks at which a corner must have been in its place to have a say."""
    forward_backward_px: float = 0.8
    followed_share: float = 0.5
    """Where fewer corners than this are followed, the whole picture's shift is taken as a first guess."""
    certain_votes: int = 24
    certain_share: float = 0.5
    """From this part of the corners on, in a common motion that also fits a turned camera, the layout is realigned."""
    certain_spread: float = 0.35
    """The corners that moved together must span this much of the picture, both ways."""
    farthest_share: float = 0.2
    """A larger motion is asked about, never realigned by itself."""


SETTINGS = DriftSettings()


class Drift(StrEnum):
    """What the camera has done since the reference."""

    STEADY = "steady"
    UNSURE = "unsure"
    """Something moved a while ago and it is not yet certain what: flags are uncertain meanwhile."""
    MOVED = "moved"


@dataclass(frozen=True, slots=True, kw_only=True)
class DriftReading:
    """What one look found: ``shift`` is the common motion as a share of the width, ``votes`` who moved and who stayed.

    ``to_now`` (3 x 3) maps the reference's px to the present picture's, at full size; ``certain`` says that the layout
    may be realigned by it without asking.
    """

    state: Drift
    shift: float = 0.0
    moved: int = 0
    stayed: int = 0
    to_now: FloatArray | None = None
    certain: bool = False


class DriftWatch:
    """Compare pictures with a reference; a small stateful tool, fed by whoever has pictures."""

    def __init__(self, reference: Image, settings: DriftSettings = SETTINGS) -> None:
        self._settings = settings
        self._scale = settings.width_px / reference.shape[1]
        self._grey = self._small(reference)
        found: Any = cv2.goodFeaturesToTrack(self._grey, settings.corners, 0.01, settings.apart_px)
        self._corners = np.zeros((0, 2), np.float32) if found is None else found.reshape(-1, 2).astype(np.float32)
        self._in_place = np.zeros(len(self._corners))
        self._looks = 0
        self._streak = 0
        self._next_ns: int | None = None
        self._reading = DriftReading(state=Drift.STEADY)

    @property
    def reading(self) -> DriftReading:
        """Return what the last look found."""
        return self._reading

    def feed(self, image: Image, at_ns: int) -> DriftReading:
        """Look at one BGR or grey picture, taken at ``at_ns``; pictures between two looks are passed over."""
        if self._next_ns is not None and at_ns < self._next_ns:
            return self._reading
        self._next_ns = at_ns + int(self._settings.every_s * NS_PER_S)
        found = self._look(image)
        self._streak = self._streak + 1 if found.state is Drift.MOVED else 0
        if self._streak == 0:
            self._reading = replace(found, state=Drift.STEADY)
        elif self._streak < self._settings.confirm:
            self._reading = replace(found, state=Drift.UNSURE)
        else:
            self._reading = found
        return self._reading

    def _look(self, image: Image) -> DriftReading:
        s = self._settings
        then, now, index = self._followed(self._small(image))
        off = np.linalg.norm(now - then, axis=1)
        stays = off <= s.still_px
        say = self._say()[index]
        stayed = int((stays & say).sum())
        motion = _common_motion(then[say], now[say], s)
        reading = DriftReading(state=Drift.STEADY, stayed=stayed)
        if motion is not None:
            reading = self._weigh(motion, then[say], now[say], stayed)
        if reading.state is Drift.STEADY:
            self._learn(index[stays])
        return reading

    def _weigh(self, motion: FloatArray, then: FloatArray, now: FloatArray, stayed: int) -> DriftReading:
        s = self._settings
        with_it = np.linalg.norm(_through(motion, then) - now, axis=1) <= s.fit_px
        moved = int(with_it.sum())
        height, width = self._grey.shape
        places = np.array([[x * width, y * height] for x in (0.2, 0.5, 0.8) for y in (0.2, 0.5, 0.8)])
        shift = float(np.median(np.linalg.norm(_through(motion, places) - places, axis=1))) / width
        reading = DriftReading(state=Drift.STEADY, shift=shift, moved=moved, stayed=stayed)
        agreed = moved >= s.majority * len(then) and moved >= s.lead * stayed and moved >= s.least_votes
        spread = float((np.ptp(then[with_it], axis=0) / [width, height]).min()) if moved else 0.0
        if shift < s.moved_share or spread < s.spread or not agreed:
            return reading
        many = moved >= s.certain_share * len(then) and moved >= s.certain_votes
        certain = many and spread >= s.certain_spread and shift <= s.farthest_share
        to_small = np.diag([self._scale, self._scale, 1.0])
        to_now = np.linalg.inv(to_small) @ motion @ to_small
        return replace(reading, state=Drift.MOVED, to_now=to_now / to_now[2, 2], certain=certain)

    def _followed(self, grey: Image) -> tuple[FloatArray, FloatArray, NDArray[np.int_]]:
        """Follow every corner there and back; return old places, new places and numbers of those that came back."""
        s = self._settings
        if len(self._corners) == 0 or grey.shape != self._grey.shape:
            return np.zeros((0, 2)), np.zeros((0, 2)), np.zeros(0, dtype=int)
        straight = self._flow(grey, np.zeros(2))
        if len(straight[2]) > s.followed_share * len(self._corners):
            return straight
        # A large bump is beyond the tracker's reach: try again from where the whole picture seems to have gone.
        guess = _whole_shift(self._grey, grey)
        guided = self._flow(grey, guess)
        return guided if len(guided[2]) > len(straight[2]) else straight

    def _flow(self, grey: Image, guess: FloatArray) -> tuple[FloatArray, FloatArray, NDArray[np.int_]]:
        old = self._corners.reshape(-1, 1, 2)
        window, levels, flags = (21, 21), 4, cv2.OPTFLOW_USE_INITIAL_FLOW
        start = (old + guess.astype(np.float32)).astype(np.float32)
        new, there, _error = cv2.calcOpticalFlowPyrLK(
            self._grey, grey, old, start, winSize=window, maxLevel=levels, flags=flags
        )
        start = (np.asarray(new) - guess.astype(np.float32)).astype(np.float32)
        back, home, _error = cv2.calcOpticalFlowPyrLK(
            grey, self._grey, new, start, winSize=window, maxLevel=levels, flags=flags
        )
        off = np.linalg.norm(np.asarray(back).reshape(-1, 2) - self._corners, axis=1)
        good = (there.ravel() == 1) & (home.ravel() == 1) & (off < self._settings.forward_backward_px)
        index = np.flatnonzero(good)
        return self._corners[index].astype(np.float64), np.asarray(new).reshape(-1, 2)[index].astype(np.float64), index

    def _say(self) -> NDArray[np.bool_]:
        s = self._settings
        if self._looks < s.trust_after:
            return np.ones(len(self._corners), dtype=bool)
        return np.asarray(self._in_place >= s.trust * self._looks)

    def _learn(self, in_place: NDArray[np.int_]) -> None:
        self._looks += 1
        self._in_place[in_place] += 1
        if self._looks > 120:
            # old habits fade, so that a lamp that was moved may regain its say
            self._in_place, self._looks = self._in_place / 2, self._looks // 2

    def _small(self, image: Image) -> Image:
        grey = image if image.ndim == 2 else cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
        size = (self._settings.width_px, round(image.shape[0] * self._settings.width_px / image.shape[1]))
        return np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def compare(reference: Image, image: Image, settings: DriftSettings = SETTINGS) -> DriftReading:
    """Compare one picture with a reference, once: has the camera moved between the two? For a layout used again."""
    watch = DriftWatch(reference, replace(settings, confirm=1, trust_after=10**6))
    return watch.feed(image, 0)


def realigned(layout: Layout, to_now: FloatArray) -> Layout:
    """Return the layout with its outline where the camera sees it now."""
    moved = _through(to_now, np.array(layout.outline_px))
    points: list[XY] = [(round(float(x), 1), round(float(y), 1)) for x, y in moved]
    return replace(layout, outline_px=(points[0], points[1], points[2], points[3]))


def _common_motion(then: FloatArray, now: FloatArray, s: DriftSettings) -> FloatArray | None:
    """Find the one motion that most corners share: turned and shifted first, then a turned camera's homography."""
    if len(then) < s.least_votes:
        return None
    affine: Any
    affine, used = cv2.estimateAffinePartial2D(
        then, now, method=cv2.RANSAC, ransacReprojThreshold=s.fit_px * 1.5, maxIters=400
    )
    if affine is None:
        return None
    motion = np.vstack([np.asarray(affine), [0, 0, 1]])
    near = np.asarray(used).ravel() == 1
    if near.sum() >= 2 * s.least_votes:
        full: Any
        full, _mask = cv2.findHomography(then, now, cv2.RANSAC, s.fit_px)
        if full is not None and _sane(np.asarray(full)):
            fits = np.linalg.norm(_through(np.asarray(full), then) - now, axis=1) <= s.fit_px
            if fits.sum() >= near.sum():
                return np.asarray(full, dtype=np.float64)
    return np.asarray(motion, dtype=np.float64) if _sane(motion) else None


def _whole_shift(reference: Image, grey: Image) -> FloatArray:
    """Return how far the whole picture seems to have gone (x, y) px, by phase correlation at a quarter of the size."""
    size = (reference.shape[1] // 4, reference.shape[0] // 4)
    then, now = (
        np.asarray(cv2.resize(part, size, interpolation=cv2.INTER_AREA), dtype=np.float32) for part in (reference, grey)
    )
    (x, y), _peak = cv2.phaseCorrelate(then, now, cv2.createHanningWindow(size, cv2.CV_32F))
    return np.array([4 * x, 4 * y])


def _sane(motion: FloatArray) -> bool:
    """Tell whether a camera that was bumped, not carried away, can have done this."""
    scale = float(np.linalg.det(motion[:2, :2]))
    return 0.7 < scale < 1.4 and float(np.abs(motion[2, :2]).max()) < 1e-3


def _through(motion: FloatArray, points: FloatArray) -> FloatArray:
    if not len(points):
        return np.zeros((0, 2))
    return np.asarray(cv2.perspectiveTransform(np.asarray(points, dtype=np.float64)[None], motion)[0])
