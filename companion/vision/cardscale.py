"""The table's size from a card of the game that lies on it: how large must the table be for the card to be a card.

The outline is known in the picture, its size is not. A place on the table is then known up to the table's width and
depth, and the card's four corners, whose distances are known, settle both.
"""

from dataclasses import dataclass, replace

import cv2
import numpy as np

from companion.errors import CompanionError
from companion.vision.layout import XY, Layout, Shape, Table
from companion.vision.markers import FloatArray

CARD_MM: XY = (59.0, 91.0)
"""The usual size of such games' cards; others are 56 x 87 and 63 x 88 mm. A house setting: `camera.card_mm`."""
SIDE_MM = (20.0, 200.0)
"""What a card's side can measure."""


class CardError(CompanionError):
    """The card gives no size; says what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardSettings:
    """What is still taken for a card."""

    most_off_px: float = 3.0
    """Corners farther than this from those of a card of that size, at 1280 px width: tapped a finger's width off."""
    table_mm: tuple[float, float] = (300.0, 4000.0)
    rounds: int = 30
    settled: float = 1e-7


SETTINGS = CardSettings()


@dataclass(frozen=True, slots=True)
class CardFit:
    """The table with its size, and how far (px, root mean square) the card's corners are from a card's."""

    table: Table
    off_px: float


def size_by_card(
    layout: Layout, corners_px: FloatArray, card_mm: XY = CARD_MM, settings: CardSettings = SETTINGS
) -> CardFit:
    """Return the layout's table with the size that a card with these corners (4, 2) px in turn gives it.

    Either side of the card may come first. Raises CardError where no table fits.
    """
    corners = _straight(np.asarray(corners_px, dtype=np.float64).reshape(4, 2), layout)
    outline = _straight(np.array(layout.outline_px), layout)
    square = np.array(replace(layout, table=_unit(layout.table)).outline_mm, dtype=np.float32)
    to_px = np.asarray(cv2.getPerspectiveTransform(square, outline.astype(np.float32)), dtype=np.float64)
    one_size = layout.table.shape is Shape.ROUND
    tried = [
        found for sides in (card_mm, card_mm[::-1]) if (found := _solve(to_px, corners, sides, one_size, settings))
    ]
    if not tried:
        raise CardError("This is no card that lies flat on the table: drag its four corners onto the card's.")
    (width, depth), off_px = min(tried, key=lambda found: found[1])
    low, high = settings.table_mm
    if off_px > settings.most_off_px * layout.image_size[0] / 1280 or not (
        low <= width <= high and low <= depth <= high
    ):
        raise CardError("This is no card that lies flat on the table: drag its four corners onto the card's.")
    return CardFit(replace(layout.table, width_mm=float(round(width)), depth_mm=float(round(depth))), off_px)


def _unit(table: Table) -> Table:
    return replace(table, width_mm=1.0, depth_mm=1.0)


def _solve(
    to_px: FloatArray, corners_px: FloatArray, sides_mm: XY, one_size: bool, s: CardSettings
) -> tuple[XY, float] | None:
    """Find the table's width and depth, and where the card lies, by least squares in px (Gauss and Newton's way)."""
    at = cv2.perspectiveTransform(corners_px[None], np.linalg.inv(to_px))[0]
    first = _first_guess(at, sides_mm, one_size)
    if first is None:
        return None
    half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.array(sides_mm) / 2
    on_table = at * first
    if _turn(on_table[1] - on_table[0], on_table[2] - on_table[1]) < 0:
        half = half * [1, -1]
    edge = on_table[1] - on_table[0]
    p = np.array([*np.log(first), *on_table.mean(axis=0), np.arctan2(edge[1], edge[0])])

    def off(values: FloatArray) -> FloatArray:
        size = np.exp(values[[0, 0]] if one_size else values[:2])
        turn = np.array([[np.cos(values[4]), np.sin(values[4])], [-np.sin(values[4]), np.cos(values[4])]])
        places = (half @ turn + values[2:4]) / size
        return np.asarray(cv2.perspectiveTransform(places[None], to_px)[0] - corners_px).ravel()

    steps = np.array([1e-5, 1e-5, 1e-2, 1e-2, 1e-5])
    for _round in range(s.rounds):
        now = off(p)
        slopes = np.column_stack(
            [(off(p + step * unit) - now) / step for step, unit in zip(steps, np.eye(5), strict=True)]
        )
        change = np.linalg.lstsq(slopes, -now, rcond=None)[0]
        p = p + change
        if float(np.abs(change[:2]).max()) < s.settled:
            break
    if not np.isfinite(p).all() or abs(p[:2]).max() > 12:
        return None
    width, depth = (float(v) for v in np.exp(p[[0, 0]] if one_size else p[:2]))
    return (width, depth), float(np.sqrt((off(p) ** 2).sum() / 4))


def _first_guess(at: FloatArray, sides_mm: XY, one_size: bool) -> FloatArray | None:
    """Solve width and depth squared from the card's sides, its diagonals and its right angles: linear in them."""
    rows, right = [], []
    for k in range(4):
        side, following = at[(k + 1) % 4] - at[k], at[(k + 2) % 4] - at[(k + 1) % 4]
        rows += [side**2, 2 * side * following]
        right += [sides_mm[k % 2] ** 2, 0.0]
    for k in range(2):
        rows.append((at[k + 2] - at[k]) ** 2)
        right.append(sides_mm[0] ** 2 + sides_mm[1] ** 2)
    equations = np.array(rows)
    if one_size:
        equations = equations.sum(axis=1, keepdims=True)
    squared = np.linalg.lstsq(equations, np.array(right), rcond=None)[0]
    if squared.min() <= 0:
        return None
    size = np.sqrt(squared)
    return np.asarray(np.repeat(size, 2) if one_size else size)


def _turn(a: FloatArray, b: FloatArray) -> float:
    return float(a[0] * b[1] - a[1] * b[0])


def _straight(points_px: FloatArray, layout: Layout) -> FloatArray:
    lens = layout.lens
    if lens.matrix is None or not any(lens.distortion):
        return points_px
    matrix = np.array(lens.matrix)
    flat = cv2.undistortPoints(points_px.reshape(-1, 1, 2), matrix, np.array(lens.distortion), P=matrix)
    return np.asarray(flat, dtype=np.float64).reshape(-1, 2)
