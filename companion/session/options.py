"""What a viewer can do now: the legal moves that one tap makes, and what the table waits for."""

from functools import lru_cache
from typing import Final

from companion.errors import CompanionError
from companion.rules.cards import Card, Kind
from companion.rules.engine import legal_moves, options, prompt, remarks
from companion.rules.moves import Accuse, Ant, Count, Deal, Give, Move, Play, Race, Slaps
from companion.rules.notation import format_move
from companion.rules.remarks import Remark, Topic
from companion.rules.rounds import counts_so_far
from companion.rules.state import Accusation, Gifts, Phase, State
from companion.session.game import Folded, Game
from companion.session.rights import refusal
from companion.session.sentences import button_words, card_words, kind_words
from companion.session.views import Asked, CardView, Option, Viewer
from companion.session.words import Words

_SEATS: Final = ("seat", "to", "turn")
"""Names under which the rules' sentences speak of a seat."""

_BY_TURN: Final = (Phase.TURN, Phase.SPIDER, Phase.ANT, Phase.COCKROACH, Phase.MOSQUITO, Phase.GIFTS)


def options_for(folded: Folded, game: Game, viewer: Viewer) -> tuple[Option, ...]:
    """Return the legal moves that one tap makes; a call of "Caught!" is not among them."""
    moves = (move for move in _one_tap_moves(game.state) if not isinstance(move, Accuse))
    return tuple(_option(folded, game, viewer, move) for move in moves)


def accusations_for(folded: Folded, game: Game, viewer: Viewer) -> tuple[Option, ...]:
    """Return `accuse SEAT` for each player who may be accused now."""
    moves = (move for move in _one_tap_moves(game.state) if isinstance(move, Accuse))
    return tuple(_option(folded, game, viewer, move) for move in moves)


def asked_of(game: Game) -> Asked:
    """Return what the table waits for, and of whom."""
    state = game.state
    pending = state.pending
    if isinstance(pending, Accusation):
        by: int | None = state.guard
    else:
        by = state.turn if state.phase in _BY_TURN else None
    return Asked(
        what=state.phase.value,
        by=by,
        seats=_wanted(state),
        receiver=pending.receiver if isinstance(pending, Gifts) else None,
        accused=pending.seat if isinstance(pending, Accusation) else None,
        may_hand_over=options(state).most_gifts,
        words=with_names(prompt(state), game.players),
    )


def remarks_of(game: Game) -> tuple[Words, ...]:
    """Return what the players are told about the last move.

    What was cheated away unseen is left to the reveal, and that a round is over to the heading of its counts.
    """
    if not game.steps:
        return ()
    before = game.steps[-2].state if len(game.steps) > 1 else game.start
    last = game.steps[-1]
    return tuple(
        with_names(remark, game.players)
        for remark in remarks(before, last.move, last.state)
        if remark.topic is not Topic.UNSEEN and not (remark.topic is Topic.ROUND and last.state.phase is Phase.COUNT)
    )


def with_names(error: CompanionError | Remark, names: tuple[str, ...]) -> Words:
    """Return the rules' sentence with players' names in place of seats, and cards as people say them."""
    return Words(error.template, {key: _named(key, value, names) for key, value in error.params.items()})


def card_view(card: Card) -> CardView:
    """Return a card to draw on the screen."""
    return CardView(text=str(card), kind=card.kind.value, number=card.number, words=card_words(card))


def _named(key: str, value: object, names: tuple[str, ...]) -> str | int | Words:
    if key in _SEATS and isinstance(value, int) and 0 <= value < len(names):
        return names[value]
    if isinstance(value, Card):
        return card_words(value)
    if isinstance(value, Kind):
        return kind_words(value)
    return value if isinstance(value, int) else str(value)


@lru_cache(maxsize=16)
def _one_tap_moves(state: State) -> tuple[Move, ...]:
    # Ten screens ask about the same state after every tap; a mosquito alone has dozens of orders.
    return tuple(move for move in legal_moves(state) if _is_one_tap(move))


def _is_one_tap(move: Move) -> bool:
    match move:
        case Slaps(order=order):
            return len(order) <= 1
        case Ant(seats=seats):
            return not seats
        case Count():
            return False
        case _:
            return True


def _option(folded: Folded, game: Game, viewer: Viewer, move: Move) -> Option:
    text = format_move(move)
    return Option(
        move=text,
        verb=text.split(maxsplit=1)[0],
        seat=getattr(move, "seat", None),
        to=move.to if isinstance(move, Give) else None,
        card=card_view(move.card) if isinstance(move, Play | Deal | Race) else None,
        words=button_words(move, game.players),
        allowed=refusal(folded, game, game.state, viewer, move) is None,
    )


def _wanted(state: State) -> tuple[int, ...]:  # noqa: PLR0911 (one case a phase)
    everyone = tuple(range(state.seats))
    match state.phase:
        case Phase.DEAL | Phase.TURN | Phase.SPIDER:
            return (state.turn,)
        case Phase.ANT | Phase.MOSQUITO:
            return tuple(seat for seat in everyone if seat != state.turn)
        case Phase.COCKROACH:
            return everyone
        case Phase.GIFTS:
            return state.pending.givers if isinstance(state.pending, Gifts) else ()
        case Phase.ACCUSATION:
            return (state.guard,)
        case Phase.COUNT:
            return tuple(seat for seat, counts in enumerate(counts_so_far(state)) if counts is None)
        case _:
            return ()
