"""A flag with its clip, put before the Guard as the watcher would."""

import time
from pathlib import Path

import cv2
import numpy as np

from companion.clips.buffer import StoredFrame
from companion.clips.library import ClipLibrary
from companion.clips.recorder import Moment
from companion.session import Session
from companion.watcher.messages import EventReport

FRAMES = 30
PERIOD_NS = 33_333_333


def raise_flag(session: Session, folder: Path, *, seat: int, name: str = "event-1") -> str:
    """Report a movement at a seat and its clip; return the flag's id."""
    now = time.monotonic_ns()
    start, end = now - FRAMES * PERIOD_NS, now
    flag = session.observe(
        EventReport(
            id=name,
            kind="hand_below_table",
            seat=seat,
            start_ns=start,
            end_ns=end,
            raised_ns=now,
            confidence=0.83,
            side="left",
            why="left hand crossed the edge downward and stayed 0.9 s below",
        )
    )
    assert flag is not None
    moment = Moment(id=name, kind="hand_below_table", start_ns=start, end_ns=end, seat=seat)
    clip = ClipLibrary(folder).save(name, _frames(start), [moment])
    session.attach_clip(name, str(clip.folder))
    return flag.id


def _frames(start_ns: int) -> list[StoredFrame]:
    frames = []
    for number in range(FRAMES):
        image = np.full((180, 320, 3), 60, np.uint8)
        cv2.circle(image, (20 + number * 9, 90), 24, (80, 200, 250), -1)
        done, jpeg = cv2.imencode(".jpg", image)
        assert done
        frames.append(StoredFrame(index=number, at_ns=start_ns + number * PERIOD_NS, jpeg=jpeg.tobytes()))
    return frames
