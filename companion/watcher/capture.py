"""Drain the source in a thread of its own, stamp and store every frame, and open it again when it is lost."""

import logging
import queue
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from companion.clips.buffer import FrameBuffer
from companion.errors import CompanionError
from companion.vision.frame import Frame
from companion.vision.source import Picture, Source, SourceError, SourceOver
from companion.watcher.settings import WatcherSettings
from companion.watcher.slot import FrameRate, NewestFrame
from companion.watcher.threads import start_thread

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class CaptureStatus:
    """How the source does."""

    fps: float
    promised_fps: float
    """What the source says it gives; 0 where it does not say."""
    lost_frames: int
    lost_fps: float
    """Frames a second that are lost just now."""
    silent_s: float
    """Since the last picture, or since the start if there was none."""
    open_s: float
    """Since the source was opened; 0 while it is not."""
    seen: bool
    """Whether there was ever a picture."""
    problem: CompanionError | None
    """Why there are no pictures, where that is known."""
    hung_s: float
    """How long the driver has not returned from one call."""


class Capture:
    """A source kept open: its frames go to the newest-frame slot and, as JPEG, to the buffer."""

    def __init__(
        self,
        open_source: Callable[[], Source],
        newest: NewestFrame,
        buffer: FrameBuffer,
        settings: WatcherSettings,
    ) -> None:
        self._open_source = open_source
        self._newest = newest
        self._buffer = buffer
        self._settings = settings
        self._stopping = threading.Event()
        self._rate = FrameRate(settings.fps_over_s)
        self._lost = FrameRate(settings.fps_over_s)
        self._unstored: queue.Queue[Frame | None] = queue.Queue(settings.unstored_frames)
        self._index = 0
        self._lost_frames = 0
        self._source: Source | None = None
        self._problem: CompanionError | None = None
        self._called_s = self._picture_s = self._opened_s = time.monotonic()
        self._threads = [start_thread("capture", self._run), start_thread("store", self._store)]

    def status(self) -> CaptureStatus:
        """Return how the source does now."""
        now_s = time.monotonic()
        source = self._source
        return CaptureStatus(
            fps=self._rate.at(time.monotonic_ns()),
            promised_fps=source.fps if source else 0.0,
            lost_frames=self._lost_frames,
            lost_fps=self._lost.at(time.monotonic_ns()),
            silent_s=now_s - self._picture_s,
            open_s=now_s - self._opened_s if source else 0.0,
            seen=self._index > 0,
            problem=self._problem,
            hung_s=now_s - self._called_s,
        )

    def stop(self) -> bool:
        """Close the source; return whether it is closed."""
        self._stopping.set()
        for thread in self._threads:
            thread.join(self._settings.close_s)
        return not any(thread.is_alive() for thread in self._threads)

    def _run(self) -> None:
        while not self._stopping.is_set():
            try:
                self._drain()
            except SourceOver as over:
                self._lose(over)
                self._idle(None)
            except SourceError as error:
                self._lose(error)
                self._idle(self._settings.retry_s)
        self._stop_storing()

    def _drain(self) -> None:
        self._called_s = time.monotonic()
        self._lost_frames = 0
        source = self._open_source()
        self._source, self._opened_s = source, time.monotonic()
        try:
            while not self._stopping.is_set():
                self._called_s = time.monotonic()
                dropped = source.dropped
                self._take(source.read())
                self._lose_frames(source.dropped - dropped)
        finally:
            self._source = None
            source.close()

    def _take(self, picture: Picture) -> None:
        frame = Frame(self._index, picture.at_ns, picture.image)
        self._index += 1
        self._picture_s = time.monotonic()
        self._problem = None
        self._rate.count(picture.at_ns)
        self._newest.put(frame)
        try:
            self._unstored.put_nowait(frame)
        except queue.Full:
            self._lose_frames(1)

    def _lose_frames(self, count: int) -> None:
        self._lost_frames += count
        for _ in range(count):
            self._lost.count(time.monotonic_ns())

    def _lose(self, error: SourceError) -> None:
        if str(error) != str(self._problem):
            log.warning("%s", error)
        self._problem = error

    def _idle(self, seconds: float | None) -> None:
        end_s = None if seconds is None else time.monotonic() + seconds
        while end_s is None or time.monotonic() < end_s:
            self._called_s = time.monotonic()
            if self._stopping.wait(self._settings.tick_s):
                return

    def _stop_storing(self) -> None:
        self._unstored.put(None)

    def _store(self) -> None:
        while (frame := self._unstored.get()) is not None:
            self._buffer.add(frame)


def too_few(status: CaptureStatus, settings: WatcherSettings) -> CompanionError | None:
    """Return what to say when fewer frames come than the table needs; None when all is well."""
    if status.open_s < 2 * settings.fps_over_s or status.fps == 0:
        return None
    if status.lost_fps > settings.low_lost_fps:
        return CompanionError(
            "This computer is too busy: {fps} pictures a second are lost; close other programs.",
            fps=round(status.lost_fps),
        )
    if status.fps >= max(settings.low_fps, settings.low_fps_share * status.promised_fps):
        return None
    return CompanionError(
        "Only {fps} pictures a second come from the camera; more light on the table helps.", fps=round(status.fps)
    )
