"""Cards, moves and movements in plain words, with the players' names."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from companion.letters import listed
from companion.rules.cards import Card, Kind
from companion.rules.moves import (
    Accuse,
    Ant,
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
from companion.session.words import Words, say, say_count

_CARDS: Final[Mapping[Kind, str]] = MappingProxyType(
    {
        Kind.NUMBER: "{number}",
        Kind.SPIDER: "spider {number}",
        Kind.ANT: "ant {number}",
        Kind.COCKROACH: "cockroach {number}",
        Kind.MOSQUITO: "mosquito {number}",
        Kind.MOTH: "moth {number}",
    }
)

_KIND_NAMES: Final[Mapping[Kind, Words]] = MappingProxyType(
    {
        Kind.NUMBER: say("number card"),
        Kind.SPIDER: say("spider"),
        Kind.ANT: say("ant"),
        Kind.COCKROACH: say("cockroach"),
        Kind.MOSQUITO: say("mosquito"),
        Kind.MOTH: say("moth"),
    }
)

_MOVEMENTS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "hand_below_table": "{name}: a hand went below the table",
        "sleeve_movement": "{name}: fingers went to a sleeve",
        "card_drop": "{name}: a card dropped",
        "behind_head": "{name}: a hand went behind the head",
    }
)


def card_words(card: Card) -> Words:
    """Name a card."""
    return say(_CARDS[card.kind], number=card.number)


def kind_words(kind: Kind) -> Words:
    """Name a kind of cards."""
    return _KIND_NAMES[kind]


def movement_words(kind: str, name: str) -> Words:
    """Say what the camera saw at a player's place."""
    return say(_MOVEMENTS.get(kind, "{name}: something was seen"), name=name)


def move_words(move: Move, names: Sequence[str]) -> Words:  # noqa: PLR0911 (one case a move)
    """Say in one sentence what a move did, as the log and the undo button show it."""
    match move:
        case Deal(card=card):
            return say("The cards were dealt and {card} turned up", card=card_words(card))
        case Play(seat=seat, card=card):
            return say("{name} played {card}", name=names[seat], card=card_words(card))
        case Draw(seat=seat):
            return say("{name} drew a card", name=names[seat])
        case Out(seat=seat):
            return say("{name} went out", name=names[seat])
        case Count(seat=seat, counts=counts):
            return say_count(
                "{name} has {cards} card left",
                "{name} has {cards} cards left",
                counts.total,
                name=names[seat],
                cards=counts.total,
            )
        case Next():
            return say("The next round started")
        case Accuse() | Uphold() | Dismiss() | Withdraw():
            return _caught_words(move, names)
        case SetTop() | SetTurn() | SetGuard() | SetHand() | SetDraw() | SetDiscard():
            return _correction_words(move, names)
        case _:
            return _action_words(move, names)


def _action_words(move: Move, names: Sequence[str]) -> Words:  # noqa: PLR0911 (one case a move)
    match move:
        case Give(seat=seat, to=to):
            return say("{name} gave {to} a card", name=names[seat], to=names[to])
        case Keep(seat=seat):
            return say("{name} gave no card away", name=names[seat])
        case Ant(seats=None):
            return say("Everyone else drew a card")
        case Ant(seats=seats) if seats:
            return say("{names} drew a card", names=listed(names[seat] for seat in seats))
        case Ant():
            return say("Nobody drew a card for the ant")
        case Race(seat=seat, card=card):
            return say("{name} was the fastest with {card}", name=names[seat], card=card_words(card))
        case NoRace():
            return say("Nobody laid a card on the cockroach")
        case Slaps(order=order) if order:
            return say("{name} slapped last", name=names[order[-1]])
        case Slaps():
            return say("The mosquito was skipped")
        case Gift(seat=seat):
            return say("{name} gave a card", name=names[seat])
        case NoGift(seat=seat):
            return say("{name} had nothing to give", name=names[seat])
        case _:
            return say("Everyone gave a card")


def _caught_words(move: Accuse | Uphold | Dismiss | Withdraw, names: Sequence[str]) -> Words:
    match move:
        case Accuse(seat=seat):
            return say('The Guard called "Caught!" on {name}', name=names[seat])
        case Uphold(cards=cards):
            return _upheld_words(cards)
        case Dismiss():
            return say("The accusation was false")
        case Withdraw():
            return say("The accusation was taken back")


def _upheld_words(cards: int) -> Words:
    if not cards:
        return say("The accusation was true; no card was handed over")
    return say_count(
        "The accusation was true; {cards} card was handed over",
        "The accusation was true; {cards} cards were handed over",
        cards,
        cards=cards,
    )


def _upheld_button(cards: int) -> Words:
    if not cards:
        return say("True, but the Guard has only moths")
    return say_count("True, {cards} card handed over", "True, {cards} cards handed over", cards, cards=cards)


def _correction_words(
    move: SetTop | SetTurn | SetGuard | SetHand | SetDraw | SetDiscard, names: Sequence[str]
) -> Words:
    match move:
        case SetTop(card=card):
            return say("Corrected: {card} is the top card", card=card_words(card))
        case SetTurn(seat=seat):
            return say("Corrected: it is {name}'s turn", name=names[seat])
        case SetGuard(seat=seat):
            return say("Corrected: {name} is the Guard", name=names[seat])
        case SetHand(seat=seat, cards=cards):
            return say_count(
                "Corrected: {name} holds {cards} card",
                "Corrected: {name} holds {cards} cards",
                cards,
                name=names[seat],
                cards=cards,
            )
        case SetDraw(cards=cards):
            return say_count(
                "Corrected: {cards} card is in the draw pile",
                "Corrected: {cards} cards are in the draw pile",
                cards,
                cards=cards,
            )
        case SetDiscard(counts=counts):
            return say_count(
                "Corrected: {cards} card is known in the discard pile",
                "Corrected: {cards} cards are known in the discard pile",
                counts.total,
                cards=counts.total,
            )


def button_words(move: Move, names: Sequence[str]) -> Words:  # noqa: PLR0911, PLR0912 (one case a move)
    """Say what a button for the move is called."""
    match move:
        case Deal(card=card) | Play(card=card):
            return card_words(card)
        case Draw():
            return say("Draw a card")
        case Give(to=to):
            return say("To {name}", name=names[to])
        case Keep() | NoRace():
            return say("Nobody")
        case Ant(seats=None):
            return say("Everyone drew")
        case Ant():
            return say("Nobody drew")
        case Race(seat=seat, card=card):
            return say("{name} with {card}", name=names[seat], card=card_words(card))
        case Slaps(order=order):
            return say("{name} was last", name=names[order[-1]]) if order else say("Skip")
        case Gift(seat=seat):
            return say("{name} gave", name=names[seat])
        case NoGift(seat=seat):
            return say("{name} has nothing to give", name=names[seat])
        case GiftsAll():
            return say("All gave a card")
        case Accuse(seat=seat):
            return say("Caught, {name}!", name=names[seat])
        case Uphold(cards=cards):
            return _upheld_button(cards)
        case Dismiss():
            return say("False")
        case Withdraw():
            return say("Called by mistake")
        case Out(seat=seat):
            return say("{name} is out", name=names[seat])
        case Next():
            return say("Next round")
        case _:
            return move_words(move, names)
