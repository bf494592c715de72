"""The layout file: read whole, or refused in one sentence that names the field."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from companion.assets import CALIBRATION
from companion.vision.layout import LayoutError, dump_layout, load_layout, parse_layout

GOOD: dict[str, Any] = {
    "version": 1,
    "image_size": [1280, 720],
    "camera": {"hfov_deg": 78.0},
    "table": {"shape": "rectangle", "width_mm": 1200, "depth_mm": 800},
    "outline_px": [[61.0, 650.5], [1239.5, 655.0], [1071.0, 150.0], [212.0, 148.5]],
    "seats": [{"seat": 0, "edge_mm": [0, -400]}, {"seat": 1, "edge_mm": [-600, 0]}],
    "discard_mm": [0, 0],
    "draw_mm": [-110, 0],
}


def changed(path: str, value: object) -> dict[str, Any]:
    """Return the good layout with one field replaced, or taken out where the value is ``...``."""
    layout = copy.deepcopy(GOOD)
    at: Any = layout
    *parents, last = (int(p) if p.isdigit() else p for p in path.split("."))
    for key in parents:
        at = at[key]
    if value is ...:
        del at[last]
    else:
        at[last] = value
    return layout


def test_example_layout_is_read_and_written_back_unchanged() -> None:
    """What calibration wrote is read, and dumping and parsing it again gives the same layout."""
    layout = load_layout(CALIBRATION / "example" / "layout.json")
    assert len(layout.seats) == 4
    assert parse_layout(json.loads(json.dumps(dump_layout(layout)))) == layout


@pytest.mark.parametrize("name", list(GOOD))
def test_missing_field_is_named(name: str) -> None:
    """A layout that lacks a field is refused in one sentence that names it."""
    with pytest.raises(LayoutError, match=name) as caught:
        parse_layout(changed(name, ...))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("path", "value", "named"),
    [
        ("version", 2, "version"),
        ("image_size", [0, 720], r"image_size\[0\]"),
        ("image_size", [1280.5, 720], "image_size"),
        ("camera", {}, "camera"),
        ("camera", {"hfov_deg": 78, "matrix": []}, "camera"),
        ("camera.hfov_deg", "wide", r"camera\.hfov_deg"),
        ("camera.hfov_deg", 0, r"camera\.hfov_deg"),
        ("camera", {"matrix": [[1, 0, 0], [0, 1, 0]]}, r"camera\.matrix"),
        ("camera", {"matrix": [[900, 0, 640], [0, 900, 360], [0, 0, 1]], "distortion": [1]}, r"camera\.distortion"),
        ("table.shape", "oval", r"table\.shape"),
        ("table.width_mm", -3, r"table\.width_mm"),
        ("table.width_mm", float("nan"), r"table\.width_mm"),
        ("table.depth_mm", ..., r"table\.depth_mm"),
        ("table", [], "table"),
        ("outline_px", [[0, 0]], "outline_px"),
        ("outline_px.2", [1, "x"], r"outline_px\[2\]\[1\]"),
        ("outline_px.2", [61.0, 650.5], "outline_px"),
        ("outline_px.1", [1071.0, 150.0], "outline_px"),
        ("seats", [], "seats"),
        ("seats.1.seat", 0, r"seats\[1\]\.seat"),
        ("seats.1.seat", True, r"seats\[1\]\.seat"),
        ("seats.0.edge_mm", [0, 0], r"seats\[0\]\.edge_mm"),
        ("seats.0.edge_mm", ..., r"seats\[0\]\.edge_mm"),
        ("discard_mm", [900, 0], "discard_mm"),
        ("draw_mm", None, "draw_mm"),
    ],
)
def test_wrong_field_is_named(path: str, value: object, named: str) -> None:
    """A value that is out of range, of the wrong kind or contradicts another is refused, its field named."""
    with pytest.raises(LayoutError, match=named):
        parse_layout(changed(path, value))


@pytest.mark.parametrize("text", ["", "{", "[]", "3", '"layout"'])
def test_file_that_is_no_layout_is_refused(tmp_path: Path, text: str) -> None:
    """A file that is empty, torn or some other JSON is refused in one sentence."""
    path = tmp_path / "layout.json"
    path.write_text(text)
    with pytest.raises(LayoutError, match="calibrate the table"):
        load_layout(path)


def test_absent_file_is_refused(tmp_path: Path) -> None:
    """A layout that is not there is refused with its name."""
    with pytest.raises(LayoutError, match=r"nowhere\.json"):
        load_layout(tmp_path / "nowhere.json")
