"""Cues that need no landmarks: what covers the table's edge before each player, and what moves across it.

Pure: pictures in, numbers out. An arm over the table covers the edge where it crosses; a hand below is itself cut off
by the edge, which stays in sight.
"""

from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision import ellipse
from companion.vision.camera import Camera
from companion.vision.frame import Image
from companion.vision.geometry import seat_axes
from companion.vision.layout import Layout, Shape
from companion.vision.looking import Gray

Floats32 = NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True)
class EdgeSettings:
    """Lengths in mm along (u) and outward (o) from the middle of a seat's edge."""

    half_mm: float = 350.0
    """Half of the stretch of edge that is looked at."""
    step_mm: float = 25.0
    """Distance of samples along the edge: a wrist covers two or three."""
    inside_mm: tuple[float, ...] = (12.0, 26.0, 40.0)
    """Where inside the edge colours are taken: off the rim by more than taps are wrong, near enough for a wrist."""
    outside_mm: tuple[float, ...] = (25.0, 50.0, 75.0)
    """Where outside the edge colours are taken, on the level of the table."""
    motion_out_mm: tuple[float, ...] = (-260.0, -130.0, -20.0, 90.0, 220.0)
    """Borders of the rows of the motion grid."""
    motion_columns: int = 7
    """Columns of the motion grid."""


SETTINGS = EdgeSettings()


@dataclass(frozen=True, eq=False, slots=True)
class EdgeLook:
    """One seat's edge in one picture.

    ``inside`` and ``outside``: mean colours (U x 3, Lab) of the samples along the edge, from the player's left to
    right; ``motion`` (rows outward x columns): mean absolute change of grey since the last look, 0 to 255.
    """

    inside: Floats32
    outside: Floats32
    motion: Floats32


class EdgeView:
    """Where each seat's edge lies in the small picture; look at one picture after the other."""

    def __init__(self, camera: Camera, layout: Layout, small_width: int, settings: EdgeSettings = SETTINGS) -> None:
        """Project the samples once; ``small_width`` is the width (px) of the pictures to come."""
        self._scale = small_width / camera.size[0]
        self._u = np.arange(-settings.half_mm, settings.half_mm + 1, settings.step_mm)
        self.seats = [s.seat for s in layout.seats]
        self._settings = settings
        self._colour_maps = []
        self._motion_maps = []
        for seat in self.seats:
            middle, along, away = seat_axes(layout, seat)

            def place(
                u: NDArray[np.float64],
                out: NDArray[np.float64],
                middle: NDArray[np.float64] = middle,
                along: NDArray[np.float64] = along,
                away: NDArray[np.float64] = away,
            ) -> Floats32:
                if layout.table.shape is Shape.ROUND:
                    radius = float(np.linalg.norm(middle))
                    angle = np.arctan2(middle[1], middle[0]) + u / radius
                    flat = np.stack([np.cos(angle), np.sin(angle)], -1) * (radius + out)[..., None]
                elif layout.table.oval:
                    half = layout.table.half_mm
                    edge = ellipse.walk(half, middle, u.ravel())
                    flat = (edge + ellipse.outward(half, edge) * out.reshape(-1, 1)).reshape(*u.shape, 2)
                else:
                    flat = middle + u[..., None] * along + out[..., None] * away
                points = np.concatenate([flat, np.zeros((*flat.shape[:-1], 1))], -1).reshape(-1, 3)
                return np.asarray(camera.project(points) * self._scale, dtype=np.float32).reshape(*u.shape, 2)

            depths = np.array(settings.inside_mm) * -1
            outs = np.concatenate([depths, settings.outside_mm])
            self._colour_maps.append(place(*np.meshgrid(self._u, outs)))
            rows = np.array(settings.motion_out_mm)
            fine = np.concatenate([np.linspace(a, b, 4, endpoint=False) for a, b in pairwise(rows)])
            across = np.linspace(-settings.half_mm, settings.half_mm, settings.motion_columns * 4)
            self._motion_maps.append(place(*np.meshgrid(across, fine)))

    def look(self, small: Image, gray: Gray, before: Gray | None) -> dict[int, EdgeLook]:
        """Return each seat's edge in a small picture (BGR and grey), with the motion since the grey one before."""
        lab = cv2.cvtColor(cv2.blur(small, (3, 3)), cv2.COLOR_BGR2LAB)
        change = np.zeros_like(gray) if before is None else cv2.blur(cv2.absdiff(gray, before), (3, 3))
        looks = {}
        inner = len(self._settings.inside_mm)
        for seat, colour_map, motion_map in zip(self.seats, self._colour_maps, self._motion_maps, strict=True):
            colours = cv2.remap(lab, colour_map, None, cv2.INTER_NEAREST, borderMode=cv2.BORDER_REPLICATE)
            motion = cv2.remap(change, motion_map, None, cv2.INTER_NEAREST, borderMode=cv2.BORDER_CONSTANT)
            rows, columns = len(self._settings.motion_out_mm) - 1, self._settings.motion_columns
            looks[seat] = EdgeLook(
                inside=colours[:inner].mean(axis=0).astype(np.float32),
                outside=colours[inner:].mean(axis=0).astype(np.float32),
                motion=motion.reshape(rows, 4, columns, 4).mean(axis=(1, 3)).astype(np.float32),
            )
        return looks
