"""Without a pointer: a turn is found by the Tab key and carried out by Enter, and the screen reads it aloud."""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.screens import NAMES, open_table
from tests.web.served import Running
from tests.web.stages import play

pytestmark = pytest.mark.browser

MOST_STEPS = 60


def tab_to(page: Page, selector: str) -> None:
    """Press Tab until the focus is on the element, as somebody without a pointer does."""
    for _ in range(MOST_STEPS):
        page.keyboard.press("Tab")
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
    raise AssertionError(f"{selector} is not reached by Tab")


def test_turns_are_played_by_keyboard_alone(running: Running, browser: Browser) -> None:
    """A card, an action, a draw and an undo; who is next is in a live region each time."""
    running.session.create_game(NAMES, 0)
    play(running.session, "deal 3")
    table = open_table(browser, running)
    asked = table.locator("#asked")
    assert asked.get_attribute("aria-live") == "polite"
    tab_to(table, '[data-move="play 0 spider4"]')
    table.keyboard.press("Enter")
    expect(asked).to_have_text("Who gets a card from Mia?")
    assert table.evaluate("document.activeElement.id || document.activeElement.tagName") != "BODY"
    tab_to(table, '[data-move="give 0 1"]')
    table.keyboard.press("Enter")
    expect(asked).to_have_text("Ole's turn")
    tab_to(table, '[data-move="draw 1"]')
    table.keyboard.press("Space")
    expect(asked).to_have_text("Ida's turn")
    tab_to(table, ".undo")
    table.keyboard.press("Enter")
    expect(asked).to_have_text("Ole's turn")


def test_a_sheet_is_opened_and_closed_by_keyboard(running: Running, browser: Browser) -> None:
    """Escape closes it, and the focus is back on the button that opened it."""
    running.session.create_game(NAMES, 0)
    play(running.session, "deal 3")
    table = open_table(browser, running)
    tab_to(table, "[data-open=fix]")
    table.keyboard.press("Enter")
    expect(table.locator("#fix")).to_be_visible()
    table.keyboard.press("Escape")
    expect(table.locator("#fix")).to_be_hidden()
    assert table.evaluate("document.activeElement.dataset.open") == "fix"


def test_two_keys_in_quick_succession_press_two_buttons(running: Running, browser: Browser) -> None:
    """Only a repetition on one button is a double tap; a key has no spot that all buttons share."""
    running.session.create_game(NAMES, 0)
    play(running.session, "deal 3")
    table = open_table(browser, running)
    table.clock.install()
    table.reload()
    table.clock.pause_at("2030-01-01")  # no time passes between the keys
    table.locator(".caught").focus()
    table.keyboard.press("Enter")
    table.locator('[data-move="accuse 2"]').focus()
    table.keyboard.press("Enter")
    table.wait_for_selector(".phase-accusation")


def test_pictures_have_names_or_are_left_out(running: Running, browser: Browser) -> None:
    """Every button says what it does, and no picture is read twice."""
    running.session.create_game(NAMES, 0)
    play(running.session, "deal 3")
    table = open_table(browser, running)
    snapshot = table.locator("#app").aria_snapshot()
    for words in (
        'button "spider 4"',
        'button "4"',
        "Draw a card",
        "Top card: 3",
        "Mia Guard Turn",
        "cards as accounted",
    ):
        assert words in snapshot, words
    assert 'button ""' not in snapshot
