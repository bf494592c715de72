"""What the fold of the journal builds: a game with its steps and flags, claims, and acknowledged taps."""

from dataclasses import dataclass

from companion.rules.houserules import HouseRules
from companion.rules.moves import Accuse, Move
from companion.rules.state import Phase, State
from companion.session.cameraviews import Verdict
from companion.session.views import Assist
from companion.session.words import Words


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A move that stands, and the state it led to."""

    entry: int
    """Number of its journal entry."""
    seq: int
    """The session's `seq` once it was made."""
    text: str
    move: Move
    by: str
    """Key of the screen that entered it."""
    at_ns: int
    wall: str
    state: State


@dataclass(frozen=True, slots=True, kw_only=True)
class Flag:
    """A movement that the watcher saw and the session put to the Guard."""

    id: str
    """Id of the event that raised it."""
    events: tuple[str, ...]
    """Ids of all events that it stands for, its own first."""
    entry: int
    """Number of the journal entry that raised it."""
    kind: str
    seat: int
    side: str | None
    start_ns: int
    end_ns: int
    """Of the movement, on the watcher's clock: what a clip is cut by."""
    ended_ns: int
    """The end on the session's clock: what the call window is measured by."""
    at_ns: int
    """When it was put to the Guard, on the session's clock."""
    confidence: float
    why: str
    """The watcher's reason in English, for what is taken away."""
    reasons: tuple[Words, ...]
    """The same, to be shown in a screen's language."""
    round: int
    clips: tuple[str, ...] = ()
    """Folders in the clip library, one an event, as they arrived."""
    ruling: Verdict | None = None
    """The Guard's own ruling, apart from any accusation."""
    ruled: int = 0
    """Number of the journal entry of that ruling."""
    accusation: int | None = None
    """Number of the journal entry of the accusation it was called with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TimedSlap:
    """One hand on the mosquito; times in nanoseconds on the watcher's clock."""

    seat: int
    at_ns: int | None
    error_s: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TimedSlaps:
    """The order that the camera proposes for one mosquito, or for the race on one cockroach."""

    seq: int
    """The session's `seq` after the card was played: which one it is about."""
    race: bool
    first: int | None
    """Whose card was first in a race; None where nobody can tell, and for a mosquito."""
    last: int | None
    too_close: bool
    order: tuple[TimedSlap, ...]
    reasons: tuple[Words, ...]
    """``seat`` and ``to`` in their places are seats."""
    top: int | None
    """Whose hand lies on top at the end: the second cue."""
    pile_px: tuple[int, int, int, int] | None
    """The box around the pile in the pictures: x0, y0, x1, y1."""


@dataclass(frozen=True, slots=True)
class SlapsClip:
    """The clip of the hands on one mosquito."""

    seq: int
    """Which mosquito, as in `TimedSlaps`."""
    folder: str


@dataclass(frozen=True, slots=True)
class Walked:
    """How many steps of a settled call's consequence are done."""

    seq: int
    """The session's `seq` after the verdict: which verdict it is about."""
    done: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """One game from its set-up on."""

    id: int
    """1 for the first game of the journal."""
    seq: int
    """The session's `seq` once it was set up."""
    wall: str
    players: tuple[str, ...]
    """Names by seat, clockwise."""
    places: tuple[int, ...]
    """By seat, the place in the table's layout where the player sits."""
    oldest: int
    house: HouseRules
    start: State
    steps: tuple[Step, ...] = ()
    flags: tuple[Flag, ...] = ()
    """Oldest first."""
    slaps: TimedSlaps | None = None
    slaps_clip: SlapsClip | None = None
    walked: Walked | None = None

    @property
    def state(self) -> State:
        """The state after the last step."""
        return self.steps[-1].state if self.steps else self.start

    @property
    def call(self) -> Step | None:
        """The step that opened the accusation which is being settled; None when none is."""
        if self.state.phase is not Phase.ACCUSATION:
            return None
        return next(step for step in reversed(self.steps) if isinstance(step.move, Accuse))


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A phone that has a seat."""

    seat: int
    key: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Acknowledged:
    """A tap that was carried out, remembered so that its repetition is acknowledged and not carried out again."""

    by: str
    seq: int
    """The `seq` it was made at."""
    text: str
    tap: str | None
    """The screen's own name for the tap, if it gave one."""
    result: int
    """The `seq` it led to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """Rulings on flags of one kind in games that are over."""

    kind: str
    caught: int = 0
    innocent: int = 0
    unclear: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Folded:
    """The journal up to some entry, as one value."""

    entry: int = 0
    """Number of the last entry that is in it."""
    seq: int = 0
    """Counts what changes the game: set-up, moves, undos."""
    games: int = 0
    game: Game | None = None
    """The game on the table; earlier ones are history."""
    assist: Assist = Assist.LIVE
    claims: tuple[Claim, ...] = ()
    acknowledged: tuple[Acknowledged, ...] = ()
    tallies: tuple[Tally, ...] = ()
    """Of earlier games."""

    def claim_of(self, seat: int) -> str | None:
        """Return the key of the phone that has this seat."""
        return next((claim.key for claim in self.claims if claim.seat == seat), None)

    def seat_of(self, key: str) -> int | None:
        """Return the seat that this phone has."""
        return next((claim.seat for claim in self.claims if claim.key == key), None)
