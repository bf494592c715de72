"""A companion in a process of its own, as a person starts it, and a tablet that taps by HTTP."""

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from companion.journal import read_entries

START_S = 60


@dataclass(slots=True)
class Served:
    """`cheating-moth COMMAND ...` on a free port; ``lines`` are what it printed so far."""

    arguments: list[str]
    port: int = 0
    lines: list[str] = field(default_factory=list)
    process: subprocess.Popen[str] | None = None
    _port_known: threading.Event = field(default_factory=threading.Event)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def start(self, prefix: tuple[str, ...] = ()) -> None:
        """Start the process and wait until it says where its screens are."""
        self._port_known.clear()
        command = [*prefix, sys.executable, "-m", "companion", *self.arguments, "--port", str(self.port)]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
        )
        threading.Thread(target=self._read, args=(self.process,), daemon=True).start()
        if not self._port_known.wait(START_S):
            self.end()
            raise AssertionError("the companion did not start:\n" + "\n".join(self.lines))

    def kill(self) -> None:
        """Kill the server process at once, as a power cut would."""
        if self.process:
            self.process.kill()
            self.process.wait()

    def end(self) -> int | None:
        """Ask it to end as Ctrl-C does, its children too; return its exit status. What does not end is killed."""
        if self.process is None or self.process.poll() is not None:
            return None
        os.killpg(self.process.pid, signal.SIGINT)
        try:
            return self.process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            return None

    @property
    def url(self) -> str:
        """The address on this machine, without a slash at the end."""
        return f"http://127.0.0.1:{self.port}"

    def post(self, path: str, body: dict[str, object]) -> tuple[int, dict[str, Any]]:
        """Tap as the table's tablet; return the status and the answer. A dead server raises OSError."""
        request = urllib.request.Request(
            self.url + path,
            data=json.dumps(body).encode(),
            headers={"Content-Type": "application/json", "Origin": self.url, "X-Role": "table"},
        )
        try:
            with urllib.request.urlopen(request, timeout=20) as reply:
                return reply.status, json.load(reply)
        except urllib.error.HTTPError as error:
            with error:
                return error.code, json.load(error)

    def _read(self, process: "subprocess.Popen[str]") -> None:
        assert process.stdout is not None
        with process.stdout:
            for line in process.stdout:
                self.lines.append(line.rstrip())
                found = re.match(r"On this computer: http://127\.0\.0\.1:(\d+)/", line)
                if found:
                    self.port = int(found.group(1))
                    self._port_known.set()


def until(condition: Callable[[], object], timeout_s: float, what: str) -> float:
    """Wait until ``condition()`` is true; return how long it took in s. Raises AssertionError with ``what``."""
    start = time.monotonic()
    while not condition():
        if time.monotonic() - start > timeout_s:
            raise AssertionError(f"not within {timeout_s} s: {what}")
        time.sleep(0.02)
    return time.monotonic() - start


def journal_moves(folder: Path) -> list[str]:
    """Return the texts of the last game's moves, from a journal that a server may have open or have died with."""
    moves: list[str] = []
    for entry in read_entries(folder / "journal.sqlite3"):
        if entry.kind == "game":
            moves = []
        elif entry.kind == "move":
            moves.append(str(entry.payload["move"]))
    return moves
