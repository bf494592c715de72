"""All that runs while one source is watched: capture, ring, analysis, clips, looking back. Opened and closed as one."""

import base64
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from uuid import uuid4

from companion.clips.buffer import FrameBuffer
from companion.clips.clip import Clip
from companion.clips.library import ClipLibrary
from companion.clips.recorder import Moment
from companion.errors import CompanionError
from companion.vision.events import Context, Event
from companion.vision.layout import Layout
from companion.vision.source import Source, SourceSilent
from companion.watcher.analysis import Analysis, Pipeline
from companion.watcher.capture import Capture, CaptureStatus, too_few
from companion.watcher.clipping import Clipping
from companion.watcher.drifting import Drifting
from companion.watcher.lookback import FindSlaps, Lookback
from companion.watcher.messages import (
    ClipReport,
    EventReport,
    KeepClip,
    PictureReport,
    Report,
    StatusReport,
    TimeSlaps,
    TroubleReport,
    WatchState,
    trouble,
)
from companion.watcher.settings import WatcherSettings
from companion.watcher.slot import NewestFrame


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What to watch, and with what."""

    layout: Layout
    library: ClipLibrary
    open_source: Callable[[], Source]
    make_pipeline: Callable[[], Pipeline] | None
    """None: record only."""
    find_slaps: FindSlaps
    again: "Callable[[Layout], Plan] | None" = None
    """Makes the plan for a layout that was moved after the camera; None: a bump is said and not followed."""
    reference: Path | None = None
    """The picture that the layout was saved with."""


class Watching:
    """One source being watched, from its opening to its closing."""

    def __init__(
        self,
        plan: Plan,
        context: Context,
        say: Callable[[Report], None],
        settings: WatcherSettings,
        *,
        starved: Callable[[], bool],
        patience: int,
    ) -> None:
        self._starved = starved
        self._patience = patience
        self._say = say
        self._settings = settings
        self._stopping = threading.Event()
        newest = NewestFrame()
        self._buffer = FrameBuffer()
        self._capture = Capture(plan.open_source, newest, self._buffer, settings)
        self._clipping = Clipping(
            self._buffer, plan.library, on_clip=self._tell_clip, on_trouble=self._tell, settings=settings
        )
        self._lookback = Lookback(self._buffer, plan.find_slaps, settings, self._stopping)
        self._slaps = ThreadPoolExecutor(max_workers=1, thread_name_prefix="slaps")
        self._analysis = (
            Analysis(
                plan.make_pipeline,
                layout=plan.layout,
                newest=newest,
                on_event=self._tell_event,
                on_trouble=self._tell,
                settings=settings,
            )
            if plan.make_pipeline
            else None
        )
        self._plan = plan
        self._drift = Drifting(
            self._buffer, plan.layout, on_layout=self._follow, reference=plan.reference, settings=settings
        )
        self.know(context)

    def know(self, context: Context) -> None:
        """Take what the rules know."""
        if self._analysis:
            self._analysis.know(context)

    def time_slaps(self, question: TimeSlaps) -> None:
        """Look back for slaps; the answer is reported when it is there."""
        self._slaps.submit(self._answer_slaps, question)

    def keep_clip(self, wish: KeepClip) -> None:
        """Keep a clip that was asked for."""
        self._clipping.keep(Moment(id=wish.id, kind="asked", start_ns=wish.start_ns, end_ns=wish.end_ns))

    def take_picture(self) -> None:
        """Report the newest picture."""
        newest = self._buffer.newest()
        if newest is None or self._capture.status().silent_s > self._settings.no_picture_s:
            self._tell(CompanionError("There is no picture just now; check the camera."))
        else:
            self._say(PictureReport(base64.b64encode(newest.jpeg).decode()))

    def status(self) -> StatusReport:
        """Return how it goes, as the heartbeat reports it."""
        capture = self._capture.status()
        state, said = self._state(capture)
        report = trouble(said) if said else TroubleReport("")
        return StatusReport(
            state=state,
            fps=round(capture.fps, 1),
            analysed_fps=round(self._analysis.fps(), 1) if self._analysis else 0.0,
            lost_frames=capture.lost_frames,
            sentence=report.sentence,
            template=report.template,
            params=report.params,
        )

    def hung(self) -> str | None:
        """Return what hangs in native code, if anything does."""
        if self._capture.status().hung_s > self._patient_s(self._settings.source_hang_s):
            return "the source"
        if self._analysis and self._analysis.hung_s() > self._patient_s(self._settings.analysis_hang_s):
            return "the analysis"
        return None

    def _patient_s(self, usual_s: float) -> float:
        return max(usual_s, min(usual_s * self._patience, self._settings.most_hang_s))

    def close_source(self) -> bool:
        """Close the device and look at nothing more; return whether it is closed."""
        self._stopping.set()
        closed = self._capture.stop()
        self._drift.stop()
        if self._analysis:
            self._analysis.stop()
        return closed

    def finish(self, timeout_s: float) -> None:
        """Finish the clips under way, and forget what was seen."""
        self._slaps.shutdown(wait=False, cancel_futures=True)
        self._clipping.finish(timeout_s)
        self._buffer.clear()

    def _state(self, capture: CaptureStatus) -> tuple[WatchState, CompanionError | None]:
        silent = capture.silent_s > self._settings.no_picture_s
        if self._starved() and (isinstance(capture.problem, SourceSilent) or (silent and not capture.problem)):
            # nobody should look for a loose cable because other programs have the cores
            return WatchState.LOST, CompanionError("This computer is too busy for the camera: close other programs.")
        if capture.problem:
            return WatchState.LOST, capture.problem
        if silent:
            return WatchState.LOST, CompanionError("No picture comes from the camera; check it and its cable.")
        if not capture.seen:
            return WatchState.STARTING, None
        problem = self._analysis.problem if self._analysis else None
        return WatchState.WATCHING, problem or self._drift.problem or too_few(capture, self._settings)

    def _follow(self, layout: Layout) -> None:
        """Analyse with the layout that was moved after the camera."""
        if self._plan.again is None:
            return
        plan = self._plan.again(layout)
        self._lookback = replace(self._lookback, find_slaps=plan.find_slaps)
        if self._analysis and plan.make_pipeline:
            self._analysis.start_anew(plan.make_pipeline, layout)

    def _answer_slaps(self, question: TimeSlaps) -> None:
        with self._analysis.sparing() if self._analysis else nullcontext():
            report = self._lookback.answer(question)
        self._say(report)
        self._clipping.keep_window(self._lookback.window(report))

    def _tell_event(self, event: Event) -> None:
        name = uuid4().hex[:12]
        self._say(
            EventReport(
                id=name,
                kind=str(event.kind),
                seat=event.seat,
                side=str(event.side) if event.side else None,
                start_ns=event.start_ns,
                end_ns=event.end_ns,
                raised_ns=event.raised_ns,
                confidence=event.confidence,
                why=event.why,
                reasons=event.reasons,
                uncertain=self._drift.uncertain,
            )
        )
        self._clipping.keep(
            Moment(
                id=name,
                kind=str(event.kind),
                start_ns=event.start_ns,
                end_ns=event.end_ns,
                seat=event.seat,
                side=str(event.side) if event.side else None,
            )
        )

    def _tell_clip(self, moment: Moment, clip: Clip) -> None:
        self._say(ClipReport(moment.id, str(clip.folder), len(clip.frames)))

    def _tell(self, error: CompanionError) -> None:
        self._say(trouble(error))
