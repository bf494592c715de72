"""The seat net's maps read as evidence: where they expect a hand, how surely, and what they cannot say."""

import importlib.util
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from companion.assets import CALIBRATION
from companion.vision.camera import Camera, Floats, solve_camera
from companion.vision.events import Side
from companion.vision.geometry import seat_axes
from companion.vision.hands import HandObservation
from companion.vision.handspots import SETTINGS, HandSpots
from companion.vision.layout import Layout, load_layout
from companion.vision.owners import Owners
from companion.vision.seatnet import SPOTS_SIDE
from companion.vision.seatview import SIDE_PX, SeatView, seat_view
from companion.vision.tracking import HandTrack, assign

_SPEC = importlib.util.spec_from_file_location("handmaker", Path(__file__).with_name("handmaker.py"))
assert _SPEC is not None
assert _SPEC.loader is not None
handmaker = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(handmaker)

Table = tuple[Camera, Layout, dict[int, SeatView]]


@pytest.fixture(name="table", scope="module")
def _table() -> Table:
    layout = load_layout(CALIBRATION / "example" / "layout.json")
    camera = solve_camera(layout)
    return camera, layout, {s.seat: seat_view(camera, layout, s.seat) for s in layout.seats}


def map_at(view: SeatView, centre_px: Floats | None) -> Floats:
    """Return a map's logits as the net learns them: a round hill over a place in the frame; flat for None."""
    if centre_px is None:
        return np.zeros((SPOTS_SIDE, SPOTS_SIDE))
    x, y = (view.to_seat[:, :2] @ centre_px + view.to_seat[:, 2]) * SPOTS_SIDE / SIDE_PX - 0.5
    rows, columns = np.mgrid[:SPOTS_SIDE, :SPOTS_SIDE]
    return -((columns - x) ** 2 + (rows - y) ** 2) / 2.0


def in_picture(view: SeatView, x: float, y: float) -> Floats:
    """Return the place in the frame (2, px) at so many sides of the seat picture from its upper left corner."""
    turn = np.linalg.inv(view.to_seat[:, :2])
    return np.asarray(turn @ (np.array([x, y]) * SIDE_PX - view.to_seat[:, 2]))


def hand_between(table: Table, seat: int, other: int, side: Side) -> HandObservation:
    """Return a hand 75 mm over the table, as far from one player as from the other, that points at the middle."""
    camera, layout, _ = table
    (a, _, _), (b, _, _) = seat_axes(layout, seat), seat_axes(layout, other)
    place = (a + b) / 2
    inward = -place / np.linalg.norm(place)
    hand = handmaker.hand_at(
        camera, (float(place[0]), float(place[1]), 75.0), (float(inward[0]), float(inward[1])), side
    )
    assert isinstance(hand, HandObservation)
    return replace(hand, score=0.5)  # MediaPipe does not know left from right here


def test_a_hand_is_likeliest_where_its_map_has_its_hill(table: Table) -> None:
    """The share falls the farther off the hill, and left and right are told apart."""
    view = table[2][0]
    here, there = in_picture(view, 0.4, 0.5), in_picture(view, 0.7, 0.5)
    spots = HandSpots(table[2], {0: np.stack([map_at(view, here), map_at(view, there)])})
    size = 0.18 * SIDE_PX / math.sqrt(abs(np.linalg.det(view.to_seat[:, :2])))
    left, right = spots.log_share(0, here, size)
    assert left == pytest.approx(0.0, abs=0.7)
    assert right < -2.0
    nearly = spots.log_share(0, in_picture(view, 0.5, 0.5), size)[0]
    assert right < nearly < left


def test_a_sure_map_and_a_place_outside_of_it_are_bounded(table: Table) -> None:
    """However sure a map is, it may be wrong; a place outside of the seat's picture says a fixed amount."""
    view = table[2][0]
    spots = HandSpots(table[2], {0: np.stack([100 * map_at(view, in_picture(view, 0.3, 0.3))] * 2)})
    assert spots.log_share(0, in_picture(view, 0.8, 0.8), 40.0)[0] == pytest.approx(math.log(SETTINGS.surprise))
    assert spots.log_share(0, in_picture(view, 1.4, 0.5), 40.0) == (math.log(SETTINGS.outside),) * 2


def test_a_seat_without_a_map_says_the_same_of_all_places(table: Table) -> None:
    """Where the net was not asked of a seat, its maps move nothing."""
    spots = HandSpots(table[2], {})
    assert spots.log_share(1, np.array([10.0, 10.0]), 40.0) == (0.0, 0.0)


@pytest.mark.parametrize("owner", [0, 1])
def test_a_hand_between_neighbours_goes_to_the_one_whose_map_expects_it(table: Table, owner: int) -> None:
    """Its place is as good for either of two neighbours: only the maps say whose it is."""
    camera, layout, views = table
    side = Side.LEFT if owner == 0 else Side.RIGHT
    hand = hand_between(table, 0, 1, side)
    maps = {}
    for seat, view in views.items():
        both = [map_at(view, in_picture(view, 0.3, 0.6)), map_at(view, in_picture(view, 0.7, 0.6))]
        if seat == owner:
            both[tuple(Side).index(side)] = map_at(view, hand.centre_px)
        maps[seat] = np.stack(both)
    tracks: list[HandTrack] = []
    for step in range(5):
        tracks = assign(tracks, [hand], Owners(camera, layout), step * 10**8, spots=HandSpots(views, maps))
        assert [t.seat for t in tracks] == [owner]


def test_a_hand_begun_with_the_wrong_neighbour_goes_over_once_the_maps_speak(table: Table) -> None:
    """Evidence of the maps that adds up while a hand is followed changes its owner."""
    camera, layout, views = table
    owners = Owners(camera, layout)
    hand = hand_between(table, 0, 1, Side.RIGHT)
    (track,) = assign([], [hand], owners, 0)
    wrong = track.seat
    right = 1 - wrong
    maps = {}
    for seat, view in views.items():
        away = np.stack([map_at(view, in_picture(view, 0.2, 0.3)), map_at(view, in_picture(view, 0.8, 0.3))])
        maps[seat] = np.stack([map_at(view, hand.centre_px)] * 2) if seat == right else away
    tracks = [track]
    for step in range(1, 30):
        tracks = assign(tracks, [hand], owners, step * 10**8, spots=HandSpots(views, maps))
    assert {t.seat for t in tracks if t.seen_ns == 29 * 10**8} == {right}
