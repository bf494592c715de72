"""A saved layout used again: fitted to the camera's present picture, and moved after a camera that was moved."""

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from companion.calibration.cameraview import Seen
from companion.errors import CompanionError
from companion.vision.drift import Drift, compare, realigned
from companion.vision.layout import XY, Layout


def as_seen_now(layout: Layout, reference: Path, seen: Seen) -> tuple[Layout, bool]:
    """Return the layout for the present picture, and whether its outline was moved after the camera.

    ``reference`` is the picture it was saved with, where there is one. Raises CompanionError where the camera's
    pictures have another shape now.
    """
    fitted = fitted_to(layout, seen.size)
    before = cv2.imread(str(reference)) if reference.is_file() else None
    if before is None or before.shape[1::-1] != seen.size:
        return fitted, False
    now = compare(np.asarray(before, dtype=np.uint8), seen.image())
    if now.state is Drift.MOVED and now.certain and now.to_now is not None:
        return realigned(fitted, now.to_now), True
    return fitted, False


def fitted_to(layout: Layout, size: tuple[int, int]) -> Layout:
    """Scale a layout made at another resolution of the same shape; raises where the shapes differ."""
    if layout.image_size == size:
        return layout
    share = size[0] / layout.image_size[0]
    if abs(size[1] / layout.image_size[1] - share) > 0.01:
        raise CompanionError(
            "This table was set up at {was} px and the camera gives {now} px, another shape: place the table anew.",
            was="{} x {}".format(*layout.image_size),
            now="{} x {}".format(*size),
        )
    lens = layout.lens
    if lens.matrix is not None:
        rows = [tuple(v * share for v in row) for row in lens.matrix[:2]]
        first, second = ((r[0], r[1], r[2]) for r in rows)
        lens = replace(lens, matrix=(first, second, (0.0, 0.0, 1.0)))
    points: list[XY] = [(round(x * share, 1), round(y * share, 1)) for x, y in layout.outline_px]
    return replace(layout, image_size=size, lens=lens, outline_px=(points[0], points[1], points[2], points[3]))
