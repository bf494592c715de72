"""Find the table's outline in the view from above: the rectangle or the circle whose border is best supported.

A place on the border speaks for it where the colour changes across it, the inside looks like the table and the outside
does not; it speaks against it where the table goes on outside. People cover much of the border, so what is hidden
counts as nothing rather than as evidence against.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.markers import FloatArray
from companion.vision.tableplane import FloatImage, Mask, TopView


@dataclass(frozen=True, slots=True, kw_only=True)
class OutlineSettings:
    """Numbers of the search; tuned on rendered tables of the training set, lengths in mm."""

    step_mm: float = 8.0
    """How far inside and outside the border colours are compared."""
    deep_mm: float = 20.0
    """How far inside and outside likeness to the table is read: beyond a tablecloth's hem and an edge's blur."""
    change_lab: float = 18.0
    """A change of colour of this size is half convincing: the grain of wood changes by 3 to 12."""
    goes_on: float = 1.0
    """How much a table that goes on outside the border speaks against it."""
    least_seen: float = 0.35
    """The least part of the border that must lie inside the picture."""
    half_mm: tuple[float, float] = (180.0, 850.0)
    """The nearest and the farthest a rectangle's side may be from the page's middle."""
    radius_mm: tuple[float, float] = (260.0, 800.0)
    off_centre_mm: float = 300.0
    """How far the page may lie from a round table's middle."""


SETTINGS = OutlineSettings()


@dataclass(frozen=True, slots=True, kw_only=True)
class Outline:
    """A table's outline on its plane (page frame, mm): ``angle`` is the first side's direction in radians.

    Round where ``size_mm`` has equal members and ``round`` is set; ``score`` is 0 to 1, above 0.2 is usable.
    """

    round: bool
    centre_mm: tuple[float, float]
    size_mm: tuple[float, float]
    angle: float
    score: float

    def corners_mm(self) -> FloatArray:
        """Return a rectangle's corners counter-clockwise, a circle's four points at angles 0, 90, 180, 270 degrees."""
        half_x, half_y = self.size_mm[0] / 2, self.size_mm[1] / 2
        if self.round:
            local = np.array([[half_x, 0], [0, half_y], [-half_x, 0], [0, -half_y]])
        else:
            local = np.array([[-half_x, -half_y], [half_x, -half_y], [half_x, half_y], [-half_x, half_y]])
        cos, sin = np.cos(self.angle), np.sin(self.angle)
        return np.asarray(local @ np.array([[cos, sin], [-sin, cos]]) + np.array(self.centre_mm))


def find_rectangle(view: TopView, near: Outline | None = None, settings: OutlineSettings = SETTINGS) -> Outline | None:
    """Find the best rectangle, at any angle, or near the one given."""
    if near is None:
        best = max(
            (_rectangle_at(view, angle, None, settings) for angle in np.radians(np.arange(0, 90, 5.0))), key=_score
        )
        steps: tuple[float, ...] = (2.5, 1.25)
    else:
        best = _rectangle_at(view, near.angle, near, settings)
        steps = (1.0, 0.5, 0.25)
    for step in np.radians(steps):
        around = [_rectangle_at(view, best.angle + turn, near, settings) for turn in (-step, step)]
        best = max([best, *around], key=_score)
    return best if best.score > 0 else None


def find_circle(view: TopView, near: Outline | None = None, settings: OutlineSettings = SETTINGS) -> Outline | None:
    """Find the best circle, anywhere around the page, or near the one given."""
    search = _CircleSearch(view, settings)
    if near is None:
        grid = np.arange(-settings.off_centre_mm, settings.off_centre_mm + 1, 40.0)
        best = max((search.at(x, y) for x in grid for y in grid), key=_score)
        step = 20.0
    else:
        best = search.at(*near.centre_mm)
        step = 8.0
    while step >= view.mm_per_px / 2:
        x, y = best.centre_mm
        moved = max((search.at(x + dx, y + dy) for dx in (-step, 0, step) for dy in (-step, 0, step)), key=_score)
        if moved.score <= best.score:
            step /= 2
        else:
            best = moved
    return best if best.score > 0 else None


def _score(outline: Outline) -> float:
    return outline.score


def _support(
    inside: FloatImage, outside: FloatImage, like_in: FloatImage, like_out: FloatImage, s: OutlineSettings
) -> FloatImage:
    change = np.sqrt(((inside - outside) ** 2).sum(axis=-1))
    edge = change / (change + s.change_lab)
    drop = np.clip(like_in - like_out, 0, 1)
    return np.asarray(like_in * (0.5 * edge + 0.5 * drop - s.goes_on * like_out * (1 - edge)), dtype=np.float32)


class _CircleSearch:
    """Score every radius around a centre at once, from the view in polar coordinates."""

    def __init__(self, view: TopView, settings: OutlineSettings, angles: int = 72) -> None:
        self._view, self._settings, self._angles = view, settings, angles
        self._reach = round(settings.radius_mm[1] / view.mm_per_px)
        self._rest = np.dstack([view.likeness, view.seen.astype(np.float32)])

    def at(self, x_mm: float, y_mm: float) -> Outline:
        """Return the best circle around one centre (page frame, mm)."""
        view, s = self._view, self._settings
        centre = view.middle + x_mm / view.mm_per_px, view.middle - y_mm / view.mm_per_px
        lab, rest = (
            np.asarray(
                cv2.warpPolar(part, (self._reach, self._angles), centre, self._reach, cv2.INTER_LINEAR),
                dtype=np.float32,
            )
            for part in (view.lab, self._rest)
        )
        radius = np.arange(self._reach)
        step, deep = (round(mm / view.mm_per_px) for mm in (s.step_mm, s.deep_mm))
        near, far, in_, out = (
            np.clip(radius + d, 0, self._reach - 1) for d in (-max(step, 1), max(step, 1), -deep, deep)
        )
        support = _support(lab[:, near], lab[:, far], rest[:, in_, 0], rest[:, out, 0], s)
        known = (rest[:, near, 1] > 0.98) & (rest[:, far, 1] > 0.98)
        seen = known.sum(axis=0)
        mean = (support * known).sum(axis=0) / np.maximum(seen, 1)
        mean = np.where((seen >= s.least_seen * self._angles) & (radius * view.mm_per_px >= s.radius_mm[0]), mean, 0)
        best = int(mean.argmax())
        diameter = 2 * best * view.mm_per_px
        return Outline(
            round=True, centre_mm=(x_mm, y_mm), size_mm=(diameter, diameter), angle=0.0, score=float(mean[best])
        )


@dataclass(frozen=True, slots=True)
class _Side:
    """The support summed along one kind of side, so that any stretch of it costs two look-ups."""

    support: FloatArray
    seen: FloatArray
    upright: bool

    def stretch(self, start: int, end: int) -> tuple[FloatArray, FloatArray]:
        """Return support and seen length of every line of this kind between two places along it."""
        if self.upright:
            return self.support[end] - self.support[start], self.seen[end] - self.seen[start]
        return self.support[:, end] - self.support[:, start], self.seen[:, end] - self.seen[:, start]


_OUTWARD = {"right": (1, 0), "left": (-1, 0), "down": (0, 1), "up": (0, -1)}


def _rectangle_at(view: TopView, angle: float, near: Outline | None, s: OutlineSettings) -> Outline:
    """Find the best rectangle whose sides have this direction, side by side in turn until none moves."""
    sides, turn = _turned_sides(view, angle, s)
    middle, size = view.seen.shape[0] // 2, view.seen.shape[0]
    lo, hi = (round(mm / view.mm_per_px) for mm in s.half_mm)
    hi = min(hi, middle - 2)
    starts: list[list[int]] = [[-h, h, -h, h] for h in (round(mm / view.mm_per_px) for mm in (250, 400, 550))]
    margin = size
    if near is not None:
        corners = cv2.transform(_view_px(view, near.corners_mm())[None], turn)[0] - middle
        starts = [
            [round(v) for v in (corners[:, 0].min(), corners[:, 0].max(), corners[:, 1].min(), corners[:, 1].max())]
        ]
        margin = round(24.0 / view.mm_per_px)
    best, best_score = starts[0], 0.0
    for box in starts:
        _settle(sides, box, (lo, hi, margin), middle, s)
        score = _box_score(sides, box, middle, s)
        if score > best_score:
            best, best_score = list(box), score
    return _as_outline(view, turn, best, angle=angle, score=best_score)


def _settle(
    sides: dict[str, _Side], box: list[int], limits: tuple[int, int, int], middle: int, s: OutlineSettings
) -> None:
    lo, hi, margin = limits
    first = tuple(box)
    for _round in range(6):
        before = list(box)
        for k, name in ((1, "right"), (0, "left"), (3, "down"), (2, "up")):
            start, end = (box[2], box[3]) if k < 2 else (box[0], box[1])
            support, seen = sides[name].stretch(middle + start, middle + end)
            mean = np.where(seen > s.least_seen * 0.85 * (end - start), support / np.maximum(seen, 1), 0)
            low, high = (lo, hi) if k % 2 else (-hi, -lo)
            low, high = max(low, first[k] - margin), min(high, first[k] + margin)
            places = np.arange(low, max(high, low) + 1)
            box[k] = int(places[mean[middle + places].argmax()])
        if box == before:
            return


def _box_score(sides: dict[str, _Side], box: list[int], middle: int, s: OutlineSettings) -> float:
    left, right, up, down = box
    total = length = 0.0
    for name, start, end, place in (
        ("right", up, down, right), ("left", up, down, left), ("down", left, right, down), ("up", left, right, up),
    ):  # fmt: skip
        support, seen = sides[name].stretch(middle + start, middle + end)
        total += float(support[middle + place])
        length += float(seen[middle + place])
    around = 2 * (right - left + down - up)
    return total / length if length > s.least_seen * around else 0.0


def _turned_sides(view: TopView, angle: float, s: OutlineSettings) -> tuple[dict[str, _Side], FloatArray]:
    """Turn the view so that sides of this direction lie along its axes, and sum the support along them."""
    size = view.seen.shape[0]
    centre = (size // 2, size // 2)
    # A positive angle turns the picture clockwise here: y points up on the table and down in the picture.
    turn = np.asarray(cv2.getRotationMatrix2D(centre, -np.degrees(angle), 1.0), dtype=np.float64)
    lab, likeness = (
        np.asarray(cv2.warpAffine(part, turn, (size, size)), dtype=np.float32) for part in (view.lab, view.likeness)
    )
    seen = np.asarray(cv2.warpAffine(view.seen.astype(np.uint8) * 255, turn, (size, size))) > 250
    step, deep = max(1, round(s.step_mm / view.mm_per_px)), max(1, round(s.deep_mm / view.mm_per_px))
    sides = {}
    for name, (dx, dy) in _OUTWARD.items():
        support = _support(
            _at(lab, -step * dx, -step * dy), _at(lab, step * dx, step * dy),
            _at(likeness, -deep * dx, -deep * dy), _at(likeness, deep * dx, deep * dy), s,
        )  # fmt: skip
        known = _at_mask(seen, -step * dx, -step * dy) & _at_mask(seen, deep * dx, deep * dy)
        axis = 0 if dx else 1
        sides[name] = _Side(np.cumsum(support * known, axis=axis), np.cumsum(known, axis=axis), bool(dx))
    return sides, turn


def _at(part: FloatImage, dx: int, dy: int) -> FloatImage:
    return np.roll(part, (-dy, -dx), (0, 1))


def _at_mask(part: Mask, dx: int, dy: int) -> Mask:
    return np.roll(part, (-dy, -dx), (0, 1))


def _view_px(view: TopView, points_mm: FloatArray) -> FloatArray:
    return np.asarray(points_mm * [1 / view.mm_per_px, -1 / view.mm_per_px] + view.middle)


def _as_outline(view: TopView, turn: FloatArray, box: list[int], *, angle: float, score: float) -> Outline:
    left, right, up, down = box
    middle = view.seen.shape[0] // 2
    centre = np.array([[(left + right) / 2 + middle, (up + down) / 2 + middle]])
    x, y = view.to_mm(np.asarray(cv2.transform(centre[None], cv2.invertAffineTransform(turn))[0]))[0]
    size = ((right - left) * view.mm_per_px, (down - up) * view.mm_per_px)
    return Outline(round=False, centre_mm=(float(x), float(y)), size_mm=size, angle=float(angle), score=score)
