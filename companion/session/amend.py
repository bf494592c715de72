"""Mistakes that one tap sets right: the last move is taken back and entered anew, with another player in it. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from companion.rules.engine import apply, explain
from companion.rules.errors import IllegalMove
from companion.rules.moves import Accuse, Draw, GiftsAll, Give, Out, Play, Race, Slaps
from companion.rules.notation import parse_move
from companion.rules.state import State
from companion.session.counting import impossible_count
from companion.session.game import Folded, Game, Step
from companion.session.options import with_names
from companion.session.rights import refusal, undo_refusal
from companion.session.sentences import move_words
from companion.session.views import Amendment, Viewer
from companion.session.words import Words

MOST_UNDONE = 2
MOST_ENTERED = 3


@dataclass(frozen=True, slots=True)
class Amending:
    """The last moves that are taken back, and what is entered in their place."""

    undo: int
    moves: tuple[str, ...]
    words: Words
    seat: int | None = None
    """The player whom it concerns instead."""


def amendments_for(folded: Folded, game: Game, viewer: Viewer) -> tuple[Amendment, ...]:
    """Return the last move as it would be with each other player in it, as far as this viewer may enter that."""
    return allowed(folded, game, viewer, _with_others(game))


def allowed(folded: Folded, game: Game, viewer: Viewer, wanted: Sequence[Amending]) -> tuple[Amendment, ...]:
    """Return those that the rules take and this viewer may enter."""
    return tuple(
        Amendment(undo=one.undo, moves=one.moves, seat=one.seat, words=one.words)
        for one in wanted
        if _trouble(folded, game, viewer, one.undo, one.moves) is None
    )


def require_allowed(folded: Folded, game: Game, viewer: Viewer, undo: int, moves: Sequence[str]) -> None:
    """Raise what is wrong with amending, before anything has been taken back: NotYours, IllegalMove, UnreadableMove."""
    trouble = _trouble(folded, game, viewer, undo, moves)
    if trouble is not None:
        raise trouble


def _trouble(folded: Folded, game: Game, viewer: Viewer, undo: int, moves: Sequence[str]) -> Exception | None:
    if not 1 <= undo <= min(MOST_UNDONE, len(game.steps)) or not 1 <= len(moves) <= MOST_ENTERED:
        return IllegalMove("There is no such move to correct: undo it and enter it anew.")
    for _ in range(undo):
        denied = undo_refusal(folded, game, viewer)
        if denied is not None:
            return denied
        game = replace(game, steps=game.steps[:-1])
    state = game.state
    for text in moves:
        move = parse_move(text)
        trouble = refusal(folded, game, state, viewer, move) or explain(state, move) or impossible_count(state, move)
        if trouble is not None:
            return _named(trouble, game)
        state = apply(state, move)
    return None


def _named(trouble: Exception, game: Game) -> Exception:
    if not isinstance(trouble, IllegalMove):
        return trouble
    words = with_names(trouble, game.players)
    return IllegalMove(words.template, **words.params)


def _with_others(game: Game) -> tuple[Amending, ...]:
    if not game.steps:
        return ()
    last = game.steps[-1]
    seats = range(len(game.players))
    given_by_all = isinstance(last.move, GiftsAll)
    earlier = game.steps[-2] if len(game.steps) > 1 else None
    if given_by_all and earlier and isinstance(earlier.move, Slaps):
        return tuple(_slowest(game, seat, 2) for seat in seats if seat != earlier.move.order[-1])
    return tuple(one for seat in seats if (one := _with_other(game, last, seat)) is not None)


def _with_other(game: Game, last: Step, seat: int) -> Amending | None:  # noqa: PLR0911 (one case a move)
    before = _before(game)
    match last.move:
        case Play(seat=entered) | Draw(seat=entered) if seat != entered:
            move = replace(last.move, seat=seat)
            words = move_words(move, game.players)
            text = f"draw {seat}" if isinstance(move, Draw) else f"play {seat} {move.card}"
            return Amending(1, (f"set turn {seat}", text), words, seat)
        case Give(seat=giver, to=to) if seat not in {giver, to}:
            return _simple(game, f"give {giver} {seat}", seat)
        case Race(seat=entered, card=card) if seat != entered:
            return _simple(game, f"race {seat} {card}", seat)
        case Slaps(order=order) if order and seat not in {order[-1], before.turn}:
            return _slowest(game, seat, 1)
        case Accuse(seat=entered) if seat != entered:
            return _simple(game, f"accuse {seat}", seat)
        case Out(seat=entered) if seat != entered:
            return _simple(game, f"out {seat}", seat)
        case _:
            return None


def _simple(game: Game, text: str, seat: int) -> Amending:
    return Amending(1, (text,), move_words(parse_move(text), game.players), seat)


def _slowest(game: Game, seat: int, undo: int) -> Amending:
    text = f"slaps {seat}"
    moves = (text, "gifts all") if undo > 1 else (text,)
    return Amending(undo, moves, move_words(parse_move(text), game.players), seat)


def _before(game: Game) -> State:
    return game.steps[-2].state if len(game.steps) > 1 else game.start
