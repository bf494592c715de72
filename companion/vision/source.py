"""Where pictures come from: a camera, a network stream, or a video file played at its own speed.

The only way to a live source. A source is opened, read and closed by one thread; every failure is a `SourceError`
whose sentence says what to do.
"""

import fcntl
import os
import re
import struct
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol
from urllib.parse import urlsplit

import cv2
import numpy as np

from companion.errors import CompanionError
from companion.vision.frame import NS_PER_S, Frame, Image
from companion.vision.video import VideoFile

NS_PER_MS = 1_000_000


class SourceError(CompanionError):
    """There is no picture; trying again may help once somebody has done what the sentence says."""


class SourceSilent(SourceError):
    """The source was open and gives nothing any more; on a computer that is too busy it may be well."""


class SourceOver(SourceError):
    """The source has no more pictures, and trying again by itself would not be right."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceSettings:
    """How a source is opened."""

    size: tuple[int, int] = (1280, 720)
    """Width and height in px that a camera is asked for: those of the layout."""
    fps: float = 60.0
    """Frames a second that a camera is asked for; it gives the nearest that it can."""
    open_timeout_ms: int = 2500
    read_timeout_ms: int = 1500
    """A stream that is silent for so long is lost; the table must hear of it within 2 s."""
    stamp_age_s: float = 1.0
    """A driver's stamp is trusted when it is this near to now on the monotonic clock; another clock is far off."""
    late_s: float = 0.25
    """A file's frame that would be shown later than this is dropped, as a camera's would be."""


@dataclass(frozen=True, slots=True)
class Picture:
    """One picture of a source; ``at_ns`` is its capture time on the monotonic clock."""

    at_ns: int
    image: Image


class Source(Protocol):
    """Something that gives pictures in real time."""

    fps: float
    """Nominal frames a second, 0 where it is not known."""
    dropped: int
    """Pictures that came and could not be taken in time."""

    def read(self) -> Picture:
        """Wait for the next picture; raise `SourceError` when there is none."""
        ...

    def close(self) -> None:
        """Let go of the device."""
        ...


def open_source(
    name: str,
    *,
    loop: bool = False,
    settings: SourceSettings | None = None,
    monotonic_ns: Callable[[], int] = time.monotonic_ns,
) -> Source:
    """Open a camera (number or ``/dev`` path), a URL or a video file; raise `SourceError` with what to do."""
    settings = settings or SourceSettings()
    if re.fullmatch(r"\d+", name) or name.startswith("/dev/"):
        return Device(_open_device(name, settings), name, settings, monotonic_ns)
    if "://" in name:
        return Stream(_open_stream(name, settings), name, monotonic_ns)
    return File(Path(name), loop=loop, settings=settings, monotonic_ns=monotonic_ns)


class Device:
    """A camera at this machine, stamped by its driver where that uses the monotonic clock."""

    def __init__(
        self, capture: cv2.VideoCapture, name: str, settings: SourceSettings, monotonic_ns: Callable[[], int]
    ) -> None:
        self._capture = capture
        self._name = name
        self._settings = settings
        self._monotonic_ns = monotonic_ns
        self.fps = max(float(capture.get(cv2.CAP_PROP_FPS)), 0.0)
        self.dropped = 0

    def read(self) -> Picture:
        """Wait for the camera's next picture."""
        grabbed = self._capture.grab()
        at_ns = self._stamp(self._monotonic_ns())
        good, image = self._capture.retrieve() if grabbed else (False, None)
        if not good or image is None:
            raise SourceSilent(
                "The camera {source} stopped giving pictures; check its cable, or plug it in again.", source=self._name
            )
        return Picture(at_ns, np.asarray(image, dtype=np.uint8))

    def close(self) -> None:
        """Let go of the camera; its light goes out."""
        self._capture.release()

    def _stamp(self, now_ns: int) -> int:
        """Return the driver's stamp (V4L2: start of exposure), or now where it is on another clock."""
        stamp_ns = round(float(self._capture.get(cv2.CAP_PROP_POS_MSEC)) * NS_PER_MS)
        age_ns = now_ns - stamp_ns
        return stamp_ns if 0 <= age_ns <= self._settings.stamp_age_s * NS_PER_S else now_ns


class Stream:
    """A network camera, stamped when a picture arrives."""

    fps = 0.0

    def __init__(self, capture: cv2.VideoCapture, name: str, monotonic_ns: Callable[[], int]) -> None:
        self._capture = capture
        self._name = name
        self._monotonic_ns = monotonic_ns
        self.dropped = 0

    def read(self) -> Picture:
        """Wait for the stream's next picture, no longer than the read timeout."""
        grabbed = self._capture.grab()
        at_ns = self._monotonic_ns()
        good, image = self._capture.retrieve() if grabbed else (False, None)
        if not good or image is None:
            raise SourceSilent(
                "The stream {source} broke off; check that the camera is on and in the network.",
                source=without_password(self._name),
            )
        return Picture(at_ns, np.asarray(image, dtype=np.uint8))

    def close(self) -> None:
        """Hang up."""
        self._capture.release()


class File:
    """A video file played at its own speed: its own time stamps laid on the monotonic clock."""

    def __init__(
        self, path: Path, *, loop: bool, settings: SourceSettings, monotonic_ns: Callable[[], int] = time.monotonic_ns
    ) -> None:
        self._path = path
        self._loop = loop
        self._settings = settings
        self._monotonic_ns = monotonic_ns
        self._video = self._opened()
        self.fps = self._video.facts.fps
        self.dropped = 0
        self._start_ns = monotonic_ns()
        self._last_ns = 0
        self._frames = self._video.frames()

    def read(self) -> Picture:
        """Wait until it is the next frame's time."""
        late_ns = self._settings.late_s * NS_PER_S
        while True:
            frame = self._next()
            self._last_ns = frame.at_ns
            at_ns = self._start_ns + frame.at_ns
            ahead_ns = at_ns - self._monotonic_ns()
            if ahead_ns < -late_ns:
                self.dropped += 1
                continue
            if ahead_ns > 0:
                time.sleep(ahead_ns / NS_PER_S)
            return Picture(at_ns, frame.image)

    def close(self) -> None:
        """Let go of the file."""
        self._video.close()

    def _next(self) -> Frame:
        try:
            frame = next(self._frames, None)
        except CompanionError as error:
            raise SourceOver(error.template, **error.params) from error
        if frame is not None:
            return frame
        if not self._loop:
            raise SourceOver("The video {source} has ended; start it again, or choose a camera.", source=self._path)
        return self._rewound()

    def _rewound(self) -> Frame:
        self._video.close()
        self._video = self._opened()
        self._frames = self._video.frames()
        self._start_ns += self._last_ns + round(NS_PER_S / self.fps)
        self._last_ns = 0
        return self._next()

    def _opened(self) -> VideoFile:
        try:
            return VideoFile(self._path)
        except CompanionError as error:
            raise SourceError(error.template, **error.params) from error


def without_password(url: str) -> str:
    """Return the URL as it may be shown: without a user's name and password."""
    parts = urlsplit(url)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()


def _open_device(name: str, settings: SourceSettings) -> cv2.VideoCapture:
    path = name if name.startswith("/dev/") else f"/dev/video{name}"
    if not Path(path).exists():
        raise SourceError("There is no camera {source}; plug it in, or choose another one.", source=name)
    if not os.access(path, os.R_OK | os.W_OK):
        raise SourceError(
            "This user may not open the camera {source}; add the user to the group 'video' and log in again.",
            source=name,
        )
    steady_exposure(path)
    # MJPG: over USB 2 raw pictures leave room for 10 frames a second at 720p
    wishes = [
        *(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG")),
        *(cv2.CAP_PROP_FRAME_WIDTH, settings.size[0]),
        *(cv2.CAP_PROP_FRAME_HEIGHT, settings.size[1]),
        *(cv2.CAP_PROP_FPS, round(settings.fps)),
    ]
    capture = cv2.VideoCapture()
    # the path may be a link under /dev/v4l/by-id, which stays the same when cameras are plugged in another order
    opened = _open(capture, os.path.realpath(path), cv2.CAP_V4L2, [])
    if not opened:
        raise SourceError(
            "The camera {source} cannot be opened; close every other program that uses it, or plug it in again.",
            source=name,
        )
    for wish, value in zip(wishes[::2], wishes[1::2], strict=True):
        capture.set(wish, value)
    return capture


def _open_stream(name: str, settings: SourceSettings) -> cv2.VideoCapture:
    capture = cv2.VideoCapture()
    timeouts = [
        *(cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, settings.open_timeout_ms),
        *(cv2.CAP_PROP_READ_TIMEOUT_MSEC, settings.read_timeout_ms),
    ]
    if not _open(capture, name, cv2.CAP_FFMPEG, timeouts):
        raise SourceError(
            "No picture from {source}; check that the camera is on, in the network, and that the address is right.",
            source=without_password(name),
        )
    return capture


def _open(capture: cv2.VideoCapture, name: str, backend: int, parameters: list[int]) -> bool:
    try:
        return bool(capture.open(name, backend, parameters))
    except cv2.error:
        return False


def steady_exposure(path: str) -> bool:
    """Switch `exposure_dynamic_framerate` off, which halves the frame rate in dim light; return whether that worked.

    V4L2_CID_EXPOSURE_AUTO_PRIORITY by VIDIOC_S_CTRL, both from linux/v4l2-controls.h and linux/videodev2.h.
    """
    vidioc_s_ctrl, auto_priority = 0xC008561C, 0x009A0903
    try:
        device = os.open(path, os.O_RDWR | os.O_NONBLOCK)
    except OSError:
        return False
    try:
        fcntl.ioctl(device, vidioc_s_ctrl, struct.pack("=Ii", auto_priority, 0))
    except OSError:
        return False
    finally:
        os.close(device)
    return True
