"""Threads whose failure is never silent: the process ends, and the supervisor starts a fresh one."""

import logging
import os
import sys
import threading
from collections.abc import Callable

log = logging.getLogger(__name__)

CRASHED = 70
HUNG = 75
STARVED = 76
"""As `HUNG`, but the process did not get its turn: the computer is too busy."""


def start_thread(name: str, target: Callable[[], None], *, nice: int = 0) -> threading.Thread:
    """Run ``target`` in a daemon thread; an exception that nobody expected ends the process."""

    def run() -> None:
        try:
            be_nice(nice)
            target()
        except BaseException:
            log.exception("the thread %s failed", name)
            end_process(CRASHED)

    thread = threading.Thread(target=run, name=name, daemon=True)
    thread.start()
    return thread


def end_process(status: int) -> None:
    """End at once, whatever hangs in native code; the supervisor takes it from here."""
    sys.stderr.flush()
    os._exit(status)


def be_nice(nice: int) -> None:
    """Lower this thread's share of the cores (Linux: niceness is a thread's own there)."""
    if nice and sys.platform == "linux":
        thread = threading.get_native_id()
        os.setpriority(os.PRIO_PROCESS, thread, os.getpriority(os.PRIO_PROCESS, thread) + nice)
