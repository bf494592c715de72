"""Whose hand it is: by place when it is first seen, by continuity while it is followed."""

import importlib.util
import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from companion.assets import CALIBRATION
from companion.vision.camera import Camera, solve_camera
from companion.vision.events import Side
from companion.vision.geometry import seat_axes
from companion.vision.hands import HandObservation
from companion.vision.layout import Layout, load_layout
from companion.vision.owners import Owners
from companion.vision.tracking import HandTrack, assign, cheapest_pairs, without_doubles

_SPEC = importlib.util.spec_from_file_location("handmaker", Path(__file__).with_name("handmaker.py"))
assert _SPEC is not None
assert _SPEC.loader is not None
handmaker = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(handmaker)

STEP_NS = 100_000_000


@pytest.fixture(name="table")
def _table() -> tuple[Camera, Layout, Owners]:
    layout = load_layout(CALIBRATION / "example" / "layout.json")
    camera = solve_camera(layout)
    return camera, layout, Owners(camera, layout)


def at_seat(
    camera: Camera, layout: Layout, seat: int, *, right_mm: float, out_mm: float, side: Side = Side.RIGHT
) -> HandObservation:
    """Return a hand so far to the right of a seat's middle and outward from its edge, 75 mm over the table."""
    middle, along, away = seat_axes(layout, seat)
    x, y = middle + right_mm * along + out_mm * away
    hand = handmaker.hand_at(camera, (float(x), float(y), 75.0), (float(-away[0]), float(-away[1])), side)
    assert isinstance(hand, HandObservation)
    return hand


def owners_of(tracks: Sequence[HandTrack], at_ns: int) -> list[tuple[int, Side]]:
    """Return the slots that got a hand at an instant."""
    return [(t.seat, t.side) for t in tracks if t.seen_ns == at_ns]


def test_hands_at_rest_belong_to_the_player_they_lie_before(table: tuple[Camera, Layout, Owners]) -> None:
    """Two hands before each of four players are given to the right seats and sides, whatever order they come in."""
    camera, layout, owners = table
    hands = [
        at_seat(camera, layout, seat, right_mm=140 * (1 if side is Side.RIGHT else -1), out_mm=-60, side=side)
        for seat in (3, 1, 0, 2)
        for side in (Side.RIGHT, Side.LEFT)
    ]
    tracks = assign([], hands, owners, 0)
    assert owners_of(tracks, 0) == [(seat, side) for seat in range(4) for side in Side]
    for track, slot in zip(tracks, [(seat, side) for seat in range(4) for side in Side], strict=True):
        middle, along, _ = seat_axes(layout, slot[0])
        place = camera.to_table([track.wrist_px], 75.0)[0, :2]
        assert ((place - middle) @ along > 0) == (slot[1] is Side.RIGHT)


def test_place_outweighs_the_models_left_and_right(table: tuple[Camera, Layout, Owners]) -> None:
    """A hand well to a player's right is the right one even where the model calls it left."""
    camera, layout, owners = table
    tracks = assign([], [at_seat(camera, layout, 0, right_mm=160, out_mm=-50, side=Side.LEFT)], owners, 0)
    assert owners_of(tracks, 0) == [(0, Side.RIGHT)]


def test_hand_that_reaches_across_keeps_its_owner(table: tuple[Camera, Layout, Owners]) -> None:
    """A hand that moves step by step to the far side of the table stays its player's."""
    camera, layout, owners = table
    tracks: list[HandTrack] = []
    for step in range(8):
        hand = at_seat(camera, layout, 0, right_mm=100, out_mm=-40 - 70 * step)
        tracks = assign(tracks, [hand], owners, step * STEP_NS)
        assert owners_of(tracks, step * STEP_NS) == [(0, Side.RIGHT)]


def test_doubtful_hand_does_not_push_others_to_their_neighbours(table: tuple[Camera, Layout, Owners]) -> None:
    """A second finding beside a followed hand never moves the followed hands along to other seats."""
    camera, layout, owners = table
    resting = [
        at_seat(camera, layout, seat, right_mm=130 * sign, out_mm=-60, side=side)
        for seat in range(4)
        for sign, side in ((-1, Side.LEFT), (1, Side.RIGHT))
    ]
    tracks = assign([], resting, owners, 0)
    before = {(t.seat, t.side): t.wrist_px for t in tracks}
    ghost = at_seat(camera, layout, 2, right_mm=20, out_mm=-150)
    tracks = assign(tracks, [*resting, ghost], owners, STEP_NS)
    assert all(np.allclose(t.wrist_px, before[t.seat, t.side]) for t in tracks)


def test_hand_out_of_everybodys_reach_is_nobodys(table: tuple[Camera, Layout, Owners]) -> None:
    """A hand a metre behind a player, a picture on the wall or a guest, starts no track."""
    camera, layout, owners = table
    assert assign([], [at_seat(camera, layout, 2, right_mm=0, out_mm=1100)], owners, 0) == []


def test_swapped_owners_are_put_right(table: tuple[Camera, Layout, Owners]) -> None:
    """Tracks that began with the wrong owners change over once the evidence has added up."""
    camera, layout, owners = table
    hands = [at_seat(camera, layout, seat, right_mm=100, out_mm=-60) for seat in (0, 1)]
    tracks = assign([], hands, owners, 0)
    a, b = tracks
    tracks = [replace(a, seat=b.seat), replace(b, seat=a.seat)]
    for step in range(1, 30):
        tracks = assign(tracks, hands, owners, step * STEP_NS)
    places = {t.seat: t.wrist_px for t in tracks}
    assert np.allclose(places[0], hands[0].wrist_px)
    assert np.allclose(places[1], hands[1].wrist_px)


def test_one_hand_found_in_two_boxes_is_one(table: tuple[Camera, Layout, Owners]) -> None:
    """Of two observations of the same hand the surer one is kept."""
    camera, layout, _ = table
    hand = at_seat(camera, layout, 0, right_mm=100, out_mm=-60)
    double = replace(hand, box=1, score=0.5, landmarks_px=hand.landmarks_px + 3.0)
    assert without_doubles([double, hand]) == [hand]


def test_cheapest_pairs_are_cheapest_in_all() -> None:
    """The cheap pair is given up where that makes all pairs together cheaper; forbidden and dear pairs are left."""
    costs = np.array([[1.0, 2.0], [1.5, 9.0]])
    assert sorted(cheapest_pairs(costs, 20.0)) == [(0, 1), (1, 0)]
    assert cheapest_pairs(np.array([[math.inf, 30.0]]), 20.0) == []


def test_three_hands_passed_round_are_put_right(table: tuple[Camera, Layout, Owners]) -> None:
    """Where no two of three hands would gain by changing places, all three still find their owners."""
    camera, layout, owners = table
    hands = [at_seat(camera, layout, seat, right_mm=100, out_mm=-60) for seat in (0, 1, 2)]
    tracks = assign([], hands, owners, 0)
    tracks = [replace(t, seat=other.seat) for t, other in zip(tracks, [*tracks[1:], tracks[0]], strict=True)]
    for step in range(1, 30):
        tracks = assign(tracks, hands, owners, step * STEP_NS)
    places = {t.seat: t.wrist_px for t in tracks}
    assert all(np.allclose(places[seat], hand.wrist_px) for seat, hand in enumerate(hands))
