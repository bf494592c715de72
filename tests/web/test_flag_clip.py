"""A flag in the middle of play: why it was raised, and its clip, which is written a moment later."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.flagged import raise_flag, report_clip, report_movement
from tests.web.screens import NAMES, PATIENCE_MS, call_caught, open_phone, press
from tests.web.served import Running
from tests.web.stages import play

pytestmark = pytest.mark.browser

PLAYS = (
    "() => { const clip = document.querySelector('.clip video'); return clip && !clip.paused && clip.currentTime > 0; }"
)


def plays(page: Page) -> None:
    """Wait until the clip plays by itself."""
    page.wait_for_function(PLAYS, timeout=PATIENCE_MS)


def test_a_clip_that_is_not_written_yet_is_announced_and_then_plays(
    running: Running, browser: Browser, tmp_path: Path
) -> None:
    """The Guard reads why at once, that the clip is on its way, and sees it play without a tap."""
    running.session.create_game(NAMES, 0, house={"call_window": "in_the_act"})
    play(running.session, "deal 3")
    guard = open_phone(browser, running, "Mia")
    movement = report_movement(running.session, seat=1)
    expect(guard.locator(".flag .clip-due")).to_have_text("The clip is on its way.")
    expect(guard.locator(".flag-why")).to_have_text("Left hand: out of sight for 0.9 s.")
    expect(guard.locator(".flag video")).to_have_count(0)
    report_clip(running.session, tmp_path / "clips", movement)
    plays(guard)
    expect(guard.locator(".clip-due")).to_have_count(0)


def test_a_call_before_the_clip_is_there_shows_it_in_the_dispute(
    running: Running, browser: Browser, tmp_path: Path
) -> None:
    """Who calls at once is told in the dispute that the clip is coming, and sees it there."""
    running.session.create_game(NAMES, 0)
    play(running.session, "deal 3")
    guard = open_phone(browser, running, "Mia")
    movement = report_movement(running.session, seat=1)
    expect(guard.locator(".flag")).to_have_count(1)
    call_caught(guard, "Ole")
    expect(guard.locator(".evidence .clip-due")).to_have_text("The clip is on its way.")
    report_clip(running.session, tmp_path / "clips", movement)
    plays(guard)


def test_reasons_are_said_in_the_language_of_the_screen(running: Running, browser: Browser) -> None:
    """The same flag in German and in Swedish, decimal sign included."""
    running.session.create_game(NAMES, 0)
    play(running.session, "deal 3")
    guard = open_phone(browser, running, "Mia")
    report_movement(running.session, seat=1)
    for language, words in (
        ("de", "Linke Hand: 0,9 s lang nicht zu sehen."),
        ("sv", "Vänster hand: utom synhåll i 0,9 s."),
    ):
        guard.context.add_cookies([{"name": "moth_language", "value": language, "url": running.address}])
        guard.reload()
        expect(guard.locator(".flag-why")).to_have_text(words)


FIVE = (*NAMES, "Tom", "Eva")


def test_of_many_flags_the_newest_two_are_open_and_the_rest_one_tap_away(
    running: Running, browser: Browser, tmp_path: Path
) -> None:
    """The game stays in sight; nothing is lost, and what the Guard unfolded stays so when another flag comes."""
    running.session.create_game(FIVE, 0)
    play(running.session, "deal 3")
    guard = open_phone(browser, running, "Mia")
    for seat in (1, 2, 3, 4):
        raise_flag(running.session, tmp_path / "clips", seat=seat, name=f"event-{seat}")
    shown = guard.locator(".flag:visible h3")
    earlier = guard.get_by_role("button", name="2 earlier")
    expect(earlier).to_be_visible()
    expect(shown).to_have_text(["Eva: a hand went below the table", "Tom: a hand went below the table"])
    expect(guard.locator(".badge")).to_have_text("4")
    press(earlier)
    expect(shown).to_have_count(4)
    press(guard.locator(".flag:visible").last.get_by_role("button", name="Not a cheat"))
    expect(guard.get_by_role("button", name="1 earlier")).to_have_attribute("aria-expanded", "true")
    expect(shown).to_have_count(3)
    press(guard.get_by_role("button", name="1 earlier"))
    expect(shown).to_have_count(2)


def test_a_flag_that_the_guard_looks_at_is_not_folded_away_by_newer_ones(
    running: Running, browser: Browser, tmp_path: Path
) -> None:
    """Its clip was slowed down by the Guard: it stays open, and in slow motion, when two others come."""
    running.session.create_game(FIVE, 0)
    play(running.session, "deal 3")
    guard = open_phone(browser, running, "Mia")
    raise_flag(running.session, tmp_path / "clips", seat=1, name="event-1")
    plays(guard)
    press(guard.get_by_role("button", name="Slow"))
    for seat in (2, 3, 4):
        raise_flag(running.session, tmp_path / "clips", seat=seat, name=f"event-{seat}")
    expect(guard.locator(".flag:visible h3")).to_have_count(3)
    expect(guard.locator(".flag:visible").last.get_by_role("button", name="Slow")).to_have_attribute(
        "aria-pressed", "true"
    )
    expect(guard.get_by_role("button", name="2 earlier")).to_be_visible()


def test_on_the_guards_own_turn_the_cards_come_before_the_flags(
    running: Running, browser: Browser, tmp_path: Path
) -> None:
    """Who has to play does not scroll past clips; on other turns the flags come first, and the clip plays on."""
    running.session.create_game(NAMES, 0)
    play(running.session, "deal 3")
    guard = open_phone(browser, running, "Mia")
    raise_flag(running.session, tmp_path / "clips", seat=1, name="event-1")
    plays(guard)
    order = """() => {
      const top = (what) => document.querySelector(what).getBoundingClientRect().top;
      return top('.panel-play') < top('.flags');
    }"""
    assert guard.evaluate(order)
    play(running.session, "play 0 4")
    guard.wait_for_function(f"() => !({order})()")
    plays(guard)
