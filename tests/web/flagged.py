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
from companion.words import say, spoken

FRAMES = 30
PERIOD_NS = 33_333_333


def raise_flag(session: Session, folder: Path, *, seat: int, name: str = "event-1") -> str:
    """Report a movement at a seat and its clip; return the flag's id."""
    report = report_movement(session, seat=seat, name=name)
    report_clip(session, folder, report)
    return report.id


def report_movement(session: Session, *, seat: int, name: str = "event-1") -> EventReport:
    """Report a movement at a seat, whose clip is not written yet."""
    now = time.monotonic_ns()
    reasons = (say("{hand}: out of sight for {seconds} s.", hand=say("Left hand"), seconds=0.9),)
    report = EventReport(
        id=name,
        kind="hand_below_table",
        seat=seat,
        start_ns=now - FRAMES * PERIOD_NS,
        end_ns=now,
        raised_ns=now,
        confidence=0.83,
        side="left",
        why=spoken(reasons),
        reasons=reasons,
    )
    assert session.observe(report) is not None
    return report


def report_clip(session: Session, folder: Path, of: EventReport) -> None:
    """Write the clip of a movement and report it."""
    moment = Moment(id=of.id, kind=of.kind, start_ns=of.start_ns, end_ns=of.end_ns, seat=of.seat)
    clip = ClipLibrary(folder).save(of.id, _frames(of.start_ns), [moment])
    session.attach_clip(of.id, str(clip.folder))


def _frames(start_ns: int) -> list[StoredFrame]:
    frames = []
    for number in range(FRAMES):
        image = np.full((180, 320, 3), 60, np.uint8)
        cv2.circle(image, (20 + number * 9, 90), 24, (80, 200, 250), -1)
        done, jpeg = cv2.imencode(".jpg", image)
        assert done
        frames.append(StoredFrame(index=number, at_ns=start_ns + number * PERIOD_NS, jpeg=jpeg.tobytes()))
    return frames
