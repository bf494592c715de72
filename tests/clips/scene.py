"""Frames made of plain numbers: each frame's grey says which one it is."""

import numpy as np

from companion.clips.buffer import StoredFrame, store
from companion.vision.frame import NS_PER_S, Frame

START_NS = 5 * NS_PER_S


def grey_of(index: int) -> int:
    """Return the grey of frame ``index``: steps of 10, which survive both encoders."""
    return 20 + 10 * (index % 20)


def frame(index: int, *, at_s: float | None = None, size: tuple[int, int] = (64, 48)) -> Frame:
    """Return a frame of one grey; 30 frames a second from START_NS unless told."""
    at_ns = START_NS + round((index / 30 if at_s is None else at_s) * NS_PER_S)
    return Frame(index, at_ns, np.full((size[1], size[0], 3), grey_of(index), np.uint8))


def stored(count: int, *, size: tuple[int, int] = (64, 48)) -> list[StoredFrame]:
    """Return so many frames as the buffer keeps them."""
    return [store(frame(index, size=size), 90) for index in range(count)]
