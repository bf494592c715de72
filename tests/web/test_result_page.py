"""History: each game in the list, move by move, to take away, and its result on one printed page."""

import csv
import io
import json

import pytest
from playwright.sync_api import Browser, expect

from tests.web.screens import NAMES, PHONE, TABLET, new_page, press
from tests.web.served import Running
from tests.web.stages import GAME_OVER, play

pytestmark = pytest.mark.browser

FIVE = ("Wilhelmina", "Bernadette", "Maximilian", "Annegret B", "Gwendoline")


def a_game_of_five(running: Running) -> None:
    """Play a whole game of five players."""
    running.session.create_game(FIVE, 0)
    for number in range(5):
        play(running.session, "deal 3", f"set hand {number} 1", f"play {number} 4")
        for seat in range(5):
            if seat != number:
                play(running.session, f"count {seat} number={seat + number} moth=1")
        if number < 4:
            play(running.session, "next")


def test_a_game_is_found_replayed_and_taken_away(running: Running, browser: Browser) -> None:
    """From the list to a move in the middle, to JSON and to CSV."""
    running.session.create_game(NAMES, 0)
    play(running.session, *GAME_OVER)
    page = new_page(browser, TABLET)
    page.goto(f"{running.address}/history")
    press(page.get_by_role("link", name="Watch again"))
    expect(page.locator(".replay-stage h2")).to_have_text("The game starts")
    press(page.get_by_role("link", name="On", exact=True))
    press(page.get_by_role("link", name="On", exact=True))
    expect(page.locator(".replay-stage h2")).to_have_text("Mia played spider 4")
    with page.expect_download() as told:
        press(page.get_by_role("link", name="All as JSON"))
    assert len(json.loads(told.value.path().read_text("utf-8"))["moves"]) == len(GAME_OVER)
    with page.expect_download() as told:
        press(page.get_by_role("link", name="Moves as CSV"))
    assert len(list(csv.DictReader(io.StringIO(told.value.path().read_text("utf-8"))))) == len(GAME_OVER) + 1


@pytest.mark.parametrize("size", [TABLET, PHONE], ids=["tablet", "phone"])
def test_the_result_prints_on_one_page_by_itself(running: Running, browser: Browser, size: dict[str, int]) -> None:
    """Five players and five rounds are one sheet; the bar and the buttons are not on it, the winner is."""
    a_game_of_five(running)
    page = new_page(browser, size)
    page.goto(f"{running.address}/history/1/result")
    page.emulate_media(media="print")
    expect(page.locator(".bar")).to_be_hidden()
    expect(page.locator(".diploma")).to_contain_text("Wilhelmina wins")
    printed = page.pdf(format="A4", print_background=True)
    assert printed.count(b"/Type /Page\n") + printed.count(b"/Type /Page ") == 1
