"""What the watcher's tests watch: small videos, a network camera on the loopback, and a layout that fits them."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, TypeVar

import cv2
import numpy as np

from companion.clips.encoder import write_mp4
from companion.vision.frame import NS_PER_S
from companion.watcher.messages import Report, StatusReport, WatchState

PATIENCE_S = 30
"""Far above any time in here: a test that waits this long has failed."""
SIZE = (160, 120)

LAYOUT: dict[str, Any] = {
    "version": 1,
    "image_size": list(SIZE),
    "camera": {"hfov_deg": 70.0},
    "table": {"shape": "rectangle", "width_mm": 1200, "depth_mm": 800},
    "outline_px": [[10.0, 110.0], [150.0, 110.0], [120.0, 40.0], [40.0, 40.0]],
    "seats": [{"seat": 0, "edge_mm": [0, -400]}, {"seat": 1, "edge_mm": [-600, 0]}, {"seat": 2, "edge_mm": [600, 0]}],
    "discard_mm": [0, 0],
    "draw_mm": [-110, 0],
}

AnyReport = TypeVar("AnyReport", bound=Report)


def picture(grey: int) -> np.ndarray:
    """Return a picture of one grey."""
    return np.full((SIZE[1], SIZE[0], 3), grey, np.uint8)


def write_video(path: Path, times_s: list[float]) -> Path:
    """Write a video with one picture at each time; greys rise by 10 from 20."""
    write_mp4(path, [(round(at_s * NS_PER_S), picture(20 + 10 * (n % 20))) for n, at_s in enumerate(times_s)])
    return path


class Heard:
    """What was reported, in order; every wait is for a report, never for a time."""

    def __init__(self) -> None:
        self._reports: list[Report] = []
        self._came = threading.Condition()

    def hear(self, report: Report) -> None:
        """Take a report, from any thread."""
        with self._came:
            self._reports.append(report)
            self._came.notify_all()

    def next(self, kind: type[AnyReport], patience_s: float = PATIENCE_S) -> AnyReport:
        """Return the next report of this kind; those of other kinds stay for later."""
        with self._came:
            if not self._came.wait_for(lambda: self._has(kind), patience_s):
                raise AssertionError(f"no {kind.__name__} came, but {self._reports[-3:]}")
            found = next(report for report in self._reports if isinstance(report, kind))
            self._reports.remove(found)
            return found

    def until(self, state: WatchState) -> StatusReport:
        """Return the next status with this state."""
        return self.status(lambda report: report.state is state)

    def status(self, wanted: Callable[[StatusReport], object]) -> StatusReport:
        """Return the next status that is wanted."""
        end_s = time.monotonic() + PATIENCE_S
        while not wanted(report := self.next(StatusReport)):
            if time.monotonic() > end_s:
                raise AssertionError(f"never what was wanted, but {report}")
        return report

    def rest(self) -> list[Report]:
        """Return what was reported and not asked for yet."""
        with self._came:
            return list(self._reports)

    def forget(self) -> None:
        """Forget what was reported so far."""
        with self._came:
            self._reports.clear()

    def _has(self, kind: type[Report]) -> bool:
        return any(isinstance(report, kind) for report in self._reports)


class NetworkCamera:
    """An MJPEG camera on the loopback that can be broken, hung and mended."""

    def __init__(self, shown: np.ndarray | None = None) -> None:
        self.hung = threading.Event()
        self._jpeg = b""
        self.show(picture(100) if shown is None else shown)
        self._broken = threading.Event()
        self._port = 0
        self._server: ThreadingHTTPServer | None = None

    @property
    def url(self) -> str:
        """Return the camera's address; it stays the same when the camera is broken and mended."""
        return f"http://127.0.0.1:{self._port}/video.mjpg"

    def show(self, shown: np.ndarray) -> None:
        """Give this picture from now on."""
        self._jpeg = cv2.imencode(".jpg", shown, [cv2.IMWRITE_JPEG_QUALITY, 92])[1].tobytes()

    def part(self) -> bytes:
        """Return the present picture as a part of the stream."""
        head = b"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n" % len(self._jpeg)
        return head + self._jpeg + b"\r\n"

    def mend(self) -> None:
        """Serve pictures from now on."""
        self._broken.clear()
        self._server = ThreadingHTTPServer(("127.0.0.1", self._port), _serving(self, self._broken))
        self._server.daemon_threads = True
        self._port = self._server.server_port
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    def break_off(self) -> None:
        """End every connection and accept none."""
        self._broken.set()
        if self._server:
            self._server.shutdown()
            self._server.server_close()


def _serving(camera: NetworkCamera, broken: threading.Event) -> type[BaseHTTPRequestHandler]:
    class Serve(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            """Send pictures until the camera breaks; none while it hangs."""
            self.send_response(200)
            self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
            self.end_headers()
            try:
                while not broken.wait(0.04):
                    if not camera.hung.is_set():
                        self.wfile.write(camera.part())
            except OSError:
                return

        def log_message(self, *_args: object) -> None:
            """Say nothing."""

    return Serve


@contextmanager
def network_camera(shown: np.ndarray | None = None) -> Iterator[NetworkCamera]:
    """Serve a camera for one test."""
    camera = NetworkCamera(shown)
    camera.mend()
    try:
        yield camera
    finally:
        camera.break_off()
