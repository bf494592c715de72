"""A seat's picture and the seat net's input: pure, turned alike for every camera, blind to the light's strength."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.vision.camera import Camera
from companion.vision.layout import Layout, Lens, Seat, Shape, Table
from companion.vision.seatview import CHANNELS, SIDE_PX, SeatMemory, SeatView, seat_input, seat_picture, seat_view
from tests.vision.looking import SIZE, looking

LAYOUT = Layout(
    image_size=SIZE,
    lens=Lens(hfov_deg=70.0),
    table=Table(Shape.RECTANGLE, 1200, 800),
    outline_px=((0, 0), (1, 0), (1, 1), (0, 1)),
    seats=(Seat(0, (0.0, -400.0)), Seat(1, (-600.0, 0.0)), Seat(2, (0.0, 400.0)), Seat(3, (600.0, 0.0))),
    discard_mm=(0.0, 0.0),
    draw_mm=(-110.0, 0.0),
)
OVERHEAD = (30.0, -40.0, 1500.0)
FRONT = (50.0, -1100.0, 650.0)


def in_seat(view: SeatView, camera: Camera, point_mm: tuple[float, float, float]) -> np.ndarray:
    """Return where a point of the table's frame lies in the seat's picture, px."""
    return view.to_seat[:, :2] @ camera.project([point_mm])[0] + view.to_seat[:, 2]


@pytest.mark.parametrize("eye", [OVERHEAD, FRONT])
@pytest.mark.parametrize("seat", LAYOUT.seats, ids=lambda s: f"seat{s.seat}")
def test_away_from_the_table_points_up(eye: tuple[float, float, float], seat: Seat) -> None:
    """From every camera and at every seat, a point behind the edge lies straight above the edge's middle."""
    camera = looking(eye)
    view = seat_view(camera, LAYOUT, seat.seat)
    x, y = seat.edge_mm
    foot = in_seat(view, camera, (x, y, 0.0))
    back = in_seat(view, camera, (x + 250 * np.sign(x), y + 250 * np.sign(y), 0.0))
    assert back[1] < foot[1] - 3
    assert abs(back[0] - foot[0]) < 0.01


def test_the_players_right_hand_lies_to_the_left() -> None:
    """Seen from above and with the player at the top, the player's right is the picture's left, mirrored or not."""
    camera = looking(OVERHEAD)
    for seen in (camera, replace(camera, mirrored=True)):
        view = seat_view(seen, LAYOUT, 2)
        # the player of seat 2 looks towards -y: their right is -x
        assert in_seat(view, seen, (-200.0, 300.0, 0.0))[0] < in_seat(view, seen, (200.0, 300.0, 0.0))[0]


def test_the_edge_map_tells_the_table_from_the_floor() -> None:
    """The edge map is negative over the table, positive outside, and about 0 where the edge is seen."""
    camera = looking(FRONT)
    view = seat_view(camera, LAYOUT, 1)

    def at(x: float, y: float) -> float:
        col, row = np.round(in_seat(view, camera, (x, y, 0.0))).astype(int)
        return float(view.edge[row, col])

    assert at(-450.0, 0.0) == pytest.approx(-0.5, abs=0.1)
    assert at(-600.0, 0.0) == pytest.approx(0.0, abs=0.1)
    assert at(-700.0, 0.0) == pytest.approx(1 / 3, abs=0.1)


def test_a_picture_shows_the_seat_and_black_where_the_frame_ends() -> None:
    """A mark at the seat is found where the view says; what the frame does not show is black and marked as outside."""
    camera = looking(OVERHEAD)
    view = seat_view(camera, LAYOUT, 3)
    frame = np.full((SIZE[1], SIZE[0], 3), 90, np.uint8)
    spot = camera.project([(550.0, 60.0, 0.0)])[0]
    cv2.circle(frame, tuple(int(v) for v in np.round(spot)), 14, (255, 255, 255), -1)
    picture = seat_picture(view, frame)
    assert picture.shape == (SIDE_PX, SIDE_PX, 3)
    rows, cols = np.nonzero(picture[..., 0] > 180)
    expected = in_seat(view, camera, (550.0, 60.0, 0.0))
    assert np.hypot(cols.mean() - expected[0], rows.mean() - expected[1]) < 0.7
    inner = cv2.erode(view.inside, np.ones((5, 5)))
    outer = cv2.dilate(view.inside, np.ones((5, 5)))
    assert (picture[inner > 0.5] > 60).all()
    assert not picture[outer < 0.5].any()


def test_a_frame_of_half_the_size_gives_the_same_picture() -> None:
    """The seat's picture hardly depends on the frame's resolution: 720p and 360p look alike to the net."""
    rng = np.random.default_rng(3)
    small = cv2.GaussianBlur(rng.integers(0, 255, (360, 640, 3), dtype=np.uint8), (0, 0), 6)
    large = cv2.resize(small, SIZE, interpolation=cv2.INTER_LINEAR)
    camera = looking(OVERHEAD)
    half = np.diag([0.5, 0.5, 1.0])
    shift = np.array([[1, 0, -0.25], [0, 1, -0.25], [0, 0, 1.0]])
    less = replace(camera, size=(640, 360), matrix=shift @ half @ camera.matrix)
    a = seat_picture(seat_view(camera, LAYOUT, 0), large).astype(int)
    b = seat_picture(seat_view(less, LAYOUT, 0), small).astype(int)
    assert np.abs(a - b).mean() < 2.0


def test_the_light_s_strength_does_not_matter() -> None:
    """Half the light gives the same colours and changes, since both are measured in the picture's own contrast."""
    rng = np.random.default_rng(1)
    view = seat_view(looking(OVERHEAD), LAYOUT, 0)
    pictures = [rng.integers(0, 120, (SIDE_PX, SIDE_PX, 3), dtype=np.uint8) * 2 for _ in range(4)]
    bright = seat_input(view, pictures)
    dim = seat_input(view, [p // 2 for p in pictures])
    assert bright.shape == (CHANNELS, SIDE_PX, SIDE_PX)
    assert bright.dtype == np.float32
    assert np.abs(bright - dim).mean() < 0.05
    assert np.abs(bright[:6]).max() <= 4


def test_what_stands_still_does_not_change() -> None:
    """Four equal pictures have no changes between their moments."""
    view = seat_view(looking(FRONT), LAYOUT, 2)
    picture = np.random.default_rng(2).integers(0, 255, (SIDE_PX, SIDE_PX, 3), dtype=np.uint8)
    assert not seat_input(view, [picture] * 4)[3:6].any()


def test_a_seat_out_of_the_picture_gives_an_empty_input() -> None:
    """A seat that the frame does not show gives a black picture and no number that is not finite."""
    camera = looking((0.0, -2500.0, 400.0))
    view = seat_view(replace(camera, translation=camera.translation + np.array([4000.0, 0, 0])), LAYOUT, 0)
    picture = seat_picture(view, np.full((SIZE[1], SIZE[0], 3), 200, np.uint8))
    assert not picture.any()
    assert np.isfinite(seat_input(view, [picture] * 4)).all()


def shade(value: int) -> np.ndarray:
    """Return a picture of one shade, by which it can be told from others."""
    return np.full((2, 2, 3), value, np.uint8)


@pytest.mark.parametrize(
    ("looks", "expected"),
    [
        ([(k * 0.2, k) for k in range(12)], [11, 10, 9, 7]),
        ([(k * 0.1, k) for k in range(24)], [23, 21, 19, 15]),
        ([(k * 0.2 + 0.03 * (k % 2), k) for k in range(12)], [11, 10, 9, 7]),
        ([(0.0, 0)], [0, 0, 0, 0]),
        ([(0.0, 0), (0.2, 1)], [1, 0, 0, 0]),
        # nobody looked for three seconds, since nothing moved: the picture from before stands for all of them
        ([(0.0, 0), (3.0, 1)], [1, 0, 0, 0]),
    ],
    ids=["5 a second", "10 a second", "uneven", "first", "second", "after a pause"],
)
def test_memory_gives_the_moments_before(looks: list[tuple[float, int]], expected: list[int]) -> None:
    """The memory finds the pictures of 0.2, 0.4 and 0.8 s ago, whatever the rhythm of the looks."""
    memory = SeatMemory()
    for at_s, value in looks:
        memory.add(at_s, shade(value))
    assert [int(p[0, 0, 0]) for p in memory.moments()] == expected
