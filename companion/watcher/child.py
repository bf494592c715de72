"""One run of the watcher process: its pipes, each drained by a thread, so that nobody who talks to it can block."""

import contextlib
import logging
import os
import queue
import subprocess
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import IO

from companion.watcher import wire
from companion.watcher.messages import Command, Report, StatusReport, WatchState

log = logging.getLogger(__name__)

_LOG_LINES_KEPT = 5


class Child:
    """A started process that is spoken to in commands and speaks in reports."""

    def __init__(self, argv: Sequence[str], on_report: Callable[[Report], None]) -> None:
        self._on_report = on_report
        self._outbox: queue.SimpleQueue[Command | None] = queue.SimpleQueue()
        self._last_words: deque[str] = deque(maxlen=_LOG_LINES_KEPT)
        self._started_s = self._heard_s = time.monotonic()
        self._spoke = self._watched = False
        self._process = subprocess.Popen(
            argv,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=_environment(),
            # Ctrl-C is for the server, which tells this process to stop and waits for its clips
            start_new_session=True,
        )
        self._pumps = [
            threading.Thread(target=pump, args=(pipe,), name=f"watcher-{name}", daemon=True)
            for name, pump, pipe in (
                ("commands", self._write, self._process.stdin),
                ("reports", self._read, self._process.stdout),
                ("log", self._read_log, self._process.stderr),
            )
        ]
        for pump in self._pumps:
            pump.start()

    @property
    def pid(self) -> int:
        """Return the process id."""
        return self._process.pid

    @property
    def status(self) -> int | None:
        """Return the exit status, None while it runs, negative for the signal that ended it."""
        return self._process.poll()

    @property
    def age_s(self) -> float:
        """Return how long ago it was started."""
        return time.monotonic() - self._started_s

    @property
    def silent_s(self) -> float:
        """Return how long ago it was last heard, or started if it never was."""
        return time.monotonic() - self._heard_s

    @property
    def spoke(self) -> bool:
        """Return whether it ever reported anything."""
        return self._spoke

    @property
    def watched(self) -> bool:
        """Return whether it ever came so far as to watch, or to say why it cannot."""
        return self._watched

    @property
    def last_words(self) -> str:
        """Return the last line of its log, empty if it wrote none."""
        return self._last_words[-1] if self._last_words else ""

    def send(self, command: Command) -> None:
        """Queue a command; never blocks, even when the process does not read."""
        self._outbox.put(command)

    def end(self, patience_s: float) -> None:
        """Close its stdin, give it ``patience_s`` to end by itself, then kill it; drain what it said."""
        self._outbox.put(None)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(patience_s)
        self.kill()

    def kill(self) -> None:
        """Kill it, also when it is stopped or hung, and drain what it said."""
        self._process.kill()
        self._process.wait()
        self._outbox.put(None)
        for pump in self._pumps:
            pump.join(timeout=1)

    def _write(self, pipe: IO[bytes]) -> None:
        try:
            with pipe:
                while (command := self._outbox.get()) is not None:
                    pipe.write(wire.format_command(command).encode() + b"\n")
                    pipe.flush()
        except OSError:
            log.debug("the watcher closed its stdin")

    def _read(self, pipe: IO[bytes]) -> None:
        with pipe:
            for line in pipe:
                try:
                    report = wire.parse_report(line.decode(errors="replace"))
                except wire.UnreadableMessage as error:
                    log.warning("watcher: %s", error)
                    continue
                self._heard_s = time.monotonic()
                self._spoke = True
                self._watched |= isinstance(report, StatusReport) and report.state is not WatchState.STARTING
                self._on_report(report)

    def _read_log(self, pipe: IO[bytes]) -> None:
        with pipe:
            for line in pipe:
                text = line.decode(errors="replace").rstrip()
                if text:
                    self._last_words.append(text)
                    log.info("watcher: %s", text)


def _environment() -> dict[str, str]:
    return {**os.environ, "PYTHONUNBUFFERED": "1"}
