"""Lay the printed page into rendered footage: warped by the true camera, lit as the table is."""

import gzip
import json
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from companion.vision.markers import TABLE_PAGE, FloatArray, Image, page_picture

SUPERSAMPLE = 4
PX_PER_MM = 4.0


@dataclass(frozen=True, slots=True, kw_only=True)
class TrueScene:
    """What the renderer knows: the camera (table frame, mm), the table and the first frame."""

    name: str
    view: str
    image: Image
    matrix: FloatArray
    rotation: FloatArray
    translation_mm: FloatArray
    half_size_mm: tuple[float, float]
    round_table: bool

    def project(self, points_mm: FloatArray) -> FloatArray:
        """Project (N, 2) mm on the table into the picture (N, 2) px."""
        flat = np.column_stack([points_mm, np.zeros(len(points_mm))])
        seen = (flat @ self.rotation.T + self.translation_mm) @ self.matrix.T
        return np.asarray(seen[:, :2] / seen[:, 2:])

    def on_table(self, points_px: FloatArray) -> FloatArray:
        """Cast (N, 2) px onto the true table plane (N, 2) mm."""
        plane = self.matrix @ np.column_stack([self.rotation[:, :2], self.translation_mm])
        mm = cv2.perspectiveTransform(points_px[None].astype(np.float64), np.linalg.inv(plane))
        return np.asarray(mm[0])

    def corners_mm(self) -> FloatArray:
        """Return the contract's four outline points in the table's frame, mm."""
        x, y = self.half_size_mm
        if self.round_table:
            return np.array([[0, -x], [x, 0], [0, x], [-x, 0]])
        return np.array([[-x, -y], [x, -y], [x, y], [-x, y]])


def load_scene(stem: Path, frame: int = 0) -> TrueScene:
    """Read NAME.mp4 and NAME.json.gz."""
    with gzip.open(stem.with_suffix(".json.gz"), "rt") as file:
        full = json.load(file)
    video = cv2.VideoCapture(str(stem.with_suffix(".mp4")))
    for _ in range(frame + 1):
        _ok, image = video.read()
    video.release()
    camera = full["camera"]
    half = full["table"]["half_size"]
    return TrueScene(
        name=stem.name,
        view=full["view"],
        image=np.asarray(image, dtype=np.uint8),
        matrix=np.array(camera["K"], dtype=float),
        rotation=np.array(camera["R"], dtype=float),
        translation_mm=np.array(camera["t"], dtype=float) * 1000,
        half_size_mm=(half[0] * 1000, half[1] * 1000),
        round_table=full["table"]["shape"] == "round",
    )


def lay_page(scene: TrueScene, at_mm: tuple[float, float], turned_deg: float, seed: int = 0) -> Image:
    """Return the scene's picture with the page on the table, lit as the table is and with a camera's noise."""
    rng = np.random.default_rng(seed)
    page = page_picture(PX_PER_MM).astype(np.float32)
    width, height = TABLE_PAGE.size_mm
    rim = TABLE_PAGE.gap_mm
    paper = np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]]) * [width / 2 + rim, height / 2 + rim]
    image_h, image_w = scene.image.shape[:2]
    placed = scene.project(placed_mm(paper, at_mm, turned_deg)) * SUPERSAMPLE + (SUPERSAMPLE - 1) / 2
    rows, columns = page.shape
    drawn = np.array([[0, 0], [columns, 0], [columns, rows], [0, rows]]) - 0.5
    warp = cv2.getPerspectiveTransform(drawn.astype(np.float32), placed.astype(np.float32))
    size = (image_w * SUPERSAMPLE, image_h * SUPERSAMPLE)
    big = cv2.warpPerspective(page, warp, size, flags=cv2.INTER_AREA)
    cover = cv2.warpPerspective(np.ones_like(page), warp, size)
    ink = cv2.resize(big, (image_w, image_h), interpolation=cv2.INTER_AREA)
    mask = cv2.resize(cover, (image_w, image_h), interpolation=cv2.INTER_AREA)[..., None]
    light = float(np.percentile(scene.image, 90)) / 255
    lit = (25 + ink * 0.8) * min(1.0, light * 1.2)
    lit = cv2.GaussianBlur(lit, (0, 0), 0.6)[..., None]
    picture = scene.image * (1 - mask) + lit * mask
    picture += rng.normal(0, 2.0, picture.shape)
    return np.clip(picture, 0, 255).astype(np.uint8)


def placed_mm(points_mm: FloatArray, at_mm: tuple[float, float], turned_deg: float) -> FloatArray:
    """Move points from the page's frame into the table's."""
    angle = np.deg2rad(turned_deg)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    return np.asarray(points_mm @ turn.T + np.array(at_mm))
