"""What the four action cards do: spider, ant, cockroach, mosquito. Each can be skipped, so nobody gets stuck."""

from dataclasses import replace

from companion.rules.cards import Kind
from companion.rules.checks import require_phase, require_seat, require_turn, waiting
from companion.rules.errors import IllegalMove
from companion.rules.flow import advance, draw_one, hand_over, lay, settle, without_giver, without_last_act
from companion.rules.houserules import CockroachCards, SpiderLastCard
from companion.rules.moves import Ant, Gift, GiftsAll, Give, Keep, NoGift, NoRace, Race, Slaps
from companion.rules.state import Gifts, Phase, State
from companion.rules.turns import require_card_left


def give(state: State, move: Give) -> State:
    """Give one card to another player for the spider; never a moth, which only the players can see."""
    require_phase(state, Phase.SPIDER)
    require_turn(state, move.seat)
    require_seat(state, move.to)
    if move.to == move.seat:
        raise IllegalMove("{seat} cannot give a card to {seat}: choose another player, or nobody.", seat=move.seat)
    if not may_give_last_card(state) and state.hands[move.seat] == 1:
        raise IllegalMove(
            "The last card may not be given away in this game: {seat} keeps it and plays on.", seat=move.seat
        )
    given = advance(hand_over(state, move.seat, move.to))
    if not may_give_last_card(state):
        given = without_last_act(given, move.seat)
    return settle(given)


def may_give_last_card(state: State) -> bool:
    """Say whether the spider's gift may be the last card of a hand."""
    return state.house.spider_last_card is SpiderLastCard.ALLOWED


def keep(state: State, move: Keep) -> State:
    """Give no card for the spider."""
    require_phase(state, Phase.SPIDER)
    require_turn(state, move.seat)
    return advance(state)


def ant(state: State, move: Ant) -> State:
    """Let every other player draw a card, or those alone who did; clockwise while there are cards."""
    require_phase(state, Phase.ANT)
    others = state.others(state.turn)
    seats = others if move.seats is None else move.seats
    require_seat(state, *seats)
    if state.turn in seats:
        raise IllegalMove("{seat} played the ant and draws nothing: enter only the others.", seat=state.turn)
    _require_each_once(seats)
    for seat in others:
        if seat in seats:
            state = draw_one(state, seat)
    return settle(advance(state))


def race(state: State, move: Race) -> State:
    """Let the fastest card of the same number stay on the cockroach; it does not act."""
    require_phase(state, Phase.COCKROACH)
    require_seat(state, move.seat)
    top, card = state.top, move.card
    if top is None or card.number != top.number:
        raise IllegalMove(
            "Only a card with the same number as {top} stays on the cockroach: enter that one, or nobody.", top=top
        )
    if card.kind not in race_kinds(state):
        raise IllegalMove(
            "{card} may not be laid on the cockroach: {seat} takes it back; enter another card, or nobody.",
            card=card,
            seat=move.seat,
        )
    if state.hands[move.seat] == 0:
        raise IllegalMove("{seat} has no cards left: enter another player, or nobody.", seat=move.seat)
    require_card_left(state, card)
    return settle(advance(lay(state, move.seat, card)))


def race_kinds(state: State) -> tuple[Kind, ...]:
    """Return the kinds of cards that may be laid in the cockroach's race."""
    if state.house.cockroach_cards is CockroachCards.NUMBERS_ONLY:
        return (Kind.NUMBER,)
    return tuple(kind for kind in Kind if kind is not Kind.MOTH)


def no_race(state: State, _move: NoRace) -> State:
    """Go on after a cockroach on which nobody laid a card."""
    require_phase(state, Phase.COCKROACH)
    return settle(advance(state))


def slaps(state: State, move: Slaps) -> State:
    """Find who slapped last on the mosquito: that seat is given a card by every other player."""
    require_phase(state, Phase.MOSQUITO)
    require_seat(state, *move.order)
    if state.turn in move.order:
        raise IllegalMove("{seat} played the mosquito and does not slap: enter only the others.", seat=state.turn)
    _require_each_once(move.order)
    if not move.order:
        return settle(advance(state))
    receiver = move.order[-1]
    givers = tuple(seat for seat in range(state.seats) if seat != receiver and state.hands[seat] > 0)
    return replace(state, phase=Phase.GIFTS, pending=Gifts(receiver, givers))


def _require_each_once(seats: tuple[int, ...]) -> None:
    for seat in seats:
        if seats.count(seat) > 1:
            raise IllegalMove("{seat} is named twice: enter each player once.", seat=seat)


def gift(state: State, move: Gift) -> State:
    """Give the slowest one card; never a moth."""
    gifts = _open_gifts(state, move.seat)
    return settle(without_giver(hand_over(state, move.seat, gifts.receiver), gifts, move.seat))


def no_gift(state: State, move: NoGift) -> State:
    """Give nothing, for want of a card that may be given."""
    gifts = _open_gifts(state, move.seat)
    return settle(without_giver(state, gifts, move.seat))


def gifts_all(state: State, _move: GiftsAll) -> State:
    """Let everyone who had still to give, give a card at the same time."""
    gifts = _open_gifts(state)
    for giver in gifts.givers:
        state = hand_over(state, giver, gifts.receiver)
    return settle(without_giver(state, gifts, *gifts.givers))


def _open_gifts(state: State, *givers: int) -> Gifts:
    require_phase(state, Phase.GIFTS)
    if not isinstance(state.pending, Gifts):
        raise waiting(state)
    require_seat(state, *givers)
    for giver in givers:
        if giver not in state.pending.givers:
            raise IllegalMove(
                "{seat} has nothing to give now: the others give {to} a card; enter who has.",
                seat=giver,
                to=state.pending.receiver,
            )
    return state.pending
