"""Make hands from plain numbers: what MediaPipe would report of a hand at a place, without any picture."""

import numpy as np

from companion.vision.camera import Camera
from companion.vision.events import Side
from companion.vision.hands import HandObservation

SHAPE_MM = np.array(
    [(0, 0)]
    + [(-20 - 9 * k, 25 + 15 * k) for k in range(4)]
    + [(x, 80 + 24 * k) for x in (-24, -8, 8, 24) for k in range(4)],
    dtype=float,
)
"""A flat right hand (21 x 2, mm): wrist at the origin, fingers towards +y."""


def hand_at(
    camera: Camera,
    wrist_mm: tuple[float, float, float],
    towards: tuple[float, float] = (0.0, 1.0),
    side: Side = Side.RIGHT,
    score: float = 0.9,
) -> HandObservation:
    """Return the observation of a flat hand at a wrist (table mm) whose fingers point ``towards`` (table x, y)."""
    ahead = np.array(towards) / np.linalg.norm(towards)
    right = np.array([ahead[1], -ahead[0]])
    flip = 1 if side is Side.RIGHT else -1
    flat = np.array(wrist_mm[:2]) + SHAPE_MM[:, :1] * flip * right + SHAPE_MM[:, 1:] * ahead
    points = np.column_stack([flat, np.full(21, wrist_mm[2])])
    return HandObservation(
        box=0,
        side=side,
        score=score,
        landmarks_px=camera.project(points),
        world_mm=np.column_stack([SHAPE_MM, np.zeros(21)]),
    )
