"""How play flows on: cards change places, actions open, turns pass, rounds end. Every function returns a new state."""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from companion.rules.cards import Card, Counts, Kind
from companion.rules.houserules import LastCardAction
from companion.rules.state import Counting, Gifts, Phase, State, Suspended

ACTION_PHASE: Final[Mapping[Kind, Phase]] = MappingProxyType(
    {
        Kind.SPIDER: Phase.SPIDER,
        Kind.ANT: Phase.ANT,
        Kind.COCKROACH: Phase.COCKROACH,
        Kind.MOSQUITO: Phase.MOSQUITO,
    }
)


def shift(values: tuple[int, ...], seat: int, by: int) -> tuple[int, ...]:
    """Return ``values`` with ``by`` added at ``seat``."""
    return (*values[:seat], values[seat] + by, *values[seat + 1 :])


def with_last_act(state: State, seat: int) -> State:
    """Note that the seat laid or gave a card: it may now say that it is out."""
    return replace(state, last_acts=tuple(sorted({*state.last_acts, seat})))


def without_last_act(state: State, seat: int) -> State:
    """Note that the seat holds a card for sure: it cannot be out."""
    return replace(state, last_acts=tuple(other for other in state.last_acts if other != seat))


def lay(state: State, seat: int, card: Card) -> State:
    """Move a card from a hand to the top of the discard pile."""
    laid = replace(
        state,
        hands=shift(state.hands, seat, -1),
        discard_pile=state.discard_pile + 1,
        known=state.known.plus(card.kind),
        top=card,
    )
    return with_last_act(laid, seat)


def hand_over(state: State, giver: int, receiver: int, cards: int = 1) -> State:
    """Move cards from one hand to another."""
    moved = replace(state, hands=shift(shift(state.hands, giver, -cards), receiver, cards))
    return without_last_act(with_last_act(moved, giver), receiver)


def draw_one(state: State, seat: int) -> State:
    """Move a card from the draw pile to a hand, after shuffling the discard pile if there is none to draw.

    The shuffle waits until a card is needed. When both piles are exhausted, nothing is drawn.
    """
    if state.draw_pile == 0 and state.discard_pile > 1 and state.top is not None:
        state = replace(state, draw_pile=state.discard_pile - 1, discard_pile=1, known=Counts().plus(state.top.kind))
    if state.draw_pile == 0:
        return state
    drawn = replace(state, hands=shift(state.hands, seat, 1), draw_pile=state.draw_pile - 1)
    return without_last_act(drawn, seat)


def advance(state: State) -> State:
    """Pass the turn to the left."""
    return replace(state, phase=Phase.TURN, pending=None, turn=state.left_of(state.turn))


def begin_action(state: State, kind: Kind) -> State:
    """Open the action of a card that was just played, or pass the turn when it has none."""
    phase = ACTION_PHASE.get(kind)
    if phase is None:
        return advance(state)
    return replace(state, phase=phase)


def closing(state: State) -> bool:
    """Say whether the round goes on for a last card's action alone: its player is out, and it is to be carried out.

    A spider's is not carried out: there is no card to give.
    """
    acting = state.phase in (Phase.ANT, Phase.COCKROACH, Phase.MOSQUITO, Phase.GIFTS)
    carried_out = state.house.last_card_action is LastCardAction.CARRIED_OUT
    return carried_out and acting and state.hands[state.turn] == 0


def without_giver(state: State, gifts: Gifts, *givers: int) -> State:
    """Note that these seats have given what they can; after the last of them the turn passes."""
    left = tuple(seat for seat in gifts.givers if seat not in givers)
    if not left:
        return advance(state)
    return replace(state, pending=Gifts(gifts.receiver, left))


def settle(state: State) -> State:
    """End the round if a hand is empty, unless the action of a last card is still being carried out."""
    if closing(state) or 0 not in state.hands:
        return state
    gifts = state.pending if isinstance(state.pending, Gifts) else None
    nothing_counted = (None,) * state.seats
    return replace(state, phase=Phase.COUNT, pending=Counting(nothing_counted, Suspended(state.phase, gifts)))


def resume(state: State, suspended: Suspended) -> State:
    """Go back to the phase that was broken into."""
    return replace(state, phase=suspended.phase, pending=suspended.gifts)
