"""The watcher process: obey commands, keep the heartbeat, end when the server is gone."""

import logging
import threading
import time
from collections.abc import Callable, Iterable

from companion.errors import CompanionError
from companion.vision.events import Context
from companion.watcher import wire
from companion.watcher.messages import (
    NOT_WATCHING,
    Command,
    KeepClip,
    Pause,
    Report,
    Resume,
    SetContext,
    StatusReport,
    Stop,
    TakePicture,
    TimeSlaps,
    Watch,
    WatchState,
    no_answer,
    trouble,
)
from companion.watcher.settings import WatcherSettings
from companion.watcher.threads import HUNG, STARVED, end_process, start_thread
from companion.watcher.turns import Turns
from companion.watcher.watching import Plan, Watching

log = logging.getLogger(__name__)


class Watcher:
    """Obeys one command after the other; at most one source is open at a time."""

    def __init__(
        self,
        say: Callable[[Report], None],
        make_plan: Callable[[Watch], Plan],
        settings: WatcherSettings | None = None,
        turns: Turns | None = None,
    ) -> None:
        self._turns = turns or Turns()
        self._say = say
        self._make_plan = make_plan
        self._settings = settings or WatcherSettings()
        self._watch: Watch | None = None
        self._context = Context()
        self._paused = False
        self._refused: CompanionError | None = None
        self._watching: Watching | None = None
        self._stopping = threading.Event()
        self._heart = start_thread("heart", self._beat)

    def obey_all(self, lines: Iterable[str]) -> None:
        """Obey commands until there are no more or one says stop, then close."""
        for line in lines:
            try:
                command = wire.parse_command(line)
            except wire.UnreadableMessage as error:
                self._say(trouble(error))
                continue
            if isinstance(command, Stop):
                break
            self.obey(command)
        self.close()

    def obey(self, command: Command) -> None:
        """Carry out one command."""
        match command:
            case Watch():
                self._watch = command
                self._close()
                self._open()
            case Pause():
                self._paused = True
                self._close()
            case Resume():
                if self._paused:
                    self._paused = False
                    self._open()
            case SetContext():
                self._context = Context(turn=command.turn, guard=command.guard, dispute=command.dispute)
                if self._watching:
                    self._watching.know(self._context)
            case TimeSlaps() | KeepClip() | TakePicture():
                self._ask(command)
            case Stop():
                self.close()

    def close(self) -> None:
        """Close the device, finish the clips under way, and beat no more."""
        self._close()
        self._stopping.set()
        self._heart.join(self._settings.close_s)

    def status(self) -> StatusReport:
        """Return the heartbeat of now."""
        if self._refused:
            said = trouble(self._refused)
            return StatusReport(
                state=WatchState.LOST, sentence=said.sentence, template=said.template, params=said.params
            )
        watching = self._watching
        if watching:
            return watching.status()
        return StatusReport(state=WatchState.PAUSED if self._paused else WatchState.STARTING)

    def _ask(self, question: TimeSlaps | KeepClip | TakePicture) -> None:
        watching = self._watching
        if watching is None:
            if isinstance(question, TimeSlaps):
                self._say(no_answer(question, NOT_WATCHING))
            else:
                self._say(trouble(CompanionError("The camera is not watching; try again when it is back.")))
        elif isinstance(question, TimeSlaps):
            watching.time_slaps(question)
        elif isinstance(question, KeepClip):
            watching.keep_clip(question)
        else:
            watching.take_picture()

    def _open(self) -> None:
        if self._paused or self._watch is None:
            return
        try:
            plan = self._make_plan(self._watch)
        except CompanionError as error:
            log.warning("%s", error)
            self._refused = error
            return
        self._refused = None
        self._watching = Watching(
            plan, self._context, self._say, self._settings, starved=self._starved, patience=self._watch.patience
        )

    def _close(self) -> None:
        self._refused = None
        if self._watching is None:
            return
        if not self._watching.close_source():
            log.error("the source does not close; this process ends to let go of it")
            self._end_hung()
        closed, self._watching = self._watching, None
        closed.finish(self._settings.finish_s)

    def _beat(self) -> None:
        said: StatusReport | None = None
        said_s = 0.0
        while not self._stopping.wait(self._settings.tick_s):
            self._turns.tick(self._settings.tick_s)
            status = self.status()
            changed = said is None or (status.state, status.sentence) != (said.state, said.sentence)
            if changed or time.monotonic() - said_s >= self._settings.beat_s:
                self._say(status)
                said, said_s = status, time.monotonic()
            watching = self._watching
            if watching and (what := watching.hung()):
                log.error("%s hangs; this process ends, and a new one takes over", what)
                self._end_hung()

    def _starved(self) -> bool:
        return self._turns.starved

    def _end_hung(self) -> None:
        end_process(STARVED if self._turns.starved else HUNG)
