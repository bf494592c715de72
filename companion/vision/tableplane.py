"""The table's plane, as the printed page gives it, and the picture of it seen from straight above."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.markers import TABLE_PAGE, FloatArray, Image, PageSighting

FloatImage = NDArray[np.float32]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class TablePlane:
    """The map from the table's plane (mm, origin at the page's middle, x right and y up on the page) to the picture."""

    to_image: FloatArray

    def project(self, points_mm: FloatArray) -> FloatArray:
        """Project points on the table (N, 2) mm into the picture (N, 2) px."""
        return np.asarray(cv2.perspectiveTransform(np.asarray(points_mm, dtype=np.float64)[None], self.to_image)[0])

    def on_table(self, points_px: FloatArray) -> FloatArray:
        """Cast picture points (N, 2) px onto the table (N, 2) mm."""
        back = np.linalg.inv(self.to_image)
        return np.asarray(cv2.perspectiveTransform(np.asarray(points_px, dtype=np.float64)[None], back)[0])


def plane_of_page(sighting: PageSighting, print_scale: float = 1.0) -> TablePlane:
    """Fit the plane to the page's corners.

    ``print_scale`` is what the page's 100 mm ruler measures, over 100. The plain homography, without a focal length,
    was off by 0.2 to 3 mm at the corners of a table; a pose by a nominal focal length 3 % off, by 1 to 6 mm.
    """
    to_image, _used = cv2.findHomography(sighting.page_mm * print_scale, sighting.image_px)
    return TablePlane(np.asarray(to_image, dtype=np.float64))


@dataclass(frozen=True, slots=True, kw_only=True)
class TopView:
    """The table's plane seen from above: square pictures of ``mm_per_px``, the page in the middle, y up.

    ``lab`` (n, n, 3) colours; ``likeness`` (n, n) how table-like a place is, 0 to 1; ``seen`` where the picture has it.
    """

    mm_per_px: float
    lab: FloatImage
    likeness: FloatImage
    seen: Mask

    @property
    def middle(self) -> float:
        """Return the page's middle in px, the same in both directions."""
        return float((self.seen.shape[0] - 1) / 2)

    def to_mm(self, points_px: FloatArray) -> FloatArray:
        """Turn places in this picture (N, 2) px into places on the table (N, 2) mm."""
        return np.asarray((points_px - self.middle) * [self.mm_per_px, -self.mm_per_px])


REACH_MM = 1100.0
"""How far from the page the table is looked for: tables that families play on are up to 2 m long."""
RING_MM = 90.0
"""What lies this close around the page is taken to look as the table does."""


def top_view(image: Image, plane: TablePlane, mm_per_px: float, reach_mm: float = REACH_MM) -> TopView:
    """Look at the table's plane from straight above, ``reach_mm`` around the page, and learn the table's colours."""
    side = round(2 * reach_mm / mm_per_px)
    from_view = np.array(
        [[mm_per_px, 0, mm_per_px / 2 - reach_mm], [0, -mm_per_px, reach_mm - mm_per_px / 2], [0, 0, 1]]
    )
    to_image = plane.to_image @ from_view
    above = cv2.warpPerspective(image, to_image, (side, side), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
    seen = _seen(to_image, side, (image.shape[1], image.shape[0]))
    lab = np.asarray(cv2.cvtColor(cv2.GaussianBlur(above, (0, 0), 1.0), cv2.COLOR_BGR2LAB), dtype=np.uint8)
    likeness = _likeness(lab, seen, mm_per_px)
    return TopView(mm_per_px=mm_per_px, lab=lab.astype(np.float32), likeness=likeness, seen=seen)


def _seen(to_image: FloatArray, side: int, image_size: tuple[int, int]) -> Mask:
    y, x = np.mgrid[0:side, 0:side]
    across, down, depth = np.moveaxis(np.stack([x, y, np.ones_like(x)], axis=-1) @ to_image.T, -1, 0)
    towards = np.sign((to_image @ [side / 2, side / 2, 1])[2])
    in_front = depth * towards > 1e-9
    depth = np.where(in_front, depth, 1.0)
    u, v = across / depth, down / depth
    inside = (u > 1) & (v > 1) & (u < image_size[0] - 2) & (v < image_size[1] - 2)
    return np.asarray(in_front & inside)


def _likeness(lab: Image, seen: Mask, mm_per_px: float) -> FloatImage:
    """Compare the colours just around the page with those of the whole picture, as two histograms."""
    side = lab.shape[0]
    at = (np.arange(side) - (side - 1) / 2) * mm_per_px
    width, height = TABLE_PAGE.size_mm
    paper = 2 * TABLE_PAGE.gap_mm
    outside = np.maximum(np.abs(at)[None] - width / 2 - paper, np.abs(at)[:, None] - height / 2 - paper)
    page = outside <= 0
    ring = (outside > 0) & (outside < RING_MM) & seen
    bins = (lab // np.array([12, 8, 8], dtype=np.uint8)).reshape(-1, 3)
    near = _histogram(bins[ring.ravel()])
    everywhere = _histogram(bins[(seen & ~page).ravel()])
    index = tuple(bins.T)
    likeness = (near[index] / (near[index] + everywhere[index] + 1e-9)).reshape(side, side)
    likeness[page] = 1.0
    return np.asarray(cv2.GaussianBlur(likeness.astype(np.float32), (0, 0), 6.0 / mm_per_px))


def _histogram(bins: Image) -> FloatArray:
    counts = np.zeros((22, 32, 32))
    np.add.at(counts, tuple(bins.T), 1.0)
    for axis in range(3):
        counts = counts + 0.6 * (np.roll(counts, 1, axis) + np.roll(counts, -1, axis))
    return np.asarray(counts / max(counts.sum(), 1.0))
