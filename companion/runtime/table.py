"""One table's companion, running: journal, session, watcher and web server, started and stopped in order."""

import signal
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Self

from companion.clips.library import ClipLibrary, LibrarySettings
from companion.clock import SystemClock
from companion.config import Config
from companion.journal import Journal
from companion.runtime.address import join_host
from companion.runtime.bridge import Bridge
from companion.runtime.server import Server, listen
from companion.runtime.setup import make_wizard
from companion.session import Session
from companion.watcher.messages import Report, Watch
from companion.watcher.supervisor import Supervisor
from companion.web import WebSettings, create_app

MB = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Folders:
    """Where one table keeps what lasts."""

    root: Path

    @property
    def journal(self) -> Path:
        """The journal's file."""
        return self.root / "journal.sqlite3"

    @property
    def clips(self) -> Path:
        """The folder of the clips."""
        return self.root / "clips"


class Table:
    """Everything that runs for one table. Use as a context manager; ``serve`` blocks until ``stop``.

    Raises a CompanionError in one sentence when the port, the journal or the folder cannot be had; nothing is left
    running then.
    """

    def __init__(self, config: Config) -> None:
        self.folders = Folders(config.folder)
        self._listener = listen(config.server.host, config.server.port)
        try:
            self.journal = Journal.open(self.folders.journal, SystemClock())
        except BaseException:
            self._listener.close()
            raise
        self.session = Session(self.journal, SystemClock())
        self.library = ClipLibrary(self.folders.clips, LibrarySettings(quota_bytes=config.clips.quota_mb * MB))
        self.supervisor = Supervisor(on_report=self._hear)
        self._bridge = Bridge(self.session, self.supervisor.send)
        self.port: int = self._listener.getsockname()[1]
        self.join_url = f"http://{join_host(config.server.host)}:{self.port}/"
        self._wizard = make_wizard(self, config)
        settings = WebSettings(join_url=self.join_url)
        app = create_app(self.session, self.library, self.supervisor, settings, self._wizard)
        self._server = Server(app, self._listener)
        self._watching = False
        self._ended = threading.Event()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def local_url(self) -> str:
        """The address on this computer itself."""
        return f"http://127.0.0.1:{self.port}/"

    def watch(self, command: Watch) -> None:
        """Start the watcher on a camera and a layout."""
        self.supervisor.send(command)
        if not self._watching:
            self._watching = True
            self.supervisor.start()
            self._bridge.start()

    def _hear(self, report: Report) -> None:
        self.session.hear(report)

    def serve(self) -> None:
        """Serve the screens until ``stop`` is called or the process is told to end."""
        self._server.prepare()
        threading.Thread(target=self._server.serve, name="web", daemon=True).start()
        self._ended.wait()

    def stop(self, *_: object) -> None:
        """Let ``serve`` return, also when it has not been called yet."""
        # From a thread: in a signal's handler the event's own lock may be held by the frame that was interrupted.
        threading.Thread(target=self._ended.set, name="stop", daemon=True).start()

    def close(self) -> None:
        """End everything in order: screens, watcher, journal."""
        self.session.close()
        self._server.stop()
        self._wizard.close()
        if self._watching:
            self._bridge.stop()
            self.supervisor.stop()
        self.journal.close()


def end_on_signals(stop: Callable[[], None]) -> None:
    """Call ``stop`` when the process is asked to end, by Ctrl-C or by the system."""

    def ask(_signal: int, _frame: FrameType | None) -> None:
        stop()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, ask)
