"""The pipeline on synthetic pictures: what it looks at, when, and that it never looks ahead."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from companion.assets import CALIBRATION
from companion.vision.events import Context
from companion.vision.frame import NS_PER_S, Frame, Image
from companion.vision.geometry import Box, seat_axes, solve_camera
from companion.vision.hands import HandObservation
from companion.vision.layout import Layout, load_layout
from companion.vision.pipeline import Pipeline
from tests.vision.handmaker import hand_at

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


class RestingHands:
    """Finds one hand before each player, all of one length, in whatever box is looked at."""

    def __init__(self, hands: list[HandObservation]) -> None:
        """Take the hands to find."""
        self.hands = hands

    def find(self, image: Image, boxes: Sequence[Box]) -> list[HandObservation]:
        """Return all hands, once."""
        return self.hands if boxes else []


def resting(layout: Layout, scale: float) -> RestingHands:
    """Return flat hands over the table before each player, ``scale`` times as large as the grown-up's 176 mm."""
    camera = solve_camera(layout)
    hands = []
    for seat in layout.seats:
        middle, along, away = seat_axes(layout, seat.seat)
        x, y = middle - 60 * away + 150 * along
        towards = (-float(away[0]), -float(away[1]))
        hand = hand_at(camera, (float(x), float(y), 75.0), towards)
        wrist = hand.landmarks_px[0]
        hands.append(replace(hand, landmarks_px=wrist + scale * (hand.landmarks_px - wrist)))
    return RestingHands(hands)


def test_hands_are_placed_with_an_uncertainty_that_grows_with_distance() -> None:
    """Each wrist is within its stated uncertainty, and that of the seat farthest from the camera is the largest."""
    pipeline = Pipeline(LAYOUT, resting(LAYOUT, 1.0))
    feed(pipeline, 10, 2)
    spreads = {}
    for hand in pipeline.hands:
        middle, along, away = seat_axes(LAYOUT, hand.track.seat)
        true = np.array([*(middle - 60 * away + 150 * along), 75.0])
        assert (np.abs(np.array(hand.position_mm) - true) < 2 * np.array(hand.spread_mm)).all()
        far = float(np.linalg.norm(true - pipeline.camera.position_mm))
        spreads[far] = float(np.linalg.norm(hand.spread_mm))
    assert len(spreads) == len(LAYOUT.seats)
    assert spreads[max(spreads)] > spreads[min(spreads)]


def test_hand_sizes_are_learnt_while_they_play() -> None:
    """Small and large hands come to be known apart, from the hands that are found; the layout stays as it was."""
    sizes = {}
    for scale in (0.7, 1.0):
        pipeline = Pipeline(LAYOUT, resting(LAYOUT, scale))
        before = {seat: learnt.size for seat, learnt in pipeline.sizes.items()}
        feed(pipeline, 10, 20)
        for seat, learnt in pipeline.sizes.items():
            assert learnt.looks > 20
            assert learnt.size.share < before[seat].share
            sizes[scale, seat] = learnt.size.length_mm
    assert all(sizes[0.7, s.seat] < 0.85 * sizes[1.0, s.seat] for s in LAYOUT.seats)


def test_measured_hand_sizes_are_begun_with_and_searched_for() -> None:
    """What the set-up measured is the start, and a child's hand is searched in smaller tiles."""
    child = replace(LAYOUT, seats=tuple(replace(s, hand_mm=120.0) for s in LAYOUT.seats))
    pipeline = Pipeline(child, NoHands())
    assert all(learnt.size.length_mm == 120.0 for learnt in pipeline.sizes.values())
    plain = Pipeline(LAYOUT, NoHands())
    assert all(small.hand_px < 0.7 * tile.hand_px for small, tile in zip(pipeline.tiles, plain.tiles, strict=True))
