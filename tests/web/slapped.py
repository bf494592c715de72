"""A mosquito's slaps, or a cockroach's race, put before the table with pictures, as the watcher would."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.clips.buffer import StoredFrame
from companion.clips.library import ClipLibrary
from companion.clips.recorder import Moment
from companion.session import Session
from companion.watcher.messages import ClipReport, SlapsReport, SlapTime

FRAMES = 30
PERIOD_NS = 20_000_000
START_NS = 5_000_000_000
PILE = (60, 30, 220, 150)


def at(number: int) -> int:
    """Return when a picture of the clip was captured."""
    return START_NS + number * PERIOD_NS


def report_slaps(session: Session, folder: Path, landed: Mapping[int, int | None], **fields: Any) -> None:
    """Report hands that landed in these pictures (None: not seen), then the clip, for the card that was just played."""
    order = tuple(
        SlapTime(seat, None if number is None else at(number), None if number is None else 0.004)
        for seat, number in landed.items()
    )
    card = session.seq
    session.hear(SlapsReport(id=card, entered_ns=at(FRAMES), by=0, order=order, pile_px=PILE, **fields))
    moment = Moment(id=f"slaps-{card}", kind="slaps", start_ns=at(0), end_ns=at(FRAMES))
    clip = ClipLibrary(folder).save(f"slaps{card}", _frames(), [moment])
    session.hear(ClipReport(moment.id, str(clip.folder), len(clip.frames)))


def _frames() -> list[StoredFrame]:
    frames = []
    for number in range(FRAMES):
        image = np.full((180, 320, 3), 60, np.uint8)
        cv2.circle(image, (20 + number * 9, 90), 24, (80, 200, 250), -1)
        done, jpeg = cv2.imencode(".jpg", image)
        assert done
        frames.append(StoredFrame(index=number, at_ns=at(number), jpeg=jpeg.tobytes()))
    return frames
