"""After a verdict: every screen walks through the same steps, and each may be confirmed, skipped or set right."""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.screens import NAMES, accounted, guard_of, open_phone, open_table, press, walk_through
from tests.web.served import Running
from tests.web.stages import play

pytestmark = pytest.mark.browser

CALLED = ("deal 3", "draw 0", "accuse 1")


def settled(running: Running, *moves: str) -> None:
    """Settle a call of Mia's on Ole."""
    running.session.create_game(NAMES, 0)
    play(running.session, *CALLED, *moves)


def now(page: Page) -> str:
    """Read the step that everybody waits for."""
    return page.locator(".step.now .step-words").inner_text()


def done(page: Page) -> None:
    """Confirm it."""
    press(page.locator(".step.now").get_by_role("button", name="Done"))


def test_all_screens_walk_through_a_true_call_together(running: Running, browser: Browser) -> None:
    """Three phones and the tablet show the same step, and each may confirm it; then play goes on."""
    settled(running, "uphold 1")
    mia, ole, ida = (open_phone(browser, running, name) for name in NAMES)
    table = open_table(browser, running)
    screens = (mia, ole, ida, table)
    for screen in screens:
        expect(screen.locator("#asked")).to_have_text("True! Ole cheated")
        expect(screen.locator(".step.now")).to_contain_text("Ole takes the card back into the hand")
        expect(screen.locator(".step.then")).to_contain_text("Play goes on: it is Ole's turn")
    expect(ole.locator(".step.now .you-mark")).to_have_text("You")
    done(ole)
    for screen in screens:
        expect(screen.locator(".step.now")).to_contain_text("Mia gives Ole 1 card from the hand, but no moth")
    done(ida)
    for screen in screens:
        expect(screen.locator(".step.now")).to_contain_text("Ole gets the Guard Bug")
    done(table)
    for screen in screens:
        expect(screen.locator(".phase-turn")).to_be_visible()
    assert guard_of(table) == "Ole"


def test_a_screen_that_is_loaded_again_comes_back_to_its_step(running: Running, browser: Browser) -> None:
    """What was confirmed stays confirmed."""
    settled(running, "uphold 1")
    table = open_table(browser, running)
    done(table)
    expect(table.locator(".step.now")).to_contain_text("Mia gives Ole")
    table.reload()
    assert "Mia gives Ole" in now(table)
    press(table.get_by_role("button", name="One step back"))
    expect(table.locator(".step.now")).to_contain_text("Ole takes the card back")


def test_all_of_it_is_skipped_with_one_tap(running: Running, browser: Browser) -> None:
    """Who knows the rules plays on at once."""
    settled(running, "uphold 1")
    table = open_table(browser, running)
    press(table.get_by_role("button", name="All is done: play on"))
    expect(table.locator(".phase-turn")).to_be_visible()


def test_only_moths_and_a_wrong_verdict_are_one_tap_each(running: Running, browser: Browser) -> None:
    """On the Guard's phone and on the tablet; the cheater's phone does not offer them."""
    settled(running, "uphold 1")
    mia, ole, table = (
        open_phone(browser, running, "Mia"),
        open_phone(browser, running, "Ole"),
        open_table(browser, running),
    )
    expect(ole.get_by_role("button", name="It was false after all")).to_have_count(0)
    press(mia.get_by_role("button", name="Mia has only moths and gives none"))
    expect(table.locator(".step")).to_have_count(3)
    assert accounted(table) == [9, 8, 8]
    press(table.get_by_role("button", name="It was false after all"))
    expect(mia.locator("#asked")).to_have_text("False! Ole did not cheat")
    expect(mia.locator(".step.now")).to_contain_text("Mia draws one card from the draw pile")
    walk_through(mia)
    assert guard_of(table) == "Mia"


def test_the_whole_dispute_is_settled_by_keyboard(running: Running, browser: Browser) -> None:
    """Call, verdict and steps need no pointer, and the focus never gets lost."""
    running.session.create_game(NAMES, 0)
    play(running.session, "deal 3")
    table = open_table(browser, running)
    table.locator(".caught").focus()
    table.keyboard.press("Enter")
    table.locator('[data-move="accuse 2"]').focus()
    table.keyboard.press("Enter")
    table.wait_for_selector(".phase-accusation")
    table.locator('[data-key="dismiss"]').focus()
    table.keyboard.press("Space")
    table.wait_for_selector(".phase-consequence")
    table.locator(".step.now .button").focus()
    table.keyboard.press("Enter")
    table.wait_for_selector(".phase-turn")
    assert table.evaluate("document.activeElement !== document.body")
