"""What a tablet should offer in a state: the choices behind the buttons, derived from the rules alone."""

from dataclasses import dataclass
from enum import StrEnum

from companion.rules.accusations import most_gifts
from companion.rules.actions import may_give_last_card, race_kinds
from companion.rules.cards import Kind, neighbours
from companion.rules.enumeration import is_left
from companion.rules.flow import closing
from companion.rules.houserules import DrawWhenAble
from companion.rules.rounds import counts_so_far
from companion.rules.state import PLAYING, Accusation, Gifts, Phase, State
from companion.rules.turns import may_go_out


class DrawPrompt(StrEnum):
    """What to say to a player who is about to draw; hands are secret, so a draw is accepted either way."""

    REMIND = "remind"
    """Drawing is meant for a player who has nothing that fits."""
    CONFIRM = "confirm"
    """The player is to confirm that nothing fits before the draw is entered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The choices in one state; what does not apply in its phase is empty. Seats are ascending."""

    numbers: tuple[int, ...]
    """Numbers of the cards that may be laid now: two in a turn, one in a race."""
    kinds: tuple[Kind, ...]
    """Kinds of the cards that may be laid now and of which some can be left."""
    draw: DrawPrompt | None
    """How to offer a draw; None when nobody may draw."""
    last_card: bool
    """The card that is played or given next is the accounted last one of the seat whose turn it is."""
    shuffle_first: bool
    """The draw pile is empty and the discard pile is to be shuffled before the next card is drawn."""
    may_receive: tuple[int, ...]
    """Seats that the spider's player may give a card to."""
    may_race: tuple[int, ...]
    """Seats that may lay a card on the cockroach."""
    may_slap: tuple[int, ...]
    """Seats that slap on the mosquito."""
    receiver: int | None
    """The seat that slapped last and is given cards."""
    must_give: tuple[int, ...]
    """Seats that have still to give the receiver a card, or to say that they have only moths."""
    may_be_accused: tuple[int, ...]
    """Seats on which the Guard may call "Caught!"."""
    accused: int | None
    """The seat that the open dispute is about."""
    most_gifts: int
    """How many cards the Guard may hand over at most when the call was true."""
    may_go_out: tuple[int, ...]
    """Seats that may declare that their hand is empty."""
    to_count: tuple[int, ...]
    """Seats whose cards are still to be counted."""
    may_recount: tuple[int, ...]
    """Seats that are counted and may be counted again."""


def options(state: State) -> Options:
    """Return what a tablet should offer in ``state``."""
    seats = range(state.seats)
    others = tuple(sorted(state.others(state.turn)))
    gifts = state.pending if isinstance(state.pending, Gifts) else None
    dispute = state.pending if isinstance(state.pending, Accusation) else None
    numbers, kinds = _cards(state)
    to_count, may_recount = _counting(state)
    return Options(
        numbers=numbers,
        kinds=kinds,
        draw=_draw_prompt(state),
        last_card=state.phase in (Phase.TURN, Phase.SPIDER) and state.hands[state.turn] == 1,
        shuffle_first=state.draw_pile == 0 and state.discard_pile > 1,
        may_receive=others if state.phase is Phase.SPIDER and _may_give(state) else (),
        may_race=tuple(seat for seat in seats if state.phase is Phase.COCKROACH and state.hands[seat] > 0),
        may_slap=others if state.phase is Phase.MOSQUITO else (),
        receiver=gifts.receiver if gifts else None,
        must_give=gifts.givers if gifts else (),
        may_be_accused=tuple(seat for seat in seats if seat != state.guard and _may_accuse(state)),
        accused=dispute.seat if dispute else None,
        most_gifts=most_gifts(state) if dispute else 0,
        may_go_out=tuple(seat for seat in seats if may_go_out(state, seat)),
        to_count=to_count,
        may_recount=may_recount,
    )


def _cards(state: State) -> tuple[tuple[int, ...], tuple[Kind, ...]]:
    if state.top is None:
        return (), ()
    if state.phase is Phase.TURN:
        kinds = tuple(kind for kind in Kind if kind is not Kind.MOTH or state.turn == state.guard)
        numbers: tuple[int, ...] = tuple(sorted(neighbours(state.top.number)))
    elif state.phase is Phase.COCKROACH:
        kinds, numbers = race_kinds(state), (state.top.number,)
    else:
        return (), ()
    return numbers, tuple(kind for kind in kinds if is_left(state, kind))


def _draw_prompt(state: State) -> DrawPrompt | None:
    if state.phase is not Phase.TURN:
        return None
    return DrawPrompt.REMIND if state.house.draw_when_able is DrawWhenAble.ALLOWED else DrawPrompt.CONFIRM


def _may_give(state: State) -> bool:
    return state.hands[state.turn] > 1 or may_give_last_card(state)


def _may_accuse(state: State) -> bool:
    return state.phase in PLAYING and not closing(state)


def _counting(state: State) -> tuple[tuple[int, ...], tuple[int, ...]]:
    if state.phase not in (Phase.COUNT, Phase.ROUND_OVER, Phase.GAME_OVER):
        return (), ()
    entered = counts_so_far(state)
    holders = tuple(seat for seat in range(state.seats) if state.hands[seat] > 0)
    return (
        tuple(seat for seat in holders if entered[seat] is None),
        tuple(seat for seat in holders if entered[seat] is not None),
    )
