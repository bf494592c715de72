"""The table placed by itself from the printed page, and its size taken from it."""

import cv2
import numpy as np
import pytest

from companion.vision.calibrate import CalibrationError, measure_outline, propose_table
from companion.vision.layout import Layout, Lens, Shape, Table
from companion.vision.seatplan import propose_seats
from tests.vision.tablescene import PX_PER_MM, REACH_MM, DrawnTable

VIEWS = {
    "overhead": (0.0, -60.0, 1450.0),
    "oblique": (-500.0, -800.0, 1150.0),
    "front": (0.0, -1250.0, 720.0),
}


def on_table(scene: DrawnTable, points_px: object) -> np.ndarray:
    """Cast picture points onto the true table."""
    return cv2.perspectiveTransform(np.array([points_px], dtype=np.float64), np.linalg.inv(scene.to_image()))[0]


@pytest.mark.parametrize("eye", VIEWS.values(), ids=VIEWS)
@pytest.mark.parametrize("round_table", [False, True], ids=["rectangle", "round"])
def test_the_outline_is_found_within_five_millimetres(eye: tuple[float, float, float], round_table: bool) -> None:
    """The median over the four points, in three views, with the size and the shape told from the picture alone."""
    size = (900.0, 900.0) if round_table else (1000.0, 700.0)
    scene = DrawnTable(eye_mm=eye, round_table=round_table, size_mm=size)
    found = propose_table(scene.picture())
    assert found.table.shape is (Shape.ROUND if round_table else Shape.RECTANGLE)
    assert found.table.width_mm == pytest.approx(size[0], abs=10)
    assert found.table.depth_mm == pytest.approx(size[1], abs=10)
    off = np.linalg.norm(on_table(scene, found.outline_px) - scene.outline_mm(), axis=1)
    if round_table:
        # the four points of a circle may stand turned a little: what counts is that they lie on it
        off = np.abs(np.linalg.norm(on_table(scene, found.outline_px), axis=1) - size[0] / 2)
    assert np.median(off) < 5


def test_the_near_side_is_the_persons_who_sets_it_up() -> None:
    """The first two points are the side nearest to the picture's bottom, left before right."""
    found = propose_table(DrawnTable(page_turned_deg=160).picture())
    first, second, third, _fourth = found.outline_px
    assert first[0] < second[0]
    assert first[1] > third[1]


def test_a_print_that_is_not_true_to_scale_is_corrected_by_its_ruler() -> None:
    """A page printed at 95 % would make the table 5 % too large."""
    scene = DrawnTable()
    small = propose_table(scene.picture(), print_scale=0.95)
    assert small.table.width_mm == pytest.approx(950, abs=10)


def test_a_picture_without_the_page_says_what_to_do() -> None:
    """One sentence, and no guess."""
    with pytest.raises(CalibrationError, match="lay it flat"):
        propose_table(DrawnTable().picture(page=False))


def test_the_size_of_a_tapped_outline_is_taken_from_the_page() -> None:
    """Sizes need not be measured with a tape."""
    scene = DrawnTable()
    px = cv2.perspectiveTransform(scene.outline_mm()[None], scene.to_image())[0]
    table = Table(Shape.RECTANGLE, 500, 500)
    points = [(float(x), float(y)) for x, y in px]
    layout = Layout(
        image_size=(1280, 720),
        lens=Lens(hfov_deg=70.0),
        table=table,
        outline_px=(points[0], points[1], points[2], points[3]),
        seats=propose_seats(table, 4),
        discard_mm=(0, 0),
        draw_mm=(-110, 0),
    )
    measured = measure_outline(scene.picture(), layout)
    assert (measured.width_mm, measured.depth_mm) == (pytest.approx(1000, abs=6), pytest.approx(700, abs=6))


class WoodOnWood(DrawnTable):
    """A wooden table on a floor of the same wood; planks run everywhere, the table's edge is one faint line of many."""

    def _top(self, page: bool) -> np.ndarray:
        side = round(2 * REACH_MM * PX_PER_MM)
        grain = cv2.resize(
            np.random.default_rng(5).normal(0, 9, (side // 40, side // 400)).astype(np.float32), (side, side)
        )
        top = np.clip(np.array([70, 120, 170]) + 2 * grain[..., None], 0, 255).astype(np.uint8)
        corner = tuple(round(side / 2 - half / 2 * PX_PER_MM) for half in self.size_mm)
        other = tuple(round(side / 2 + half / 2 * PX_PER_MM) for half in self.size_mm)
        cv2.rectangle(top, corner, other, (62, 108, 156), 3)
        if page:
            self._lay_page(top)
        return top


def is_wrong(scene: DrawnTable, outline_px: object) -> bool:
    """Tell whether a corner is more than 25 mm off."""
    found = on_table(scene, outline_px)
    return any(float(np.linalg.norm(scene.outline_mm() - corner, axis=1).min()) > 25 for corner in found)


@pytest.mark.parametrize(
    "scene",
    [
        WoodOnWood(),
        WoodOnWood(eye_mm=(-500.0, -800.0, 1150.0)),
        DrawnTable(eye_mm=(0.0, -420.0, 900.0), focal_px=1150.0, size_mm=(1100.0, 900.0), page_at=(0.0, 120.0)),
    ],
    ids=["wood on wood", "wood on wood aslant", "near side out of the picture"],
)
def test_a_wrong_outline_is_never_said_with_confidence(scene: DrawnTable) -> None:
    """Auto refuses, or says that it is not sure and asks for the corners."""
    try:
        found = propose_table(scene.picture())
    except CalibrationError:
        return
    assert found.doubts or not is_wrong(scene, found.outline_px)
    if not found.sure:
        assert "drag each corner" in str(found.doubts[0])


def test_a_side_behind_people_is_named() -> None:
    """The picture's right-hand part is covered where the side runs; the other sides raise no doubt."""
    scene = DrawnTable()
    picture = scene.picture()
    px = cv2.perspectiveTransform(scene.outline_mm()[None], scene.to_image())[0]
    (x0, y0), (x1, y1) = px[1], px[2]
    for k, share in enumerate(np.linspace(0.04, 0.96, 14)):
        x, y = x0 + share * (x1 - x0), y0 + share * (y1 - y0)
        cv2.circle(picture, (round(float(x)), round(float(y))), 36 + 9 * (k % 3), (40, 40, 60 * (k % 4)), -1)
    found = propose_table(picture)
    assert [str(doubt) for doubt in found.doubts if "right-hand" in str(doubt)]
