"""What every move is checked for: that the game waits for it, and that its seats exist."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from companion.rules.errors import IllegalMove
from companion.rules.state import Accusation, Gifts, Phase, State

WAITING: Final[Mapping[Phase, str]] = MappingProxyType(
    {
        Phase.DEAL: "Deal the cards, turn up the top card of the draw pile and enter it.",
        Phase.TURN: "It is {seat}'s turn: {seat} plays a card or draws one.",
        Phase.SPIDER: "{seat} played a spider: first enter who gets a card from {seat}, or that nobody does.",
        Phase.ANT: "{seat} played an ant: first all the others draw a card; enter that they did.",
        Phase.COCKROACH: "{seat} played a cockroach: first enter who was the fastest, or that nobody was.",
        Phase.MOSQUITO: "{seat} played a mosquito: first enter who slapped last, or skip it.",
        Phase.GIFTS: "{to} slapped last: first everybody else gives {to} a card; enter who has.",
        Phase.ACCUSATION: 'The Guard called "Caught!" on {seat}: first enter if it was true, false or a mistake.',
        Phase.COUNT: "The round is over: enter which cards are left in each hand.",
        Phase.ROUND_OVER: "The round is over and counted: start the next round.",
        Phase.GAME_OVER: "The game is over: start a new game to play again.",
    }
)
"""For each phase the sentence that says what the players do next."""


def waiting(state: State) -> IllegalMove:
    """Return the sentence that says what the game waits for."""
    match state.pending:
        case Accusation(seat=seat):
            return IllegalMove(WAITING[state.phase], seat=seat)
        case Gifts(receiver=receiver):
            return IllegalMove(WAITING[state.phase], to=receiver)
        case _:
            return IllegalMove(WAITING[state.phase], seat=state.turn)


def require_phase(state: State, *phases: Phase) -> None:
    """Raise IllegalMove, saying what the game waits for, unless it is in one of ``phases``."""
    if state.phase not in phases:
        raise waiting(state)


def require_seat(state: State, *seats: int) -> None:
    """Raise IllegalMove unless all ``seats`` are at this table."""
    for seat in seats:
        if not (type(seat) is int and 0 <= seat < state.seats):
            raise IllegalMove(
                "There is no place {place} at this table: the places are 0 to {last}.", place=seat, last=state.seats - 1
            )


def require_turn(state: State, seat: int) -> None:
    """Raise IllegalMove unless it is this seat's turn."""
    require_seat(state, seat)
    if seat != state.turn:
        raise IllegalMove("It is not {seat}'s turn: {to} is next.", seat=seat, to=state.turn)
