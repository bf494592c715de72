"""`cheating-moth analyze`: watch a video file as if it were live, and write what was seen as one JSON file."""

import argparse
import contextlib
import json
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
from tqdm import tqdm

from companion.answer import Answer, to_json
from companion.clips.buffer import BufferSettings, FrameBuffer, StoredFrames
from companion.errors import CompanionError
from companion.vision.annotate import draw
from companion.vision.events import Context, Sensitivity
from companion.vision.frame import NS_PER_S
from companion.vision.hands import HandFinder
from companion.vision.layout import Layout, load_layout
from companion.vision.pipeline import Pipeline
from companion.vision.race import time_race
from companion.vision.readahead import read_ahead
from companion.vision.seatnet import SeatNet
from companion.vision.slaps import time_slaps
from companion.vision.video import VideoFile

JPEG_QUALITY = 95
"""At 95 contact times differ by 0.4 ms at most from those of the raw pictures, at 90 by up to 9 ms (24 slaps)."""
LOOK_BACK_S = 8.0
"""How far before a mosquito's entry its slaps are looked for, in a ring of JPEG as the watcher keeps it."""


class AnalyzeError(CompanionError):
    """The command's arguments contradict each other or the files."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What to analyse: the files, the Guard, and the mosquitos and cockroaches as (entered in s, played by)."""

    video: Path
    layout: Path
    guard: int | None = None
    mosquitos: tuple[tuple[float, int], ...] = ()
    cockroaches: tuple[tuple[float, int], ...] = ()
    json: Path | None = None
    annotate: Path | None = None
    sensitivity: Sensitivity = Sensitivity.NORMAL


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments, as the contract names them."""
    parser.add_argument("video", type=Path, metavar="VIDEO")
    parser.add_argument("--layout", type=Path, required=True, help="the table's layout (JSON)")
    parser.add_argument("--guard", type=int, metavar="SEAT", help="the seat that cannot cheat")
    parser.add_argument(
        "--mosquito", type=float, action="append", default=[], metavar="SECONDS", help="when a mosquito was entered"
    )
    parser.add_argument(
        "--by", type=int, action="append", default=[], metavar="SEAT", help="who played it (-1: unknown)"
    )
    parser.add_argument(
        "--cockroach",
        nargs=2,
        action="append",
        default=[],
        metavar=("SECONDS", "SEAT"),
        help="when a cockroach was entered and who played it (-1: unknown): also tell who won its race",
    )
    parser.add_argument("--json", type=Path, metavar="OUT.json", help="where to write the answer; else on stdout")
    parser.add_argument("--annotate", type=Path, metavar="OUT.mp4", help="also write a video that shows what was seen")
    parser.add_argument("--sensitivity", choices=[s.value for s in Sensitivity], default=Sensitivity.NORMAL.value)


def run(args: argparse.Namespace, model_path: Path) -> int:
    """Carry out the command; returns 0, raises CompanionError in one sentence for bad input."""
    if len(args.mosquito) != len(args.by):
        raise AnalyzeError("Give one --by for every --mosquito, in the same order.")
    request = Request(
        video=args.video,
        layout=args.layout,
        guard=args.guard,
        mosquitos=tuple(zip(args.mosquito, args.by, strict=True)),
        cockroaches=tuple(_cockroach(*given) for given in args.cockroach),
        json=args.json,
        annotate=args.annotate,
        sensitivity=Sensitivity(args.sensitivity),
    )
    began = time.perf_counter()
    with _native_logs_silenced():
        answer = analyse(request, model_path)
    value = to_json(answer, wall_s=time.perf_counter() - began)
    if request.json is None:
        print(json.dumps(value))
    else:
        write_whole(request.json, json.dumps(value))
    return 0


def _cockroach(seconds: str, seat: str) -> tuple[float, int]:
    try:
        return float(seconds), int(seat)
    except ValueError as error:
        raise AnalyzeError("Give --cockroach a time in seconds and a seat, as in: --cockroach 14.5 2") from error


def analyse(request: Request, model_path: Path) -> Answer:
    """Watch the video to its end and return what was seen.

    Raises CompanionError: the video or the layout cannot be used, a seat is not in the layout, the file cannot be
    written.
    """
    layout = load_layout(request.layout)
    _check_seats(request, layout)
    video = VideoFile(request.video)
    if video.facts.size != layout.image_size:
        raise AnalyzeError(
            "The video is {video} px and the layout's image_size says {layout} px; use this camera's own layout.",
            video="{} x {}".format(*video.facts.size),
            layout="{} x {}".format(*layout.image_size),
        )
    # one thread for OpenCV: the two hand models keep both cores busy, and its own pool would only fight them
    cv2.setNumThreads(1)
    answer = Answer(layout=layout, fps=video.facts.fps)
    with HandFinder(model_path) as finder, _drawing(request.annotate, answer.fps, layout) as paint:
        pipeline = Pipeline(layout, finder, sensitivity=request.sensitivity, net=SeatNet())
        bar = tqdm(
            total=video.facts.frames or None, unit="frame", desc="watching", file=sys.stderr, disable=None, leave=False
        )
        waiting = sorted(
            [(*card, False) for card in request.mosquitos] + [(*card, True) for card in request.cockroaches]
        )
        recent = FrameBuffer(BufferSettings(seconds=LOOK_BACK_S, quality=JPEG_QUALITY))
        context = Context(guard=request.guard)
        try:
            for frame in read_ahead(video.frames()):
                answer.frames, answer.last_ns = frame.index + 1, frame.at_ns
                before = pipeline.analysed
                answer.events += pipeline.feed(frame, context)
                if pipeline.analysed > before:
                    answer.hands += [(frame.at_s, hand) for hand in pipeline.hands]
                if waiting:
                    if frame.at_s >= waiting[0][0] - LOOK_BACK_S:
                        recent.add(frame)
                    _slaps_due(waiting, recent, frame.at_s, request, answer)
                if paint is not None:
                    paint.write(draw(frame.image, pipeline, answer.events, frame.at_ns))
                bar.update()
        finally:
            bar.close()
            video.close()
        answer.events += pipeline.finish()
        _slaps_due(waiting, recent, float("inf"), request, answer)
        answer.sizes = {seat: learnt.size for seat, learnt in pipeline.sizes.items()}
        answer.analysed, answer.calls = pipeline.analysed, finder.calls
    return answer


def _check_seats(request: Request, layout: Layout) -> None:
    seats = [s.seat for s in layout.seats]
    named = [request.guard] if request.guard is not None else []
    named += [by for _, by in (*request.mosquitos, *request.cockroaches) if by != -1]
    for seat in named:
        if seat not in seats:
            raise AnalyzeError(
                "There is no seat {seat} in the layout; its seats are {seats}.",
                seat=seat,
                seats=", ".join(map(str, seats)),
            )


def _slaps_due(
    waiting: list[tuple[float, int, bool]], recent: FrameBuffer, at_s: float, request: Request, answer: Answer
) -> None:
    while waiting and waiting[0][0] <= at_s:
        entered_s, by, race = waiting.pop(0)
        entered_ns = round(entered_s * NS_PER_S)
        frames = StoredFrames(recent.between(entered_ns - round(LOOK_BACK_S * NS_PER_S), entered_ns))
        if race:
            answer.races.append(time_race(frames, answer.layout, entered_ns, by))
        else:
            answer.slaps.append(time_slaps(frames, answer.layout, entered_ns, by, request.guard))


class _Paint:
    """A video writer that leaves a whole file or none."""

    def __init__(self, path: Path, fps: float, size: tuple[int, int]) -> None:
        self._path = path
        self._part = path.with_name(f".{path.stem}-part{path.suffix or '.mp4'}")
        self._writer = cv2.VideoWriter(str(self._part), cv2.VideoWriter.fourcc(*"mp4v"), fps, size)
        if not self._writer.isOpened():
            raise AnalyzeError(
                "The annotated video {path} cannot be written; name an .mp4 file in a folder that exists.", path=path
            )

    def write(self, image: Any) -> None:
        self._writer.write(image)

    def close(self, whole: bool) -> None:
        self._writer.release()
        if whole:
            self._part.replace(self._path)
        else:
            self._part.unlink(missing_ok=True)


@contextlib.contextmanager
def _drawing(path: Path | None, fps: float, layout: Layout) -> Iterator[_Paint | None]:
    if path is None:
        yield None
        return
    paint = _Paint(path, fps, layout.image_size)
    whole = False
    try:
        yield paint
        whole = True
    finally:
        paint.close(whole)


@contextlib.contextmanager
def _native_logs_silenced() -> Iterator[None]:
    """Keep what native libraries print off the terminal: stderr is for the progress bar and our one sentence."""
    real = sys.stderr
    sys.stderr.flush()
    try:
        kept = os.dup(2)
    except OSError:  # no stderr at all
        yield
        return
    with open(os.devnull, "w") as nowhere, open(kept, "w", buffering=1, closefd=False) as terminal:
        os.dup2(nowhere.fileno(), 2)
        if real.isatty() or real is sys.__stderr__:
            sys.stderr = terminal
        try:
            yield
        finally:
            sys.stderr = real
            terminal.flush()
            os.dup2(kept, 2)
            os.close(kept)


def write_whole(path: Path, text: str) -> None:
    """Write a text file whole or not at all; raises AnalyzeError where it cannot be written."""
    scratch = None
    try:
        with tempfile.NamedTemporaryFile("w", dir=path.parent, prefix=f".{path.name}-", delete=False) as file:
            scratch = Path(file.name)
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        scratch.chmod(0o644)
        scratch.replace(path)
    except OSError as error:
        if scratch is not None:
            scratch.unlink(missing_ok=True)
        raise AnalyzeError(
            "The answer cannot be written to {path} ({why}); choose a folder that exists and has room.",
            path=path,
            why=error.strerror or error,
        ) from error
