"""Sources: real time stamps, real time playing, and one sentence for everything that goes wrong."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.vision.frame import NS_PER_S
from companion.vision.source import (
    Device,
    File,
    Source,
    SourceError,
    SourceOver,
    SourceSettings,
    open_source,
    steady_exposure,
    without_password,
)
from tests.watcher.scene import network_camera, write_video


class FakeDriver:
    """A camera's driver: pictures with the stamps that a test gives, then none."""

    def __init__(self, stamps_ms: list[float]) -> None:
        self._stamps_ms = stamps_ms
        self._at = -1
        self.released = False

    def get(self, what: int) -> float:
        """Return the stamp of the grabbed picture, or the promised rate."""
        return 30.0 if what == cv2.CAP_PROP_FPS else self._stamps_ms[min(self._at, len(self._stamps_ms) - 1)]

    def grab(self) -> bool:
        """Take the next picture."""
        self._at += 1
        return self._at < len(self._stamps_ms)

    def retrieve(self) -> tuple[bool, np.ndarray]:
        """Return the picture."""
        return True, np.zeros((2, 2, 3), np.uint8)

    def release(self) -> None:
        """Let go."""
        self.released = True


def device(driver: FakeDriver, now_ns: int) -> Device:
    """Return a camera with this driver at this time."""
    return Device(driver, "0", SourceSettings(), lambda: now_ns)


def drain(source: Source) -> None:
    """Read until the source fails."""
    while True:
        source.read()


def test_stamp_of_the_driver_is_taken() -> None:
    """A stamp on the monotonic clock says when exposure began, and is taken."""
    assert device(FakeDriver([99_960.0]), 100 * NS_PER_S).read().at_ns == 99_960_000_000


@pytest.mark.parametrize("stamp_ms", [0.0, 1_700_000_000_000.0, 90_000.0, 100_001.0])
def test_stamp_of_another_clock_is_not_taken(stamp_ms: float) -> None:
    """A stamp that is nowhere near the monotonic clock is replaced by the time of the grab."""
    assert device(FakeDriver([stamp_ms]), 100 * NS_PER_S).read().at_ns == 100 * NS_PER_S


def test_unplugged_camera_says_what_to_do() -> None:
    """A camera that gives no more pictures is an error that names the cable, and it can be closed."""
    driver = FakeDriver([99_960.0])
    camera = device(driver, 100 * NS_PER_S)
    camera.read()
    with pytest.raises(SourceError, match="cable"):
        camera.read()
    camera.close()
    assert driver.released


@pytest.mark.parametrize("name", ["93", "/dev/v4l/by-id/usb-no-such-camera-index0"])
def test_absent_camera_says_what_to_do(name: str) -> None:
    """A camera that is not there is named, with what to do."""
    with pytest.raises(SourceError, match="plug it in") as refused:
        open_source(name)
    assert name in str(refused.value)


def test_device_that_is_no_camera_is_refused(tmp_path: Path) -> None:
    """A device file that gives no pictures is refused in one sentence."""
    with pytest.raises(SourceError, match="cannot be opened"):
        open_source("/dev/null")
    assert not steady_exposure("/dev/null")
    assert not steady_exposure(str(tmp_path / "none"))


def test_video_plays_by_its_own_stamps(tmp_path: Path) -> None:
    """Pictures that were taken unevenly come unevenly, at their own times on the monotonic clock."""
    times_s = [0.0, 0.03, 0.1, 0.12, 0.3]
    source = open_source(str(write_video(tmp_path / "video.mp4", times_s)))
    found = [source.read().at_ns for _ in times_s]
    assert [(at_ns - found[0]) / NS_PER_S for at_ns in found] == pytest.approx(times_s, abs=1e-3)
    with pytest.raises(SourceOver, match="has ended"):
        source.read()
    source.close()


def test_looped_video_goes_on_in_time(tmp_path: Path) -> None:
    """At its end a looped video begins again, and time goes on."""
    source = open_source(str(write_video(tmp_path / "video.mp4", [0.0, 0.05, 0.1])), loop=True)
    pictures = [source.read() for _ in range(8)]
    steps_ms = np.diff([one.at_ns for one in pictures]) / 1e6
    assert (steps_ms > 0).all()
    assert steps_ms[[0, 1, 3, 4, 6]] == pytest.approx(50, abs=1)
    assert np.allclose(pictures[0].image, pictures[3].image, atol=3)


def test_video_that_runs_late_drops_pictures(tmp_path: Path) -> None:
    """A machine that is too slow loses pictures, as with a camera, and counts them."""
    path = write_video(tmp_path / "video.mp4", [n * 0.05 for n in range(20)])
    now_ns = [0]
    source = File(path, loop=False, settings=SourceSettings(late_s=0.1), monotonic_ns=lambda: now_ns[0])
    source.read()
    now_ns[0] = NS_PER_S // 2
    assert source.read().at_ns == pytest.approx(0.4 * NS_PER_S, abs=1e6)
    assert source.dropped == 7


def test_missing_video_is_named(tmp_path: Path) -> None:
    """A video file that is not there is refused with its name."""
    with pytest.raises(SourceError, match=r"none\.mp4"):
        open_source(str(tmp_path / "none.mp4"))


def test_file_that_is_no_video_is_refused(tmp_path: Path) -> None:
    """A file that is not a video is refused in one sentence."""
    (tmp_path / "text.mp4").write_text("not a video " * 100)
    with pytest.raises(SourceError, match="not a video"):
        open_source(str(tmp_path / "text.mp4"))


def test_stream_gives_pictures_and_breaks_with_a_sentence() -> None:
    """A network camera's pictures arrive in order of time; when it breaks off, the sentence says so."""
    with network_camera() as camera:
        source = open_source(camera.url)
        first, second = source.read(), source.read()
        assert first.image.shape == (120, 160, 3)
        assert second.at_ns > first.at_ns
        camera.break_off()
        with pytest.raises(SourceError, match="broke off"):
            drain(source)
        source.close()


def test_stream_that_hangs_is_given_up() -> None:
    """A network camera that keeps the line open and sends nothing does not keep the reader waiting for ever."""
    settings = SourceSettings(open_timeout_ms=500, read_timeout_ms=300)
    with network_camera() as camera:
        source = open_source(camera.url, settings=settings)
        source.read()
        camera.hung.set()
        with pytest.raises(SourceError, match="broke off"):
            drain(source)
        source.close()
        with pytest.raises(SourceError, match="No picture"):
            open_source(camera.url, settings=settings)


def test_stream_that_is_not_there_hides_its_password() -> None:
    """The sentence about a network camera never shows its password."""
    with pytest.raises(SourceError) as refused:
        open_source("http://anna:secret@127.0.0.1:9/video")
    assert "secret" not in str(refused.value)
    assert without_password("rtsp://anna:secret@cam:554/a?b=c") == "rtsp://cam:554/a?b=c"
