"""Time how long a tap takes to ten open screens: answered, told to the last screen, shown by the last screen.

    uv run python -m tests.benchmarks.tap_to_screens [--taps 100] [--screens 10]

The server runs in a process of its own, on a real journal on the disk. Each screen keeps its stream open and fetches
its living part anew when told so, as `js/live.js` does; half of them are phones with a seat, the others the table.
Browsers are left out: what they draw depends on the phone. Times are from before the tap is sent, on the loopback
address.
"""

import argparse
import http.client
import json
import multiprocessing
import os
import statistics
import tempfile
import threading
import time
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path

from companion.clock import SystemClock
from companion.journal import Journal
from companion.session import Session
from tests.web.served import serve

NAMES = ("Mia", "Ole", "Ida", "Tom", "Eva")
PATIENCE_S = 20.0


@dataclass
class Screen:
    """One open screen: when it heard of a game's `seq`, and when it had its new page."""

    host: str
    device: str
    path: str
    told: dict[int, float] = field(default_factory=dict)
    shown: dict[int, float] = field(default_factory=dict)
    changed: threading.Condition = field(default_factory=threading.Condition)

    def follow(self) -> None:
        """Read the stream, and fetch the living part at each version."""
        stream, pages = http.client.HTTPConnection(self.host), http.client.HTTPConnection(self.host)
        role = "table" if self.path == "/table" else ""
        stream.request("GET", f"/stream?as={role}", headers=self.headers)
        answer = stream.getresponse()
        while line := answer.readline():
            if not line.startswith(b'data: {"version"'):
                continue
            told = time.monotonic()
            seq = json.loads(line[6:])["seq"]
            pages.request("GET", self.path, headers={**self.headers, "X-Part": "app"})
            page = pages.getresponse()
            page.read()
            with self.changed:
                self.told.setdefault(seq, told)
                self.shown.setdefault(seq, time.monotonic())
                self.changed.notify_all()

    @property
    def headers(self) -> dict[str, str]:
        """Return the cookie of this screen's device."""
        return {"Cookie": f"moth_device={self.device}", "Accept-Language": "de"}

    def wait_for(self, seq: int) -> None:
        """Wait until the screen shows the game at this `seq` or later."""
        with self.changed:
            if not self.changed.wait_for(lambda: any(one >= seq for one in self.shown), PATIENCE_S):
                raise SystemExit(f"a screen did not follow within {PATIENCE_S:.0f} s: is this machine too busy?")


def main() -> None:
    """Play on a served table and print the times."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--taps", type=int, default=100)
    parser.add_argument("--screens", type=int, default=10)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        ours, theirs = multiprocessing.Pipe()
        server = multiprocessing.get_context("spawn").Process(target=_serve, args=(folder, theirs))
        server.start()
        try:
            _report(_play(ours.recv(), args.screens, args.taps))
        finally:
            ours.send("stop")
            server.join()


def _serve(folder: str, pipe: Connection) -> None:
    clock = SystemClock()
    journal = Journal.open(Path(folder) / "journal.db", clock)
    session = Session(journal, clock)
    session.create_game(NAMES, 0)
    session.submit("deal 3", session.seq, session.viewer("tablet", table=True))
    for seat in range(len(NAMES)):
        session.claim_seat(seat, f"phone-{seat}")
    with serve(session, requests_per_minute=10**6, taps_per_second=1000, heartbeat_s=10.0) as running:
        pipe.send(running.address.removeprefix("http://"))
        pipe.recv()
    journal.close()


@dataclass(frozen=True, slots=True)
class Times:
    """Milliseconds from a tap on."""

    answered: float
    told: float
    shown: float


def _play(host: str, screens: int, taps: int) -> list[Times]:
    opened = [
        Screen(
            host,
            f"phone-{number}" if number < min(len(NAMES), screens // 2) else f"table-{number}",
            "/me" if number < min(len(NAMES), screens // 2) else "/table",
        )
        for number in range(screens)
    ]
    for screen in opened:
        threading.Thread(target=screen.follow, daemon=True).start()
    for screen in opened:
        screen.wait_for(2)
    time.sleep(1)
    tapping = http.client.HTTPConnection(host)
    headers = {
        "Cookie": "moth_device=tapping",
        "Origin": f"http://{host}",
        "X-Role": "table",
        "Content-Type": "application/json",
    }
    seq, times = 2, []
    for number in range(taps):
        undo = number % 20 == 19  # now and then, so that cards are left to draw
        path, body = ("/undo", {}) if undo else ("/moves", {"move": f"draw {_turn(host)}"})
        began = time.monotonic()
        tapping.request("POST", path, json.dumps({**body, "seq": seq, "tap": f"tap-{number}"}), headers)
        answer = json.loads(tapping.getresponse().read())
        answered = time.monotonic()
        seq = int(answer["seq"])
        for screen in opened:
            screen.wait_for(seq)
        told = max(screen.told[seq] for screen in opened)
        shown = max(screen.shown[seq] for screen in opened)
        times.append(Times(*(1000 * (moment - began) for moment in (answered, told, shown))))
        time.sleep(0.05)
    return times


def _turn(host: str) -> int:
    asking = http.client.HTTPConnection(host)
    asking.request("GET", "/history/1.json")
    game = json.loads(asking.getresponse().read())
    plays = [move for move in game["moves"] if move["move"].startswith("draw")]
    return len(plays) % len(NAMES)


def _report(times: list[Times]) -> None:
    print(
        f"{len(times)} taps; load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores; "
        "milliseconds, median (95 %):"
    )
    for name in ("answered", "told", "shown"):
        values = sorted(getattr(one, name) for one in times)
        print(f"  {name:9} {statistics.median(values):6.1f}  ({values[int(0.95 * len(values))]:.1f})")


if __name__ == "__main__":
    main()
