"""Measure the whole watcher on the sample clip: cores used, frames lost, how soon flags are told and clips complete.

uv run python -m tests.benchmarks.watcher_sample [SECONDS]
"""

import json
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

from companion import handmodel
from companion.assets import CALIBRATION
from companion.watcher.messages import (
    ClipReport,
    EventReport,
    Report,
    SlapsReport,
    StatusReport,
    TimeSlaps,
    Watch,
    WatchState,
)
from companion.watcher.supervisor import Supervisor

SAMPLE = CALIBRATION / "example"
NS_PER_S = 1_000_000_000


class Meter:
    """What was reported, and when."""

    def __init__(self) -> None:
        self.status = StatusReport(state=WatchState.STARTING)
        self.events: dict[str, EventReport] = {}
        self.told_s: list[float] = []
        self.clips_s: list[float] = []
        self.slaps_ns = 0

    def hear(self, report: Report) -> None:
        """Take a report."""
        now_ns = time.monotonic_ns()
        match report:
            case StatusReport():
                self.status = report
            case EventReport():
                self.events[report.id] = report
                self.told_s.append((now_ns - report.raised_ns) / NS_PER_S)
            case ClipReport() if report.id in self.events:
                self.clips_s.append((now_ns - self.events[report.id].end_ns) / NS_PER_S)
            case SlapsReport():
                self.slaps_ns = now_ns
            case _:
                pass


def main() -> None:
    """Watch the sample for so many seconds and print what it cost."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 40.0
    layout = json.loads((SAMPLE / "layout.json").read_text(encoding="utf-8"))
    model = str(handmodel.ensure())
    meter = Meter()
    supervisor = Supervisor(on_report=meter.hear)
    with tempfile.TemporaryDirectory() as clips:
        supervisor.send(Watch(source=str(SAMPLE / "table.mp4"), layout=layout, clips=clips, model=model, loop=True))
        began_s = time.monotonic()
        supervisor.start()
        while not meter.status.analysed_fps:
            time.sleep(0.05)
        print(f"first analysed frame   {time.monotonic() - began_s:.1f} s after the start")
        measure(supervisor, meter, seconds)
        supervisor.stop()


def measure(supervisor: Supervisor, meter: Meter, seconds: float) -> None:
    """Print the figures of so many seconds, then those of one look back."""
    pid = supervisor.pid or 0
    cpu_s, lost, began_s = cpu_of(pid), meter.status.lost_frames, time.monotonic()
    rates: list[float] = []
    while time.monotonic() - began_s < seconds:
        time.sleep(0.5)
        rates.append(meter.status.analysed_fps)
    took_s = time.monotonic() - began_s
    print(f"cores used             {(cpu_of(pid) - cpu_s) / took_s:.2f}")
    print(f"analysed a second      {statistics.mean(rates):.1f}")
    print(f"frames lost            {meter.status.lost_frames - lost} of {round(took_s * meter.status.fps)}")
    print(f"memory                 {rss_mb(pid):.0f} MB")
    show("told after raised", meter.told_s)
    show("clip after event's end", meter.clips_s)
    entered_ns = time.monotonic_ns()
    supervisor.send(TimeSlaps(id=1, entered_ns=entered_ns, by=0))
    while not meter.slaps_ns:
        time.sleep(0.05)
    print(f"slaps after the tap    {(meter.slaps_ns - entered_ns) / NS_PER_S:.1f} s")


def show(name: str, times_s: list[float]) -> None:
    """Print median and worst."""
    if times_s:
        print(f"{name:22} median {statistics.median(times_s):.2f} s, worst {max(times_s):.2f} s, n = {len(times_s)}")


def cpu_of(pid: int) -> float:
    """Return the seconds of CPU that a process has used (Linux)."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / float(os.sysconf("SC_CLK_TCK"))


def rss_mb(pid: int) -> float:
    """Return a process's resident memory (Linux)."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


if __name__ == "__main__":
    main()
