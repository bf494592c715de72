"""A running companion on the loopback address."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from companion.clock import SystemClock
from companion.journal import Journal
from companion.session import Session
from tests.web.screens import PATIENCE_MS
from tests.web.served import Running, serve

expect.set_options(timeout=PATIENCE_MS)


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
