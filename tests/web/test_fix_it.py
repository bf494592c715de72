""" "Fix it" on the tablet and on phones: everything that can be entered wrongly is set right, by those who may."""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.screens import NAMES, accounted, guard_of, open_phone, open_table, press
from tests.web.served import Running
from tests.web.stages import play

pytestmark = pytest.mark.browser


def fix(page: Page, part: str) -> None:
    """Open a part of the sheet."""
    press(page.locator("[data-open=fix]"))
    details = page.locator("#fix details", has=page.get_by_text(part, exact=True))
    if not details.evaluate("details => details.open"):
        press(details.locator("summary"))


@pytest.mark.parametrize("screen", ["table", "phone"])
def test_top_card_turn_and_hands_are_set_right(running: Running, browser: Browser, screen: str) -> None:
    """On a phone as on the tablet."""
    running.session.create_game(NAMES, 0)
    play(running.session, "deal 3")
    page = open_table(browser, running) if screen == "table" else open_phone(browser, running, "Ole")
    fix(page, "Another card is on top")
    press(page.locator('#fix [data-move="set top ant5"]'))
    page.wait_for_function("() => document.querySelector('.undo').innerText.includes('ant 5 is the top card')")
    fix(page, "It is somebody else's turn")
    press(page.locator('#fix [data-move="set turn 2"]'))
    expect(page.locator("#asked")).to_have_text("Ida's turn")
    fix(page, "A hand has another number of cards")
    row = page.locator("#fix form[data-set='set hand 0']")
    press(row.get_by_role("button", name="One fewer"))
    press(row.get_by_role("button", name="Set"))
    page.wait_for_function("() => document.querySelector('.player .accounted b').innerText === '7'")
    assert accounted(page) == [7, 8, 8]


def test_the_guard_is_set_on_the_guards_phone_and_not_on_another(running: Running, browser: Browser) -> None:
    """Who is not the Guard cannot become it from a phone that nobody else sees."""
    running.session.create_game(NAMES, 0)
    play(running.session, "deal 3")
    mia, ole = open_phone(browser, running, "Mia"), open_phone(browser, running, "Ole")
    press(ole.locator("[data-open=fix]"))
    expect(ole.locator("#fix")).to_be_visible()
    expect(ole.get_by_text("Somebody else has the Guard Bug")).to_have_count(0)
    expect(ole.locator("#fix [data-rename]")).to_have_count(1)  # its own name
    fix(mia, "Somebody else has the Guard Bug")
    press(mia.locator('#fix [data-move="set guard 2"]'))
    mia.wait_for_selector(".caught", state="detached")
    assert guard_of(mia) == "Ida"


def test_the_wrong_player_is_set_right_with_two_taps(running: Running, browser: Browser) -> None:
    """The last move is entered anew with the player who made it."""
    running.session.create_game(NAMES, 0)
    play(running.session, "deal 3", "play 0 4")
    ida = open_phone(browser, running, "Ida")
    fix(ida, "That was another player")
    press(ida.locator("#fix").get_by_role("button", name="Ole played 4"))
    expect(ida.locator("#asked")).to_have_text("Your turn!")
    assert accounted(ida) == [8, 7, 8]


def test_a_counted_hand_is_counted_again(running: Running, browser: Browser) -> None:
    """A tap on what was entered opens it; also once the round is counted."""
    running.session.create_game(NAMES, 0)
    play(running.session, "deal 3", "play 0 4", "out 0", "count 1 number=3", "count 2 number=1")
    table = open_table(browser, running)
    press(table.get_by_label("Correct the count of Ole"))
    form = table.locator("details[open] form[data-count='1']")
    press(form.get_by_role("button", name="One fewer: Number cards"))
    expect(form.locator(".count-sum p")).to_have_text("2 cards, 2 penalty points")
    press(form.get_by_role("button", name="One fewer: Number cards"))
    expect(form.locator(".count-sum p")).to_have_text("1 card, 1 penalty point")
    press(form.get_by_role("button", name="One more: Number cards").last)
    press(form.get_by_role("button", name="That is the hand"))
    expect(table.locator(".reveal-row").nth(1).locator(".points b")).to_have_text("2")
    expect(table.locator("details[name=recount][open]")).to_have_count(0)


def test_what_is_wrong_with_a_name_is_said_in_the_sheet(running: Running, browser: Browser) -> None:
    """The message is not hidden behind the open sheet."""
    running.session.create_game(NAMES, 0)
    table = open_table(browser, running)
    fix(table, "A name or a phone is wrong")
    form = table.locator("#fix form[data-rename='0']")
    form.locator("input").fill("Ole")
    press(form.get_by_role("button", name="Set"))
    expect(table.locator("#fix .toast")).to_contain_text("Two players are called Ole")
    spot = table.locator("#fix .toast").bounding_box()
    assert spot is not None
    on_top = "([x, y]) => document.elementsFromPoint(x, y).some((one) => one.closest('#fix'))"
    assert table.evaluate(on_top, [spot["x"] + spot["width"] / 2, spot["y"] + spot["height"] / 2])
    press(table.locator("#fix [data-close]"))
    expect(table.locator("body > #toasts")).to_have_count(1)


def test_a_name_that_was_set_says_so_and_the_sheet_stays_open(running: Running, browser: Browser) -> None:
    """The same quiet word as elsewhere, with the name as it is kept: more names can be set right after it."""
    running.session.create_game(NAMES, 0)
    table = open_table(browser, running)
    fix(table, "A name or a phone is wrong")
    form = table.locator("#fix form[data-rename='0']")
    form.locator("input").fill("  Marie ")
    press(form.get_by_role("button", name="Set"))
    expect(table.locator("#fix .toast.good")).to_have_text("The name is saved: Marie")
    expect(table.locator("#fix")).to_be_visible()
    expect(form.locator("input")).to_have_value("Marie")


@pytest.mark.parametrize("screen", ["table", "phone"])
def test_going_out_by_mistake_is_one_tap_to_take_back(running: Running, browser: Browser, screen: str) -> None:
    """Where the round has just ended, the way back says what it takes back, before a hand is counted."""
    running.session.create_game(NAMES, 0)
    play(running.session, "deal 3", "play 0 4")
    page = open_table(browser, running) if screen == "table" else open_phone(browser, running, "Mia")
    press(page.get_by_role("button", name="Mia is out", exact=True))
    back = page.locator(".phase-count .take-back")
    expect(back).to_contain_text("Mia went out")
    press(back)
    expect(page.locator(".phase-turn")).to_be_visible()
    assert accounted(page) == [7, 8, 8]
    press(page.get_by_role("button", name="Mia is out", exact=True))
    expect(back).to_be_visible()
    play(running.session, "count 1 number=3")
    expect(back).to_have_count(0)
