"""What the browser tests do on a screen: tap, call, count, join, read."""

from collections.abc import Mapping

from playwright.sync_api import Browser, Page

from tests.web.served import Running

TABLET = {"width": 1180, "height": 820}
PHONE = {"width": 390, "height": 844}
NAMES = ("Mia", "Ole", "Ida")


def tap(page: Page, move: str) -> None:
    """Tap the button that makes a move, and wait until the screen shows the game after it."""
    seq = seq_of(page)
    page.locator(f'[data-move="{move}"]').first.click()
    wait_past(page, seq)


def seq_of(page: Page) -> int:
    """Return the `seq` that a screen shows."""
    return int(page.locator("#app").get_attribute("data-seq") or 0)


def wait_past(page: Page, seq: int) -> None:
    """Wait until a screen shows the game after `seq`."""
    page.wait_for_function("seq => Number(document.getElementById('app').dataset.seq) > seq", arg=seq)


def accounted(page: Page) -> list[int]:
    """Read the cards left as the strip of players shows them."""
    return [int(text) for text in page.locator(".players .accounted b").all_inner_texts()]


def guard_of(page: Page) -> str:
    """Read who is the Guard."""
    return page.locator(".player.guard .name").inner_text()


def call_caught(page: Page, name: str) -> None:
    """Call "Caught!" on a player."""
    page.locator(".caught").click()
    page.get_by_role("button", name=f"Caught, {name}!").click()
    page.wait_for_selector(".phase-accusation")


def enter_count(page: Page, name: str, taps: Mapping[str, int]) -> None:
    """Enter what is left in a hand by tapping the pictures."""
    page.wait_for_selector(f'.count-who b:text-is("{name}")')
    for label, times in taps.items():
        for _ in range(times):
            page.locator(f'.step-art[aria-label="One more: {label}"]').click()
    page.get_by_role("button", name="That is the hand").click()


PATIENCE_MS = 90_000
"""How long a page may take on a machine that does much else beside; no test asserts a time."""


def new_page(browser: Browser, size: dict[str, int]) -> Page:
    """Open a screen of its own: its cookies and its storage are nobody else's."""
    page = browser.new_context(viewport=size).new_page()  # type: ignore[arg-type]
    page.set_default_timeout(PATIENCE_MS)
    return page


def set_up(page: Page, running: Running, *names: str) -> None:
    """Set up a game on the form, the first player being the oldest."""
    page.goto(f"{running.address}/new")
    for place, name in enumerate(names):
        page.locator("input[name=name]").nth(place).fill(name)
    page.get_by_role("button", name="Deal the cards!").click()
    page.wait_for_url("**/table")


def open_table(browser: Browser, running: Running) -> Page:
    """Open the table's tablet on a game that is on."""
    page = new_page(browser, TABLET)
    page.goto(f"{running.address}/table")
    return page


def open_phone(browser: Browser, running: Running, name: str) -> Page:
    """Join as a player with a phone of one's own."""
    page = new_page(browser, PHONE)
    page.goto(f"{running.address}/me")
    page.get_by_role("button", name=name).click()
    page.wait_for_selector(".phone-screen")
    return page
