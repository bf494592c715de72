"""Keep the watcher process alive from within the server: start it, listen, and replace it when it dies or hangs."""

import logging
import math
import signal
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from companion.errors import CompanionError
from companion.watcher.child import Child
from companion.watcher.messages import (
    NOT_WATCHING,
    Command,
    KeepClip,
    Pause,
    Report,
    Resume,
    SetContext,
    SlapsReport,
    StatusReport,
    Stop,
    TakePicture,
    TimeSlaps,
    TroubleReport,
    Watch,
    WatchState,
    no_answer,
    trouble,
)
from companion.watcher.threads import HUNG, STARVED

log = logging.getLogger(__name__)

MOST_DOUBLINGS = 8
"""More make no difference to any patience, and a number that grows for days has no place here."""
ENDED_BY_WISH = (0, -signal.SIGINT, -signal.SIGTERM)
"""The system ends all of its processes at once, in no order: the server's own order may be on its way."""
WATCHER_COMMAND = (sys.executable, "-m", "companion.watcher")


@dataclass(frozen=True, slots=True, kw_only=True)
class SupervisorSettings:
    """How patient the supervisor is. A dead or silent watcher must be back within 5 s."""

    poll_s: float = 0.1
    silence_s: float = 2.0
    """The watcher reports twice a second; four missed reports mean that it hangs."""
    first_word_s: float = 4.0
    """A fresh process first has to load Python: 0.3 s on an idle machine, more on a busy one."""
    most_silence_s: float = 16.0
    """Each start after a silent one gets twice the patience, up to this: a busy computer needs longer."""
    well_s: float = 60.0
    """A process that has watched and lived for so long was well: the next silence is judged as the first."""
    lost_every_s: float = 1.0
    """How often `lost` is repeated while there is no watcher."""
    at_once_s: float = 3.0
    """A process that watched, but lived for less than this, is started again after ``young_s``."""
    young_s: float = 1.0
    """So that a crash at each first picture does not open the camera twice a second."""
    backoff_s: tuple[float, ...] = (0.0, 0.5, 2.0, 5.0, 10.0, 30.0)
    """The wait before a start, by how many processes in a row died before they ever watched."""
    wish_s: float = 1.0
    """How long an order to stop may be behind a watcher that was ended by the same."""
    stop_s: float = 5.0
    """How long a watcher may take to finish its clips when it is told to stop."""


class Supervisor:
    """The server's end of the watcher: thread-safe, never blocks the caller.

    ``on_report`` gets every report, one at a time, from threads of the supervisor. While there is no live process
    it gets a `StatusReport` with state ``lost`` once a second.
    """

    def __init__(
        self,
        command: Sequence[str] = WATCHER_COMMAND,
        on_report: Callable[[Report], None] = lambda _report: None,
        settings: SupervisorSettings | None = None,
    ) -> None:
        self._command = tuple(command)
        self._on_report = on_report
        self._settings = settings or SupervisorSettings()
        self._lock = threading.Lock()
        self._say_lock = threading.Lock()
        self._stopping = threading.Event()
        self._child: Child | None = None
        self._keeper: threading.Thread | None = None
        self._watch: Watch | None = None
        self._context: SetContext | None = None
        self._paused = False
        self._silences = 0
        """How many processes were replaced as silent since one was well."""
        self._hangs = 0
        """How many ended because their source or their analysis hung since one was well."""
        self._asked: dict[int, TimeSlaps] = {}

    @property
    def pid(self) -> int | None:
        """Return the process id of the present watcher, None while there is none."""
        child = self._child
        return child.pid if child else None

    def start(self) -> None:
        """Start the watcher and keep it alive until `stop`."""
        if self._keeper is None:
            self._stopping.clear()
            self._keeper = threading.Thread(target=self._keep, name="watcher-supervisor", daemon=True)
            self._keeper.start()

    def send(self, command: Command) -> None:
        """Pass a command on; what to watch, the context and a pause are told again to every new process.

        A question that no process can answer, or whose process dies, is answered here: nobody waits for ever.
        """
        with self._lock:
            self._remember(command)
            child = self._child
            if child:
                child.send(self._patient(command) if isinstance(command, Watch) else command)
        if child is None:
            self._answer_for_the_dead(command)

    def stop(self) -> None:
        """End the watcher, with the clips under way finished if that takes no longer than a few seconds."""
        self._stopping.set()
        if self._keeper:
            self._keeper.join()
            self._keeper = None

    def _remember(self, command: Command) -> None:
        match command:
            case Watch():
                self._watch = command
            case SetContext():
                self._context = command
            case Pause():
                self._paused = True
            case Resume():
                self._paused = False
            case TimeSlaps():
                self._asked[command.id] = command
            case _:
                pass

    def _keep(self) -> None:
        never_watched = 0
        while not self._stopping.is_set():
            child = self._spawn()
            if child is None:
                never_watched += 1
                self._wait_lost(
                    self._backoff_s(never_watched), _NoWatcher("The camera cannot be started; it is tried again.")
                )
                continue
            reason = self._attend(child)
            self._bury(child)
            if reason is None:
                return
            young_s = self._settings.young_s if child.age_s < self._settings.at_once_s else 0.0
            if child.watched or isinstance(reason, _TooBusy):
                never_watched = 0
                self._wait_lost(young_s, reason)
                continue
            never_watched += 1
            if never_watched > 1:
                reason = _NoWatcher(
                    "The camera ends as soon as it is started; the next try is in {seconds} s. If it goes on so, start "
                    "the companion anew.",
                    seconds=math.ceil(self._backoff_s(never_watched)),
                )
            self._wait_lost(self._backoff_s(never_watched), reason)

    def _backoff_s(self, never_watched: int) -> float:
        return self._settings.backoff_s[min(never_watched, len(self._settings.backoff_s)) - 1]

    def _spawn(self) -> Child | None:
        with self._lock:
            try:
                child = Child(self._command, self._hear)
            except OSError as error:
                log.warning("the watcher cannot be started: %s", error)
                return None
            watch = self._watch and self._patient(self._watch)
            for command in (Pause() if self._paused else None, self._context, watch):
                if command:
                    child.send(command)
            self._child = child
            return child

    def _attend(self, child: Child) -> CompanionError | None:
        """Wait until the process has to be replaced; return why, or None when it was to stop."""
        while not self._stopping.wait(self._settings.poll_s):
            if child.status is not None:
                return self._why_it_ended(child, child.status)
            if child.watched and child.age_s - child.silent_s > self._settings.well_s:
                self._silences = self._hangs = 0
            if child.silent_s > self._patience_s(child):
                log.warning("the watcher was silent for %.1f s and is replaced", child.silent_s)
                self._silences += 1
                return _too_busy()
        return None

    def _why_it_ended(self, child: Child, status: int) -> CompanionError | None:
        if status in ENDED_BY_WISH and self._stopping.wait(self._settings.wish_s):
            return None
        log.warning("the watcher died with status %s: %s", status, child.last_words)
        self._hangs += status in (HUNG, STARVED)
        if status == STARVED:
            return _too_busy()
        return _NoWatcher("The camera stopped by itself; it is being started again.")

    def _patient(self, watch: Watch) -> Watch:
        return replace(watch, patience=_doubled(self._hangs))

    def _patience_s(self, child: Child) -> float:
        first_s = self._settings.silence_s if child.spoke else self._settings.first_word_s
        return max(first_s, min(first_s * _doubled(self._silences), self._settings.most_silence_s))

    def _bury(self, child: Child) -> None:
        with self._lock:
            self._child = None
            unanswered = list(self._asked.values())
        if self._stopping.is_set():
            child.send(Stop())
            child.end(self._settings.stop_s)
        else:
            child.kill()
        for question in unanswered:
            self._answer_for_the_dead(question)

    def _wait_lost(self, wait_s: float, reason: CompanionError) -> None:
        """Say `lost` at once, and once a second until it is time to start again."""
        self._say(_lost(reason))
        while wait_s > 0 and not self._stopping.wait(min(wait_s, self._settings.lost_every_s)):
            wait_s -= self._settings.lost_every_s
            self._say(_lost(reason))

    def _hear(self, report: Report) -> None:
        if isinstance(report, SlapsReport):
            with self._lock:
                self._asked.pop(report.id, None)
        self._say(report)

    def _answer_for_the_dead(self, command: Command) -> None:
        if isinstance(command, TimeSlaps):
            with self._lock:
                self._asked.pop(command.id, None)
            self._say(no_answer(command, NOT_WATCHING))
        elif isinstance(command, KeepClip | TakePicture):
            self._say(trouble(_NoWatcher("The camera is not watching; try again when it is back.")))

    def _say(self, report: Report) -> None:
        with self._say_lock:
            try:
                self._on_report(report)
            except Exception:  # whatever the listener does, the watcher is kept alive
                log.exception("the listener failed on a report")


class _NoWatcher(CompanionError):
    """Why there is no watcher just now."""


class _TooBusy(_NoWatcher):
    """It was replaced because it was silent: it lives, and did not get its turn."""


def _too_busy() -> _TooBusy:
    return _TooBusy(
        "This computer is too busy for the camera: close other programs. The camera is being started again."
    )


def _doubled(times: int) -> int:
    return 1 << min(times, MOST_DOUBLINGS)


def _lost(reason: CompanionError) -> StatusReport:
    said: TroubleReport = trouble(reason)
    return StatusReport(state=WatchState.LOST, sentence=said.sentence, template=said.template, params=said.params)
