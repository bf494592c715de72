"""The pile as one seat sees it: small pictures, turned so that the seat's arm reaches up, for the slap net."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.geometry import Camera
from companion.vision.layout import Layout
from companion.vision.slapview import Floats, PileView

SIDE_PX = 48
"""Width and height of a strip; a pixel covers 9.3 mm."""

CHANNELS = 16
"""Colours now (3), less those a frame before (3), less those at rest (3), less those of the free pile (3), the
interval, and from where the camera looks (3)."""

_LEVELS = 64.0
_INTERVAL_S = 1 / 30

Strip = NDArray[np.uint8]
"""SIDE_PX x SIDE_PX x 3, BGR."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StripSettings:
    """What a strip shows; millimetres on a plane at arm height, about the pile."""

    height_mm: float = 70.0
    """Height of the plane: hands at rest on the pile lie at 20 to 60, wrists at 56 to 124."""
    beyond_mm: float = 150.0
    """How far over the pile to the other side."""
    toward_mm: float = 296.0
    """How far towards the seat."""
    reach_mm: float = 295.0
    """Nothing farther from the pile is shown: the crop that it is cut from ends there."""
    fine: int = 2
    """Strips are cut so much finer and then averaged."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class StripView:
    """How one seat's strip is cut out of a picture of the pile view.

    ``columns`` and ``rows``: where each fine pixel lies in that picture (px); ``inside``: which pixels (SIDE_PX x
    SIDE_PX) lie within reach; ``camera``: unit vector to the camera in the seat's frame (right, away from it, up).
    """

    columns: Floats
    rows: Floats
    inside: Floats
    camera: tuple[float, float, float]

    def cut(self, picture: Floats) -> Strip:
        """Return the strip of a picture (height x width x 3) of the pile view."""
        fine = cv2.remap(picture, self.columns, self.rows, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        small = cv2.resize(fine, (SIDE_PX, SIDE_PX), interpolation=cv2.INTER_AREA)
        return np.asarray(np.rint(small * self.inside[..., None]), dtype=np.uint8)


def strip_view(
    camera: Camera, layout: Layout, view: PileView, seat: int, settings: StripSettings | None = None
) -> StripView:
    """Return how a seat's strips are cut."""
    settings = settings or StripSettings()
    side = SIDE_PX * settings.fine
    span = settings.beyond_mm + settings.toward_mm
    step = span / side
    right = (np.arange(side) + 0.5) * step - span / 2
    away = settings.beyond_mm - (np.arange(side) + 0.5) * step
    right, away = np.meshgrid(right, away)
    angle = np.radians(view.seat_deg[seat])
    # away from the seat, and to the right of somebody who looks that way
    ahead = -np.array([np.cos(angle), np.sin(angle)])
    across = np.array([ahead[1], -ahead[0]])
    pile = np.array(layout.discard_mm, dtype=np.float64)
    at = pile + right[..., None] * across + away[..., None] * ahead
    points = np.column_stack([at.reshape(-1, 2), np.full(side * side, settings.height_mm)])
    px = np.nan_to_num(camera.project(points), nan=-1.0)
    columns = ((px[:, 0] - view.x0 + 0.5) / view.reduce - 0.5).reshape(side, side)
    rows = ((px[:, 1] - view.y0 + 0.5) / view.reduce - 0.5).reshape(side, side)
    inside = (np.hypot(right, away) < settings.reach_mm).astype(np.float32)
    sight = camera.position_mm - np.array([*pile, 0.0])
    sight = sight / np.linalg.norm(sight)
    return StripView(
        columns=columns.astype(np.float32),
        rows=rows.astype(np.float32),
        inside=np.asarray(cv2.resize(inside, (SIDE_PX, SIDE_PX), interpolation=cv2.INTER_AREA), dtype=np.float32),
        camera=(float(sight[:2] @ across), float(sight[:2] @ ahead), float(sight[2])),
    )


def strip_inputs(
    strips: NDArray[np.uint8], rest: Strip, free: Strip, interval_s: float, camera: tuple[float, float, float]
) -> Floats:
    """Return what the net is shown of N strips, one frame after the other: N x CHANNELS x SIDE_PX x SIDE_PX.

    ``rest`` and ``free``: the strip with the hands at rest and of the free pile; ``interval_s`` between frames.
    """
    now = strips.astype(np.float32)
    before = np.concatenate([now[:1], now[:-1]])
    parts = [now - 128.0, now - before, now - rest.astype(np.float32), now - free.astype(np.float32)]
    pictures = np.concatenate(parts, axis=3).transpose(0, 3, 1, 2) / _LEVELS
    constants = np.array([interval_s / _INTERVAL_S, *camera], dtype=np.float32)
    planes = np.broadcast_to(constants[None, :, None, None], (len(strips), 4, SIDE_PX, SIDE_PX))
    return np.ascontiguousarray(np.concatenate([pictures, planes], axis=1), dtype=np.float32)
