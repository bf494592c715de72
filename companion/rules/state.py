"""The state of a game as far as the companion can know it: a frozen value that moves turn into the next one."""

from dataclasses import dataclass
from enum import StrEnum

from companion.rules.cards import Card, Counts
from companion.rules.houserules import HouseRules


class Phase(StrEnum):
    """What the game waits for."""

    DEAL = "deal"
    TURN = "turn"
    SPIDER = "spider"
    ANT = "ant"
    COCKROACH = "cockroach"
    MOSQUITO = "mosquito"
    GIFTS = "gifts"
    ACCUSATION = "accusation"
    COUNT = "count"
    ROUND_OVER = "round_over"
    GAME_OVER = "game_over"


PLAYING = (Phase.TURN, Phase.SPIDER, Phase.ANT, Phase.COCKROACH, Phase.MOSQUITO, Phase.GIFTS)
"""Phases in which cards move: a call may interrupt each of them, and play comes back to it."""

RUNNING = (Phase.DEAL, *PLAYING, Phase.ACCUSATION, Phase.COUNT)
"""Phases of a running round: corrections are legal in each of them."""


@dataclass(frozen=True, slots=True)
class Gifts:
    """After a mosquito: who receives, and who has still to give."""

    receiver: int
    givers: tuple[int, ...]
    """Ascending; each of them holds at least one accounted card."""


@dataclass(frozen=True, slots=True)
class Suspended:
    """The phase that an accusation or the end of the round broke into."""

    phase: Phase
    gifts: Gifts | None = None


@dataclass(frozen=True, slots=True)
class Accusation:
    """An open dispute: whom the Guard accuses, and what goes on after it is settled."""

    seat: int
    suspended: Suspended


@dataclass(frozen=True, slots=True)
class Counting:
    """The end-of-round counts that are in so far, by seat; None where one is missing."""

    counts: tuple[Counts | None, ...]
    suspended: Suspended
    """What would go on if the round turns out not to be over."""


Pending = Gifts | Accusation | Counting


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundResult:
    """One round that was played and counted; every tuple is by seat."""

    starting_guard: int
    guard: int
    """Who held the Guard Bug when the round ended."""
    hands: tuple[int, ...]
    """Accounted cards when the round ended."""
    vanished: tuple[int, ...]
    """Cards that a seat which declared itself out must have cheated away."""
    calls: tuple[int, ...]
    """How often each seat was accused, true or false."""
    caught: tuple[int, ...]
    """How often each seat was caught."""
    counts: tuple[Counts, ...]
    """True cards that were left, per kind."""

    @property
    def penalties(self) -> tuple[int, ...]:
        """Return the penalty points of this round, by seat."""
        return tuple(counts.penalty for counts in self.counts)

    @property
    def cheated_unseen(self) -> tuple[int, ...]:
        """Return how many cards each seat cheated away unseen: accounted minus true, never below 0."""
        return tuple(max(0, missing) for missing in self._missing())

    @property
    def miscounted(self) -> tuple[int, ...]:
        """Return by how many cards each true hand is above the accounted one: something was entered wrongly."""
        return tuple(max(0, -missing) for missing in self._missing())

    def _missing(self) -> tuple[int, ...]:
        entered = zip(self.hands, self.vanished, self.counts, strict=True)
        return tuple(hand + vanished - counts.total for hand, vanished, counts in entered)


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """All that the companion knows. ``sum(hands) + draw_pile + discard_pile + sum(vanished)`` is the whole deck."""

    seats: int
    house: HouseRules
    round: int
    """From 1 to ``seats``."""
    starting_guard: int
    """Who was the Guard when this round started."""
    guard: int
    turn: int
    """Whose turn it is; while an action is open, who played the action card."""
    phase: Phase
    hands: tuple[int, ...]
    """The accounted number of cards by seat; a cheated card is still counted here."""
    draw_pile: int
    discard_pile: int
    """Cards in the discard pile, the top card included."""
    top: Card | None
    """The top card of the discard pile; None before the deal."""
    known: Counts
    """What is known to lie in the discard pile, the top card included; after a shuffle the top card alone."""
    last_acts: tuple[int, ...]
    """Seats whose last act was to lay or give a card, ascending: they may declare that they are out."""
    pending: Pending | None
    vanished: tuple[int, ...]
    """By seat, cards known to be in no hand and no pile: accounted to a seat that declared itself out."""
    calls: tuple[int, ...]
    """By seat, how often the Guard called "Caught!" in this round and it was settled."""
    caught: tuple[int, ...]
    """By seat, how many of these calls were true."""
    results: tuple[RoundResult, ...]
    """The rounds that are over, first to last."""

    def left_of(self, seat: int) -> int:
        """Return the next seat clockwise."""
        return (seat + 1) % self.seats

    def others(self, seat: int) -> tuple[int, ...]:
        """Return all other seats, clockwise from the left of ``seat``."""
        return tuple((seat + step) % self.seats for step in range(1, self.seats))
