"""Write reports to stdout from one thread: who reports never waits for the server to read."""

import logging
import queue
from typing import IO

from companion.watcher import wire
from companion.watcher.messages import Report, StatusReport
from companion.watcher.threads import start_thread

log = logging.getLogger(__name__)

_WAITING = 1000
"""Reports that may wait; then heartbeats are left out, since a server that does not read has no use for them."""


class Outbox:
    """Reports on their way to the server, one line each."""

    def __init__(self, out: IO[str]) -> None:
        self._out = out
        self._reports: queue.Queue[Report | None] = queue.Queue()
        self._thread = start_thread("reports", self._write)

    def say(self, report: Report) -> None:
        """Report something; thread-safe, never blocks."""
        if not (isinstance(report, StatusReport) and self._reports.qsize() > _WAITING):
            self._reports.put(report)

    def close(self, timeout_s: float) -> None:
        """Write what is left."""
        self._reports.put(None)
        self._thread.join(timeout_s)

    def _write(self) -> None:
        while (report := self._reports.get()) is not None:
            try:
                self._out.write(wire.format_report(report) + "\n")
                self._out.flush()
            except (OSError, ValueError):
                log.info("nobody reads the reports any more")
                return
