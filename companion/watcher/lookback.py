"""Slaps are over before anyone taps "mosquito": look back at them in the ring, and keep the frames for review."""

import logging
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Protocol

from companion.clips.buffer import FrameBuffer, StoredFrames
from companion.clips.recorder import ClipWindow, Moment
from companion.errors import CompanionError
from companion.vision.frame import NS_PER_S, Frame
from companion.watcher.messages import NO_PICTURES, NOT_WATCHING, SlapsReport, TimeSlaps, no_answer
from companion.watcher.settings import WatcherSettings
from companion.words import Words, say

log = logging.getLogger(__name__)


class FindSlaps(Protocol):
    """What finds the slaps in a stretch of frames: the vision's, or a test's."""

    def __call__(self, frames: Sequence[Frame], question: TimeSlaps) -> SlapsReport:
        """Return who slapped when."""
        ...


@dataclass(frozen=True, slots=True)
class Lookback:
    """Answers one question after the other; each takes seconds, so it wants a thread of its own."""

    buffer: FrameBuffer
    find_slaps: FindSlaps
    settings: WatcherSettings
    stopping: threading.Event

    def answer(self, question: TimeSlaps) -> SlapsReport:
        """Return the answer, with no order and a reason where there is none; never raises."""
        began_s = time.monotonic()
        end_ns = question.entered_ns + _ns(self.settings.slaps_after_s)
        self._wait_for(end_ns)
        stored = self.buffer.between(question.entered_ns - _ns(self.settings.slaps_back_s), end_ns)
        if not stored:
            return no_answer(question, NO_PICTURES)
        try:
            with ThreadPoolExecutor(self.settings.decode_threads, thread_name_prefix="decode") as pool:
                report = self.find_slaps(StoredFrames(stored, pool=pool), question)
        except CompanionError as error:
            return no_answer(
                question, Words(error.template, {name: str(value) for name, value in error.params.items()})
            )
        except Exception:  # whatever fails here, the table gets an answer and watching goes on
            log.exception("looking back for slaps failed")
            return no_answer(question, say("The pictures could not be looked at: decide yourselves."))
        if stored[-1].at_ns < question.entered_ns and all(slap.at_ns is None for slap in report.order):
            return no_answer(question, NOT_WATCHING)  # the pictures end before the slap: the camera was lost
        log.info("slaps %d: %d frames, %.1f s", question.id, len(stored), time.monotonic() - began_s)
        return report

    def window(self, report: SlapsReport) -> ClipWindow:
        """Return the stretch to keep for review: around the contacts, or before the tap where none was seen."""
        times = [slap.at_ns for slap in report.order if slap.at_ns is not None]
        around_ns = _ns(self.settings.slaps_around_s)
        start_ns = min(times) - around_ns if times else report.entered_ns - _ns(self.settings.slaps_unseen_s)
        end_ns = max(times) + around_ns if times else report.entered_ns
        moment = Moment(
            id=f"slaps-{report.id}",
            kind="slaps",
            start_ns=min(times, default=start_ns),
            end_ns=max(times, default=end_ns),
            seat=report.first if report.race else report.last,
        )
        return ClipWindow(start_ns, end_ns, (moment,))

    def _wait_for(self, end_ns: int) -> None:
        """Wait until the frames up to ``end_ns`` are stored, or should have been."""
        while time.monotonic_ns() < end_ns + NS_PER_S and not self.stopping.is_set():
            newest = self.buffer.newest()
            if newest and newest.at_ns >= end_ns:
                return
            self.stopping.wait(self.settings.tick_s)


def _ns(seconds: float) -> int:
    return round(seconds * NS_PER_S)
