"""Builders of states for the tests: from the moves that lead there."""

from collections.abc import Callable

from companion.rules import engine
from companion.rules.errors import IllegalMove
from companion.rules.houserules import HouseRules
from companion.rules.notation import parse_move
from companion.rules.state import State


def setting(name: str, value: str | int) -> HouseRules:
    return HouseRules.from_dict({name: value})


def table(*texts: str, seats: int = 3, house: HouseRules | None = None) -> State:
    """The state after these moves; seat 0 is the oldest."""
    return engine.replay(engine.new_game(seats, 0, house), map(parse_move, texts))


def after(state: State, *texts: str) -> State:
    return engine.replay(state, map(parse_move, texts))


def refusal(state: State, text: str) -> str:
    """Why the move is not legal; empty when it is."""
    why: IllegalMove | None = engine.explain(state, parse_move(text))
    return str(why or "")


Check = Callable[[State], bool]
