"""Who sits where, and where the piles lie, proposed from the table's outline and the number of players.

Seats are numbered clockwise as seen from above, the first on the side of the person who sets the table up (-y).
"""

import math
from dataclasses import replace

from companion.vision import ellipse
from companion.vision.layout import XY, Layout, Seat, Shape, Table

DRAW_ASIDE_MM = 110.0
"""From the discard pile to the draw pile beside it: a card's width and a thumb's."""
_CLEAR_MM = 60.0
"""A pile's middle stays this far from the edge: half a card."""


def propose_seats(table: Table, players: int) -> tuple[Seat, ...]:
    """Return seats: spread evenly around a round or oval table, side by side along a rectangle, where there is room."""
    if table.shape is Shape.ROUND:
        turns = [-math.pi / 2 - 2 * math.pi * k / players for k in range(players)]
        radius = table.width_mm / 2
        points = [(radius * math.cos(turn), radius * math.sin(turn)) for turn in turns]
    elif table.oval:
        around = ellipse.length(table.half_mm)
        steps = [-around * k / players for k in range(players)]
        points = [(float(x), float(y)) for x, y in ellipse.walk(table.half_mm, (0.0, -table.depth_mm / 2), steps)]
    else:
        points = _along_sides(table, players)
    return number_seats(tuple(Seat(k, _rounded(point)) for k, point in enumerate(points)))


def number_seats(seats: tuple[Seat, ...]) -> tuple[Seat, ...]:
    """Number seats anew, clockwise from the middle of the near side; hands' sizes stay with their seats."""
    ordered = sorted(seats, key=lambda seat: _clockwise(seat.edge_mm))
    return tuple(replace(seat, seat=number) for number, seat in enumerate(ordered))


def onto_edge(table: Table, point_mm: XY) -> XY:
    """Return the place on the table's edge nearest to a point: where a dragged seat lands."""
    x, y = point_mm
    if table.shape is Shape.ROUND:
        length = math.hypot(x, y) or 1.0
        return _rounded((x / length * table.width_mm / 2, y / length * table.width_mm / 2))
    if table.oval:
        on_edge = ellipse.nearest(table.half_mm, point_mm)[0]
        return _rounded((float(on_edge[0]), float(on_edge[1])))
    half_x, half_y = table.width_mm / 2, table.depth_mm / 2
    x, y = min(max(x, -half_x), half_x), min(max(y, -half_y), half_y)
    to_sides = {(math.copysign(half_x, x), y): half_x - abs(x), (x, math.copysign(half_y, y)): half_y - abs(y)}
    return _rounded(min(to_sides, key=lambda place: to_sides[place]))


def onto_table(table: Table, point_mm: XY) -> XY:
    """Return the place on the table top nearest to a point: where a dragged pile lands."""
    x, y = point_mm
    if table.shape is Shape.ROUND:
        length, most = math.hypot(x, y), table.width_mm / 2 - _CLEAR_MM
        return _rounded((x, y) if length <= most else (x / length * most, y / length * most))
    if table.oval:
        inner = (table.width_mm / 2 - _CLEAR_MM, table.depth_mm / 2 - _CLEAR_MM)
        if ellipse.beyond(inner, point_mm)[0] <= 0:
            return _rounded(point_mm)
        x, y = (float(v) for v in ellipse.nearest(inner, point_mm)[0])
        return _rounded((x, y))
    most_x, most_y = table.width_mm / 2 - _CLEAR_MM, table.depth_mm / 2 - _CLEAR_MM
    return _rounded((min(max(x, -most_x), most_x), min(max(y, -most_y), most_y)))


def rearranged(layout: Layout, table: Table) -> tuple[tuple[Seat, ...], XY, XY]:
    """Return a layout's seats, discard and draw pile for the same table with another size or shape: moved along."""
    across, deep = table.width_mm / layout.table.width_mm, table.depth_mm / layout.table.depth_mm

    def along(point: XY) -> XY:
        return point[0] * across, point[1] * deep

    seats = tuple(replace(seat, edge_mm=onto_edge(table, along(seat.edge_mm))) for seat in layout.seats)
    return seats, onto_table(table, along(layout.discard_mm)), onto_table(table, along(layout.draw_mm))


def propose_piles(table: Table) -> tuple[XY, XY]:
    """Return the middles of the discard pile and of the draw pile to its left."""
    return (0.0, 0.0), onto_table(table, (-DRAW_ASIDE_MM, 0.0))


def _along_sides(table: Table, players: int) -> list[XY]:
    half_x, half_y = table.width_mm / 2, table.depth_mm / 2
    # near, far, left, right: with equal room the near side is taken first, and the far one opposite it
    sides: list[tuple[XY, XY]] = [
        ((-half_x, -half_y), (half_x, -half_y)),
        ((half_x, half_y), (-half_x, half_y)),
        ((-half_x, half_y), (-half_x, -half_y)),
        ((half_x, -half_y), (half_x, half_y)),
    ]
    counts = [1, 0, 0, 0]
    for _player in range(players - 1):
        room = [math.dist(*side) / (count + 1) for side, count in zip(sides, counts, strict=True)]
        counts[room.index(max(room))] += 1
    points = []
    for (start, end), count in zip(sides, counts, strict=True):
        for k in range(count):
            share = (k + 0.5) / count
            points.append((start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])))
    return points


def _clockwise(point: XY) -> float:
    turn = -(math.atan2(point[1], point[0]) + math.pi / 2) % (2 * math.pi)
    # a seat a few centimetres right of the near side's middle is still the first one
    return turn if turn < 2 * math.pi - 0.35 else turn - 2 * math.pi


def _rounded(point: XY) -> XY:
    return round(point[0], 1), round(point[1], 1)
