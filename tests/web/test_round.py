"""One whole round of three players, by taps alone."""

import pytest
from playwright.sync_api import Browser, expect

from tests.web.screens import (
    NAMES,
    TABLET,
    accounted,
    call_caught,
    enter_count,
    guard_of,
    new_page,
    press,
    set_up,
    tap,
    walk_through,
)
from tests.web.served import Running


@pytest.mark.browser
def test_a_round_is_played_by_taps_alone(running: Running, browser: Browser) -> None:
    """All action cards, a false and a true call, going out, counts and scores come out as the rules say."""
    page = new_page(browser, TABLET)
    set_up(page, running, *NAMES)
    tap(page, "deal 3")

    tap(page, "play 0 spider4")
    tap(page, "give 0 1")
    assert accounted(page) == [6, 9, 8]

    tap(page, "play 1 ant5")
    tap(page, "ant all")
    assert accounted(page) == [7, 8, 9]

    tap(page, "play 2 mosquito1")
    tap(page, "slaps 0")  # the same tap says that everybody gave a card
    expect(page.locator("#toasts")).to_contain_text("Everybody gives Mia a card")
    assert accounted(page) == [9, 7, 7]

    press(page.locator(".undo"))  # somebody had only moths: back to who gave, one by one
    page.wait_for_selector(".phase-gifts")
    tap(page, "nogift 1")
    tap(page, "gift 2")
    assert accounted(page) == [8, 8, 7]

    tap(page, "play 0 cockroach2")
    tap(page, "race 1 2")
    assert accounted(page) == [7, 7, 7]

    call_caught(page, "Ole")
    tap(page, "dismiss")
    walk_through(page)
    assert accounted(page) == [8, 7, 7]

    call_caught(page, "Ida")
    tap(page, "uphold 1")
    walk_through(page)
    assert accounted(page) == [7, 7, 8]
    assert guard_of(page) == "Ida"

    tap(page, "draw 1")
    tap(page, "play 2 moth3")  # the Guard alone may lay a moth
    tap(page, "play 0 4")
    tap(page, "play 1 3")
    tap(page, "out 1")  # accounted 7, but the hand is empty: seven cards vanished

    enter_count(page, "Mia", {"Number cards": 3, "Moths": 1})
    enter_count(page, "Ida", {"Number cards": 2, "Spiders": 1})

    page.wait_for_selector(".phase-round_over")
    points = page.locator(".reveal-row .points b").all_inner_texts()
    assert points == ["13", "0", "7"]
    assert "7 cards vanished unseen" in page.locator(".reveal-row").nth(1).inner_text()
    assert "Best cheater" in page.locator(".reveal-row").nth(1).inner_text()
    totals = page.locator(".score-table td.total").all_inner_texts()
    assert totals == ["0", "7", "13"]

    tap(page, "next")
    assert guard_of(page) == "Ole"
    page.context.close()
