"""Who cheated is read on one phone without scrolling: the words and every player's row."""

import pytest
from playwright.sync_api import Browser

from tests.web.screens import PHONE, new_page, open_phone
from tests.web.served import Running
from tests.web.stages import play

pytestmark = pytest.mark.browser

FIVE = ("Großmutter Elfriede", "Maximilian", "Cleo", "Jean-Baptiste", "Anna-Katharina")
BELOW = """() => [...document.querySelectorAll('.reveal h2, .reveal-row')]
  .filter((one) => one.checkVisibility() && one.getBoundingClientRect().bottom > innerHeight)
  .map((one) => one.innerText)"""


@pytest.mark.parametrize("own", [True, False], ids=["a player's phone", "the table on a phone"])
def test_who_cheated_fits_on_a_phone(running: Running, browser: Browser, own: bool) -> None:
    """Five players, three of them the best cheaters, at 390 x 844."""
    running.session.create_game(FIVE, 0)
    play(running.session, "deal 3", "set hand 0 1", "play 0 4")
    play(running.session, *(f"count {seat} number={5 - seat // 2} moth=1" for seat in range(1, 5)))
    if own:
        page = open_phone(browser, running, FIVE[2])
    else:
        page = new_page(browser, PHONE)
        page.goto(f"{running.address}/table")
    page.wait_for_selector(".reveal-row.best")
    assert page.locator(".reveal-row").count() == len(FIVE)
    assert page.evaluate(BELOW) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
