"""What the server and the watcher say to each other: one frozen dataclass a message.

Commands go down on the watcher's stdin, reports come up on its stdout (`wire` writes and reads the lines).
All times are nanoseconds on the machine's monotonic clock, which both processes share.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

from companion.errors import CompanionError
from companion.words import Words, say


class WatchState(StrEnum):
    """What the watcher is doing."""

    STARTING = "starting"
    WATCHING = "watching"
    PAUSED = "paused"
    LOST = "lost"


# Commands: server to watcher


@dataclass(frozen=True, slots=True, kw_only=True)
class Watch:
    """Open the source and watch it; replaces what was watched before."""

    source: str
    """A camera's number, a V4L2 path, a URL, or a video file."""
    layout: Mapping[str, Any]
    """The table layout as the contract writes it; the watcher validates it."""
    clips: str
    """The folder that keeps the clips."""
    model: str = ""
    """Path of the hand model; needed when ``analyse`` is true."""
    loop: bool = False
    """Start a video file again at its end."""
    sensitivity: str = "normal"
    analyse: bool = True
    """False: record only."""
    quota_mb: int = 1000
    """How much the clips may take before the oldest that nobody pinned are removed."""
    reference: str = ""
    """Path of the picture that the layout was saved with: was the camera moved since then?"""
    patience: int = 1
    """How many times longer than usual a driver or an analysis may take: the supervisor doubles it after each hang."""


@dataclass(frozen=True, slots=True)
class SetContext:
    """Say what the rules know: they make the picture clearer."""

    guard: int | None = None
    turn: int | None = None
    dispute: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeSlaps:
    """Look back for the slaps on a mosquito that was entered at ``entered_ns`` and played by seat ``by``.

    With ``race``: for whose card reached the pile first after a cockroach.
    """

    id: int
    entered_ns: int
    by: int
    guard: int | None = None
    race: bool = False


@dataclass(frozen=True, slots=True)
class KeepClip:
    """Keep a clip of this stretch, with pre-roll and post-roll."""

    id: str
    start_ns: int
    end_ns: int


@dataclass(frozen=True, slots=True)
class TakePicture:
    """Send one picture of now."""


@dataclass(frozen=True, slots=True)
class Pause:
    """Close the device until ``Resume``."""


@dataclass(frozen=True, slots=True)
class Resume:
    """Open the device again after ``Pause``."""


@dataclass(frozen=True, slots=True)
class Stop:
    """Finish the clips under way and end the process."""


Command = Watch | SetContext | TimeSlaps | KeepClip | TakePicture | Pause | Resume | Stop


# Reports: watcher to server


@dataclass(frozen=True, slots=True, kw_only=True)
class StatusReport:
    """The heartbeat, at least once a second; ``sentence`` is empty when there is nothing to say."""

    state: WatchState
    fps: float = 0.0
    """Frames a second that arrive from the source, measured."""
    analysed_fps: float = 0.0
    """Frames a second that the analysis gets through."""
    lost_frames: int = 0
    """Frames that arrived but could not be kept, since the source was opened."""
    sentence: str = ""
    template: str = ""
    """The sentence before its places were filled: the key for its translation."""
    params: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class EventReport:
    """Something seen: an event of the vision with an id of its own, unique across restarts."""

    id: str
    kind: str
    seat: int
    start_ns: int
    end_ns: int
    raised_ns: int
    confidence: float
    side: str | None = None
    why: str = ""
    reasons: tuple[Words, ...] = ()
    """The same as ``why``, for translation."""
    uncertain: bool = False
    """The camera was moved a moment ago: where the table's edge is may be wrong."""


@dataclass(frozen=True, slots=True)
class ClipReport:
    """A clip is complete: ``id`` is the event's (or ``slaps-N`` for the slaps of request N, or ``KeepClip.id``)."""

    id: str
    folder: str
    frames: int


@dataclass(frozen=True, slots=True)
class SlapTime:
    """One seat's slap; ``at_ns`` is None for a seat that was not seen to slap; ``error_s``: one standard deviation."""

    seat: int
    at_ns: int | None = None
    error_s: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SlapsReport:
    """The answer to ``TimeSlaps``, first to slowest.

    ``last`` is None where nobody can be named the slowest, ``first`` where nobody can be named the winner of a race.
    """

    id: int
    entered_ns: int
    by: int
    last: int | None = None
    too_close: bool = False
    order: tuple[SlapTime, ...] = ()
    reasons: tuple[Words, ...] = ()
    """Sentences; ``seat`` and ``to`` in their places are seat numbers."""
    race: bool = False
    first: int | None = None
    """Only of a race."""
    top: int | None = None
    """Whose hand lies on top at the end: the second cue, apart from the times; None where the picture does not tell."""
    pile_px: tuple[int, int, int, int] | None = None
    """The box around the pile in the picture: x0, y0, x1, y1; what a screen shows of the clip's frames."""


@dataclass(frozen=True, slots=True)
class PictureReport:
    """One picture of now: JPEG in base64."""

    jpeg: str


@dataclass(frozen=True, slots=True)
class TroubleReport:
    """Something went wrong that the table should know; watching goes on."""

    sentence: str
    template: str = ""
    params: Mapping[str, Any] = field(default_factory=dict)


Report = StatusReport | EventReport | ClipReport | SlapsReport | PictureReport | TroubleReport


def trouble(error: CompanionError) -> TroubleReport:
    """Turn an error into the report that carries its sentence."""
    return TroubleReport(str(error), error.template, {key: str(value) for key, value in error.params.items()})


NOT_WATCHING: Final = say("The camera was not watching.")
NO_PICTURES: Final = say("There are no pictures of that time.")
NOT_WATCHED: Final = frozenset({NOT_WATCHING.template, NO_PICTURES.template})
"""Why there is no answer where nothing was looked at: not the same as having looked and seen no hand."""


def no_answer(question: TimeSlaps, reason: Words) -> SlapsReport:
    """Return the answer that says why there is none."""
    return SlapsReport(
        id=question.id, entered_ns=question.entered_ns, by=question.by, race=question.race, reasons=(reason,)
    )
