"""The clips of an evening are deleted from the tablet's menu, after one question."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from companion.clips.library import ClipLibrary
from companion.session import Session
from companion.web import WebSettings, create_app
from tests.web.flagged import raise_flag
from tests.web.screens import NAMES, TABLET, new_page
from tests.web.served import Running
from tests.web.stages import play

ORIGIN = {"Origin": "http://localhost"}


def test_all_clips_go_and_the_flag_stays_without_one(session: Session, tmp_path: Path) -> None:
    """The tablet is told how many went; the Guard decides by what was seen, as where there never was a clip."""
    library = ClipLibrary(tmp_path / "clips")
    app = create_app(session, library, settings=WebSettings())
    session.create_game(NAMES, 0)
    play(session, "deal 3")
    session.claim_seat(0, "the Guard's phone")
    raise_flag(session, tmp_path / "clips", seat=1)
    guard = app.test_client()
    guard.set_cookie("moth_device", "the Guard's phone")
    assert "<video" in guard.get("/me").get_data(as_text=True)
    assert len(library.clips()) == 1

    refused = guard.post("/clips/clear", json={}, headers=ORIGIN)
    assert (refused.status_code, len(library.clips())) == (403, 1)
    done = app.test_client().post("/clips/clear", json={}, headers=ORIGIN | {"X-Role": "table"})
    assert done.get_json()["sentence"] == "1 clip is deleted."
    assert library.clips() == []
    page = guard.get("/me").get_data(as_text=True)
    assert "There is no clip of this" in page
    assert "<video" not in page


@pytest.mark.browser
def test_the_menu_asks_once(running: Running, browser: Browser) -> None:
    """One tap opens the question, and nothing is deleted before it is answered."""
    running.session.create_game(NAMES, 0)
    page = new_page(browser, TABLET)
    page.goto(f"{running.address}/table")
    page.locator('[data-open="menu"]').click()
    answer = page.get_by_role("button", name="Delete them all")
    expect(answer).not_to_be_visible()
    page.locator("#menu summary").filter(has_text="Delete the clips").click()
    expect(answer).to_be_visible()
    answer.click()
    expect(page.locator(".toast")).to_contain_text("no camera is set up")
