"""Put a found outline on the table's edge: edge points along normals, then a robust line for each side or a circle."""

from dataclasses import dataclass, replace

import cv2
import numpy as np

from companion.vision.markers import FloatArray
from companion.vision.outline import Outline
from companion.vision.tableplane import TopView


@dataclass(frozen=True, slots=True, kw_only=True)
class FitSettings:
    """Numbers of the fit; lengths in mm, tuned on rendered tables of the training set."""

    search_mm: float = 16.0
    """How far from the coarse outline the edge may be: four steps of the search before it (10 mm off at worst)."""
    spacing_mm: float = 6.0
    """Distance of edge points along the border."""
    end_mm: float = 40.0
    """Kept free at a side's ends: worn and rounded corners, the other side's edge."""
    blur_mm: float = 2.5
    weak_lab: float = 4.0
    """A slope below this, in Lab per 5 mm, is grain."""
    near_mm: float = 2.5
    """Edge points this close to the line or circle support it."""
    beside_mm: float = 12.0
    """How far inside and outside the found outline the likeness to the table is compared: beyond the edge's blur."""
    fewest: int = 8
    """Fewer edge points than this on a side leave it where the coarse search put it."""


SETTINGS = FitSettings()


@dataclass(frozen=True, slots=True)
class Fit:
    """A refined outline and how much of each side was seen, 0 to 1: four sides, or one circle.

    ``outside`` is for each how table-like it is just outside, as a share of how table-like just inside; ``shown`` how
    much of each lies well inside the picture.
    """

    outline: Outline
    seen: tuple[float, ...]
    outside: tuple[float, ...] = ()
    shown: tuple[float, ...] = ()


def fit_outline(view: TopView, outline: Outline, settings: FitSettings = SETTINGS) -> Fit:
    """Refine an outline that is within about 15 mm of the edge, in a fine view (about 2 mm per px)."""
    fit = _fit_circle(view, outline, settings) if outline.round else _fit_rectangle(view, outline, settings)
    beside = [_beside(view, border, normals, settings) for border, normals in _borders(fit.outline, settings)]
    return replace(fit, outside=tuple(goes_on for goes_on, _part in beside), shown=tuple(part for _on, part in beside))


def _beside(view: TopView, border: FloatArray, normals: FloatArray, s: FitSettings) -> tuple[float, float]:
    """Compare the likeness to the table just outside a side with that just inside; tell how much of it is shown."""
    inside, outside = (_at(view, view.likeness, border + off * normals) for off in (-s.beside_mm, s.beside_mm))
    shown = _at(view, view.seen.astype(np.float32), border + s.beside_mm * normals) > 0.99
    if not shown.any():
        return 1.0, 0.0
    return float(outside[shown].mean() / max(inside[shown].mean(), 1e-3)), float(shown.mean())


def _borders(outline: Outline, s: FitSettings) -> list[tuple[FloatArray, FloatArray]]:
    """Return for each side places (N, 2) mm along it and the unit normals outward; one circle."""
    if outline.round:
        radius = outline.size_mm[0] / 2
        turns = np.arange(0, 2 * np.pi, 2 * s.spacing_mm / radius)
        around = np.column_stack([np.cos(turns), np.sin(turns)])
        return [(np.array(outline.centre_mm) + radius * around, around)]
    corners = outline.corners_mm()
    sides = []
    for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        length = float(np.linalg.norm(end - start))
        along = (end - start) / length
        at = np.arange(0, length, 2 * s.spacing_mm)
        sides.append((start + at[:, None] * along, np.tile([along[1], -along[0]], (len(at), 1))))
    return sides


def _at(view: TopView, part: "np.typing.NDArray[np.float32]", places_mm: FloatArray) -> FloatArray:
    px = (places_mm * [1 / view.mm_per_px, -1 / view.mm_per_px] + view.middle).astype(np.float32)
    return np.asarray(cv2.remap(part, px[None], None, cv2.INTER_LINEAR)[0], dtype=np.float64)


def _fit_rectangle(view: TopView, outline: Outline, s: FitSettings) -> Fit:
    corners = outline.corners_mm()
    lines, seen = [], []
    for k in range(4):
        start, end = corners[k], corners[(k + 1) % 4]
        along = (end - start) / np.linalg.norm(end - start)
        normal = np.array([along[1], -along[0]])
        length = float(np.linalg.norm(end - start))
        at = np.arange(s.end_mm, length - s.end_mm, s.spacing_mm)
        points, weights = _edge_points(view, start + at[:, None] * along, np.tile(normal, (len(at), 1)), s)
        line, part = _line(points, weights, along, s)
        lines.append(line if line is not None else (start, along))
        seen.append(part)
    return Fit(_rectangle_of(lines, seen, outline), tuple(seen))


def _rectangle_of(lines: list[tuple[FloatArray, FloatArray]], seen: list[float], coarse: Outline) -> Outline:
    """Make a rectangle of four lines: one direction for all, weighted by how well each was seen."""
    weights = np.array(seen) + 1e-3
    # four times the angle makes directions 90 degrees apart the same
    angles = np.array([np.arctan2(d[1], d[0]) for _p, d in lines])
    turn = np.angle((weights * np.exp(4j * (angles - coarse.angle))).sum()) / 4
    angle = coarse.angle + float(turn)
    x_axis, y_axis = np.array([np.cos(angle), np.sin(angle)]), np.array([-np.sin(angle), np.cos(angle)])
    bottom, right, top, left = (point for point, _d in lines)
    low, high, near, far = left @ x_axis, right @ x_axis, bottom @ y_axis, top @ y_axis
    centre = (low + high) / 2 * x_axis + (near + far) / 2 * y_axis
    size = (float(high - low), float(far - near))
    return replace(coarse, centre_mm=(float(centre[0]), float(centre[1])), size_mm=size, angle=angle)


def _fit_circle(view: TopView, outline: Outline, s: FitSettings) -> Fit:
    centre, radius, part = np.array(outline.centre_mm), outline.size_mm[0] / 2, 0.0
    for search in (s.search_mm, s.search_mm / 2):
        angles = np.arange(0, 2 * np.pi, s.spacing_mm / radius)
        normals = np.column_stack([np.cos(angles), np.sin(angles)])
        at = replace(s, search_mm=search)
        points, weights = _edge_points(view, centre + radius * normals, normals, at)
        found = _circle(points, weights, centre, radius, s)
        if found is None:
            break
        centre, radius, part = found
    size = (2 * radius, 2 * radius)
    return Fit(replace(outline, centre_mm=(float(centre[0]), float(centre[1])), size_mm=size), (part,))


def _edge_points(
    view: TopView, border_mm: FloatArray, normals: FloatArray, s: FitSettings
) -> tuple[FloatArray, FloatArray]:
    """Return the strongest edge along each normal (N, 2) mm and its weight; no weight where none is table-like."""
    pad = 14.0
    at = np.arange(-s.search_mm - pad, s.search_mm + pad + 0.5, 1.0)
    places = border_mm[:, None] + at[None, :, None] * normals[:, None]
    px = (places * [1 / view.mm_per_px, -1 / view.mm_per_px] + view.middle).astype(np.float32)
    lab = np.asarray(cv2.remap(view.lab, px, None, cv2.INTER_LINEAR), dtype=np.float32)
    like = np.asarray(cv2.remap(view.likeness, px, None, cv2.INTER_LINEAR), dtype=np.float32)
    seen = np.asarray(cv2.remap(view.seen.astype(np.float32), px, None, cv2.INTER_LINEAR)) > 0.99
    smooth = cv2.GaussianBlur(lab.reshape(len(lab), -1, 3), (1, 0), sigmaX=s.blur_mm, sigmaY=1e-3)
    slope = np.linalg.norm(np.asarray(smooth)[:, 4:] - np.asarray(smooth)[:, :-4], axis=2)
    slope = np.pad(slope, ((0, 0), (2, 2)))
    inside = np.roll(like, 12, axis=1)
    outside = np.roll(like, -12, axis=1)
    strength = np.where(slope > s.weak_lab, slope, 0) * inside * (1.2 - outside) * seen
    within = np.abs(at) <= s.search_mm
    strength = np.where(within, strength, 0)
    best = strength.argmax(axis=1)
    rows = np.arange(len(best))
    best = np.clip(best, 1, len(at) - 2)
    a, b, c = slope[rows, best - 1], slope[rows, best], slope[rows, best + 1]
    bend = a - 2 * b + c
    shift = np.where(np.abs(bend) > 1e-6, 0.5 * (a - c) / np.where(np.abs(bend) > 1e-6, bend, 1), 0)
    offset = at[best] + np.clip(shift, -0.5, 0.5)
    weights = strength[rows, best]
    return border_mm + offset[:, None] * normals, np.minimum(weights / 20.0, 1.0)


def _line(
    points: FloatArray, weights: FloatArray, along: FloatArray, s: FitSettings
) -> tuple[tuple[FloatArray, FloatArray] | None, float]:
    """Fit a line within 4 degrees of ``along``: best pair of points, then least squares over those close to it."""
    use = weights > 0.05
    p, w = points[use], weights[use]
    if len(p) < s.fewest:
        return None, 0.0
    rng = np.random.default_rng(7)
    best, best_in = 0.0, None
    for i, j in rng.integers(0, len(p), (300, 2)):
        direction = p[j] - p[i]
        length = float(np.hypot(*direction))
        if length < 60 or abs(direction @ along) / length < np.cos(np.radians(4)):
            continue
        off = np.abs((p - p[i]) @ np.array([-direction[1], direction[0]]) / length)
        near = off < s.near_mm
        support = float((w * near).sum())
        if support > best:
            best, best_in = support, near
    if best_in is None or best_in.sum() < s.fewest:
        return None, 0.0
    middle, direction = _least_squares(p[best_in], w[best_in], along)
    return (middle, direction), float(best_in.sum() / len(points))


def _least_squares(p: FloatArray, w: FloatArray, along: FloatArray) -> tuple[FloatArray, FloatArray]:
    middle = (p * w[:, None]).sum(axis=0) / w.sum()
    _u, _s, axes = np.linalg.svd((p - middle) * np.sqrt(w)[:, None])
    direction = axes[0] * np.sign(axes[0] @ along)
    return middle, direction


def _circle(
    points: FloatArray, weights: FloatArray, centre: FloatArray, radius: float, s: FitSettings
) -> tuple[FloatArray, float, float] | None:
    use = weights > 0.05
    p, w = points[use], weights[use]
    if len(p) < 2 * s.fewest:
        return None
    rng = np.random.default_rng(7)
    best, best_in = 0.0, None
    for trio in rng.integers(0, len(p), (500, 3)):
        found = _circle_through(p[trio], np.ones(3))
        if found is None or abs(found[1] - radius) > s.search_mm or np.hypot(*(found[0] - centre)) > s.search_mm:
            continue
        near = np.abs(np.linalg.norm(p - found[0], axis=1) - found[1]) < s.near_mm
        support = float((w * near).sum())
        if support > best:
            best, best_in = support, near
    if best_in is None or best_in.sum() < 2 * s.fewest:
        return None
    fitted = _circle_through(p[best_in], w[best_in])
    return None if fitted is None else (*fitted, float(best_in.sum() / len(points)))


def _circle_through(p: FloatArray, w: FloatArray) -> tuple[FloatArray, float] | None:
    """Fit a circle by weighted least squares on x^2 + y^2 = 2ax + 2by + c (Kasa 1976)."""
    origin = p.mean(axis=0)
    q = p - origin
    rows = np.column_stack([2 * q, np.ones(len(q))]) * np.sqrt(w)[:, None]
    right = (q**2).sum(axis=1) * np.sqrt(w)
    (a, b, c), _rest, rank, _sv = np.linalg.lstsq(rows, right, rcond=None)
    if rank < 3 or c + a * a + b * b <= 0:
        return None
    return origin + np.array([a, b]), float(np.sqrt(c + a * a + b * b))
