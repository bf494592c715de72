"""Whether the process gets its turn, told from ticks that come late and from what its threads waited for a core."""

import pytest

from companion.watcher.turns import Turns, Waiting

TICK_S = 0.1


class Machine:
    """A process on a machine whose clocks a test turns."""

    def __init__(self) -> None:
        self.now_s = self.waited_s = self.used_s = 0.0
        self.turns = Turns(now_s=lambda: self.now_s, waited_s=lambda: self.waited_s, used_s=lambda: self.used_s)

    def live(self, seconds: float, *, waited: float = 0.0, used: float = 0.0, tick_s: float = TICK_S) -> bool:
        """Tick for so long, with these shares of waiting and running; return whether it is starved then."""
        for _ in range(round(seconds / tick_s)):
            self.now_s += tick_s
            self.waited_s += waited * tick_s
            self.used_s += used * tick_s
            self.turns.tick(TICK_S)
        return self.turns.starved


@pytest.mark.parametrize(
    ("waited", "used", "starved"),
    [(0.85, 0.18, True), (1.5, 0.5, True), (0.01, 0.02, False), (0.9, 1.3, False), (0.1, 0.05, False)],
    ids=["starved", "many threads starved", "waits for a driver", "its own threads share the cores", "hardly busy"],
)
def test_threads_that_wait_for_a_core_more_than_they_run_are_starved(waited: float, used: float, starved: bool) -> None:
    """A process that waits for a driver waits for no core, and one whose own threads share the cores runs more."""
    assert Machine().live(5.0, waited=waited, used=used) is starved


def test_a_late_tick_counts_for_a_while() -> None:
    """One tick that came late says that the machine is busy; some seconds of good ones, that it is so no more."""
    machine = Machine()
    assert not machine.live(2.0)
    assert machine.live(0.8, tick_s=0.8)
    assert machine.live(2.0)
    assert not machine.live(5.0)


def test_a_machine_that_is_idle_again_starves_nobody() -> None:
    """What was waited long ago counts no more."""
    machine = Machine()
    assert machine.live(5.0, waited=0.9, used=0.1)
    assert not machine.live(8.0, used=0.1)


def test_what_the_system_counts_can_be_read() -> None:
    """Where Linux counts the waiting it never falls; elsewhere it stays 0."""
    waiting = Waiting()
    assert 0 <= waiting.total_s() <= waiting.total_s()
