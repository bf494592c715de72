"""The banner that the connection is lost stands still while any part of the screen is in trouble."""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.screens import NAMES, open_table, press
from tests.web.served import Running
from tests.web.stages import play

pytestmark = pytest.mark.browser

WATCH = """() => {
  window.changes = 0;
  new MutationObserver(() => { window.changes += 1; })
    .observe(document.getElementById('offline'), { attributes: true, attributeFilter: ['hidden'] });
}"""
BEATS_MS = 3500
"""More than three beats of the stream, which come each second in the tests."""


def ready(running: Running, browser: Browser) -> Page:
    running.session.create_game(NAMES, 0)
    play(running.session, "deal 3")
    return open_table(browser, running)


def test_it_stands_still_while_pages_fail_and_the_stream_lives(running: Running, browser: Browser) -> None:
    """The stream's beats do not hide that the screen cannot be fetched."""
    table = ready(running, browser)
    table.route("**/table", lambda route: route.abort())
    play(running.session, "draw 0")
    expect(table.locator("#offline")).to_be_visible()
    table.evaluate(WATCH)
    table.wait_for_timeout(BEATS_MS)
    assert table.evaluate("window.changes") == 0
    expect(table.locator("#offline")).to_be_visible()
    table.unroute("**/table")
    expect(table.locator("#offline")).to_be_hidden()
    expect(table.locator("#asked")).to_have_text("Ole's turn")


def test_it_stands_still_while_a_tap_is_kept_and_the_rest_lives(running: Running, browser: Browser) -> None:
    """A full disk keeps the tap waiting; everything else is well, and the sentence stays."""
    table = ready(running, browser)
    full = '{"sentence": "The disk is full: free some space."}'
    table.route("**/moves", lambda route: route.fulfill(status=503, content_type="application/json", body=full))
    press(table.locator('[data-move="draw 0"]'))
    expect(table.locator("#offline")).to_have_text("The disk is full: free some space.")
    table.evaluate(WATCH)
    table.wait_for_timeout(BEATS_MS)
    assert table.evaluate("window.changes") == 0
    table.unroute("**/moves")
    expect(table.locator("#offline")).to_be_hidden()
    expect(table.locator("#asked")).to_have_text("Ole's turn")
