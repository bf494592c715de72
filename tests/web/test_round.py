"""One whole round of three players, by taps alone."""

from playwright.sync_api import Browser, Page

from tests.web.served import Running


def tap(page: Page, move: str) -> None:
    """Tap the button that makes a move, and wait until the screen shows the game after it."""
    seq = page.locator("#app").get_attribute("data-seq")
    page.locator(f'[data-move="{move}"]').first.click()
    page.wait_for_function("seq => document.getElementById('app').dataset.seq !== seq", arg=seq)


def accounted(page: Page) -> list[int]:
    """Read the cards left as the strip of players shows them."""
    return [int(text) for text in page.locator(".players .accounted b").all_inner_texts()]


def caught(page: Page, name: str) -> None:
    """Call "Caught!" on a player."""
    page.get_by_role("button", name="Caught!", exact=True).click()
    page.get_by_role("button", name=f"Caught, {name}!").click()
    page.wait_for_selector(".phase-accusation")


def count(page: Page, name: str, taps: dict[str, int]) -> None:
    """Enter what is left in a hand by tapping the pictures."""
    page.wait_for_selector(f'.count-who b:text-is("{name}")')
    for label, times in taps.items():
        for _ in range(times):
            page.locator(f'.step-art[aria-label="One more: {label}"]').click()
    page.get_by_role("button", name="That is the hand").click()


def set_up(page: Page, running: Running, *names: str) -> None:
    """Set up a game on the form, the first player being the oldest."""
    page.goto(f"{running.address}/new")
    for place, name in enumerate(names):
        page.locator("input[name=name]").nth(place).fill(name)
    page.get_by_role("button", name="Deal the cards!").click()
    page.wait_for_url("**/table")


def test_a_round_is_played_by_taps_alone(running: Running, browser: Browser) -> None:
    """All action cards, a false and a true call, going out, counts and scores come out as the rules say."""
    page = browser.new_page(viewport={"width": 1180, "height": 820})
    set_up(page, running, "Mia", "Ole", "Ida")
    tap(page, "deal 3")

    tap(page, "play 0 spider4")
    tap(page, "give 0 1")
    assert accounted(page) == [6, 9, 8]

    tap(page, "play 1 ant5")
    tap(page, "ant all")
    assert accounted(page) == [7, 8, 9]

    tap(page, "play 2 mosquito1")
    page.get_by_role("button", name="Mia was the slowest").click()
    page.wait_for_selector(".phase-gifts")
    tap(page, "gifts all")
    assert accounted(page) == [9, 7, 7]

    tap(page, "play 0 cockroach2")
    tap(page, "race 1 2")
    assert accounted(page) == [8, 6, 7]

    caught(page, "Ole")
    tap(page, "dismiss")
    assert accounted(page) == [9, 6, 7]

    caught(page, "Ida")
    tap(page, "uphold 1")
    assert accounted(page) == [8, 6, 8]
    assert page.locator(".player.guard .name").inner_text() == "Ida"

    tap(page, "draw 1")
    tap(page, "play 2 moth3")  # the Guard alone may lay a moth
    tap(page, "play 0 4")
    tap(page, "play 1 3")
    tap(page, "out 1")  # accounted 6, but the hand is empty: six cards vanished

    count(page, "Mia", {"Number cards": 3, "Moths": 1})
    count(page, "Ida", {"Number cards": 2, "Spiders": 1})

    page.wait_for_selector(".phase-round_over")
    points = page.locator(".reveal-row .points b").all_inner_texts()
    assert points == ["13", "0", "7"]
    assert "6 cards vanished unseen" in page.locator(".reveal-row").nth(1).inner_text()
    assert "Best cheater" in page.locator(".reveal-row").nth(1).inner_text()
    totals = page.locator(".score-table td.total").all_inner_texts()
    assert totals == ["0", "7", "13"]

    tap(page, "next")
    assert page.locator(".player.guard .name").inner_text() == "Ole"
    page.context.close()
