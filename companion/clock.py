"""Time as an argument: the monotonic clock for order and durations, the wall clock for display only."""

import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """What the shell passes in wherever a time is needed."""

    def monotonic_ns(self) -> int:
        """Return nanoseconds on the machine-wide monotonic clock, the one frames are stamped with."""
        ...

    def now(self) -> datetime:
        """Return the wall clock, aware, in UTC; for display only."""
        ...


class SystemClock:
    """The machine's own clocks."""

    def monotonic_ns(self) -> int:
        """Return nanoseconds on the machine-wide monotonic clock."""
        return time.monotonic_ns()

    def now(self) -> datetime:
        """Return the wall clock in UTC."""
        return datetime.now(UTC)


@dataclass(slots=True)
class SetClock:
    """A clock that stands still until it is moved; for tests and replays."""

    at_ns: int = 0
    wall: datetime = field(default_factory=lambda: datetime(2026, 1, 1, tzinfo=UTC))

    def monotonic_ns(self) -> int:
        """Return the nanoseconds that were set."""
        return self.at_ns

    def now(self) -> datetime:
        """Return the wall time that was set."""
        return self.wall
