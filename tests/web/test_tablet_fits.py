"""A tablet lying shows all that is to be read and tapped; no name is broken inside a word."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from companion.watcher.messages import StatusReport, WatchState
from tests.web.screens import LONGEST, PHONE, STANDING, TABLET, new_page, open_table
from tests.web.served import Running
from tests.web.slapped import report_slaps
from tests.web.stages import play

pytestmark = pytest.mark.browser

FOUR = ("Ada", "Ben", "Cleo", "Dan")
FIVE = (*FOUR, "Eve")
LONG = ("Großmutter Elfriede", "Maximilian", "Lea", "Jean-Baptiste", "Anna-Katharina")
FAMILY = "👨\u200d👩\u200d👧\u200d👦"
WIDE = ("W" * 24, "Anna", "Zoë")

BELOW = """() => [...document.querySelectorAll('main button, main output, .draw-pile, main a')]
  .filter((one) => one.checkVisibility() && one.getBoundingClientRect().bottom > innerHeight)
  .map((one) => one.textContent.trim() || one.getAttribute('aria-label'))"""

BROKEN = """() => [...document.querySelectorAll('.slap-choice .name')].filter((name) => {
  const text = name.firstChild, range = document.createRange();
  return [...text.data.matchAll(/[^\\s-]+/g)].some((word) => {
    range.setStart(text, word.index);
    range.setEnd(text, word.index + word[0].length);
    return new Set([...range.getClientRects()].map((box) => Math.round(box.top))).size > 1;
  });
}).map((name) => name.textContent)"""

SPILT = """() => [...document.querySelectorAll('.slap-choice')].filter((button) => {
  const box = button.getBoundingClientRect();
  return [...button.children].some((one) => one.checkVisibility()
    && (one.getBoundingClientRect().bottom > box.bottom || one.getBoundingClientRect().top < box.top));
}).map((button) => button.textContent.trim())"""


@pytest.mark.parametrize("size", [TABLET, STANDING], ids=["lying", "standing"])
@pytest.mark.parametrize("names", [FOUR, FIVE, LONG, LONGEST], ids=["four", "five", "five long names", "the longest"])
def test_the_order_of_the_slaps_and_its_pictures_fit(
    running: Running, browser: Browser, tmp_path: Path, names: tuple[str, ...], size: dict[str, int]
) -> None:
    """Nothing that is tapped lies below the edge, nor the draw pile; no name is broken, however long names are."""
    running.session.create_game(names, 0)
    play(running.session, "deal 3", "play 0 mosquito4")
    table = new_page(browser, size)
    table.goto(f"{running.address}/table")
    landed = {seat: 10 + 3 * seat for seat in range(1, len(names))}
    report_slaps(running.session, tmp_path / "clips", landed, last=len(names) - 1, top=len(names) - 1)
    expect(table.locator("[data-strips][data-filled]")).to_have_count(1)
    assert table.evaluate(BROKEN) == []
    assert table.evaluate(SPILT) == []
    assert table.evaluate(BELOW) == []


@pytest.mark.parametrize("size", [TABLET, STANDING], ids=["lying", "standing"])
@pytest.mark.parametrize("names", [FOUR, LONGEST], ids=["four", "the longest"])
def test_the_turn_after_a_mosquito_fits(
    running: Running, browser: Browser, names: tuple[str, ...], size: dict[str, int]
) -> None:
    """Who gives to whom, the cards, drawing and who is out are all there."""
    running.session.create_game(names, 0)
    play(running.session, "deal 3", "play 0 mosquito4", "slaps 1", "gifts all")
    table = new_page(browser, size)
    table.goto(f"{running.address}/table")
    expect(table.locator(".giving")).to_be_visible()
    assert table.evaluate(BELOW) == []


def test_the_turn_fits_below_the_cameras_trouble(running: Running, browser: Browser) -> None:
    """With the banner above and "Caught!" beside, the cards and "Draw a card" are whole."""
    running.session.create_game(FOUR, 0)
    play(running.session, "deal 3", "play 0 spider4", "give 0 1")
    running.session.hear(
        StatusReport(state=WatchState.LOST, sentence="The camera is gone.", template="The camera is gone.")
    )
    table = open_table(browser, running)
    expect(table.locator(".trouble")).to_be_visible()
    assert table.evaluate(BELOW) == []


@pytest.mark.parametrize("names", [LONG, WIDE], ids=["words", "one long word"])
@pytest.mark.parametrize("size", [TABLET, PHONE], ids=["tablet", "phone"])
def test_no_name_is_broken_or_spilt_in_a_race(
    running: Running, browser: Browser, size: dict[str, int], names: tuple[str, ...]
) -> None:
    """A long name gets smaller, one that is longer still ends in an ellipsis inside its button."""
    running.session.create_game(names, 0)
    play(running.session, "deal 3", "play 0 cockroach2")
    page = new_page(browser, size)
    page.goto(f"{running.address}/table")
    page.wait_for_selector(".slap-choice")
    assert page.evaluate(BROKEN) == []
    assert page.evaluate(SPILT) == []


def test_the_seat_map_shows_whole_names(running: Running, browser: Browser) -> None:
    """A name of fourteen letters is whole; a longer one is its first word."""
    page = new_page(browser, TABLET)
    page.goto(f"{running.address}/new")
    page.locator("input[name=name]").nth(0).fill(LONG[0])
    page.locator("input[name=name]").nth(1).fill(LONG[4])
    expect(page.locator(".sitter text").nth(0)).to_have_text("Großmutter")
    expect(page.locator(".sitter text").nth(1)).to_have_text("Anna-Katharina")


def test_the_seat_map_cuts_no_emoji_in_the_middle(running: Running, browser: Browser) -> None:
    """Families and hearts count as one letter each: fourteen are whole, of more thirteen are left."""
    page = new_page(browser, TABLET)
    page.goto(f"{running.address}/new")
    page.locator("input[name=name]").nth(0).evaluate("(box, name) => { box.value = name; }", FAMILY * 14)
    page.locator("input[name=name]").nth(1).evaluate("(box, name) => { box.value = name; }", FAMILY * 15)
    page.locator("input[name=name]").nth(2).fill("Bo")
    expect(page.locator(".sitter text").nth(0)).to_have_text(FAMILY * 14)
    expect(page.locator(".sitter text").nth(1)).to_have_text(FAMILY * 13 + "…")
