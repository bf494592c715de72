"""Corrections: legal in every phase of a running round, and the deck stays whole."""

import pytest

from companion.rules import engine
from companion.rules.cards import Counts
from companion.rules.notation import format_move
from companion.rules.state import Accusation, Phase
from tests.rules.tables import after, refusal, setting, table

PHASES = {
    Phase.TURN: ("deal 4",),
    Phase.SPIDER: ("deal 4", "play 0 spider3"),
    Phase.ANT: ("deal 4", "play 0 ant3"),
    Phase.COCKROACH: ("deal 4", "play 0 cockroach3"),
    Phase.MOSQUITO: ("deal 4", "play 0 mosquito3"),
    Phase.GIFTS: ("deal 4", "play 0 mosquito3", "slaps 1"),
    Phase.ACCUSATION: ("deal 4", "play 0 mosquito3", "slaps 1", "accuse 1"),
    Phase.COUNT: ("deal 4", "set hand 0 1", "play 0 3"),
}


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize(
    "correction", ["set top moth1", "set turn 2", "set guard 2", "set hand 2 11", "set hand 1 3", "set draw 7"]
)
def test_every_correction_is_legal_in_every_phase(phase: Phase, correction: str) -> None:
    """Players who notice a slip late can still set it right."""
    state = table(*PHASES[phase])
    assert state.phase is phase
    corrected = after(state, correction)
    assert corrected.phase is phase or (correction == "set turn 2" and corrected.phase is Phase.TURN)


@pytest.mark.parametrize("phase", PHASES)
def test_every_correction_that_is_offered_is_taken(phase: Phase) -> None:
    """What ``legal_corrections`` lists, ``apply`` takes; among it a turn, a Guard and a hand."""
    state = table(*PHASES[phase])
    offered = [format_move(correction) for correction in engine.legal_corrections(state)]
    assert [text for text in offered if refusal(state, text)] == []
    assert {"set turn 2", "set guard 2", f"set hand 1 {state.hands[1] + 1}"} <= set(offered)


def test_before_the_deal_another_guard_starts_the_round() -> None:
    """The oldest player was entered wrongly."""
    state = table("set guard 2", "deal 4")
    assert (state.guard, state.starting_guard, state.turn) == (2, 2, 2)
    assert refusal(table(), "set top 4") == refusal(table(), "set discard number=1")
    assert "turn up the top card" in refusal(table(), "set top 4")
    assert table("set turn 1", "deal 4").turn == 1
    assert table("set hand 1 7").draw_pile == 48


def test_a_new_top_card_replaces_the_old_one_in_what_is_known() -> None:
    """A spider was entered where an ant lies; the action that is open stays."""
    state = table("deal 4", "play 0 spider3", "set top ant3")
    assert (str(state.top), state.phase, state.known) == ("ant3", Phase.SPIDER, Counts(number=1, ant=1))


def test_a_new_top_card_of_a_kind_that_is_used_up_shows_that_something_else_was_wrong() -> None:
    """It is taken all the same: one of the five entered before was another card."""
    state = table("deal ant1", "set discard ant=1", "set hand 0 3", "set discard ant=5", "set top 2")
    assert state.known == Counts(number=1, ant=4)
    again = after(state, "set discard number=1 ant=5", "set top ant2")
    assert again.known == Counts(ant=5)


def test_a_new_turn_ends_the_action_that_was_open() -> None:
    """It is how a table goes on that has lost its thread."""
    state = table("deal 4", "play 0 mosquito3", "slaps 1", "set turn 2")
    assert (state.phase, state.pending, state.turn) == (Phase.TURN, None, 2)
    disputed = table("deal 4", "play 0 ant3", "accuse 1", "set turn 2")
    assert (disputed.phase, after(disputed, "dismiss").phase) == (Phase.ACCUSATION, Phase.TURN)


def test_the_accused_cannot_be_made_the_guard() -> None:
    """A Guard never cheats; the call is settled or taken back first."""
    state = table("deal 4", "accuse 1")
    assert "cannot be the Guard" in refusal(state, "set guard 1")
    assert isinstance(after(state, "set guard 2").pending, Accusation)


def test_a_hand_is_filled_from_the_draw_pile_and_emptied_onto_the_discard_pile() -> None:
    """A draw was forgotten, or a play was."""
    state = table("deal 4")
    more, fewer = after(state, "set hand 1 10"), after(state, "set hand 1 5")
    assert (more.hands[1], more.draw_pile, more.discard_pile) == (10, 44, 1)
    assert (fewer.hands[1], fewer.draw_pile, fewer.discard_pile) == (5, 46, 4)


@pytest.mark.parametrize("cards", [0, 55, 99])
def test_a_hand_cannot_be_corrected_beyond_the_cards_there_are(cards: int) -> None:
    """Not to nothing, which ends a round by a last card alone, and not to more than hand and piles hold."""
    assert "can be corrected to 1 up to 54 cards" in refusal(table("deal 4"), f"set hand 1 {cards}")


def test_before_the_deal_one_card_is_left_to_be_turned_up() -> None:
    """The draw pile has 47 cards then, of which a hand can have been dealt 46 too many."""
    state = table("set hand 1 54")
    assert (state.draw_pile, after(state, "deal 4").draw_pile) == (1, 0)
    assert refusal(table(), "set hand 1 55") != ""
    assert "set hand 1 55" not in {format_move(move) for move in engine.legal_corrections(state)}


def test_an_end_of_the_round_that_was_none_is_taken_back() -> None:
    """The hand was not empty: play goes on where it was, and counts that were entered are dropped."""
    ended = table("deal 4", "set hand 0 1", "play 0 ant3", "count 1 number=5")
    reopened = after(ended, "set hand 0 2")
    assert (reopened.phase, reopened.turn, reopened.hands) == (Phase.ANT, 0, (2, 8, 8))


def test_a_declaration_that_was_wrong_is_taken_back() -> None:
    """The cards that were said to have vanished are in the hand again."""
    state = table("deal 4", "play 0 3", "out 0")
    assert state.vanished == (7, 0, 0)
    back = after(state, "set hand 0 6")
    assert (back.hands, back.vanished, back.phase, back.turn) == ((6, 8, 8), (1, 0, 0), Phase.TURN, 1)


def test_the_draw_pile_is_corrected_against_the_discard_pile() -> None:
    """Both piles together stay as many cards; the top card always lies there."""
    state = table("deal 4", "play 0 3")
    fewer = after(state, "set draw 40")
    assert (fewer.draw_pile, fewer.discard_pile) == (40, 8)
    assert "0 up to 47 cards" in refusal(state, "set draw 48")
    assert after(fewer, "set draw 47").known == Counts(number=1)


def test_a_discard_pile_that_was_entered_wrongly_is_set_right() -> None:
    """Within the deck, within the pile, and with the top card in it."""
    state = table("deal ant1", "play 0 2", "set hand 2 1")
    assert after(state, "set discard number=3 moth=2").known == Counts(number=3, moth=2)
    assert "top card 2" in refusal(state, "set discard ant=1")
    assert "only 5 cards of the kind ant" in refusal(state, "set discard number=1 ant=6")
    assert "no more than 9" in refusal(state, "set discard number=10")


def test_a_round_that_is_over_takes_new_counts_alone() -> None:
    """Until the next round starts, a hand can be counted again; also after the last round."""
    state = table("deal 4", "set hand 0 1", "play 0 3", "count 1 number=5", "count 2 number=5")
    assert state.phase is Phase.ROUND_OVER
    assert engine.legal_corrections(state) == ()
    for correction in ("set top 4", "set turn 2", "set guard 2", "set hand 2 9", "set draw 7", "set discard number=1"):
        assert refusal(state, correction) == "The round is over and counted: start the next round."
    assert after(state, "count 2 moth=1").results[0].penalties == (0, 5, 10)
    assert after(state, "count 2 moth=1").phase is Phase.ROUND_OVER


def test_a_hand_that_was_not_empty_ends_a_last_card_s_action_and_the_round_if_another_is() -> None:
    """Seat 0 holds a card after all, so its mosquito is no last card's, and seat 2 gave its last one."""
    house = setting("last_card_action", "carried_out")
    scene = ("deal 4", "set hand 0 1", "set hand 2 1", "play 0 mosquito3", "slaps 1", "gift 2")
    state = table(*scene, seats=4, house=house)
    assert (state.phase, state.hands[2]) == (Phase.GIFTS, 0)
    assert after(state, "set hand 0 1").phase is Phase.COUNT


def test_a_new_turn_ends_a_last_card_s_action_and_with_it_the_round() -> None:
    """The ant is skipped, and its player's hand is empty."""
    state = table("deal 4", "set hand 0 1", "play 0 ant3", house=setting("last_card_action", "carried_out"))
    assert state.phase is Phase.ANT
    assert after(state, "set turn 1").phase is Phase.COUNT
