"""The table's layout: where the table lies in the picture, and who sits where. The contract's file, fully checked."""

import json
import math
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from companion.errors import CompanionError
from companion.vision import ellipse
from companion.words import Words, say

VERSION = 1
MAX_MM = 10_000.0
MAX_SEATS = 8
SEAT_SLACK_MM = 120.0
"""How far a seat's point may lie off the table's edge; people tap a few centimetres off."""

HAND_MM = (80.0, 260.0)
"""From a small child's hand to a very large man's."""

XY = tuple[float, float]


class LayoutError(CompanionError):
    """The layout cannot be used; names the field."""


class Shape(StrEnum):
    """The kinds of table top."""

    RECTANGLE = "rectangle"
    ROUND = "round"


@dataclass(frozen=True, slots=True)
class Table:
    """The table top in millimetres; a round one has ``width_mm == depth_mm``, its diameter.

    ``oval`` says that a rectangle is only the box around an oval top: an added field of the file, `table.oval`.
    """

    shape: Shape
    width_mm: float
    depth_mm: float
    oval: bool = False

    @property
    def half_mm(self) -> XY:
        """Return half the width and half the depth."""
        return self.width_mm / 2, self.depth_mm / 2


@dataclass(frozen=True, slots=True)
class Lens:
    """What is known of the camera's lens: a nominal field of view, or a calibrated matrix with distortion."""

    hfov_deg: float | None = None
    matrix: tuple[tuple[float, float, float], ...] | None = None
    distortion: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Seat:
    """A place at the table; ``edge_mm`` is the middle of its stretch of edge, in the table's frame.

    ``hand_mm`` is the length of the player's hand, wrist to middle fingertip, where it was measured: an added field.
    """

    seat: int
    edge_mm: XY
    hand_mm: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """A table as seen by one camera.

    ``outline_px`` are the images of ``outline_mm``: a rectangle's corners, a round table's four extreme points.
    Table frame: origin at the centre of the top, x right, y away from who set it up, z up, millimetres.
    """

    image_size: tuple[int, int]
    lens: Lens
    table: Table
    outline_px: tuple[XY, XY, XY, XY]
    seats: tuple[Seat, ...]
    discard_mm: XY
    draw_mm: XY

    @property
    def outline_mm(self) -> tuple[XY, XY, XY, XY]:
        """Return the four outline points in the table's frame, in the order of ``outline_px``."""
        w, d = self.table.width_mm / 2, self.table.depth_mm / 2
        if self.table.shape is Shape.ROUND:
            return ((0.0, -w), (w, 0.0), (0.0, w), (-w, 0.0))
        return ((-w, -d), (w, -d), (w, d), (-w, d))


def load_layout(path: Path) -> Layout:
    """Read and check a layout file; raises LayoutError in one sentence that names the field."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise LayoutError(
            "The layout {path} cannot be read ({why}); calibrate the table first.",
            path=path,
            why=error.strerror or error,
        ) from error
    except UnicodeDecodeError as error:
        raise LayoutError("The layout {path} is not a text file; calibrate the table again.", path=path) from error
    try:
        parsed = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise LayoutError(
            "The layout {path} is not valid JSON ({why}); calibrate the table again.", path=path, why=error
        ) from error
    return parse_layout(parsed)


def parse_layout(value: object) -> Layout:
    """Check a layout that was read from JSON; raises LayoutError in one sentence that names the field."""
    root = _object(value, "the file")
    version = _field(root, "version", "")
    if version != VERSION or isinstance(version, bool):
        _refuse("version", say("must be 1, the only version there is"))
    size = _pair(_field(root, "image_size", ""), "image_size", 16, 16384)
    if size != (int(size[0]), int(size[1])):
        _refuse("image_size", say("must be two whole numbers"))
    table = _table(_object(_field(root, "table", ""), "table"))
    outline = _field(root, "outline_px", "")
    if not isinstance(outline, list) or len(outline) != 4:
        _refuse("outline_px", say("must be four points"))
    points = [_pair(p, f"outline_px[{k}]", -1e5, 1e5) for k, p in enumerate(outline)]
    _check_outline(points)
    return Layout(
        image_size=(int(size[0]), int(size[1])),
        lens=_lens(_object(_field(root, "camera", ""), "camera")),
        table=table,
        outline_px=(points[0], points[1], points[2], points[3]),
        seats=_seats(_field(root, "seats", ""), table),
        discard_mm=_pile(root, "discard_mm", table),
        draw_mm=_pile(root, "draw_mm", table),
    )


def dump_layout(layout: Layout) -> dict[str, Any]:
    """Return the layout as the contract's JSON value; ``parse_layout`` reads it back unchanged."""
    lens = layout.lens
    camera: dict[str, Any]
    if lens.matrix is not None:
        camera = {"matrix": [list(row) for row in lens.matrix], "distortion": list(lens.distortion)}
    else:
        camera = {"hfov_deg": lens.hfov_deg}
    size: dict[str, Any] = {"shape": layout.table.shape.value}
    if layout.table.shape is Shape.ROUND:
        size["diameter_mm"] = layout.table.width_mm
    else:
        size |= {"width_mm": layout.table.width_mm, "depth_mm": layout.table.depth_mm}
        size |= {"oval": True} if layout.table.oval else {}
    return {
        "version": VERSION,
        "image_size": list(layout.image_size),
        "camera": camera,
        "table": size,
        "outline_px": [list(p) for p in layout.outline_px],
        "seats": [_seat_value(seat) for seat in layout.seats],
        "discard_mm": list(layout.discard_mm),
        "draw_mm": list(layout.draw_mm),
    }


def _seat_value(seat: Seat) -> dict[str, Any]:
    value: dict[str, Any] = {"seat": seat.seat, "edge_mm": list(seat.edge_mm)}
    if seat.hand_mm is not None:
        value["hand_mm"] = seat.hand_mm
    return value


def _flag(parent: dict[str, Any], name: str, field: str) -> bool:
    value = parent.get(name, False)
    if not isinstance(value, bool):
        _refuse(field, say("must be true or false"))
    return bool(value)


def _refuse(field: str, what: Words) -> None:
    raise LayoutError("The layout's {field} {what}; calibrate the table again.", field=field, what=what)


def _object(value: object, field: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise LayoutError("The layout's {field} must be a JSON object; calibrate the table again.", field=field)
    return value


def _field(parent: dict[str, Any], name: str, inside: str) -> Any:
    if name not in parent:
        raise LayoutError("The layout lacks {field}; calibrate the table again.", field=inside + name)
    return parent[name]


def _number(value: object, field: str, low: float, high: float) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise LayoutError("The layout's {field} must be a number; calibrate the table again.", field=field)
    if not low <= value <= high:
        _refuse(field, say("must lie between {low} and {high}", low=format(low, "g"), high=format(high, "g")))
    return float(value)


def _pair(value: object, field: str, low: float, high: float) -> XY:
    if not isinstance(value, list) or len(value) != 2:
        raise LayoutError("The layout's {field} must be two numbers; calibrate the table again.", field=field)
    return _number(value[0], f"{field}[0]", low, high), _number(value[1], f"{field}[1]", low, high)


def _table(table: dict[str, Any]) -> Table:
    shape = _field(table, "shape", "table.")
    if shape == Shape.ROUND:
        across = _number(_field(table, "diameter_mm", "table."), "table.diameter_mm", 200, MAX_MM)
        return Table(Shape.ROUND, across, across)
    if shape != Shape.RECTANGLE:
        _refuse("table.shape", say('must be "rectangle" or "round"'))
    return Table(
        Shape.RECTANGLE,
        _number(_field(table, "width_mm", "table."), "table.width_mm", 200, MAX_MM),
        _number(_field(table, "depth_mm", "table."), "table.depth_mm", 200, MAX_MM),
        oval=_flag(table, "oval", "table.oval"),
    )


def _lens(camera: dict[str, Any]) -> Lens:
    if ("hfov_deg" in camera) == ("matrix" in camera):
        _refuse("camera", say("must have either hfov_deg or matrix"))
    if "hfov_deg" in camera:
        return Lens(hfov_deg=_number(camera["hfov_deg"], "camera.hfov_deg", 10, 170))
    rows = camera["matrix"]
    if not isinstance(rows, list) or len(rows) != 3 or any(not isinstance(r, list) or len(r) != 3 for r in rows):
        _refuse("camera.matrix", say("must be three rows of three numbers"))
    matrix = tuple(
        tuple(_number(v, f"camera.matrix[{i}][{j}]", -1e6, 1e6) for j, v in enumerate(row))
        for i, row in enumerate(rows)
    )
    if matrix[0][0] <= 0 or matrix[1][1] <= 0 or matrix[2] != (0.0, 0.0, 1.0):
        _refuse("camera.matrix", say("must have positive focal lengths and the last row 0 0 1"))
    distortion = camera.get("distortion", [])
    if not isinstance(distortion, list) or len(distortion) not in (0, 4, 5, 8, 12, 14):
        _refuse("camera.distortion", say("must be 0, 4, 5, 8, 12 or 14 numbers, in OpenCV's order"))
    numbers = tuple(_number(v, f"camera.distortion[{k}]", -1e3, 1e3) for k, v in enumerate(distortion))
    return Lens(matrix=tuple((r[0], r[1], r[2]) for r in matrix), distortion=numbers)


def _seats(value: object, table: Table) -> tuple[Seat, ...]:
    if not isinstance(value, list) or not 1 <= len(value) <= MAX_SEATS:
        raise LayoutError(
            "The layout's seats must be a list of 1 to {most} seats; calibrate the table again.", most=MAX_SEATS
        )
    seats: list[Seat] = []
    for k, item in enumerate(value):
        row = _object(item, f"seats[{k}]")
        number = _field(row, "seat", f"seats[{k}].")
        if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number < MAX_SEATS:
            _refuse(f"seats[{k}].seat", say("must be a whole number from 0 to {last}", last=MAX_SEATS - 1))
        if any(number == s.seat for s in seats):
            _refuse(f"seats[{k}].seat", say("repeats number {number}", number=number))
        edge = _pair(_field(row, "edge_mm", f"seats[{k}]."), f"seats[{k}].edge_mm", -MAX_MM, MAX_MM)
        if abs(_beyond_edge(edge, table)) > SEAT_SLACK_MM:
            _refuse(f"seats[{k}].edge_mm", say("does not lie on the table's edge"))
        hand = row.get("hand_mm")
        size = None if hand is None else _number(hand, f"seats[{k}].hand_mm", *HAND_MM)
        seats.append(Seat(number, edge, size))
    return tuple(sorted(seats, key=lambda s: s.seat))


def _beyond_edge(point: XY, table: Table) -> float:
    x, y = abs(point[0]), abs(point[1])
    if table.shape is Shape.ROUND:
        return math.hypot(x, y) - table.width_mm / 2
    if table.oval:
        return float(ellipse.beyond(table.half_mm, point)[0])
    return max(x - table.width_mm / 2, y - table.depth_mm / 2)


def _pile(root: dict[str, Any], name: str, table: Table) -> XY:
    at = _pair(_field(root, name, ""), name, -MAX_MM, MAX_MM)
    if _beyond_edge(at, table) > 0:
        _refuse(name, say("does not lie on the table"))
    return at


def _check_outline(points: list[XY]) -> None:
    turns = []
    for k in range(4):
        (ax, ay), (bx, by), (cx, cy) = points[k], points[(k + 1) % 4], points[(k + 2) % 4]
        turns.append((bx - ax) * (cy - by) - (by - ay) * (cx - bx))
    if any(abs(t) < 1.0 for t in turns) or len({t > 0 for t in turns}) != 1:
        _refuse("outline_px", say("must be the four points in order around the table, with no three on a line"))
