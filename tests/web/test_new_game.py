"""A new game while another is on: asked first, and only of who plays."""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.screens import NAMES, PHONE, TABLET, new_page, open_table
from tests.web.served import Running

pytestmark = pytest.mark.browser


def deal(page: Page) -> None:
    """Send the form as it stands."""
    page.get_by_role("button", name="Deal the cards!").click()


def test_the_tablet_is_asked_before_the_running_game_ends(running: Running, browser: Browser) -> None:
    """The form asks; "No" leads back to the game, "Yes" starts the new one."""
    running.session.create_game(NAMES, 0)
    table = open_table(browser, running)
    for answer, games in (("No, play on", 1), ("Yes, start the new game", 2)):
        table.locator("[data-open=menu]").click()
        table.locator("#menu").get_by_role("link", name="New game").click()
        table.wait_for_url("**/new?as=table")
        deal(table)
        expect(table.locator("#confirm-new")).to_be_visible()
        table.locator("#confirm-new").get_by_text(answer).click()
        table.wait_for_url("**/table")
        assert running.session.folded.games == games


def test_a_phone_without_a_seat_cannot_end_the_running_game(running: Running, browser: Browser) -> None:
    """It is told so before it fills anything in, and is led to what it may be: a player's phone, or the tablet."""
    running.session.create_game(NAMES, 0)
    phone = new_page(browser, PHONE)
    phone.goto(f"{running.address}/new")
    expect(phone.locator(".setup-refused")).to_contain_text("Only who plays it can end it")
    expect(phone.locator("form[data-new-game], dialog")).to_have_count(0)
    phone.get_by_role("link", name="This is my own phone").click()
    phone.get_by_role("button", name="Ole").click()
    phone.wait_for_selector(".phone-screen")
    phone.goto(f"{running.address}/new")
    deal(phone)
    phone.get_by_role("button", name="Yes, start the new game").click()
    phone.wait_for_url("**/table")
    assert running.session.folded.games == 2


def test_the_way_back_from_the_table_does_not_lead_to_a_form_that_is_refused(
    running: Running, browser: Browser
) -> None:
    """A game started from the first screen: back leads there, and not to "Only who plays it can end it"."""
    tablet = new_page(browser, TABLET)
    tablet.goto(f"{running.address}/")
    tablet.goto(f"{running.address}/new")
    for at, name in enumerate(NAMES):
        tablet.locator("input[name=name]").nth(at).fill(name)
    deal(tablet)
    tablet.wait_for_url("**/table")
    tablet.go_back()
    expect(tablet).to_have_url(f"{running.address}/")
    expect(tablet.locator(".setup-refused")).to_have_count(0)
