"""History: every game, move by move, and as files to take away."""

import csv
import io
import json

import pytest

from companion.journal import read_entries
from companion.rules.engine import new_game, replay
from companion.rules.houserules import HouseRules
from companion.rules.notation import parse_move
from companion.session import NotThere
from companion.session.history import (
    games_of,
    is_secret,
    moments_of,
    moves_csv,
    scores_csv,
    summary_of,
    to_json,
)
from tests.session.table import Table


def played(table: Table) -> Table:
    """One finished round with a call and a flag, then a second game."""
    table.set_up(call_window=30)
    table.play("deal 3")
    table.see(1)
    table.play("accuse 1", "uphold 1", "draw 0")
    table.session.undo(table.session.seq, table.tablet)
    table.play("play 0 4", "out 0", "count 1 number=4", "count 2 moth=1")
    table.set_up("=1+1", "Bo", "Cleo")
    table.play("deal ant2")
    return table


def test_all_games_of_the_journal_are_listed(table: Table) -> None:
    """Also from a journal that a server has open; the game on the table comes last."""
    games = played(table).session.games()
    assert games_of(read_entries(table.path)) == games
    assert [(s.id, s.players[0], s.round, s.over, s.totals, s.moves) for s in map(summary_of, games)] == [
        (1, "Anna", 1, False, (0, 4, 10), 7),
        (2, "=1+1", 1, False, (0, 0, 0), 1),
    ]
    assert table.session.game(1) == games[0]
    with pytest.raises(NotThere, match="number 3"):
        table.session.game(3)


def test_a_game_is_replayed_move_by_move(table: Table) -> None:
    """With words and the state after each; what was undone is not in it."""
    moments = moments_of(played(table).session.game(1))
    assert [str(moment.words) for moment in moments][:5] == [
        "The game starts",
        "The cards were dealt and 3 turned up",
        'The Guard called "Caught!" on Bo',
        "The accusation was true; 1 card was handed over",
        "Anna played 4",
    ]
    assert [moment.guard for moment in moments] == [0, 0, 0, 1, 1, 1, 1, 1]
    assert [moment.number for moment in moments] == list(range(8))
    assert moments[-1].totals == (0, 4, 10)


def test_the_json_of_a_game_replays_to_the_same_state(table: Table) -> None:
    """Nothing that the rules need is missing from it."""
    game = played(table).session.game(1)
    exported = json.loads(json.dumps(to_json(game, secrets=True)))
    start = new_game(len(exported["players"]), exported["oldest"], HouseRules.from_dict(exported["house"]))
    assert replay(start, [parse_move(move["move"]) for move in exported["moves"]]) == game.state
    assert exported["rounds"][0]["points"] == [0, 4, 10]
    assert [(flag["seat"], flag["verdict"]) for flag in exported["flags"]] == [(1, "caught")]


def test_an_export_of_the_running_game_keeps_the_guards_secrets(table: Table) -> None:
    """Flags of a game on the table are the Guard's; those of earlier games are everyone's."""
    session = played(table).session
    table.see(1)
    assert session.folded.game
    assert is_secret(session.game(2), session.folded.game)
    assert not is_secret(session.game(1), session.folded.game)
    assert "flags" not in to_json(session.game(2), secrets=False)


def test_moves_and_scores_come_as_tables(table: Table) -> None:
    """One line a move, one line a player and round, each with a heading."""
    session = played(table).session
    moves = list(csv.DictReader(io.StringIO(moves_csv(session.game(1)))))
    assert [row["move"] for row in moves][:3] == ["", "deal 3", "accuse 1"]
    assert (moves[-1]["phase"], moves[-1]["hand of Bo"]) == ("round_over", "9")
    scores = list(csv.DictReader(io.StringIO(scores_csv(session.games()))))
    assert [(row["player"], row["points"], row["cheated_unseen"]) for row in scores] == [
        ("Anna", "0", "6"),
        ("Bo", "4", "5"),
        ("Cleo", "10", "7"),
    ]


def test_a_name_that_looks_like_a_formula_stays_text(table: Table) -> None:
    """A spreadsheet must not run what a player typed."""
    text = moves_csv(played(table).session.game(2))
    cells = [cell for row in csv.reader(io.StringIO(text)) for cell in row]
    assert "'=1+1" in cells
    assert not any(cell.startswith("=") for cell in cells)
