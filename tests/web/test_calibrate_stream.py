"""The set-up with a network camera: it breaks off and comes back; the lens board is waved before it; it is bumped."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from companion.session import Session
from tests.vision.lensscene import LensCamera, waved
from tests.vision.tablescene import DrawnTable
from tests.watcher.scene import NetworkCamera, network_camera
from tests.web.setups import PATIENCE_MS, SetUp, looking

SCENE = DrawnTable(eye_mm=(0.0, -800.0, 1400.0), focal_px=760.0)
LENS = LensCamera((640, 360), 480.0, (322.0, 178.0), (-0.12, 0.04, 0.0, 0.0, 0.0))


@pytest.fixture
def camera() -> Iterator[NetworkCamera]:
    """Serve a network camera that sees a table with the page on it."""
    with network_camera(SCENE.picture()) as serving:
        yield serving


@pytest.fixture
def set_up(session: Session, tmp_path: Path, camera: NetworkCamera) -> Iterator[SetUp]:
    """Serve a wizard that looks through that camera."""
    made = SetUp(session, tmp_path / "layouts", camera.url)
    yield made
    session.close()
    made.close()


@pytest.mark.browser
def test_a_camera_that_breaks_off_costs_the_set_up_nothing(
    browser: Browser, set_up: SetUp, camera: NetworkCamera
) -> None:
    """A sentence while it is away; its picture comes back by itself, and the outline is still there to go on with."""
    page = looking(browser, set_up, 1180, 820)
    page.locator("[data-needs-camera]").tap()
    page.locator("[data-auto]").tap()
    expect(page.locator("[data-width]")).to_have_value(re.compile(r"^(99|100)"), timeout=PATIENCE_MS)
    said = page.locator("[data-picture-said]")
    camera.break_off()
    expect(said).to_have_text(re.compile("broke off|cannot be opened|does not answer|network"), timeout=PATIENCE_MS)
    expect(said).to_have_class(re.compile("poor"))
    camera.mend()
    expect(said).to_have_text(re.compile("pictures a second|Measuring"), timeout=PATIENCE_MS)
    before = page.locator("[data-picture]").get_attribute("src")
    expect(page.locator("[data-picture]")).not_to_have_attribute("src", before or "", timeout=PATIENCE_MS)
    expect(page.locator("[data-width]")).to_have_value(re.compile(r"^(99|100)"))
    page.locator("[data-panel=table] .main[data-go]").tap()
    expect(page.locator(".d-seat")).to_have_count(4, timeout=PATIENCE_MS)
    page.locator("[data-step=check]").tap()
    page.locator("[data-save]").tap()
    page.wait_for_url(f"{set_up.address}/", timeout=PATIENCE_MS)
    [(layout, source)] = set_up.watched
    assert source == camera.url
    assert layout.table.width_mm == pytest.approx(1000, abs=10)


def wave(page: Page, set_up: SetUp, camera: NetworkCamera, *, bend: float = 0.0) -> None:
    """Hold the board before the camera in one pose after the other, each until it was looked at twice."""
    looks = []
    page.on("response", lambda answer: looks.append(1) if answer.url.endswith("/camera/lens") else None)
    for k, (turn, move) in enumerate(waved(LENS, 30, 5)):
        camera.show(LENS.picture(turn, move, bend=bend, seed=k))
        view = set_up.wizard.view
        assert view is not None
        number = view.seen.number if view.seen else 0
        assert view.wait(number + 1, 30) is not None
        for _look in range(2):
            done, seen = len(looks), view.seen.number if view.seen else 0
            assert view.wait(seen, 30) is not None
            while len(looks) < done + 2:
                page.wait_for_timeout(50)
        if page.locator("[data-lens-finish]").is_visible():
            return


@pytest.mark.browser
def test_the_lens_is_measured_from_a_waved_board(browser: Browser, set_up: SetUp, camera: NetworkCamera) -> None:
    """Coverage shows while it collects, the error at the end; the focal length is right to one percent."""
    turn, move = waved(LENS, 1, 5)[0]
    camera.show(LENS.picture(turn, move))
    page = looking(browser, set_up, 1180, 820)
    page.locator("[data-needs-camera]").tap()
    page.locator("[data-panel=table] details.more summary").tap()
    page.locator("[data-lens]").tap()
    expect(page.locator(".d-cell").first).to_be_attached(timeout=PATIENCE_MS)
    expect(page.locator("[data-lens-finish]")).to_be_hidden()
    wave(page, set_up, camera)
    assert page.locator(".d-cell:not(.empty)").count() >= 16
    page.locator("[data-lens-finish]").tap()
    expect(page.locator("[data-lens-figures]")).to_have_text(
        re.compile(r"\d+(\.\d)?° · 0\.\d+ px"), timeout=PATIENCE_MS
    )
    draft = set_up.wizard.draft
    assert draft is not None
    assert draft.lens.matrix is not None
    assert draft.lens.matrix[0][0] == pytest.approx(LENS.focal_px, rel=0.01)


@pytest.mark.browser
def test_a_bent_board_is_refused_with_the_reason(browser: Browser, set_up: SetUp, camera: NetworkCamera) -> None:
    """Nothing is taken over from it; it can be waved again."""
    turn, move = waved(LENS, 1, 5)[0]
    camera.show(LENS.picture(turn, move, bend=1.2e-3))
    page = looking(browser, set_up, 1180, 820)
    page.locator("[data-needs-camera]").tap()
    page.locator("[data-panel=table] details.more summary").tap()
    page.locator("[data-lens]").tap()
    wave(page, set_up, camera, bend=1.2e-3)
    page.locator("[data-lens-finish]").tap()
    expect(page.locator(".toast")).to_have_text(re.compile("again|flat|bent"), timeout=PATIENCE_MS)
    assert set_up.wizard.draft is not None
    assert set_up.wizard.draft.lens.matrix is None
    expect(page.locator("[data-lens]")).to_be_enabled()
