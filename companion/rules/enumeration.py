"""All legal moves of a state, each once and in one spelling. What is left out, and why, stands at ``legal_moves``."""

from collections.abc import Iterator
from itertools import combinations, permutations

from companion.rules.accusations import most_gifts
from companion.rules.actions import may_give_last_card, race_kinds
from companion.rules.cards import DECK, NUMBERS, Card, Counts, Kind, neighbours
from companion.rules.corrections import spare_cards
from companion.rules.flow import closing
from companion.rules.moves import (
    Accuse,
    Ant,
    Correction,
    Count,
    Deal,
    Dismiss,
    Draw,
    Gift,
    GiftsAll,
    Give,
    Keep,
    Move,
    Next,
    NoGift,
    NoRace,
    Out,
    Play,
    Race,
    SetDiscard,
    SetDraw,
    SetGuard,
    SetHand,
    SetTop,
    SetTurn,
    Slaps,
    Uphold,
    Withdraw,
)
from companion.rules.rounds import counts_so_far, room_in_deck
from companion.rules.state import PLAYING, RUNNING, Accusation, Gifts, Phase, State
from companion.rules.turns import may_go_out


def legal_moves(state: State) -> tuple[Move, ...]:
    """Return every legal move, in a fixed order; empty when the game is over.

    Each move has one spelling: seats that drew for an ant are named in ascending order and ``ant all`` stands for
    all of them. Corrections are left to ``legal_corrections``. Of the many counts that could be entered for a hand
    these stand for the rest: any number of number cards up to the accounted one, and the accounted number with one
    card of another kind among them; a hand that is counted already can be counted again by ``apply`` alone.
    """
    return (*_moves_of_phase(state), *_moves_of_anyone(state))


def _moves_of_phase(state: State) -> Iterator[Move]:
    match state.phase:
        case Phase.DEAL:
            yield from (Deal(Card(kind, number)) for kind in Kind for number in NUMBERS)
        case Phase.TURN:
            yield from (Play(state.turn, card) for card in playable(state))
            yield Draw(state.turn)
        case Phase.SPIDER:
            if state.hands[state.turn] > 1 or may_give_last_card(state):
                yield from (Give(state.turn, to) for to in sorted(state.others(state.turn)))
            yield Keep(state.turn)
        case Phase.ANT:
            yield from _ants(state)
        case Phase.COCKROACH:
            yield from _races(state)
        case Phase.MOSQUITO:
            others = sorted(state.others(state.turn))
            yield from (Slaps(order) for length in range(state.seats) for order in permutations(others, length))
        case Phase.GIFTS:
            yield from _gifts(state)
        case Phase.ACCUSATION:
            yield from (Uphold(cards) for cards in range(most_gifts(state) + 1))
            yield from (Dismiss(), Withdraw())
        case Phase.COUNT:
            yield from _counts(state)
        case Phase.ROUND_OVER:
            yield Next()
        case Phase.GAME_OVER:
            pass


def _moves_of_anyone(state: State) -> Iterator[Move]:
    if state.phase not in PLAYING:
        return
    yield from (Out(seat) for seat in range(state.seats) if may_go_out(state, seat))
    if not closing(state):
        yield from (Accuse(seat) for seat in range(state.seats) if seat != state.guard)


def is_left(state: State, kind: Kind) -> bool:
    """Say whether not all cards of ``kind`` are known to lie in the discard pile."""
    return state.known.of(kind) < DECK[kind]


def playable(state: State) -> tuple[Card, ...]:
    """Return the cards that the seat whose turn it is may play if it holds them."""
    if state.top is None or state.phase is not Phase.TURN:
        return ()
    kinds = tuple(kind for kind in Kind if kind is not Kind.MOTH or state.turn == state.guard)
    fitting = sorted(neighbours(state.top.number))
    return tuple(Card(kind, number) for kind in kinds if is_left(state, kind) for number in fitting)


def _ants(state: State) -> Iterator[Move]:
    yield Ant(None)
    others = sorted(state.others(state.turn))
    yield from (Ant(seats) for length in range(len(others)) for seats in combinations(others, length))


def _races(state: State) -> Iterator[Move]:
    if state.top is not None:
        number = state.top.number
        cards = tuple(Card(kind, number) for kind in race_kinds(state) if is_left(state, kind))
        yield from (Race(seat, card) for seat in range(state.seats) if state.hands[seat] > 0 for card in cards)
    yield NoRace()


def _gifts(state: State) -> Iterator[Move]:
    if isinstance(state.pending, Gifts):
        yield from (Gift(seat) for seat in state.pending.givers)
        yield from (NoGift(seat) for seat in state.pending.givers)
        yield GiftsAll()


def _counts(state: State) -> Iterator[Move]:
    entered = counts_so_far(state)
    for seat, hand in enumerate(state.hands):
        if entered[seat] is not None:
            continue
        room = room_in_deck(state, Kind.NUMBER, entered)
        yield from (Count(seat, Counts(number=cards)) for cards in range(min(hand, room) + 1))
        others = (kind for kind in Kind if kind is not Kind.NUMBER and room_in_deck(state, kind, entered) > 0)
        if hand - 1 <= room:
            yield from (Count(seat, Counts(number=hand - 1).plus(kind)) for kind in others)


def legal_corrections(state: State) -> tuple[Correction, ...]:
    """Return the corrections that a tablet offers: each by one step; ``apply`` takes any that keeps the deck whole.

    Any other top card, turn and Guard; one card more or fewer in each hand and in the draw pile; and that nothing but
    the top card is known of the discard pile.
    """
    if state.phase not in RUNNING:
        return ()
    return tuple(_corrections(state))


def _corrections(state: State) -> Iterator[Correction]:
    seats = range(state.seats)
    if state.top is not None:
        cards = (Card(kind, number) for kind in Kind for number in NUMBERS)
        yield from (SetTop(card) for card in cards if card != state.top)
    yield from (SetTurn(seat) for seat in seats if seat != state.turn)
    accused = state.pending.seat if isinstance(state.pending, Accusation) else None
    yield from (SetGuard(seat) for seat in seats if seat not in (state.guard, accused))
    below_top = max(0, state.discard_pile - 1)
    for seat in seats:
        if state.hands[seat] > 1:
            yield SetHand(seat, state.hands[seat] - 1)
        if spare_cards(state, seat) > 0:
            yield SetHand(seat, state.hands[seat] + 1)
    if state.top is not None and state.draw_pile > 0:
        yield SetDraw(state.draw_pile - 1)
    if below_top > 0:
        yield SetDraw(state.draw_pile + 1)
    if state.top is not None and state.known.total > 1:
        yield SetDiscard(Counts().plus(state.top.kind))
