"""The set-up in a real browser: a newcomer's way from the camera's picture to a watched table, by touch."""

import re
from collections.abc import Iterator
from pathlib import Path

import cv2
import pytest
from playwright.sync_api import Browser, expect

from companion.session import Session
from tests.vision.tablescene import DrawnTable
from tests.web.setups import PATIENCE_MS, SetUp, looking

SCENE = DrawnTable(eye_mm=(0.0, -800.0, 1400.0), focal_px=760.0)


@pytest.fixture(scope="module")
def video(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a video of a table with the page on it, which takes a camera's place."""
    path = tmp_path_factory.mktemp("video") / "table.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 25, (1280, 720))
    picture = SCENE.picture()
    for _k in range(50):
        writer.write(picture)
    writer.release()
    return path


@pytest.fixture
def set_up(session: Session, tmp_path: Path, video: Path) -> Iterator[SetUp]:
    """Return a served wizard."""
    made = SetUp(session, tmp_path / "layouts", str(video))
    yield made
    session.close()
    made.close()


@pytest.mark.browser
@pytest.mark.parametrize(("width", "height"), [(1180, 820), (390, 844)])
def test_a_table_is_set_up_without_a_tap_on_the_picture(
    browser: Browser, set_up: SetUp, video: Path, width: int, height: int
) -> None:
    """Camera, Auto, places as proposed, hands skipped, done: the table is watched with its true size."""
    page = looking(browser, set_up, width, height)
    page.locator("[data-needs-camera]").tap()
    page.locator("[data-auto]").tap()
    expect(page.locator("[data-width]")).to_have_value(re.compile(r"^(99|100)"), timeout=PATIENCE_MS)
    page.locator("[data-panel=table] .main[data-go]").tap()
    expect(page.locator(".d-seat")).to_have_count(4, timeout=PATIENCE_MS)
    page.locator("[data-panel=seats] .main[data-go]").tap()
    page.locator("[data-panel=hands] .quiet[data-go]").tap()
    expect(page.locator("[data-verdict]")).not_to_be_empty()
    page.locator("[data-save]").tap()
    page.wait_for_url(f"{set_up.address}/", timeout=PATIENCE_MS)
    [(layout, source)] = set_up.watched
    assert source == str(video)
    assert layout.table.width_mm == pytest.approx(1000, abs=10)
    overflow = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert overflow <= 0


@pytest.mark.browser
def test_a_corner_is_dragged_under_a_magnifier(browser: Browser, set_up: SetUp) -> None:
    """The corner goes where it is dropped, and the magnifier shows while it moves."""
    page = looking(browser, set_up, 1180, 820)
    page.locator("[data-needs-camera]").tap()
    handle = page.locator(".d-handle").nth(2)
    expect(handle).to_be_visible(timeout=PATIENCE_MS)
    before = set_up.wizard.draft
    box = handle.bounding_box()
    assert before is not None
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 30, y - 12, steps=3)
    expect(page.locator("[data-loupe]")).to_be_visible()
    with page.expect_response("**/camera/place", timeout=PATIENCE_MS):
        page.mouse.up()
    expect(page.locator("[data-loupe]")).to_be_hidden()
    after = set_up.wizard.draft
    assert after is not None
    assert after.outline_px[2][0] > before.outline_px[2][0] + 20
    assert after.outline_px[:2] == before.outline_px[:2]


@pytest.mark.browser
def test_a_newcomer_needs_six_taps(browser: Browser, set_up: SetUp) -> None:
    """Camera, on, Auto, it fits, places, on, done: none of them on the picture, none for a seat."""
    page = browser.new_context(viewport={"width": 1180, "height": 820}, has_touch=True).new_page()
    page.add_init_script(
        "window.taps = 0; addEventListener('click', (e) => { if (e.isTrusted) window.taps += 1; }, true)"
    )
    page.goto(f"{set_up.address}/camera")
    page.locator(".camera-card").tap(timeout=PATIENCE_MS)
    expect(page.locator("[data-picture]")).to_be_visible(timeout=PATIENCE_MS)
    page.locator("[data-needs-camera]").tap()
    page.locator("[data-auto]").tap()
    expect(page.locator("[data-width]")).to_have_value(re.compile(r"^(99|100)"), timeout=PATIENCE_MS)
    expect(page.locator("[data-doubts]")).to_be_hidden()
    page.locator("[data-panel=table] .main[data-go]").tap()
    expect(page.locator(".d-seat")).to_have_count(4, timeout=PATIENCE_MS)
    page.locator("[data-panel=seats] .main[data-go]").tap()
    page.locator("[data-panel=hands] .quiet[data-go]").tap()
    expect(page.locator("[data-verdict]")).not_to_be_empty()
    assert page.evaluate("window.taps") == 6
    page.locator("[data-save]").tap()
    page.wait_for_url(f"{set_up.address}/", timeout=PATIENCE_MS)
    assert len(set_up.watched[0][0].seats) == 4


@pytest.mark.browser
def test_every_step_is_skipped_and_redone_later(browser: Browser, set_up: SetUp) -> None:
    """Skipped to the end and saved; offered the next time, used, one step changed, and saved again in its place."""
    page = looking(browser, set_up, 390, 844)
    page.locator("[data-needs-camera]").tap()
    for step in ("table", "seats", "hands"):
        page.locator(f"[data-panel={step}] .quiet[data-go]").tap()
    expect(page.locator("[data-verdict]")).to_contain_text("The table was not placed", timeout=PATIENCE_MS)
    page.locator("[data-place]").fill("Den")
    page.locator("[data-save]").tap()
    page.wait_for_url(f"{set_up.address}/", timeout=PATIENCE_MS)
    page = looking(browser, set_up, 390, 844)
    page.locator(".saved-card button").tap(timeout=PATIENCE_MS)
    expect(page.locator("[data-panel=check]")).to_be_visible(timeout=PATIENCE_MS)
    expect(page.locator("[data-place]")).to_have_value("Den")
    page.locator("[data-step=seats]").tap()
    with page.expect_response("**/camera/seats", timeout=PATIENCE_MS):
        page.locator("[data-more]").tap()
    expect(page.locator(".d-seat")).to_have_count(5, timeout=PATIENCE_MS)
    page.locator("[data-step=check]").tap()
    page.locator("[data-save]").tap()
    page.wait_for_url(f"{set_up.address}/", timeout=PATIENCE_MS)
    [saved] = set_up.wizard.store.all()
    assert (saved.place, len(saved.layout.seats)) == ("Den", 5)


@pytest.mark.browser
def test_the_size_is_taken_from_a_card_whose_corners_are_dragged(browser: Browser, set_up: SetUp) -> None:
    """No card lies there, so it is drawn to be dragged; the size of the table follows, in inches too."""
    page = looking(browser, set_up, 1180, 820)
    page.locator("[data-needs-camera]").tap()
    page.locator("[data-auto]").tap()
    expect(page.locator("[data-width]")).to_have_value(re.compile(r"^(99|100)"), timeout=PATIENCE_MS)
    page.locator("[data-panel=table] details.more summary").tap()
    with page.expect_response("**/camera/card", timeout=PATIENCE_MS):
        page.locator("[data-card]").tap()
    expect(page.locator(".d-card")).to_be_attached(timeout=PATIENCE_MS)
    expect(page.locator("[data-card-done]")).to_be_visible()
    page.locator("[data-card-done]").tap()
    expect(page.locator(".d-card")).not_to_be_attached()
    page.locator("[name=unit][value=inch]").check(force=True)
    expect(page.locator("[data-width]")).to_have_value(re.compile(r"^39"))


@pytest.mark.browser
@pytest.mark.parametrize(("width", "height"), [(1180, 820), (820, 1180), (390, 844)])
def test_every_step_has_room_on_the_screen(browser: Browser, set_up: SetUp, width: int, height: int) -> None:
    """Nothing sticks out of its panel or of the screen, with all that can be unfolded unfolded."""
    page = looking(browser, set_up, width, height)
    page.locator("[data-needs-camera]").tap()
    for step in ("table", "seats", "hands", "check", "camera"):
        page.locator(f"[data-step={step}]").tap()
        panel = page.locator(f"[data-panel={step}]")
        expect(panel).to_be_visible()
        panel.locator("details").evaluate_all("all => all.forEach((one) => { one.open = true; })")
        room = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert room <= 0, step
        outside = panel.evaluate(
            """panel => [...panel.querySelectorAll(":scope *:not(input, option)")].filter((part) => {
                 const box = part.getBoundingClientRect();
                 const around = panel.getBoundingClientRect();
                 return box.width > 1 && (box.right > around.right + 1 || box.left < around.left - 1);
               }).map((part) => part.className || part.tagName)"""
        )
        assert outside == [], step
