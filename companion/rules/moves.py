"""Moves: one frozen dataclass for everything that players enter. Seats are counted from 0, clockwise."""

from dataclasses import dataclass

from companion.rules.cards import Card, Counts


@dataclass(frozen=True, slots=True)
class Deal:
    """``deal ant4``: the cards are dealt and this one is turned up."""

    card: Card


@dataclass(frozen=True, slots=True)
class Play:
    """``play 2 ant4``: the seat whose turn it is plays a card."""

    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class Draw:
    """``draw 2``: the seat whose turn it is draws one card; the turn is over."""

    seat: int


@dataclass(frozen=True, slots=True)
class Give:
    """``give 2 1``: the spider's player gives one card to another seat."""

    seat: int
    to: int


@dataclass(frozen=True, slots=True)
class Keep:
    """``keep 2``: the spider's player gives no card away."""

    seat: int


@dataclass(frozen=True, slots=True)
class Ant:
    """``ant all``, ``ant 0 3`` or ``ant none``: who drew a card for the ant."""

    seats: tuple[int, ...] | None
    """Ascending; None for every other player; empty when the action is skipped."""


@dataclass(frozen=True, slots=True)
class Race:
    """``race 3 4``: the seat was the fastest in the cockroach's race, with this card."""

    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class NoRace:
    """``race none``: nobody laid a card on the cockroach, or the race is skipped."""


@dataclass(frozen=True, slots=True)
class Slaps:
    """``slaps 0 3 1`` or ``slaps none``: in which order hands came down on the mosquito."""

    order: tuple[int, ...]
    """First to slowest, as far as it is known (the slowest alone will do); empty when the action is skipped."""


@dataclass(frozen=True, slots=True)
class Gift:
    """``gift 2``: the seat has given the slowest a card."""

    seat: int


@dataclass(frozen=True, slots=True)
class NoGift:
    """``nogift 2``: the seat has nothing that may be given."""

    seat: int


@dataclass(frozen=True, slots=True)
class GiftsAll:
    """``gifts all``: everyone who had still to give has given a card."""


@dataclass(frozen=True, slots=True)
class Accuse:
    """``accuse 2``: the Guard called "Caught!" on this seat."""

    seat: int


@dataclass(frozen=True, slots=True)
class Uphold:
    """``uphold 1``: it was true; the Guard handed so many cards over."""

    cards: int


@dataclass(frozen=True, slots=True)
class Dismiss:
    """``dismiss``: it was false; the Guard draws one card."""


@dataclass(frozen=True, slots=True)
class Withdraw:
    """``withdraw``: it was called or entered by mistake; nothing happens."""


@dataclass(frozen=True, slots=True)
class Out:
    """``out 2``: the seat's hand is empty, whatever its accounted number says."""

    seat: int


@dataclass(frozen=True, slots=True)
class Count:
    """``count 2 number=3 ant=1``: what is left in the seat's hand at the end of the round."""

    seat: int
    counts: Counts


@dataclass(frozen=True, slots=True)
class Next:
    """``next``: start the next round."""


@dataclass(frozen=True, slots=True)
class SetTop:
    """``set top ant4``: correct which card lies on top of the discard pile."""

    card: Card


@dataclass(frozen=True, slots=True)
class SetTurn:
    """``set turn 2``: correct whose turn it is; an action that was open is over."""

    seat: int


@dataclass(frozen=True, slots=True)
class SetGuard:
    """``set guard 1``: correct who is the Guard."""

    seat: int


@dataclass(frozen=True, slots=True)
class SetHand:
    """``set hand 2 5``: correct the accounted number of cards in a hand."""

    seat: int
    cards: int


@dataclass(frozen=True, slots=True)
class SetDraw:
    """``set draw 20``: correct the number of cards in the draw pile."""

    cards: int


@dataclass(frozen=True, slots=True)
class SetDiscard:
    """``set discard number=9 ant=2``: correct what is known to lie in the discard pile, the top card included."""

    counts: Counts


Correction = SetTop | SetTurn | SetGuard | SetHand | SetDraw | SetDiscard

Move = (
    Deal
    | Play
    | Draw
    | Give
    | Keep
    | Ant
    | Race
    | NoRace
    | Slaps
    | Gift
    | NoGift
    | GiftsAll
    | Accuse
    | Uphold
    | Dismiss
    | Withdraw
    | Out
    | Count
    | Next
    | Correction
)
