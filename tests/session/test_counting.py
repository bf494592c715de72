"""The counts at the end of a round: a second empty hand is impossible, and the Guard never cheats."""

import pytest

from companion.rules.errors import IllegalMove
from tests.session.table import Table

OVER = ("draw 0", "play 1 3", "out 1")


def test_a_second_empty_hand_is_refused_with_the_reason(playing: Table) -> None:
    """The round ends at the first empty hand: nothing entered is an oversight, and nothing has changed."""
    seq = playing.play(*OVER)
    with pytest.raises(IllegalMove) as refused:
        playing.play("count 2 number=0")
    assert str(refused.value) == (
        "Bo went out first, and a last card is never cheated away, so Cleo still holds cards: enter them, or undo "
        "back to the last card if Cleo was the one who went out."
    )
    assert playing.session.seq == seq
    playing.play("count 2 number=1")


def test_an_entered_hand_cannot_be_emptied_later(playing: Table) -> None:
    """A correction of a count is held to the same, after the round too."""
    playing.play(*OVER, "count 0 number=9", "count 2 number=1")
    with pytest.raises(IllegalMove):
        playing.play("count 2 number=0")


def test_hands_emptied_in_the_same_moment_are_counted_as_empty(playing: Table) -> None:
    """All give to the slowest at once: a giver who was cheated down may have given the last card too."""
    playing.play("set hand 2 1", "play 0 mosquito3", "slaps 1", "gifts all", "count 0 number=0")
    assert playing.shows().asked.seats == (1,)


def test_who_was_guard_all_round_is_never_the_best_cheater(playing: Table) -> None:
    """What is missing in that hand was not entered: a miscount, and the crown goes to who could cheat."""
    playing.play(*OVER, "count 0 number=1", "count 2 number=6")
    reveal = playing.shows().reveal
    assert reveal
    assert [(count.unseen, count.miscounted) for count in reveal.counts] == [(0, True), (7, False), (2, False)]
    assert reveal.best_cheaters == (1,)


def test_who_became_the_guard_may_have_cheated_before(playing: Table) -> None:
    """A cheater who was caught is the Guard for the rest of the round only."""
    playing.play("accuse 2", "uphold 0", *OVER, "count 0 number=9")
    playing.play("count 2 number=1")
    reveal = playing.shows().reveal
    assert reveal
    assert [count.unseen for count in reveal.counts] == [0, 7, 7]
    assert reveal.best_cheaters == (1, 2)
