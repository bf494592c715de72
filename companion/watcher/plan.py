"""What a `Watch` command means: the layout checked, the source and the analysis chosen. The watcher's wiring."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path

from companion.clips.library import ClipLibrary, LibrarySettings
from companion.errors import CompanionError
from companion.vision.events import Sensitivity
from companion.vision.frame import Frame
from companion.vision.geometry import pile_crop, solve_camera
from companion.vision.hands import HandFinder
from companion.vision.layout import Layout, parse_layout
from companion.vision.race import time_race
from companion.vision.slaps import Slap, time_slaps
from companion.vision.source import SourceSettings, open_source
from companion.watcher.analysis import Pipeline
from companion.watcher.messages import SlapsReport, SlapTime, TimeSlaps, Watch
from companion.watcher.watching import Plan

_MB = 1024 * 1024


def plan_watching(watch: Watch) -> Plan:
    """Check what is to be watched; raise CompanionError with a sentence where it cannot be."""
    return _plan_for(watch, parse_layout(dict(watch.layout)))


def _plan_for(watch: Watch, layout: Layout) -> Plan:
    if watch.analyse and not Path(watch.model).is_file():
        raise CompanionError("There is no hand model at {path}; run: cheating-moth models", path=watch.model)
    if watch.sensitivity not in set(Sensitivity):
        raise CompanionError(
            "There is no sensitivity {found}; choose one of {known}.",
            found=watch.sensitivity,
            known=", ".join(Sensitivity),
        )
    return Plan(
        layout=layout,
        library=ClipLibrary(Path(watch.clips), LibrarySettings(quota_bytes=watch.quota_mb * _MB)),
        open_source=partial(
            open_source, watch.source, loop=watch.loop, settings=SourceSettings(size=layout.image_size)
        ),
        make_pipeline=partial(_make_pipeline, watch, layout) if watch.analyse else None,
        find_slaps=partial(find_slaps, layout),
        again=partial(_plan_for, watch),
        reference=Path(watch.reference) if watch.reference else None,
    )


def _make_pipeline(watch: Watch, layout: Layout) -> Pipeline:
    # mediapipe takes seconds to load: here, in the analysis thread, while pictures are already kept
    from companion.vision.pipeline import Pipeline as VisionPipeline
    from companion.vision.seatnet import SeatNet

    return VisionPipeline(layout, _hand_finder(watch.model), sensitivity=Sensitivity(watch.sensitivity), net=SeatNet())


@lru_cache(maxsize=1)
def _hand_finder(model: str) -> HandFinder:
    """Load the hand model once a process: pausing and going on costs no second load."""
    return HandFinder(Path(model))


def find_slaps(layout: Layout, frames: Sequence[Frame], question: TimeSlaps) -> SlapsReport:
    """Answer a question about the slaps on a mosquito or a cockroach's race from the pictures of that time."""
    box = pile_crop(solve_camera(layout), layout)
    report = SlapsReport(
        id=question.id,
        entered_ns=question.entered_ns,
        by=question.by,
        race=question.race,
        pile_px=(box.x0, box.y0, box.x1, box.y1),
    )
    if question.race:
        race = time_race(frames, layout, question.entered_ns, question.by)
        return replace(
            report, first=race.first, too_close=race.too_close, order=_times(race.order), reasons=race.reasons
        )
    found = time_slaps(frames, layout, question.entered_ns, question.by, question.guard)
    return replace(
        report,
        last=found.last,
        too_close=found.too_close,
        order=_times(found.order),
        reasons=found.reasons,
        top=found.on_top,
    )


def _times(order: Sequence[Slap]) -> tuple[SlapTime, ...]:
    return tuple(SlapTime(slap.seat, slap.at_ns, slap.error_s) for slap in order)
