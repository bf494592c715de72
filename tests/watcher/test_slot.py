"""The newest-frame slot and the measured frame rate."""

import numpy as np
import pytest

from companion.vision.frame import NS_PER_S, Frame
from companion.watcher.slot import FrameRate, NewestFrame


def frame(index: int) -> Frame:
    """Return a small frame."""
    return Frame(index, index, np.zeros((2, 2, 3), np.uint8))


def test_only_the_newest_frame_is_taken() -> None:
    """A frame that was not taken in time is replaced by the next, and none is taken twice."""
    slot = NewestFrame()
    slot.put(frame(1))
    slot.put(frame(2))
    taken = slot.take(0)
    assert taken is not None
    assert taken.index == 2
    assert slot.take(0) is None


def rate(count: int, *, fps: float) -> FrameRate:
    """Return a rate after so many frames, the first at 0."""
    made = FrameRate(over_s=2)
    for index in range(count):
        made.count(round(index * NS_PER_S / fps))
    return made


def test_frame_rate_is_measured() -> None:
    """Steady frames give their own rate, at any moment between two."""
    for fps in (5, 30, 60):
        last_ns = round(200 * NS_PER_S / fps)
        assert rate(201, fps=fps).at(last_ns) == pytest.approx(fps, rel=0.02)
        assert rate(201, fps=fps).at(last_ns + NS_PER_S // 100) == pytest.approx(fps, rel=0.05)


def test_frame_rate_falls_when_frames_stay_away() -> None:
    """When no more frames come the rate falls at once, and is 0 in the end."""
    last_ns = round(200 * NS_PER_S / 30)
    assert rate(201, fps=30).at(last_ns + NS_PER_S) < 20
    assert rate(201, fps=30).at(last_ns + 3 * NS_PER_S) == 0
    assert rate(0, fps=30).at(0) == 0
