"""Seats and piles proposed from the outline: clockwise, on the edge, on the table."""

import math

import pytest

from companion.vision.layout import Shape, Table
from companion.vision.seatplan import number_seats, onto_edge, onto_table, propose_piles, propose_seats

ROUND = Table(Shape.ROUND, 1000, 1000)
LONG = Table(Shape.RECTANGLE, 1600, 800)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("table", [ROUND, LONG, Table(Shape.RECTANGLE, 900, 900)])
def test_seats_lie_on_the_edge_clockwise_from_the_near_side(table: Table, players: int) -> None:
    """Seat 0 is on the near side, and the others follow clockwise as seen from above."""
    seats = propose_seats(table, players)
    assert [seat.seat for seat in seats] == list(range(players))
    assert seats[0].edge_mm[1] < 0
    turns = [-math.atan2(y, x) - math.pi / 2 for x, y in (seat.edge_mm for seat in seats)]
    unrolled = [turns[0]]
    for turn in turns[1:]:
        unrolled.append(turn + math.ceil((unrolled[-1] - turn) / (2 * math.pi)) * 2 * math.pi)
    assert unrolled[-1] - unrolled[0] < 2 * math.pi
    for seat in seats:
        assert onto_edge(table, seat.edge_mm) == pytest.approx(seat.edge_mm, abs=0.2)


@pytest.mark.parametrize(
    ("players", "near", "left", "far", "right"), [(4, 1, 1, 1, 1), (5, 2, 1, 1, 1), (2, 1, 0, 1, 0), (3, 1, 1, 1, 0)]
)
def test_a_rectangle_fills_its_sides_by_the_room_they_have(
    players: int, near: int, left: int, far: int, right: int
) -> None:
    """A long side takes a second player before a short one does."""
    seats = propose_seats(Table(Shape.RECTANGLE, 1200, 800), players)
    assert sum(s.edge_mm[1] == -400 for s in seats) == near
    assert sum(s.edge_mm[1] == 400 for s in seats) == far
    assert sum(s.edge_mm[0] == -600 for s in seats) == left
    assert sum(s.edge_mm[0] == 600 for s in seats) == right


@pytest.mark.parametrize(
    ("table", "dropped", "lands"),
    [
        (ROUND, (250, 0), (500, 0)),
        (ROUND, (0, 900), (0, 500)),
        (LONG, (100, 300), (100, 400)),
        (LONG, (-900, 50), (-800, 50)),
        (LONG, (750, 100), (800, 100)),
    ],
)
def test_a_dragged_seat_lands_on_the_nearest_edge(
    table: Table, dropped: tuple[float, float], lands: tuple[float, float]
) -> None:
    """Wherever it is dropped, inside or outside."""
    assert onto_edge(table, dropped) == pytest.approx(lands)


@pytest.mark.parametrize("table", [ROUND, LONG])
def test_piles_stay_on_the_table(table: Table) -> None:
    """A pile dragged off the table stays on it, and the two proposed do not lie on each other."""
    discard, draw = propose_piles(table)
    assert math.dist(discard, draw) > 63
    x, y = onto_table(table, (5000.0, 0.0))
    assert x < table.width_mm / 2
    assert y == 0


def test_seats_are_numbered_anew_after_one_was_dragged_past_another() -> None:
    """The numbers go clockwise again; a measured hand stays with its player."""
    seats = list(propose_seats(ROUND, 3))
    moved = type(seats[1])(1, onto_edge(ROUND, (400, 300)), hand_mm=181.0)
    seats[1] = moved
    seats[2] = type(seats[2])(2, onto_edge(ROUND, (-400, 300)))
    numbered = number_seats(tuple(seats))
    assert [seat.seat for seat in numbered] == [0, 1, 2]
    assert numbered[1].edge_mm[0] < 0
    assert numbered[2].hand_mm == 181.0
