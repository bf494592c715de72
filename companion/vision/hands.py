"""Find hands in boxes of a picture with MediaPipe's hand landmarker. The only module that imports mediapipe.

One landmarker a thread: the library computes on one thread and lets go of Python's lock, so two of them make use of
two cores. ``IMAGE`` mode, since every call looks at another box.
"""

import os
import queue
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.errors import CompanionError
from companion.vision.camera import Floats
from companion.vision.events import Side
from companion.vision.frame import Image
from companion.vision.geometry import Box

WRIST, MIDDLE_KNUCKLE = 0, 9
KNUCKLES = (5, 9, 13, 17)
FINGER_TIPS = (4, 8, 12, 16, 20)


class HandsError(CompanionError):
    """The hand model cannot be used."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandSettings:
    """How the landmarker is asked."""

    confidence: float = 0.3
    """Lowest confidence of a palm; 0.3 finds up to 8 points more hands than the default 0.5 on rendered tables."""
    presence: float = 0.3
    """Lowest confidence that the landmarks lie on a hand."""
    most_hands: int = 4
    """Hands looked for in one box: a player's two and what a neighbour reaches in with."""
    small_px: int = 224
    """A box smaller than this on its longer side is enlarged to it; the models take 192 and 224 px."""
    threads: int = 2
    """Landmarkers; two took 23 ms a call together where one took 45."""


SETTINGS = HandSettings()


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class HandObservation:
    """One hand found in one box.

    ``box`` is the index of the box; ``landmarks_px`` are 21 points (21 x 2, px of the whole picture, MediaPipe's
    order); ``world_mm`` the same hand in millimetres about its own centre (21 x 3, x right, y down, z away);
    ``side`` is MediaPipe's guess, with ``score`` its certainty (0 to 1). Neither is an identity.
    """

    box: int
    side: Side
    score: float
    landmarks_px: Floats
    world_mm: Floats

    @property
    def wrist_px(self) -> Floats:
        """Return the wrist (2, px)."""
        return np.asarray(self.landmarks_px[WRIST])

    @property
    def centre_px(self) -> Floats:
        """Return the mean of the landmarks (2, px)."""
        return np.asarray(self.landmarks_px.mean(axis=0))

    @property
    def knuckles_px(self) -> Floats:
        """Return the middle of the four knuckles (2, px)."""
        return np.asarray(self.landmarks_px[list(KNUCKLES)].mean(axis=0))

    @property
    def size_px(self) -> float:
        """Return the hand's extent, px: the distance from wrist to middle knuckle, twice (about a hand's length)."""
        palm = self.landmarks_px[list(KNUCKLES)] - self.landmarks_px[WRIST]
        across = self.landmarks_px[5] - self.landmarks_px[17]
        # the longest edge of the palm is the one least foreshortened
        longest = max(float(np.linalg.norm(palm, axis=1).max()), 1.25 * float(np.linalg.norm(across)))
        return 2.0 * longest


class Finder(Protocol):
    """What the pipeline asks for hands; tests pass a maker of synthetic ones."""

    def find(self, image: Image, boxes: Sequence[Box]) -> list[HandObservation]:
        """Return the hands found in each box of the picture."""
        ...


class HandFinder:
    """MediaPipe's hand landmarker, one a thread; close it, or use it in a ``with`` block."""

    def __init__(self, model_path: Path, settings: HandSettings = SETTINGS) -> None:
        """Load the model; raises HandsError where the file cannot be used."""
        self._settings = settings
        self._free: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._landmarkers = [_landmarker(model_path, settings) for _ in range(settings.threads)]
        for landmarker in self._landmarkers:
            self._free.put(landmarker)
        self._pool = ThreadPoolExecutor(settings.threads, thread_name_prefix="hands")
        self._lock = threading.Lock()
        self.calls = 0
        """Boxes looked at so far: what the analysis costs."""

    def __enter__(self) -> "HandFinder":
        """Return the finder itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Let go of the models."""
        self.close()

    def find(self, image: Image, boxes: Sequence[Box]) -> list[HandObservation]:
        """Return the hands found in each box of the picture (BGR), in the order of the boxes; may hold doubles."""
        with self._lock:
            self.calls += len(boxes)
        found = self._pool.map(lambda numbered: self._look(image, *numbered), enumerate(boxes))
        return [hand for hands in found for hand in hands]

    def close(self) -> None:
        """Let go of the models."""
        self._pool.shutdown()
        for landmarker in self._landmarkers:
            landmarker.close()
        self._landmarkers.clear()

    def _look(self, image: Image, number: int, box: Box) -> list[HandObservation]:
        import mediapipe

        crop = image[box.y0 : box.y1, box.x0 : box.x1]
        if crop.size == 0:
            return []
        longer = max(crop.shape[:2])
        if longer < self._settings.small_px:
            scale = self._settings.small_px / longer
            crop = np.asarray(cv2.resize(crop, None, fx=scale, fy=scale), dtype=np.uint8)
        rgb = cv2.cvtColor(crop, cv2.COLOR_BGR2RGB)
        landmarker = self._free.get()
        try:
            result = landmarker.detect(mediapipe.Image(image_format=mediapipe.ImageFormat.SRGB, data=rgb))
        finally:
            self._free.put(landmarker)
        return [
            _observation(number, box, *parts)
            for parts in zip(result.hand_landmarks, result.hand_world_landmarks, result.handedness, strict=True)
        ]


def _landmarker(model_path: Path, settings: HandSettings) -> Any:
    # the library writes banners to stderr, where only our own sentences belong
    os.environ.setdefault("GLOG_minloglevel", "3")
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    from mediapipe.tasks.python import BaseOptions
    from mediapipe.tasks.python.vision import HandLandmarker, HandLandmarkerOptions

    options = HandLandmarkerOptions(
        base_options=BaseOptions(model_asset_path=str(model_path)),
        num_hands=settings.most_hands,
        min_hand_detection_confidence=settings.confidence,
        min_hand_presence_confidence=settings.presence,
    )
    try:
        return HandLandmarker.create_from_options(options)
    except (RuntimeError, ValueError, OSError) as error:
        raise HandsError(
            "The hand model {path} cannot be loaded; delete it and run `cheating-moth models`.", path=model_path
        ) from error


def _observation(number: int, box: Box, landmarks: Any, world: Any, handedness: Any) -> HandObservation:
    points: NDArray[np.float64] = np.array([(p.x, p.y) for p in landmarks])
    best = handedness[0]
    # 0.10.33 names the true side in a picture that is not mirrored (93 % right on rendered tables)
    side = Side.RIGHT if best.category_name == "Right" else Side.LEFT
    return HandObservation(
        box=number,
        side=side,
        score=float(best.score),
        landmarks_px=points * [box.width, box.height] + [box.x0, box.y0],
        world_mm=np.array([(p.x, p.y, p.z) for p in world]) * 1000.0,
    )
