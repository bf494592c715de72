"""The demo, as a newcomer meets it: a flag with its clip on the Guard's phone, a ruling, and everybody sees it."""

import pytest
from playwright.sync_api import Browser, expect

from companion.runtime.demo import GUARD, PLAYERS
from tests.runtime.served import Served
from tests.web.screens import PHONE, TABLET, guard_of, press

A_MINUTE_MS = 60_000


@pytest.mark.browser
@pytest.mark.models
def test_a_newcomer_sees_a_flag_plays_its_clip_and_rules_on_it(browser: Browser) -> None:
    """Join as the Guard, wait for a flag, play its clip, call it: the table's screen shows the new Guard."""
    with Served(["demo", "--no-browser", "--host", "127.0.0.1"]) as server:
        tablet = browser.new_context(viewport=TABLET).new_page()
        tablet.goto(f"{server.url}/table")
        phone = browser.new_context(viewport=PHONE).new_page()
        phone.goto(f"{server.url}/me")
        phone.get_by_role("button", name=PLAYERS[GUARD]).click()

        flag = phone.locator(".flag", has=phone.locator("video")).first
        expect(flag).to_be_visible(timeout=A_MINUTE_MS)
        video = flag.locator("video")
        started = video.evaluate("video => video.currentTime")
        phone.wait_for_function(
            "([video, started]) => video.currentTime > started + 0.2",
            arg=[video.element_handle(), started],
        )
        assert video.evaluate("video => video.videoWidth") == 1280
        assert tablet.locator(".flag").count() == 0, "a flag is for the Guard's eyes alone"

        cheater = next(name for name in PLAYERS if name in flag.locator("h3").inner_text())
        assert guard_of(tablet) == PLAYERS[GUARD]
        press(flag.get_by_role("button", name="Caught!"))
        tablet.wait_for_selector(".phase-accusation")
        press(phone.locator('[data-move^="uphold"]').first)
        tablet.wait_for_selector(".phase-accusation", state="detached")
        assert guard_of(tablet) == cheater
        expect(phone.locator(".flag")).to_have_count(0)
        assert server.end() == 0
        assert not [line for line in server.lines if "died" in line or "terminate" in line]
