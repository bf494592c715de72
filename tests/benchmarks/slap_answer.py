"""Measure when a mosquito's answer is on the tablet: drills replayed as a live camera, the whole companion running.

    uv run python -m tests.benchmarks.slap_answer DRILL.mp4... [--json OUT]

Each DRILL.mp4 has NAME.layout.json and NAME.truth.json beside it and is played at its own speed, all its seats watched
live. At the time of each slap round the mosquito is tapped over HTTP, as the tablet does. Printed, in s after that tap:
when the answer is in the tablet's page, and when the pictures of the hands are; and the CPU that the watcher used.
"""

import argparse
import json
import statistics
import tempfile
import time
import urllib.request
from dataclasses import dataclass
from pathlib import Path
from threading import Thread

from companion import handmodel
from companion.config import Config, override
from companion.runtime.table import Table
from companion.watcher.messages import Watch
from tests.benchmarks.watcher_sample import cpu_of

LATE_S = 0.2
"""A card is tapped a moment after it was laid down and slapped."""
PATIENCE_S = 30.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One round: seconds after the tap, the rate of the analysis before it, and cores used while the answer was due."""

    answer_s: float
    pictures_s: float
    analysed_fps: float
    cores: float
    last: int | None


class Tablet:
    """The table's tablet, without a browser: it posts taps and fetches its page."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())

    def tap(self, move: str, seq: int) -> None:
        """Post a move."""
        body = json.dumps({"move": move, "seq": seq}).encode()
        headers = {"Content-Type": "application/json", "X-Role": "table", "Origin": self._address}
        self._opener.open(urllib.request.Request(f"{self._address}/moves", body, headers)).read()

    def page(self) -> str:
        """Fetch the living part of the page."""
        request = urllib.request.Request(f"{self._address}/table", headers={"X-Part": "app"})
        return str(self._opener.open(request).read().decode())


def main() -> None:
    """Measure the drills named on the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("drills", nargs="+", type=Path)
    args = parser.parse_args()
    answers = [answer for drill in args.drills for answer in replay(drill)]
    for name, values in (
        ("answer in the tablet's page", [one.answer_s for one in answers]),
        ("pictures of the hands", [one.pictures_s for one in answers]),
        ("cores used by the watcher meanwhile", [one.cores for one in answers]),
        ("analysed a second before the tap", [one.analysed_fps for one in answers]),
    ):
        print(f"{name:36} median {statistics.median(values):.2f}, worst {max(values):.2f}, n = {len(values)}")


def replay(drill: Path) -> list[Answer]:
    """Play one drill as a camera and tap each of its mosquitos."""
    base = drill.with_suffix("")
    truth = json.loads(base.with_suffix(".truth.json").read_text())
    layout = json.loads(base.with_suffix(".layout.json").read_text())
    seats = [seat["seat"] for seat in layout["seats"]]
    print(f"{base.name}: {truth['fps']:.0f} frames a second, {len(seats)} seats", flush=True)
    with tempfile.TemporaryDirectory() as folder, Table(override(Config(), folder=Path(folder), port=0)) as table:
        Thread(target=table.serve, daemon=True).start()
        names = [f"Player {seat}" for seat in seats]
        table.session.create_game(names, 0, places=seats)
        tablet = Tablet(table.local_url.rstrip("/"))
        watch = Watch(source=str(drill), layout=layout, clips=f"{folder}/clips", model=str(handmodel.ensure()))
        table.watch(watch)
        looker = table.session.viewer("looker", table=True)
        while table.session.view(looker).watcher.state != "watching":
            time.sleep(0.02)
        began_s = time.monotonic()
        tablet.tap("deal 3", table.session.seq)
        answers = []
        for slaps in truth["slaps"]:
            seat = seats.index(slaps["by"])
            for move in (f"set turn {seat}", "set top 3"):
                game = table.session.view(looker).game
                if game and (move != f"set turn {seat}" or game.turn != seat):
                    tablet.tap(move, table.session.seq)
            time.sleep(max(0.0, began_s + slaps["entered_s"] + LATE_S - time.monotonic()))
            answers.append(ask(table, tablet, seat))
            print(f"  {answers[-1]}", flush=True)
            tablet.tap("slaps none", table.session.seq)
        return answers


def ask(table: Table, tablet: Tablet, seat: int) -> Answer:
    """Tap a mosquito and wait for its answer, then for the pictures."""
    looker = table.session.viewer("looker", table=True)
    fps = table.session.view(looker).watcher.analysed_fps or 0.0
    pid = table.supervisor.pid or 0
    cpu_s, began_s = cpu_of(pid), time.monotonic()
    tablet.tap(f"play {seat} mosquito4", table.session.seq)
    answer_s = shown(table, tablet, "camera-why", began_s)
    cores = (cpu_of(pid) - cpu_s) / answer_s
    proposal = getattr(table.session.view(looker).game, "slaps", None)
    pictures_s = shown(table, tablet, "data-strips", began_s)
    return Answer(answer_s=answer_s, pictures_s=pictures_s, analysed_fps=fps, cores=cores, last=proposal.last)


def shown(table: Table, tablet: Tablet, what: str, began_s: float) -> float:
    """Return how long after ``began_s`` the tablet's page shows something; it is fetched when a stream says so."""
    version = -1
    while time.monotonic() - began_s < PATIENCE_S:
        version = table.session.wait(version, 0.5)
        if what in tablet.page():
            return time.monotonic() - began_s
    return PATIENCE_S


if __name__ == "__main__":
    main()
