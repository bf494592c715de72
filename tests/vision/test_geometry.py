"""The camera solved from four tapped points, and the boxes of the picture that follow from it."""

import math
from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.assets import CALIBRATION
from companion.vision.camera import Camera, solve_camera
from companion.vision.geometry import beyond_edge_mm, outline_curve, outward, pile_crop, seat_axes, seat_crops
from companion.vision.layout import Layout, LayoutError, Lens, Seat, Shape, Table, load_layout
from tests.vision.looking import SIZE, looking


def seen_by(camera: Camera, table: Table, hfov_deg: float, off_px: float = 0.0, seed: int = 1) -> Layout:
    """Return the layout that a person would make of what ``camera`` sees."""
    bare = Layout(
        image_size=SIZE,
        lens=Lens(hfov_deg=hfov_deg),
        table=table,
        outline_px=((0, 0), (1, 0), (1, 1), (0, 1)),
        seats=(Seat(0, (0.0, -table.depth_mm / 2)), Seat(1, (-table.width_mm / 2, 0.0))),
        discard_mm=(0.0, 0.0),
        draw_mm=(-110.0, 0.0),
    )
    px = camera.project([(x, y, 0.0) for x, y in bare.outline_mm])
    px = px + np.random.default_rng(seed).normal(0, off_px, px.shape)
    points = [(float(x), float(y)) for x, y in px]
    return replace(bare, outline_px=(points[0], points[1], points[2], points[3]))


RECTANGLE = Table(Shape.RECTANGLE, 1200, 800)
ROUND = Table(Shape.ROUND, 1000, 1000)


@pytest.mark.parametrize("table", [RECTANGLE, ROUND])
@pytest.mark.parametrize("eye", [(10, -40, 1700), (0, -1300, 1000), (400, -1500, 500)])
def test_exact_outline_gives_the_camera_back(table: Table, eye: tuple[float, float, float]) -> None:
    """From exact points and the true field of view, the camera's place comes out to the millimetre."""
    camera = solve_camera(seen_by(looking(eye, 70), table, 70))
    assert np.allclose(camera.position_mm, eye, atol=2.0)
    assert camera.reprojection_px < 0.1


def test_wrong_field_of_view_is_corrected_where_perspective_is_strong() -> None:
    """A nominal field of view 6 % off is drawn towards the truth by an oblique outline, and called known."""
    true = looking((0, -1100, 600), 75)
    camera = solve_camera(seen_by(true, RECTANGLE, 75 * 1.06))
    nominal = SIZE[0] / 2 / math.tan(math.radians(75 * 1.06) / 2)
    assert camera.focal_known
    assert abs(camera.focal_px - true.focal_px) < 0.5 * abs(nominal - true.focal_px)


def test_straight_down_keeps_the_nominal_field_of_view() -> None:
    """From straight above the outline says nothing of the focal length, and the camera says so."""
    camera = solve_camera(seen_by(looking((0, -1, 1700), 75), RECTANGLE, 75, off_px=2.5))
    assert not camera.focal_known
    assert camera.focal_error == pytest.approx(0.03, rel=0.2)


def test_projection_and_table_plane_agree() -> None:
    """A point on a plane over the table, projected and taken back, is the same point."""
    camera = looking((200, -1200, 900), 70)
    points = np.array([(100.0, 50.0, 60.0), (-400.0, -300.0, 60.0)])
    assert np.allclose(camera.to_table(camera.project(points), 60.0), points, atol=1e-3)


def test_ray_above_the_horizon_never_meets_the_table() -> None:
    """A point of the picture above the horizon has no place on the table: NaN, not a number behind the camera."""
    camera = looking((0, -1500, 300), 70)
    assert np.isnan(camera.to_table([(640, 0)])).all()


def test_mirrored_picture_is_solved() -> None:
    """A picture flipped left to right, as some webcams give it, leads to a camera above the table all the same."""
    layout = seen_by(looking((0, -1200, 900), 70), RECTANGLE, 70)
    flipped = [(SIZE[0] - 1 - x, y) for x, y in layout.outline_px]
    camera = solve_camera(replace(layout, outline_px=(flipped[0], flipped[1], flipped[2], flipped[3])))
    assert camera.mirrored
    assert camera.position_mm[2] > 0
    assert np.allclose(camera.project([(x, y, 0) for x, y in layout.outline_mm]), flipped, atol=1.0)


def test_outline_of_another_table_is_refused() -> None:
    """An outline that no camera could see of that table is refused with the fields' names."""
    layout = replace(
        seen_by(looking((0, -1200, 900), 70), RECTANGLE, 70),
        outline_px=((0.0, 700.0), (1200.0, 650.0), (300.0, 300.0), (250.0, 10.0)),
    )
    with pytest.raises(LayoutError, match="outline_px"):
        solve_camera(layout)


def test_distortion_is_undone() -> None:
    """With a calibrated, distorting lens a point projected and taken back is the same point."""
    plain = looking((0, -1200, 900), 70)
    camera = replace(plain, distortion=np.array([-0.2, 0.05, 0.0, 0.0, 0.0]))
    point = [(550.0, -350.0, 0.0)]
    assert not np.allclose(camera.project(point), plain.project(point), atol=1.0)
    assert np.allclose(camera.to_table(camera.project(point)), point, atol=1.0)


def test_seats_right_is_the_players_right() -> None:
    """A player at the near side looks away from the setter's chair, so the right hand is at larger x."""
    layout = seen_by(looking((0, -1200, 900), 70), RECTANGLE, 70)
    middle, along, away = seat_axes(layout, 0)
    assert np.allclose(middle, (0, -400))
    assert np.allclose(along, (1, 0))
    assert np.allclose(away, (0, -1))


@pytest.mark.parametrize("table", [RECTANGLE, ROUND])
def test_edge_distance_changes_sign_at_the_edge(table: Table) -> None:
    """The distance beyond the edge is zero on it, negative over the table, and grows outward."""
    layout = seen_by(looking((0, -1200, 900), 70), table, 70)
    edge = outline_curve(layout)
    assert np.allclose(beyond_edge_mm(layout, edge), 0, atol=1e-6)
    assert np.allclose(beyond_edge_mm(layout, edge + 50 * outward(layout, edge)), 50, atol=1e-6)
    assert (beyond_edge_mm(layout, 0.8 * edge) < 0).all()


def test_crops_hold_the_seats_hands_and_lie_in_the_picture() -> None:
    """A seat's box holds hands on the table and on the lap before it, the pile's box the pile; both are cut to fit."""
    layout = load_layout(CALIBRATION / "example" / "layout.json")
    camera = solve_camera(layout)
    for seat, box in seat_crops(camera, layout).items():
        middle, _, away = seat_axes(layout, seat)
        for out, z in ((-80, 20), (60, -80), (40, 250)):
            x, y = camera.project([(*(middle + out * away), z)])[0]
            assert box.contains(x, y) or not (0 <= x < 1280 and 0 <= y < 720)
        assert 0 <= box.x0 < box.x1 <= 1280
        assert 0 <= box.y0 < box.y1 <= 720
    assert pile_crop(camera, layout).contains(*camera.project([(*layout.discard_mm, 0)])[0])


def test_solved_pose_is_a_rotation() -> None:
    """The solved rotation is orthonormal and right-handed."""
    camera = solve_camera(load_layout(CALIBRATION / "example" / "layout.json"))
    assert np.allclose(camera.rotation @ camera.rotation.T, np.eye(3), atol=1e-9)
    assert cv2.determinant(camera.rotation) == pytest.approx(1.0)
