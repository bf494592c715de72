"""Reading a video file: frames with the file's own time stamps, or one sentence."""

from pathlib import Path

import pytest

from companion.assets import CALIBRATION
from companion.vision.video import VideoError, VideoFile

SAMPLE = CALIBRATION / "example" / "table.mp4"


def test_sample_is_read_with_its_time_stamps() -> None:
    """Frames come in order, counted from 0 and stamped from 0 at the file's own rate."""
    video = VideoFile(SAMPLE)
    frames = video.frames()
    first, second = next(frames), next(frames)
    video.close()
    assert (first.index, first.at_ns, second.index) == (0, 0, 1)
    assert second.at_s == pytest.approx(1 / video.facts.fps, abs=1e-3)
    assert first.image.shape == (video.facts.size[1], video.facts.size[0], 3)


def test_absent_file_is_refused(tmp_path: Path) -> None:
    """A file that is not there is refused with its name."""
    with pytest.raises(VideoError, match=r"nowhere\.mp4"):
        VideoFile(tmp_path / "nowhere.mp4")


@pytest.mark.parametrize("content", [b"", b"this is no video", b"\x00\x00\x00\x18ftypmp42" + bytes(64)])
def test_file_that_is_no_video_is_refused(tmp_path: Path, content: bytes) -> None:
    """An empty file, a text and a bare head are refused in one sentence."""
    path = tmp_path / "x.mp4"
    path.write_bytes(content)
    with pytest.raises(VideoError, match="not a video"):
        VideoFile(path)


@pytest.mark.parametrize("share", [0.3, 0.7])
def test_torn_file_is_refused_and_never_read_as_a_short_one(tmp_path: Path, share: float) -> None:
    """A file cut in the middle is refused when it is opened or when the frames run out, not taken for a short video."""
    whole = SAMPLE.read_bytes()
    path = tmp_path / "torn.mp4"
    path.write_bytes(whole[: int(len(whole) * share)])

    def read_all() -> None:
        video = VideoFile(path)
        try:
            for _ in video.frames():
                pass
        finally:
            video.close()

    with pytest.raises(VideoError, match="torn"):
        read_all()
