"""A count that the rules refuse: why stays to be read, and there is a way on."""

import pytest
from playwright.sync_api import Browser, expect

from tests.web.screens import NAMES, enter_count, open_phone, open_table, press
from tests.web.served import Running
from tests.web.stages import play

pytestmark = pytest.mark.browser

SLIP = ("deal 3", "set draw 20", "set discard number=1 moth=8", "play 0 4", "out 0")
"""A round in which eight moths are said to lie in the discard pile: too many, for one is in a hand."""


@pytest.mark.parametrize("screen", ["table", "phone"])
def test_a_refused_count_says_why_until_it_is_changed_and_leads_on(
    running: Running, browser: Browser, screen: str
) -> None:
    """The sentence stands in the form; "I don't know what lies in the discard pile" lets the true count in."""
    running.session.create_game(NAMES, 0)
    play(running.session, *SLIP)
    page = open_table(browser, running) if screen == "table" else open_phone(browser, running, "Ole")
    enter_count(page, "Ole", {"Moths": 1})
    refused = page.locator("[data-refused]").first
    expect(refused).to_contain_text("correct what lies in the discard pile")
    page.get_by_role("button", name="One more: Number cards").first.click()
    expect(refused).to_be_hidden()

    press(page.get_by_role("button", name="That is the hand"))
    expect(refused).to_be_visible()
    press(refused.get_by_role("button", name="I don't know what lies in the discard pile"))
    expect(refused).to_be_hidden()
    expect(page.locator("output[name=moth]")).to_have_text("1")  # what was entered is still there
    press(page.get_by_role("button", name="That is the hand"))
    expect(page.locator(".counted")).to_contain_text("Ole")


def test_the_discard_pile_is_set_right_in_fix_it(running: Running, browser: Browser) -> None:
    """The sheet offers that nothing but the top card is sure."""
    running.session.create_game(NAMES, 0)
    play(running.session, *SLIP)
    table = open_table(browser, running)
    press(table.locator("[data-open=fix]"))
    press(table.get_by_text("What lies in the discard pile was entered wrongly"))
    press(table.locator("#fix").get_by_role("button", name="I don't know what lies in the discard pile"))
    enter_count(table, "Ole", {"Moths": 1})
    expect(table.locator(".counted")).to_contain_text("Ole")
