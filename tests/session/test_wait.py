"""Streams: one version for every change, and whoever waits for the next is woken by it."""

import threading
from collections.abc import Callable

import pytest

from companion.watcher.messages import StatusReport, WatchState
from tests.session.table import Table

CHANGES: dict[str, Callable[[Table], object]] = {
    "a move": lambda table: table.play("draw 0"),
    "an undo": lambda table: table.session.undo(table.session.seq, table.tablet),
    "a new game": lambda table: table.set_up("X", "Y", "Z"),
    "a flag": lambda table: table.see(1),
    "a claim": lambda table: table.phone(2),
    "a name": lambda table: table.session.rename(0, "Ann", table.tablet),
    "the assist level": lambda table: table.session.set_assist("off", table.tablet),
    "the watcher": lambda table: table.session.hear(StatusReport(state=WatchState.LOST)),
    "the guard's part": lambda table: table.session.open_guard_view(table.tablet),
    "a screen": lambda table: table.session.screen(table.tablet).__enter__(),
}


@pytest.mark.parametrize("change", CHANGES)
def test_whatever_changes_wakes_those_who_wait(playing: Table, change: str) -> None:
    """A game, flags, the watcher, claims and screens share one version."""
    before = playing.session.version
    woken: list[int] = []
    waiter = threading.Thread(target=lambda: woken.append(playing.session.wait(before, 30)))
    waiter.start()
    CHANGES[change](playing)
    waiter.join(30)
    assert woken == [playing.session.version]
    assert playing.session.version > before


def test_one_who_missed_something_is_not_kept_waiting(playing: Table) -> None:
    """A version of any other moment, also one of before a restart, returns at once."""
    version = playing.session.version
    playing.play("draw 0")
    assert playing.session.wait(version, 30) == playing.session.version
    assert playing.session.wait(0, 30) == playing.session.version
    assert playing.session.wait(10**18, 30) == playing.session.version


def test_waiting_ends_after_the_timeout_and_when_the_session_closes(playing: Table) -> None:
    """A stream sends its heartbeat and goes on; a server that stops is not held up."""
    assert playing.session.wait(playing.session.version, 0.01) == playing.session.version
    waiter = threading.Thread(target=lambda: playing.session.wait(playing.session.version, 60))
    waiter.start()
    playing.session.close()
    waiter.join(30)
    assert not waiter.is_alive()


def test_versions_of_an_earlier_run_are_not_met_again(playing: Table) -> None:
    """A screen that comes back after a restart is sent the present view."""
    playing.play("draw 0", "draw 1")
    before = playing.session.version
    playing.clock.wall = playing.clock.wall.replace(minute=1)
    playing.restart()
    assert playing.session.version > before
