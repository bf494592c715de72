"""The newest frame, handed from the capture to the analysis: who is slow skips frames and never delays anyone."""

import threading
from collections import deque

from companion.vision.frame import NS_PER_S, Frame


class NewestFrame:
    """A place for one frame; a new one replaces the one that was not taken."""

    def __init__(self) -> None:
        self._frame: Frame | None = None
        self._changed = threading.Condition()

    def put(self, frame: Frame) -> None:
        """Lay a frame down in place of an older one."""
        with self._changed:
            self._frame = frame
            self._changed.notify()

    def take(self, timeout_s: float) -> Frame | None:
        """Wait for a frame that was not taken yet, and take it; None when none came in time."""
        with self._changed:
            self._changed.wait_for(lambda: self._frame is not None, timeout_s)
            frame, self._frame = self._frame, None
            return frame


class FrameRate:
    """Frames a second over the last stretch, by their times."""

    def __init__(self, over_s: float) -> None:
        self._over_ns = round(over_s * NS_PER_S)
        self._times: deque[int] = deque()
        self._lock = threading.Lock()

    def count(self, at_ns: int) -> None:
        """Count a frame."""
        with self._lock:
            self._times.append(at_ns)
            while self._times[0] < at_ns - self._over_ns:
                self._times.popleft()

    def at(self, now_ns: int) -> float:
        """Return frames a second up to now; 0 when none came for the whole stretch."""
        with self._lock:
            recent = [at_ns for at_ns in self._times if at_ns >= now_ns - self._over_ns]
        if len(recent) < 2:
            return 0.0
        # until a frame is overdue the rate is that of the frames; then it falls with every moment
        step_ns = (recent[-1] - recent[0]) / (len(recent) - 1)
        overdue_ns = max(0.0, now_ns - recent[-1] - step_ns)
        return (len(recent) - 1) * NS_PER_S / max(1.0, recent[-1] - recent[0] + overdue_ns)
