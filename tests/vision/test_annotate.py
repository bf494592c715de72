"""Drawing for people who tune: where a wrist is taken to be, and how sure that is."""

import numpy as np

from companion.assets import CALIBRATION
from companion.vision.annotate import draw
from companion.vision.events import Context, Side
from companion.vision.frame import Frame, Image
from companion.vision.layout import load_layout
from companion.vision.pipeline import Pipeline, SeenHand
from companion.vision.tracking import HandTrack
from tests.vision.handmaker import hand_at
from tests.vision.test_pipeline import NoHands

LAYOUT = load_layout(CALIBRATION / "example" / "layout.json")
PICTURE = np.full((720, 1280, 3), 120, np.uint8)


def drawn(spread_mm: float, height_mm: float = 75.0) -> Image:
    """Return the picture with one hand drawn whose wrist is known to so much along each axis."""
    pipeline = Pipeline(LAYOUT, NoHands())
    pipeline.feed(Frame(0, 0, PICTURE), Context())
    hand = hand_at(pipeline.camera, (0.0, 0.0, 75.0))
    track = HandTrack(
        seat=LAYOUT.seats[0].seat,
        side=Side.LEFT,
        landmarks_px=hand.landmarks_px,
        size_px=hand.size_px,
        velocity_px=np.zeros(2),
        seen_ns=0,
        since_ns=0,
        hits=1,
        score=0.9,
        owner_costs=np.zeros(8),
    )
    pipeline.hands = [SeenHand(track=track, position_mm=(0.0, 0.0, height_mm), spread_mm=(spread_mm,) * 3, found=True)]
    pipeline.boxes = []
    return draw(PICTURE, pipeline, [], 0)


def bars(image: Image) -> int:
    """Count the white pixels around the middle of the table."""
    x, y = Pipeline(LAYOUT, NoHands()).camera.project([(0.0, 0.0, 75.0)])[0].astype(int)
    return int((image[y - 120 : y + 120, x - 120 : x + 120] > 180).all(axis=2).sum())


def test_bars_through_a_wrist_are_as_long_as_it_is_uncertain() -> None:
    """A wrist that is known less well has longer bars."""
    assert bars(drawn(80.0)) > bars(drawn(20.0)) + 40


def test_place_behind_the_camera_is_left_out() -> None:
    """A wrist that cannot be drawn costs the drawing nothing else."""
    image = drawn(20.0, height_mm=50_000.0)
    assert image.shape == PICTURE.shape
    assert (image != PICTURE).any()
