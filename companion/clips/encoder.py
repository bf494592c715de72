"""Write a video that a browser plays: H.264, yuv420p, the index in front, a key frame every half second.

The only module that writes with PyAV, whose wheel carries libx264. OpenCV's wheel cannot write H.264.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import av
import cv2
import numpy as np

from companion.vision.frame import NS_PER_S, Image


@dataclass(frozen=True, slots=True, kw_only=True)
class EncoderSettings:
    """How a clip is encoded. CPU a frame at 720p: ultrafast 3.3 ms, superfast 5.6 ms."""

    preset: str = "ultrafast"
    """The clip has to be there while the Guard may still call: beside the analysis 120 frames took 1.6 s instead of
    2.5 s with superfast; the file is 35 % bigger, which a home network does not notice."""
    crf: int = 23
    """x264's constant quality; the exact frames are beside the clip, so its own default will do."""
    gop: int = 15
    """Frames between key frames: half a second at 30 frames a second, so that stepping and seeking are quick."""
    max_width: int = 1280
    """Wider pictures are scaled down: tablets show no more, and the exact frames keep every pixel."""
    threads: int = 1
    """One: capture and analysis need the other cores more (two threads were no faster here)."""


_TIME_BASE = Fraction(1, 90_000)


def write_mp4(path: Path, frames: Iterable[tuple[int, Image]], settings: EncoderSettings | None = None) -> None:
    """Encode pictures (capture time in ns, BGR) to ``path``, each shown from its own capture time on.

    Times must rise; the first picture is at 0. Raises OSError when the disk is full, ValueError without a picture.
    """
    settings = settings or EncoderSettings()
    source = iter(frames)
    first = next(source, None)
    if first is None:
        raise ValueError("a clip needs at least one frame")
    first_ns, image = first
    width, height = _even_size(image, settings.max_width)
    with av.open(str(path), "w", format="mp4", options={"movflags": "+faststart"}) as container:
        stream = container.add_stream("libx264", rate=30)
        stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
        stream.codec_context.time_base = stream.time_base = _TIME_BASE
        stream.codec_context.thread_count = settings.threads
        stream.options = {
            "preset": settings.preset,
            "crf": str(settings.crf),
            "g": str(settings.gop),
            "bf": "0",  # without B-frames every frame is shown in the order it is stored: exact stepping
        }
        last_pts = -1
        for at_ns, picture in _chain((first_ns, image), source):
            # OpenCV's conversion takes a third of the time of the one in FFmpeg's scaler
            planes = np.asarray(cv2.cvtColor(_fit(picture, width, height), cv2.COLOR_BGR2YUV_I420), dtype=np.uint8)
            shown = av.VideoFrame.from_ndarray(planes, format="yuv420p")
            last_pts = max(round((at_ns - first_ns) * _TIME_BASE.denominator / NS_PER_S), last_pts + 1)
            shown.pts, shown.time_base = last_pts, _TIME_BASE
            container.mux(stream.encode(shown))
        container.mux(stream.encode(None))


def _chain(first: tuple[int, Image], rest: Iterable[tuple[int, Image]]) -> Iterable[tuple[int, Image]]:
    yield first
    yield from rest


def _even_size(image: Image, max_width: int) -> tuple[int, int]:
    """Return width and height as yuv420p needs them: even, no wider than ``max_width``."""
    height, width = image.shape[:2]
    scale = min(1.0, max_width / width)
    return max(2, int(width * scale) // 2 * 2), max(2, int(height * scale) // 2 * 2)


def _fit(image: Image, width: int, height: int) -> Image:
    if image.shape[1] in (width, width + 1) and image.shape[0] in (height, height + 1):
        return np.ascontiguousarray(image[:height, :width])
    return np.asarray(cv2.resize(image, (width, height), interpolation=cv2.INTER_AREA), dtype=np.uint8)
