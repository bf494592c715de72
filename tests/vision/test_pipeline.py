"""The pipeline on synthetic pictures: what it looks at, when, and that it never looks ahead."""

from collections.abc import Sequence

import numpy as np

from companion.assets import CALIBRATION
from companion.vision.events import Context
from companion.vision.frame import NS_PER_S, Frame, Image
from companion.vision.geometry import Box
from companion.vision.hands import HandObservation
from companion.vision.layout import load_layout
from companion.vision.pipeline import Pipeline

LAYOUT = load_layout(CALIBRATION / "example" / "layout.json")
PICTURE = np.full((720, 1280, 3), 120, np.uint8)


class NoHands:
    """Finds nothing, and keeps what it was asked."""

    def __init__(self) -> None:
        """Begin with nothing asked."""
        self.asked: list[int] = []

    def find(self, image: Image, boxes: Sequence[Box]) -> list[HandObservation]:
        """Return no hand."""
        assert all(0 <= b.x0 < b.x1 <= image.shape[1] and 0 <= b.y0 < b.y1 <= image.shape[0] for b in boxes)
        self.asked.append(len(boxes))
        return []


def feed(pipeline: Pipeline, fps: float, seconds: float) -> None:
    """Feed the same grey picture at a rate."""
    for k in range(round(fps * seconds)):
        pipeline.feed(Frame(k, round(k / fps * NS_PER_S), PICTURE), Context())


def test_ten_frames_a_second_are_analysed_whatever_the_rate() -> None:
    """At 30 and at 60 frames a second the pipeline looks ten times a second; at 5 it looks at every frame."""
    for fps, looks in ((30, 20), (60, 20), (5, 10)):
        pipeline = Pipeline(LAYOUT, NoHands())
        feed(pipeline, fps, 2)
        assert abs(pipeline.analysed - looks) <= 1


def test_calls_of_the_hand_model_are_bounded() -> None:
    """After the first look, where all seats are searched, no look asks for more than two cores can do."""
    finder = NoHands()
    feed(Pipeline(LAYOUT, finder), 30, 2)
    assert finder.asked[0] >= len(LAYOUT.seats)
    assert max(finder.asked[1:]) <= 11


def test_empty_table_raises_nothing() -> None:
    """A table without hands is no event, for minutes."""
    pipeline = Pipeline(LAYOUT, NoHands())
    events = [e for k in range(600) for e in pipeline.feed(Frame(k, k * NS_PER_S // 10, PICTURE), Context())]
    assert events == []
