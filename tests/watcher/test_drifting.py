"""A bumped camera while a table is watched: said, followed where certain, flags uncertain meanwhile."""

import time
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.clips.buffer import FrameBuffer
from companion.vision.frame import Frame
from companion.vision.layout import Layout, Lens, Shape, Table
from companion.vision.seatplan import propose_seats
from companion.watcher.drifting import SAID_FOLLOWED, Drifting
from companion.watcher.settings import WatcherSettings
from tests.vision.test_drift import SIZE, bump, people, room

TABLE = Table(Shape.RECTANGLE, 1000, 700)
LAYOUT = Layout(
    image_size=SIZE,
    lens=Lens(hfov_deg=70.0),
    table=TABLE,
    outline_px=((200.0, 450.0), (760.0, 450.0), (650.0, 200.0), (310.0, 200.0)),
    seats=propose_seats(TABLE, 4),
    discard_mm=(0, 0),
    draw_mm=(-110, 0),
)


def test_the_layout_follows_a_bumped_camera_and_the_table_is_told() -> None:
    """The outline is moved by as much as the picture was, and flags are uncertain for a while."""
    buffer = FrameBuffer()
    followed: list[Layout] = []
    drifting = Drifting(buffer, LAYOUT, on_layout=followed.append, settings=WatcherSettings(drift_every_s=0.02))
    motion = bump(20, -8, 0.0)
    try:
        for k in range(400):
            shown = people(room(), k * 0.5)
            if k >= 12:
                shown = cv2.warpPerspective(shown, motion, SIZE, borderMode=cv2.BORDER_REPLICATE)
            buffer.add(Frame(k, k * 500_000_000, np.asarray(shown)))
            if k == 11:
                assert drifting.problem is None
            time.sleep(0.1)
            if followed:
                break
    finally:
        drifting.stop()
    assert followed[0].outline_px[0] == pytest.approx((220.0, 442.0), abs=2.5)
    assert str(drifting.problem) == SAID_FOLLOWED
    assert drifting.uncertain


def test_a_camera_that_was_moved_since_the_layout_was_saved_is_followed(tmp_path: Path) -> None:
    """Between two evenings, or while nothing watched: the first pictures are compared with the saved one."""
    reference = tmp_path / "table.jpg"
    cv2.imwrite(str(reference), people(room(), 0.0))
    buffer = FrameBuffer()
    followed: list[Layout] = []
    settings = WatcherSettings(drift_every_s=0.02)
    drifting = Drifting(buffer, LAYOUT, on_layout=followed.append, reference=reference, settings=settings)
    motion = bump(-25, 10, 0.0)
    try:
        for k in range(60):
            shown = cv2.warpPerspective(people(room(), 60 + k * 0.5), motion, SIZE, borderMode=cv2.BORDER_REPLICATE)
            buffer.add(Frame(k, k * 500_000_000, np.asarray(shown)))
            time.sleep(0.1)
            if followed:
                break
    finally:
        drifting.stop()
    assert followed[0].outline_px[0] == pytest.approx((175.0, 460.0), abs=2.5)


def test_a_camera_that_stands_as_it_was_saved_is_left_alone(tmp_path: Path) -> None:
    """Other people, other light: no alarm; and from then on the picture of now is the reference."""
    reference = tmp_path / "table.jpg"
    cv2.imwrite(str(reference), room())
    buffer = FrameBuffer()
    followed: list[Layout] = []
    settings = WatcherSettings(drift_every_s=0.02, drift_saved_looks=5)
    drifting = Drifting(buffer, LAYOUT, on_layout=followed.append, reference=reference, settings=settings)
    try:
        for k in range(25):
            buffer.add(Frame(k, k * 500_000_000, people(room() // 2, 40 + k * 0.5)))
            time.sleep(0.1)
    finally:
        drifting.stop()
    assert not followed
    assert drifting.problem is None
