"""Notice a bumped camera, and find where the table is now.

Corners of the still background are followed from a reference picture to the present one. People move by themselves and
in their own ways; a bumped camera moves everything still in one way. So the question at each look is which fits more of
the corners: that nothing moved, or one common motion. Corners that keep wandering off (on people, cups, screens) lose
their say. Source of the tracker: Bouguet 2001, "Pyramidal implementation of the Lucas Kanade feature tracker", with
the forward-backward check of Kalal et al. 2010.
"""

from collections import deque
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.commonmotion import common_motion, evened, moves, there_and_back, through, whole_shift
from companion.vision.layout import XY, Layout
from companion.vision.markers import FloatArray, Image

NS_PER_S = 1_000_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class DriftSettings:
    """Numbers of the drift watch; shares are of the picture's width. Measured: docs/calibration.md."""

    width_px: int = 640
    """Pictures are compared at this width: a shift of 1 % is 6 px, and a look costs about 10 ms."""
    even_px: int = 41
    """The surroundings against which light is evened out: some four corners' windows."""
    even_gain: float = 50.0
    even_floor: float = 12.0
    """Contrast (grey levels) below which there is more noise than picture: it is not blown up."""
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
    majority: float = 0.25
    """The part of the corners still followed that must move together: most of a picture may be people."""
    majority_once: float = 0.33
    """The same where two pictures are all there is."""
    spread: float = 0.25
    """The corners that moved together must span this much of the picture, both ways: a person is smaller."""
    lead: float = 3.0
    """How many times more corners must have moved together than stayed."""
    confirm: int = 4
    looks: int = 7
    """So many of the last looks must agree, 2 to 3.5 s: a person who leans across the camera passes, a bump stays."""
    agree_px: float = 3.0
    agree_share: float = 0.3
    """Two looks agree where they move the picture's middle by the same, to so many px or this part of it."""
    trust_after: int = 6
    """Looks that followed it after which a corner must have earned its say."""
    trust: float = 0.5
    """The part of those looks at which a corner must have been in its place to have a say."""
    learn_share: float = 0.25
    """A look at which fewer corners than this are in place is no lesson: something has happened to the picture."""
    memory: int = 120
    forward_backward_px: float = 0.8
    followed_share: float = 0.5
    """Where fewer corners than this are followed, the whole picture's shift is taken as a first guess."""
    certain_votes: int = 24
    certain_share: float = 0.5
    """From this part of the corners on, in a common motion that also fits a turned camera, the layout is realigned."""
    certain_spread: float = 0.35
    """The corners that moved together must span this much of the picture, both ways."""
    certain_bend: float = 0.02
    """A turned camera moves all parts of the picture alike, but for its roll: 1 % of the width a degree. What bends it
    more was found in one corner and stretched over the rest."""
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
        self._followed_at = np.zeros(len(self._corners))
        self._in_place = np.zeros(len(self._corners))
        self._recent: deque[FloatArray | None] = deque(maxlen=settings.looks)
        self._back = 0
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
        self._recent.append(self._middle(found))
        agreeing = self._agreeing()
        if agreeing >= self._settings.confirm:
            self._reading, self._back = found, 0
        elif self._reading.state is Drift.MOVED and not self._is_back(found):
            # a look past people who stand in the way is no sign that the camera is where it was
            return self._reading
        else:
            self._reading = replace(found, state=Drift.UNSURE if agreeing else Drift.STEADY)
        return self._reading

    def _is_back(self, found: DriftReading) -> bool:
        """Tell whether a camera that had moved has been seen in its old place at enough looks in a row."""
        in_place = found.stayed >= max(self._settings.least_votes, found.moved)
        self._back = self._back + 1 if in_place else 0
        return self._back >= self._settings.confirm

    def _middle(self, found: DriftReading) -> FloatArray | None:
        """Return where a look's motion takes the picture's middle (px), None where nothing moved."""
        if found.to_now is None or found.state is not Drift.MOVED:
            return None
        middle = np.array([[self._grey.shape[1] / 2, self._grey.shape[0] / 2]])
        return np.asarray(through(found.to_now, middle / self._scale)[0] * self._scale - middle[0])

    def _agreeing(self) -> int:
        """Count the recent looks that found this one's motion: people who move do not repeat themselves."""
        now = self._recent[-1]
        if now is None:
            return 0
        near = max(self._settings.agree_px, self._settings.agree_share * float(np.linalg.norm(now)))
        return sum(then is not None and float(np.linalg.norm(then - now)) <= near for then in self._recent)

    def _look(self, image: Image) -> DriftReading:
        s = self._settings
        then, now, index = self._followed(self._small(image))
        off = np.linalg.norm(now - then, axis=1)
        stays = off <= s.still_px
        say = self._say()[index]
        stayed = int((stays & say).sum())
        motion = common_motion(then[say], now[say], s.fit_px, s.least_votes)
        reading = DriftReading(state=Drift.STEADY, stayed=stayed)
        if motion is not None:
            reading = self._weigh(motion, then[say], now[say], stayed)
        if reading.state is Drift.STEADY:
            self._learn(index, self._in_their_places(then, now, stays, motion))
        return reading

    def _in_their_places(
        self, then: FloatArray, now: FloatArray, stays: NDArray[np.bool_], motion: FloatArray | None
    ) -> NDArray[np.bool_]:
        """Tell which corners are where they were, or where a camera that trembles a little shows them."""
        if motion is None or self._shift(motion) >= self._settings.moved_share:
            return stays
        return np.asarray(stays | (np.linalg.norm(through(motion, then) - now, axis=1) <= self._settings.fit_px))

    def _shift(self, motion: FloatArray) -> float:
        """Return how far a motion moves the picture, as a share of its width."""
        return float(np.median(np.linalg.norm(moves(motion, self._grey.shape), axis=1)) / self._grey.shape[1])

    def _bend(self, motion: FloatArray) -> float:
        """Return how differently a motion moves the picture's parts, as a share of its width."""
        parts = moves(motion, self._grey.shape)
        return float(np.linalg.norm(parts - np.median(parts, axis=0), axis=1).max() / self._grey.shape[1])

    def _weigh(self, motion: FloatArray, then: FloatArray, now: FloatArray, stayed: int) -> DriftReading:
        s = self._settings
        with_it = np.linalg.norm(through(motion, then) - now, axis=1) <= s.fit_px
        moved = int(with_it.sum())
        height, width = self._grey.shape
        shift = self._shift(motion)
        reading = DriftReading(state=Drift.STEADY, shift=shift, moved=moved, stayed=stayed)
        agreed = moved >= s.majority * len(then) and moved >= s.lead * stayed and moved >= s.least_votes
        spread = float((np.ptp(then[with_it], axis=0) / [width, height]).min()) if moved else 0.0
        if shift < s.moved_share or spread < s.spread or not agreed:
            return reading
        many = moved >= s.certain_share * len(then) and moved >= s.certain_votes
        certain = many and spread >= s.certain_spread and shift <= s.farthest_share
        certain = certain and self._bend(motion) <= s.certain_bend
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
        guess = whole_shift(self._grey, grey)
        guided = self._flow(grey, guess)
        return guided if len(guided[2]) > len(straight[2]) else straight

    def _flow(self, grey: Image, guess: FloatArray) -> tuple[FloatArray, FloatArray, NDArray[np.int_]]:
        new, back_px = there_and_back(self._grey, grey, self._corners, guess)
        index = np.flatnonzero(back_px < self._settings.forward_backward_px)
        return self._corners[index].astype(np.float64), new[index].astype(np.float64), index

    def _say(self) -> NDArray[np.bool_]:
        s = self._settings
        return np.asarray((self._followed_at < s.trust_after) | (self._in_place >= s.trust * self._followed_at))

    def _learn(self, followed: NDArray[np.int_], in_place: NDArray[np.bool_]) -> None:
        """Count who was in place; a corner behind a hand is not counted, nor a look at which few are in place."""
        if in_place.sum() < self._settings.learn_share * len(followed):
            return
        self._followed_at[followed] += 1
        self._in_place[followed[in_place]] += 1
        # old habits fade, so that a lamp that was moved may regain its say
        old = self._followed_at > self._settings.memory
        self._in_place[old], self._followed_at[old] = self._in_place[old] / 2, self._followed_at[old] / 2

    def _small(self, image: Image) -> Image:
        grey = image if image.ndim == 2 else cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
        s = self._settings
        size = (s.width_px, round(image.shape[0] * s.width_px / image.shape[1]))
        small = np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
        return evened(small, s.even_px, s.even_gain, s.even_floor)


def compare(reference: Image, image: Image, settings: DriftSettings = SETTINGS) -> DriftReading:
    """Compare one picture with a reference, once: has the camera moved between the two? For a layout used again."""
    watch = DriftWatch(reference, replace(settings, confirm=1, trust_after=10**6, majority=settings.majority_once))
    return watch.feed(image, 0)


def realigned(layout: Layout, to_now: FloatArray) -> Layout:
    """Return the layout with its outline where the camera sees it now."""
    moved = through(to_now, np.array(layout.outline_px))
    points: list[XY] = [(round(float(x), 1), round(float(y), 1)) for x, y in moved]
    return replace(layout, outline_px=(points[0], points[1], points[2], points[3]))
