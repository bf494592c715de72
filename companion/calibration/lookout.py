"""`python -m companion.calibration.lookout SOURCE`: show one camera while the table is set up, in a process of its own.

A driver that hangs or crashes here costs the wizard its picture and nothing else. Lines of JSON go out on stdout:
pictures with the measured rate and light, or a sentence about why there is none. Lines come in on stdin: a request to
look for hands. The end of stdin is the end of the process.
"""

import base64
import json
import os
import sys
import threading
import time
from collections import deque
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

import cv2
import numpy as np

from companion.errors import CompanionError
from companion.vision.frame import Image
from companion.vision.source import Source, SourceSettings, open_source


@dataclass(frozen=True, slots=True, kw_only=True)
class LookoutSettings:
    """How often and how well the wizard sees the camera."""

    picture_every_s: float = 0.12
    """Eight pictures a second look alive and cost 1 MB/s between two processes."""
    jpeg_quality: int = 90
    """Markers are read from these pictures: at 90 their corners move by less than 0.05 px."""
    rate_over_s: float = 2.0
    again_s: float = 1.0
    """Time between two tries to open a camera that is lost: it must be back within 5 s of its return."""
    hands_s: float = 3.0
    """How long hands are looked for: people lay them down one after the other."""
    hands_looks: int = 4
    hands_late_s: float = 9.0
    """At least so many pictures are looked at, on a busy machine for so much longer."""


SETTINGS = LookoutSettings()


@dataclass
class Lookout:
    """One camera, read as fast as it gives pictures; the newest is sent now and then."""

    source: str
    size: tuple[int, int]
    out: IO[str]
    settings: LookoutSettings = SETTINGS
    _times: "deque[float]" = field(default_factory=deque)
    _asked: dict[str, Any] | None = None
    _stopping: threading.Event = field(default_factory=threading.Event)

    def run(self) -> None:
        """Look until stdin closes; a camera that fails is opened again."""
        threading.Thread(target=self._listen, name="requests", daemon=True).start()
        while not self._stopping.is_set():
            try:
                source = open_source(self.source, loop=True, settings=SourceSettings(size=self.size))
            except CompanionError as error:
                self._trouble(error)
                self._stopping.wait(self.settings.again_s)
                continue
            try:
                self._watch(source)
            except CompanionError as error:
                self._trouble(error)
                self._stopping.wait(self.settings.again_s)
            finally:
                source.close()

    def _watch(self, source: Source) -> None:
        self._times.clear()
        sent_s = 0.0
        while not self._stopping.is_set():
            image = source.read().image
            now_s = time.monotonic()
            self._times.append(now_s)
            while now_s - self._times[0] > self.settings.rate_over_s:
                self._times.popleft()
            asked, self._asked = self._asked, None
            if asked is not None:
                self._find_hands(source, asked)
                self._times.clear()
                continue
            if now_s - sent_s >= self.settings.picture_every_s:
                sent_s = now_s
                self._show(image, source.fps)

    def _show(self, image: Image, nominal: float) -> None:
        _good, jpeg = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, self.settings.jpeg_quality])
        small = cv2.resize(image, (160, 90), interpolation=cv2.INTER_AREA)
        light = float(np.mean(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY)))
        span = self._times[-1] - self._times[0] if len(self._times) > 1 else 0.0
        self._say(
            say="picture",
            jpeg=base64.b64encode(jpeg.tobytes()).decode("ascii"),
            size=[image.shape[1], image.shape[0]],
            fps=round((len(self._times) - 1) / span, 1) if span > 0.5 else 0.0,
            nominal=round(nominal, 1),
            light=round(light, 1),
        )

    def _find_hands(self, source: Source, asked: dict[str, Any]) -> None:
        from companion.calibration.handsearch import search_hands

        until_s: float | None = None
        looks = 0

        def pictures() -> Image | None:
            # the clock starts with the first picture: loading the model takes seconds of its own
            nonlocal until_s, looks
            now_s = time.monotonic()
            until_s = until_s or now_s + self.settings.hands_s
            late = now_s > until_s + self.settings.hands_late_s
            if late or (now_s > until_s and looks >= self.settings.hands_looks):
                return None
            looks += 1
            return source.read().image

        try:
            self._say(say="hands", found=search_hands(asked["layout"], Path(asked["model"]), pictures))
        except CompanionError as error:
            self._say(say="hands", found=[], sentence=str(error), template=error.template, params=_plain(error))

    def _listen(self) -> None:
        for line in sys.stdin:
            asked = json.loads(line)
            if isinstance(asked, dict) and "layout" in asked:
                self._asked = asked
        self._stopping.set()
        # a driver that hangs in a read must not keep this process
        threading.Timer(2.0, os._exit, (0,)).start()

    def _trouble(self, error: CompanionError) -> None:
        self._say(say="trouble", sentence=str(error), template=error.template, params=_plain(error))

    def _say(self, **message: object) -> None:
        self.out.write(json.dumps(message) + "\n")
        self.out.flush()


def _plain(error: CompanionError) -> dict[str, str]:
    return {name: str(value) for name, value in error.params.items()}


def main() -> None:
    """Look at the source named on the command line, asked for at the width and height that follow."""
    os.environ.setdefault("OPENCV_VIDEOIO_V4L_SELECT_TIMEOUT", "2")
    out = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    size = (int(sys.argv[2]), int(sys.argv[3])) if len(sys.argv) > 3 else (1280, 720)
    Lookout(sys.argv[1], size, out).run()


if __name__ == "__main__":
    main()
