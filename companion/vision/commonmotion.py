"""Pictures made ready to be compared, and the one motion that most of their corners share: pure."""

from typing import Any

import cv2
import numpy as np

from companion.vision.markers import FloatArray, Image


def evened(grey: Image, around_px: int, gain: float, floor: float) -> Image:
    """Even the light out: each place against its surroundings, in units of their contrast.

    The tracker takes a lamp that is switched on, or an exposure that settles, for a change of what is there. Contrast
    below ``floor`` (grey levels) is more noise than picture and is not blown up.
    """
    side = (around_px, around_px)
    light = grey.astype(np.float32)
    mean = cv2.blur(light, side)
    contrast = np.sqrt(np.maximum(cv2.blur(light * light, side) - mean * mean, 0.0))
    return np.clip(128 + gain * (light - mean) / (contrast + floor), 0, 255).astype(np.uint8)


def common_motion(then: FloatArray, now: FloatArray, fit_px: float, fewest: int) -> FloatArray | None:
    """Find the one motion that most corners share: turned and shifted first, then a turned camera's homography."""
    if len(then) < fewest:
        return None
    affine: Any
    affine, used = cv2.estimateAffinePartial2D(
        then, now, method=cv2.RANSAC, ransacReprojThreshold=fit_px * 1.5, maxIters=400
    )
    if affine is None:
        return None
    motion = np.vstack([np.asarray(affine), [0, 0, 1]])
    near = np.asarray(used).ravel() == 1
    if near.sum() >= 2 * fewest:
        full: Any
        full, _mask = cv2.findHomography(then, now, cv2.RANSAC, fit_px)
        if full is not None and _sane(np.asarray(full)):
            fits = np.linalg.norm(through(np.asarray(full), then) - now, axis=1) <= fit_px
            if fits.sum() >= near.sum():
                return np.asarray(full, dtype=np.float64)
    return np.asarray(motion, dtype=np.float64) if _sane(motion) else None


def moves(motion: FloatArray, shape: tuple[int, ...]) -> FloatArray:
    """Return by how much (N, 2) px a motion moves nine places spread over a picture of this shape."""
    height, width = shape[:2]
    places = np.array([[x * width, y * height] for x in (0.2, 0.5, 0.8) for y in (0.2, 0.5, 0.8)])
    return np.asarray(through(motion, places) - places)


def there_and_back(
    reference: Image, grey: Image, corners: "np.typing.NDArray[np.float32]", guess: FloatArray
) -> "tuple[np.typing.NDArray[np.float32], FloatArray]":
    """Follow corners (N, 2) px from one picture to the other and back.

    Returns where they are in the other and how far (N, px) from home they came back; infinitely far where lost.
    """
    window, levels, flags = (21, 21), 4, cv2.OPTFLOW_USE_INITIAL_FLOW
    aside = guess.astype(np.float32)
    old = corners.reshape(-1, 1, 2)
    new, there, _error = cv2.calcOpticalFlowPyrLK(
        reference, grey, old, (old + aside).astype(np.float32), winSize=window, maxLevel=levels, flags=flags
    )
    start = (np.asarray(new) - aside).astype(np.float32)
    back, home, _error = cv2.calcOpticalFlowPyrLK(
        grey, reference, new, start, winSize=window, maxLevel=levels, flags=flags
    )
    off = np.linalg.norm(np.asarray(back).reshape(-1, 2) - corners, axis=1)
    found = (np.asarray(there).ravel() == 1) & (np.asarray(home).ravel() == 1)
    return np.asarray(new, dtype=np.float32).reshape(-1, 2), np.where(found, off, np.inf)


def whole_shift(reference: Image, grey: Image) -> FloatArray:
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


def through(motion: FloatArray, points: FloatArray) -> FloatArray:
    if not len(points):
        return np.zeros((0, 2))
    return np.asarray(cv2.perspectiveTransform(np.asarray(points, dtype=np.float64)[None], motion)[0])
