"""The ring of the last seconds."""

import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from companion.clips.buffer import BufferSettings, FrameBuffer, StoredFrames
from companion.vision.frame import NS_PER_S
from tests.clips.scene import START_NS, frame, grey_of, stored


def test_between_returns_both_ends_in_order() -> None:
    """A stretch is returned with its first and its last frame, in the order of capture."""
    buffer = FrameBuffer()
    for index in range(10):
        buffer.add(frame(index, at_s=index))
    found = buffer.between(START_NS + 2 * NS_PER_S, START_NS + 4 * NS_PER_S)
    assert [stored.index for stored in found] == [2, 3, 4]


def test_stored_picture_is_the_frame() -> None:
    """What is kept decodes to the frame that was added, with its time."""
    buffer = FrameBuffer()
    stored = buffer.add(frame(7))
    again = stored.frame()
    assert (again.index, again.at_ns) == (7, frame(7).at_ns)
    assert again.image.shape == (48, 64, 3)
    assert np.abs(again.image.astype(int) - grey_of(7)).max() <= 2


def test_ring_forgets_by_time() -> None:
    """Frames older than the ring is long are gone."""
    buffer = FrameBuffer(BufferSettings(seconds=3))
    for index in range(10):
        buffer.add(frame(index, at_s=index))
    assert [stored.index for stored in buffer.between(0, 10**18)] == [6, 7, 8, 9]


def test_ring_forgets_by_bytes_but_keeps_the_newest() -> None:
    """However big the pictures are, the ring stays within its bytes, and the last frame is always there."""
    size = len(FrameBuffer().add(frame(0)).jpeg)
    buffer = FrameBuffer(BufferSettings(max_bytes=3 * size + size // 2))
    for index in range(10):
        buffer.add(frame(index))
    assert [stored.index for stored in buffer.between(0, 10**18)] == [7, 8, 9]
    tiny = FrameBuffer(BufferSettings(max_bytes=1))
    tiny.add(frame(0))
    tiny.add(frame(1))
    newest = tiny.newest()
    assert newest is not None
    assert newest.index == 1


def test_cleared_ring_has_seen_nothing() -> None:
    """After `clear` there is no frame, and the ring fills again."""
    buffer = FrameBuffer()
    buffer.add(frame(0))
    buffer.clear()
    assert buffer.newest() is None
    buffer.add(frame(1))
    assert len(buffer.between(0, 10**18)) == 1


def test_reading_while_frames_come() -> None:
    """A reader meets no torn ring while another thread adds."""
    buffer = FrameBuffer(BufferSettings(seconds=1))
    adding = threading.Thread(target=lambda: [buffer.add(frame(index)) for index in range(300)])
    adding.start()
    while adding.is_alive():
        found = [stored.index for stored in buffer.between(0, 10**18)]
        assert found == sorted(found)
    adding.join()


def test_stored_frames_are_a_sequence_of_frames() -> None:
    """What was stored can be looked through as frames: by number, from the end, and in slices."""
    frames = StoredFrames(stored(10), kept=2)
    assert [one.index for one in frames] == list(range(10))
    assert (frames[-1].index, [one.index for one in frames[2:8:3]]) == (9, [2, 5])
    assert frames[3] is frames[3]
    with pytest.raises(IndexError):
        frames[10]


@pytest.mark.parametrize("step", [1, 3])
def test_stored_frames_are_decoded_ahead_of_an_even_reader(step: int) -> None:
    """The threads beside the reader give the same frames in the same order, and few stay in memory."""
    with ThreadPoolExecutor(2) as pool:
        frames = StoredFrames(stored(40), kept=4, pool=pool)
        assert [frames[at].index for at in range(0, 40, step)] == list(range(0, 40, step))
        assert [one.index for one in frames[10:20]] == list(range(10, 20))
        assert frames[5].index == 5
