"""Render the lens board through a camera that is known exactly: matrix, distortion, blur and noise."""

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np

from companion.vision.markers import LENS_BOARD, FloatArray, Image, charuco_board

PX_PER_MM = 4.0
RIM_MM = 12.0
SUPERSAMPLE = 2


@dataclass(frozen=True)
class LensCamera:
    """A camera with a known lens; renders the board on a grey wall."""

    size: tuple[int, int]
    focal_px: float
    centre: tuple[float, float]
    distortion: tuple[float, ...]

    @property
    def matrix(self) -> FloatArray:
        """Return the 3 x 3 matrix."""
        return np.array([[self.focal_px, 0, self.centre[0]], [0, self.focal_px, self.centre[1]], [0, 0, 1]])

    @cached_property
    def rays(self) -> FloatArray:
        """Return the ray (x, y at depth 1) of every sub-pixel: (h, w, 2)."""
        steps = (np.arange(SUPERSAMPLE) + 0.5) / SUPERSAMPLE - 0.5
        x = (np.arange(self.size[0])[:, None] + steps).ravel()
        y = (np.arange(self.size[1])[:, None] + steps).ravel()
        grid = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 1, 2)
        flat = cv2.undistortPoints(grid, self.matrix, np.array(self.distortion))
        return np.asarray(flat).reshape(len(y), len(x), 2)

    @cached_property
    def paper(self) -> Image:
        """Return the printed sheet, with its rim."""
        board = LENS_BOARD.size_mm
        rim = round(RIM_MM * PX_PER_MM)
        size = (round(board[0] * PX_PER_MM) + 2 * rim, round(board[1] * PX_PER_MM) + 2 * rim)
        return np.asarray(charuco_board().generateImage(size, marginSize=rim), dtype=np.uint8)

    def picture(self, turn: FloatArray, move_mm: FloatArray, *, bend: float = 0.0, seed: int = 0) -> Image:
        """Render the board at a pose (board frame to camera frame); ``bend`` curves the sheet, 1/mm."""
        rotation = np.asarray(cv2.Rodrigues(turn)[0])
        rays = np.dstack([self.rays, np.ones(self.rays.shape[:2])])
        normal = rotation[:, 2]
        depth = (normal @ move_mm) / (rays @ normal)
        on_board = (rays * depth[..., None] - move_mm) @ rotation
        if bend:
            for _again in range(3):
                off = bend * (on_board[..., 0] - LENS_BOARD.size_mm[0] / 2) ** 2
                depth = (normal @ move_mm + off) / (rays @ normal)
                on_board = (rays * depth[..., None] - move_mm) @ rotation
        px = ((on_board[..., :2] + RIM_MM) * PX_PER_MM - 0.5).astype(np.float32)
        px[(depth <= 0) | ~np.isfinite(depth)] = -1e4
        sheet = cv2.remap(self.paper, px, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=120)
        small = cv2.resize(sheet, self.size, interpolation=cv2.INTER_AREA).astype(np.float32)
        noisy = cv2.GaussianBlur(small, (0, 0), 0.8) * 0.75 + 20
        noisy += np.random.default_rng(seed).normal(0, 3.0, noisy.shape)
        return np.clip(noisy, 0, 255).astype(np.uint8)


def waved(camera: LensCamera, count: int, seed: int, tilt_deg: float = 35.0) -> list[tuple[FloatArray, FloatArray]]:
    """Return poses all over the picture, near and far, tilted up to ``tilt_deg`` either way."""
    rng = np.random.default_rng(seed)
    board = np.array([*LENS_BOARD.size_mm, 0]) / 2
    poses = []
    for k in range(count):
        depth = rng.uniform(320, 620)
        columns, rows = 4, 3
        cell = np.array(
            [(k % columns + rng.uniform(0.3, 0.7)) / columns, (k // columns % rows + rng.uniform(0.3, 0.7)) / rows]
        )
        aim = (cell * camera.size - camera.centre) / camera.focal_px * 0.9
        turn = np.append(np.radians(rng.uniform(-tilt_deg, tilt_deg, 2)), rng.uniform(-0.3, 0.3))
        rotation = np.asarray(cv2.Rodrigues(turn)[0])
        middle = np.array([aim[0] * depth, aim[1] * depth, depth])
        poses.append((turn, middle - rotation @ board))
    return poses
