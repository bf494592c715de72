"""The watcher in one piece, with a pipeline and a camera of the test's own: what it says and what it keeps."""

import shutil
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

import av
import pytest

from companion.clips.clip import read_clip
from companion.clips.library import ClipLibrary
from companion.errors import CompanionError
from companion.vision.events import Context, Event, EventKind, Side
from companion.vision.frame import NS_PER_S, Frame
from companion.vision.layout import parse_layout
from companion.vision.source import Picture, Source, SourceError, open_source
from companion.watcher.capture import CaptureStatus, too_few
from companion.watcher.messages import (
    ClipReport,
    EventReport,
    KeepClip,
    Pause,
    PictureReport,
    Report,
    Resume,
    SetContext,
    SlapsReport,
    SlapTime,
    TakePicture,
    TimeSlaps,
    TroubleReport,
    Watch,
    WatchState,
)
from companion.watcher.process import Watcher
from companion.watcher.settings import WatcherSettings
from companion.watcher.turns import Turns
from companion.watcher.watching import Plan, Watching
from companion.words import say
from tests.watcher.scene import LAYOUT, PATIENCE_S, SIZE, Heard, network_camera, picture

WATCH = Watch(source="test", layout=LAYOUT, clips="unused")


class TestCamera:
    """A camera that gives 50 pictures a second until it is unplugged."""

    __test__ = False

    def __init__(self, size: tuple[int, int] = SIZE) -> None:
        self.fps = 0.0
        self.dropped = 0
        self.size = size
        self.unplugged = threading.Event()
        self.open = 0
        self.stamps: list[int] = []

    def opened(self) -> Source:
        """Open the camera."""
        if self.unplugged.is_set():
            raise SourceError("There is no camera {source}; plug it in, or choose another one.", source="test")
        self.open += 1
        return self

    def read(self) -> Picture:
        """Wait for the next picture."""
        time.sleep(0.02)
        if self.unplugged.is_set():
            raise SourceError("The camera stopped giving pictures; check its cable.")
        self.stamps.append(time.monotonic_ns())
        return Picture(self.stamps[-1], picture(100)[: self.size[1], : self.size[0]])

    def close(self) -> None:
        """Let go of the camera."""
        self.open -= 1


class Scripted:
    """A pipeline that does what a test says with each frame."""

    def __init__(self, look: Callable[[Frame, Context], list[Event]]) -> None:
        self._look = look
        self.analysed = 0

    def feed(self, frame: Frame, context: Context) -> list[Event]:
        """Look at a frame as the test says."""
        self.analysed += 1
        return self._look(frame, context)


def event_at(frame: Frame, seat: int = 1) -> Event:
    """Return an event that ends with this frame."""
    return Event(
        kind=EventKind.HAND_BELOW_TABLE,
        seat=seat,
        side=Side.LEFT,
        start_ns=frame.at_ns - NS_PER_S // 2,
        end_ns=frame.at_ns,
        raised_ns=frame.at_ns,
        confidence=0.8,
        reasons=(say("The left hand went below the table."),),
    )


def no_slaps(frames: Sequence[Frame], question: TimeSlaps) -> SlapsReport:
    """See no slap."""
    assert [frame.index for frame in frames] == list(range(frames[0].index, frames[0].index + len(frames)))
    return SlapsReport(
        id=question.id, entered_ns=question.entered_ns, by=question.by, reasons=(say("Nobody slapped."),)
    )


class Table:
    """A watcher on a test's camera, with what it says."""

    def __init__(self, clips: Path, turns: Turns | None = None) -> None:
        self.camera = TestCamera()
        self.heard = Heard()
        self.look: Callable[[Frame, Context], list[Event]] = lambda _frame, _context: []
        self.made = 0
        self.plan = Plan(
            layout=parse_layout(dict(LAYOUT)),
            library=ClipLibrary(clips),
            open_source=self.camera.opened,
            make_pipeline=self._pipeline,
            find_slaps=no_slaps,
        )
        self.watcher = Watcher(self.heard.hear, lambda _watch: self.plan, turns=turns)

    def _pipeline(self) -> Scripted:
        self.made += 1
        return Scripted(self.look)

    def watch(self) -> None:
        """Watch until pictures come."""
        self.watcher.obey(WATCH)
        self.heard.until(WatchState.WATCHING)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    """A table that is not watched yet."""
    made = Table(tmp_path / "clips")
    yield made
    made.watcher.close()
    assert made.camera.open == 0, "the camera is closed in the end"


def once(look: Callable[[Frame], list[Event]], after: int = 30) -> Callable[[Frame, Context], list[Event]]:
    """Return a pipeline's look that finds something in one frame, after so many frames."""
    done = threading.Event()

    def looking(frame: Frame, _context: Context) -> list[Event]:
        if frame.index < after or done.is_set():
            return []
        done.set()
        return look(frame)

    return looking


def test_event_becomes_report_and_clip(table: Table) -> None:
    """What the vision raises is told at once; then its clip is complete, with every frame of its window."""
    table.look = once(lambda frame: [event_at(frame)], after=50)
    table.watch()
    event = table.heard.next(EventReport)
    assert (event.kind, event.seat, event.side) == ("hand_below_table", 1, "left")
    report = table.heard.next(ClipReport)
    assert report.id == event.id
    clip = read_clip(Path(report.folder))
    kept = [frame.at_ns for frame in clip.frames]
    start_ns, end_ns = event.start_ns - round(1.5 * NS_PER_S), event.end_ns + NS_PER_S
    assert kept == [at_ns for at_ns in table.camera.stamps if start_ns <= at_ns <= end_ns]
    assert clip.end_ns > event.end_ns + 0.9 * NS_PER_S
    with av.open(str(clip.video)) as video:
        assert len(list(video.decode(video=0))) == report.frames == len(kept)
    assert clip.moments[0].id == event.id


def test_events_at_the_same_time_share_a_clip(table: Table) -> None:
    """Two events at once are two reports with one clip."""
    table.look = once(lambda frame: [event_at(frame, 1), event_at(frame, 2)])
    table.watch()
    events = {table.heard.next(EventReport).id, table.heard.next(EventReport).id}
    clips = [table.heard.next(ClipReport), table.heard.next(ClipReport)]
    assert {clip.id for clip in clips} == events
    assert clips[0].folder == clips[1].folder


def test_slow_analysis_skips_frames_and_loses_none(table: Table) -> None:
    """However long a frame takes to analyse, capture goes on: every picture is in the ring."""
    seen: list[int] = []
    enough = threading.Event()

    def slowly(frame: Frame, _context: Context) -> list[Event]:
        seen.append(frame.index)
        time.sleep(0.3)
        if len(seen) == 4:
            enough.set()
        return []

    table.look = slowly
    table.watch()
    assert enough.wait(PATIENCE_S)
    table.watcher.obey(KeepClip("all", table.camera.stamps[0], table.camera.stamps[-1]))
    clip = read_clip(Path(table.heard.next(ClipReport).folder))
    kept = [frame.at_ns for frame in clip.frames]
    assert kept == table.camera.stamps[: len(kept)]
    assert max(after - before for before, after in pairwise(seen)) > 1


def test_failing_analysis_is_said_once_and_goes_on(table: Table) -> None:
    """A frame whose analysis fails is trouble, once; later frames are looked at, and clips are still kept."""
    find = once(lambda frame: [event_at(frame)], after=40)

    def failing(frame: Frame, context: Context) -> list[Event]:
        if frame.index % 2:
            raise ZeroDivisionError
        return find(frame, context)

    table.look = failing
    table.watch()
    assert "could not be looked at" in table.heard.next(TroubleReport).sentence
    table.heard.next(EventReport)
    table.heard.next(ClipReport)
    assert [report for report in table.heard.rest() if isinstance(report, TroubleReport)] == []


def test_pipeline_that_fails_all_the_time_is_made_anew(table: Table) -> None:
    """When every frame fails, a fresh pipeline is tried, and the status says what is wrong."""

    def failing(_frame: Frame, _context: Context) -> list[Event]:
        if table.made < 2:
            raise ZeroDivisionError
        return []

    table.look = failing
    table.watch()
    table.heard.status(lambda report: report.analysed_fps > 0)
    assert table.made == 2


def test_analysis_that_cannot_start_is_said_and_recording_goes_on(table: Table) -> None:
    """Without a usable model the table is still recorded, and the status says what to do."""

    def no_model() -> Scripted:
        raise CompanionError("There is no hand model at {path}; run: cheating-moth models", path="x")

    table.plan = replace(table.plan, make_pipeline=no_model)
    table.watch()
    table.heard.status(lambda report: "cheating-moth models" in report.sentence)
    table.watcher.obey(TakePicture())
    assert table.heard.next(PictureReport).jpeg


def test_pictures_of_the_wrong_size_are_said(table: Table) -> None:
    """A camera that gives other pictures than the layout was made for is not analysed, and the sentence says so."""
    looked: list[Frame] = []
    table.look = lambda frame, _context: looked.append(frame) or []  # type: ignore[func-returns-value]
    table.camera.size = (80, 60)
    table.watch()
    table.heard.status(lambda report: "80 x 60" in report.sentence)
    assert looked == []


def test_context_reaches_the_pipeline(table: Table) -> None:
    """What the rules know is with the frames that come after, also when it was said before watching began."""
    known: list[Context] = []
    table.look = lambda _frame, context: known.append(context) or []  # type: ignore[func-returns-value]
    table.watcher.obey(SetContext(guard=2, turn=1))
    table.watch()
    table.watcher.obey(SetContext(guard=0, turn=1, dispute=True))
    table.heard.status(lambda _report: known and known[-1] == Context(turn=1, guard=0, dispute=True))
    assert known[0].guard in {0, 2}


def test_unplugged_camera_is_lost_and_found(table: Table) -> None:
    """An unplugged camera is `lost` with its sentence; plugged in again, watching goes on by itself."""
    table.watch()
    table.camera.unplugged.set()
    assert table.heard.until(WatchState.LOST).sentence
    table.camera.unplugged.clear()
    assert table.heard.until(WatchState.WATCHING).sentence == ""


def test_broken_and_hung_stream_is_lost_and_found(table: Table) -> None:
    """A network camera that breaks off, or hangs, is `lost` with a sentence, and found again when it is back."""
    with network_camera() as camera:
        table.plan = replace(table.plan, open_source=partial(open_source, camera.url))
        table.watch()
        camera.break_off()
        assert "network" in table.heard.until(WatchState.LOST).sentence
        camera.mend()
        table.heard.until(WatchState.WATCHING)
        camera.hung.set()
        assert table.heard.until(WatchState.LOST).sentence
        camera.hung.clear()
        table.heard.until(WatchState.WATCHING)


class Busy(Turns):
    """Turns of a process that does not get its turn."""

    def tick(self, due_s: float) -> None:
        """Find it starved, whatever the time."""
        self.starved = due_s > 0


def test_busy_computer_is_not_called_a_loose_cable(tmp_path: Path) -> None:
    """Where the process does not get its turn nobody looks for a cable; a camera that is gone is still said."""
    table = Table(tmp_path / "clips", Busy())
    silent = threading.Event()
    read = table.camera.read

    def read_late() -> Picture:
        silent.wait(PATIENCE_S)
        return read()

    table.camera.read = read_late  # type: ignore[method-assign]
    table.watcher.obey(WATCH)
    said = table.heard.until(WatchState.LOST).sentence
    table.camera.unplugged.set()
    silent.set()
    assert "too busy" in said
    assert "cable" not in said
    assert "plug it in" in table.heard.status(lambda report: "There is no camera" in report.sentence).sentence
    table.watcher.close()


@pytest.mark.parametrize(
    ("patience", "hung_s", "hangs"), [(1, 8.5, True), (2, 8.5, False), (64, 39, False), (64, 41, True)]
)
def test_a_source_gets_the_patience_that_was_told(
    table: Table, patience: int, hung_s: float, hangs: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A successor of a process that hung waits longer for the source, but not for ever."""
    watching = Watching(table.plan, Context(), table.heard.hear, WatcherSettings(), starved=bool, patience=patience)
    status = replace(watching._capture.status(), hung_s=hung_s)
    with monkeypatch.context() as patch:
        patch.setattr(watching._capture, "status", lambda: status)
        assert (watching.hung() == "the source") is hangs
    watching.close_source()
    watching.finish(1.0)


def test_busy_computer_is_not_called_dim_light() -> None:
    """Frames that this computer loses are told from frames that the camera never gave."""
    told = CaptureStatus(
        fps=14.0,
        promised_fps=30.0,
        lost_frames=100,
        lost_fps=16.0,
        silent_s=0.1,
        open_s=60.0,
        seen=True,
        problem=None,
        hung_s=0.0,
    )
    settings = WatcherSettings()
    assert "busy" in str(too_few(told, settings))
    assert "light" in str(too_few(replace(told, lost_fps=0.0), settings))
    assert too_few(replace(told, lost_fps=0.0, fps=29.0), settings) is None
    assert too_few(replace(told, open_s=1.0), settings) is None


def test_pause_closes_the_camera(table: Table) -> None:
    """While paused the device is closed and nothing is kept; resumed, it is open again."""
    table.watch()
    table.watcher.obey(Pause())
    assert table.heard.until(WatchState.PAUSED).fps == 0
    assert table.camera.open == 0
    table.watcher.obey(TakePicture())
    assert table.heard.next(TroubleReport).sentence
    table.watcher.obey(WATCH)
    assert table.camera.open == 0
    table.watcher.obey(Resume())
    table.heard.until(WatchState.WATCHING)
    assert table.camera.open == 1


def test_pause_finishes_the_clip_under_way(table: Table) -> None:
    """A clip whose post-roll is not over when the device closes is kept as far as there are frames."""
    table.look = once(lambda frame: [event_at(frame)])
    table.watch()
    event = table.heard.next(EventReport)
    table.watcher.obey(Pause())
    assert table.heard.next(ClipReport).id == event.id


def test_slaps_are_looked_up_and_kept(table: Table) -> None:
    """The question is answered from the ring, and the frames around the contacts become a clip of their own."""

    def two_slaps(frames: Sequence[Frame], question: TimeSlaps) -> SlapsReport:
        order = (SlapTime(0, frames[20].at_ns, 0.004), SlapTime(1, frames[25].at_ns, 0.004), SlapTime(2))
        return SlapsReport(id=question.id, entered_ns=question.entered_ns, by=question.by, last=1, order=order)

    table.plan = replace(table.plan, find_slaps=two_slaps)
    table.watch()
    table.heard.status(lambda _report: len(table.camera.stamps) >= 60)
    table.watcher.obey(TimeSlaps(id=3, entered_ns=time.monotonic_ns(), by=2))
    answer = table.heard.next(SlapsReport)
    assert (answer.id, answer.last) == (3, 1)
    report = table.heard.next(ClipReport)
    assert report.id == "slaps-3"
    first, last = answer.order[0].at_ns, answer.order[1].at_ns
    assert first is not None
    assert last is not None
    clip = read_clip(Path(report.folder))
    around_ns = round(0.4 * NS_PER_S)
    wanted = [at_ns for at_ns in table.camera.stamps if first - around_ns <= at_ns <= last + around_ns]
    assert [frame.at_ns for frame in clip.frames] == wanted


def test_slaps_that_nobody_can_see_are_answered_too(table: Table) -> None:
    """A failing look back, a time without pictures, no camera: each is answered, with the reason."""
    table.watcher.obey(TimeSlaps(id=1, entered_ns=time.monotonic_ns(), by=0))
    assert "not watching" in str(table.heard.next(SlapsReport).reasons[0])

    def failing(_frames: Sequence[Frame], _question: TimeSlaps) -> SlapsReport:
        raise ZeroDivisionError

    table.plan = replace(table.plan, find_slaps=failing)
    table.watch()
    table.watcher.obey(TimeSlaps(id=2, entered_ns=time.monotonic_ns(), by=0))
    assert "could not be looked at" in str(table.heard.next(SlapsReport).reasons[0])
    table.watcher.obey(TimeSlaps(id=3, entered_ns=1, by=0))
    assert "no pictures" in str(table.heard.next(SlapsReport).reasons[0])


def test_full_disk_is_said_and_watching_goes_on(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the disk full no clip is kept: one sentence, and events still come."""
    monkeypatch.setattr(shutil, "disk_usage", lambda _folder: SimpleNamespace(free=0))
    table.look = once(lambda frame: [event_at(frame)])
    table.watch()
    table.heard.next(EventReport)
    assert "disk is full" in table.heard.next(TroubleReport).sentence
    table.heard.until(WatchState.WATCHING)


def test_layout_that_cannot_be_used_is_said(table: Table) -> None:
    """A watch command with a bad layout opens nothing, and the status names the field."""

    def refuse(_watch: Watch) -> Plan:
        raise CompanionError("The layout lacks {field}; lay the table out again.", field="seats")

    watcher = Watcher(table.heard.hear, refuse)
    watcher.obey(WATCH)
    assert "seats" in table.heard.until(WatchState.LOST).sentence
    watcher.close()


def test_unreadable_command_is_said_and_the_next_is_obeyed(table: Table) -> None:
    """A bad line is trouble, not the end."""
    table.watcher.obey_all(["nonsense\n", '{"do": "picture"}\n', '{"do": "stop"}\n', '{"do": "picture"}\n'])
    said: list[Report] = [report for report in table.heard.rest() if isinstance(report, TroubleReport)]
    assert len(said) == 2
