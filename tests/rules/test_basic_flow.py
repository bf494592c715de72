"""The basic flow: deal, play, draw."""

import pytest

from companion.rules import engine
from companion.rules.errors import IllegalMove
from companion.rules.notation import parse_move
from companion.rules.state import Phase, State


def after(*texts: str, seats: int = 3) -> State:
    return engine.replay(engine.new_game(seats, 0), map(parse_move, texts))


def test_a_card_that_fits_becomes_the_top_card_and_the_turn_passes_left() -> None:
    """On a 1 the Guard, who starts, plays a 5; then it is the turn of the player to the left."""
    state = after("deal ant1", "play 0 5")
    assert (state.phase, state.turn, state.hands, str(state.top)) == (Phase.TURN, 1, (7, 8, 8), "5")


def test_a_draw_ends_the_turn() -> None:
    """A card comes from the draw pile into the hand, and the turn passes."""
    state = after("deal 4", "draw 0")
    assert (state.turn, state.hands, state.draw_pile) == (1, (9, 8, 8), 71 - 24 - 2)


@pytest.mark.parametrize("card", ["1", "2", "4", "ant4"])
def test_a_card_that_does_not_fit_is_refused_with_the_numbers_that_do(card: str) -> None:
    """Only one above or one below fits."""
    with pytest.raises(IllegalMove, match=r"does not fit on 4: play a 3 or a 5, or draw a card\."):
        after("deal 4", f"play 0 {card}")
