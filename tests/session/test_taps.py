"""Taps: each is carried out once or refused with a sentence, and never changes what the screen did not show."""

import threading

import pytest

from companion.journal import JournalError
from companion.rules.errors import IllegalMove, UnreadableMove
from companion.session import NoGame, NotThere, StaleTap
from tests.session.table import Table


def test_a_move_before_any_game_is_told_to_set_one_up(table: Table) -> None:
    """No traceback where there is no game."""
    with pytest.raises(NoGame, match="enter the players"):
        table.session.submit("draw 0", 0, table.tablet)


def test_a_move_is_in_the_journal_before_it_is_acknowledged(playing: Table) -> None:
    """The tap's entry is there when submit returns, and seq has gone up by one."""
    before = playing.session.seq
    assert playing.session.submit("play 0 3", before, playing.tablet) == before + 1
    last = list(playing.journal.entries())[-1]
    assert (last.kind, last.payload["move"]) == ("move", "play 0 3")


def test_a_tap_on_an_old_picture_is_stale_and_changes_nothing(playing: Table) -> None:
    """The sentence says what happened meanwhile."""
    phone, old = playing.phone(1), playing.session.seq
    playing.play("play 0 3")
    entries = playing.journal.last_seq
    with pytest.raises(StaleTap, match="Anna played 3"):
        playing.session.submit("draw 0", old, phone)
    assert playing.state.turn == 1
    assert playing.journal.last_seq == entries


def test_of_screens_that_tap_at_once_exactly_one_wins(playing: Table) -> None:
    """However many screens tap the same move at the same seq, one is carried out and the others are stale."""
    phones = [playing.phone(seat) for seat in range(3)] + [playing.tablet]
    seq = playing.session.seq
    start = threading.Barrier(len(phones))
    won: list[int] = []
    stale: list[str] = []

    def tap(index: int) -> None:
        start.wait(20)
        try:
            won.append(playing.session.submit("draw 0", seq, phones[index]))
        except StaleTap as error:
            stale.append(str(error))

    threads = [threading.Thread(target=tap, args=(index,)) for index in range(len(phones))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert won == [seq + 1]
    assert len(stale) == 3
    assert playing.state.hands == (9, 8, 8)


@pytest.mark.parametrize("restart", [False, True])
def test_a_tap_that_comes_again_is_acknowledged_again_and_carried_out_once(playing: Table, restart: bool) -> None:
    """A phone that lost its Wi-Fi before the answer sends the same tap again, even to a server started anew."""
    seq, phone = playing.session.seq, playing.phone(0)
    first = playing.session.submit("draw 0", seq, phone)
    if restart:
        playing.restart()
    assert playing.session.submit("draw 0", seq, phone) == first
    assert playing.state.hands == (9, 8, 8)


def test_a_named_tap_is_known_again_whatever_seq_it_carries(playing: Table) -> None:
    """A screen that looked again before it repeated the tap does not double it either; another tap is another."""
    seq, phone = playing.session.seq, playing.phone(0)
    first = playing.session.submit("draw 0", seq, phone, tap="a1")
    playing.play("draw 1", "draw 2")
    assert playing.session.submit("draw 0", playing.session.seq, phone, tap="a1") == first
    assert playing.session.submit("draw 0", playing.session.seq, phone, tap="a2") == first + 3


def test_a_repeated_tap_is_not_carried_out_when_it_was_undone_meanwhile(playing: Table) -> None:
    """What was undone stays undone."""
    seq, phone = playing.session.seq, playing.phone(0)
    first = playing.session.submit("draw 0", seq, phone)
    playing.session.undo(first, playing.tablet)
    assert playing.session.submit("draw 0", seq, phone) == first
    assert playing.state.hands == (8, 8, 8)


def test_an_undo_tapped_twice_undoes_once(playing: Table) -> None:
    """A double tap on undo does not take two moves back."""
    seq = playing.play("draw 0", "draw 1")
    assert playing.session.undo(seq, playing.tablet) == playing.session.undo(seq, playing.tablet) == seq + 1
    assert playing.state.hands == (9, 8, 8)


def test_undo_goes_back_move_by_move_and_says_which(playing: Table) -> None:
    """Back to the start of the game, each with its words; then there is nothing to undo."""
    playing.play("play 0 ant3", "ant all")
    said = []
    while playing.session.undo_words():
        said.append(str(playing.session.undo_words()))
        playing.session.undo(playing.session.seq, playing.tablet)
    assert said == ["Everyone else drew a card", "Anna played ant 3", "The cards were dealt and spider 4 turned up"]
    with pytest.raises(NotThere, match="nothing to undo"):
        playing.session.undo(playing.session.seq, playing.tablet)


def test_seq_goes_up_with_an_undo(playing: Table) -> None:
    """A tap that was meant for the state before the undo is stale."""
    seq = playing.play("draw 0")
    playing.session.undo(seq, playing.tablet)
    with pytest.raises(StaleTap):
        playing.session.submit("draw 1", seq, playing.tablet)


def test_a_flag_makes_no_tap_stale(playing: Table) -> None:
    """What the camera sees never costs a player a tap."""
    seq = playing.session.seq
    assert playing.see(1)
    assert playing.session.submit("draw 0", seq, playing.tablet) == seq + 1


def test_an_illegal_move_speaks_of_players_by_name(playing: Table) -> None:
    """The rules know seats; the sentence on the screen knows people, and cards as people say them."""
    with pytest.raises(IllegalMove, match="It is not Bo's turn: Anna is next"):
        playing.play("draw 1")
    with pytest.raises(IllegalMove, match="ant 1 does not fit on spider 4"):
        playing.play("play 0 ant1")
    with pytest.raises(IllegalMove, match="There is no place 9"):
        playing.play("accuse 9")


@pytest.mark.parametrize(
    "text", ["", "jump 2", "play 0", "play 0 ant9", "draw 0; draw 1", "\ud800", "draw " + "9" * 9999]
)
def test_what_is_no_move_is_refused_as_unreadable(playing: Table, text: str) -> None:
    """Unreadable and not allowed are different sentences."""
    with pytest.raises(UnreadableMove):
        playing.play(text)


def test_a_taps_name_may_be_any_text(playing: Table) -> None:
    """Nothing that a screen sends can keep a tap out of the journal or spoil it."""
    playing.session.submit("draw 0", playing.session.seq, playing.tablet, tap="\ud800<b>" + "x" * 5000)
    folded = playing.session.folded
    playing.restart()
    assert playing.session.folded == folded


def _draw_until_the_disk_is_full(table: Table) -> tuple[object, int]:
    while True:
        before, version = table.session.folded, table.session.version
        try:
            table.play(f"draw {table.state.turn}")
        except JournalError:
            return before, version


def test_a_full_disk_refuses_the_tap_and_the_same_tap_works_later(playing: Table) -> None:
    """Nothing has changed on any screen when the journal could not be written."""
    pages = playing.journal._db.execute("PRAGMA page_count").fetchone()[0]
    playing.journal._db.execute(f"PRAGMA max_page_count = {pages}")
    before, version = _draw_until_the_disk_is_full(playing)
    with pytest.raises(JournalError, match="free some space"):
        playing.play(f"draw {playing.state.turn}")
    assert (playing.session.folded, playing.session.version) == (before, version)
    playing.journal._db.execute("PRAGMA max_page_count = 100000")
    seq = playing.play(f"draw {playing.state.turn}")
    playing.restart()
    assert playing.session.seq == seq
