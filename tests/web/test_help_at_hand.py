"""What a card does is one tap away while it is played, and the way back leads to the game."""

import pytest
from playwright.sync_api import Browser, expect

from tests.web.screens import NAMES, open_phone, open_table, press
from tests.web.served import Running
from tests.web.stages import play

pytestmark = pytest.mark.browser


@pytest.mark.parametrize(
    ("moves", "words"),
    [
        ((), "one higher or one lower"),
        (("play 0 spider4",), "Give one card from your hand"),
        (("play 0 cockroach4",), "The fastest card stays"),
        (("accuse 1",), "the cheater takes the card back"),
        (("accuse 1", "dismiss"), "If it is false, the Guard draws a card"),
    ],
)
def test_the_rule_for_what_is_asked_is_one_tap_away(
    running: Running, browser: Browser, moves: tuple[str, ...], words: str
) -> None:
    """The question mark opens the words of the card that is played; a tap closes them."""
    running.session.create_game(NAMES, 0)
    play(running.session, "deal 3", *moves)
    table = open_table(browser, running)
    press(table.get_by_role("button", name="What is this?"))
    expect(table.locator("#help-card")).to_contain_text(words)
    press(table.locator("#help-card [data-close]"))
    expect(table.locator("#help-card")).to_be_hidden()


def test_the_page_of_cards_leads_a_phone_back_to_its_seat(running: Running, browser: Browser) -> None:
    """A phone is not led to the table's screen."""
    running.session.create_game(NAMES, 0)
    phone = open_phone(browser, running, "Ole")
    phone.goto(f"{running.address}/help")
    press(phone.get_by_role("link", name="Back to the game"))
    expect(phone.locator(".phone-bar .me")).to_contain_text("Ole")
