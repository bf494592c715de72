"""The last seconds of everything the camera saw: each frame as JPEG with its capture time, in a ring.

Encoding costs 2.1 ms of a core at 1280 x 720 and quality 90 (147 kB; 2.4 ms and 247 kB with heavy sensor noise;
decoding 3 ms), so 60 frames a second take an eighth of a core: OpenCV's own encoder is fast enough.
"""

import threading
from collections import OrderedDict, deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import overload

import cv2
import numpy as np

from companion.vision.frame import NS_PER_S, Frame, Image


@dataclass(frozen=True, slots=True, kw_only=True)
class BufferSettings:
    """How much is kept."""

    seconds: float = 20.0
    """Slaps look back 8 s from a tap, a clip its pre-roll: the rest is for a tap that comes late."""
    max_bytes: int = 384 * 1024 * 1024
    """20 s of 720p at 60 frames a second with heavy noise are 300 MB; bigger pictures shorten the ring."""
    quality: int = 90
    """JPEG quality: at 90 a card's print stays readable; 95 costs half as much memory again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredFrame:
    """A frame as it is kept: JPEG, with the frame's index and capture time."""

    index: int
    at_ns: int
    jpeg: bytes

    def image(self) -> Image:
        """Decode the picture: height x width x 3, BGR."""
        return np.asarray(cv2.imdecode(np.frombuffer(self.jpeg, np.uint8), cv2.IMREAD_COLOR), dtype=np.uint8)

    def frame(self) -> Frame:
        """Decode into the frame that it was."""
        return Frame(self.index, self.at_ns, self.image())


class StoredFrames(Sequence[Frame]):
    """Stored frames as a sequence of frames, each decoded when it is asked for; the last few stay decoded.

    With a ``pool``, who reads on at an even step finds the next frames decoded already by its threads.
    """

    def __init__(
        self, stored: Sequence[StoredFrame], *, kept: int = 16, pool: ThreadPoolExecutor | None = None, ahead: int = 4
    ) -> None:
        self._stored = stored
        self._kept = kept
        self._pool = pool
        self._ahead = ahead
        self._decoded: OrderedDict[int, Frame | Future[Frame]] = OrderedDict()
        self._read = -1

    def __len__(self) -> int:
        return len(self._stored)

    @overload
    def __getitem__(self, index: int) -> Frame: ...
    @overload
    def __getitem__(self, index: slice) -> "StoredFrames": ...
    def __getitem__(self, index: int | slice) -> "Frame | StoredFrames":
        if isinstance(index, slice):
            return StoredFrames(self._stored[index], kept=self._kept, pool=self._pool, ahead=self._ahead)
        at = range(len(self._stored))[index]
        step, self._read = at - self._read, at
        found = self._decoded.pop(at, None)
        if self._pool is not None and 0 < step <= self._kept:
            self._decode_ahead(self._pool, range(at + step, len(self._stored), step)[: self._ahead])
        frame = self._stored[at].frame() if found is None else found.result() if isinstance(found, Future) else found
        self._decoded[at] = frame
        while len(self._decoded) > self._kept + self._ahead:
            self._decoded.popitem(last=False)
        return frame

    def _decode_ahead(self, pool: ThreadPoolExecutor, wanted: range) -> None:
        for at in wanted:
            if at not in self._decoded:
                self._decoded[at] = pool.submit(self._stored[at].frame)


class FrameBuffer:
    """A ring of stored frames in the order they came, bounded in time and in bytes; thread-safe."""

    def __init__(self, settings: BufferSettings | None = None) -> None:
        self._settings = settings or BufferSettings()
        self._frames: deque[StoredFrame] = deque()
        self._bytes = 0
        self._lock = threading.Lock()

    def add(self, frame: Frame) -> StoredFrame:
        """Keep a frame and let the oldest go; return it as it was stored."""
        stored = store(frame, self._settings.quality)
        with self._lock:
            self._frames.append(stored)
            self._bytes += len(stored.jpeg)
            oldest_ns = stored.at_ns - round(self._settings.seconds * NS_PER_S)
            while self._frames[0].at_ns < oldest_ns or (
                self._bytes > self._settings.max_bytes and len(self._frames) > 1
            ):
                self._bytes -= len(self._frames.popleft().jpeg)
        return stored

    def between(self, start_ns: int, end_ns: int) -> list[StoredFrame]:
        """Return the frames captured from ``start_ns`` to ``end_ns``, both included."""
        with self._lock:
            return [stored for stored in self._frames if start_ns <= stored.at_ns <= end_ns]

    def newest(self) -> StoredFrame | None:
        """Return the last frame that was added."""
        with self._lock:
            return self._frames[-1] if self._frames else None

    def clear(self) -> None:
        """Forget everything that was seen."""
        with self._lock:
            self._frames.clear()
            self._bytes = 0


def decoded(stored: Sequence[StoredFrame], *, ahead: int = 4) -> Iterator[tuple[int, Image]]:
    """Yield capture time and picture of each frame, decoded a few frames ahead in a thread beside the caller's."""
    with ThreadPoolExecutor(max_workers=1, thread_name_prefix="decode") as pool:
        waiting: deque[tuple[int, Future[Image]]] = deque()
        for one in stored:
            waiting.append((one.at_ns, pool.submit(one.image)))
            if len(waiting) > ahead:
                at_ns, image = waiting.popleft()
                yield at_ns, image.result()
        for at_ns, image in waiting:
            yield at_ns, image.result()


def store(frame: Frame, quality: int) -> StoredFrame:
    """Encode a frame as JPEG of this quality (1 to 100)."""
    _, jpeg = cv2.imencode(".jpg", frame.image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return StoredFrame(index=frame.index, at_ns=frame.at_ns, jpeg=jpeg.tobytes())
