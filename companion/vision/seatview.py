"""One seat as the seat net sees it: a small, turned picture in which the table's edge always lies below the player.

Every camera sees a seat from somewhere else. Turning the picture until "away from the table" points up, and scaling it
until the space of the player's hands fills it, makes the views alike; a map of the distance to the table's edge tells
the net what turning cannot (how the table lies, how steep the view is).
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.geometry import Camera, beyond_edge_mm, seat_axes
from companion.vision.layout import Layout

Floats = NDArray[np.float32]
Points = NDArray[np.float64]
Image = NDArray[np.uint8]

SIDE_PX = 96
"""Width and height of a seat picture: about 1 cm a pixel, a hand is 15 to 20 px long."""

MOMENTS_S = (0.0, 0.2, 0.4, 0.8)
"""How long before the moment that is judged each of the pictures was taken."""

CHANNELS = 11
"""Of one input: 3 colours now, 3 grey changes, distances to the edge and to the seat, inside the frame, up (x, y)."""

_EDGE_REACH_MM = 300.0
_SEAT_REACH_MM = 500.0
_UP_MM = 250.0
_EARLY_S = 0.05
"""Looks come a little early or late: a picture so much younger than asked for still counts."""
_LEAST_MM = 450.0
_HORIZON_MM = 20_000.0
_FLAT_GREY = 12.0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SeatView:
    """How to get a seat's picture out of a frame, and what does not change from frame to frame."""

    seat: int
    to_seat: Points
    """2 x 3: from the frame's px to the seat picture's px."""
    edge: Floats
    """Signed distance to the table's edge on the level of its top: -1 inside, +1 outside by 300 mm or more."""
    near: Floats
    """Distance to the middle of the seat's edge on the level of the table top: 0 there, 1 from 500 mm on."""
    inside: Floats
    """1 where the frame shows something, 0 where the seat picture lies outside of it."""
    up: tuple[float, float]
    """Where 250 mm up from the edge points, in sides of the seat picture."""


def seat_view(camera: Camera, layout: Layout, seat: int, *, side_px: int = SIDE_PX, margin: float = 0.0) -> SeatView:
    """Place the picture of one seat: away from the table is up, the space of the hands fills it.

    `margin` widens the picture by this part of its side on each side (for training, which shifts and turns it).
    """
    middle, along, away = seat_axes(layout, seat)

    def at(x_mm: float, y_mm: float, z_mm: float) -> Points:
        return np.array([*(middle + along * x_mm + away * y_mm), z_mm])

    foot, out, top, left, right = camera.project(
        [at(0, 0, 0), at(0, _UP_MM, 0), at(0, 0, _UP_MM), at(-_LEAST_MM / 2, 0, 0), at(_LEAST_MM / 2, 0, 0)]
    )
    turn = _turn(out - foot, mirrored=camera.mirrored)
    room = camera.project(
        [at(x, y, 0) for x in (-420, 420) for y in (-350, 300)]
        + [at(x, y, -200) for x in (-300, 300) for y in (0, 300)]
        + [at(x, y, 450) for x in (-220, 220) for y in (50, 300)]
    )
    seen = _seen_part(room[np.isfinite(room[:, 0])], camera.size) @ turn.T
    low, high = seen.min(axis=0), seen.max(axis=0)
    least = float(np.hypot(*(right - left)))
    scale = side_px / (max(float((high - low).max()), least) * (1 + 2 * margin))
    shift = side_px / 2 - scale * (low + high) / 2
    up = turn @ (top - foot) * scale / side_px if np.isfinite(top).all() else np.zeros(2)
    to_seat = np.hstack([scale * turn, shift[:, None]])
    px = _frame_points(to_seat, side_px)
    edge, near = _distance_maps(camera, layout, middle, px)
    return SeatView(
        seat=seat,
        to_seat=to_seat,
        edge=edge.reshape(side_px, side_px),
        near=near.reshape(side_px, side_px),
        inside=_inside_map(px, camera.size).reshape(side_px, side_px),
        up=(float(np.clip(up[0], -1, 1)), float(np.clip(up[1], -1, 1))),
    )


def _turn(away_px: Points, *, mirrored: bool) -> Points:
    """Return the rotation (2 x 2) that makes a direction of the frame point up, and unmirrors a mirrored frame."""
    flip = np.diag([-1.0 if mirrored else 1.0, 1.0])
    x, y = flip @ away_px
    angle = float(np.arctan2(x, -y))
    return np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]]) @ flip


def _frame_points(to_seat: Points, side_px: int) -> Points:
    """Return the frame's points (N x 2, px) under the seat picture's pixels, row by row."""
    back = cv2.invertAffineTransform(to_seat)
    cols, rows = np.meshgrid(np.arange(side_px), np.arange(side_px))
    return np.asarray(np.stack([cols.ravel(), rows.ravel()], axis=1).astype(float) @ back[:, :2].T + back[:, 2])


def _seen_part(room_px: Points, image_size: tuple[int, int]) -> Points:
    """Return the corners of that part of the hands' space which the frame shows, or all of it where none is."""
    width, height = image_size
    frame = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    hull = cv2.convexHull(np.clip(room_px, -8 * width, 8 * width).astype(np.float32))
    area, part = cv2.intersectConvexConvex(hull, frame)
    if part is None or area < 0.02 * width * height:
        return room_px
    return np.asarray(part.reshape(-1, 2), np.float64)


def _distance_maps(camera: Camera, layout: Layout, middle_mm: Points, px: Points) -> tuple[Floats, Floats]:
    """Return the table-level distances behind `px` to the edge (signed) and the seat; above the horizon all is far."""
    mm = camera.to_table(px)[:, :2]
    seen = np.isfinite(mm).all(axis=1) & (np.abs(mm) < _HORIZON_MM).all(axis=1)
    far = np.full(len(px), _EDGE_REACH_MM)
    far[seen] = beyond_edge_mm(layout, mm[seen])
    away = np.full(len(px), _SEAT_REACH_MM)
    away[seen] = np.hypot(*(mm[seen] - middle_mm).T)
    edge = np.clip(far / _EDGE_REACH_MM, -1, 1)
    return np.asarray(edge, np.float32), np.asarray(np.clip(away / _SEAT_REACH_MM, 0, 1), np.float32)


def _inside_map(px: Points, image_size: tuple[int, int]) -> Floats:
    width, height = image_size
    return np.asarray(
        (px[:, 0] >= 0) & (px[:, 1] >= 0) & (px[:, 0] <= width - 1) & (px[:, 1] <= height - 1), np.float32
    )


def seat_picture(view: SeatView, image: Image) -> Image:
    """Cut a seat's picture (side x side x 3, BGR) out of a frame; outside of the frame it is black."""
    side = view.edge.shape[0]
    back = cv2.invertAffineTransform(view.to_seat)
    corners = np.array([[0, 0], [side, 0], [0, side], [side, side]], float) @ back[:, :2].T + back[:, 2]
    height, width = image.shape[:2]
    left, top = np.clip(np.floor(corners.min(axis=0)) - 2, 0, [width, height]).astype(int)
    right, bottom = np.clip(np.ceil(corners.max(axis=0)) + 2, 0, [width, height]).astype(int)
    if right - left < 2 or bottom - top < 2:
        return np.zeros((side, side, 3), np.uint8)
    part = image[top:bottom, left:right]
    size = (right - left, bottom - top)
    # warpAffine takes single pixels: shrink by area first, so that noise and stripes average out as they do in the eye
    shrink = max(1.0, float(np.sqrt(abs(np.linalg.det(back[:, :2])))))
    small = (max(2, round(size[0] / shrink)), max(2, round(size[1] / shrink)))
    if small != size:
        part = np.asarray(cv2.resize(part, small, interpolation=cv2.INTER_AREA), np.uint8)
    zoom = np.array([size[0] / small[0], size[1] / small[1]])
    lift = np.array([left, top]) + zoom / 2 - 0.5
    matrix = np.hstack([view.to_seat[:, :2] * zoom, (view.to_seat[:, :2] @ lift + view.to_seat[:, 2])[:, None]])
    return np.asarray(cv2.warpAffine(part, matrix, (side, side), flags=cv2.INTER_LINEAR), np.uint8)


def seat_input(view: SeatView, pictures: Sequence[Image]) -> Floats:
    """Make the net's input (CHANNELS x side x side) of a seat's pictures at MOMENTS_S before now, newest first.

    Colour and changes are measured in the picture's own contrast, so that light and exposure matter less.
    """
    return stack_channels(np.stack(pictures), edge=view.edge, near=view.near, inside=view.inside, up=view.up)


def stack_channels(pictures: Image, *, edge: Floats, near: Floats, inside: Floats, up: tuple[float, float]) -> Floats:
    """Join pictures (moments x side x side x 3) and what is known of the seat to one input."""
    side = edge.shape[0]
    grey = np.stack([cv2.cvtColor(p, cv2.COLOR_BGR2GRAY) for p in pictures]).astype(np.float32)
    shown = grey[0][inside > 0.5]
    mean, spread = (float(shown.mean()), float(shown.std())) if shown.size else (0.0, 0.0)
    gain = inside / max(spread, _FLAT_GREY)
    out = np.empty((CHANNELS, side, side), np.float32)
    for k in range(3):
        out[k] = (pictures[0, :, :, k] - np.float32(mean)) * gain
    out[3:6] = (grey[0] - grey[1:]) * gain
    np.clip(out[:6], -4, 4, out=out[:6])
    out[6], out[7], out[8], out[9], out[10] = edge, near, inside, up[0], up[1]
    return out


@dataclass(slots=True)
class SeatMemory:
    """The last pictures of one seat, for the net's look back; looks may come at any rhythm and may be left out.

    A seat at which nothing moves need not be looked at: the latest picture before a moment stands for it.
    """

    _kept: deque[tuple[float, Image]] = field(default_factory=deque)

    def add(self, at_s: float, picture: Image) -> None:
        """Keep a picture; times must not go back. What no later look can need is dropped."""
        self._kept.append((at_s, picture))
        while len(self._kept) > 1 and self._kept[1][0] <= at_s - MOMENTS_S[-1]:
            self._kept.popleft()

    def moments(self) -> list[Image]:
        """Return the pictures at MOMENTS_S before the last one, newest first; the oldest stands for all before it."""
        now = self._kept[-1][0]
        return [self._before(now - back + _EARLY_S) for back in MOMENTS_S]

    def _before(self, at_s: float) -> Image:
        return next((p for t, p in reversed(self._kept) if t <= at_s), self._kept[0][1])
