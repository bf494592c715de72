"""What a screen shows of the camera: how it is doing, the flags with their verdicts, who slapped when."""

from dataclasses import dataclass
from enum import StrEnum

from companion.session.words import Words


class Verdict(StrEnum):
    """What became of a flag."""

    OPEN = "open"
    ACCUSED = "accused"
    """An accusation on it is being settled."""
    CAUGHT = "caught"
    INNOCENT = "innocent"
    UNCLEAR = "unclear"


@dataclass(frozen=True, slots=True, kw_only=True)
class WatcherView:
    """How the camera is doing."""

    state: str
    """`off starting watching paused lost`."""
    words: Words
    fps: float | None
    """Pictures a second from the camera."""
    analysed_fps: float | None
    trouble: Words | None
    """The last thing that went wrong there, until watching goes well again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FlagView:
    """A movement put to the Guard."""

    id: str
    kind: str
    seat: int
    name: str
    side: str | None
    words: Words
    """What was seen, as a sentence with the player's name."""
    reasons: tuple[Words, ...]
    """Why the watcher told it."""
    confidence: float
    times: int
    """How many like movements in quick succession this flag stands for."""
    age_s: float
    """Seconds since the movement ended."""
    window_open: bool
    """Whether the house's call window for it is open now, or was when it was called."""
    closes_in_s: float | None
    """Seconds until the window closes by the clock; None where no clock closes it."""
    clip: str | None
    """Folder of its first clip in the clip library; None until it is there."""
    clips: tuple[str, ...]
    """One for each of the movements, as they arrive."""
    clip_due: bool
    """None is there yet, but one may still come."""
    verdict: Verdict
    current: bool
    """Of the round that is being played."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Precision:
    """How often the table found flags of a kind to be cheats."""

    kind: str
    caught: int
    innocent: int
    unclear: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SlapView:
    """One hand on the mosquito, or one card on the cockroach, as the camera timed it."""

    seat: int
    name: str
    at_ns: int | None
    """On the watcher's clock, as the clip's frames; None where no slap was seen."""
    behind_s: float | None
    """Seconds after the first hand; None where no slap was seen."""
    error_s: float | None
    """One standard deviation."""
    move: str | None
    """`slaps 3 1 0`: this seat was the slowest, the others as they were seen; None in a race."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SlapProposal:
    """What the camera proposes for a mosquito or a cockroach's race; nothing counts until it is confirmed."""

    race: bool
    order: tuple[SlapView, ...]
    """As they were seen, then who was not."""
    first: int | None
    """The winner of a race; None where nobody can tell, and for a mosquito."""
    last: int | None
    """The slowest of those that were seen to slap."""
    too_close: bool
    """The last two, or the first two of a race, cannot be told apart."""
    candidates: tuple[int, ...]
    """Who may have been the slowest (of a race: the first), the likeliest first; one where the camera is sure, none
    where it saw nothing."""
    move: str | None
    """`slaps 0 3 1`, ready to be posted; None when there is more than one candidate, and in a race."""
    words: Words
    """What the camera makes of it, in one sentence."""
    cue: Words | None
    """What the picture at the end shows: whose hand lies on top; None where nobody can tell."""
    cue_agrees: bool | None
    reasons: tuple[Words, ...]
    clip: str | None
    pile_px: tuple[int, int, int, int] | None
    """The box around the pile in the clip's frames: x0, y0, x1, y1."""
