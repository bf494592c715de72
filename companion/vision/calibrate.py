"""Place the table by itself: the printed page in one picture gives the plane and the scale, the picture the outline."""

import math
from dataclasses import dataclass, replace

import cv2
import numpy as np

from companion.errors import CompanionError
from companion.vision.layout import XY, Layout, Lens, Shape, Table
from companion.vision.markers import FloatArray, Image, PageSighting, find_page
from companion.vision.outline import Outline, find_circle, find_rectangle
from companion.vision.outlinefit import Fit, fit_outline
from companion.vision.tableplane import TablePlane, plane_of_page, top_view


class CalibrationError(CompanionError):
    """The picture does not give what was asked for; the sentence says what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AutoSettings:
    """Numbers of the automatic placing."""

    coarse_mm: float = 8.0
    middle_mm: float = 4.0
    fine_mm: float = 2.0
    """Px sizes of the views from above in which the outline is found and then refined."""
    least_score: float = 0.07
    """Below this the border found has hardly any support; right ones were above on all rendered tables."""
    least_seen: float = 0.22
    """Where less of the whole border than this is seen as an edge, nothing is proposed."""
    side_seen: float = 0.42
    """A side of which less than this is seen is reported as hidden. On 109 rendered tables, training scenes for the
    most part, none whose sides were all seen better was off by 10 mm."""
    side_shown: float = 0.75
    """A side of which less than this lies well inside the picture is reported as well."""
    circle_seen: float = 0.45
    """The same for a round table's edge."""
    sure_side: float = 0.26
    """Where less than this is seen of a side, the outline is no more than a guess: 6 of 8 such were off by 60 mm."""
    sure_mean: float = 0.35
    sure_circle: float = 0.25
    sure_outside: float = 0.5
    """Just outside a side the picture may be at most this much as table-like as just inside: wood on wood."""
    sure_shown: float = 0.5
    """So much of a side must lie inside the picture: else the picture's own border is taken for the table's."""
    nominal_hfov_deg: float = 70.0
    """What webcams without a name have: 65 to 78 degrees across."""
    focal_error: float = 0.08
    """One standard deviation of that guess's focal length, as a share."""
    corner_px: float = 0.15
    """One standard deviation of a page corner, at 1280 px width (measured 0.04 to 0.15 on rendered pages)."""


SETTINGS = AutoSettings()

UNSURE = (
    "Auto is not sure of this outline: drag each corner until it fits, or clear the table's edge and press Auto again."
)
HIDDEN = (
    "The nearest side was hardly seen: check the outline there and drag it if it is off.",
    "The right-hand side was hardly seen: check the outline there and drag it if it is off.",
    "The farthest side was hardly seen: check the outline there and drag it if it is off.",
    "The left-hand side was hardly seen: check the outline there and drag it if it is off.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class TableProposal:
    """A table found in a picture: the layout's ``table``, ``outline_px`` and ``camera``, for the person to confirm.

    ``seen`` is how much of each side (one number for a round table) was found as an edge; ``doubts`` are sentences
    about what to look at before confirming. Where not ``sure`` the outline is a guess, and the person is asked to place
    the corners. ``page_px`` are the page's four corners in the picture.
    """

    table: Table
    outline_px: tuple[XY, XY, XY, XY]
    lens: Lens
    seen: tuple[float, ...]
    sure: bool
    doubts: tuple[CompanionError, ...]
    page_px: tuple[XY, ...]


def propose_table(
    image: Image,
    *,
    lens: Lens | None = None,
    shape: Shape | None = None,
    print_scale: float = 1.0,
    settings: AutoSettings = SETTINGS,
) -> TableProposal:
    """Find the table in one BGR picture that shows the printed page lying on it.

    ``shape`` is tried alone where given, else both are and the better supported is taken. ``print_scale`` is what the
    page's ruler measures over 100 mm. The side of the table nearest to the picture's bottom is taken for the side of
    the person who sets it up. Raises CalibrationError where the page or the outline is not found.
    """
    flat = _straightened(image, lens)
    page = find_page(flat)
    if page is None:
        raise CalibrationError(
            "The printed page was not found: lay it flat near the middle of the table, all of it in the picture and "
            "out of glare, and press Auto again."
        )
    plane = plane_of_page(page, print_scale)
    fit = _find(flat, plane, shape, settings)
    if fit is None or sum(fit.seen) / len(fit.seen) < settings.least_seen:
        raise CalibrationError(
            "The page was found, but not the table's edge: clear the edge and press Auto again, or drag the outline."
        )
    ring_mm = _as_contract(fit.outline, plane)
    first = 0 if fit.outline.round else int(np.linalg.norm(fit.outline.corners_mm() - ring_mm[0], axis=1).argmin())
    seen, shown = (tuple(np.roll(part, -first).tolist()) for part in (fit.seen, fit.shown))
    sure = _is_sure(fit, settings)
    return TableProposal(
        table=_table(fit.outline, ring_mm),
        outline_px=_four(_bent(plane.project(ring_mm), lens)),
        lens=lens or Lens(hfov_deg=round(_field_of_view(page, flat, settings), 1)),
        seen=seen,
        sure=sure,
        doubts=(
            *(() if sure else (CompanionError(UNSURE),)),
            *_doubts(fit, list(zip(seen, shown, strict=True)), page, settings),
        ),
        page_px=tuple(_pairs(_bent(_page_corners(page, plane, print_scale), lens))),
    )


def measure_outline(image: Image, layout: Layout, print_scale: float = 1.0) -> Table:
    """Return the table of a layout with its size taken from the printed page that lies on it; the outline stays.

    Raises CalibrationError where the page is not found.
    """
    page = find_page(_straightened(image, layout.lens))
    if page is None:
        raise CalibrationError(
            "The printed page was not found: lay it flat on the table, out of glare, or type the size in."
        )
    plane = plane_of_page(page, print_scale)
    corners = plane.on_table(_straight(np.array(layout.outline_px), layout.lens))
    if layout.table.shape is Shape.ROUND:
        across = [float(np.linalg.norm(corners[k + 2] - corners[k])) for k in (0, 1)]
        diameter = float(round(sum(across) / 2))
        return replace(layout.table, width_mm=diameter, depth_mm=diameter)
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    width, depth = float(round((sides[0] + sides[2]) / 2)), float(round((sides[1] + sides[3]) / 2))
    return replace(layout.table, width_mm=width, depth_mm=depth)


def _find(image: Image, plane: TablePlane, shape: Shape | None, settings: AutoSettings) -> Fit | None:
    coarse = top_view(image, plane, settings.coarse_mm)
    found = [
        outline
        for kind, search in ((Shape.ROUND, find_circle), (Shape.RECTANGLE, find_rectangle))
        if shape in (None, kind) and (outline := search(coarse)) is not None
    ]
    best = max(found, key=lambda outline: outline.score, default=None)
    if best is None or best.score < settings.least_score:
        return None
    closer = (find_circle if best.round else find_rectangle)(top_view(image, plane, settings.middle_mm), best)
    return fit_outline(top_view(image, plane, settings.fine_mm), closer or best)


def _as_contract(outline: Outline, plane: TablePlane) -> FloatArray:
    """Return the outline's four points (page frame, mm) in the layout's order, the nearest side first."""
    centre = np.array(outline.centre_mm)
    if outline.round:
        away = _upward(plane, centre)
        right = np.array([away[1], -away[0]])
        radius = outline.size_mm[0] / 2
        return np.array(
            [centre - radius * away, centre + radius * right, centre + radius * away, centre - radius * right]
        )
    corners = outline.corners_mm()
    low = [float(plane.project((corners[k] + corners[(k + 1) % 4])[None] / 2)[0, 1]) for k in range(4)]
    return np.asarray(np.roll(corners, -int(np.argmax(low)), axis=0))


def _upward(plane: TablePlane, centre_mm: FloatArray) -> FloatArray:
    """Return the direction on the table (unit, page frame) that goes straight up in the picture at a place."""
    steps = plane.project(np.vstack([centre_mm, centre_mm + np.eye(2)]))
    jacobian = np.column_stack([steps[1] - steps[0], steps[2] - steps[0]])
    up = np.linalg.solve(jacobian, [0.0, -1.0])
    return np.asarray(up / np.linalg.norm(up))


def _table(outline: Outline, ring_mm: FloatArray) -> Table:
    if outline.round:
        across = round(outline.size_mm[0])
        return Table(Shape.ROUND, across, across)
    sides = np.linalg.norm(np.roll(ring_mm, -1, axis=0) - ring_mm, axis=1)
    return Table(Shape.RECTANGLE, round(float(sides[0])), round(float(sides[1])))


def _is_sure(fit: Fit, settings: AutoSettings) -> bool:
    if max(fit.outside) > settings.sure_outside or min(fit.shown) < settings.sure_shown:
        return False
    if fit.outline.round:
        return fit.seen[0] >= settings.sure_circle
    return min(fit.seen) >= settings.sure_side and sum(fit.seen) / 4 >= settings.sure_mean


def _doubts(
    fit: Fit, sides: list[tuple[float, float]], page: PageSighting, settings: AutoSettings
) -> tuple[CompanionError, ...]:
    doubts = []
    if page.markers < 6:
        doubts.append(
            CompanionError(
                "Only {found} of the page's 6 markers were read: uncover the page and press Auto again.",
                found=page.markers,
            )
        )
    if fit.outline.round:
        if sides[0][0] < settings.circle_seen or sides[0][1] < settings.side_shown:
            doubts.append(
                CompanionError("Little of the table's edge was seen: check the outline and drag it where it is off.")
            )
        return tuple(doubts)
    hidden = [
        sentence
        for sentence, (seen, shown) in zip(HIDDEN, sides, strict=True)
        if seen < settings.side_seen or shown < settings.side_shown
    ]
    doubts += [CompanionError(side) for side in hidden]
    return tuple(doubts)


def _field_of_view(page: PageSighting, image: Image, settings: AutoSettings) -> float:
    """Estimate the horizontal field of view in degrees: the page's perspective against the usual value for webcams."""
    height, width = image.shape[:2]
    nominal = width / 2 / math.tan(math.radians(settings.nominal_hfov_deg / 2))
    points = np.column_stack([page.page_mm, np.zeros(len(page.page_mm))])
    sigma = settings.corner_px * width / 1280

    def cost(share: float) -> float:
        matrix = np.array([[nominal * share, 0, width / 2], [0, nominal * share, height / 2], [0, 0, 1]])
        _count, turns, moves, errors = cv2.solvePnPGeneric(
            points, page.image_px, matrix, np.zeros(4), flags=cv2.SOLVEPNP_IPPE
        )
        best = int(np.argmin(errors))
        turn, move = cv2.solvePnPRefineLM(points, page.image_px, matrix, np.zeros(4), turns[best], moves[best])
        seen, _jacobian = cv2.projectPoints(points, turn, move, matrix, np.zeros(4))
        off = (np.asarray(seen).reshape(-1, 2) - page.image_px) / sigma
        return float((off**2).sum() + (math.log(share) / settings.focal_error) ** 2)

    shares = np.exp(np.linspace(-0.25, 0.25, 51))
    best = float(shares[int(np.argmin([cost(float(share)) for share in shares]))])
    return math.degrees(2 * math.atan(width / 2 / (nominal * best)))


def _page_corners(page: PageSighting, plane: TablePlane, print_scale: float) -> FloatArray:
    low, high = page.page_mm.min(axis=0) * print_scale, page.page_mm.max(axis=0) * print_scale
    return plane.project(np.array([low, [high[0], low[1]], high, [low[0], high[1]]]))


def _straightened(image: Image, lens: Lens | None) -> Image:
    if lens is None or lens.matrix is None or not any(lens.distortion):
        return image
    return np.asarray(cv2.undistort(image, np.array(lens.matrix), np.array(lens.distortion)), dtype=np.uint8)


def _bent(points_px: FloatArray, lens: Lens | None) -> FloatArray:
    """Put points of the straightened picture back to where the lens shows them."""
    if lens is None or lens.matrix is None or not any(lens.distortion):
        return points_px
    matrix = np.array(lens.matrix)
    rays = np.column_stack([points_px, np.ones(len(points_px))]) @ np.linalg.inv(matrix).T
    bent, _jacobian = cv2.projectPoints(rays, np.zeros(3), np.zeros(3), matrix, np.array(lens.distortion))
    return np.asarray(bent, dtype=np.float64).reshape(-1, 2)


def _straight(points_px: FloatArray, lens: Lens) -> FloatArray:
    """Turn points of the picture into points of the straightened picture."""
    if lens.matrix is None or not any(lens.distortion):
        return points_px
    matrix = np.array(lens.matrix)
    flat = cv2.undistortPoints(points_px.reshape(-1, 1, 2), matrix, np.array(lens.distortion), P=matrix)
    return np.asarray(flat, dtype=np.float64).reshape(-1, 2)


def _pairs(points: FloatArray) -> list[XY]:
    return [(round(float(x), 1), round(float(y), 1)) for x, y in points]


def _four(points: FloatArray) -> tuple[XY, XY, XY, XY]:
    first, second, third, fourth = _pairs(points)
    return first, second, third, fourth
