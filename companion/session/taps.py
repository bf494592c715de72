"""What a tap comes to: an entry for the journal, or an acknowledgement that was given before. Pure."""

from dataclasses import dataclass

from companion.entry import JSON
from companion.rules.engine import explain
from companion.rules.errors import IllegalMove
from companion.rules.moves import Accuse
from companion.rules.notation import format_move, parse_move
from companion.session.counting import impossible_count
from companion.session.errors import NoGame, NotThere, StaleTap
from companion.session.flags import to_call
from companion.session.game import Folded, Game
from companion.session.options import with_names
from companion.session.rights import refusal, undo_refusal
from companion.session.sentences import move_words
from companion.session.views import Viewer
from companion.session.words import say

_LONGEST_TAP = 64
"""Characters of a tap's name that count: room for a UUID, no room to fill the journal."""


@dataclass(frozen=True, slots=True)
class Planned:
    """An entry to be appended."""

    kind: str
    payload: dict[str, JSON]


@dataclass(frozen=True, slots=True)
class Repeated:
    """The tap was carried out before; it is acknowledged again and changes nothing."""

    seq: int
    """What it was acknowledged with."""


def game_of(folded: Folded) -> Game:
    """Return the game on the table. Raises NoGame when none has been set up."""
    if folded.game is None:
        raise NoGame("No game has been set up yet: enter the players on the tablet first.")
    return folded.game


def plan_move(
    folded: Folded, text: str, seq: int, by: Viewer, *, tap: str | None, now_ns: int, flag: str | None = None
) -> Planned | Repeated:
    """Plan a move that was entered when the screen showed ``seq``.

    A call of "Caught!" is put together with ``flag``, or with the flag on that seat that can still be called.
    Raises UnreadableMove, NotYours, StaleTap, or IllegalMove with players' names in its sentence.
    """
    game = game_of(folded)
    tap = tap[:_LONGEST_TAP] if tap else None
    move = parse_move(text)
    spelled = format_move(move)
    repeated = _repeated(folded, spelled, seq, by, tap)
    if repeated:
        return repeated
    _require_fresh(folded, game, seq)
    denied = refusal(folded, game, game.state, by, move)
    if denied:
        raise denied
    wrong = explain(game.state, move) or impossible_count(game.state, move)
    if wrong:
        words = with_names(wrong, game.players)
        raise IllegalMove(words.template, **words.params)
    payload: dict[str, JSON] = {"move": spelled, "seq": seq, "by": by.key, "tap": tap}
    if isinstance(move, Accuse):
        called = to_call(game, move.seat, now_ns)
        payload["flag"] = flag or (called.id if called else None)
    return Planned("move", payload)


def plan_undo(folded: Folded, seq: int, by: Viewer, *, tap: str | None) -> Planned | Repeated:
    """Plan to undo the last move. Raises NotThere when there is none, NotYours, or StaleTap."""
    game = game_of(folded)
    tap = tap[:_LONGEST_TAP] if tap else None
    repeated = _repeated(folded, "undo", seq, by, tap)
    if repeated:
        return repeated
    _require_fresh(folded, game, seq)
    if not game.steps:
        raise NotThere("There is nothing to undo: no move has been entered in this game.")
    last = game.steps[-1]
    denied = undo_refusal(folded, game, by)
    if denied:
        raise denied
    return Planned("undo", {"undoes": last.entry, "seq": seq, "by": by.key, "tap": tap})


def _repeated(folded: Folded, text: str, seq: int, by: Viewer, tap: str | None) -> Repeated | None:
    for known in reversed(folded.acknowledged):
        same = known.seq == seq or (tap is not None and known.tap == tap)
        if same and known.by == by.key and known.text == text:
            return Repeated(known.result)
    return None


def _require_fresh(folded: Folded, game: Game, seq: int) -> None:
    if seq == folded.seq:
        return
    last = move_words(game.steps[-1].move, game.players) if game.steps else say("a new game")
    raise StaleTap("Somebody was faster ({what}): look at the screen again, then tap.", what=last)
