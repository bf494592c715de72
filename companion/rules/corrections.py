"""Corrections: moves that set right what was entered wrongly. What leaves one place lies in another."""

from dataclasses import replace

from companion.rules.cards import DECK, Card, Counts, Kind
from companion.rules.checks import require_phase, require_seat
from companion.rules.errors import IllegalMove
from companion.rules.flow import resume, settle, shift
from companion.rules.moves import SetDiscard, SetDraw, SetGuard, SetHand, SetTop, SetTurn
from companion.rules.state import RUNNING, Accusation, Counting, Phase, State, Suspended


def set_top(state: State, move: SetTop) -> State:
    """Correct which card lies on top; no action starts or stops by it."""
    require_phase(state, *RUNNING)
    if state.top is None:
        raise IllegalMove("No card is turned up yet: turn up the top card of the draw pile and enter it.")
    known = state.known.plus(state.top.kind, -1)
    if known.of(move.card.kind) < DECK[move.card.kind]:
        known = known.plus(move.card.kind)
    return replace(state, top=move.card, known=known)


def set_turn(state: State, move: SetTurn) -> State:
    """Correct whose turn it is; an action that was open is over."""
    require_phase(state, *RUNNING)
    require_seat(state, move.seat)
    turned = replace(state, turn=move.seat)
    match state.pending:
        case Accusation() | Counting() as pending:
            return replace(turned, pending=replace(pending, suspended=Suspended(Phase.TURN)))
        case _:
            phase = Phase.DEAL if state.phase is Phase.DEAL else Phase.TURN
            return settle(replace(turned, phase=phase, pending=None))


def set_guard(state: State, move: SetGuard) -> State:
    """Correct who is the Guard; before the deal that is also who starts the round."""
    require_phase(state, *RUNNING)
    require_seat(state, move.seat)
    if isinstance(state.pending, Accusation) and state.pending.seat == move.seat:
        raise IllegalMove(
            '{seat} is accused and cannot be the Guard: first settle or take back the "Caught!".', seat=move.seat
        )
    if state.phase is Phase.DEAL:
        return replace(state, guard=move.seat, starting_guard=move.seat, turn=move.seat)
    return replace(state, guard=move.seat)


def set_hand(state: State, move: SetHand) -> State:
    """Correct the accounted number of cards in a hand.

    Cards that were missing come back from what the seat is said to have made vanish, then from the draw pile (a draw
    was forgotten), then from under the top card. Cards that were too many go to the discard pile (a play was
    forgotten).
    A seat that was out and is not plays on.
    """
    require_phase(state, *RUNNING)
    require_seat(state, move.seat)
    seat, more = move.seat, move.cards - state.hands[move.seat]
    most = state.hands[seat] + spare_cards(state, seat)
    if type(move.cards) is not int or not 1 <= move.cards <= most:
        raise IllegalMove(
            "The hand of {seat} can be corrected to 1 up to {most} cards: count it again. A hand that is empty is "
            "entered with its last card.",
            seat=seat,
            most=most,
        )
    from_vanished = min(max(0, more), state.vanished[seat])
    from_draw = min(max(0, more - from_vanished), state.draw_pile)
    to_draw = max(0, -more) if state.top is None else 0
    corrected = replace(
        state,
        hands=shift(state.hands, seat, more),
        vanished=shift(state.vanished, seat, -from_vanished),
        draw_pile=state.draw_pile - from_draw + to_draw,
        discard_pile=state.discard_pile - (more - from_vanished - from_draw) - to_draw,
    )
    return _play_on(_forget_beyond_pile(corrected))


def spare_cards(state: State, seat: int) -> int:
    """Return how many cards the hand can be short of: those not in other hands, but for one to lie on top."""
    return state.vanished[seat] + state.draw_pile + state.discard_pile - 1


def _play_on(state: State) -> State:
    """Go back from the counts to the play if nobody is out after all; counts that were entered are dropped."""
    if not isinstance(state.pending, Counting):
        return settle(state)
    if 0 in state.hands:
        return state
    return resume(state, state.pending.suspended)


def _forget_beyond_pile(state: State) -> State:
    """Know the top card alone when the pile is smaller than what was known to lie in it."""
    if state.top is None or state.known.total <= state.discard_pile:
        return state
    return replace(state, known=Counts().plus(state.top.kind))


def set_draw(state: State, move: SetDraw) -> State:
    """Correct the number of cards in the draw pile; the rest of both piles is the discard pile."""
    require_phase(state, *RUNNING)
    both = state.draw_pile + state.discard_pile
    least, most = (0, both - 1) if state.top is not None else (both, both)
    if type(move.cards) is not int or not least <= move.cards <= most:
        raise IllegalMove(
            "The draw pile can be corrected to {least} up to {most} cards: count it again, or correct the hands first.",
            least=least,
            most=most,
        )
    return _forget_beyond_pile(replace(state, draw_pile=move.cards, discard_pile=both - move.cards))


def set_discard(state: State, move: SetDiscard) -> State:
    """Correct what is known to lie in the discard pile; the top card alone means that nothing else is known."""
    require_phase(state, *RUNNING)
    top: Card | None = state.top
    if top is None:
        raise IllegalMove("No card is turned up yet: turn up the top card of the draw pile and enter it.")
    if move.counts.of(top.kind) < 1:
        raise IllegalMove("The top card {top} lies in the discard pile too: count it with the others.", top=top)
    for kind in Kind:
        if move.counts.of(kind) > DECK[kind]:
            raise IllegalMove(
                "The deck has only {deck} cards of the kind {kind}: count the discard pile again.",
                deck=DECK[kind],
                kind=kind,
            )
    if move.counts.total > state.discard_pile:
        raise IllegalMove(
            "The discard pile holds no more than {cards} in all: count it again, or correct the draw pile first.",
            cards=state.discard_pile,
        )
    return replace(state, known=move.counts)
