"""Decode the next frames while this one is analysed."""

import queue
import threading
from collections.abc import Iterator

from companion.vision.frame import Frame

AHEAD = 6
"""Frames decoded in advance; a fifth of a second of video, 16 MB at 720p."""


def read_ahead(frames: Iterator[Frame]) -> Iterator[Frame]:
    """Yield the frames in order, decoded by a thread of their own; what it raises is raised here."""
    slot: queue.Queue[Frame | BaseException | None] = queue.Queue(AHEAD)
    stop = threading.Event()

    def put(item: Frame | BaseException | None) -> bool:
        while not stop.is_set():
            try:
                slot.put(item, timeout=0.1)
            except queue.Full:
                continue
            return True
        return False

    def decode() -> None:
        try:
            for frame in frames:
                if not put(frame):
                    return
        except BaseException as error:  # noqa: BLE001  it is raised again where the frames are read
            put(error)
        else:
            put(None)

    thread = threading.Thread(target=decode, name="decode", daemon=True)
    thread.start()
    try:
        while (item := slot.get()) is not None:
            if isinstance(item, BaseException):
                raise item
            yield item
    finally:
        stop.set()
        thread.join()
