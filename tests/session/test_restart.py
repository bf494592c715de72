"""Restart: the fold of the journal is the session, after any history and after any kill."""

import contextlib
import random
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from companion.clock import SystemClock
from companion.errors import CompanionError
from companion.journal import Journal
from companion.rules.engine import legal_corrections, legal_moves
from companion.rules.moves import Accuse
from companion.rules.notation import format_move
from companion.rules.state import Phase
from companion.session import Session, UnreadableJournal
from companion.session.fold import _KINDS, fold
from companion.watcher.messages import ClipReport, SlapsReport, SlapTime, StatusReport, WatchState
from tests.session.table import Table

PLAYER = """
import sys
from companion.clock import SystemClock
from companion.journal import Journal
from companion.session import Session
session = Session(Journal.open(sys.argv[1], SystemClock()), SystemClock())
tablet = session.viewer("tablet", table=True)
if session.seq == 0:
    session.create_game(["Anna", "Bo", "Cleo"], 0)
    session.submit("deal 3", session.seq, tablet)
while True:
    game = session.view(tablet).game
    seq = session.submit(next(o.move for o in game.options if o.verb == "draw"), session.seq, tablet)
    print(seq, game.turn, flush=True)
"""


def anything(table: Table, rng: random.Random) -> None:
    """Do one random thing that can happen at a table; most are moves."""
    session, state = table.session, table.state
    table.pass_s(rng.choice((0.2, 1, 5)))
    happening = rng.random()
    if happening < 0.6:
        moves = legal_moves(state)
        calls = [move for move in moves if isinstance(move, Accuse)]
        move = rng.choice(calls if calls and rng.random() < 0.05 else [m for m in moves if m not in calls] or [None])
        if move is None:
            table.set_up(*(["Dora", "Eve", "Finn", "Gil"] if rng.random() < 0.5 else []))
        else:
            table.play(format_move(move), by=table.phone(state.guard) if isinstance(move, Accuse) else None)
    elif happening < 0.68:
        session.undo(session.seq, table.tablet)
    elif happening < 0.8:
        table.see(rng.randrange(4), ago_s=rng.random(), kind=rng.choice(("hand_below_table", "sleeve_movement")))
    elif happening < 0.84:
        session.hear(ClipReport(f"event-{rng.randrange(table.events + 2)}", f"clips/{table.events}", 9))
    elif happening < 0.9:
        flags = table.guards(table.phone(state.guard)).flags or [None]
        flag = rng.choice(flags)
        if flag:
            session.rule(flag.id, rng.choice(("caught", "innocent", "unclear", "open")), table.phone(state.guard))
    elif happening < 0.94:
        others = [seat for seat in range(state.seats) if seat != state.turn]
        order = tuple(SlapTime(seat, 10**12 + seat, 0.01) for seat in others)
        session.hear(SlapsReport(id=session.seq, entered_ns=0, by=state.turn, last=others[-1], order=order))
    elif happening < 0.97:
        corrections = legal_corrections(state)
        if corrections:
            table.play(format_move(rng.choice(corrections)))
    else:
        session.hear(StatusReport(state=rng.choice(list(WatchState))))
        session.set_assist(rng.choice(("live", "after_caught", "off")), table.tablet)


@pytest.mark.parametrize("seed", range(6))
def test_a_restart_at_any_moment_continues_exactly(table: Table, seed: int) -> None:
    """Moves, undos, corrections, flags, clips, rulings, slaps, new games at random: the fold is the session."""
    rng = random.Random(seed)
    table.set_up()
    for _ in range(200):
        with contextlib.suppress(CompanionError):
            anything(table, rng)
        if rng.random() < 0.06:
            before, games = table.session.folded, table.session.games()
            table.restart()
            assert table.session.folded == before
            assert table.session.games() == games
        assert table.session.view(table.tablet).seq == table.session.seq
    assert fold(table.journal.entries()) == table.session.folded
    assert table.session.seq > 50


def test_the_cards_are_all_there_after_any_history(table: Table) -> None:
    """Undo and corrections keep the deck whole at every step that stands."""
    rng = random.Random(99)
    table.set_up()
    for _ in range(150):
        with contextlib.suppress(CompanionError):
            anything(table, rng)
    for game in table.session.games():
        for step in game.steps:
            state = step.state
            assert sum(state.hands) + state.draw_pile + state.discard_pile + sum(state.vanished) == 71


def test_no_acknowledged_tap_is_lost_by_a_kill_and_the_game_goes_on(tmp_path: Path) -> None:
    """The server is killed between, and in, taps at random; the next one has them all and takes the next tap."""
    path, rng, acknowledged = tmp_path / "journal.db", random.Random(5), 0
    for _ in range(6):
        server = subprocess.Popen([sys.executable, "-c", PLAYER, str(path)], stdout=subprocess.PIPE, text=True)
        assert server.stdout
        for _ in range(rng.randrange(1, 15)):
            acknowledged = int(server.stdout.readline().split()[0])
        server.send_signal(signal.SIGKILL)
        rest = re.findall(r"^(\d+) \d\n", server.stdout.read(), re.MULTILINE)
        acknowledged = int(rest[-1]) if rest else acknowledged
        server.wait()
        server.stdout.close()
        journal = Journal.open(path, SystemClock())
        session = Session(journal, SystemClock())
        assert session.seq >= acknowledged
        game = session.view(session.viewer("tablet", table=True)).game
        assert game
        assert (game.phase, game.turn) == (Phase.TURN, (session.seq - 2) % 3)
        journal.close()


def test_an_entry_that_cannot_be_replayed_is_named(playing: Table) -> None:
    """The start stops with one sentence instead of going on with another game."""
    playing.journal.append("move", {"move": "draw 2", "seq": 2, "by": "x"})
    with pytest.raises(UnreadableJournal, match=r"Entry 3 of the journal \(move\)"):
        playing.restart()


def test_an_entry_of_a_kind_that_is_not_known_is_passed_over(playing: Table) -> None:
    """An older program reads a newer journal as far as it can."""
    before = playing.session.folded
    playing.journal.append("confetti", {"colour": "gold"})
    playing.restart()
    assert playing.session.folded.game == before.game


def test_what_cannot_be_folded_never_reaches_the_journal(playing: Table) -> None:
    """A report that breaks the contract does not keep the next start from going on."""
    with pytest.raises(CompanionError):
        playing.see(1, confidence="very")
    playing.restart()


def test_every_entry_kind_is_documented() -> None:
    """docs/session.md lists what the journal holds, and nothing else."""
    page = (Path(__file__).parents[2] / "docs" / "session.md").read_text()
    table = page.split("## Entry kinds")[1].split("\n\n")[0]
    assert set(re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)) == {*_KINDS, "watcher"}
