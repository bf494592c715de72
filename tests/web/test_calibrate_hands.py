"""The hands step in a real browser: rendered people whose hands lie flat (CC0 bodies), the layout brought as a file."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from companion import handmodel
from companion.session import Session
from tests.web.screens import NAMES
from tests.web.setups import PATIENCE_MS, SetUp, looking

HERE = Path(__file__).resolve().parents[1] / "calibration"
VIDEO, LAYOUT = HERE / "hands_flat.mp4", HERE / "hands_flat.layout.json"
TRUE_MM = {0: 204, 1: 191, 2: 202}
"""Wrist to middle fingertip, on the table, as the renderer knows it."""


@pytest.fixture
def set_up(session: Session, tmp_path: Path) -> Iterator[SetUp]:
    """Serve a wizard that looks at the rendered table."""
    made = SetUp(session, tmp_path / "layouts", str(VIDEO), str(handmodel.cached() or ""))
    yield made
    session.close()
    made.close()


@pytest.mark.browser
@pytest.mark.models
def test_hands_that_lie_flat_are_found_told_apart_measured_and_drawn(browser: Browser, set_up: SetUp) -> None:
    """Two a player, left and right; their length is saved with the seats; a layout file is brought by its picker."""
    page = looking(browser, set_up, 1180, 820)
    page.locator("[data-needs-camera]").tap()
    expect(page.locator(".d-handle")).to_have_count(4, timeout=PATIENCE_MS)
    page.locator("[data-step=check]").tap()
    page.locator("[data-panel=check] details summary").tap()
    page.locator("[data-import]").set_input_files(LAYOUT)
    expect(page.locator(".d-seat")).to_have_count(3, timeout=PATIENCE_MS)
    page.locator("[data-step=hands]").tap()
    page.locator("[data-hands]").tap()
    expect(page.locator("[data-countdown]")).to_be_visible()
    expect(page.locator(".d-hand")).to_have_count(6, timeout=PATIENCE_MS)
    expect(page.locator("[data-count-seat]:not([hidden]) [data-count]")).to_have_text(["both hands"] * 3)
    assert sorted(page.locator(".d-side").all_text_contents()) == ["left"] * 3 + ["right"] * 3
    for hand in set_up.wizard.hands.hands:
        # seats look inward: the right hand of the left-hand player lies nearer to the camera
        if hand["seat"] == 0:
            assert (hand["landmarks_px"][0][1] > 400) is (hand["side"] == "right")
    page.locator("[data-panel=hands] .main[data-go]").tap()
    expect(page.locator("[data-verdict]")).to_have_text(re.compile("."))
    page.locator("[data-save]").tap()
    page.wait_for_url(f"{set_up.address}/", timeout=PATIENCE_MS)
    [(layout, _source)] = set_up.watched
    assert {seat.seat: seat.hand_mm for seat in layout.seats} == {
        seat: pytest.approx(true, rel=0.2) for seat, true in TRUE_MM.items()
    }


@pytest.mark.browser
def test_a_broken_file_is_refused_and_costs_nothing(browser: Browser, set_up: SetUp, tmp_path: Path) -> None:
    """No layout, a hostile one, one made by another camera: a sentence each, and the draft stays."""
    page = looking(browser, set_up, 1180, 820)
    page.locator("[data-needs-camera]").tap()
    expect(page.locator(".d-handle")).to_have_count(4, timeout=PATIENCE_MS)
    draft = set_up.wizard.draft
    page.locator("[data-step=check]").tap()
    page.locator("[data-panel=check] details summary").tap()
    upright = {**json.loads(LAYOUT.read_text()), "image_size": [720, 1280]}
    broken = {
        "not a layout": "[" * 5000,
        "seats": json.dumps({**json.loads(LAYOUT.read_text()), "seats": "<script>alert(1)</script>"}),
        "place the table anew": json.dumps(upright),
    }
    for words, text in broken.items():
        file = tmp_path / "layout.json"
        file.write_text(text)
        page.locator("[data-import]").set_input_files(file)
        expect(page.locator(".toast").last).to_contain_text(words, timeout=PATIENCE_MS)
    assert set_up.wizard.draft == draft


@pytest.mark.browser
def test_a_game_under_way_is_said(browser: Browser, set_up: SetUp, session: Session) -> None:
    """The camera does not watch it meanwhile; leaving the set-up leads back to it."""
    page = looking(browser, set_up, 390, 844)
    expect(page.locator("[data-playing]")).to_be_hidden()
    session.create_game(NAMES, 0)
    expect(page.locator("[data-playing]")).to_contain_text("A game is under way", timeout=PATIENCE_MS)
    page.locator("[data-playing] a").tap()
    page.wait_for_url(f"{set_up.address}/table", timeout=PATIENCE_MS)
    assert set_up.wizard.source == ""


@pytest.mark.browser
def test_what_auto_says_covers_neither_the_picture_nor_what_is_tapped(browser: Browser, set_up: SetUp) -> None:
    """No printed page lies there: the sentence stands below the picture, whose corners are dragged next."""
    page = looking(browser, set_up, 1180, 820)
    page.clock.install()
    page.locator("[data-needs-camera]").tap()
    expect(page.locator(".d-handle")).to_have_count(4, timeout=PATIENCE_MS)
    page.get_by_role("button", name="Auto").tap()
    expect(page.locator(".toast")).to_contain_text("The printed page was not found", timeout=PATIENCE_MS)
    page.wait_for_timeout(400)  # it slides in
    covered = """() => {
      const over = document.querySelector('.toast').getBoundingClientRect();
      return [...document.querySelectorAll('#app button, #app input, #app summary, [data-picture]')].filter((one) => {
        const box = one.getBoundingClientRect();
        const beside = box.left >= over.right || box.right <= over.left;
        const apart = beside || box.top >= over.bottom || box.bottom <= over.top;
        return one.checkVisibility() && !apart;
      }).map((one) => one.textContent.trim() || one.tagName);
    }"""
    assert page.evaluate(covered) == []
