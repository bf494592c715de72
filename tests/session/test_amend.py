"""A move that was entered with the wrong player: one tap enters it with the right one, all or nothing."""

import pytest

from companion.journal import JournalError
from companion.rules.errors import IllegalMove
from companion.session import NotYours, StaleTap, Viewer
from tests.session.table import Table


def offered(table: Table, viewer: Viewer | None = None) -> dict[int | None, tuple[int, tuple[str, ...]]]:
    return {other.seat: (other.undo, other.moves) for other in table.shows(viewer).amendments}


def amend(table: Table, seat: int, by: Viewer | None = None, tap: str | None = None) -> int:
    undo, moves = offered(table)[seat]
    return table.session.amend(undo, moves, table.session.seq, by or table.tablet, tap)


def test_a_card_that_somebody_else_played_is_theirs(playing: Table) -> None:
    """Bo laid the card, out of turn: the hands and the turn follow, and the top card stays."""
    playing.play("play 0 3")
    assert offered(playing) == {1: (1, ("set turn 1", "play 1 3")), 2: (1, ("set turn 2", "play 2 3"))}
    amend(playing, 1)
    assert (playing.state.hands, playing.state.turn) == ((8, 7, 8), 2)


def test_a_draw_of_somebody_else_is_theirs(playing: Table) -> None:
    """Cleo drew, not Anna."""
    playing.play("draw 0")
    amend(playing, 2)
    assert (playing.state.hands, playing.state.turn) == ((8, 8, 9), 0)


@pytest.mark.parametrize(
    ("moves", "others"),
    [
        (("play 0 spider3", "give 0 1"), {2: (1, ("give 0 2",))}),
        (("play 0 cockroach3", "race 1 3"), {0: (1, ("race 0 3",)), 2: (1, ("race 2 3",))}),
        (("play 0 mosquito3", "slaps 1"), {2: (1, ("slaps 2",))}),
        (("play 0 mosquito3", "slaps 1", "gifts all"), {0: None, 2: (2, ("slaps 2", "gifts all"))}),
        (("accuse 1",), {2: (1, ("accuse 2",))}),
        (("set draw 20",), {}),
    ],
)
def test_every_move_with_a_player_in_it_is_offered_with_the_others(
    playing: Table, moves: tuple[str, ...], others: dict[int, tuple[int, tuple[str, ...]] | None]
) -> None:
    """Whom the spider's card went to, who was the fastest, the slowest, the accused; only as the rules allow."""
    playing.play(*moves)
    assert offered(playing) == {seat: other for seat, other in others.items() if other is not None}


def test_what_the_rules_forbid_changes_nothing(playing: Table) -> None:
    """Nothing has been taken back when the new move is not legal."""
    playing.play("play 0 3")
    entries = playing.journal.last_seq
    with pytest.raises(IllegalMove, match="Bo"):
        playing.session.amend(1, ("set turn 1", "play 1 moth3"), playing.session.seq, playing.tablet)
    with pytest.raises(IllegalMove, match="no such move"):
        playing.session.amend(9, ("draw 0",), playing.session.seq, playing.tablet)
    assert playing.journal.last_seq == entries


def test_who_may_not_enter_a_move_may_not_amend_it(playing: Table) -> None:
    """A call is the Guard's: another phone cannot turn it on somebody else."""
    playing.phone(0)
    playing.play("accuse 1", by=playing.phone(0))
    assert offered(playing, playing.phone(1)) == {}
    with pytest.raises(NotYours):
        playing.session.amend(1, ("accuse 2",), playing.session.seq, playing.phone(1))


def test_an_amendment_on_an_old_picture_is_stale(playing: Table) -> None:
    """Somebody was faster: nothing is taken back."""
    playing.play("play 0 3")
    old = playing.session.seq
    playing.play("draw 1")
    with pytest.raises(StaleTap):
        playing.session.amend(1, ("set turn 2", "play 2 3"), old, playing.tablet)
    assert playing.state.hands == (7, 9, 8)


def test_an_amendment_that_is_sent_again_acts_once(playing: Table) -> None:
    """Also after a restart of the server, whose answers by tap are gone."""
    playing.play("play 0 3")
    old = playing.session.seq
    first = amend(playing, 1, tap="one")
    playing.restart()
    again = playing.session.amend(1, ("set turn 1", "play 1 3"), old, playing.tablet, "one")
    assert again == first == playing.session.seq
    assert playing.state.hands == (8, 7, 8)


def test_an_amendment_cut_short_by_a_full_disk_goes_on_when_it_is_sent_again(
    playing: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was taken back is entered anew by the repetition of the tap."""
    playing.play("play 0 3")
    old, append, left = playing.session.seq, playing.journal.append, 1

    def full(kind: str, payload: object) -> object:
        nonlocal left
        left -= 1
        if left < 0:
            raise JournalError("The disk is full: free some space, then tap again.")
        return append(kind, payload)  # type: ignore[arg-type]

    monkeypatch.setattr(playing.journal, "append", full)
    with pytest.raises(JournalError):
        playing.session.amend(1, ("set turn 1", "play 1 3"), old, playing.tablet, "one")
    left = 9
    playing.session.amend(1, ("set turn 1", "play 1 3"), old, playing.tablet, "one")
    assert playing.state.hands == (8, 7, 8)


def test_corrections_are_offered_to_who_may_enter_them(playing: Table) -> None:
    """A phone sets what it sees wrong; the Guard is set by the Guard and on the tablet; a guest sets nothing."""
    assert playing.shows(playing.tablet).corrections == ("top", "discard", "turn", "guard", "hand", "draw")
    assert "guard" in playing.shows(playing.phone(0)).corrections
    assert playing.shows(playing.phone(1)).corrections == ("top", "discard", "turn", "hand", "draw")
    assert playing.shows(playing.session.viewer("a guest")).corrections == ()
