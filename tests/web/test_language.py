"""The language of a screen is chosen on the screen."""

import pytest
from playwright.sync_api import Browser, expect

from tests.web.screens import NAMES, open_phone, open_table
from tests.web.served import Running
from tests.web.stages import play

pytestmark = pytest.mark.browser


def test_a_choice_in_the_menu_changes_this_screen_alone(running: Running, browser: Browser) -> None:
    """The screen stays where it is, in the language chosen; other screens keep theirs."""
    running.session.create_game(NAMES, 0)
    play(running.session, "deal 3")
    table, phone = open_table(browser, running), open_phone(browser, running, "Ole")
    table.locator("[data-open=menu]").click()
    table.get_by_role("button", name="Deutsch").click()
    expect(table.locator("#asked")).to_have_text("Mia ist dran")
    assert table.url.endswith("/table")
    expect(phone.locator("#asked")).to_have_text("Mia's turn")
