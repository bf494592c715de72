"""After a verdict: each thing that hands do is one step, the same on every screen, confirmed once, set right."""

import pytest

from companion.session import NotYours, StaleTap, Viewer
from companion.session.views import ConsequenceView
from tests.session.table import Table


def settled(table: Table, *moves: str, **house: object) -> ConsequenceView:
    """Call on Cleo (2), settle it, and return what has to be done."""
    table.set_up(**house)  # type: ignore[arg-type]
    table.play("deal 3", "draw 0", "accuse 2", *moves)
    return consequence(table)


def consequence(table: Table, viewer: Viewer | None = None) -> ConsequenceView:
    found = table.shows(viewer).consequence
    assert found is not None
    return found


def said(found: ConsequenceView) -> list[str]:
    return [str(step.words) for step in found.steps]


def confirm(table: Table, done: int, *, seen: int | None = None, by: Viewer | None = None) -> None:
    found = consequence(table)
    table.session.confirm(found.seq, found.done if seen is None else seen, done, by or table.tablet)


def test_a_true_call_gives_back_hands_over_and_moves_the_guard_bug(table: Table) -> None:
    """In the order of the rules, and play goes on with the player whose turn it was."""
    found = settled(table, "uphold 1")
    assert said(found) == [
        "Cleo takes the card back into the hand",
        "Anna gives Cleo 1 card from the hand, but no moth",
        "Cleo gets the Guard Bug and is the Guard for the rest of the round",
    ]
    assert [(step.what, step.seat, step.to) for step in found.steps] == [
        ("take_back", 2, None),
        ("hand_over", 0, 2),
        ("guard", 2, None),
    ]
    assert [str(words) for words in found.then] == ["Play goes on: it is Bo's turn"]
    assert (found.true, found.accused, found.done) == (True, 2, 0)


def test_a_false_call_makes_the_guard_draw_and_stay(table: Table) -> None:
    """One card is drawn, nothing else is done by hand."""
    found = settled(table, "dismiss")
    assert said(found) == ["Anna draws one card from the draw pile"]
    assert [str(words) for words in found.then] == ["Anna stays the Guard", "Play goes on: it is Bo's turn"]
    assert not found.true


def test_two_cards_are_handed_over_where_the_house_says_so(table: Table) -> None:
    """The number follows the house rule."""
    found = settled(table, "uphold 2", caught_gift=2)
    assert said(found)[1] == "Anna gives Cleo 2 cards from the hand, but no moth"
    assert [str(other.words) for other in found.amendments] == [
        "Anna can give only 1 card",
        "Anna has only moths and gives none",
        "It was false after all",
    ]


def test_a_guard_with_only_moths_hands_nothing_over(table: Table) -> None:
    """There is no step for a card that nobody gives."""
    assert [step.what for step in settled(table, "uphold 0").steps] == ["take_back", "guard"]


def test_an_empty_draw_pile_is_shuffled_first(table: Table) -> None:
    """The Guard draws from the shuffled discard pile."""
    table.set_up()
    table.play("deal 3", "set draw 0", "accuse 2", "dismiss")
    assert [step.what for step in consequence(table).steps] == ["shuffle", "draw"]


def test_nothing_is_asked_for_where_nothing_can_be_drawn(table: Table) -> None:
    """With both piles used up a false call has no consequence by hand, and a withdrawn one has none at all."""
    table.set_up()
    table.play("deal 3", "accuse 2", "withdraw")
    assert table.shows().consequence is None


def test_a_guard_whose_hand_gets_empty_by_giving_ends_the_round(table: Table) -> None:
    """What follows says so."""
    table.set_up()
    table.play("deal 3", "set hand 0 1", "draw 0", "set hand 0 1", "accuse 2", "uphold 1")
    assert [str(words) for words in consequence(table).then] == ["Anna has no cards left: the round is over"]


def test_play_goes_on_with_the_action_that_was_broken_into(table: Table) -> None:
    """An ant that was laid before the call is carried out after it."""
    table.set_up()
    table.play("deal 3", "play 0 ant4", "accuse 2", "dismiss")
    assert str(consequence(table).then[-1]) == "Play goes on with Anna's card: ant 4"


def test_every_screen_sees_the_same_step_and_any_player_confirms_it(table: Table) -> None:
    """A phone's tap moves the tablet on."""
    settled(table, "uphold 1")
    confirm(table, 1, by=table.phone(1))
    assert [consequence(table, viewer).done for viewer in (table.tablet, table.phone(0), table.phone(2))] == [1, 1, 1]
    confirm(table, 3)
    assert table.shows().consequence is None


def test_two_screens_that_confirm_a_step_at_once_confirm_it_once(table: Table) -> None:
    """The second tap was made when the screen showed the step that is done."""
    settled(table, "uphold 1")
    confirm(table, 1, seen=0)
    confirm(table, 1, seen=0)
    assert consequence(table).done == 1
    confirm(table, 3)
    found = table.session
    with_old_picture = found.seq
    found.confirm(with_old_picture, 1, 2, table.tablet)  # somebody was late: all is done
    assert table.shows().consequence is None


def test_a_step_can_be_taken_back(table: Table) -> None:
    """A tap too early costs one tap."""
    settled(table, "uphold 1")
    confirm(table, 2)
    confirm(table, 1)
    assert consequence(table).done == 1


def test_steps_outlive_a_restart(table: Table) -> None:
    """Screens come back to the step they were at."""
    settled(table, "uphold 1")
    confirm(table, 2)
    table.restart()
    assert consequence(table).done == 2


def test_the_next_move_ends_the_steps(table: Table) -> None:
    """Who plays on without confirming is not held up, and a late confirmation is told so."""
    seq = settled(table, "uphold 1").seq
    table.play("draw 1")
    assert table.shows().consequence is None
    with pytest.raises(StaleTap, match="play goes on"):
        table.session.confirm(seq, 0, 1, table.tablet)


def test_a_screen_without_a_seat_confirms_nothing(table: Table) -> None:
    """It sees the steps, without their buttons."""
    found = settled(table, "dismiss")
    guest = table.session.viewer("a new phone")
    assert not consequence(table, guest).may_confirm
    with pytest.raises(NotYours, match="Choose your seat"):
        table.session.confirm(found.seq, 0, 1, guest)


def test_only_moths_is_one_tap_and_keeps_what_was_done(table: Table) -> None:
    """The card that was taken back stays taken back; the accounted numbers follow."""
    settled(table, "uphold 1")
    confirm(table, 1)
    other = consequence(table).amendments[0]
    assert str(other.words) == "Anna has only moths and gives none"
    table.session.amend(other.undo, other.moves, table.session.seq, table.tablet)
    found = consequence(table)
    assert ([step.what for step in found.steps], found.done) == (["take_back", "guard"], 1)
    assert table.state.hands == (9, 8, 8)


def test_a_wrong_verdict_is_one_tap(table: Table) -> None:
    """True becomes false: the Guard stays and draws, and its own steps begin."""
    settled(table, "uphold 1")
    other = consequence(table).amendments[-1]
    assert str(other.words) == "It was false after all"
    table.session.amend(other.undo, other.moves, table.session.seq, table.tablet)
    assert (table.state.guard, consequence(table).done) == (0, 0)
    assert [str(one.words) for one in consequence(table).amendments] == ["It was true after all"]


def test_the_cheater_cannot_turn_the_verdict(table: Table) -> None:
    """What a call came to is entered by the Guard of the call, or on the tablet."""
    settled(table, "uphold 1")
    cheater, guard = table.phone(2), table.phone(0)
    assert consequence(table, cheater).amendments == ()
    assert len(consequence(table, guard).amendments) == 2
    with pytest.raises(NotYours):
        table.session.amend(1, ("dismiss",), table.session.seq, cheater)
    assert table.state.guard == 2
