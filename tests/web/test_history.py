"""Past games without a browser: where watching starts, their dates, their exports; and whose sentence is whose."""

import re
from datetime import UTC, datetime

import pytest
from flask.testing import FlaskClient

from companion.session import Session
from companion.session.errors import BadPlayers
from companion.web import create_app
from companion.web.words import moment_words
from tests.web.screens import NAMES
from tests.web.stages import play


@pytest.fixture
def client(session: Session) -> FlaskClient:
    """Return a screen of a companion with one game under way."""
    session.create_game(NAMES, 0)
    play(session, "deal 3", "play 0 4")
    return create_app(session).test_client()


@pytest.mark.parametrize("path", ["1.csv", "1/moves.csv", "all.csv"])
def test_a_csv_file_names_its_letters_once(client: FlaskClient, path: str) -> None:
    """The header has one charset."""
    assert client.get(f"/history/{path}").headers["Content-Type"] == "text/csv; charset=utf-8"


def test_a_game_is_watched_again_from_its_start(client: FlaskClient) -> None:
    """Not from the last move, which gives the end away."""
    page = client.get("/history/1", headers={"Accept-Language": "en"}).get_data(as_text=True)
    assert re.search(r"move 0 of \d", page)


@pytest.mark.parametrize(
    ("spoken", "words"),
    [("en-US", "30 Nov 2026, 14:13"), ("de", "30.11.2026, 14:13"), ("sv", "30 nov. 2026 14:13"), ("nl", "30 nov 2026")],
)
def test_a_date_is_written_as_the_language_does_without_seconds(session: Session, spoken: str, words: str) -> None:
    """Day before month in English too: the companion's English is Britain's."""
    with create_app(session).test_request_context(headers={"Accept-Language": spoken}):
        written = moment_words(datetime(2026, 11, 30, 14, 13, 59, tzinfo=UTC))
    assert words in written
    assert "59" not in written


def test_two_players_of_one_name_are_told_which(session: Session) -> None:
    """With five names to look through, the one that is there twice is said."""
    with pytest.raises(BadPlayers, match="called ole"):
        session.create_game(("Mia", "Ole", "ole"), 0)


@pytest.mark.parametrize("is_guard", [True, False])
def test_the_guard_is_not_told_to_cheat(session: Session, is_guard: bool) -> None:
    """Who waits for the turn reads of moths; the Guard, who may not cheat, of everybody's hands."""
    session.create_game(NAMES, 0)
    play(session, "deal 3", "play 0 4")
    game = session.view(session.viewer("tablet", table=True)).game
    assert game is not None
    seat = game.guard if is_guard else next(s for s in range(3) if s not in (game.guard, game.turn))
    client = create_app(session).test_client()
    client.get("/me")
    assert client.post("/seat", json={"seat": seat}, headers={"Origin": "http://localhost"}).status_code == 200
    page = client.get("/me", headers={"Accept-Language": "en"}).get_data(as_text=True)
    assert ("you are the Guard and may not cheat" in page) is is_guard
    assert ("keep an eye on your moths" in page) is not is_guard
