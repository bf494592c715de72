"""Who may ask for what: every route by every role, hosts, origins, sizes, rates; without a browser."""

from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from companion.session import Session
from companion.web import WebSettings, create_app
from tests.web.flagged import raise_flag
from tests.web.screens import NAMES
from tests.web.stages import GAME_OVER, play

ORIGIN = "http://localhost"
ROLES = ("stranger", "player", "guard", "tablet")

# What each role is answered: stranger (no seat), player (a seat, not the Guard), the Guard, the table's tablet.
# "FLAG" stands for a flag on seat 1 with its clip; the Guard is seat 0, whose phone has its seat.
ROUTES: dict[str, tuple[int, int, int, int]] = {
    "GET /": (200, 200, 200, 200),
    "GET /new": (200, 200, 200, 200),
    "GET /table": (200, 200, 200, 200),
    "GET /me": (200, 200, 200, 200),
    "GET /help": (200, 200, 200, 200),
    "GET /join.svg": (200, 200, 200, 200),
    "GET /favicon.ico": (200, 200, 200, 200),
    "GET /history": (200, 200, 200, 200),
    "GET /history/<game_id>": (200, 200, 200, 200),
    "GET /history/<game_id>/result": (200, 200, 200, 200),
    "GET /history/<game_id>.json": (200, 200, 200, 200),
    "GET /history/<game_id>.csv": (200, 200, 200, 200),
    "GET /history/<game_id>/moves.csv": (200, 200, 200, 200),
    "GET /history/all.csv": (200, 200, 200, 200),
    "GET /stream": (200, 200, 200, 200),
    "GET /slaps/<number>.jpg": (404, 404, 404, 404),
    "GET /static/<filename>": (200, 200, 200, 200),
    "GET /flags/<flag_id>/clip.mp4": (404, 404, 200, 404),
    "GET /flags/<flag_id>/frames": (404, 404, 200, 404),
    "GET /flags/<flag_id>/frames/<number>.jpg": (404, 404, 200, 404),
    "POST /flags/<flag_id>/ruling": (403, 403, 200, 403),
    "POST /moves": (403, 200, 200, 200),
    "POST /undo": (403, 200, 200, 200),
    "POST /amend": (403, 200, 200, 200),
    "POST /consequence": (403, 409, 409, 409),
    "POST /caught": (403, 403, 200, 403),
    "POST /caught/back": (403, 403, 200, 200),
    "POST /new": (403, 200, 200, 200),
    "POST /seat": (200, 200, 200, 200),
    "POST /seat/leave": (200, 200, 200, 200),
    "POST /players/<seat>/name": (403, 403, 403, 200),
    "POST /players/<seat>/free": (403, 403, 403, 200),
    "POST /guard/open": (403, 403, 403, 403),
    "POST /guard/close": (200, 200, 200, 200),
    "POST /assist": (403, 403, 403, 200),
    "POST /watcher": (403, 403, 403, 422),
    "POST /clips/clear": (403, 403, 403, 422),
    "POST /language": (303, 303, 303, 303),
}
BODIES: dict[str, dict[str, object]] = {
    "POST /moves": {"move": "draw 0"},
    "POST /amend": {"undo": 1, "moves": ["deal 4"]},
    "POST /consequence": {"verdict": 0, "seen": 0, "done": 1},
    "POST /new": {"players": list(NAMES), "oldest": 0, "assist": "live", "house": {}},
    "POST /flags/<flag_id>/ruling": {"verdict": "innocent"},
    "POST /players/<seat>/name": {"name": "Ina"},
    "POST /seat": {"seat": 2},
    "POST /assist": {"assist": "off"},
    "POST /watcher": {"do": "pause"},
}
ELSEWHERE = "/camera"
"""The camera's set-up has routes and tests of its own."""


@pytest.fixture
def app(session: Session) -> Flask:
    """Return an app on an empty session, with limits that a test does not reach."""
    return create_app(session, settings=WebSettings(taps_per_second=1000, heartbeat_s=0.05))


def device(app: Flask, role: str) -> FlaskClient:
    """Return a client with the cookie of its role's device."""
    client = app.test_client()
    client.set_cookie("moth_device", f"device of {role}")
    return client


def post(client: FlaskClient, path: str, body: dict[str, object], *, table: bool = False) -> TestResponse:
    """Post JSON as the screens' script does."""
    headers = {"Origin": ORIGIN, "X-Role": "table"} if table else {"Origin": ORIGIN}
    return client.post(path, json=body, headers=headers)


def routes_of(app: Flask) -> set[str]:
    """Return every route as the table writes it."""
    found = set()
    for rule in app.url_map.iter_rules():
        for method in (rule.methods or set()) & {"GET", "POST"}:
            path = "".join(f"<{part}>" if named else part for named, part in _parts(rule.rule))
            if not path.startswith(ELSEWHERE):
                found.add(f"{method} {path}")
    return found


def _parts(rule: str) -> list[tuple[bool, str]]:
    parts = []
    for piece in rule.split("<"):
        name, closed, rest = piece.partition(">")
        if closed:
            parts.append((True, name.split(":")[-1]))
        parts.append((False, rest if closed else piece))
    return parts


def test_the_table_of_routes_is_whole(app: Flask) -> None:
    """A route that is added needs its line in the table."""
    assert routes_of(app) == set(ROUTES)


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("route", ROUTES)
def test_every_role_is_answered_as_the_table_says(
    app: Flask, session: Session, tmp_path: Path, route: str, role: str
) -> None:
    """Each route answers each role with its status, and never with a traceback."""
    session.create_game(NAMES, 0)
    play(session, "deal 3")
    session.claim_seat(0, "device of guard")
    session.claim_seat(1, "device of player")
    flag = raise_flag(session, tmp_path / "clips", seat=1) if "flag_id" in route else ""
    method, path = route.split(" ")
    for name, value in {
        "<flag_id>": flag,
        "<number>": "0",
        "<game_id>": "1",
        "<seat>": "2",
        "<filename>": "js/app.js",
    }.items():
        path = path.replace(name, value)
    client, table = device(app, role), role == "tablet"
    if method == "GET":
        response = client.get(path + ("?as=table" if table else ""), buffered=path != "/stream")
    elif path == "/language":
        response = client.post(path, data={"language": "de"}, headers={"Origin": ORIGIN})
    else:
        response = post(client, path, {"seq": session.seq, **BODIES.get(route, {})}, table=table)
    assert response.status_code == ROUTES[route][ROLES.index(role)]
    response.close()


def test_other_hosts_are_refused(app: Flask) -> None:
    """A name that somebody else pointed at this machine is not answered."""
    client = app.test_client()
    assert client.get("/", headers={"Host": "evil.example"}).status_code == 421
    assert client.get("/", headers={"Host": "192.168.1.7:8017"}).status_code == 200
    assert client.get("/", headers={"Host": "[fd00::1]:8017"}).status_code == 200


@pytest.mark.parametrize("origin", [None, "http://evil.example", "null", "http://localhost:1", "http://[::", ""])
def test_taps_from_other_pages_are_refused(app: Flask, session: Session, origin: str | None) -> None:
    """A page of another site cannot play."""
    session.create_game(NAMES, 0)
    headers = {"X-Role": "table"} | ({"Origin": origin} if origin else {})
    response = app.test_client().post("/moves", json={"move": "deal 3", "seq": session.seq}, headers=headers)
    assert response.status_code == 403
    assert session.folded.game is not None
    assert session.folded.game.steps == ()


def test_pages_run_no_script_but_their_own(app: Flask) -> None:
    """The content policy allows this server alone, and no inline script or style."""
    policy = app.test_client().get("/").headers["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 400),
        (b"[]", 400),
        (b'{"move": 1, "seq": 0}', 400),
        (b'{"move": "deal 3"}', 400),
        (b'{"move": "deal 3", "seq": "0"}', 400),
        (b'{"move": "deal 3", "seq": 0, "tap": 5}', 400),
        (b'{"move": "' + b"x" * 500 + b'", "seq": 0}', 400),
        (b'{"move": "fly 3", "seq": 1}', 422),
        (b'{"move": "play 9 3", "seq": 1}', 422),
        (b'{"move": "deal 3", "seq": 77}', 409),
        (b"[" * 5000 + b"]" * 5000, 400),
        (b" " * 300_000, 413),
    ],
)
def test_bad_taps_get_one_sentence(app: Flask, session: Session, body: bytes, status: int) -> None:
    """Unreadable, unknown, stale and oversized taps are refused in a sentence, and change nothing."""
    session.create_game(NAMES, 0)
    headers = {"Origin": ORIGIN, "X-Role": "table", "Content-Type": "application/json"}
    response = app.test_client().post("/moves", data=body, headers=headers)
    assert response.status_code == status
    assert len(response.get_json()["sentence"]) > 10
    assert session.seq == 1


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE", "GET", "TRACE", "PROPFIND"])
def test_an_odd_method_gets_a_sentence_that_says_what_to_do(app: Flask, session: Session, method: str) -> None:
    """Whoever asks an address for what it does not take is told so, and which methods it takes."""
    session.create_game(NAMES, 0)
    response = app.test_client().open("/moves", method=method, headers={"Origin": ORIGIN})
    assert response.status_code == 405
    assert "does not take such a request" in response.get_data(as_text=True)
    assert "POST" in response.headers["Allow"]
    assert session.seq == 1


@pytest.mark.parametrize(
    "body",
    [
        {"undo": "1", "moves": ["deal 4"]},
        {"undo": 1, "moves": "deal 4"},
        {"undo": 1, "moves": [4]},
        {"undo": 1, "moves": ["x" * 500]},
        {"undo": 0, "moves": ["deal 4"]},
        {"undo": 1, "moves": []},
        {"undo": 1, "moves": ["fly"]},
    ],
)
def test_a_bad_amendment_gets_one_sentence(app: Flask, session: Session, body: dict[str, object]) -> None:
    """Nothing is taken back for what cannot be entered in its place."""
    session.create_game(NAMES, 0)
    play(session, "deal 3")
    answer = post(device(app, "tablet"), "/amend", {"seq": session.seq, **body}, table=True)
    assert answer.status_code in {400, 422}
    assert len(answer.get_json()["sentence"]) > 10
    assert session.seq == 2


def test_a_repeated_tap_is_answered_alike_and_acts_once(app: Flask, session: Session) -> None:
    """A tap sent twice with one id gets the first answer twice."""
    session.create_game(NAMES, 0)
    client = device(app, "tablet")
    body: dict[str, object] = {"move": "deal 3", "seq": session.seq, "tap": "one"}
    first, second = (post(client, "/moves", body, table=True) for _ in range(2))
    assert (first.status_code, first.get_json()) == (second.status_code, second.get_json()) == (200, {"seq": 2})


def test_a_repeated_start_sets_up_one_game(app: Flask, session: Session) -> None:
    """What the journal does not tell apart, the tap's id does: one game, however often its tap arrives."""
    client = device(app, "tablet")
    body = {**BODIES["POST /new"], "tap": "one"}
    assert [post(client, "/new", body).status_code for _ in range(3)] == [200, 200, 200]
    assert len(session.games()) == 1


def test_a_flood_of_taps_is_slowed_down(session: Session) -> None:
    """Too many taps in a second are answered 429 with a sentence."""
    app = create_app(session, settings=WebSettings(taps_per_second=3))
    session.create_game(NAMES, 0)
    client = device(app, "tablet")
    answers = [post(client, "/moves", {"move": "fly", "seq": 0}, table=True) for _ in range(8)]
    assert answers[-1].status_code == 429
    assert answers[-1].get_json()["sentence"]


def test_streams_leave_threads_for_taps(session: Session) -> None:
    """One stream too many is refused; when one ends there is a place again."""
    client = create_app(session, settings=WebSettings(streams=1, heartbeat_s=0.05)).test_client()
    first = client.get("/stream")
    assert client.get("/stream").status_code == 503
    first.close()
    again = client.get("/stream")
    assert again.status_code == 200
    again.close()


def test_anybody_sets_up_a_game_when_none_is_on(app: Flask, session: Session) -> None:
    """A phone without a seat starts the first game, and not the second before the first is over."""
    client, body = device(app, "stranger"), BODIES["POST /new"]
    assert post(client, "/new", body).status_code == 200
    refused = post(client, "/new", body)
    assert refused.status_code == 403
    assert "choose your seat" in refused.get_json()["sentence"]
    play(session, *GAME_OVER)
    assert post(client, "/new", body).status_code == 200


def test_the_icon_is_found_by_its_old_name(app: Flask) -> None:
    """Browsers ask for /favicon.ico by themselves."""
    response = app.test_client().get("/favicon.ico")
    assert response.mimetype == "image/svg+xml"
    response.close()


def test_an_illegal_move_is_explained_with_names(app: Flask, session: Session) -> None:
    """The sentence speaks of players by name, never by seat."""
    session.create_game(NAMES, 0)
    play(session, "deal 3")
    answer = post(device(app, "tablet"), "/moves", {"move": "draw 2", "seq": session.seq}, table=True)
    assert answer.get_json()["sentence"] == "It is not Ida's turn: Mia is next."
