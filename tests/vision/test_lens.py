"""The lens: solved to a percent from rendered boards, refused with the reason where the views are poor."""

import numpy as np
import pytest

from companion.vision.calibrate import CalibrationError
from companion.vision.lens import LensCollector, solve_lens
from companion.vision.markers import find_board
from tests.vision.lensscene import LensCamera, waved

CAMERA = LensCamera((640, 360), 460.0, (318.0, 183.0), (-0.12, 0.03, 0.0, 0.0, 0.0))


def collect(camera: LensCamera, count: int, tilt_deg: float, bend: float = 0.0) -> LensCollector:
    """Wave the board before the camera; each place is held for two pictures."""
    collector = LensCollector()
    for k, (turn, move) in enumerate(waved(camera, count, 3, tilt_deg)):
        for again in (0, 1):
            collector.add(find_board(camera.picture(turn, move, bend=bend, seed=2 * k + again)))
    return collector


@pytest.fixture(scope="module")
def well_waved() -> LensCollector:
    """Return the views of a board waved as the wizard asks."""
    return collect(CAMERA, 20, 35.0)


def test_the_focal_length_is_within_one_percent(well_waved: LensCollector) -> None:
    """The bar for a calibrated lens, with the picture's centre near and distortion of the right sign."""
    progress = well_waved.progress()
    assert progress.ready, progress.hint
    result = solve_lens(well_waved.views)
    assert result.lens.matrix is not None
    assert result.lens.matrix[0][0] == pytest.approx(460.0, rel=0.01)
    assert result.lens.distortion[0] == pytest.approx(-0.12, abs=0.04)
    assert result.reprojection_px < 0.3
    assert 0 < result.focal_error < 0.01


def test_views_that_add_nothing_or_are_smeared_are_not_kept(well_waved: LensCollector) -> None:
    """A board held in one place gives one view, and a moving one none."""
    turn, move = waved(CAMERA, 1, 5)[0]
    held = [find_board(CAMERA.picture(turn, move, seed=k)) for k in range(4)]
    collector = LensCollector()
    assert [collector.add(sighting) for sighting in held] == [False, True, False, False]
    moving = LensCollector()
    kept = [moving.add(find_board(CAMERA.picture(turn, move + np.array([12.0 * k, 0, 0]), seed=k))) for k in range(3)]
    assert kept == [False, False, False]


def test_coverage_says_where_to_go_next() -> None:
    """The hint names an empty part of the picture, then asks for tilt."""
    collector = LensCollector()
    assert "camera sees it" in str(collector.progress().hint)
    turn, move = waved(CAMERA, 1, 5)[0]
    for k in range(2):
        collector.add(find_board(CAMERA.picture(turn, move, seed=k)))
    progress = collector.progress()
    assert progress.views == 1
    assert progress.cells.sum() > 0
    assert any(place in str(progress.hint) for place in ("bottom", "right"))


def test_few_views_are_refused(well_waved: LensCollector) -> None:
    """Three views are no calibration."""
    with pytest.raises(CalibrationError, match="Only 3 of 12 views"):
        solve_lens(well_waved.views[:3])


def test_a_bent_board_is_refused_with_the_reason() -> None:
    """A sheet that curls by some millimetres would give a wrong lens."""
    bent = collect(CAMERA, 14, 35.0, bend=1 / 400)
    with pytest.raises(CalibrationError, match="stiff card"):
        solve_lens(bent.views)


def test_views_without_tilt_are_refused_with_the_reason() -> None:
    """Flat-on views cannot tell the focal length from the distance."""
    flat = collect(CAMERA, 14, 0.5)
    assert not flat.progress().ready
    assert flat.progress().tilted == 0
    with pytest.raises(CalibrationError, match="tilt the board"):
        solve_lens(flat.views)
