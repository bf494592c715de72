"""What a watch command comes to: the real analysis, the real slaps, on the sample clip."""

import json
from dataclasses import replace
from pathlib import Path

import av
import pytest

from companion import handmodel
from companion.assets import CALIBRATION
from companion.clips.buffer import StoredFrames, store
from companion.clips.clip import read_clip
from companion.errors import CompanionError
from companion.vision.video import VideoFile
from companion.watcher.messages import ClipReport, EventReport, TimeSlaps, Watch, WatchState
from companion.watcher.plan import plan_watching
from companion.watcher.supervisor import Supervisor
from tests.watcher.scene import LAYOUT, Heard

SAMPLE = CALIBRATION / "example"
WATCH = Watch(
    source=str(SAMPLE / "table.mp4"),
    layout=json.loads((SAMPLE / "layout.json").read_text(encoding="utf-8")),
    clips="unused",
    analyse=False,
)


def test_slaps_of_the_sample_are_put_in_order() -> None:
    """Frames as the ring keeps them, looked back at from the tap, give the sample's slaps in their order."""
    frames = [store(frame, 90) for frame in VideoFile(SAMPLE / "table.mp4").frames() if 150 <= frame.index <= 386]
    question = TimeSlaps(id=1, entered_ns=frames[-1].at_ns, by=2)
    report = plan_watching(WATCH).find_slaps(StoredFrames(frames), question)
    assert [slap.seat for slap in report.order] == [1, 0, 3]
    assert (report.id, report.by, report.last) == (1, 2, 3)
    assert all(slap.at_ns and slap.error_s for slap in report.order)


@pytest.mark.models
def test_sample_is_watched_from_picture_to_clip(tmp_path: Path) -> None:
    """The whole watcher on the sample: a movement is flagged, and its clip plays and holds the movement."""
    model = handmodel.cached()
    if model is None:
        pytest.skip("the hand model is not cached; run: cheating-moth models")
    heard = Heard()
    supervisor = Supervisor(on_report=heard.hear)
    supervisor.send(replace(WATCH, model=str(model), clips=str(tmp_path), analyse=True, loop=True))
    supervisor.start()
    try:
        heard.until(WatchState.WATCHING)
        event = heard.next(EventReport, patience_s=120)
        report = heard.next(ClipReport)
    finally:
        supervisor.stop()
    assert report.id == event.id
    clip = read_clip(Path(report.folder))
    assert clip.start_ns < event.start_ns
    assert clip.end_ns > event.end_ns
    with av.open(str(clip.video)) as video:
        assert len(list(video.decode(video=0))) == report.frames


def test_missing_model_and_unknown_sensitivity_are_refused() -> None:
    """A watch command that cannot be followed is refused in one sentence."""
    with pytest.raises(CompanionError, match="cheating-moth models"):
        plan_watching(replace(WATCH, analyse=True, model="/nonexistent.task"))
    with pytest.raises(CompanionError, match="normal"):
        plan_watching(replace(WATCH, sensitivity="loud"))


def test_bad_layout_is_refused() -> None:
    """A layout that lacks a field is refused with the field's name."""
    with pytest.raises(CompanionError, match="seats"):
        plan_watching(replace(WATCH, layout={key: value for key, value in LAYOUT.items() if key != "seats"}))
