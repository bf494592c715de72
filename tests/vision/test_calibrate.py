"""The table placed by itself from the printed page, and its size taken from it."""

import cv2
import numpy as np
import pytest

from companion.vision.calibrate import CalibrationError, measure_outline, propose_table
from companion.vision.layout import Layout, Lens, Shape, Table
from companion.vision.seatplan import propose_seats
from tests.vision.tablescene import DrawnTable

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
