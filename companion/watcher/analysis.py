"""Look at the newest frame, again and again; what the vision raises is passed on."""

import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol

from companion.errors import CompanionError
from companion.vision.events import Context, Event
from companion.vision.frame import Frame
from companion.vision.layout import Layout
from companion.watcher.settings import WatcherSettings
from companion.watcher.slot import FrameRate, NewestFrame
from companion.watcher.threads import start_thread

log = logging.getLogger(__name__)


class Pipeline(Protocol):
    """What turns frames into events: the vision's pipeline, or a test's."""

    @property
    def analysed(self) -> int:
        """Return how many of the frames were looked at; the others came too soon after one."""
        ...

    def feed(self, frame: Frame, context: Context) -> list[Event]:
        """Look at one frame; return what it raised."""
        ...


class Analysis:
    """One thread that feeds the pipeline; a frame that fails is said once, and the next one is looked at."""

    def __init__(
        self,
        make_pipeline: Callable[[], Pipeline],
        *,
        layout: Layout,
        newest: NewestFrame,
        on_event: Callable[[Event], None],
        on_trouble: Callable[[CompanionError], None],
        settings: WatcherSettings,
    ) -> None:
        self._make_pipeline = make_pipeline
        self._layout = layout
        self._newest = newest
        self._on_event = on_event
        self._on_trouble = on_trouble
        self._settings = settings
        self._context = Context()
        self._rate = FrameRate(settings.fps_over_s)
        self._stopping = threading.Event()
        self._anew = threading.Event()
        self._sparing = threading.Event()
        self._looked_s = 0.0
        self._busy_since_s: float | None = None
        self._failed_in_row = 0
        self._failure_said = False
        self._problem: CompanionError | None = None
        self._thread = start_thread("analysis", self._run)

    @property
    def problem(self) -> CompanionError | None:
        """Return why frames are not analysed, None when they are."""
        return self._problem

    def fps(self) -> float:
        """Return how many frames a second are looked at."""
        return self._rate.at(time.monotonic_ns())

    def hung_s(self) -> float:
        """Return how long the present frame has taken."""
        since_s = self._busy_since_s
        return 0.0 if since_s is None else time.monotonic() - since_s

    def know(self, context: Context) -> None:
        """Take what the rules know from the next frame on."""
        self._context = context

    @contextmanager
    def sparing(self) -> Iterator[None]:
        """Look at few frames meanwhile: the table waits for another answer, and both need the same cores."""
        self._sparing.set()
        try:
            yield
        finally:
            self._sparing.clear()

    def start_anew(self, make_pipeline: Callable[[], Pipeline], layout: Layout) -> None:
        """Look at the next frame with another pipeline: the table is elsewhere in the picture."""
        self._make_pipeline = make_pipeline
        self._layout = layout
        self._anew.set()

    def stop(self) -> None:
        """Look at no more frames."""
        self._stopping.set()
        self._thread.join(self._settings.close_s)

    def _run(self) -> None:
        pipeline = self._make()
        while pipeline is not None and not self._stopping.is_set():
            frame = self._newest.take(self._settings.tick_s)
            if self._anew.is_set():
                self._anew.clear()
                pipeline = self._make()
            if pipeline is None or frame is None or not self._fits(frame) or self._spared():
                continue
            self._looked_s = time.monotonic()
            self._look(pipeline, frame)
            if self._failed_in_row >= self._settings.failures_to_rebuild:
                log.warning("%d frames in a row failed: the pipeline is made anew", self._failed_in_row)
                self._failed_in_row = 0
                pipeline = self._make()

    def _spared(self) -> bool:
        every_s = self._settings.sparing_every_s
        return self._sparing.is_set() and time.monotonic() - self._looked_s < every_s

    def _make(self) -> Pipeline | None:
        try:
            return self._make_pipeline()
        except CompanionError as error:
            log.warning("no analysis: %s", error)
            self._problem = error
            return None

    def _fits(self, frame: Frame) -> bool:
        height, width = frame.image.shape[:2]
        if (width, height) == tuple(self._layout.image_size):
            return True
        self._problem = CompanionError(
            "The camera's pictures are {found} px, but the table was laid out at {wanted} px; lay the table out again.",
            found=f"{width} x {height}",
            wanted="{} x {}".format(*self._layout.image_size),
        )
        return False

    def _look(self, pipeline: Pipeline, frame: Frame) -> None:
        self._busy_since_s = time.monotonic()
        before = pipeline.analysed
        try:
            events = pipeline.feed(frame, self._context)
        except Exception as error:  # noqa: BLE001 -- whatever fails in one frame, the next one is looked at
            self._fail(error, frame)
            return
        finally:
            self._busy_since_s = None
        self._failed_in_row = 0
        self._problem = None
        if pipeline.analysed > before:
            self._rate.count(time.monotonic_ns())
        for event in events:
            self._on_event(event)

    def _fail(self, error: Exception, frame: Frame) -> None:
        self._failed_in_row += 1
        failure = CompanionError("A picture of the camera could not be looked at; watching goes on.")
        if not self._failure_said:
            self._failure_said = True
            log.error("the analysis of frame %d failed", frame.index, exc_info=error)
            self._on_trouble(failure)
        if self._failed_in_row >= self._settings.failures_to_rebuild:
            self._problem = failure
