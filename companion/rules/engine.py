"""The rules engine: what is legal in a state, and what follows from a move. Nothing here keeps or changes anything."""

from collections.abc import Iterable
from typing import assert_never

from companion.errors import CompanionError
from companion.rules import accusations, actions, checks, corrections, moves, rounds, turns
from companion.rules.enumeration import legal_corrections, legal_moves
from companion.rules.errors import BadSetUp, IllegalMove
from companion.rules.houserules import HouseRules
from companion.rules.moves import Move
from companion.rules.options import Options, options
from companion.rules.remarks import Remark, remarks
from companion.rules.scoring import Outcome, outcome
from companion.rules.state import State

__all__ = [
    "Options",
    "Outcome",
    "Remark",
    "apply",
    "explain",
    "legal_corrections",
    "legal_moves",
    "new_game",
    "options",
    "outcome",
    "prompt",
    "remarks",
    "replay",
]

FEWEST_SEATS = 3
MOST_SEATS = 5


def new_game(seats: int, oldest: int, house: HouseRules | None = None) -> State:
    """Return round 1 of a game, waiting for the card that is turned up; the oldest player is the Guard.

    Raises BadSetUp unless there are 3 to 5 players and the oldest is one of them.
    """
    if not FEWEST_SEATS <= seats <= MOST_SEATS:
        raise BadSetUp(
            "Cheating Moth is for {fewest} to {most} players, not {players}: add or remove players.",
            fewest=FEWEST_SEATS,
            most=MOST_SEATS,
            players=seats,
        )
    if not 0 <= oldest < seats:
        raise BadSetUp("The oldest player starts as the Guard: choose one of the {players} players.", players=seats)
    return rounds.first_round(seats, oldest, house or HouseRules())


def apply(state: State, move: Move) -> State:
    """Return the state after ``move``; ``state`` itself stays as it is.

    Raises IllegalMove, with the sentence that the player reads, when the rules do not allow the move now.
    """
    match move:
        case moves.Deal():
            return turns.deal(state, move)
        case moves.Play():
            return turns.play(state, move)
        case moves.Draw():
            return turns.draw(state, move)
        case moves.Out():
            return turns.out(state, move)
        case moves.Count():
            return rounds.count(state, move)
        case moves.Next():
            return rounds.next_round(state, move)
        case moves.Accuse() | moves.Uphold() | moves.Dismiss() | moves.Withdraw():
            return _apply_to_dispute(state, move)
        case (
            moves.SetTop() | moves.SetTurn() | moves.SetGuard() | moves.SetHand() | moves.SetDraw() | moves.SetDiscard()
        ):
            return _apply_correction(state, move)
        case _:
            return _apply_to_action(state, move)


_ActionMove = (
    moves.Give
    | moves.Keep
    | moves.Ant
    | moves.Race
    | moves.NoRace
    | moves.Slaps
    | moves.Gift
    | moves.NoGift
    | moves.GiftsAll
)


def _apply_to_action(state: State, move: _ActionMove) -> State:
    match move:
        case moves.Give():
            return actions.give(state, move)
        case moves.Keep():
            return actions.keep(state, move)
        case moves.Ant():
            return actions.ant(state, move)
        case moves.Race():
            return actions.race(state, move)
        case moves.NoRace():
            return actions.no_race(state, move)
        case moves.Slaps():
            return actions.slaps(state, move)
        case moves.Gift():
            return actions.gift(state, move)
        case moves.NoGift():
            return actions.no_gift(state, move)
        case moves.GiftsAll():
            return actions.gifts_all(state, move)
        case _:
            assert_never(move)


def _apply_to_dispute(state: State, move: moves.Accuse | moves.Uphold | moves.Dismiss | moves.Withdraw) -> State:
    match move:
        case moves.Accuse():
            return accusations.accuse(state, move)
        case moves.Uphold():
            return accusations.uphold(state, move)
        case moves.Dismiss():
            return accusations.dismiss(state, move)
        case moves.Withdraw():
            return accusations.withdraw(state, move)
        case _:
            assert_never(move)


def _apply_correction(state: State, move: moves.Correction) -> State:
    match move:
        case moves.SetTop():
            return corrections.set_top(state, move)
        case moves.SetTurn():
            return corrections.set_turn(state, move)
        case moves.SetGuard():
            return corrections.set_guard(state, move)
        case moves.SetHand():
            return corrections.set_hand(state, move)
        case moves.SetDraw():
            return corrections.set_draw(state, move)
        case moves.SetDiscard():
            return corrections.set_discard(state, move)
        case _:
            assert_never(move)


def explain(state: State, move: Move) -> IllegalMove | None:
    """Return why ``move`` is not legal now, or None when it is."""
    try:
        apply(state, move)
    except IllegalMove as why:
        return why
    return None


def prompt(state: State) -> CompanionError:
    """Return the sentence that says what the players do next, as a template with its params."""
    return checks.waiting(state)


def replay(state: State, played: Iterable[Move]) -> State:
    """Return the state after all of these moves, one after the other. Raises IllegalMove at the first illegal one."""
    for move in played:
        state = apply(state, move)
    return state
