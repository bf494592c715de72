"""The words that moves and states are written with: cards, numbers, counts."""

import re

from companion.rules.cards import NUMBERS, Card, Counts, Kind

_CARD = re.compile(rf"({'|'.join(kind for kind in Kind if kind is not Kind.NUMBER)}|)([{NUMBERS[0]}-{NUMBERS[-1]}])")
_WHOLE = re.compile(r"[0-9]{1,3}")
_PART = re.compile(rf"({'|'.join(Kind)})=([0-9]{{1,3}})")


class Unread(Exception):
    """A word is not what stands in its place; who reads the whole line says so to the player."""


def read_card(word: str) -> Card:
    """Read ``4`` or ``ant4``. Raises Unread."""
    found = _CARD.fullmatch(word)
    if found is None:
        raise Unread
    return Card(Kind(found[1] or Kind.NUMBER), int(found[2]))


def read_whole(word: str) -> int:
    """Read a whole number from 0 to 999. Raises Unread."""
    if _WHOLE.fullmatch(word) is None:
        raise Unread
    return int(word)


def read_counts(words: list[str]) -> Counts:
    """Read ``number=3 ant=1``: at least one kind, each once; the others are 0. Raises Unread."""
    counts, seen = Counts(), set[str]()
    for word in words:
        found = _PART.fullmatch(word)
        if found is None or found[1] in seen:
            raise Unread
        seen.add(found[1])
        counts = counts.plus(Kind(found[1]), int(found[2]))
    if not seen:
        raise Unread
    return counts


def format_counts(counts: Counts) -> str:
    """Write counts: the kinds that occur, ``number=0`` when none does."""
    return " ".join(f"{kind}={counts.of(kind)}" for kind in Kind if counts.of(kind)) or "number=0"
