"""The table as far as it is set up: where it starts, and what placing, measuring and dragging make of it. Pure."""

from dataclasses import replace

import numpy as np

from companion.errors import CompanionError
from companion.vision.camera import solve_camera
from companion.vision.layout import XY, Layout, Lens, Seat, Shape, Table, dump_layout, parse_layout
from companion.vision.seatplan import number_seats, onto_edge, onto_table, propose_piles, propose_seats, rearranged

NOMINAL_HFOV_DEG = 70.0
START_TABLE = Table(Shape.RECTANGLE, 1200.0, 800.0)
START_PLAYERS = 4
START_OUTLINE: tuple[XY, XY, XY, XY] = ((0.2, 0.8), (0.8, 0.8), (0.68, 0.35), (0.32, 0.35))
"""Where the outline lies before anybody places it, in shares of the picture's width and height."""


def start_outline(size: tuple[int, int]) -> tuple[XY, XY, XY, XY]:
    """Return where the outline lies before anybody places it, px."""
    a, b, c, d = ((round(x * size[0], 1), round(y * size[1], 1)) for x, y in START_OUTLINE)
    return a, b, c, d


def placed(
    before: Layout | None,
    table: Table,
    outline_px: tuple[XY, XY, XY, XY],
    lens: Lens,
    size: tuple[int, int],
    *,
    players: int,
    arranged: bool,
) -> Layout:
    """Return the draft with its table here, of this size; places and piles that somebody ``arranged`` move along."""
    if before is None or (before.table != table and not arranged):
        discard, draw = propose_piles(table)
        seats = propose_seats(table, players)
    else:
        seats, discard, draw = rearranged(before, table)
    layout = Layout(
        image_size=size,
        lens=lens,
        table=table,
        outline_px=outline_px,
        seats=seats,
        discard_mm=discard,
        draw_mm=draw,
    )
    return parse_layout(dump_layout(layout))


def seated(draft: Layout, players: int) -> Layout:
    """Return the draft with places proposed for so many players."""
    return replace(draft, seats=propose_seats(draft.table, players))


def seat_moved(draft: Layout, seat: int, at_px: XY) -> Layout:
    """Return the draft with a place where it was dragged to in the picture; places are numbered anew, clockwise."""
    edge = onto_edge(draft.table, _on_table(draft, at_px))
    moved = tuple(replace(s, edge_mm=edge) if s.seat == seat else s for s in draft.seats)
    return replace(draft, seats=number_seats(moved))


def pile_moved(draft: Layout, pile: str, at_px: XY) -> Layout:
    """Return the draft with the ``draw`` or the discard pile where it was dragged to in the picture."""
    place = onto_table(draft.table, _on_table(draft, at_px))
    return replace(draft, draw_mm=place) if pile == "draw" else replace(draft, discard_mm=place)


def hands_measured(draft: Layout, lengths_mm: dict[int, float]) -> Layout:
    """Return the draft with the hands' lengths kept with the seats where they were measured."""
    return replace(draft, seats=tuple(Seat(s.seat, s.edge_mm, lengths_mm.get(s.seat, s.hand_mm)) for s in draft.seats))


def _on_table(draft: Layout, at_px: XY) -> XY:
    x, y, _z = solve_camera(draft).to_table([at_px])[0]
    if np.isnan(x):
        raise CompanionError("That place is above the horizon: drop it on the table.")
    return float(x), float(y)
