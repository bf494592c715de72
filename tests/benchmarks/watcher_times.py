"""Measure the watcher: how soon it is back, how soon a lost stream is said and found again.

uv run python -m tests.benchmarks.watcher_times [ROUNDS]
"""

import os
import random
import signal
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from companion.watcher.messages import Watch, WatchState
from companion.watcher.supervisor import Supervisor
from tests.watcher.scene import LAYOUT, Heard, network_camera, write_video


def main() -> None:
    """Print one line a case: median and worst of so many rounds, in seconds."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    with tempfile.TemporaryDirectory() as folder, network_camera() as camera:
        video = write_video(Path(folder) / "video.mp4", [n / 30 for n in range(60)])
        watch = Watch(source=str(video), layout=LAYOUT, clips=folder, loop=True, analyse=False)
        heard = Heard()
        supervisor = Supervisor(on_report=heard.hear)
        supervisor.send(watch)
        supervisor.start()
        heard.until(WatchState.WATCHING)
        for number in (signal.SIGKILL, signal.SIGSTOP):
            measure((f"{number.name}: lost", f"{number.name}: back"), heard, rounds, sender(supervisor, number))
        supervisor.send(replace(watch, source=camera.url))
        heard.until(WatchState.WATCHING)
        measure(("stream broken: lost", "stream mended: back"), heard, rounds, camera.break_off, camera.mend)
        measure(("stream hung: lost", "stream moving: back"), heard, rounds, camera.hung.set, camera.hung.clear)
        supervisor.stop()


def sender(supervisor: Supervisor, number: signal.Signals) -> Callable[[], None]:
    """Return what sends a signal to the present watcher."""

    def send() -> None:
        pid = supervisor.pid
        if pid:
            os.kill(pid, number)

    return send


def measure(
    names: tuple[str, str],
    heard: Heard,
    rounds: int,
    harm: Callable[[], None],
    mend: Callable[[], None] | None = None,
) -> None:
    """Do harm, wait for `lost`, mend, wait for `watching`; print both times."""
    lost_s, back_s = [], []
    for _ in range(rounds):
        time.sleep(random.uniform(0.5, 2.0))
        heard.forget()
        began_s = time.monotonic()
        harm()
        heard.until(WatchState.LOST)
        lost_s.append(time.monotonic() - began_s)
        if mend:
            time.sleep(random.uniform(0.5, 3.0))
            began_s = time.monotonic()
            mend()
            heard.forget()
        heard.until(WatchState.WATCHING)
        back_s.append(time.monotonic() - began_s)
    for name, times_s in zip(names, (lost_s, back_s), strict=True):
        print(f"{name:24} median {statistics.median(times_s):5.2f} s   worst {max(times_s):5.2f} s   n = {rounds}")


if __name__ == "__main__":
    main()
