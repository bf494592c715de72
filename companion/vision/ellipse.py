"""The edge of an oval table: nearest place, direction outward, and walking along it. Pure; an oval around the origin.

``half`` are the half axes (x, y) in mm, points are (N, 2) in the table's frame.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]

_ROUNDS = 6
"""Steps of the search for the nearest place: after five it stands to 0.01 mm for ovals up to 3 to 1."""
_FINE = 2880
"""Pieces an oval is cut into for walking along it: 1 to 2 mm each, the arc in a piece is straight to 0.001 mm."""


def nearest(half: tuple[float, float], points: ArrayLike) -> Floats:
    """Return the places (N, 2) on the oval nearest to points inside or outside of it.

    Each step puts the circle that fits the oval best at the last place in the oval's stead, and takes the place nearest
    on that circle. Source: Chatfield 2017, "A simple method for distance to ellipse".
    """
    a, b = half
    there = np.asarray(points, dtype=np.float64).reshape(-1, 2)
    x, y = np.abs(there).T
    cos = sin = np.full(len(there), np.sqrt(0.5))
    for _round in range(_ROUNDS):
        centre_x, centre_y = (a * a - b * b) / a * cos**3, (b * b - a * a) / b * sin**3
        radius = np.hypot(a * cos - centre_x, b * sin - centre_y)
        to_x, to_y = x - centre_x, y - centre_y
        length = np.maximum(np.hypot(to_x, to_y), 1e-9)
        cos = np.clip((to_x * radius / length + centre_x) / a, 0.0, 1.0)
        sin = np.clip((to_y * radius / length + centre_y) / b, 0.0, 1.0)
        size = np.maximum(np.hypot(cos, sin), 1e-9)
        cos, sin = cos / size, sin / size
    signs = np.where(there >= 0, 1.0, -1.0)
    return np.asarray(np.column_stack([a * cos, b * sin]) * signs)


def beyond(half: tuple[float, float], points: ArrayLike) -> Floats:
    """Return how far points lie outside the oval in mm; negative inside."""
    there = np.asarray(points, dtype=np.float64).reshape(-1, 2)
    off = np.linalg.norm(there - nearest(half, there), axis=1)
    return np.asarray(np.where(((there / np.array(half)) ** 2).sum(axis=1) > 1.0, off, -off), dtype=np.float64)


def outward(half: tuple[float, float], points: ArrayLike) -> Floats:
    """Return unit vectors away from the table, square to the edge at the place nearest to each point."""
    normal = nearest(half, points) / np.array(half) ** 2
    return np.asarray(normal / np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-12))


def walk(half: tuple[float, float], start: ArrayLike, lengths: ArrayLike) -> Floats:
    """Return the places (N, 2) at ``lengths`` (N, mm) along the edge from the place nearest to ``start``.

    Counter-clockwise as seen from above, which is to the right of a player who sits there.
    """
    turns = np.linspace(0.0, 2 * np.pi, _FINE + 1)
    ring = np.column_stack([half[0] * np.cos(turns), half[1] * np.sin(turns)])
    along = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(ring, axis=0), axis=1))])
    first = nearest(half, start)[0]
    turn = np.arctan2(first[1] / half[1], first[0] / half[0]) % (2 * np.pi)
    at = (np.interp(turn, turns, along) + np.asarray(lengths, dtype=np.float64)) % along[-1]
    angle = np.interp(at, along, turns)
    return np.column_stack([half[0] * np.cos(angle), half[1] * np.sin(angle)])


def length(half: tuple[float, float]) -> float:
    """Return the oval's way around in mm."""
    turns = np.linspace(0.0, 2 * np.pi, _FINE + 1)
    ring = np.column_stack([half[0] * np.cos(turns), half[1] * np.sin(turns)])
    return float(np.linalg.norm(np.diff(ring, axis=0), axis=1).sum())
