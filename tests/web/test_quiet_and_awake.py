"""The Guard's phone buzzes and shows the seat, nobody else's does; a screen that may go dark says so; nothing moves."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from companion.session.views import Assist
from tests.web.flagged import raise_flag
from tests.web.screens import NAMES, PHONE, TABLET, call_caught, new_page
from tests.web.served import Running
from tests.web.stages import play

pytestmark = pytest.mark.browser

COUNT_BUZZES = "window.buzzes = []; navigator.vibrate = (pattern) => { window.buzzes.push(pattern); return true; };"
NO_WAKE_LOCK = "delete Navigator.prototype.wakeLock"  # as over plain HTTP, from another machine


def joined(browser: Browser, running: Running, name: str) -> Page:
    """Join as a player on a phone that counts how often it buzzes."""
    page = new_page(browser, PHONE)
    page.add_init_script(COUNT_BUZZES)
    page.goto(f"{running.address}/me")
    page.get_by_role("button", name=name).click()
    page.wait_for_selector(".phone-screen")
    return page


@pytest.mark.parametrize("assist", list(Assist))
def test_the_guards_phone_alone_buzzes_and_shows_the_seat(
    running: Running, browser: Browser, tmp_path: Path, assist: Assist
) -> None:
    """Live, at once; after "Caught!", the clip of the accused seat; with the camera off, nothing at all."""
    running.session.create_game(NAMES, 0, assist=assist)
    play(running.session, "deal 3")
    mia, ole = joined(browser, running, "Mia"), joined(browser, running, "Ole")
    if assist is Assist.OFF:
        expect(mia.locator(".flags")).to_contain_text("The camera is off in this game")
        return
    raise_flag(running.session, tmp_path / "clips", seat=1)
    if assist is Assist.LIVE:
        expect(mia.locator(".flag.seat-1")).to_contain_text("Ole: a hand went below the table")
        mia.wait_for_function("() => window.buzzes.length === 1")
    else:
        expect(mia.locator(".flag")).to_have_count(0)
        call_caught(mia, "Ole")
        expect(mia.locator(".evidence video")).to_be_visible()
        assert mia.evaluate("window.buzzes.length") == 0
    assert ole.evaluate("window.buzzes.length") == 0
    assert ole.locator(".flag, video").count() == 0
    mia.reload()
    mia.wait_for_selector(".phone-screen")
    assert mia.evaluate("window.buzzes.length") == 0  # a page that is loaded again is no news


@pytest.mark.parametrize("path", ["/table", "/me"])
def test_a_screen_that_cannot_be_kept_lit_says_what_helps(running: Running, browser: Browser, path: str) -> None:
    """Once in a message, and for good in the menu."""
    running.session.create_game(NAMES, 0)
    play(running.session, "deal 3")
    page = new_page(browser, TABLET if path == "/table" else PHONE)
    page.add_init_script(NO_WAKE_LOCK)
    page.goto(f"{running.address}{path}")
    if path == "/me":
        page.get_by_role("button", name="Ole").click()
        page.wait_for_selector(".phone-screen")
    expect(page.locator(".toast")).to_contain_text("This screen may go dark by itself")
    page.locator("[data-open=menu]").click()
    expect(page.locator("#awake-hint")).to_contain_text("sleep time to ten minutes")


def test_nothing_moves_where_motion_is_to_be_reduced(running: Running, browser: Browser) -> None:
    """No animation runs on any stage, and no confetti falls for the winner."""
    running.session.create_game(NAMES, 0)
    context = browser.new_context(viewport=TABLET, reduced_motion="reduce")  # type: ignore[arg-type]
    page = context.new_page()
    moves = ("deal 3", "draw 0", "accuse 2", "uphold 1")
    page.goto(f"{running.address}/table")
    for move in moves:
        play(running.session, move)
        page.wait_for_function(
            "seq => Number(document.getElementById('app').dataset.seq) === seq", arg=running.session.seq
        )
        assert page.evaluate("document.getAnimations().length") == 0, move
    context.close()
