"""Who was last, who was first: the camera proposes on the screen, a tap confirms, any order can be put right."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.screens import TABLET, new_page, open_phone, open_table, press, seq_of, wait_past
from tests.web.served import Running
from tests.web.slapped import report_slaps
from tests.web.stages import play

pytestmark = pytest.mark.browser

FOUR = ("Mia", "Ole", "Ida", "Jan")
MOSQUITO = ("deal 3", "play 0 mosquito4")
COCKROACH = ("deal 3", "play 0 cockroach4")


def last_move(running: Running) -> str:
    """Return the journal's last confirmed order."""
    game = running.session.folded.game
    assert game
    return next(step.text for step in reversed(game.steps) if step.text.startswith(("slaps", "race")))


def settle(page: Page, button: str) -> None:
    """Tap a button that settles the card."""
    seq = seq_of(page)
    press(page.locator(button))
    wait_past(page, seq)


def at_picture(page: Page) -> list[int]:
    """Read which pictures are shown, hand by hand."""
    return [int(one.get_attribute("data-at") or -1) for one in page.locator("[data-strip]").all()]


def test_one_tap_confirms_the_camera_and_the_gifts_are_walked_through(
    running: Running, browser: Browser, tmp_path: Path
) -> None:
    """The proposed name is marked where it stood before the answer; its tap writes the whole ranking."""
    running.session.create_game(FOUR, 0)
    play(running.session, *MOSQUITO)
    table = open_table(browser, running)
    before = table.locator("[data-slowest='3']").bounding_box()
    report_slaps(running.session, tmp_path / "clips", {2: 10, 1: 14, 3: 20}, last=3, top=3)
    expect(table.locator(".slap-choice.proposed .name")).to_have_text("Jan")
    after = table.locator("[data-slowest='3']").bounding_box()
    assert before
    assert after
    assert (before["x"], round(before["y"])) == (after["x"], round(after["y"]))
    expect(table.locator(".camera-answer")).to_have_text("The camera saw Jan last.")
    expect(table.locator(".camera-cue.agrees")).to_have_text("Jan's hand also lies on top.")
    expect(table.locator(".slap .time")).to_have_text(["first ± 0.004 s", "+0.080 s ± 0.004 s", "+0.200 s ± 0.004 s"])
    settle(table, "[data-slowest='3']")
    assert last_move(running) == "slaps 2 1 3"
    expect(table.locator(".gift:not(.none) > .name")).to_have_text(["Mia", "Ole", "Ida"])
    settle(table, '[data-move="draw 1"]')
    expect(table.locator(".giving")).to_have_count(0)


def test_any_other_name_corrects_the_camera_in_one_tap(running: Running, browser: Browser, tmp_path: Path) -> None:
    """The player who is tapped becomes the slowest, the others keep their order."""
    running.session.create_game(FOUR, 0)
    play(running.session, *MOSQUITO)
    table = open_table(browser, running)
    report_slaps(running.session, tmp_path / "clips", {2: 10, 1: 14, 3: 20}, last=3, top=1)
    expect(table.locator(".slap-choice.maybe .name")).to_have_text(["Ole", "Jan"])
    expect(table.locator(".camera-cue.differs")).to_contain_text("But Ole's hand seems to lie on top")
    settle(table, "[data-slowest='1']")
    assert last_move(running) == "slaps 2 3 1"


@pytest.mark.parametrize("way", ["buttons", "keys", "mouse", "finger"])
def test_the_order_is_put_right_by_hand(running: Running, browser: Browser, tmp_path: Path, way: str) -> None:
    """Arrows, arrow keys, dragging with the mouse and with a finger do the same; the mark follows."""
    running.session.create_game(FOUR, 0)
    play(running.session, *MOSQUITO)
    table = open_table(browser, running)
    report_slaps(running.session, tmp_path / "clips", {2: 10, 1: 14, 3: 20}, last=3)
    expect(table.locator("[data-strips][data-filled]")).to_have_count(1)
    row = table.locator(".slap[data-seat='3']")
    if way == "buttons":
        row.locator("[data-up]").click()
    elif way == "keys":
        row.locator("[data-up]").focus()
        table.keyboard.press("ArrowUp")
    else:
        drag_up(table, way)
    expect(table.locator(".slap .name")).to_have_text(["Ida", "Jan", "Ole"])
    expect(table.locator(".slap-choice.proposed .name")).to_have_text("Ole")
    running.session.rename(0, "Mia B", running.session.viewer("tablet", table=True))  # the screen is fetched anew
    expect(table.locator(".players .name").first).to_have_text("Mia B")
    expect(table.locator(".slap-choice.proposed .name")).to_have_text("Ole")
    settle(table, "[data-slowest='1']" if way == "keys" else "[data-slaps-send]")
    assert last_move(running) == "slaps 2 3 1"


def drag_up(table: Page, way: str) -> None:
    """Drag Jan, the third, over the middle of Ole, the second."""
    start, end = (table.locator(f".slap[data-seat='{seat}'] .name").bounding_box() for seat in (3, 1))
    assert start
    assert end
    x, ys = start["x"] + 5, [start["y"] + 5, start["y"] - 10, end["y"] + 2]
    if way == "mouse":
        table.mouse.move(x, ys[0])
        table.mouse.down()
        for y in ys[1:]:
            table.mouse.move(x, y)
        table.mouse.up()
        return
    touch = table.context.new_cdp_session(table)
    for kind, points in [("touchStart", ys[:1]), *(("touchMove", [y]) for y in ys[1:]), ("touchEnd", [])]:
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for y in points]})


def test_who_was_not_seen_is_placed_and_the_table_decides(running: Running, browser: Browser, tmp_path: Path) -> None:
    """Both possible answers are marked, in the screen's language; the journal gets the whole ranking."""
    running.session.create_game(FOUR, 0)
    play(running.session, *MOSQUITO)
    table = new_page(browser, TABLET)
    table.context.add_cookies([{"name": "moth_language", "value": "de", "url": running.address}])
    table.goto(f"{running.address}/table")
    report_slaps(running.session, tmp_path / "clips", {2: 10, 1: 14, 3: None}, last=1)
    expect(table.locator(".camera-answer")).to_contain_text("Die Kamera sah Jan nicht schlagen")
    expect(table.locator(".slap-choice.maybe .name")).to_have_text(["Ole", "Jan"])
    expect(table.locator(".slap .time")).to_have_text(["zuerst ± 0,004 s", "+0,080 s ± 0,004 s", "nicht gesehen"])
    settle(table, "[data-slaps-send]")
    assert last_move(running) == "slaps 2 1 3"


def test_pictures_step_one_by_one_and_together(running: Running, browser: Browser, tmp_path: Path) -> None:
    """Each hand's pictures by their own buttons and keys, all by those below; the pile fills the frame."""
    running.session.create_game(FOUR, 0)
    play(running.session, *MOSQUITO)
    report_slaps(running.session, tmp_path / "clips", {2: 10, 1: 14, 3: 20}, last=3)
    table = open_table(browser, running)
    expect(table.locator("[data-strip] image[width='320']")).to_have_count(3)
    assert at_picture(table) == [10, 14, 20]
    assert table.locator(".strip-picture").first.get_attribute("viewBox") == "60 30 160 120"
    expect(table.locator(".strip-at")).to_have_text(["lands", "lands", "lands"])
    table.get_by_role("button", name="Ole: one picture back").click()
    assert at_picture(table) == [10, 13, 20]
    expect(table.locator(".strip-at").nth(1)).to_have_text("20 ms before")
    expect(table.locator(".strip-picture image").nth(1)).to_have_attribute("href", re.compile(r"/slaps/13\.jpg"))
    table.keyboard.press("ArrowLeft")  # the focus is on Ole's button
    assert at_picture(table) == [10, 12, 20]
    table.keyboard.press("Shift+ArrowRight")
    assert at_picture(table) == [11, 13, 21]
    table.get_by_role("button", name="All one picture on").click()
    table.keyboard.press("ArrowRight")
    assert at_picture(table) == [13, 15, 23]
    table.get_by_role("button", name="When they land").click()
    assert at_picture(table) == [10, 14, 20]
    table.get_by_role("button", name="Same moment").click()
    assert at_picture(table) == [14, 14, 14]
    small = table.locator(".strip-picture").first.bounding_box()
    table.locator(".strip-picture").first.click()  # or the button "Larger"
    large = table.locator(".strip-picture").first.bounding_box()
    assert small
    assert large
    assert large["width"] > 1.3 * small["width"]
    expect(table.get_by_role("button", name="Larger")).to_have_attribute("aria-pressed", "true")


def test_a_race_is_proposed_confirmed_and_corrected(running: Running, browser: Browser, tmp_path: Path) -> None:
    """The cockroach's screen works without the camera; its answer marks the first; a tap on anybody settles it."""
    running.session.create_game(FOUR, 0)
    play(running.session, *COCKROACH)
    table = open_table(browser, running)
    expect(table.locator(".slap-choice")).to_have_count(4)
    report_slaps(running.session, tmp_path / "clips", {2: 10, 1: 14}, race=True, first=2)
    expect(table.locator(".slap-choice.proposed .name")).to_have_text("Ida")
    expect(table.locator(".camera-answer")).to_have_text("The camera saw Ida first.")
    expect(table.locator(".strip-at")).to_have_text(["arrives", "arrives"])
    settle(table, '[data-move="race 2 4"]')
    assert last_move(running) == "race 2 4"
    settle(table, ".undo")
    settle(table, '[data-move="race 1 4"]')
    assert last_move(running) == "race 1 4"
    settle(table, ".undo")
    settle(table, '[data-move="race none"]')
    assert last_move(running) == "race none"


def test_a_phone_shows_and_settles_it_too(running: Running, browser: Browser, tmp_path: Path) -> None:
    """Every player with a seat sees the camera's answer and the pictures, and may confirm."""
    running.session.create_game(FOUR, 0)
    play(running.session, *MOSQUITO)
    phone = open_phone(browser, running, "Ole")
    report_slaps(running.session, tmp_path / "clips", {2: 10, 1: 14, 3: 20}, last=3)
    expect(phone.locator("[data-strip] image[width='320']")).to_have_count(3)
    settle(phone, "[data-slowest='3']")
    assert last_move(running) == "slaps 2 1 3"
