"""The space over the discard pile as the slap analysis sees it: a small crop, and what each pixel of it shows."""

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.frame import Image
from companion.vision.geometry import Camera
from companion.vision.layout import Layout

REACH_DEG = 9.0
"""Arms come in this much beside their seat's ray, right hands on one side and left hands on the other."""

BEYOND_DEG = 40.0
"""Farther beside a seat's ray an arm is not this seat's."""

Floats = NDArray[np.float32]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewSettings:
    """How much around the pile is looked at, and how finely."""

    reach_mm: float = 300.0
    """Radius about the discard pile; a hand on the pile and most of its forearm lie inside."""
    above_mm: float = 130.0
    """Height above the table that the crop takes in; four hands on each other are 60 to 120 mm high."""
    arm_height_mm: float = 80.0
    """Height at which pixels are placed on the table: wrists at rest lay 56 to 124 mm high on training footage."""
    pixel_mm: float = 3.0
    """Finest size of a pixel worth keeping; finer pictures are reduced, which also averages noise away."""
    blur_px: float = 0.8
    """Smoothing before differences are taken: compression noise is about a pixel wide."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArmSettings:
    """The volume that an arm fills whose hand lies on the pile; millimetres."""

    radii_mm: tuple[float, float] = (60.0, 290.0)
    """From the hand's heel outward: nearer, other hands cover it; a sleeve may look like the table, a hand does not."""
    half_mm: float = 38.0
    """Half the width of a forearm with its sleeve."""
    heights_mm: tuple[float, float] = (40.0, 110.0)
    """Heights of the forearm's axis at rest on training footage, low hand to high hand."""
    rise: float = 0.4
    """How much higher a forearm may be for each mm outward, as it comes down to the pile from the shoulder: seen from a
    low camera it then seems to come in from farther back."""
    margin_mm: float = 30.0
    """How much wider the volume is in which all that stops at once is one arm or its shadow."""
    step_deg: float = 5.0
    """Directions are told apart to this."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Crop:
    """Where the crop lies: the pile in the table's frame (mm), the crop's origin (px), its reduction and its shape."""

    pile: NDArray[np.float64]
    origin: tuple[int, int]
    reduce: int
    shape: tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class PileView:
    """A crop around the discard pile, ``shape`` in px, and for each of its pixels where it lies about the pile.

    ``radius_mm`` and ``angle_deg`` (table frame, counter-clockwise from x) are those of the point at arm height that
    the pixel shows; ``area_mm2`` is the area there that one pixel covers. ``seat_deg`` are the directions of the seats.
    ``arms`` (directions x pixels) are the images of an arm that reaches in from each of ``arm_deg``, summing to 1 each;
    ``wide_arms`` the same with a margin.
    """

    x0: int
    y0: int
    x1: int
    y1: int
    reduce: int
    frame_height: int
    blur_px: float
    radius_mm: Floats
    angle_deg: Floats
    area_mm2: Floats
    seat_deg: dict[int, float]
    lean_deg: dict[int, float]
    arm_deg: Floats
    arms: Floats
    wide_arms: Mask

    @property
    def shape(self) -> tuple[int, int]:
        """Return height and width of the crop in px, after it is reduced."""
        return self.radius_mm.shape[0], self.radius_mm.shape[1]

    @property
    def late(self) -> float:
        """Return how much later than the middle line the pile's lines are read, as a share of the readout."""
        return (self.y0 + self.y1) / 2 / self.frame_height - 0.5

    def wide(self, angle_deg: float) -> Mask:
        """Return the image of an arm that reaches in from a direction, with its margin: height x width."""
        nearest = int(np.abs(turn_deg(self.arm_deg, angle_deg)).argmin())
        return np.asarray(self.wide_arms[nearest].reshape(self.shape))

    def cut(self, image: Image) -> Floats:
        """Return the crop of a BGR picture: height x width x 3, float32, reduced and smoothed."""
        part = image[self.y0 : self.y1, self.x0 : self.x1].astype(np.float32)
        if self.reduce > 1:
            height, width = self.shape
            part = np.asarray(cv2.resize(part, (width, height), interpolation=cv2.INTER_AREA), dtype=np.float32)
        return np.asarray(cv2.GaussianBlur(part, (0, 0), self.blur_px), dtype=np.float32)


def pile_view(
    camera: Camera, layout: Layout, settings: ViewSettings | None = None, arm: ArmSettings | None = None
) -> PileView:
    """Return the view of the space over the discard pile."""
    settings, arm = settings or ViewSettings(), arm or ArmSettings()
    pile = np.array(layout.discard_mm, dtype=np.float64)
    x0, y0, x1, y1 = _box(camera, pile, settings)
    reduce = max(1, int(settings.pixel_mm / _pixel_mm(camera, pile, settings) + 0.5))
    width, height = max(8, (x1 - x0) // reduce), max(8, (y1 - y0) // reduce)
    x1, y1 = x0 + width * reduce, y0 + height * reduce
    ys, xs = np.mgrid[0:height, 0:width]
    px = np.column_stack([x0 + (xs.ravel() + 0.5) * reduce - 0.5, y0 + (ys.ravel() + 0.5) * reduce - 0.5])
    at = np.asarray(camera.to_table(px, settings.arm_height_mm), dtype=np.float64)[:, :2].reshape(height, width, 2)
    at = np.nan_to_num(at - pile, nan=1e6)
    dy = np.asarray(np.gradient(at, axis=0), dtype=np.float64)
    dx = np.asarray(np.gradient(at, axis=1), dtype=np.float64)
    area = np.abs(dx[..., 0] * dy[..., 1] - dx[..., 1] * dy[..., 0])
    arm_deg = np.arange(-180.0, 180.0, arm.step_deg)
    crop = _Crop(pile=pile, origin=(x0, y0), reduce=reduce, shape=(height, width))
    narrow = np.array([_arm(camera, crop, deg, arm) for deg in arm_deg])
    wide = np.array([_arm(camera, crop, deg, arm, margin_mm=arm.margin_mm) for deg in arm_deg])
    seat_deg = {s.seat: float(np.degrees(np.arctan2(*(np.array(s.edge_mm) - pile)[::-1]))) for s in layout.seats}
    return PileView(
        x0=x0,
        y0=y0,
        x1=x1,
        y1=y1,
        reduce=reduce,
        frame_height=camera.size[1],
        blur_px=settings.blur_px,
        radius_mm=np.hypot(at[..., 0], at[..., 1]).astype(np.float32),
        angle_deg=np.degrees(np.arctan2(at[..., 1], at[..., 0])).astype(np.float32),
        area_mm2=area.astype(np.float32),
        seat_deg=seat_deg,
        lean_deg={
            seat: _lean_deg(camera, crop, deg, (narrow, arm_deg.astype(np.float32)), arm)
            for seat, deg in seat_deg.items()
        },
        arm_deg=arm_deg.astype(np.float32),
        arms=(narrow / np.maximum(narrow.sum(axis=1, keepdims=True), 1)).astype(np.float32),
        wide_arms=wide,
    )


def _lean_deg(camera: Camera, crop: _Crop, seat_deg: float, views: tuple[Mask, Floats], arm: ArmSettings) -> float:
    """Return by how much an arm that comes down from a seat seems to come in from another direction than it does."""
    images, degs = views
    steep = _arm(camera, crop, seat_deg, arm, rise=arm.rise)
    common = (images & steep).sum(axis=1) / np.maximum((images | steep).sum(axis=1), 1)
    return float(turn_deg(float(degs[int(common.argmax())]), seat_deg)) if common.max() > 0 else 0.0


def _arm(
    camera: Camera, crop: _Crop, deg: float, arm: ArmSettings, *, margin_mm: float = 0.0, rise: float = 0.0
) -> Mask:
    """Return the image (flat, over the crop's pixels) of an arm that reaches in from a direction."""
    along = np.array([np.cos(np.radians(deg)), np.sin(np.radians(deg))])
    across = np.array([-along[1], along[0]])
    half = arm.half_mm + margin_mm
    low, high = arm.heights_mm[0] - margin_mm, arm.heights_mm[1] + margin_mm
    corners = [
        (*(crop.pile + r * along + s * half * across), z + rise * (r - arm.radii_mm[0]))
        for r in arm.radii_mm
        for s in (-1, 1)
        for z in (low, high)
    ]
    px = camera.project(corners)
    image = np.zeros(crop.shape, dtype=np.uint8)
    if not np.isnan(px).any():
        hull = cv2.convexHull(((px - crop.origin) / crop.reduce).astype(np.float32))
        cv2.fillConvexPoly(image, np.round(hull).astype(np.int32), 1)
    return np.asarray(image.ravel() > 0)


def beside_deg(angle_deg: float, seat: int, view: PileView) -> float:
    """Return how far beside a seat's ray a direction is, leaning arms allowed for."""
    off, lean = float(turn_deg(angle_deg, view.seat_deg[seat])), view.lean_deg[seat]
    if off * lean <= 0:
        return off
    return math.copysign(max(abs(off) - abs(lean), min(abs(off), REACH_DEG)), off)


def turn_deg(a: Floats | float, b: Floats | float) -> Floats:
    """Return the signed turn from angle ``b`` to angle ``a`` in degrees, from -180 to 180."""
    return np.asarray((np.asarray(a) - b + 180.0) % 360.0 - 180.0, dtype=np.float32)


def _box(camera: Camera, pile: NDArray[np.float64], settings: ViewSettings) -> tuple[int, int, int, int]:
    around = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    ring = pile + settings.reach_mm * np.column_stack([np.cos(around), np.sin(around)])
    points = np.vstack([np.column_stack([ring, np.full(len(ring), z)]) for z in (0.0, settings.above_mm)])
    px = camera.project(points)
    px = px[~np.isnan(px[:, 0])]
    width, height = camera.size
    low = np.clip(np.floor(px.min(axis=0)), 0, [width - 16, height - 16]).astype(int)
    high = np.clip(np.ceil(px.max(axis=0)), low + 16, [width, height]).astype(int)
    return int(low[0]), int(low[1]), int(high[0]), int(high[1])


def _pixel_mm(camera: Camera, pile: NDArray[np.float64], settings: ViewSettings) -> float:
    step = np.array([[0.0, 0.0, 0.0], [50.0, 0.0, 0.0], [0.0, 50.0, 0.0]])
    px = camera.project(np.append(pile, settings.arm_height_mm) + step)
    longest = max(float(np.linalg.norm(px[1] - px[0])), float(np.linalg.norm(px[2] - px[0])))
    return 50.0 / max(longest, 1e-6)
