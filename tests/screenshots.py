"""Take the pictures of the screens for the README and the docs from the running product.

`uv run python -m tests.screenshots` writes `docs/screenshots/*.png`; it is no test.
"""

import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import cv2
from playwright.sync_api import Browser, Page, sync_playwright

from companion import assets
from companion.clips.buffer import StoredFrame
from companion.clips.library import ClipLibrary
from companion.clips.recorder import Moment
from companion.clock import SystemClock
from companion.journal import Journal
from companion.session import Session
from companion.watcher.messages import EventReport, SlapsReport, SlapTime, StatusReport, WatchState
from tests.web.screens import PHONE, TABLET
from tests.web.served import CHROMIUM, QUIET, ROOT, Running, serve
from tests.web.stages import play

OUT = ROOT / "docs/screenshots"
NAMES = ("Mia", "Ole", "Ida", "Tom")
PERIOD_NS = 33_333_333
FRAMES = 75
MS = 1_000_000


def main() -> None:
    """Play a game on the running product and photograph its screens."""
    OUT.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        clock = SystemClock()
        journal = Journal.open(Path(folder) / "journal.db", clock)
        session = Session(journal, clock)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
        with serve(session, join_url="http://192.168.1.20:8017/") as running:
            _play_and_photograph(running, browser, Path(folder))
        browser.close()
        journal.close()


def _play_and_photograph(running: Running, browser: Browser, folder: Path) -> None:
    session = running.session
    session.hear(StatusReport(state=WatchState.WATCHING, fps=30.0, analysed_fps=12.0))
    table = _screen(browser, TABLET, "dark")
    light = _screen(browser, TABLET, "light")
    mia, ole = _screen(browser, PHONE, "dark"), _screen(browser, PHONE, "light")

    def shoot(page: Page, name: str, path: str, act: Callable[[Page], object] | None = None) -> None:
        page.goto(running.address + path)
        if act:
            act(page)
        page.wait_for_timeout(400)
        page.screenshot(path=str(OUT / f"{name}.png"))

    shoot(light, "setup", "/new", _fill)
    session.create_game(NAMES, 0)
    shoot(table, "lobby", "/")
    shoot(table, "deal", "/table")
    play(session, "deal 3")
    for phone, name in ((mia, "Mia"), (ole, "Ole")):
        phone.goto(f"{running.address}/me")
        phone.get_by_role("button", name=name).click()
        phone.wait_for_selector(".phone-screen")
    shoot(table, "table", "/table")
    shoot(light, "table-light", "/table")
    shoot(table, "fix", "/table", lambda page: page.click("[data-open=fix]"))
    play(session, "play 0 spider4")
    shoot(table, "spider", "/table")
    play(session, "give 0 2")
    shoot(ole, "phone", "/me")
    play(session, "play 1 cockroach5")
    shoot(light, "cockroach", "/table")
    play(session, "race 3 5", "play 2 mosquito1")
    _time_slaps(session)
    shoot(table, "slaps", "/table")
    play(session, "slaps 1", "gifts all")
    _raise_flag(session, folder)
    shoot(mia, "guard", "/me")
    mia.locator(".caught").click()
    mia.get_by_role("button", name="Caught, Tom!").click()
    mia.wait_for_selector(".phase-accusation")
    shoot(table, "caught", "/table")
    play(session, "uphold 1")
    session.confirm(session.seq, 0, 1, session.viewer("tablet", table=True))
    shoot(table, "consequence", "/table")
    shoot(ole, "phone-consequence", "/me")
    play(session, "play 3 2", "draw 0")
    shoot(ole, "phone-fix", "/me", lambda page: page.click("[data-open=fix]"))
    play(session, "play 1 3", "out 1")
    shoot(light, "count", "/table")
    play(session, "count 0 number=3 moth=1", "count 2 number=2 spider=1", "count 3 number=4 ant=1")
    shoot(table, "reveal", "/table")
    for winner, (one, two, three) in ((2, (0, 1, 3)), (3, (0, 1, 2)), (0, (1, 2, 3))):
        play(session, "next", "deal 3")
        turn = session.folded.game.state.turn if session.folded.game else 0
        play(
            session,
            f"set turn {winner}" if turn != winner else f"set draw {30}",
            f"set hand {winner} 1",
            f"play {winner} 4",
        )
        play(session, f"count {one} number=4", f"count {two} number=2 ant=1", f"count {three} moth=1")
    shoot(table, "scores", "/table")
    shoot(light, "result", "/history/1/result")
    shoot(table, "replay", "/history/1?step=9")
    shoot(light, "help", "/help")


def _screen(browser: Browser, size: dict[str, int], scheme: str) -> Page:
    context = browser.new_context(viewport=size, color_scheme=scheme, reduced_motion="reduce", device_scale_factor=1)  # type: ignore[arg-type]
    return context.new_page()


def _fill(page: Page) -> None:
    page.click("[data-add-player]")
    for place, name in enumerate(NAMES):
        page.locator("input[name=name]").nth(place).fill(name)


def _time_slaps(session: Session) -> None:
    wanted = session.slaps_wanted()
    if wanted is None:
        return
    now = time.monotonic_ns()
    order = (SlapTime(3, now, 0.004), SlapTime(0, now + 31 * MS, 0.005), SlapTime(1, now + 88 * MS, 0.006))
    session.hear(SlapsReport(id=wanted.id, entered_ns=wanted.entered_ns, by=2, last=1, too_close=False, order=order))


def _raise_flag(session: Session, folder: Path) -> None:
    """Flag a movement with a clip from the example video."""
    now = time.monotonic_ns()
    start = now - FRAMES * PERIOD_NS
    session.hear(
        EventReport(
            id="event-1",
            kind="hand_below_table",
            seat=3,
            start_ns=now - 1500 * MS,
            end_ns=now - 500 * MS,
            raised_ns=now,
            confidence=0.83,
            side="left",
            why="left hand crossed the edge downward and stayed 0.9 s below",
        )
    )
    video = cv2.VideoCapture(str(assets.CALIBRATION / "example/table.mp4"))
    frames = []
    for number in range(FRAMES):
        done, image = video.read()
        if not done:
            break
        jpeg = cv2.imencode(".jpg", image)[1].tobytes()
        frames.append(StoredFrame(index=number, at_ns=start + number * PERIOD_NS, jpeg=jpeg))
    video.release()
    moment = Moment(id="event-1", kind="hand_below_table", start_ns=start, end_ns=now, seat=3)
    clip = ClipLibrary(folder / "clips").save("event-1", frames, [moment])
    session.attach_clip("event-1", str(clip.folder))


if __name__ == "__main__":
    main()
