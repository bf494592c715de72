"""The video of a clip: what a browser plays, with the frames' own times."""

from pathlib import Path

import av
import numpy as np
import pytest

from companion.clips.encoder import EncoderSettings, write_mp4
from tests.clips.scene import frame, grey_of


def test_every_frame_at_its_own_time(tmp_path: Path) -> None:
    """Frames that came unevenly are shown unevenly: each pts is the frame's capture time."""
    times_s = [0.0, 0.033, 0.066, 0.2, 0.233, 0.9, 1.0]
    frames = [frame(index, at_s=at_s) for index, at_s in enumerate(times_s)]
    write_mp4(tmp_path / "clip.mp4", [(one.at_ns, one.image) for one in frames])
    with av.open(str(tmp_path / "clip.mp4")) as container:
        shown = list(container.decode(video=0))
    assert [float(one.pts * one.time_base) for one in shown] == pytest.approx(times_s, abs=1e-4)
    greys = [one.to_ndarray(format="bgr24").mean() for one in shown]
    assert greys == pytest.approx([grey_of(index) for index in range(len(frames))], abs=4)


def test_format_that_browsers_play(tmp_path: Path) -> None:
    """H.264, yuv420p, no reordering, the index before the pictures, a key frame at least every half second."""
    path = tmp_path / "clip.mp4"
    write_mp4(path, [(one.at_ns, one.image) for one in map(frame, range(60))])
    written = path.read_bytes()
    assert written.index(b"moov") < written.index(b"mdat")
    with av.open(str(path)) as container:
        stream = container.streams.video[0]
        assert (stream.codec_context.name, stream.codec_context.pix_fmt) == ("h264", "yuv420p")
        packets = [packet for packet in container.demux(video=0) if packet.size]
    assert [packet.pts for packet in packets] == [packet.dts for packet in packets]
    keys = [number for number, packet in enumerate(packets) if packet.is_keyframe]
    assert max(np.diff([*keys, 60])) <= 15


@pytest.mark.parametrize(("given", "written"), [((65, 49), (64, 48)), ((64, 48), (64, 48)), ((200, 100), (100, 50))])
def test_odd_and_big_pictures_are_fitted(tmp_path: Path, given: tuple[int, int], written: tuple[int, int]) -> None:
    """Sizes become even, and pictures wider than allowed are scaled down."""
    frames = [(one.at_ns, one.image) for one in (frame(index, size=given) for index in range(3))]
    write_mp4(tmp_path / "clip.mp4", frames, EncoderSettings(max_width=101))
    with av.open(str(tmp_path / "clip.mp4")) as container:
        assert (container.streams.video[0].width, container.streams.video[0].height) == written
        assert len(list(container.decode(video=0))) == 3


def test_frames_with_the_same_time_stay_in_order(tmp_path: Path) -> None:
    """Two frames with one stamp, as a broken driver gives them, are both kept."""
    one = frame(0)
    write_mp4(tmp_path / "clip.mp4", [(one.at_ns, one.image), (one.at_ns, frame(5).image)])
    with av.open(str(tmp_path / "clip.mp4")) as container:
        assert len(list(container.decode(video=0))) == 2


def test_no_frames_is_an_error(tmp_path: Path) -> None:
    """A clip of nothing is refused, and no file is left."""
    with pytest.raises(ValueError, match="at least one"):
        write_mp4(tmp_path / "clip.mp4", [])
    assert not (tmp_path / "clip.mp4").exists()
