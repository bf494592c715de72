"""Keep the clips: wait for the post-roll, take the frames from the ring, encode them away from everything else."""

import logging
import queue
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from uuid import uuid4

from companion.clips.buffer import FrameBuffer, StoredFrame
from companion.clips.clip import Clip
from companion.clips.library import ClipCleared, ClipError, ClipLibrary
from companion.clips.recorder import ClipWindow, Moment, Recorder
from companion.errors import CompanionError
from companion.watcher.settings import WatcherSettings
from companion.watcher.threads import start_thread

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Job:
    window: ClipWindow
    frames: list[StoredFrame]


class Clipping:
    """Two threads: one takes the frames when their window is over, one writes clips at low priority."""

    def __init__(
        self,
        buffer: FrameBuffer,
        library: ClipLibrary,
        on_clip: Callable[[Moment, Clip], None],
        on_trouble: Callable[[CompanionError], None],
        settings: WatcherSettings,
    ) -> None:
        self._buffer = buffer
        self._library = library
        self._on_clip = on_clip
        self._on_trouble = on_trouble
        self._settings = settings
        self._recorder = Recorder()
        self._lock = threading.Lock()
        self._stopping = threading.Event()
        self._jobs: queue.Queue[_Job | None] = queue.Queue(settings.clips_waiting)
        self._last_trouble = ""
        self._taker = start_thread("clips", self._take)
        self._writer = start_thread("encode", self._write, nice=settings.encode_nice)

    def keep(self, moment: Moment) -> None:
        """Keep a clip of a moment, with pre-roll and post-roll."""
        with self._lock:
            self._recorder.add(moment)

    def keep_window(self, window: ClipWindow) -> None:
        """Keep a clip of exactly this stretch."""
        with self._lock:
            self._recorder.add_window(window)

    def finish(self, timeout_s: float) -> bool:
        """Write what is under way with the frames there are; return whether that was done in time."""
        end_s = time.monotonic() + timeout_s
        self._stopping.set()
        for thread in (self._taker, self._writer):
            thread.join(max(0.0, end_s - time.monotonic()))
        return not self._writer.is_alive()

    def _take(self) -> None:
        self._library.sweep()
        while not self._stopping.wait(self._settings.tick_s):
            newest = self._buffer.newest()
            with self._lock:
                due = self._recorder.take_due(newest.at_ns if newest else None, time.monotonic_ns())
            for window in due:
                self._queue(window)
        with self._lock:
            newest = self._buffer.newest()
            rest = self._recorder.take_all(newest.at_ns if newest else 0)
        for window in rest:
            self._queue(window)
        self._jobs.put(None)

    def _queue(self, window: ClipWindow) -> None:
        job = _Job(window, self._buffer.between(window.start_ns, window.end_ns))
        try:
            self._jobs.put_nowait(job)
        except queue.Full:
            self._say(ClipError("Clips come faster than this machine can write them; one was left out."))

    def _write(self) -> None:
        while (job := self._jobs.get()) is not None:
            began_s = time.monotonic()
            try:
                clip = self._library.save(_name(), job.frames, job.window.moments)
            except ClipCleared:
                log.info("a clip was cleared while it was being written")
                continue
            except CompanionError as error:
                self._say(error)
                continue
            self._last_trouble = ""
            log.info("clip %s: %d frames in %.2f s", clip.name, len(clip.frames), time.monotonic() - began_s)
            for moment in job.window.moments:
                self._on_clip(moment, clip)

    def _say(self, error: CompanionError) -> None:
        """Say a trouble once, until a clip has been kept again."""
        log.warning("%s", error)
        if str(error) != self._last_trouble:
            self._last_trouble = str(error)
            self._on_trouble(error)


def _name() -> str:
    """Return a name that sorts by time for who looks into the folder, and that no other clip has."""
    return f"{datetime.now().astimezone():%Y%m%d-%H%M%S}-{uuid4().hex[:8]}"
