""" "Caught!": a dispute breaks into whatever phase is open, and play comes back to it when it is settled."""

from dataclasses import replace

from companion.rules.checks import require_phase, require_seat, waiting
from companion.rules.errors import IllegalMove
from companion.rules.flow import closing, draw_one, hand_over, resume, settle, shift, without_last_act
from companion.rules.moves import Accuse, Dismiss, Uphold, Withdraw
from companion.rules.state import PLAYING, Accusation, Gifts, Phase, State, Suspended


def accuse(state: State, move: Accuse) -> State:
    """Open a dispute: the Guard called "Caught!" on a player."""
    require_phase(state, *PLAYING)
    require_seat(state, move.seat)
    if move.seat == state.guard:
        raise IllegalMove("{seat} is the Guard, and the Guard never cheats: choose another player.", seat=move.seat)
    if closing(state):
        raise IllegalMove("A hand is empty, so it is too late for a call: finish the action of the last card.")
    gifts = state.pending if isinstance(state.pending, Gifts) else None
    return replace(state, phase=Phase.ACCUSATION, pending=Accusation(move.seat, Suspended(state.phase, gifts)))


def _open_dispute(state: State) -> Accusation:
    require_phase(state, Phase.ACCUSATION)
    if not isinstance(state.pending, Accusation):
        raise waiting(state)
    return state.pending


def most_gifts(state: State) -> int:
    """Return how many cards the Guard hands at most to a player who was caught."""
    return min(state.house.caught_gift, state.hands[state.guard])


def uphold(state: State, move: Uphold) -> State:
    """Settle a true call: the cheater takes the card back, is handed cards, and becomes the Guard.

    The card that comes back was accounted to the cheater all the time, so only the cards handed over change the
    accounted numbers. A Guard who holds only moths hands over none.
    """
    dispute = _open_dispute(state)
    cheater, guard = dispute.seat, state.guard
    if not (type(move.cards) is int and 0 <= move.cards <= most_gifts(state)):
        raise IllegalMove(
            "The Guard hands over {most} at most: enter how many cards {to} got, or 0 if the Guard has only moths.",
            most=most_gifts(state),
            to=cheater,
        )
    if move.cards:
        state = hand_over(state, guard, cheater, move.cards)
    settled = replace(
        without_last_act(state, cheater),
        guard=cheater,
        calls=shift(state.calls, cheater, 1),
        caught=shift(state.caught, cheater, 1),
    )
    return settle(resume(settled, dispute.suspended))


def dismiss(state: State, _move: Dismiss) -> State:
    """Settle a false call: the Guard draws one card and stays the Guard."""
    dispute = _open_dispute(state)
    drawn = draw_one(replace(state, calls=shift(state.calls, dispute.seat, 1)), state.guard)
    return resume(drawn, dispute.suspended)


def withdraw(state: State, _move: Withdraw) -> State:
    """Take a call back that was made or entered by mistake."""
    return resume(state, _open_dispute(state).suspended)
