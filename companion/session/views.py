"""What a screen shows: one frozen value a viewer, with nothing in it that this viewer may not know."""

from dataclasses import dataclass, replace
from enum import StrEnum

from companion.session.cameraviews import FlagView, Precision, SlapProposal, WatcherView
from companion.session.roundviews import RevealView, RoundView, Standing
from companion.session.words import Words


class Assist(StrEnum):
    """How much the camera helps the Guard; the house's choice."""

    LIVE = "live"
    """Flags reach the Guard at once."""
    AFTER_CAUGHT = "after_caught"
    """Flags on the accused seat are shown once the Guard has called "Caught!"."""
    OFF = "off"
    """No flags; the camera is not needed."""


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


@dataclass(frozen=True, slots=True)
class GiftsView:
    """The gifts to the slowest that were just entered: who gives, and who had only moths."""

    receiver: int
    givers: tuple[int, ...]
    without: tuple[int, ...]


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
    ended_by: Words | None
    """What ended the round, until a hand is counted: one tap takes it back; None where this viewer may not."""
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
class GuardPart:
    """What the present Guard alone may see."""

    seat: int
    flags: tuple[FlagView, ...]
    """Newest first."""
    accusable: tuple[Option, ...]
    """`accuse SEAT` for each player who may be accused now."""
    precision: tuple[Precision, ...]


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
