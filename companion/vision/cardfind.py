"""Find a loose card of the game on the table: four straight sides, the right proportions, alone on the table top."""

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.cardscale import CARD_MM, CardError, CardFit, CardSettings, size_by_card
from companion.vision.geometry import outline_curve
from companion.vision.layout import XY, Layout, Shape, Table
from companion.vision.markers import FloatArray, Image

Mask = NDArray[np.uint8]
FloatImage = NDArray[np.float32]
_Line = tuple[FloatArray, FloatArray]


@dataclass(frozen=True, slots=True, kw_only=True)
class CardFindSettings:
    """Numbers of the search; px at 1280 px width."""

    apart_lab: tuple[float, ...] = (14.0, 22.0, 34.0, 50.0)
    """How far a card's colours may be from the table's, tried in turn."""
    edges: tuple[tuple[int, int], ...] = ((30, 90), (60, 160))
    """Thresholds of the edges that may close a card's border."""
    area_px: tuple[float, float] = (500.0, 40_000.0)
    solid: float = 0.88
    """The part of its convex hull that a card's area is: fingers and fans have dents."""
    inside_px: float = 4.0
    """A card lies this far inside the outline."""
    search_share: float = 0.09
    """How far from a guessed side its edge is looked for, as a share of the side."""
    least_search_px: float = 3.0
    free_share: float = 0.16
    """Kept free at a side's ends: rounded corners."""
    along_rows: int = 7
    weak: float = 3.5
    """A slope below this, in Lab per px, is noise."""
    strong_share: float = 0.25
    """An edge of this part of the strongest slope counts: a white rim on pale wood is weaker than the print on it."""
    near_px: float = 0.9
    least_seen: float = 0.55
    """The part of each side's edge points that must lie on one line."""
    certain_off_px: float = 0.45
    """Found by itself, a card's corners must fit a card's this well: a phone or a napkin does not."""
    grown: tuple[float, ...] = (1.14, 1.07, 1.0)
    """How much larger than the shape found first its border is looked for."""
    most_turn: float = 0.1
    """A side turns by no more than this (radians) when it is put on its edge: wood's grain runs past cards aslant."""
    least_mm: float = 450.0
    deepest_mm: float = 1500.0
    longest_mm: float = 2600.0
    widest_round_mm: float = 1700.0
    """Tables that families play at; what would make another of it is no card but a cup, or a check of the cloth."""
    alike: float = 0.08
    """Where another thing fits about as well elsewhere, or gives another size, it is asked which the card is."""
    alike_off: float = 2.0
    apart_px: float = 25.0


SETTINGS = CardFindSettings()


@dataclass(frozen=True, slots=True)
class FoundCard:
    """A card's corners in turn (4, 2) px, and the table with the size it gives."""

    corners_px: tuple[XY, XY, XY, XY]
    fit: CardFit


def find_card(image: Image, layout: Layout, card_mm: XY = CARD_MM, settings: CardFindSettings = SETTINGS) -> FoundCard:
    """Find the card in a BGR picture of the table whose outline is known; raises CardError where none is certain."""
    scale = image.shape[1] / 1280
    lab = _lab(image)
    found: list[FoundCard] = []
    strict = CardSettings(most_off_px=settings.certain_off_px)
    for quad in _quads(lab, layout, scale, settings):
        if any(np.linalg.norm(quad.mean(axis=0) - np.array(f.corners_px).mean(axis=0)) < 6 * scale for f in found):
            continue
        # a card's print has a frame of its own: the outermost border that is a card's is the card
        for grown in settings.grown:
            snapped = _snapped(lab, quad.mean(axis=0) + grown * (quad - quad.mean(axis=0)), scale, settings)
            card = None if snapped is None else _card(layout, snapped, card_mm, strict)
            if card is not None and _usual(card.fit.table, settings):
                found.append(card)
                break
    if not found:
        raise CardError(
            "No card was found: lay one card flat near the middle of the table, nothing on it, or drag the four "
            "corners onto it."
        )
    best = min(found, key=lambda card: card.fit.off_px)
    rivals = [card for card in found if card.fit.off_px < settings.alike_off * max(best.fit.off_px, 0.15 * scale)]
    middle = np.array(best.corners_px).mean(axis=0)
    apart = [np.linalg.norm(np.array(card.corners_px).mean(axis=0) - middle) for card in rivals]
    sizes = [abs(card.fit.table.width_mm / best.fit.table.width_mm - 1) for card in rivals]
    if max(apart) > settings.apart_px * scale or max(sizes) > settings.alike:
        raise CardError("Several things look like a card: drag the four corners onto the card's.")
    return best


def _card(layout: Layout, corners_px: FloatArray, card_mm: XY, settings: CardSettings) -> FoundCard | None:
    try:
        return FoundCard(_four(corners_px), size_by_card(layout, corners_px, card_mm, settings))
    except CardError:
        return None


def _usual(table: Table, s: CardFindSettings) -> bool:
    if table.shape is Shape.ROUND:
        return s.least_mm <= table.width_mm <= s.widest_round_mm
    sides = sorted((table.width_mm, table.depth_mm))
    return s.least_mm <= sides[0] <= s.deepest_mm and sides[1] <= s.longest_mm


def measure_card(image: Image, layout: Layout, corners_px: FloatArray, card_mm: XY = CARD_MM) -> FoundCard:
    """Take the card whose corners a person placed (4, 2) px: they are put on its edges where those are seen."""
    tapped = np.asarray(corners_px, dtype=np.float64).reshape(4, 2)
    scale = image.shape[1] / 1280
    snapped = _snapped(_lab(image), tapped, scale, SETTINGS)
    as_tapped = FoundCard(_four(tapped), size_by_card(layout, tapped, card_mm))
    if snapped is None:
        return as_tapped
    on_edges = _card(layout, snapped, card_mm, CardSettings())
    return as_tapped if on_edges is None else min(as_tapped, on_edges, key=lambda card: card.fit.off_px)


def _lab(image: Image) -> FloatImage:
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2LAB), dtype=np.float32)


def _quads(lab: FloatImage, layout: Layout, scale: float, s: CardFindSettings) -> Iterator[FloatArray]:
    """Yield four-cornered shapes on the table, the likeliest way of seeing them first."""
    top = _table_mask(lab.shape[:2], layout, scale, s)
    lab = np.asarray(cv2.GaussianBlur(lab, (0, 0), 0.8), dtype=np.float32)
    usual = np.median(lab[top > 0], axis=0)
    apart = np.linalg.norm(lab - usual, axis=2) * (top > 0)
    grey = lab[..., 0].astype(np.uint8)
    masks = [(apart > limit).astype(np.uint8) for limit in s.apart_lab]
    kernel = np.ones((3, 3), np.uint8)
    masks += [np.asarray(cv2.dilate(cv2.Canny(grey, low, high), kernel), dtype=np.uint8) & top for low, high in s.edges]
    least, most = (area * scale * scale for area in s.area_px)
    for mask in masks:
        contours, _tree = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
        for contour in contours:
            hull = cv2.convexHull(contour)
            area = cv2.contourArea(hull)
            if not least <= area <= most or cv2.contourArea(contour) < s.solid * area:
                continue
            quad = _four_corners(hull)
            if quad is not None:
                yield quad


def _four_corners(hull: NDArray[np.int32]) -> FloatArray | None:
    around = cv2.arcLength(hull, True)
    for share in (0.03, 0.045, 0.06, 0.08):
        corners = cv2.approxPolyDP(hull, share * around, True)
        if len(corners) == 4:
            return np.asarray(corners.reshape(4, 2), dtype=np.float64)
    return None


def _table_mask(size: tuple[int, ...], layout: Layout, scale: float, s: CardFindSettings) -> Mask:
    unit = np.array(layout.outline_mm, dtype=np.float32)
    to_px = cv2.getPerspectiveTransform(unit, np.array(layout.outline_px, dtype=np.float32))
    ring = cv2.perspectiveTransform(outline_curve(layout)[None], to_px.astype(np.float64))[0]
    mask = np.zeros(size[:2], np.uint8)
    cv2.fillPoly(mask, [np.round(np.clip(ring, -1e4, 1e4)).astype(np.int32)], 1)
    reach = 2 * round(s.inside_px * scale) + 1
    return np.asarray(cv2.erode(mask, np.ones((reach, reach), np.uint8), borderValue=0), dtype=np.uint8)


def _snapped(lab: FloatImage, quad: FloatArray, scale: float, s: CardFindSettings) -> FloatArray | None:
    """Put four sides on the edges next to them, and return where the sides meet; None where a side is not seen."""
    lines = []
    for k in range(4):
        line = _side(lab, quad, k, scale, s)
        if line is None:
            return None
        lines.append(line)
    corners = [_meet(lines[k - 1], lines[k]) for k in range(4)]
    return None if any(corner is None for corner in corners) else np.array(corners, dtype=np.float64)


def _side(lab: FloatImage, quad: FloatArray, k: int, scale: float, s: CardFindSettings) -> _Line | None:
    """Return the line (a place on it, its direction) of the edge next to a quad's k-th side."""
    start, end = quad[k], quad[(k + 1) % 4]
    length = float(np.linalg.norm(end - start))
    if length < 8 * scale:
        return None
    along = (end - start) / length
    normal = np.array([along[1], -along[0]])
    normal = normal if normal @ (start - quad.mean(axis=0)) > 0 else -normal
    reach = max(s.least_search_px * scale, s.search_share * length)
    at = np.linspace(s.free_share, 1 - s.free_share, max(12, round(length / scale))) * length
    across = np.arange(-reach - 1, reach + 1.01, 0.5)
    places = start + at[:, None, None] * along + across[None, :, None] * normal
    seen = np.asarray(cv2.remap(lab, places.astype(np.float32), None, cv2.INTER_LINEAR), dtype=np.float64)
    # noise is averaged along the side alone: across it a blur would push the two edges of a thin rim apart
    seen = np.asarray(cv2.blur(seen, (1, s.along_rows), borderType=cv2.BORDER_REPLICATE))
    slope = np.linalg.norm(seen[:, 2:] - seen[:, :-2], axis=2)
    # of several edges (a card's frame is printed on it) the outermost strong one is the card's
    strong = slope > np.maximum(s.weak, s.strong_share * slope.max(axis=1, keepdims=True))
    outermost = strong.shape[1] - 1 - strong[:, ::-1].argmax(axis=1)
    rows = np.arange(len(at))
    for _step in range(6):
        inward = np.maximum(outermost - 1, 0)
        outermost = np.where(slope[rows, inward] > slope[rows, outermost], inward, outermost)
    kept = strong.any(axis=1) & (outermost > 0) & (outermost < slope.shape[1] - 1)
    if kept.sum() < s.least_seen * len(at):
        return None
    rows, best = rows[kept], outermost[kept]
    a, b, c = slope[rows, best - 1], slope[rows, best], slope[rows, best + 1]
    bend = a - 2 * b + c
    shift = np.where(np.abs(bend) > 1e-9, 0.5 * (a - c) / np.where(np.abs(bend) > 1e-9, bend, 1.0), 0.0)
    points = np.column_stack([at[kept], across[best + 1] + 0.5 * np.clip(shift, -1, 1)])
    line = _line(points, len(at), scale, s)
    if line is None:
        return None
    rise, level = line
    direction = along + rise * normal
    return start + level * normal, direction / np.linalg.norm(direction)


def _line(points: FloatArray, asked: int, scale: float, s: CardFindSettings) -> tuple[float, float] | None:
    """Fit the line that most edge points (along, across) are near to: its rise, and its level at the start."""
    rng = np.random.default_rng(3)
    best: NDArray[np.bool_] | None = None
    for i, j in rng.integers(0, len(points), (120, 2)):
        run = points[j, 0] - points[i, 0]
        if abs(run) < 0.25 * np.ptp(points[:, 0]):
            continue
        rise = (points[j, 1] - points[i, 1]) / run
        if abs(rise) > s.most_turn:
            continue
        near = np.abs(points[:, 1] - points[i, 1] - rise * (points[:, 0] - points[i, 0])) < s.near_px * scale
        if best is None or near.sum() > best.sum():
            best = near
    if best is None or best.sum() < s.least_seen * asked:
        return None
    rise, level = np.polyfit(points[best, 0], points[best, 1], 1)
    return float(rise), float(level)


def _meet(one: _Line, other: _Line) -> FloatArray | None:
    (p, d), (q, e) = one, other
    crossed = d[0] * e[1] - d[1] * e[0]
    if abs(crossed) < 0.1:
        return None
    along = ((q[0] - p[0]) * e[1] - (q[1] - p[1]) * e[0]) / crossed
    return np.asarray(p + along * d)


def _four(points: FloatArray) -> tuple[XY, XY, XY, XY]:
    pairs: list[XY] = [(round(float(x), 2), round(float(y), 2)) for x, y in points]
    return pairs[0], pairs[1], pairs[2], pairs[3]
