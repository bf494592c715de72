"""The wizard's view of a camera: the newest picture from a lookout process, which is replaced when it dies or hangs."""

import base64
import contextlib
import json
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np

from companion.errors import CompanionError
from companion.vision.frame import Image

SILENCE_S = 6.0
"""A lookout that said nothing for so long hangs: opening a camera takes up to 2.5 s, a lost stream 1.5 s to say so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """The newest picture: JPEG, its number (counts up), px size, measured and nominal rate, mean light 0 to 255."""

    number: int
    jpeg: bytes
    size: tuple[int, int]
    fps: float
    nominal_fps: float
    light: float

    def image(self) -> Image:
        """Return the picture decoded, BGR."""
        decoded = cv2.imdecode(np.frombuffer(self.jpeg, np.uint8), cv2.IMREAD_COLOR)
        return np.asarray(decoded, dtype=np.uint8)


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundHands:
    """The answer to a search for hands: one mapping a hand, or why there is none."""

    hands: tuple[Mapping[str, Any], ...] = ()
    trouble: CompanionError | None = None


@dataclass
class CameraView:
    """One source, looked at by a process of its own; thread-safe."""

    source: str
    size: tuple[int, int] = (1280, 720)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _news: threading.Condition = field(init=False)
    _keeper: threading.Thread = field(init=False)
    _seen: Seen | None = None
    _trouble: CompanionError | None = None
    _hands: FoundHands | None = None
    _heard_s: float = 0.0
    _number: int = 0
    _process: "subprocess.Popen[str] | None" = None
    _stopping: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        """Start looking."""
        self._news = threading.Condition(self._lock)
        self._keeper = threading.Thread(target=self._keep, name="lookout", daemon=True)
        self._keeper.start()

    @property
    def trouble(self) -> CompanionError | None:
        """Return why there is no picture just now."""
        with self._lock:
            return self._trouble

    @property
    def seen(self) -> Seen | None:
        """Return the newest picture, None before the first and while the camera is lost."""
        with self._lock:
            return None if self._trouble else self._seen

    def wait(self, after: int, timeout_s: float) -> Seen | None:
        """Wait for a picture newer than number ``after``; None where none came in time."""
        with self._news:
            self._news.wait_for(lambda: self._seen is not None and self._seen.number > after, timeout_s)
            return self._seen if self._seen is not None and self._seen.number > after else None

    def find_hands(self, layout: Mapping[str, Any], model: str, timeout_s: float = 40.0) -> FoundHands:
        """Let the lookout search for hands for three seconds; returns what it found, or why not."""
        with self._news:
            self._hands = None
            process = self._process
            if process is None or process.stdin is None:
                return FoundHands(trouble=self._trouble or CompanionError("There is no picture yet: wait for it."))
            try:
                process.stdin.write(json.dumps({"layout": dict(layout), "model": model}) + "\n")
                process.stdin.flush()
            except OSError:
                return FoundHands(trouble=CompanionError("The camera was lost: try again when its picture is back."))
            self._heard_s = time.monotonic() + timeout_s
            self._news.wait_for(lambda: self._hands is not None, timeout_s)
            return self._hands or FoundHands(
                trouble=CompanionError("The search for hands took too long: try again, or go on without it.")
            )

    def close(self) -> None:
        """Let go of the camera."""
        self._stopping.set()
        self._keeper.join(5.0)

    def _keep(self) -> None:
        while not self._stopping.is_set():
            process = subprocess.Popen(
                [sys.executable, "-m", "companion.calibration.lookout", self.source, *map(str, self.size)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                start_new_session=True,  # Ctrl-C is for the server, which ends this process in order
            )
            with self._lock:
                self._process, self._heard_s = process, time.monotonic()
            reader = threading.Thread(target=self._read, args=(process,), name="lookout-pictures", daemon=True)
            reader.start()
            while process.poll() is None and not self._stopping.wait(0.2):
                if time.monotonic() - self._heard_s > SILENCE_S:
                    self._lost(CompanionError("The camera does not answer: it is being opened again."))
                    process.kill()
            _end(process)
            reader.join(2.0)
            if not self._stopping.is_set():
                self._lost(CompanionError("The camera stopped by itself; it is being started again."))
                self._stopping.wait(1.0)

    def _read(self, process: "subprocess.Popen[str]") -> None:
        with process.stdout or contextlib.nullcontext(()) as lines:
            for line in lines:
                with contextlib.suppress(ValueError, KeyError):
                    self._take(json.loads(line))

    def _take(self, message: dict[str, Any]) -> None:
        with self._news:
            self._heard_s = max(self._heard_s, time.monotonic())
            if message["say"] == "picture":
                self._number += 1
                self._trouble = None
                self._seen = Seen(
                    number=self._number,
                    jpeg=base64.b64decode(message["jpeg"]),
                    size=(int(message["size"][0]), int(message["size"][1])),
                    fps=float(message["fps"]),
                    nominal_fps=float(message["nominal"]),
                    light=float(message["light"]),
                )
            elif message["say"] == "trouble":
                self._trouble = _as_error(message)
            elif message["say"] == "hands":
                trouble = _as_error(message) if "template" in message else None
                self._hands = FoundHands(hands=tuple(message["found"]), trouble=trouble)
            self._news.notify_all()

    def _lost(self, why: CompanionError) -> None:
        with self._news:
            self._trouble = why
            self._news.notify_all()


def _as_error(message: Mapping[str, Any]) -> CompanionError:
    return CompanionError(message["template"], **message["params"])


def _end(process: "subprocess.Popen[str] | None") -> None:
    if process is None:
        return
    with contextlib.suppress(OSError):
        if process.stdin:
            process.stdin.close()
    try:
        process.wait(1.0)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
