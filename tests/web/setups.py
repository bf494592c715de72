"""Serve the wizard for a browser, with a video or a stream in a camera's place."""

from datetime import UTC, datetime
from pathlib import Path
from threading import Thread

from playwright.sync_api import Browser, Page, expect

from companion.calibration.layouts import LayoutStore
from companion.calibration.wizard import Doors, Wizard
from companion.runtime.server import Server, listen
from companion.session import Session
from companion.vision.layout import Layout
from companion.web import WebSettings, create_app

PATIENCE_MS = 60_000


class SetUp:
    """A served wizard, and what came out of it; ``source`` is its camera, a video file or a stream."""

    def __init__(self, session: Session, folder: Path, source: str, model: str = "") -> None:
        self.watched: list[tuple[Layout, str]] = []
        doors = Doors(
            let_go=lambda: None,
            watch=lambda layout, source: self.watched.append((layout, source)),
            carry_on=lambda: None,
            now=lambda: datetime(2026, 5, 1, tzinfo=UTC),
            model=lambda: model,
        )
        self.wizard = Wizard(LayoutStore(folder), doors, configured=source, sysfs=folder)
        listener = listen("127.0.0.1", 0)
        self.address = f"http://127.0.0.1:{listener.getsockname()[1]}"
        app = create_app(session, settings=WebSettings(join_url=f"{self.address}/"), wizard=self.wizard)
        self._server = Server(app, listener)
        self._server.prepare()
        self._thread = Thread(target=self._server.serve, daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop serving and let go of the camera."""
        self.wizard.close()
        self._server.stop()
        self._thread.join(timeout=10)


def looking(browser: Browser, set_up: SetUp, width: int, height: int) -> Page:
    """Open the wizard and choose the camera by its picture."""
    page = browser.new_context(viewport={"width": width, "height": height}, has_touch=True).new_page()
    page.goto(f"{set_up.address}/camera")
    page.locator(".camera-card").tap(timeout=PATIENCE_MS)
    expect(page.locator("[data-picture]")).to_be_visible(timeout=PATIENCE_MS)
    return page
