"""A child's double tap: the second one never plays for the next player."""

import pytest
from playwright.sync_api import Browser, expect

from tests.web.screens import NAMES, open_table
from tests.web.served import Running
from tests.web.stages import COUNT, play

pytestmark = pytest.mark.browser


def test_a_second_tap_on_the_same_spot_does_not_play_for_the_next_player(running: Running, browser: Browser) -> None:
    """300 ms after "Draw a card" the same spot draws for the next player: that tap is left out, a later one counts."""
    running.session.create_game(NAMES, 0)
    play(running.session, "deal 3")
    table = open_table(browser, running)
    table.clock.install()
    table.reload()
    table.clock.pause_at("2030-01-01")
    spot = table.locator(".button.draw").bounding_box()
    assert spot is not None
    x, y = spot["x"] + 40, spot["y"] + 40

    table.mouse.click(x, y)
    expect(table.locator("#asked")).to_have_text("Ole's turn")
    table.clock.run_for(300)
    table.mouse.click(x + 6, y - 6)
    table.wait_for_timeout(500)
    expect(table.locator("#asked")).to_have_text("Ole's turn")
    table.clock.run_for(600)
    table.mouse.click(x, y)
    expect(table.locator("#asked")).to_have_text("Ida's turn")
    game = running.session.folded.game
    assert game is not None
    assert [step.text for step in game.steps] == ["deal 3", "draw 0", "draw 1"]


def test_a_second_tap_on_the_same_spot_does_not_enter_the_next_hand_as_empty(
    running: Running, browser: Browser
) -> None:
    """A double tap on "That is the hand" leaves the next player's count open."""
    running.session.create_game(NAMES, 0)
    play(running.session, *COUNT)
    table = open_table(browser, running)
    table.clock.install()
    table.reload()
    table.clock.pause_at("2030-01-01")
    table.locator('.step-art[aria-label="One more: Moths"] >> visible=true').click()
    spot = table.get_by_role("button", name="That is the hand").bounding_box()
    assert spot is not None
    table.mouse.click(spot["x"] + 40, spot["y"] + 30)
    expect(table.locator(".count-who b >> visible=true")).to_have_text("Ida")
    table.clock.run_for(300)
    table.mouse.click(spot["x"] + 40, spot["y"] + 30)
    table.wait_for_timeout(500)
    expect(table.locator(".count-who b >> visible=true")).to_have_text("Ida")
    game = running.session.folded.game
    assert game is not None
    assert game.steps[-1].text == "count 0 moth=1"
