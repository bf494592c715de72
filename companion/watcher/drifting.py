"""Beside the analysis: has the camera been bumped? Moves the layout after it where that is certain, else says so."""

import threading
import time
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np

from companion.clips.buffer import FrameBuffer
from companion.errors import CompanionError
from companion.vision.drift import Drift, DriftWatch, realigned
from companion.vision.layout import Layout
from companion.watcher.settings import WatcherSettings
from companion.watcher.threads import start_thread

SAID_FOLLOWED = "The camera was moved; the table's outline was moved after it."
SAID_MOVED = "The camera was moved: put it back as it was, or set the table up again."


class Drifting:
    """One thread that compares the newest picture with the first one, twice a second."""

    def __init__(
        self,
        buffer: FrameBuffer,
        layout: Layout,
        *,
        on_layout: Callable[[Layout], None],
        reference: Path | None = None,
        settings: WatcherSettings,
    ) -> None:
        """Start comparing; ``reference`` is the picture that the layout was saved with, where there is one."""
        self._buffer = buffer
        self._layout = layout
        self._on_layout = on_layout
        self._reference = reference
        self._settings = settings
        self._stopping = threading.Event()
        self._state = Drift.STEADY
        self._followed_s: float | None = None
        self._thread = start_thread("drift", self._run, nice=settings.drift_nice)

    @property
    def uncertain(self) -> bool:
        """Tell whether what is flagged now may come from a camera that was moved."""
        return self._state is not Drift.STEADY or self._lately_followed()

    @property
    def problem(self) -> CompanionError | None:
        """Return what the table should know of it."""
        if self._state is Drift.MOVED:
            return CompanionError(SAID_MOVED)
        return CompanionError(SAID_FOLLOWED) if self._lately_followed() else None

    def stop(self) -> None:
        """Look no more."""
        self._stopping.set()
        self._thread.join(self._settings.close_s)

    def _run(self) -> None:
        watch = self._since_saved()
        since_saved, looks, seen = watch is not None, 0, -1
        while not self._stopping.wait(self._settings.drift_every_s):
            newest = self._buffer.newest()
            if newest is None or newest.index == seen:
                continue
            seen = newest.index
            image = newest.image()
            looks += 1
            settled = since_saved and looks > self._settings.drift_saved_looks and self._state is Drift.STEADY
            if watch is None or settled:
                # from here on against a picture of this light and these people
                watch, since_saved = DriftWatch(image), False
                continue
            reading = watch.feed(image, newest.at_ns)
            self._state = reading.state
            if reading.state is Drift.MOVED and reading.certain and reading.to_now is not None:
                self._layout = realigned(self._layout, reading.to_now)
                self._on_layout(self._layout)
                self._followed_s = time.monotonic()
                self._state = Drift.STEADY
                watch, since_saved = DriftWatch(image), False

    def _since_saved(self) -> DriftWatch | None:
        """Return a watch against the picture that the layout was saved with; None where there is none."""
        if self._reference is None or not self._reference.is_file():
            return None
        picture = cv2.imread(str(self._reference))
        return None if picture is None else DriftWatch(np.asarray(picture, dtype=np.uint8))

    def _lately_followed(self) -> bool:
        return self._followed_s is not None and time.monotonic() - self._followed_s < self._settings.drift_said_s
