"""What a screen shows of a round that has ended: counts, what vanished unseen, totals, places."""

from dataclasses import dataclass

from companion.session.words import Words


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
