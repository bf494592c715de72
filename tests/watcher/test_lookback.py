"""Looking back: what is asked for and answered, and that the analysis makes room meanwhile."""

import queue
import threading

import numpy as np
import pytest

from companion.assets import CALIBRATION
from companion.clips.buffer import FrameBuffer
from companion.vision.events import Context, Event
from companion.vision.frame import NS_PER_S, Frame
from companion.vision.layout import load_layout
from companion.watcher.analysis import Analysis
from companion.watcher.lookback import Lookback
from companion.watcher.messages import NOT_WATCHING, SlapsReport, SlapTime, TimeSlaps
from companion.watcher.plan import find_slaps
from companion.watcher.settings import WatcherSettings
from companion.watcher.slot import NewestFrame
from companion.words import Words
from tests.vision.slapscene import Arm, Scene

LAYOUT = load_layout(CALIBRATION / "example" / "layout.json")
PATIENCE_S = 30
NEVER_S = 10_000.0


class Looks:
    """A pipeline that only says which frames it was shown."""

    def __init__(self) -> None:
        self.analysed = 0
        self.seen: queue.Queue[int] = queue.Queue()

    def feed(self, frame: Frame, context: Context) -> list[Event]:
        """Remember the frame."""
        del context
        self.analysed += 1
        self.seen.put(frame.index)
        return []


class Newest(NewestFrame):
    """The newest frame, with a word when it was asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.taken = threading.Event()

    def take(self, timeout_s: float) -> Frame | None:
        """Take it, and say so once there was one or the time was over."""
        frame = super().take(timeout_s)
        self.taken.set()
        return frame


def test_the_analysis_makes_room_while_the_table_waits_for_slaps() -> None:
    """Few frames are looked at meanwhile, all again afterwards."""
    looks, newest = Looks(), Newest()
    analysis = Analysis(
        lambda: looks,
        layout=LAYOUT,
        newest=newest,
        on_event=lambda _event: None,
        on_trouble=lambda _error: None,
        settings=WatcherSettings(sparing_every_s=NEVER_S),
    )
    width, height = LAYOUT.image_size
    image = np.zeros((height, width, 3), np.uint8)
    try:
        newest.put(Frame(0, 0, image))
        assert looks.seen.get(timeout=PATIENCE_S) == 0
        with analysis.sparing():
            newest.taken.clear()
            newest.put(Frame(1, NS_PER_S, image))
            assert newest.taken.wait(PATIENCE_S)
            newest.taken.clear()
            assert newest.taken.wait(PATIENCE_S)  # it asked for the next one: the last was left out
        newest.put(Frame(2, 2 * NS_PER_S, image))
        assert looks.seen.get(timeout=PATIENCE_S) == 2
    finally:
        analysis.stop()


@pytest.mark.parametrize("race", [True, False])
def test_a_race_and_slaps_are_asked_for_alike(race: bool) -> None:
    """The same pictures: a race is answered with who was first, slaps with who was last, and where the pile is."""
    scene = Scene([Arm(3, 1.2), Arm(0, 1.8)])
    question = TimeSlaps(id=7, entered_ns=round(3.3 * NS_PER_S), by=2, race=race)
    report = find_slaps(scene.layout, scene.frames(), question)
    assert (report.id, report.race, report.first, report.last) == (7, race, 3 if race else None, None if race else 0)
    assert report.pile_px
    assert report.reasons


@pytest.mark.parametrize(("last_ns", "said"), [(9, (NOT_WATCHING,)), (11, ())], ids=["lost before", "watching"])
def test_pictures_that_end_before_the_slap_are_not_said_to_show_no_hand(last_ns: int, said: tuple[Words, ...]) -> None:
    """A camera that was lost before the card was entered did not watch."""
    buffer = FrameBuffer()
    for number, at_ns in enumerate((1, last_ns)):
        buffer.add(Frame(number, at_ns, np.zeros((8, 8, 3), np.uint8)))
    stopping = threading.Event()
    stopping.set()  # no waiting for more
    nobody = SlapsReport(id=7, entered_ns=10, by=0, order=(SlapTime(1), SlapTime(2)))
    lookback = Lookback(buffer, lambda _frames, _question: nobody, WatcherSettings(), stopping)
    answer = lookback.answer(TimeSlaps(id=7, entered_ns=10, by=0, guard=0))
    assert answer.reasons == said
