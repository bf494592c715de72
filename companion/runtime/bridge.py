"""What passes between the session and the watcher: reports up, and what the rules know down."""

import threading
from collections.abc import Callable

from companion.session import Session
from companion.session.views import Assist
from companion.watcher.messages import Command, Pause, Resume, SetContext

LOOK_S = 1.0
"""How often the thread looks whether it should end; changes of the session wake it at once."""


class Bridge:
    """Keep the watcher told of the game: whose turn, who is the Guard, when hands slapped, when it is not wanted.

    ``send`` passes a command to the watcher and never blocks (`watcher.supervisor.Supervisor.send`).
    """

    def __init__(self, session: Session, send: Callable[[Command], None]) -> None:
        self._session = session
        self._send = send
        self._stopping = threading.Event()
        self._context: SetContext | None = None
        self._off: bool | None = None
        self._timed: set[int] = set()
        self._thread = threading.Thread(target=self._follow, name="bridge", daemon=True)

    def start(self) -> None:
        """Tell the watcher what it should know now, and go on telling it."""
        self._thread.start()

    def stop(self) -> None:
        """End the thread."""
        self._stopping.set()
        self._thread.join()

    def tell(self) -> None:
        """Send what has changed since the last call."""
        off = self._session.folded.assist is Assist.OFF
        if off is not self._off and (off or self._off is not None):
            self._send(Pause() if off else Resume())
        self._off = off
        context = self._session.context()
        if context != self._context:
            self._context = context
            self._send(context)
        wanted = self._session.slaps_wanted()
        if wanted and wanted.id not in self._timed and not off:
            self._timed.add(wanted.id)
            self._send(wanted)

    def _follow(self) -> None:
        version = 0
        while not self._stopping.is_set():
            now = self._session.wait(version, LOOK_S)
            if now != version:
                version = now
                self.tell()
