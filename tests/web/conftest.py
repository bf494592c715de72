"""A running companion on the loopback address, and Debian's chromium to look at it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from companion.clock import SystemClock
from companion.journal import Journal
from companion.session import Session
from tests.web.served import CHROMIUM, QUIET, Running, serve


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    """Return a session on an empty journal."""
    clock = SystemClock()
    journal = Journal.open(tmp_path / "journal.db", clock)
    yield Session(journal, clock)
    journal.close()


@pytest.fixture
def running(session: Session) -> Iterator[Running]:
    """Serve an empty session."""
    with serve(session) as found:
        yield found


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Start chromium once."""
    if not Path(CHROMIUM).exists():
        pytest.skip("chromium is not installed")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
        yield browser
        browser.close()
