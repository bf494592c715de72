"""Who may do what: the Guard accuses and sees flags, seats and the tablet play, everyone else looks on."""

import pytest

from companion.session import NotThere, NotYours, SeatTaken, Viewer
from tests.session.table import Table

MAY = {
    "draw 0": {"guard", "player", "tablet"},
    "set top ant4": {"guard", "player", "tablet"},
    "set guard 2": {"guard", "tablet"},
    "accuse 1": {"guard"},
    "uphold 1": {"guard", "tablet"},
    "dismiss": {"guard", "tablet"},
    "withdraw": {"guard", "tablet"},
}
SETTLING = {"uphold 1", "dismiss", "withdraw"}
EVERYONE = ("guard", "player", "tablet", "guest")


def viewer_of(table: Table, who: str) -> Viewer:
    """The phone of the Guard (0), of another player (1), the tablet, or a phone without a seat."""
    if who == "guest":
        return table.session.viewer("somebody's phone")
    return table.tablet if who == "tablet" else table.phone({"guard": 0, "player": 1}[who])


@pytest.mark.parametrize("who", EVERYONE)
@pytest.mark.parametrize("move", MAY)
def test_each_move_is_open_to_those_who_may_enter_it(playing: Table, move: str, who: str) -> None:
    """With the Guard's seat claimed: every kind of move by every kind of screen."""
    guard, viewer = playing.phone(0), viewer_of(playing, who)
    if move in SETTLING:
        playing.play("accuse 1", by=guard)
    if who in MAY[move]:
        playing.play(move, by=viewer)
    else:
        with pytest.raises(NotYours):
            playing.play(move, by=viewer)


@pytest.mark.parametrize("who", EVERYONE)
@pytest.mark.parametrize("move", MAY)
def test_who_may_enter_a_move_may_undo_it_and_nobody_else(playing: Table, move: str, who: str) -> None:
    """A cheater cannot make a call disappear by undoing it, and the screen says so beforehand."""
    guard, viewer = playing.phone(0), viewer_of(playing, who)
    playing.play(*(["accuse 1"] if move in SETTLING else []), move, by=guard)
    allowed = MAY["withdraw"] if move == "accuse 1" else MAY[move]
    assert (playing.shows(viewer).undo is not None) == (who in allowed)
    if who in allowed:
        playing.session.undo(playing.session.seq, viewer)
    else:
        with pytest.raises(NotYours):
            playing.session.undo(playing.session.seq, viewer)


def test_the_tablet_calls_caught_while_nobody_has_the_guards_seat(playing: Table) -> None:
    """A family with one tablet plays the whole game."""
    playing.phone(1)
    playing.play("accuse 1", "dismiss")
    playing.phone(0)
    with pytest.raises(NotYours, match="Anna"):
        playing.play("accuse 1")


def test_a_phone_is_a_seat_and_can_change_it(playing: Table) -> None:
    """A claim moves with the phone; the old seat is free again."""
    assert playing.session.claim_seat(1, "phone").seat == 1
    assert playing.session.claim_seat(2, "phone").seat == 2
    assert playing.session.claim_seat(1, "other phone").seat == 1


def test_a_seat_that_another_phone_has_is_not_taken_from_it(playing: Table) -> None:
    """A cheater cannot take the Guard's seat to look at the flags; the tablet frees it where everyone sees."""
    playing.session.claim_seat(0, "the Guard's phone")
    with pytest.raises(SeatTaken, match="Anna"):
        playing.session.claim_seat(0, "a cheater's phone")
    with pytest.raises(NotYours):
        playing.session.release_seat(0, playing.phone(1))
    playing.session.release_seat(0, playing.tablet)
    assert playing.session.claim_seat(0, "the Guard's new phone").seat == 0


@pytest.mark.parametrize("seat", [-1, 3])
def test_a_seat_that_does_not_exist_cannot_be_claimed(playing: Table, seat: int) -> None:
    """One clear sentence."""
    with pytest.raises(NotThere, match="no such seat"):
        playing.session.claim_seat(seat, "phone")


def test_a_viewer_made_before_its_seat_was_freed_can_do_no_more(playing: Table) -> None:
    """Rights follow the claims as they are, not as a screen remembers them."""
    phone = playing.phone(1)
    playing.session.release_seat(1, playing.tablet)
    with pytest.raises(NotYours, match="Choose your seat"):
        playing.play("draw 0", by=phone)
    assert playing.session.view(phone).viewer.seat is None


def test_claims_survive_a_restart_and_tokens_are_not_in_the_journal(playing: Table) -> None:
    """A phone keeps its seat; an exported journal gives no seat away."""
    playing.session.claim_seat(2, "my secret token")
    playing.restart()
    assert playing.session.viewer("my secret token").seat == 2
    assert "my secret token" not in repr([entry.payload for entry in playing.journal.entries()])


def test_a_rematch_keeps_the_seats_and_other_players_start_afresh(playing: Table) -> None:
    """The same people need not join again; new ones do."""
    playing.session.claim_seat(2, "phone")
    playing.set_up()
    assert playing.session.viewer("phone").seat == 2
    playing.set_up("Anna", "Bo", "Dora")
    assert playing.session.viewer("phone").seat is None


def test_names_are_changed_by_their_own_phone_and_the_tablet(playing: Table) -> None:
    """A wrong name is corrected without a new game."""
    playing.session.rename(1, "  Bosse ", playing.phone(1))
    assert playing.shows().players[1].name == "Bosse"
    with pytest.raises(NotYours):
        playing.session.rename(1, "Silly", playing.phone(2))


def test_the_assist_level_is_set_on_the_tablet_alone(playing: Table) -> None:
    """No phone can switch the camera off unseen."""
    with pytest.raises(NotYours):
        playing.session.set_assist("off", playing.phone(1))
    playing.session.set_assist("off", playing.tablet)
    assert playing.see(1) is None
