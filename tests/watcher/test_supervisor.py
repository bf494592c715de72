"""The supervisor: whatever happens to the watcher process, there is soon one again, and nobody waits for ever."""

import os
import signal
import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from companion.watcher.messages import (
    Pause,
    Report,
    SetContext,
    SlapsReport,
    TakePicture,
    TimeSlaps,
    TroubleReport,
    Watch,
    WatchState,
)
from companion.watcher.supervisor import Supervisor, SupervisorSettings
from companion.watcher.threads import HUNG, STARVED
from tests.watcher.scene import Heard

# Says what it was told as trouble sentences, and beats as the watcher does.
PARROT = """
    import json, os, sys, threading, time
    def say(**report):
        sys.stdout.write(json.dumps(report) + "\\n")
        sys.stdout.flush()
    def beat():
        while True:
            say(say="status", state="watching", fps=float(os.getpid()))
            time.sleep(0.2)
    threading.Thread(target=beat, daemon=True).start()
    for line in sys.stdin:
        say(say="trouble", sentence=json.loads(line)["do"])
"""
WATCH = Watch(source="0", layout={}, clips="clips")


def told(heard: Heard, count: int) -> list[str]:
    """Return the next ``count`` commands that the parrot says it was told."""
    return [heard.next(TroubleReport).sentence for _ in range(count)]


@contextmanager
def supervised(script: str, **settings: object) -> Iterator[tuple[Supervisor, Heard]]:
    """Run a script in the watcher's place."""
    heard = Heard()
    argv = [sys.executable, "-c", textwrap.dedent(script)]
    supervisor = Supervisor(argv, heard.hear, SupervisorSettings(**settings))  # type: ignore[arg-type]
    supervisor.start()
    try:
        yield supervisor, heard
    finally:
        supervisor.stop()


def kill(supervisor: Supervisor, number: signal.Signals) -> int:
    """Send a signal to the present watcher and return its process id."""
    pid = supervisor.pid
    assert pid is not None
    os.kill(pid, number)
    return pid


def test_killed_watcher_is_replaced_and_told_again() -> None:
    """After `kill -9` there is `lost` with a sentence, then a new process that knows what to watch and the context."""
    with supervised(PARROT) as (supervisor, heard):
        supervisor.send(WATCH)
        supervisor.send(SetContext(guard=1))
        assert sorted(told(heard, 2)) == ["context", "watch"]
        pid = kill(supervisor, signal.SIGKILL)
        assert "started again" in heard.until(WatchState.LOST).sentence
        assert told(heard, 2) == ["context", "watch"]
        assert supervisor.pid != pid


def test_stopped_watcher_counts_as_hung() -> None:
    """A process that is silent, as one that was sent SIGSTOP, is killed and replaced."""
    with supervised(PARROT, silence_s=0.8) as (supervisor, heard):
        heard.until(WatchState.WATCHING)
        pid = kill(supervisor, signal.SIGSTOP)
        assert "too busy" in heard.until(WatchState.LOST).sentence
        assert heard.until(WatchState.WATCHING).fps != pid


# Is silent for a while before its first word, as on a computer that is too busy.
LATE = "import time; time.sleep(1.5)\n" + textwrap.dedent(PARROT)


def test_each_silent_start_gets_more_patience_until_one_is_well() -> None:
    """A process that is slow to speak is not replaced for ever, and the sentence says what is wrong and what to do."""
    with supervised(LATE, first_word_s=0.5, young_s=0.0, backoff_s=(0.0, 0.0)) as (_, heard):
        said = heard.until(WatchState.LOST).sentence
        assert "too busy" in said
        assert "close other programs" in said
        heard.until(WatchState.WATCHING)


def test_a_silent_process_is_not_said_to_have_ended_by_itself() -> None:
    """However often it is replaced as silent, it is the computer that is busy, and the next start follows at once."""
    with supervised(
        "import time; time.sleep(60)", first_word_s=0.2, most_silence_s=0.2, young_s=0.0, backoff_s=(60.0,)
    ) as (_, heard):
        for _again in range(3):
            assert "too busy" in heard.until(WatchState.LOST).sentence


# Ends as one does whose source hangs, and says what patience it was told.
HANGS = """
    import json, os, sys
    def say(**report):
        sys.stdout.write(json.dumps(report) + "\\n")
        sys.stdout.flush()
    say(say="status", state="lost", sentence="hung")
    for line in sys.stdin:
        say(say="trouble", sentence=str(json.loads(line)["patience"]))
        os._exit(STATUS)
"""


@pytest.mark.parametrize(("status", "word"), [(HUNG, "stopped by itself"), (STARVED, "close other programs")])
def test_each_process_after_one_that_hung_gets_more_patience(status: int, word: str) -> None:
    """A source that is slow is not killed for ever at the same age, and what is said depends on who is to blame."""
    with supervised(HANGS.replace("STATUS", str(status)), young_s=0.0) as (supervisor, heard):
        supervisor.send(WATCH)
        assert [int(said) for said in told(heard, 4)] == [1, 2, 4, 8]
        assert heard.status(lambda report: word in report.sentence)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_death_that_was_asked_for_is_not_reported(number: signal.Signals, caplog: pytest.LogCaptureFixture) -> None:
    """The system ends the watcher and its server at once: the watcher's end is no word worth."""
    with supervised("import signal; signal.signal(signal.SIGINT, signal.SIG_DFL)\n" + textwrap.dedent(PARROT)) as (
        supervisor,
        heard,
    ):
        heard.until(WatchState.WATCHING)
        kill(supervisor, number)
    assert "died" not in caplog.text


def test_ctrl_c_is_for_the_server_alone() -> None:
    """The watcher is in no group of the server's that a terminal sends Ctrl-C to: it ends in order, when told."""
    with supervised(PARROT) as (supervisor, heard):
        heard.until(WatchState.WATCHING)
        assert supervisor.pid is not None
        assert os.getpgid(supervisor.pid) != os.getpgid(0)


def test_paused_watcher_stays_paused_after_a_restart() -> None:
    """A new process hears of the pause before it hears of a device that it could open."""
    with supervised(PARROT) as (supervisor, heard):
        supervisor.send(WATCH)
        supervisor.send(Pause())
        told(heard, 2)
        kill(supervisor, signal.SIGKILL)
        heard.until(WatchState.LOST)
        assert told(heard, 2) == ["pause", "watch"]


def test_watcher_that_dies_at_once_is_tried_less_and_less_often() -> None:
    """A process that cannot live is not started in a tight loop, and the sentence says so."""
    with supervised("raise SystemExit('broken')", backoff_s=(0.0, 60.0)) as (_, heard):
        assert "60 s" in heard.status(lambda report: "as soon as it is started" in report.sentence).sentence


def test_watcher_that_was_killed_often_is_not_held_back() -> None:
    """A process that did watch is soon replaced, however many before it were killed young."""
    with supervised(PARROT, young_s=0.0, backoff_s=(0.0, 60.0)) as (supervisor, heard):
        for _ in range(4):
            heard.until(WatchState.WATCHING)
            kill(supervisor, signal.SIGKILL)
            heard.until(WatchState.LOST)
        heard.until(WatchState.WATCHING)


def test_missing_program_is_reported() -> None:
    """A command that cannot be started at all is `lost` with a sentence, and never an exception."""
    heard = Heard()
    supervisor = Supervisor(["/nonexistent/program"], heard.hear)
    supervisor.start()
    assert heard.until(WatchState.LOST).sentence
    supervisor.stop()


def test_question_to_a_dying_watcher_is_answered() -> None:
    """Who asked for slaps is told that they are not known, when the process dies over it."""
    with supervised(PARROT) as (supervisor, heard):
        heard.until(WatchState.WATCHING)
        kill(supervisor, signal.SIGSTOP)
        supervisor.send(TimeSlaps(id=7, entered_ns=1, by=0))
        kill(supervisor, signal.SIGKILL)
        answer = heard.next(SlapsReport)
        assert (answer.id, answer.last, answer.order) == (7, None, ())
        assert answer.reasons


def test_question_without_a_watcher_is_answered() -> None:
    """Before the start, too, a question gets its answer at once."""
    heard = Heard()
    supervisor = Supervisor(["unused"], heard.hear)
    supervisor.send(TakePicture())
    assert isinstance(heard.next(TroubleReport), TroubleReport)


def test_sending_to_a_stopped_process_does_not_block() -> None:
    """More commands than a pipe holds can be sent while nobody reads them."""
    with supervised(PARROT, silence_s=60.0) as (supervisor, heard):
        heard.until(WatchState.WATCHING)
        kill(supervisor, signal.SIGSTOP)
        for _ in range(200):
            supervisor.send(Watch(source="x" * 1000, layout={}, clips="clips"))
        kill(supervisor, signal.SIGCONT)
        assert told(heard, 200) == ["watch"] * 200


def test_listener_that_fails_does_not_stop_the_reports() -> None:
    """An exception in the listener is logged, and the next report still comes."""
    heard = Heard()

    def listener(report: Report) -> None:
        heard.hear(report)
        raise RuntimeError("listener")

    supervisor = Supervisor([sys.executable, "-c", textwrap.dedent(PARROT)], listener)
    supervisor.start()
    heard.until(WatchState.WATCHING)
    heard.until(WatchState.WATCHING)
    supervisor.stop()


def test_noise_on_stdout_is_passed_over() -> None:
    """A line that is no report is logged; the reports around it arrive."""
    with supervised("print('W0000 native noise', flush=True)\n" + textwrap.dedent(PARROT)) as (_, heard):
        heard.until(WatchState.WATCHING)


def test_stop_ends_the_process() -> None:
    """After `stop` there is no process left."""
    with supervised(PARROT) as (supervisor, heard):
        heard.until(WatchState.WATCHING)
        pid = supervisor.pid
        assert pid is not None
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return
    raise AssertionError("the process is still there")
