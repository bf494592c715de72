"""How a round starts and how it ends: cards dealt, hands counted, points written down."""

from dataclasses import replace

from companion.rules.cards import DECK, DECK_SIZE, HAND_SIZE, Counts, Kind
from companion.rules.checks import require_phase, require_seat, waiting
from companion.rules.errors import IllegalMove
from companion.rules.houserules import HouseRules, NextGuard
from companion.rules.moves import Count, Next
from companion.rules.state import Counting, Phase, RoundResult, State


def first_round(seats: int, oldest: int, house: HouseRules) -> State:
    """Return the start of a game: the cards are dealt and the oldest player is the Guard."""
    none = (0,) * seats
    return State(
        seats=seats,
        house=house,
        round=1,
        starting_guard=oldest,
        guard=oldest,
        turn=oldest,
        phase=Phase.DEAL,
        hands=(HAND_SIZE,) * seats,
        draw_pile=DECK_SIZE - HAND_SIZE * seats,
        discard_pile=0,
        top=None,
        known=Counts(),
        last_acts=(),
        pending=None,
        vanished=none,
        calls=none,
        caught=none,
        results=(),
    )


def next_round(state: State, _move: Next) -> State:
    """Start the next round: the player to the left of who started the last one is the Guard."""
    require_phase(state, Phase.ROUND_OVER)
    by_start = state.house.next_guard is NextGuard.LEFT_OF_STARTING_GUARD
    guard = state.left_of(state.starting_guard if by_start else state.guard)
    dealt = first_round(state.seats, guard, state.house)
    return replace(dealt, round=state.round + 1, results=state.results)


def counts_so_far(state: State) -> tuple[Counts | None, ...]:
    """Return the end-of-round counts by seat; None where one is missing, no cards for a seat that is out."""
    if isinstance(state.pending, Counting):
        counts = state.pending.counts
        return tuple(Counts() if hand == 0 else entered for hand, entered in zip(state.hands, counts, strict=True))
    return state.results[-1].counts if state.results else (None,) * state.seats


def count(state: State, move: Count) -> State:
    """Enter what is left in a hand; again, to correct it, until the next round starts."""
    require_phase(state, Phase.COUNT, Phase.ROUND_OVER, Phase.GAME_OVER)
    require_seat(state, move.seat)
    if state.hands[move.seat] == 0:
        raise IllegalMove(
            "{seat} is out and has no cards to count: if there are some, correct the hand of {seat}.", seat=move.seat
        )
    before = counts_so_far(state)
    counts = (*before[: move.seat], move.counts, *before[move.seat + 1 :])
    _require_within_deck(state, counts)
    complete = tuple(entered for entered in counts if entered is not None)
    if len(complete) == state.seats:
        return _close_round(state, complete)
    if not isinstance(state.pending, Counting):
        raise waiting(state)
    return replace(state, pending=replace(state.pending, counts=counts))


def room_in_deck(state: State, kind: Kind, counts: tuple[Counts | None, ...]) -> int:
    """Return how many cards of ``kind`` are neither counted in a hand nor known to lie in the discard pile."""
    counted = sum(entered.of(kind) for entered in counts if entered is not None)
    return DECK[kind] - counted - state.known.of(kind)


def _require_within_deck(state: State, counts: tuple[Counts | None, ...]) -> None:
    for kind in Kind:
        room = room_in_deck(state, kind, counts)
        if room < 0:
            raise IllegalMove(
                "That makes {cards} cards of the kind {kind}, {discarded} of them in the discard pile, and the deck "
                "has only {deck}: count again, or correct what lies in the discard pile.",
                cards=DECK[kind] - room,
                kind=kind,
                discarded=state.known.of(kind),
                deck=DECK[kind],
            )


def _close_round(state: State, counts: tuple[Counts, ...]) -> State:
    result = RoundResult(
        starting_guard=state.starting_guard,
        guard=state.guard,
        hands=state.hands,
        vanished=state.vanished,
        calls=state.calls,
        caught=state.caught,
        counts=counts,
    )
    earlier = state.results[: state.round - 1]
    phase = Phase.GAME_OVER if state.round == state.seats else Phase.ROUND_OVER
    return replace(state, phase=phase, pending=None, results=(*earlier, result))
