"""Draw a table with the printed page on it, as a camera that is known exactly sees it; no footage needed."""

from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.markers import TABLE_PAGE, FloatArray, Image, page_picture

PX_PER_MM = 1.0
REACH_MM = 1500
SUPERSAMPLE = 2


@dataclass(frozen=True, kw_only=True)
class DrawnTable:
    """A table top on a floor, and a camera over it; the table's frame is the contract's, mm."""

    size_mm: tuple[float, float] = (1000.0, 700.0)
    round_table: bool = False
    eye_mm: tuple[float, float, float] = (0.0, -900.0, 1300.0)
    page_at: tuple[float, float] = (40.0, -30.0)
    page_turned_deg: float = 25.0
    focal_px: float = 900.0
    size_px: tuple[int, int] = (1280, 720)

    def to_image(self) -> FloatArray:
        """Return the homography from the table (mm) to the picture (px); the camera looks at the table's middle."""
        eye = np.array(self.eye_mm)
        ahead = -eye / np.linalg.norm(eye)
        right = np.cross(ahead, [0.0, 1.0, 0.0] if abs(ahead[2]) > 0.95 else [0.0, 0.0, 1.0])
        right /= np.linalg.norm(right)
        rotation = np.array([right, np.cross(ahead, right), ahead])
        matrix = np.array([[self.focal_px, 0, self.size_px[0] / 2], [0, self.focal_px, self.size_px[1] / 2], [0, 0, 1]])
        return np.asarray(matrix @ np.column_stack([rotation[:, :2], -rotation @ eye]))

    def outline_mm(self) -> FloatArray:
        """Return the contract's four points."""
        x, y = self.size_mm[0] / 2, self.size_mm[1] / 2
        if self.round_table:
            return np.array([[0, -x], [x, 0], [0, x], [-x, 0]])
        return np.array([[-x, -y], [x, -y], [x, y], [-x, y]])

    def picture(self, seed: int = 0, page: bool = True) -> Image:
        """Return one BGR picture with a camera's blur and noise."""
        rng = np.random.default_rng(seed)
        from_top = np.array([[1 / PX_PER_MM, 0, -REACH_MM], [0, -1 / PX_PER_MM, REACH_MM], [0, 0, 1]])
        enlarge = np.array([[SUPERSAMPLE, 0, 0.5], [0, SUPERSAMPLE, 0.5], [0, 0, 1.0]])
        size = (self.size_px[0] * SUPERSAMPLE, self.size_px[1] * SUPERSAMPLE)
        big = cv2.warpPerspective(self._top(page), enlarge @ self.to_image() @ from_top, size, borderValue=(90, 80, 70))
        small = cv2.GaussianBlur(cv2.resize(big, self.size_px, interpolation=cv2.INTER_AREA), (0, 0), 0.7)
        return np.clip(small + rng.normal(0, 2.5, small.shape), 0, 255).astype(np.uint8)

    def _top(self, page: bool) -> Image:
        rng = np.random.default_rng(5)
        side = round(2 * REACH_MM * PX_PER_MM)
        floor = np.full((side, side, 3), (92, 84, 76), np.uint8)
        grain = cv2.resize(rng.normal(0, 6, (side // 30, side // 8)).astype(np.float32), (side, side))
        top = np.clip(floor + grain[..., None], 0, 255).astype(np.uint8)
        shape = np.zeros((side, side), np.uint8)
        middle = (side // 2, side // 2)
        if self.round_table:
            cv2.circle(shape, middle, round(self.size_mm[0] / 2 * PX_PER_MM), 255, -1)
        else:
            half = np.array(self.size_mm) / 2 * PX_PER_MM
            cv2.rectangle(shape, np.int32(middle - half).tolist(), np.int32(middle + half).tolist(), 255, -1)
        wood = np.clip(np.array([70, 120, 170]) + 2 * grain[..., None], 0, 255).astype(np.uint8)
        top[shape > 0] = wood[shape > 0]
        if page:
            self._lay_page(top)
        return top

    def _lay_page(self, top: Image) -> None:
        sheet = page_picture(3.0)
        rows, columns = sheet.shape
        rim = TABLE_PAGE.gap_mm
        half = (np.array(TABLE_PAGE.size_mm) / 2 + rim) * PX_PER_MM
        angle = np.radians(self.page_turned_deg)
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        local = np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]]) * half
        at = (local @ turn.T + np.array(self.page_at) * PX_PER_MM) * [1, -1] + top.shape[0] / 2
        drawn = np.array([[0, 0], [columns, 0], [columns, rows], [0, rows]], dtype=np.float32) - 0.5
        warp = cv2.getPerspectiveTransform(drawn, (at - 0.5).astype(np.float32))
        ink = cv2.warpPerspective(cv2.GaussianBlur(sheet, (0, 0), 1.2), warp, top.shape[1::-1])
        cover = cv2.warpPerspective(np.full_like(sheet, 255), warp, top.shape[1::-1])
        top[cover > 127] = np.clip(ink[cover > 127, None] * 0.85 + 20, 0, 255).astype(np.uint8)
