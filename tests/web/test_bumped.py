"""A bumped camera, end to end: a stream that is watched by the watcher's own process, and the table's tablet."""

import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from playwright.sync_api import Browser, expect

from companion.config import Config, Server, Storage
from companion.runtime.setup import watch_command
from companion.runtime.table import Table
from companion.watcher.drifting import SAID_FOLLOWED, SAID_MOVED
from tests.vision.test_drift import SIZE, bump, people, room
from tests.watcher.scene import NetworkCamera, network_camera
from tests.watcher.test_drifting import LAYOUT
from tests.web.screens import NAMES

PATIENCE_MS = 60_000


def bumped(dx: float, t: float) -> np.ndarray:
    """Return the room as a camera sees it that was turned by ``dx`` px."""
    motion = bump(dx, -6, 0.0)
    return np.asarray(cv2.warpPerspective(people(room(), t), motion, SIZE, borderMode=cv2.BORDER_REPLICATE))


@pytest.fixture
def camera() -> Iterator[NetworkCamera]:
    """Serve a network camera that sees a room with people."""
    with network_camera(people(room(), 0.0)) as serving:
        yield serving


@pytest.fixture
def table(tmp_path: Path, camera: NetworkCamera) -> Iterator[Table]:
    """Run a table that watches that camera."""
    config = Config(server=Server(host="127.0.0.1", port=0), storage=Storage(folder=str(tmp_path)))
    with Table(config) as running:
        running.session.create_game(NAMES, 0)
        thread = threading.Thread(target=running.serve, daemon=True)
        thread.start()
        # a watcher that is restarted on a busy machine must find the bump all the same: by the saved picture
        saved = tmp_path / "saved.jpg"
        cv2.imwrite(str(saved), people(room(), 0.0))
        running.watch(replace(watch_command(config, camera.url, LAYOUT), analyse=False, reference=str(saved)))
        yield running
        running.stop()
        thread.join(timeout=20)


@pytest.mark.browser
def test_the_table_is_told_of_a_bump_and_what_became_of_it(
    browser: Browser, table: Table, camera: NetworkCamera
) -> None:
    """Followed where certain, asked for where the picture went too far."""
    page = browser.new_context(viewport={"width": 1180, "height": 820}).new_page()
    page.goto(f"{table.local_url}table")
    expect(page.locator(".watcher.watching")).to_be_visible(timeout=PATIENCE_MS)
    trouble = page.locator("p.trouble span")
    for k in range(6):
        camera.show(people(room(), 0.5 * k))
        page.wait_for_timeout(500)
    assert trouble.count() == 0
    camera.show(bumped(24, 3.0))
    expect(trouble).to_have_text(SAID_FOLLOWED, timeout=PATIENCE_MS)
    camera.show(bumped(24 + 260, 3.5))
    expect(trouble).to_have_text(SAID_MOVED, timeout=PATIENCE_MS)
    expect(page.locator("p.trouble a")).to_have_attribute("href", "/camera")
