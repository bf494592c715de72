""" "Caught!" on the Guard's phone freezes the other screens at once, before it is chosen whom."""

import pytest
from playwright.sync_api import Browser, expect

from tests.web.screens import NAMES, open_phone, open_table, press
from tests.web.served import Running
from tests.web.stages import play

pytestmark = pytest.mark.browser


def test_caught_freezes_every_screen_until_it_is_chosen_whom(running: Running, browser: Browser) -> None:
    """The tablet offers no play; the sheet stays open on the Guard's phone; the choice opens the dispute."""
    running.session.create_game(NAMES, 0)
    play(running.session, "deal 3")
    guard, table = open_phone(browser, running, "Mia"), open_table(browser, running)
    press(guard.locator("button.caught"))
    expect(table.locator("#asked")).to_have_text("Mia caught somebody!")
    expect(table.locator('[data-move="draw 0"]')).to_have_count(0)
    expect(guard.locator("#asked")).to_have_text("Mia caught somebody!")
    expect(guard.locator("#caught")).to_be_visible()
    press(guard.locator('#caught [data-move="accuse 1"]'))
    expect(table.locator("#asked")).to_have_text("Did Ole cheat?")


def test_closing_the_sheet_or_the_tablet_lets_play_go_on(running: Running, browser: Browser) -> None:
    """A call by mistake costs nothing; the tablet ends one whose phone is gone."""
    running.session.create_game(NAMES, 0)
    play(running.session, "deal 3")
    guard, table = open_phone(browser, running, "Mia"), open_table(browser, running)
    press(guard.locator("button.caught"))
    expect(table.locator("#asked")).to_have_text("Mia caught somebody!")
    press(guard.locator("#caught [data-close]"))
    expect(table.locator("#asked")).to_have_text("Mia's turn")
    press(guard.locator("button.caught"))
    press(table.locator('[data-post="/caught/back"]'))
    expect(table.locator("#asked")).to_have_text("Mia's turn")
    expect(table.locator('[data-move="draw 0"]')).to_be_visible()
    expect(guard.locator("#caught")).to_be_hidden()
