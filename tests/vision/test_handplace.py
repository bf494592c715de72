"""Where a wrist is and how sure that is: honest on hands whose place is known."""

from dataclasses import replace

import numpy as np
import pytest

from companion.assets import CALIBRATION
from companion.vision.camera import Camera, Floats
from companion.vision.events import Side
from companion.vision.geometry import seat_axes, solve_camera
from companion.vision.handplace import HABITS, HandPlaces, Place, PlaceSettings
from companion.vision.handsize import HandSize
from companion.vision.layout import load_layout

LAYOUT = load_layout(CALIBRATION / "example" / "layout.json")
CAMERA = solve_camera(LAYOUT)
SETTINGS = PlaceSettings()
GROWN_UP = HandSize(175.0, 0.06)


def at_seat(seat: int, out: float, aside: float, up: float, side: Side = Side.RIGHT) -> Floats:
    """Return a point (table mm): outward from a seat's edge, to the hand's own side, over the table top."""
    middle, along, away = seat_axes(LAYOUT, seat)
    own = along if side is Side.RIGHT else -along
    return np.array([*(middle + out * away + aside * own), up])


def seen(camera: Camera, wrist: Floats, length_mm: float, share: float = SETTINGS.seen_ratio) -> tuple[Floats, float]:
    """Return what a camera sees of a hand: its wrist (px), and how long it appears (px)."""
    size = camera.focal_px * share * length_mm / float(camera.depth_mm([wrist])[0])
    return camera.project([wrist])[0], size


def placed(wrist: Floats, seat: int = 0, hand: HandSize = GROWN_UP, side: Side = Side.RIGHT) -> Place:
    """Place a hand that is seen without any error."""
    px, size = seen(CAMERA, wrist, hand.length_mm)
    return HandPlaces(CAMERA, LAYOUT).place(seat, side, px, size, hand)


@pytest.mark.parametrize("seat", [s.seat for s in LAYOUT.seats])
@pytest.mark.parametrize("side", list(Side))
def test_hand_at_rest_is_placed_where_it_is(seat: int, side: Side) -> None:
    """At every seat, a hand before its player is placed to within the stated uncertainty, on both sides."""
    wrist = at_seat(seat, -40, 150, 75, side)
    place = placed(wrist, seat, side=side)
    assert np.linalg.norm(place.position_mm - wrist) < 15
    assert (place.spread_mm < 60).all()


def test_stated_uncertainty_is_honest() -> None:
    """Hands drawn as the settings say they are lie off by the stated uncertainty along every axis: no more, no less."""
    rng = np.random.default_rng(1)
    places = HandPlaces(CAMERA, LAYOUT)
    off = []
    for _ in range(1500):
        habit = HABITS[rng.choice(len(HABITS), p=[h.share for h in HABITS])]
        seat = int(rng.choice([s.seat for s in LAYOUT.seats]))
        wrist = at_seat(seat, *rng.multivariate_normal(habit.middle_mm, habit.covariance))
        length = GROWN_UP.length_mm * np.exp(rng.normal(0, GROWN_UP.share))
        px, size = seen(CAMERA, wrist, length, SETTINGS.seen_ratio * np.exp(rng.normal(0, SETTINGS.seen_share)))
        depth = float(CAMERA.depth_mm([wrist])[0])
        px = px + rng.normal(0, SETTINGS.wrist_share * GROWN_UP.length_mm * CAMERA.focal_px / depth, 2)
        place = places.place(seat, Side.RIGHT, px, size, GROWN_UP)
        off.append((place.position_mm - wrist) / place.spread_mm)
    spread = np.sqrt((np.array(off) ** 2).mean(axis=0))
    assert (spread > 0.8).all()
    assert (spread < 1.2).all()


def test_hand_far_from_the_camera_is_less_sure_than_one_near() -> None:
    """The same place seen from twice as far, in a picture of the same size, is told less well."""
    far = replace(CAMERA, translation=CAMERA.translation + np.array([0.0, 0.0, 4000.0]))
    wrist = at_seat(0, -40, 150, 75)
    spreads = []
    for camera in (CAMERA, far):
        px, size = seen(camera, wrist, GROWN_UP.length_mm)
        spreads.append(HandPlaces(camera, LAYOUT).place(0, Side.RIGHT, px, size, GROWN_UP).spread_mm)
    assert np.linalg.norm(spreads[1]) > 1.1 * np.linalg.norm(spreads[0])


def test_doubtful_camera_makes_places_doubtful() -> None:
    """What the camera's pose leaves open is added to every place."""
    sure = replace(CAMERA, doubt=np.zeros((7, 7)))
    doubtful = replace(CAMERA, doubt=100 * CAMERA.doubt)
    px, size = seen(CAMERA, at_seat(0, -40, 150, 75), GROWN_UP.length_mm)
    spreads = [
        HandPlaces(c, LAYOUT).place(0, Side.RIGHT, px, size, GROWN_UP).spread_mm for c in (sure, CAMERA, doubtful)
    ]
    assert np.linalg.norm(spreads[0]) < np.linalg.norm(spreads[1]) < np.linalg.norm(spreads[2])
    assert np.allclose(sure.doubt_mm2([0.0, 0.0, 0.0]), 0)


def test_hand_that_appears_large_is_taken_for_nearer_to_the_camera() -> None:
    """Size draws a wrist along its ray, and the more the surer the player's hand length is known."""
    px, size = seen(CAMERA, at_seat(0, -100, 100, 120), 175.0)
    places = HandPlaces(CAMERA, LAYOUT)
    heights = [places.place(0, Side.RIGHT, px, k * size, GROWN_UP).position_mm[2] for k in (0.8, 1.0, 1.6)]
    assert heights[0] < heights[1] < heights[2]


def test_child_s_hand_does_not_look_low() -> None:
    """A hand of 125 mm over the table is placed as high as a grown-up's there once its length is known."""
    wrist = at_seat(1, -40, 150, 75)
    child = placed(wrist, 1, HandSize(125.0, 0.06))
    grown_up = placed(wrist, 1)
    px, size = seen(CAMERA, wrist, 125.0)
    mistaken = HandPlaces(CAMERA, LAYOUT).place(1, Side.RIGHT, px, size, GROWN_UP)
    assert abs(child.position_mm[2] - grown_up.position_mm[2]) < 5
    assert mistaken.position_mm[2] < child.position_mm[2]


def test_only_hands_plainly_over_the_table_are_learnt_from() -> None:
    """A hand before its player counts, as long as it appears; one beyond the edge, one raised and the lap do not."""
    places = HandPlaces(CAMERA, LAYOUT)
    lengths = []
    for wrist in (at_seat(0, -60, 150, 75), at_seat(0, 120, 150, 75), at_seat(0, -60, 150, 320)):
        px, size = seen(CAMERA, wrist, 175.0, 1.0)
        lengths.append(places.plain_mm(Place(wrist, np.eye(3)), px, size))
    assert lengths[0] == pytest.approx(175.0, rel=0.02)
    assert lengths[1:] == [None, None]


def test_place_is_finite_wherever_a_hand_is_seen() -> None:
    """Corners of the picture, the horizon, a hand of no size: every hand gets a place with an uncertainty."""
    places = HandPlaces(CAMERA, LAYOUT)
    width, height = CAMERA.size
    for px in ((0, 0), (width, 0), (0, height), (width, height), (width / 2, -5000)):
        for size in (0.0, 1.0, 40.0, 4000.0):
            place = places.place(0, Side.LEFT, np.array(px, dtype=float), size, GROWN_UP)
            assert np.isfinite(place.position_mm).all()
            assert (place.spread_mm > 0).all()
