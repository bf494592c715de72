"""The deck: kinds, cards, and how many of each kind there are. Only totals per kind are published, never per number."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from companion.errors import CompanionError


class Kind(StrEnum):
    """What a card shows beside its number."""

    NUMBER = "number"
    SPIDER = "spider"
    ANT = "ant"
    COCKROACH = "cockroach"
    MOSQUITO = "mosquito"
    MOTH = "moth"


ACTION_KINDS: Final = (Kind.SPIDER, Kind.ANT, Kind.COCKROACH, Kind.MOSQUITO)

NUMBERS: Final = (1, 2, 3, 4, 5)

HAND_SIZE: Final = 8
"""Cards dealt to each player at the start of a round."""

DECK: Final[Mapping[Kind, int]] = MappingProxyType(
    {Kind.NUMBER: 43, Kind.SPIDER: 5, Kind.ANT: 5, Kind.COCKROACH: 5, Kind.MOSQUITO: 5, Kind.MOTH: 8}
)
"""How many cards of each kind there are; the Guard Bug is a marker and is not among them."""

DECK_SIZE: Final = sum(DECK.values())

PENALTY: Final[Mapping[Kind, int]] = MappingProxyType(
    {Kind.NUMBER: 1, Kind.SPIDER: 5, Kind.ANT: 5, Kind.COCKROACH: 5, Kind.MOSQUITO: 5, Kind.MOTH: 10}
)
"""Penalty points for each card that is left in a hand at the end of a round."""


def neighbours(number: int) -> tuple[int, int]:
    """Return the two numbers that fit on ``number``: one below and one above, where 1 and 5 are neighbours."""
    return (number - 2) % 5 + 1, number % 5 + 1


@dataclass(frozen=True, slots=True, order=True)
class Card:
    """A card by its kind and its number from 1 to 5; two equal cards cannot be told apart.

    Raises CompanionError when the number is not on any card.
    """

    kind: Kind
    number: int

    def __post_init__(self) -> None:
        if self.number not in NUMBERS:
            raise CompanionError("A card has a number from 1 to 5, not {number}: look at it again.", number=self.number)

    def fits(self, number: int) -> bool:
        """Say whether this card may be laid on a card with ``number``: one below or above, wrapping around."""
        return self.number in neighbours(number)

    def __str__(self) -> str:
        """Write the card as moves do: ``4`` for a number card, else ``ant4``."""
        return str(self.number) if self.kind is Kind.NUMBER else f"{self.kind}{self.number}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """How many cards of each kind, for example those left in a hand."""

    number: int = 0
    spider: int = 0
    ant: int = 0
    cockroach: int = 0
    mosquito: int = 0
    moth: int = 0

    def __post_init__(self) -> None:
        if any(self.of(kind) < 0 for kind in Kind):
            raise CompanionError("Nobody holds fewer than no cards: enter 0 or more of each kind.")

    def of(self, kind: Kind) -> int:
        """Return how many cards of ``kind``."""
        cards: int = getattr(self, kind.value)
        return cards

    def plus(self, kind: Kind, cards: int = 1) -> "Counts":
        """Return the counts with ``cards`` more of ``kind`` (fewer when negative)."""
        return replace(self, **{kind.value: self.of(kind) + cards})

    @property
    def total(self) -> int:
        """Return the number of cards of all kinds together."""
        return sum(self.of(kind) for kind in Kind)

    @property
    def penalty(self) -> int:
        """Return the penalty points of these cards: 1 for a number card, 5 for an action card, 10 for a moth."""
        return sum(self.of(kind) * PENALTY[kind] for kind in Kind)
