"""What the vision reports: events at seats, and what the rules know while they happen."""

from dataclasses import dataclass
from enum import StrEnum

from companion.words import Words, spoken


class EventKind(StrEnum):
    """The kinds of movement that are put to the Guard; the names are the contract's."""

    HAND_BELOW_TABLE = "hand_below_table"
    SLEEVE_MOVEMENT = "sleeve_movement"
    BEHIND_HEAD = "behind_head"
    CARD_DROP = "card_drop"


class Side(StrEnum):
    """Which of a player's two hands, from the player's own point of view."""

    LEFT = "left"
    RIGHT = "right"


class Sensitivity(StrEnum):
    """How readily the table wants to be told: few flags, the usual, or many."""

    SHY = "shy"
    NORMAL = "normal"
    KEEN = "keen"


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Something seen at a seat.

    ``start_ns`` and ``end_ns`` bound the movement, ``raised_ns`` is when it was certain enough to be told; all on the
    frames' clock. ``confidence`` is 0 to 1. ``reasons`` are sentences that a player
    understands. ``side`` is None where the picture does not tell.
    """

    kind: EventKind
    seat: int
    side: Side | None
    start_ns: int
    end_ns: int
    raised_ns: int
    confidence: float
    reasons: tuple[Words, ...]

    @property
    def why(self) -> str:
        """Return the reasons in English."""
        return spoken(self.reasons)


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What the rules know about this instant: whose turn it is, who is the Guard, whether a dispute is open."""

    turn: int | None = None
    guard: int | None = None
    dispute: bool = False
