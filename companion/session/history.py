"""Games of the past, move by move, and as JSON and CSV to take away. Pure."""

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from companion.entry import JSON, Entry
from companion.rules.scoring import outcome, totals
from companion.rules.state import Phase, State
from companion.session.fold import fold_entry
from companion.session.game import Flag, Folded, Game
from companion.session.options import card_view
from companion.session.reveal import rounds_of
from companion.session.sentences import move_words
from companion.session.verdicts import verdict_of
from companion.session.views import CardView
from companion.session.words import Words, say

EXPORT_VERSION = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class GameSummary:
    """One line of the list of games."""

    id: int
    wall: str
    """When it was set up, ISO 8601 in UTC."""
    players: tuple[str, ...]
    round: int
    """The round it came to."""
    over: bool
    totals: tuple[int, ...]
    winners: tuple[str, ...]
    """Names; empty unless the game is over."""
    moves: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """The game after one move, as the table could see it."""

    number: int
    """0 before the first move."""
    wall: str
    move: str
    """Notation; empty before the first move."""
    words: Words
    round: int
    phase: str
    guard: int
    turn: int
    hands: tuple[int, ...]
    """Accounted cards by seat."""
    top: CardView | None
    draw_pile: int
    discard_pile: int
    totals: tuple[int, ...]


def games_of(entries: Iterable[Entry]) -> tuple[Game, ...]:
    """Return every game of a journal's entries, oldest first. Raises UnreadableJournal."""
    folded = Folded()
    earlier: list[Game] = []
    for entry in entries:
        after = fold_entry(folded, entry)
        if folded.game and after.games > folded.games:
            earlier.append(folded.game)
        folded = after
    return (*earlier, *((folded.game,) if folded.game else ()))


def summary_of(game: Game) -> GameSummary:
    """Return the game's line in the list of games."""
    ended = outcome(game.state)
    return GameSummary(
        id=game.id,
        wall=game.wall,
        players=game.players,
        round=game.state.round,
        over=ended is not None,
        totals=totals(game.state),
        winners=tuple(game.players[seat] for seat in ended.winners) if ended else (),
        moves=len(game.steps),
    )


def moments_of(game: Game) -> tuple[Moment, ...]:
    """Return the game move by move, its start first; moves that were undone are not in it."""
    start = _moment(0, game.wall, "", say("The game starts"), game.start)
    played = (
        _moment(number, step.wall, step.text, move_words(step.move, game.players), step.state)
        for number, step in enumerate(game.steps, start=1)
    )
    return (start, *played)


def to_json(game: Game, *, secrets: bool) -> dict[str, JSON]:
    """Return the game as JSON: set-up, moves in notation, rounds; replaying the moves gives the same game.

    ``secrets``: with the flags and rulings too, which belong to the Guard while the game is played.
    """
    exported: dict[str, JSON] = {
        "version": EXPORT_VERSION,
        "game": game.id,
        "started": game.wall,
        "players": list(game.players),
        "oldest": game.oldest,
        "house": game.house.to_dict(),
        "over": game.state.phase is Phase.GAME_OVER,
        "moves": [{"move": step.text, "at": step.wall} for step in game.steps],
        "rounds": [
            {
                "round": view.round,
                "points": list(view.points),
                "totals": list(view.totals),
                "cheated_unseen": [count.unseen for count in view.reveal.counts],
                "calls": [count.calls for count in view.reveal.counts],
                "caught": [count.caught for count in view.reveal.counts],
            }
            for view in rounds_of(game)
        ],
    }
    return exported | ({"flags": [_flag_json(game, flag) for flag in game.flags]} if secrets else {})


def moves_csv(game: Game) -> str:
    """Return one line a move, with the state after it, as CSV with a heading."""
    heading = ["number", "at", "round", "move", "words", "phase", "guard", "turn", "top", "draw_pile", "discard_pile"]
    rows = [
        [
            *(moment.number, moment.wall, moment.round, moment.move, str(moment.words), moment.phase),
            *(game.players[moment.guard], game.players[moment.turn], moment.top.text if moment.top else ""),
            *(moment.draw_pile, moment.discard_pile, *moment.hands),
        ]
        for moment in moments_of(game)
    ]
    return _csv([[*heading, *(f"hand of {name}" for name in game.players)], *rows])


def scores_csv(games: Iterable[Game]) -> str:
    """Return one line a player and round over all games, as CSV with a heading."""
    heading = ["game", "started", "round", "player", "points", "total", "cheated_unseen", "calls", "caught"]
    rows = [
        [
            *(game.id, game.wall, view.round, count.name, view.points[count.seat], view.totals[count.seat]),
            *(count.unseen, count.calls, count.caught),
        ]
        for game in games
        for view in rounds_of(game)
        for count in view.reveal.counts
    ]
    return _csv([heading, *rows])


def is_secret(game: Game, current: Game | None) -> bool:
    """Say whether the game's flags still belong to its Guard alone: it is on the table and not over."""
    return current is not None and game.id == current.id and game.state.phase is not Phase.GAME_OVER


def _moment(number: int, wall: str, move: str, words: Words, state: State) -> Moment:
    return Moment(
        number=number,
        wall=wall,
        move=move,
        words=words,
        round=state.round,
        phase=state.phase.value,
        guard=state.guard,
        turn=state.turn,
        hands=state.hands,
        top=card_view(state.top) if state.top else None,
        draw_pile=state.draw_pile,
        discard_pile=state.discard_pile,
        totals=totals(state),
    )


def _flag_json(game: Game, flag: Flag) -> dict[str, JSON]:
    return {
        "id": flag.id,
        "kind": flag.kind,
        "seat": flag.seat,
        "side": flag.side,
        "round": flag.round,
        "confidence": flag.confidence,
        "why": flag.why,
        "times": len(flag.events),
        "verdict": verdict_of(game, flag).value,
    }


def _csv(rows: Sequence[Sequence[object]]) -> str:
    written = io.StringIO()
    csv.writer(written).writerows([[_cell(value) for value in row] for row in rows])
    return written.getvalue()


def _cell(value: object) -> object:
    # A name that begins like a formula would be run by a spreadsheet.
    return f"'{value}" if isinstance(value, str) and value.startswith(("=", "+", "-", "@", "\t", "\r")) else value
