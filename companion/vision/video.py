"""Read a video file frame by frame, each with the file's own time stamp."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from companion.errors import CompanionError
from companion.vision.frame import NS_PER_S, Frame

TORN_SHARE = 0.98
"""A file that yields fewer of the frames it announces than this is torn; containers miscount by a frame or two."""
ALLOWED_MISSING = 3


class VideoError(CompanionError):
    """The file is not a video that can be read to its end."""


@dataclass(frozen=True, slots=True)
class VideoFacts:
    """What the file's head says: frames announced (0: unknown), nominal frames a second, width and height in px."""

    frames: int
    fps: float
    size: tuple[int, int]


class VideoFile:
    """A video file, opened; iterate once over ``frames()``.

    Raises VideoError in one sentence: not there, not a video, or torn in the middle.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        if not path.is_file():
            raise VideoError("There is no video file {path}; check the name.", path=path)
        # colour conversion and decoding in OpenCV; its own log lines would stand beside our one sentence
        cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
        try:
            self._capture = cv2.VideoCapture(str(path), cv2.CAP_FFMPEG)
        except cv2.error as error:
            raise self._not_a_video() from error
        width = int(self._capture.get(cv2.CAP_PROP_FRAME_WIDTH))
        height = int(self._capture.get(cv2.CAP_PROP_FRAME_HEIGHT))
        if not self._capture.isOpened() or width <= 0 or height <= 0:
            raise self._not_a_video()
        count = self._capture.get(cv2.CAP_PROP_FRAME_COUNT)
        fps = self._capture.get(cv2.CAP_PROP_FPS)
        self.facts = VideoFacts(
            frames=max(int(count), 0) if count < 1e9 else 0,
            fps=float(fps) if 0 < fps < 1000 else 30.0,
            size=(width, height),
        )

    def frames(self) -> Iterator[Frame]:
        """Yield every frame in order; times count from the first frame, by the frames' own stamps, never backwards."""
        index, first_ms, last_ns = 0, 0.0, -1
        while True:
            try:
                good, image = self._capture.read()
            except cv2.error:
                good, image = False, None
            if not good or image is None:
                break
            at_ms = float(self._capture.get(cv2.CAP_PROP_POS_MSEC))
            if index == 0:
                first_ms = at_ms
            at_ns = round((at_ms - first_ms) * NS_PER_S / 1000)
            if at_ns <= last_ns:  # a stamp that is missing or runs back: keep the order, at the nominal rate
                at_ns = last_ns + round(NS_PER_S / self.facts.fps)
            last_ns = at_ns
            yield Frame(index, at_ns, np.asarray(image, dtype=np.uint8))
            index += 1
        self._check_whole(index)

    def close(self) -> None:
        """Let go of the file."""
        self._capture.release()

    def _check_whole(self, read: int) -> None:
        if read == 0:
            raise self._not_a_video()
        announced = self.facts.frames
        if announced and read < min(announced * TORN_SHARE, announced - ALLOWED_MISSING):
            raise VideoError(
                "The video {path} is torn: only {read} of its {announced} frames can be read; copy it again from the "
                "camera, or cut it to the good part.",
                path=self._path,
                read=read,
                announced=announced,
            )

    def _not_a_video(self) -> VideoError:
        return VideoError(
            "{path} is not a video that can be read, or it is torn; copy it again, or convert it to MP4 (H.264).",
            path=self._path,
        )
