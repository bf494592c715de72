"""What tests need from outside: Debian's chromium and the hand model. Skipped where absent, failed in CI."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from companion import handmodel
from tests.web.served import CHROMIUM, QUIET


def absent(sentence: str) -> None:
    """Skip the test with the reason; in CI, where everything has been installed, fail instead."""
    if os.environ.get("CI"):
        pytest.fail(sentence)
    pytest.skip(sentence)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """Start chromium once."""
    if not Path(CHROMIUM).exists():
        absent("chromium is not installed: `apt-get install chromium`")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
        yield browser
        browser.close()


@pytest.fixture
def browser(chromium: Browser) -> Iterator[Browser]:
    """Lend chromium to one test, and close what it left open: two hundred live pages make every further one slow."""
    yield chromium
    for context in chromium.contexts:
        context.close()


@pytest.fixture(autouse=True)
def _models_are_there(request: pytest.FixtureRequest) -> None:
    """Hold tests marked `models` back where the hand model is not in the cache."""
    if request.node.get_closest_marker("models") and handmodel.cached() is None:
        absent("the hand model is not cached: `uv run cheating-moth models`")
