"""Several screens at once: taps never double, a dispute freezes play, flags are the present Guard's alone."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.flagged import raise_flag
from tests.web.screens import NAMES, call_caught, guard_of, open_phone, open_table, seq_of, tap, wait_past, walk_through
from tests.web.served import Running
from tests.web.stages import play

pytestmark = pytest.mark.browser


def test_a_tap_reaches_every_screen(running: Running, browser: Browser) -> None:
    """What one screen enters, the others show without being touched."""
    running.session.create_game(NAMES, 0)
    play(running.session, "deal 3")
    table, phone = open_table(browser, running), open_phone(browser, running, "Ole")
    tap(table, "draw 0")
    expect(phone.locator("#asked")).to_have_text("Your turn!")
    tap(phone, "play 1 4")
    expect(table.locator("#asked")).to_have_text("Ida's turn")


def test_the_slower_of_two_taps_is_told_so_and_changes_nothing(running: Running, browser: Browser) -> None:
    """A tap on a screen that has not yet heard of another tap is refused, said, and the screen refreshed."""
    running.session.create_game(NAMES, 0)
    play(running.session, "deal 3")
    slow = open_table(browser, running)
    slow.route("**/stream*", lambda route: route.abort())  # its stream is late
    slow.goto(f"{running.address}/table")
    play(running.session, "draw 0")
    slow.locator('[data-move="draw 0"]').click()
    expect(slow.locator("#toasts")).to_contain_text("Somebody was faster")
    expect(slow.locator("#asked")).to_have_text("Ole's turn")
    game = running.session.folded.game
    assert game is not None
    assert [step.text for step in game.steps] == ["deal 3", "draw 0"]


def test_a_double_tap_plays_once(running: Running, browser: Browser) -> None:
    """Two quick taps on one button are one move."""
    running.session.create_game(NAMES, 0)
    play(running.session, "deal 3")
    table = open_table(browser, running)
    seq = seq_of(table)
    table.locator('[data-move="draw 0"]').dblclick()
    wait_past(table, seq)
    table.wait_for_timeout(300)
    game = running.session.folded.game
    assert game is not None
    assert [step.text for step in game.steps] == ["deal 3", "draw 0"]


def test_a_dispute_freezes_play_on_every_screen(running: Running, browser: Browser) -> None:
    """While a call is settled nobody can play, and only the Guard and the tablet can settle it."""
    running.session.create_game(NAMES, 0)
    play(running.session, "deal 3")
    guard, other, table = (
        open_phone(browser, running, "Mia"),
        open_phone(browser, running, "Ole"),
        open_table(browser, running),
    )
    expect(other.locator(".caught")).to_have_count(0)
    expect(table.locator(".caught")).to_have_count(0)  # the Guard has a phone of their own
    table.locator("[data-open=fix]").click()
    call_caught(guard, "Ole")
    expect(table.locator("dialog[open]")).to_have_count(0)  # nothing hides the dispute
    for screen in (guard, other, table):
        expect(screen.locator("#asked")).to_have_text("Did Ole cheat?")
        expect(screen.locator('[data-move^="play"], [data-move^="draw"]')).to_have_count(0)
    expect(other.locator(".verdict")).to_have_count(0)
    tap(guard, "uphold 1")
    walk_through(guard)
    expect(table.locator(".phase-turn")).to_be_visible()
    assert guard_of(table) == "Ole"


def test_flags_and_clips_are_the_present_guards_alone_and_move_with_the_guard_bug(
    running: Running, browser: Browser, tmp_path: Path
) -> None:
    """The Guard sees the flag, plays and steps through its clip, rules; then the new Guard sees flags, the old none."""
    running.session.create_game(NAMES, 0)
    play(running.session, "deal 3")
    mia, ole, table = (
        open_phone(browser, running, "Mia"),
        open_phone(browser, running, "Ole"),
        open_table(browser, running),
    )
    flag = raise_flag(running.session, tmp_path / "clips", seat=1)
    expect(mia.locator(".flag video")).to_be_visible()
    mia.wait_for_function("() => document.querySelector('.flag video').currentTime > 0.2")
    assert ole.locator(".flag, video").count() == 0
    assert table.locator(".flag, video").count() == 0
    assert _status(mia, f"/flags/{flag}/clip.mp4") == 200
    assert _status(ole, f"/flags/{flag}/clip.mp4") == 404
    assert _status(table, f"/flags/{flag}/clip.mp4?as=table") == 404

    mia.locator(".flag [data-frame='1']").click()
    expect(mia.locator(".flag img.frame")).to_be_visible()
    expect(mia.locator(".flag .frame-at")).to_contain_text("/30")

    mia.locator(".flag").get_by_role("button", name="Caught!").click()
    expect(ole.locator("#asked")).to_have_text("Did Ole cheat?")
    tap(mia, "uphold 1")
    walk_through(mia)
    expect(ole.locator(".caught")).to_be_visible()
    expect(mia.locator(".caught")).to_have_count(0)
    assert _status(mia, f"/flags/{flag}/clip.mp4") == 404


def _status(page: Page, path: str) -> int:
    found = page.evaluate("path => fetch(path, {cache: 'no-store'}).then(response => response.status)", path)
    assert isinstance(found, int)
    return found
