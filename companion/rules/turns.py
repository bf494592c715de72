"""The moves of a turn: deal, play, draw, and going out."""

from dataclasses import replace

from companion.rules.cards import DECK, DECK_SIZE, Card, Kind, neighbours
from companion.rules.checks import require_phase, require_seat, require_turn
from companion.rules.errors import IllegalMove
from companion.rules.flow import advance, begin_action, closing, draw_one, lay, settle, shift, without_giver
from companion.rules.houserules import Cheatable
from companion.rules.moves import Deal, Draw, Out, Play
from companion.rules.state import PLAYING, Gifts, Phase, State


def deal(state: State, move: Deal) -> State:
    """Turn up the first card of the discard pile; no action of it is carried out, and its number counts."""
    require_phase(state, Phase.DEAL)
    return replace(
        state,
        phase=Phase.TURN,
        top=move.card,
        draw_pile=state.draw_pile - 1,
        discard_pile=1,
        known=state.known.plus(move.card.kind),
    )


def require_card_left(state: State, card: Card) -> None:
    """Raise IllegalMove when all cards of this kind lie in the discard pile already."""
    if state.known.of(card.kind) >= DECK[card.kind]:
        raise IllegalMove(
            "All {cards} cards of the kind {kind} lie in the discard pile already: look at the card again, "
            "or correct what lies in the discard pile.",
            cards=DECK[card.kind],
            kind=card.kind,
        )


def play(state: State, move: Play) -> State:
    """Lay a card that fits; its action opens, or the turn passes."""
    require_phase(state, Phase.TURN)
    require_turn(state, move.seat)
    top = state.top
    if top is None or not move.card.fits(top.number):
        low, high = neighbours(top.number) if top else (0, 0)
        raise IllegalMove(
            "{card} does not fit on {top}: play a {low} or a {high}, or draw a card.",
            card=move.card,
            top=top,
            low=min(low, high),
            high=max(low, high),
        )
    if move.card.kind is Kind.MOTH and move.seat != state.guard:
        raise IllegalMove(
            "Only the Guard may play a moth: {seat} plays another card, draws one, or makes the moth vanish.",
            seat=move.seat,
        )
    require_card_left(state, move.card)
    laid = replace(lay(state, move.seat, move.card), last_acts=(move.seat,))
    return settle(begin_action(laid, move.card.kind))


def draw(state: State, move: Draw) -> State:
    """Draw one card, if there is one, and pass the turn."""
    require_phase(state, Phase.TURN)
    require_turn(state, move.seat)
    return advance(replace(draw_one(state, move.seat), last_acts=()))


def out(state: State, move: Out) -> State:
    """Let a seat that was cheated down say that its hand is empty, right after it laid or gave a card."""
    require_phase(state, *PLAYING)
    seat = move.seat
    require_seat(state, seat)
    if seat not in state.last_acts or state.hands[seat] == 0:
        raise IllegalMove(
            "{seat} can go out only right after laying or giving the last card: play on, or undo back to that card.",
            seat=seat,
        )
    if state.hands[seat] > most_vanished(state):
        raise IllegalMove(
            "Only moths may vanish in this game, and more cards are missing in the hand of {seat} ({cards}) than moths "
            "can be gone ({moths}): correct the number of cards in the hand of {seat} first.",
            seat=seat,
            cards=state.hands[seat],
            moths=most_vanished(state),
        )
    gone = replace(
        state,
        hands=shift(state.hands, seat, -state.hands[seat]),
        vanished=shift(state.vanished, seat, state.hands[seat]),
        last_acts=tuple(other for other in state.last_acts if other != seat),
    )
    gifts = state.pending if isinstance(state.pending, Gifts) else None
    if gifts is not None and closing(gone):
        gone = without_giver(gone, gifts, seat)
    return settle(gone)


def most_vanished(state: State) -> int:
    """Return how many accounted cards of a hand can have vanished under the house rule on what may be cheated away."""
    if state.house.cheatable is Cheatable.ANY_CARD:
        return DECK_SIZE
    return max(0, DECK[Kind.MOTH] - state.known.moth - sum(state.vanished))


def may_go_out(state: State, seat: int) -> bool:
    """Say whether the seat may declare now that its hand is empty."""
    at_last_act = state.phase in PLAYING and seat in state.last_acts
    return at_last_act and 0 < state.hands[seat] <= most_vanished(state)
