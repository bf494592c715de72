"""What a screen shows: one frozen value a viewer, with nothing in it that this viewer may not know."""

from dataclasses import dataclass, replace
from enum import StrEnum

from companion.session.words import Words


class Assist(StrEnum):
    """How much the camera helps the Guard; the house's choice."""

    LIVE = "live"
    """Flags reach the Guard at once."""
    AFTER_CAUGHT = "after_caught"
    """Flags on the accused seat are shown once the Guard has called "Caught!"."""
    OFF = "off"
    """No flags; the camera is not needed."""


class Verdict(StrEnum):
    """What became of a flag."""

    OPEN = "open"
    ACCUSED = "accused"
    """An accusation on it is being settled."""
    CAUGHT = "caught"
    INNOCENT = "innocent"
    UNCLEAR = "unclear"


@dataclass(frozen=True, slots=True, kw_only=True)
class Viewer:
    """Who looks at a screen: a phone at a seat, the table's tablet, or a guest."""

    key: str
    """Stands for the screen's token in the journal and in claims; the token itself is never stored."""
    seat: int | None
    """The seat this screen has claimed; None for the table's tablet and for guests."""
    table: bool
    """The tablet that lies on the table for everyone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardView:
    """A card to draw on the screen."""

    text: str
    """Notation: `4`, `ant4`, `moth2`."""
    kind: str
    number: int
    words: Words


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerView:
    """A player as everyone at the table may see them."""

    seat: int
    name: str
    accounted: int
    """Cards in the hand as far as plays, draws and gifts tell."""
    score: int
    """Penalty points of the finished rounds."""
    guard: bool
    turn: bool
    asked: bool
    """Something is wanted of this player now."""
    claimed: bool
    """A phone has this seat."""
    connected: bool
    """That phone's screen is live now."""
    you: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One legal move, ready to be posted."""

    move: str
    """The text to post, whole: `play 2 ant4`."""
    verb: str
    """Its first word: `play`, `draw`, `give`, ..."""
    seat: int | None
    """Who does it; None where it concerns nobody in particular."""
    to: int | None
    """The other seat of a gift or an accusation."""
    card: CardView | None
    words: Words
    """What a button for it says."""
    allowed: bool
    """False when this viewer may see it but not do it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What the table waits for."""

    what: str
    """The phase: `deal turn spider ant cockroach mosquito gifts accusation count round_over game_over`."""
    by: int | None
    """Whose card, turn or accusation it is."""
    seats: tuple[int, ...]
    """Of whom something is still wanted: givers left, seats left to count, the seat whose turn it is."""
    receiver: int | None
    """Who is given cards; only while gifts are due."""
    accused: int | None
    """Only while an accusation is being settled."""
    may_hand_over: int
    """Most cards that an upheld accusation hands to the cheater; 0 outside an accusation."""
    words: Words


@dataclass(frozen=True, slots=True, kw_only=True)
class Amendment:
    """The last move as it should have been: one tap takes it back and enters this instead."""

    undo: int
    """How many moves are taken back."""
    moves: tuple[str, ...]
    """What is entered in their place, in notation."""
    seat: int | None
    """The player who is in it instead."""
    words: Words


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsequenceStep:
    """One thing that hands do after a call was settled."""

    what: str
    """`take_back hand_over guard shuffle draw`."""
    seat: int
    """Who does it."""
    to: int | None
    """Who is given cards."""
    cards: int
    """How many are handed over."""
    words: Words


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsequenceView:
    """What a settled call comes to, until all of it is done."""

    seq: int
    """Which verdict: to be sent back with a confirmation."""
    true: bool
    accused: int
    steps: tuple[ConsequenceStep, ...]
    done: int
    """How many steps are done; the next one is what everybody waits for."""
    then: tuple[Words, ...]
    """What follows by itself: who stays the Guard, how play goes on."""
    amendments: tuple[Amendment, ...]
    """What the call may have come to instead, as far as this viewer may enter it."""
    may_confirm: bool


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
class GuardPart:
    """What the present Guard alone may see."""

    seat: int
    flags: tuple[FlagView, ...]
    """Newest first."""
    accusable: tuple[Option, ...]
    """`accuse SEAT` for each player who may be accused now."""
    precision: tuple[Precision, ...]


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


@dataclass(frozen=True, slots=True)
class GiftsView:
    """The gifts to the slowest that were just entered: who gives, and who had only moths."""

    receiver: int
    givers: tuple[int, ...]
    without: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CountView:
    """One hand at the end of the round: what it was accounted for and what was in it."""

    seat: int
    name: str
    accounted: int
    true: int | None
    """None until it is entered."""
    per_kind: tuple[tuple[str, int], ...]
    """Kind and how many were left; empty until entered."""
    points: int | None
    unseen: int | None
    """Accounted minus true: cards that were cheated away unseen; 0 for who was the Guard all round."""
    miscounted: bool
    """More cards than accounted, or fewer in the hand of who was the Guard all round: a miscount."""
    flags: int
    """Flags raised on this seat in the round; 0 for all until every hand is counted."""
    calls: int
    """Accusations of this seat in the round."""
    caught: int
    """How many of them were true."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RevealView:
    """The end of a round: hands, and who cheated best."""

    round: int
    complete: bool
    """Every hand has been counted."""
    counts: tuple[CountView, ...]
    best_cheaters: tuple[int, ...]
    """Seats with the most cards cheated away unseen; empty when nobody did or counts are missing."""
    words: Words


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundView:
    """A finished round."""

    round: int
    points: tuple[int, ...]
    """By seat."""
    totals: tuple[int, ...]
    """Running totals after this round, by seat."""
    out: int | None
    """Who went out."""
    reveal: RevealView


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """A place in the ranking; equal totals share it."""

    place: int
    seat: int
    name: str
    total: int
    winner: bool
    """Only when the game is over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseRule:
    """One setting of the game."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class ChoosingView:
    """The Guard called "Caught!" and is choosing whom: nobody plays meanwhile."""

    may_choose: bool
    may_take_back: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class GameView:
    """The game as one viewer may see it."""

    id: int
    round: int
    rounds: int
    phase: str
    players: tuple[PlayerView, ...]
    """In seat order, clockwise."""
    guard: int
    turn: int
    starting_guard: int
    top: CardView | None
    fits: tuple[int, ...]
    """Numbers that may be played now, the lower side first: one below the top card, one above, wrapped."""
    draw_pile: int
    discard_pile: int
    asked: Asked
    options: tuple[Option, ...]
    """Every legal move that one tap can make; `slaps`, `ant` with a choice, `count` and `set` are put together
    by the screen."""
    corrections: tuple[str, ...]
    """What this viewer may set right now: `top turn guard hand draw discard`; empty where nothing."""
    amendments: tuple[Amendment, ...]
    """The last move with each other player in it."""
    choosing: ChoosingView | None
    """From the Guard's tap on "Caught!" until it is chosen whom, or taken back."""
    consequence: ConsequenceView | None
    """While what a settled call comes to is being done."""
    draw: str | None
    """How to offer a draw: `remind`, or `confirm` that nothing fits; None when nobody draws now."""
    shuffle_first: bool
    """The draw pile is empty: the discard pile is shuffled before the next card is drawn."""
    remarks: tuple[Words, ...]
    """What the players are told about the last move: a shuffle, who is out, a miscount."""
    next_guard: int | None
    """Who is the Guard of the next round; None unless a round is over and another follows."""
    undo: Words | None
    """What an undo would undo; None when there is nothing to undo or this viewer may not."""
    last: Words | None
    """The last thing that happened."""
    slaps: SlapProposal | None
    gifts: GiftsView | None
    """Until the next move."""
    reveal: RevealView | None
    """While hands are counted and until the next round starts."""
    results: tuple[RoundView, ...]
    standings: tuple[Standing, ...]
    house: tuple[HouseRule, ...]
    over: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """Everything that one screen shows."""

    version: int
    """Changes with everything that changes on any screen; the stream's event id."""
    seq: int
    """To be sent back with a move; changes only with the game."""
    viewer: Viewer
    assist: Assist
    watcher: WatcherView
    game: GameView | None
    """None before the first game is set up."""
    guard: GuardPart | None
    """Only for the present Guard's screen."""
    may_open_guard: bool
    """The table's tablet may open the Guard's part: nobody has claimed the Guard's seat."""
    may_play: bool
    """This viewer may enter plays."""

    def shows_the_same_as(self, other: "View") -> bool:
        """Say whether two views differ in nothing but the version and the camera's rates.

        A stream leaves such a view out: a phone that is sent something whenever a flag is raised tells its player so.
        """
        mine, theirs = (
            replace(view, version=0, watcher=replace(view.watcher, fps=None, analysed_fps=None))
            for view in (self, other)
        )
        return mine == theirs
