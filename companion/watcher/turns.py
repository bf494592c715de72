"""Whether this process gets its turn: where it does not, the camera is not to blame for pictures that do not come."""

import os
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

TASKS = Path("/proc/self/task")
NS_PER_S = 1_000_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnsSettings:
    """When a process counts as starved."""

    look_s: float = 0.5
    """Between two looks at what the threads waited: one file a thread, 1 ms for forty of them."""
    over_s: float = 4.0
    """Only what happened within so long counts."""
    late_s: float = 0.5
    """A tick that comes so late means that others had the cores; loading a library holds Python's lock for less."""
    waited_share: float = 0.3
    """So many s of waiting for a core a second, all threads together, and more than they ran: starved. One busy thread
    beside four busy processes on two cores waited 0.85 and ran 0.18; a process that waits for a driver neither."""


class Turns:
    """How long this process waits for a core; told the time by ticks of one thread, asked by any.

    ``waited_s`` returns what the living threads have waited for a core so far, ``used_s`` what they ran, both in s and
    since any moment.
    """

    def __init__(
        self,
        settings: TurnsSettings | None = None,
        *,
        now_s: Callable[[], float] = time.monotonic,
        waited_s: "Callable[[], float] | None" = None,
        used_s: Callable[[], float] = time.process_time,
    ) -> None:
        self._settings = settings or TurnsSettings()
        self._now_s = now_s
        self._waited_s = waited_s or Waiting().total_s
        self._used_s = used_s
        self._ticked_s = now_s()
        self._late: deque[float] = deque()
        self._looks: deque[tuple[float, float, float]] = deque([(self._ticked_s, self._waited_s(), used_s())])
        self.starved = False
        """Whether the process did not get its turn lately."""

    def tick(self, due_s: float) -> None:
        """Note that a tick came that was due ``due_s`` after the last."""
        now_s, over_s = self._now_s(), self._settings.over_s
        if now_s - self._ticked_s - due_s > self._settings.late_s:
            self._late.append(now_s)
        self._ticked_s = now_s
        if now_s - self._looks[-1][0] >= self._settings.look_s:
            self._looks.append((now_s, self._waited_s(), self._used_s()))
        while self._late and now_s - self._late[0] > over_s:
            self._late.popleft()
        while len(self._looks) > 2 and now_s - self._looks[1][0] > over_s:
            self._looks.popleft()
        self.starved = bool(self._late) or self._waited_too_long()

    def _waited_too_long(self) -> bool:
        (from_s, waited_from_s, used_from_s), (to_s, waited_to_s, used_to_s) = self._looks[0], self._looks[-1]
        waited_s = waited_to_s - waited_from_s
        return waited_s > self._settings.waited_share * (to_s - from_s) > 0 and waited_s > used_to_s - used_from_s


class Waiting:
    """What Linux notes of each thread: how long it was ready to run and had no core. Elsewhere always 0."""

    def __init__(self) -> None:
        self._known: dict[str, int] = {}
        self._total_ns = 0

    def total_s(self) -> float:
        """Return what all threads have waited since they were first seen here, those that ended included."""
        now = dict(_waited_ns())
        self._total_ns += sum(ns - self._known.get(thread, ns) for thread, ns in now.items())
        self._known = now
        return self._total_ns / NS_PER_S


def _waited_ns() -> list[tuple[str, int]]:
    try:
        threads = os.listdir(TASKS)
    except OSError:
        return []
    told = []
    for thread in threads:
        try:
            told.append((thread, int((TASKS / thread / "schedstat").read_text().split()[1])))
        except (OSError, IndexError, ValueError):
            continue  # it has just ended, or this kernel does not count
    return told
