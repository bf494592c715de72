"""Where to look for hands in this frame: around the hands that are followed, and seldom over a seat's whole space.

A call of the hand model costs 10 to 20 ms of a core, so the picture is never searched as a whole. Pure: pictures and
times in, boxes out.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.camera import Camera, Floats
from companion.vision.frame import Image
from companion.vision.geometry import Box, seat_axes
from companion.vision.hands import HandObservation
from companion.vision.layout import Layout

Gray = NDArray[np.uint8]


@dataclass(frozen=True, slots=True, kw_only=True)
class LookingSettings:
    """Sizes are in hand lengths unless they say px."""

    hand_mm: float = 180.0
    """Length of a grown-up's hand, where the player's was not measured."""
    tile: float = 2.8
    """Side of a search tile. The detector's finds fall off steeply with scale: fan hands that it missed in tiles of 5
    hand lengths (10 % found) were found in 3.5 (60 %) and 2.5 (70 %); in five clips of 640 px, 2.8 in place of 3.3
    found 87.3 % of the hands in place of 84.9 %, at 2 % more calls."""
    along_mm: float = 175.0
    """Search tiles lie this far to the left and right of the seat's middle..."""
    out_mm: tuple[float, float] = (-150.0, 40.0)
    """...and this far outward from the edge; hands at rest lie around it."""
    search_height_mm: float = 90.0
    """Height of the search tiles' middles over the table."""
    jitter: float = 0.35
    """How far, in hand lengths, a tile moves from one search to the next: a hand missed in one crop is often found in
    another, and the same crop would be missed again."""
    around: float = 2.7
    """Side of the box around a followed hand; at 3 hand lengths 90 % of rendered hands are found."""
    around_lost: tuple[float, ...] = (2.0, 2.7, 3.4)
    """The same, in turn, where the hand was not found the last times: the crop that missed it would miss it again. Of
    83 hands missed in pictures of 640 px, 31 % were found in 2 hand lengths, 27 % in 2.7, 19 % in 3.4."""
    pair: float = 3.6
    """Two hands that fit into a box of this side are looked at with one call."""
    gray_px: int = 640
    """Width of the small grey picture that motion and short drop-outs are judged on."""
    reach: float = 0.45
    """How far a hand that the model lost is searched by its looks."""
    alike: float = 0.72
    """Correlation from which a patch is still the same hand."""


SETTINGS = LookingSettings()


def small_picture(image: Image, settings: LookingSettings = SETTINGS) -> Image:
    """Return the picture scaled down to a fixed width; one that is no wider stays as it is."""
    scale = min(1.0, settings.gray_px / image.shape[1])
    if scale >= 1.0:
        return image
    return np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def to_gray(image: Image) -> Gray:
    """Return a picture in grey."""
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), dtype=np.uint8)


def square(centre: Floats, side: float, size: tuple[int, int]) -> Box:
    """Return a square box (px) of that side about a point, shifted into the picture where it would stick out."""
    side_px = int(max(24, min(side, *size)))
    x0 = int(min(max(centre[0] - side_px / 2, 0), size[0] - side_px))
    y0 = int(min(max(centre[1] - side_px / 2, 0), size[1] - side_px))
    return Box(x0, y0, x0 + side_px, y0 + side_px)


@dataclass(frozen=True, eq=False, slots=True)
class Tile:
    """A place where a seat's hands are searched: its middle (2, px) and a hand's length there (px)."""

    seat: int
    centre_px: Floats
    hand_px: float


def seat_tiles(camera: Camera, layout: Layout, settings: LookingSettings = SETTINGS) -> list[Tile]:
    """Return the places where each seat's hands are searched, those that lie in the picture."""
    tiles = []
    for seat in layout.seats:
        middle, along, away = seat_axes(layout, seat.seat)
        for out in settings.out_mm:
            for side in (-1, 1):
                place = [(*(middle + side * settings.along_mm * along + out * away), settings.search_height_mm)]
                depth = float(camera.depth_mm(place)[0])
                px = camera.project(place)[0]
                if depth < 100.0 or not np.isfinite(px).all():
                    continue
                hand_px = camera.focal_px * (seat.hand_mm or settings.hand_mm) / depth
                margin = settings.tile * hand_px / 2
                if (px > -margin).all() and (px < np.array(camera.size) + margin).all():
                    tiles.append(Tile(seat.seat, px, hand_px))
    return tiles


def tile_box(tile: Tile, visit: int, size: tuple[int, int], settings: LookingSettings = SETTINGS) -> Box:
    """Return the box (px) to look at on the so-manieth visit of a tile: each time a little elsewhere."""
    # golden-ratio steps spread the visits evenly without a random number
    shift = np.array([(visit * 0.618034) % 1.0, (visit * 0.754878) % 1.0]) * 2 - 1
    scale = (1.0, 0.8, 1.15)[visit % 3]
    return square(tile.centre_px + settings.jitter * tile.hand_px * shift, scale * settings.tile * tile.hand_px, size)


def missed_looks(looks: float, *, still: bool) -> int:
    """Return how many looks have missed a hand that was last found so many looks ago.

    A hand that lies ``still`` counts as not missed every other time: then one call may do for it and its neighbour.
    """
    missed = max(round(looks) - 1, 0)
    return missed if missed % 2 or not still else 0


def boxes_around(
    spots: Sequence[tuple[Floats, float, int]], size: tuple[int, int], settings: LookingSettings = SETTINGS
) -> list[Box]:
    """Return boxes around hands given as (centre px, hand length px, looks that missed it).

    Hands close together share one, unless one of them was missed.
    """
    left = list(spots)
    boxes = []
    while left:
        centre, length, missed = left.pop(0)
        for k, (other, other_length, other_missed) in enumerate(left):
            if missed or other_missed:
                continue
            apart = float(np.abs(centre - other).max())
            side = apart + 0.5 * settings.around * (length + other_length) * 0.8
            if side <= settings.pair * max(length, other_length):
                del left[k]
                boxes.append(square((centre + other) / 2, side, size))
                break
        else:
            around = settings.around_lost[missed % len(settings.around_lost)] if missed else settings.around
            boxes.append(square(centre, around * length, size))
    return boxes


@dataclass(frozen=True, eq=False, slots=True)
class Patch:
    """What a hand looked like in the small grey picture; ``x``, ``y`` are its corner there."""

    gray: Gray
    x: int
    y: int


def take_patch(gray: Gray, hand: HandObservation, scale: float) -> Patch | None:
    """Return the patch under a hand's landmarks; ``scale`` turns the picture's px into the grey one's."""
    return patch_at(gray, hand.landmarks_px, scale)


def patch_at(gray: Gray, landmarks_px: Floats, scale: float) -> Patch | None:
    """Return the patch under landmarks (N x 2, px), or None where too little of it lies in the picture."""
    low = np.maximum(np.floor(landmarks_px.min(axis=0) * scale).astype(int) - 1, 0)
    high = np.minimum(np.ceil(landmarks_px.max(axis=0) * scale).astype(int) + 2, [gray.shape[1], gray.shape[0]])
    if (high - low < 6).any():
        return None
    return Patch(gray[low[1] : high[1], low[0] : high[0]].copy(), int(low[0]), int(low[1]))


def find_patch(
    gray: Gray, patch: Patch, reach: float, settings: LookingSettings = SETTINGS
) -> tuple[float, float, float]:
    """Return where a patch went: its shift (x, y, px of the grey picture) and the correlation there (-1 to 1).

    It is searched within ``reach`` px; (0, 0, -1) where it lies outside the picture.
    """
    height, width = patch.gray.shape
    by = int(max(2, reach))
    x0, y0 = max(patch.x - by, 0), max(patch.y - by, 0)
    x1, y1 = min(patch.x + width + by, gray.shape[1]), min(patch.y + height + by, gray.shape[0])
    if x1 - x0 < width or y1 - y0 < height:
        return 0.0, 0.0, -1.0
    match = cv2.matchTemplate(gray[y0:y1, x0:x1], patch.gray, cv2.TM_CCOEFF_NORMED)
    _, best, _, at = cv2.minMaxLoc(match)
    return float(x0 + at[0] - patch.x), float(y0 + at[1] - patch.y), float(best) if math.isfinite(best) else -1.0
