"""The accessibility audit (axe) on every screen, by night and by day; and targets large enough to tap."""

import os
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from companion.words import say
from tests.web.flagged import raise_flag
from tests.web.screens import NAMES, PATIENCE_MS, PHONE, TABLET, call_caught
from tests.web.served import Running
from tests.web.slapped import report_slaps
from tests.web.stages import MOVES, play

AXE = Path(__file__).parent / "node_modules/axe-core/axe.min.js"
LOOK = Path(__file__).parent / "audit.js"
SMALLEST_PX = 48
WHY = say("{seat} came {ms} ms after {to}, give or take {error} ms.", seat=2, to=0, ms=120, error=6)

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def axe() -> str:
    """Return the audit's script, or skip where it is not installed."""
    if not AXE.is_file():
        if os.environ.get("CI"):
            pytest.fail("axe-core is not installed: npm install --prefix tests/web")
        pytest.skip("axe-core is not installed: npm install --prefix tests/web")
    return AXE.read_text(encoding="utf-8")


def audit(page: Page, axe: str, where: str) -> list[str]:
    """Return what the audit and the ruler find on a page."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(axe)
    return [f"{where}: {found}" for found in page.evaluate(LOOK.read_text(encoding="utf-8"), SMALLEST_PX)]


def open_page(browser: Browser, size: dict[str, int], scheme: str, address: str) -> Page:
    """Open a page by night or by day, without motion."""
    context = browser.new_context(viewport=size, color_scheme=scheme, reduced_motion="reduce")  # type: ignore[arg-type]
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    page.goto(address)
    return page


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_every_stage_of_a_game_passes_the_audit(
    running: Running, browser: Browser, axe: str, tmp_path: Path, scheme: str
) -> None:
    """The tablet, the Guard's phone and another phone have no finding at any stage of a game."""
    running.session.create_game(NAMES, 0)
    table = open_page(browser, TABLET, scheme, f"{running.address}/table")
    phones = [open_page(browser, PHONE, scheme, f"{running.address}/me") for _ in range(2)]
    for phone, name in zip(phones, NAMES, strict=False):
        phone.get_by_role("button", name=name).click()
        phone.wait_for_selector(".phone-screen")
    found: list[str] = []
    done = 0
    for stage, moves in MOVES.items():
        if stage == "accusation":  # the Guard has a phone, so nobody else may call
            play(running.session, *moves[done:-1])
            phones[0].wait_for_selector(".phase-turn")
            call_caught(phones[0], "Ole")
        else:
            play(running.session, *moves[done:])
        done = len(moves)
        if stage == "turn":
            raise_flag(running.session, tmp_path / "clips", seat=1)
        for page, where in (
            (table, "table"),
            *((phone, f"{name}'s phone") for phone, name in zip(phones, NAMES, strict=False)),
        ):
            page.wait_for_selector(f".phase-{stage}")
            found += audit(page, axe, f"{stage}, {where}")
        if stage == "accusation":
            found += _consequence(running, table, phones, axe)
        if stage == "turn":
            found += _sheets(table, axe) + _sheets(phones[1], axe)
    assert not found, "\n".join(found)


@pytest.mark.parametrize(("size", "scheme"), [(TABLET, "dark"), (TABLET, "light"), (PHONE, "dark"), (PHONE, "light")])
def test_what_the_camera_proposes_passes_the_audit(  # noqa: PLR0917 (fixtures)
    running: Running, browser: Browser, axe: str, tmp_path: Path, size: dict[str, int], scheme: str
) -> None:
    """A mosquito and a race with their pictures, sure and unsure, and the gifts afterwards have no finding."""
    running.session.create_game(NAMES, 0)
    play(running.session, "deal 3", "play 0 cockroach4")
    page = open_page(browser, size, scheme, f"{running.address}/table")
    report_slaps(running.session, tmp_path / "clips", {1: 8, 2: 14}, race=True, first=1)
    page.wait_for_selector("[data-strips]")
    found = audit(page, axe, "race")
    play(running.session, "race 1 4", "play 1 mosquito5")
    report_slaps(running.session, tmp_path / "clips", {0: 8, 2: 14}, last=2, top=0, reasons=(WHY,))
    page.wait_for_selector(".phase-mosquito [data-strips]")
    found += audit(page, axe, "mosquito")
    play(running.session, "slaps 0 2", "gifts all")
    page.wait_for_selector(".giving")
    found += audit(page, axe, "gifts")
    assert not found, "\n".join(found)


def _consequence(running: Running, table: Page, phones: list[Page], axe: str) -> list[str]:
    """Audit what a true call comes to, and go back to the call."""
    session = running.session
    play(session, "uphold 1")
    session.confirm(session.seq, 0, 1, session.viewer("test's tablet", table=True))
    found = []
    for page in (table, *phones):
        page.wait_for_selector(".phase-consequence .step.done")
        found += audit(page, axe, "consequence")
    session.undo(session.seq, session.viewer("test's tablet", table=True))
    return found


def _sheets(table: Page, axe: str) -> list[str]:
    found = []
    for sheet in ("fix", "menu"):
        table.locator(f"[data-open={sheet}]").click()
        found += audit(table, axe, f"table, {sheet}")
        table.locator(f"#{sheet} [data-close]").first.click()
    return found


@pytest.mark.parametrize("scheme", ["dark", "light"])
@pytest.mark.parametrize("size", [TABLET, PHONE], ids=["tablet", "phone"])
def test_the_other_screens_pass_the_audit(
    running: Running, browser: Browser, axe: str, size: dict[str, int], scheme: str
) -> None:
    """Lobby, set-up, help, history, replay and result have no finding."""
    page = open_page(browser, size, scheme, running.address)
    found: list[str] = []
    for path in ("/", "/new", "/help", "/history", "/nowhere"):
        page.goto(running.address + path)
        if path == "/new":
            page.locator(".house summary").click()
        found += audit(page, axe, path)
    running.session.create_game(NAMES, 0)
    play(running.session, *MOVES["game_over"])
    for path in ("/", "/me", "/history", "/history/1?step=4", "/history/1/result"):
        page.goto(running.address + path)
        found += audit(page, axe, path)
    assert not found, "\n".join(found)
