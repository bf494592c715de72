"""Where things are around the table: its edge, the seats, and the boxes of the picture worth looking at.

Table frame: origin at the centre of the table top, x right, y away from who set it up, z up, millimetres.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from companion.vision import ellipse
from companion.vision.camera import Camera, Floats, solve_camera
from companion.vision.layout import Layout, Shape

__all__ = [
    "Box",
    "Camera",
    "GeometrySettings",
    "beyond_edge_mm",
    "outline_curve",
    "outward",
    "pile_crop",
    "seat_axes",
    "seat_crops",
    "solve_camera",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class GeometrySettings:
    """What the geometry takes for granted; lengths in millimetres."""

    seat_half_mm: float = 380.0
    """Half of the stretch of edge that a player uses; elbows of grown-ups are 500 to 700 apart."""
    inside_mm: float = 330.0
    """How far inside the table a seat's volume reaches: a relaxed reach, short of the piles."""
    behind_mm: float = 260.0
    """How far behind the edge a seat's volume reaches: to the player's back."""
    below_mm: float = 180.0
    """How far below the table top: to the lap."""
    above_mm: float = 420.0
    """How far above the table top: to the chin of a grown-up."""
    pile_half_mm: float = 190.0
    """Half the side of the square around the piles."""
    pile_above_mm: float = 160.0
    """Height of the volume over the piles: a hand that comes down on them."""


SETTINGS = GeometrySettings()


@dataclass(frozen=True, slots=True)
class Box:
    """A box in the picture in whole px; ``x1`` and ``y1`` are past the end."""

    x0: int
    y0: int
    x1: int
    y1: int

    @property
    def width(self) -> int:
        """Return the width in px."""
        return self.x1 - self.x0

    @property
    def height(self) -> int:
        """Return the height in px."""
        return self.y1 - self.y0

    def contains(self, x: float, y: float) -> bool:
        """Tell whether a point in px lies in the box."""
        return self.x0 <= x < self.x1 and self.y0 <= y < self.y1


def outline_curve(layout: Layout, step_mm: float = 20.0) -> Floats:
    """Return points (N x 2, table mm) along the table's edge, counter-clockwise from above, about ``step_mm`` apart."""
    if layout.table.shape is Shape.ROUND:
        radius = layout.table.width_mm / 2
        angles = np.linspace(-np.pi, np.pi, max(16, int(2 * np.pi * radius / step_mm)), endpoint=False)
        return np.column_stack([radius * np.cos(angles), radius * np.sin(angles)])
    if layout.table.oval:
        half = layout.table.half_mm
        around = ellipse.length(half)
        return ellipse.walk(half, (-half[0], 0.0), np.arange(0.0, around, around / max(16, round(around / step_mm))))
    corners = np.array(layout.outline_mm)
    sides = []
    for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        count = max(2, round(float(np.linalg.norm(b - a)) / step_mm))
        sides.append(a + np.linspace(0, 1, count, endpoint=False)[:, None] * (b - a))
    return np.vstack(sides)


def outward(layout: Layout, points_mm: ArrayLike) -> Floats:
    """Return unit vectors (N x 2, table frame) away from the table, square to the edge nearest each point (N x 2)."""
    points = np.asarray(points_mm, dtype=np.float64).reshape(-1, 2)
    if layout.table.shape is Shape.ROUND:
        length = np.linalg.norm(points, axis=1, keepdims=True)
        return np.asarray(points / np.maximum(length, 1e-9))
    if layout.table.oval:
        return ellipse.outward(layout.table.half_mm, points)
    half = np.array([layout.table.width_mm, layout.table.depth_mm]) / 2
    beyond = np.abs(points) - half
    along_x = (beyond[:, 0] > beyond[:, 1])[:, None]
    signs = np.where(points >= 0, 1.0, -1.0)
    return np.where(along_x, signs * [1.0, 0.0], signs * [0.0, 1.0])


def beyond_edge_mm(layout: Layout, points_mm: ArrayLike) -> Floats:
    """Return how far points (N x 2 or N x 3, mm) lie outside the table's edge; negative over the table."""
    points = np.asarray(points_mm, dtype=np.float64)
    points = points.reshape(-1, points.shape[-1])[:, :2]
    if layout.table.shape is Shape.ROUND:
        return np.asarray(np.linalg.norm(points, axis=1) - layout.table.width_mm / 2)
    if layout.table.oval:
        return ellipse.beyond(layout.table.half_mm, points)
    past = np.abs(points) - np.array([layout.table.width_mm, layout.table.depth_mm]) / 2
    outside = np.linalg.norm(np.maximum(past, 0), axis=1)
    return np.asarray(np.where(np.all(past <= 0, axis=1), past.max(axis=1), outside))


def seat_axes(layout: Layout, seat: int) -> tuple[Floats, Floats, Floats]:
    """Return a seat's frame: middle of its edge (2, mm), unit vectors along it to the player's right, and outward."""
    middle = np.array(next(s.edge_mm for s in layout.seats if s.seat == seat), dtype=np.float64)
    away = outward(layout, middle)[0]
    # the player looks inward (-away); the right hand is inward turned clockwise by a quarter, seen from above
    return middle, np.array([-away[1], away[0]]), away


def seat_crops(camera: Camera, layout: Layout, settings: GeometrySettings = SETTINGS) -> dict[int, Box]:
    """Return for each seat the box (px) around the image of its volume, cut to the picture."""
    crops = {}
    for seat in layout.seats:
        middle, along, away = seat_axes(layout, seat.seat)
        reach = _reach(layout, seat.seat, settings)
        corners = [
            (*(middle + a * along + o * away), z)
            for a in (-reach, reach)
            for o in (-settings.inside_mm, settings.behind_mm)
            for z in (-settings.below_mm, settings.above_mm)
        ]
        crops[seat.seat] = _box(camera, corners)
    return crops


def pile_crop(camera: Camera, layout: Layout, settings: GeometrySettings = SETTINGS) -> Box:
    """Return the box (px) around the image of the space over the discard pile, cut to the picture."""
    x, y = layout.discard_mm
    half = settings.pile_half_mm
    corners = [(x + i * half, y + j * half, z) for i in (-1, 1) for j in (-1, 1) for z in (0.0, settings.pile_above_mm)]
    return _box(camera, corners)


def _reach(layout: Layout, seat: int, settings: GeometrySettings) -> float:
    mine = next(np.array(s.edge_mm) for s in layout.seats if s.seat == seat)
    gaps = [float(np.linalg.norm(mine - np.array(s.edge_mm))) for s in layout.seats if s.seat != seat]
    # neighbours who sit close share the edge between them; half of the gap and a hand's width more is looked at
    return min(settings.seat_half_mm, min(gaps, default=math.inf) / 2 + 100.0)


def _box(camera: Camera, corners_mm: ArrayLike) -> Box:
    px = camera.project(corners_mm)
    px = px[~np.isnan(px[:, 0])]
    width, height = camera.size
    if not len(px):
        return Box(0, 0, width, height)
    low, high = np.floor(px.min(axis=0)), np.ceil(px.max(axis=0))
    x0, y0 = (int(min(max(v, 0), limit - 16)) for v, limit in zip(low, camera.size, strict=True))
    x1, y1 = (int(max(min(v, limit), 16)) for v, limit in zip(high, camera.size, strict=True))
    return Box(x0, y0, max(x1, x0 + 16), max(y1, y0 + 16))
