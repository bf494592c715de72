"""Names are text, whatever is in them."""

import pytest
from playwright.sync_api import Browser, expect

from tests.web.screens import TABLET, new_page, open_phone, set_up, tap
from tests.web.served import Running

NASTY = "<img src=x onerror=alert(1)>"
ALSO = "{{7*7}}\"'&amp;"


@pytest.mark.browser
def test_a_name_with_markup_is_shown_as_it_was_typed(running: Running, browser: Browser) -> None:
    """Markup and template signs in a name are letters on every screen, and nothing of it runs."""
    page = new_page(browser, TABLET)
    dialogs: list[str] = []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    set_up(page, running, NASTY, ALSO, "Ida")
    expect(page.locator(".player .name").nth(0)).to_have_text(NASTY)
    expect(page.locator(".player .name").nth(1)).to_have_text(ALSO)
    tap(page, "deal 3")
    tap(page, "draw 0")
    expect(page.locator(".undo small")).to_contain_text(NASTY)
    for path in ("/", "/new", "/history", "/history/1", "/history/1/result", "/me"):
        page.goto(running.address + path)
        assert page.locator("img[src=x]").count() == 0
    phone = open_phone(browser, running, ALSO)
    expect(phone.locator("#asked")).to_have_text("Your turn!")
    assert dialogs == []
