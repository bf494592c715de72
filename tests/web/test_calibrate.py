"""The set-up's routes, without a browser: who may ask, what is answered, and never a traceback."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from companion.assets import CALIBRATION
from companion.calibration.layouts import LayoutStore
from companion.calibration.wizard import Doors, Wizard
from companion.session import Session
from companion.web import WebSettings, create_app

ORIGIN = {"Origin": "http://localhost", "X-Role": "table"}
POSTS = (
    "look",
    "leave",
    "auto",
    "start",
    "place",
    "measure",
    "seats",
    "move",
    "hands",
    "lens",
    "save",
    "use",
    "import",
)


@pytest.fixture
def app(session: Session, tmp_path: Path) -> Flask:
    """Return an app whose wizard looks at nothing yet."""
    doors = Doors(
        let_go=lambda: None,
        watch=lambda _layout, _source: None,
        carry_on=lambda: None,
        now=lambda: datetime(2026, 5, 1, tzinfo=UTC),
        model=lambda: "",
    )
    return create_app(
        session, settings=WebSettings(taps_per_second=1000), wizard=Wizard(LayoutStore(tmp_path), doors, sysfs=tmp_path)
    )


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """Return the table's tablet."""
    return app.test_client()


def post(client: FlaskClient, route: str, body: object, headers: dict[str, str] | None = None) -> TestResponse:
    """Post JSON as the wizard's script does."""
    return client.post(f"/camera/{route}", json=body, headers=ORIGIN if headers is None else headers)


def test_the_wizard_and_the_pages_to_print_are_served(client: FlaskClient) -> None:
    """To whoever asks: they show nothing of a game."""
    assert client.get("/camera").status_code == 200
    for paper in ("a4", "letter"):
        answer = client.get(f"/camera/page.pdf?paper={paper}")
        assert answer.data.startswith(b"%PDF")
        assert answer.mimetype == "application/pdf"
    assert client.get("/camera/page.pdf?paper=a0").status_code == 404


@pytest.mark.parametrize("route", ["picture.jpg", "thumbnail.jpg?source=0", "state", "layouts/x.json"])
def test_a_phone_sees_nothing_of_the_camera(client: FlaskClient, route: str) -> None:
    """Pictures and layouts are the table's alone: a phone is refused."""
    assert client.get(f"/camera/{route}").status_code == 403


@pytest.mark.parametrize("route", POSTS)
def test_a_phone_sets_nothing_up(client: FlaskClient, route: str) -> None:
    """Nor does a page of another site."""
    assert post(client, route, {}, {"Origin": "http://localhost"}).status_code in (400, 403)
    assert post(client, route, {}, {"Origin": "http://elsewhere", "X-Role": "table"}).status_code == 403


@pytest.mark.parametrize("route", POSTS)
@pytest.mark.parametrize(
    "body",
    [
        {}, [], {"source": 3, "size": "x"}, {"source": "", "size": [1, 2]}, {"outline": [1] * 8, "shape": "star"},
        {"outline": [None] * 8, "shape": "round", "size_mm": [1e9, 1]}, {"players": 99}, {"players": True},
        {"what": "7", "at": [1, 2]}, {"what": "x", "at": "y"}, {"place": 7}, {"id": "../x"}, {"text": "{"},
        {"ruler": "long"}, {"ruler": -1},
    ],
)  # fmt: skip
def test_nonsense_is_answered_with_a_sentence(client: FlaskClient, route: str, body: object) -> None:
    """4xx and one sentence, or nothing to complain about; never a 500."""
    answer = post(client, route, body)
    assert answer.status_code < 500
    if answer.status_code >= 400:
        assert answer.get_json()["sentence"]


def test_a_layout_comes_in_is_listed_and_goes_out_again(client: FlaskClient) -> None:
    """Import, state, export."""
    text = (CALIBRATION / "example" / "layout.json").read_text()
    brought = post(client, "import", {"text": text, "place": "Den"}).get_json()
    [listed] = brought["saved_layouts"]
    assert (listed["id"], listed["place"], listed["seats"]) == (brought["imported"], "Den", 4)
    out = client.get(f"/camera/layouts/{listed['id']}.json?as=table")
    assert out.status_code == 200
    assert out.get_json()["table"]["shape"] == "round"
    assert client.get("/camera/layouts/nothing.json?as=table").status_code == 404


def test_without_a_wizard_the_pages_say_so(session: Session) -> None:
    """As in the demo of a session without a camera."""
    client = create_app(session).test_client()
    assert client.get("/camera").status_code == 200
    assert client.get("/camera/state?as=table").status_code == 404
    assert "cannot be set up" in post(client, "start", {}).get_json()["sentence"]
