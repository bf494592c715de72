"""What the browser tests do on a screen: tap, call, count, join, read."""

import math
import time
from collections.abc import Mapping
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from playwright.sync_api import Browser, Locator, Page

from tests.web.served import Running

TABLET = {"width": 1180, "height": 820}
STANDING = {"width": 820, "height": 1180}
PHONE = {"width": 390, "height": 844}
NAMES = ("Mia", "Ole", "Ida")
LONGEST = (
    "Großmutter Elfriede von der Waldlichtung",
    "Maximilian-Alexander Hohenzollern-Schmid",
    "Jean-Baptiste Emmanuel de la Rochefouca",
    "Anna-Katharina Wilhelmine Sophie-Marlene",
    "W" * 40,
)
"""As long as the form allows: 40 letters."""


DOUBLE_S = 0.5
"""A tap on the spot of the last one counts after this time only: before, it is a double tap (js/doubletap.js)."""
SAME_SPOT_PX = 30


@dataclass(frozen=True, slots=True)
class Spot:
    """Where and when a screen was tapped last."""

    x: float
    y: float
    at_s: float


_last_tap: WeakKeyDictionary[Page, Spot] = WeakKeyDictionary()


def press(button: Locator) -> None:
    """Tap a button as a person does: on the spot of the last tap not as fast as a double tap."""
    button.scroll_into_view_if_needed()
    box = button.bounding_box()
    last = _last_tap.get(button.page)
    x, y = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) if box else (0.0, 0.0)
    if last and math.hypot(x - last.x, y - last.y) < SAME_SPOT_PX:
        button.page.wait_for_timeout(max(0.0, last.at_s + DOUBLE_S - time.monotonic()) * 1000)
    button.click()
    _last_tap[button.page] = Spot(x, y, time.monotonic())


def tap(page: Page, move: str) -> None:
    """Tap the button that makes a move, and wait until the screen shows the game after it."""
    seq = seq_of(page)
    press(page.locator(f'[data-move="{move}"]').first)
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
    press(page.locator(".caught"))
    press(page.get_by_role("button", name=f"Caught, {name}!"))
    page.wait_for_selector(".phase-accusation")


def walk_through(page: Page) -> None:
    """Confirm, one by one, what a settled call comes to."""
    page.wait_for_selector(".phase-consequence")
    while page.locator(".phase-consequence").count():
        step = page.locator(".step.now").inner_text()
        press(page.locator(".step.now").get_by_role("button", name="Done"))
        page.wait_for_function("before => document.querySelector('.step.now')?.innerText !== before", arg=step)


def enter_count(page: Page, name: str, taps: Mapping[str, int]) -> None:
    """Enter what is left in a hand by tapping the pictures."""
    page.wait_for_selector(f'.count-who b:text-is("{name}")')
    for label, times in taps.items():
        for _ in range(times):
            page.locator(f'.step-art[aria-label="One more: {label}"] >> visible=true').click()
    press(page.get_by_role("button", name="That is the hand"))


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
    page.evaluate("document.chosen = true")
    page.get_by_role("button", name=name).click()
    # the screen changes in place, and is then loaded as a page of its own: what is done in between is lost with it,
    # and a server that ends before its scripts are there leaves a page that cannot say so
    page.wait_for_function(
        "() => !document.chosen && document.querySelector('.phone-screen') && document.readyState === 'complete'"
    )
    return page
