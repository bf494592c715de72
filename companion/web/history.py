"""Past games: the list, each move by move, the result to print, and the exports."""

from dataclasses import dataclass
from datetime import datetime

from flask import Blueprint, Response, abort, jsonify, request
from flask_babel import ngettext

from companion.rules.state import Phase
from companion.session.errors import NotThere
from companion.session.game import Game
from companion.session.history import is_secret, moments_of, moves_csv, scores_csv, to_json
from companion.session.reveal import rounds_of, standings_of
from companion.session.roundviews import RoundView, Standing
from companion.session.views import CardView
from companion.web.context import session, show_screen, viewer
from companion.web.words import moment_words, sentence

screen = Blueprint("history", __name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Past:
    """A game in the list and on its result page."""

    id: int
    when: str
    over: bool
    round: int
    rounds: int
    players: tuple[str, ...]
    results: tuple[RoundView, ...]
    standings: tuple[Standing, ...]
    winners: tuple[str, ...]
    facts: tuple["Fact", ...]


@dataclass(frozen=True, slots=True)
class Fact:
    """Something worth telling about a game, with a picture."""

    picture: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayPlayer:
    """A player at one moment of a game."""

    seat: int
    name: str
    accounted: int
    guard: bool
    turn: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """One moment of a game: after `step` of its `steps` moves."""

    id: int
    when: str
    step: int
    steps: int
    round: int
    players: tuple[ReplayPlayer, ...]
    top: CardView | None
    words: str
    moves: tuple[str, ...]


@screen.get("/history")
def show() -> Response:
    """List all games, the latest first."""
    games = [_past(game) for game in reversed(session().games())]
    return show_screen("history/list.html", view=session().view(viewer()), live="/history", games=games)


@screen.get("/history/<int:game_id>")
def replay(game_id: int) -> Response:
    """Show one moment of a game; `step` counts its moves, and it is watched from the start."""
    game = _game(game_id)
    step = request.args.get("step", type=int, default=0)
    shown = _replay(game, max(0, min(step, len(game.steps))))
    return show_screen(
        "history/replay.html",
        view=session().view(viewer()),
        live=f"/history/{game_id}?step={shown.step}",
        replay=shown,
    )


@screen.get("/history/<int:game_id>/result")
def result(game_id: int) -> Response:
    """Show the result as a page to print."""
    live = f"/history/{game_id}/result"
    return show_screen("history/result.html", view=session().view(viewer()), live=live, result=_past(_game(game_id)))


@screen.get("/history/<int:game_id>.json")
def as_json(game_id: int) -> Response:
    """Export a game as JSON; flags and verdicts, the Guard's secret, only when it is over."""
    game = _game(game_id)
    response = jsonify(to_json(game, secrets=not is_secret(game, session().folded.game)))
    return _download(response, f"cheating-moth-{game.id}.json")


@screen.get("/history/<int:game_id>.csv")
def as_csv(game_id: int) -> Response:
    """Export a game as CSV, one line a round and player."""
    game = _game(game_id)
    return _csv(scores_csv([game]), f"cheating-moth-{game.id}.csv")


@screen.get("/history/<int:game_id>/moves.csv")
def moves_as_csv(game_id: int) -> Response:
    """Export a game as CSV, one line a move with the state after it."""
    game = _game(game_id)
    return _csv(moves_csv(game), f"cheating-moth-{game.id}-moves.csv")


@screen.get("/history/all.csv")
def all_as_csv() -> Response:
    """Export the points of all games as CSV."""
    return _csv(scores_csv(session().games()), "cheating-moth-games.csv")


def _csv(table: str, name: str) -> Response:
    return _download(Response(table, mimetype="text/csv"), name)


def _download(response: Response, name: str) -> Response:
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def _game(game_id: int) -> Game:
    try:
        return session().game(game_id)
    except NotThere:
        abort(404)


def _past(game: Game) -> Past:
    standings = standings_of(game)
    results = rounds_of(game)
    return Past(
        id=game.id,
        when=_when(game),
        over=game.state.phase is Phase.GAME_OVER,
        round=game.state.round,
        rounds=len(results),
        players=game.players,
        results=results,
        standings=standings,
        winners=tuple(standing.name for standing in standings if standing.winner),
        facts=_facts(game, results),
    )


def _facts(game: Game, results: tuple[RoundView, ...]) -> tuple[Fact, ...]:
    counts = [count for one in results for count in one.reveal.counts]
    vanished = sum(count.unseen or 0 for count in counts)
    calls = sum(count.calls for count in counts)
    caught = sum(count.caught for count in counts)
    return (
        Fact("numbers", ngettext("%(num)s move", "%(num)s moves", len(game.steps))),
        Fact("moth", ngettext("%(num)s card vanished unseen", "%(num)s cards vanished unseen", vanished)),
        Fact("guard", ngettext("%(num)s call of Caught!", "%(num)s calls of Caught!", calls)),
        Fact("check", ngettext("%(num)s of them true", "%(num)s of them true", caught)),
    )


def _replay(game: Game, step: int) -> Replay:
    moments = moments_of(game)
    shown = moments[step]
    return Replay(
        id=game.id,
        when=_when(game),
        step=step,
        steps=len(game.steps),
        round=shown.round,
        players=tuple(
            ReplayPlayer(
                seat=seat, name=name, accounted=shown.hands[seat], guard=seat == shown.guard, turn=seat == shown.turn
            )
            for seat, name in enumerate(game.players)
        ),
        top=shown.top,
        words=sentence(shown.words),
        moves=tuple(sentence(moment.words) for moment in moments[1:]),
    )


def _when(game: Game) -> str:
    return moment_words(datetime.fromisoformat(game.wall).astimezone())
