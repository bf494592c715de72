"""One line of text for every move: what tablets send and the journal stores. States have theirs in ``statetext``."""

from collections.abc import Callable, Mapping
from typing import Final

from companion.rules import moves
from companion.rules.cards import Card
from companion.rules.errors import UnreadableMove
from companion.rules.moves import Move
from companion.rules.statetext import format_state, parse_state
from companion.rules.words import Unread, format_counts, read_card, read_counts, read_whole

__all__ = ["format_move", "format_state", "parse_card", "parse_move", "parse_state"]

LONGEST_MOVE: Final = 120
"""Characters; the longest move that means something has less."""

_EXAMPLES: Final[Mapping[str, str]] = {
    "deal": "deal ant4",
    "play": "play 2 ant4",
    "draw": "draw 2",
    "give": "give 2 1",
    "keep": "keep 2",
    "ant": "ant 0 1 3, ant all or ant none",
    "race": "race 3 4 or race none",
    "slaps": "slaps 0 3 1 or slaps none",
    "gift": "gift 2",
    "nogift": "nogift 2",
    "gifts": "gifts all",
    "accuse": "accuse 2",
    "uphold": "uphold 1",
    "dismiss": "dismiss",
    "withdraw": "withdraw",
    "out": "out 2",
    "count": "count 2 number=3 ant=1",
    "next": "next",
    "set": "set top ant4, set turn 2, set guard 1, set hand 2 5, set draw 20 or set discard number=9 ant=1",
}


def parse_move(text: str) -> Move:
    """Read one move.

    Raises UnreadableMove, with an example of what is expected, for text that is no move; whether the move is legal
    is the engine's question.
    """
    words = text.split() if len(text) <= LONGEST_MOVE else []
    if not words or words[0] not in _EXAMPLES:
        raise UnreadableMove(
            "{text} is no move: a move starts with one of {words}.",
            text=_shortened(text),
            words=", ".join(_EXAMPLES),
        )
    try:
        return _READERS[words[0]](words[1:])
    except Unread:
        raise UnreadableMove(
            "{text} cannot be read: write it like {example}.", text=_shortened(text), example=_EXAMPLES[words[0]]
        ) from None


def _shortened(text: str) -> str:
    shown = " ".join(text.split())
    return repr(shown if len(shown) <= 40 else shown[:40] + "...")


def parse_card(text: str) -> Card:
    """Read a card: ``4`` is a number card, ``ant4`` an action card, ``moth4`` a moth. Raises UnreadableMove."""
    try:
        return read_card(text)
    except Unread:
        raise UnreadableMove(
            "{text} is no card: write a number from 1 to 5, or a kind and a number like ant4.", text=_shortened(text)
        ) from None


def _wholes(words: list[str], expected: int) -> tuple[int, ...]:
    if len(words) != expected:
        raise Unread
    return tuple(read_whole(word) for word in words)


def _bare(words: list[str], expected: list[str], move: Move) -> Move:
    if words != expected:
        raise Unread
    return move


def _deal(words: list[str]) -> Move:
    if len(words) != 1:
        raise Unread
    return moves.Deal(read_card(words[0]))


def _play(words: list[str]) -> Move:
    if len(words) != 2:
        raise Unread
    return moves.Play(read_whole(words[0]), read_card(words[1]))


def _ant(words: list[str]) -> Move:
    if words == ["all"]:
        return moves.Ant(None)
    if words == ["none"]:
        return moves.Ant(())
    if not words:
        raise Unread
    return moves.Ant(tuple(sorted(read_whole(word) for word in words)))


def _race(words: list[str]) -> Move:
    if words == ["none"]:
        return moves.NoRace()
    if len(words) != 2:
        raise Unread
    return moves.Race(read_whole(words[0]), read_card(words[1]))


def _slaps(words: list[str]) -> Move:
    if words == ["none"]:
        return moves.Slaps(())
    if not words:
        raise Unread
    return moves.Slaps(tuple(read_whole(word) for word in words))


def _count(words: list[str]) -> Move:
    (seat,) = _wholes(words[:1], 1)
    return moves.Count(seat, read_counts(words[1:]))


def _set(words: list[str]) -> Move:
    match words:
        case ["top", card]:
            return moves.SetTop(read_card(card))
        case ["turn", seat]:
            return moves.SetTurn(read_whole(seat))
        case ["guard", seat]:
            return moves.SetGuard(read_whole(seat))
        case ["hand", seat, cards]:
            return moves.SetHand(read_whole(seat), read_whole(cards))
        case ["draw", cards]:
            return moves.SetDraw(read_whole(cards))
        case ["discard", *counts]:
            return moves.SetDiscard(read_counts(counts))
        case _:
            raise Unread


_READERS: Final[Mapping[str, Callable[[list[str]], Move]]] = {
    "deal": _deal,
    "play": _play,
    "draw": lambda words: moves.Draw(*_wholes(words, 1)),
    "give": lambda words: moves.Give(*_wholes(words, 2)),
    "keep": lambda words: moves.Keep(*_wholes(words, 1)),
    "ant": _ant,
    "race": _race,
    "slaps": _slaps,
    "gift": lambda words: moves.Gift(*_wholes(words, 1)),
    "nogift": lambda words: moves.NoGift(*_wholes(words, 1)),
    "gifts": lambda words: _bare(words, ["all"], moves.GiftsAll()),
    "accuse": lambda words: moves.Accuse(*_wholes(words, 1)),
    "uphold": lambda words: moves.Uphold(*_wholes(words, 1)),
    "dismiss": lambda words: _bare(words, [], moves.Dismiss()),
    "withdraw": lambda words: _bare(words, [], moves.Withdraw()),
    "out": lambda words: moves.Out(*_wholes(words, 1)),
    "count": _count,
    "next": lambda words: _bare(words, [], moves.Next()),
    "set": _set,
}


def format_move(move: Move) -> str:
    """Write a move; ``parse_move`` reads it back as an equal one."""
    match move:
        case moves.Deal(card):
            return f"deal {card}"
        case moves.Play(seat, card):
            return f"play {seat} {card}"
        case moves.Give(seat, to):
            return f"give {seat} {to}"
        case moves.Ant(seats):
            return "ant all" if seats is None else f"ant {_seats(seats)}"
        case moves.Race(seat, card):
            return f"race {seat} {card}"
        case moves.NoRace():
            return "race none"
        case moves.Slaps(order):
            return f"slaps {_seats(order)}"
        case moves.GiftsAll():
            return "gifts all"
        case moves.Uphold(cards):
            return f"uphold {cards}"
        case moves.Dismiss() | moves.Withdraw() | moves.Next():
            return type(move).__name__.lower()
        case moves.Count(seat, counts):
            return f"count {seat} {format_counts(counts)}"
        case moves.Draw(seat) | moves.Keep(seat) | moves.Gift(seat) | moves.NoGift(seat):
            return f"{type(move).__name__.lower()} {seat}"
        case moves.Accuse(seat) | moves.Out(seat):
            return f"{type(move).__name__.lower()} {seat}"
        case _:
            return _format_correction(move)


def _format_correction(move: moves.Correction) -> str:
    match move:
        case moves.SetTop(card):
            return f"set top {card}"
        case moves.SetTurn(seat):
            return f"set turn {seat}"
        case moves.SetGuard(seat):
            return f"set guard {seat}"
        case moves.SetHand(seat, cards):
            return f"set hand {seat} {cards}"
        case moves.SetDraw(cards):
            return f"set draw {cards}"
        case moves.SetDiscard(counts):
            return f"set discard {format_counts(counts)}"


def _seats(seats: tuple[int, ...]) -> str:
    return " ".join(str(seat) for seat in seats) or "none"
