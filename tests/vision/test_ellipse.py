"""An oval table's edge: nearest places, distances, directions, walking; and that the vision takes the oval for it."""

import numpy as np
import pytest

from companion.vision import ellipse
from companion.vision.geometry import beyond_edge_mm, outline_curve, outward, seat_axes
from companion.vision.layout import Layout, Lens, Shape, Table, dump_layout, parse_layout
from companion.vision.seatplan import onto_edge, onto_table, propose_piles, propose_seats

HALF = (800.0, 450.0)
OVAL = Table(Shape.RECTANGLE, 1600, 900, oval=True)


def laid_out(table: Table, players: int = 5) -> Layout:
    """Return a layout of a table, as the wizard makes one."""
    discard, draw = propose_piles(table)
    return Layout(
        image_size=(1280, 720),
        lens=Lens(hfov_deg=70.0),
        table=table,
        outline_px=((200.0, 600.0), (1080.0, 600.0), (900.0, 200.0), (380.0, 200.0)),
        seats=propose_seats(table, players),
        discard_mm=discard,
        draw_mm=draw,
    )


@pytest.mark.parametrize("half", [HALF, (450.0, 800.0), (500.0, 500.0), (900.0, 300.0)])
def test_the_nearest_place_is_the_nearest_of_all(half: tuple[float, float]) -> None:
    """Against a search over the whole edge, inside and outside, on the axes too."""
    rng = np.random.default_rng(4)
    points = np.vstack([rng.uniform(-1200, 1200, (200, 2)), [[0.0, 5.0], [5.0, 0.0], [0.0, -900.0], [1000.0, 0.0]]])
    turns = np.linspace(0, 2 * np.pi, 20000)
    edge = np.column_stack([half[0] * np.cos(turns), half[1] * np.sin(turns)])
    best = [float(np.linalg.norm(edge - point, axis=1).min()) for point in points]
    assert np.abs(ellipse.beyond(half, points)) == pytest.approx(best, abs=0.3)


def test_a_walk_goes_counter_clockwise_by_its_length() -> None:
    """To the right of a player who sits there; once around it is back."""
    [quarter] = ellipse.walk(HALF, (0.0, -450.0), [ellipse.length(HALF) / 4])
    assert quarter == pytest.approx((800.0, 0.0), abs=0.5)
    [home] = ellipse.walk(HALF, (0.0, -450.0), [ellipse.length(HALF)])
    assert home == pytest.approx((0.0, -450.0), abs=0.5)


def test_a_hand_at_the_corner_of_the_box_is_beyond_an_oval_table() -> None:
    """Over a rectangle it would be inside."""
    layout = laid_out(OVAL)
    corner = [(760.0, 410.0)]
    assert beyond_edge_mm(layout, corner)[0] > 100
    assert beyond_edge_mm(laid_out(Table(Shape.RECTANGLE, 1600, 900)), corner)[0] < 0
    assert beyond_edge_mm(layout, [(0.0, 440.0)])[0] == pytest.approx(-10, abs=0.1)


def test_the_edge_that_is_drawn_is_the_oval() -> None:
    """Every point lies on it, evenly spread."""
    curve = outline_curve(laid_out(OVAL))
    assert (curve**2 / np.array(HALF) ** 2).sum(axis=1) == pytest.approx(np.ones(len(curve)), abs=1e-3)
    steps = np.linalg.norm(np.diff(curve, axis=0), axis=1)
    assert steps.max() < 1.1 * steps.min()
    turns = np.unwrap(np.arctan2(curve[:, 1], curve[:, 0]))
    assert turns[-1] > turns[0]


def test_outward_is_square_to_the_oval() -> None:
    """At a slanted place it is neither along x nor along y; a player's right is counter-clockwise."""
    layout = laid_out(OVAL)
    [away] = outward(layout, [ellipse.walk(HALF, (800.0, 0.0), [400.0])[0]])
    assert 0.3 < away[0] < 0.99
    assert 0.1 < away[1] < 0.95
    middle, right, out = seat_axes(layout, 0)
    assert middle == pytest.approx((0.0, -450.0))
    assert right == pytest.approx((1.0, 0.0), abs=1e-6)
    assert out == pytest.approx((0.0, -1.0), abs=1e-6)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_seats_and_piles_land_on_the_oval(players: int) -> None:
    """Proposed or dragged; and the layout with them is a valid file that comes back the same."""
    layout = laid_out(OVAL, players)
    for seat in layout.seats:
        assert abs(ellipse.beyond(HALF, seat.edge_mm)[0]) < 0.2
        assert onto_edge(OVAL, seat.edge_mm) == pytest.approx(seat.edge_mm, abs=0.2)
    assert onto_edge(OVAL, (900.0, 500.0)) != pytest.approx((800.0, 450.0), abs=50)
    assert beyond_edge_mm(layout, [onto_table(OVAL, (790.0, 440.0))])[0] < -40
    assert parse_layout(dump_layout(layout)) == layout
