"""Wi-Fi that goes and comes back, a server that restarts, a page that is loaded again."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from companion.clock import SystemClock
from companion.journal import Journal
from companion.session import Session
from tests.web.screens import NAMES, open_phone, open_table, press
from tests.web.served import Running, serve

pytestmark = pytest.mark.browser


def _texts(session: Session) -> list[str]:
    return [step.text for step in session.folded.game.steps] if session.folded.game else []


def test_a_tap_without_connection_is_kept_said_and_played_once(running: Running, browser: Browser) -> None:
    """The banner says that the tap is kept; when the line is back it is sent, once."""
    running.session.create_game(NAMES, 0)
    running.session.submit("deal 3", running.session.seq, running.session.viewer("t", table=True))
    table = open_table(browser, running)
    table.context.set_offline(True)
    table.locator('[data-move="draw 0"]').click()
    expect(table.locator("#offline")).to_contain_text("Your tap is kept")
    assert _texts(running.session) == ["deal 3"]
    table.context.set_offline(False)
    expect(table.locator("#asked")).to_have_text("Ole's turn")
    expect(table.locator("#offline")).to_be_hidden()
    assert _texts(running.session) == ["deal 3", "draw 0"]


def test_a_kept_tap_survives_loading_the_page_again(running: Running, browser: Browser) -> None:
    """A tap whose answer never came is sent again after a reload, and acts once."""
    running.session.create_game(NAMES, 0)
    running.session.submit("deal 3", running.session.seq, running.session.viewer("t", table=True))
    table = open_table(browser, running)
    table.route("**/moves", lambda route: (route.fetch(), route.abort()))  # it arrives, the answer is lost
    table.locator('[data-move="draw 0"]').click()
    expect(table.locator("#offline")).to_be_visible()
    table.unroute("**/moves")
    table.reload()
    expect(table.locator("#asked")).to_have_text("Ole's turn")
    table.wait_for_timeout(500)
    assert _texts(running.session) == ["deal 3", "draw 0"]
    assert table.locator(".toast.wrong, .toast.faster").count() == 0


def test_screens_come_back_by_themselves_when_the_server_restarts(tmp_path: Path, browser: Browser) -> None:
    """A phone keeps its seat and the tablet its place over a restart of the server, and both say so meanwhile."""
    clock = SystemClock()
    journal = Journal.open(tmp_path / "journal.db", clock)
    session = Session(journal, clock)
    session.create_game(NAMES, 0)
    session.submit("deal 3", session.seq, session.viewer("t", table=True))
    with serve(session) as running:
        table, phone = open_table(browser, running), open_phone(browser, running, "Ole")
        port = int(running.address.rsplit(":", 1)[1])
    # A server that ends within a living process may leave a stream's socket open: then the silence tells, after 24 s.
    expect(table.locator("#offline")).to_be_visible(timeout=40000)
    expect(phone.locator("#offline")).to_be_visible(timeout=40000)
    journal.close()

    journal = Journal.open(tmp_path / "journal.db", clock)
    again = Session(journal, clock)
    with serve(again, port):
        again.submit("draw 0", again.seq, again.viewer("t", table=True))
        expect(phone.locator("#asked")).to_have_text("Your turn!")
        expect(table.locator("#asked")).to_have_text("Ole's turn")
        expect(phone.locator("#offline")).to_be_hidden(timeout=15000)
    journal.close()


def test_a_phone_that_is_loaded_again_is_still_its_player(running: Running, browser: Browser) -> None:
    """A reload leads back to the same seat."""
    running.session.create_game(NAMES, 0)
    phone = open_phone(browser, running, "Ida")
    phone.reload()
    expect(phone.locator(".phone-bar .me")).to_contain_text("Ida")


def test_a_tap_that_the_server_fails_on_does_not_hold_up_the_next(running: Running, browser: Browser) -> None:
    """An error that sending again does not mend is said; the tap is let go, and the tablet plays on."""
    running.session.create_game(NAMES, 0)
    running.session.submit("deal 3", running.session.seq, running.session.viewer("t", table=True))
    table = open_table(browser, running)
    broken = '{"sentence": "Something went wrong."}'
    table.route("**/moves", lambda route: route.fulfill(status=500, content_type="application/json", body=broken))
    press(table.locator('[data-move="draw 0"]'))
    expect(table.locator(".toast.wrong")).to_have_text("Something went wrong.")
    table.unroute("**/moves")
    press(table.locator('[data-move="draw 0"]'))
    expect(table.locator("#asked")).to_have_text("Ole's turn")
    assert _texts(running.session) == ["deal 3", "draw 0"]


def test_a_phone_that_slept_shows_the_game_as_it_is_when_it_wakes(running: Running, browser: Browser) -> None:
    """What was missed while nothing reached it is fetched as soon as the screen is looked at again."""
    running.session.create_game(NAMES, 0)
    running.session.submit("deal 3", running.session.seq, running.session.viewer("t", table=True))
    phone = open_phone(browser, running, "Ole")
    phone.context.set_offline(True)
    running.session.submit("draw 0", running.session.seq, running.session.viewer("t", table=True))
    phone.wait_for_timeout(300)
    assert phone.locator("#asked").inner_text() == "Mia's turn"
    phone.context.set_offline(False)
    phone.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(phone.locator("#asked")).to_have_text("Your turn!")
    expect(phone.locator("#offline")).to_be_hidden()
