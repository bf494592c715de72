"""Saved layouts: kept by camera and place, offered again, exported and imported as the contract's file."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from companion.calibration.layouts import LayoutStore, SavedLayoutError, export_text
from companion.vision.layout import Layout, LayoutError, Lens, Shape, Table, load_layout, parse_layout
from companion.vision.seatplan import propose_seats

AT = datetime(2026, 5, 1, 20, 0, tzinfo=UTC)
TABLE = Table(Shape.RECTANGLE, 1000, 700, oval=True)


def a_layout(width: float = 1000) -> Layout:
    """Return a layout that uses every optional field."""
    table = Table(Shape.RECTANGLE, width, 700, oval=True)
    seats = tuple(type(s)(s.seat, s.edge_mm, 170.0 + s.seat) for s in propose_seats(table, 3))
    return Layout(
        image_size=(1280, 720),
        lens=Lens(hfov_deg=72.0),
        table=table,
        outline_px=((200.0, 600.0), (1000.0, 600.0), (900.0, 200.0), (300.0, 200.0)),
        seats=seats,
        discard_mm=(0.0, 0.0),
        draw_mm=(-110.0, 0.0),
    )


def test_a_layout_is_offered_again_for_its_camera(tmp_path: Path) -> None:
    """The newest of a camera first; another camera's is not offered for it."""
    store = LayoutStore(tmp_path / "layouts")
    assert store.all() == ()
    store.save(a_layout(), place="Kitchen", camera="0", at=AT)
    store.save(a_layout(1200), place="Garden", camera="0", at=AT + timedelta(hours=1))
    store.save(a_layout(), place="Kitchen", camera="2", at=AT + timedelta(hours=2))
    offered = store.for_camera("0")
    assert offered is not None
    assert offered.place == "Garden"
    assert offered.layout.table.width_mm == 1200
    assert [saved.camera for saved in store.all()] == ["2", "0", "0"]
    assert store.for_camera("7") is None


def test_the_same_place_and_camera_is_replaced(tmp_path: Path) -> None:
    """Setting the kitchen table up again does not leave two kitchens."""
    store = LayoutStore(tmp_path)
    first = store.save(a_layout(), place="Kitchen", camera="0", at=AT)
    again = store.save(a_layout(1100), place=" Kitchen ", camera="0", at=AT)
    assert first.id == again.id
    assert len(store.all()) == 1
    assert store.get(first.id).layout.table.width_mm == 1100


def test_an_export_is_the_contracts_file_and_comes_back_unchanged(tmp_path: Path) -> None:
    """With hands' sizes and an oval's mark, which others may ignore."""
    saved = LayoutStore(tmp_path / "a").save(a_layout(), place="Küche", camera="0", at=AT)
    text = export_text(saved)
    assert parse_layout(json.loads(text)) == a_layout()
    assert load_layout(LayoutStore(tmp_path / "a").path(saved.id)) == a_layout()
    other = LayoutStore(tmp_path / "b").import_text(text, place="x", camera="1", at=AT)
    assert (other.place, other.camera, other.layout) == ("Küche", "1", a_layout())


@pytest.mark.parametrize("text", ["", "{", "[]", "x" * 300_000, '{"version": 2}'])
def test_a_file_that_is_no_layout_is_refused_in_one_sentence(tmp_path: Path, text: str) -> None:
    """And nothing is kept of it."""
    store = LayoutStore(tmp_path)
    with pytest.raises((SavedLayoutError, LayoutError)) as refused:
        store.import_text(text, place="x", camera="0", at=AT)
    assert "\n" not in str(refused.value)
    assert store.all() == ()


@pytest.mark.parametrize("layout_id", ["../secret", "nothing-here", "A", "", "a/b"])
def test_an_id_leads_nowhere_but_into_the_folder(tmp_path: Path, layout_id: str) -> None:
    """Whatever a browser sends."""
    (tmp_path / "secret.json").write_text("{}")
    with pytest.raises(SavedLayoutError):
        LayoutStore(tmp_path / "layouts").get(layout_id)


def test_a_damaged_file_hides_no_other(tmp_path: Path) -> None:
    """It is passed over."""
    store = LayoutStore(tmp_path)
    store.save(a_layout(), place="Kitchen", camera="0", at=AT)
    (tmp_path / "broken.json").write_text("{")
    assert [saved.place for saved in store.all()] == ["Kitchen"]
