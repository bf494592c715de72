"""What there is to say after a move beside the new state: a shuffle, an empty hand, a new Guard, a miscount."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from companion.rules.flow import closing
from companion.rules.moves import Ant, Count, Dismiss, Draw, Move, Next, SetGuard
from companion.rules.rounds import counts_so_far
from companion.rules.state import Phase, State


class Topic(StrEnum):
    """What a remark is about."""

    PILES = "piles"
    GUARD = "guard"
    HANDS = "hands"
    UNSEEN = "unseen"
    """Cards that were cheated away unseen: what the end of a round reveals."""
    MISCOUNT = "miscount"
    ROUND = "round"


@dataclass(frozen=True, slots=True)
class Remark:
    """One sentence for the players: an English template with named places, and what fills them."""

    template: str
    params: Mapping[str, object]
    topic: Topic

    def __str__(self) -> str:
        """Return the English sentence."""
        return self.template.format(**self.params)


def remarks(before: State, move: Move, after: State) -> tuple[Remark, ...]:
    """Return what the players are told about ``move``, which led from ``before`` to ``after``."""
    if isinstance(move, Next):
        places = {"round": after.round, "seat": after.guard}
        return (Remark("Round {round} starts: {seat} is the Guard.", places, Topic.ROUND),)
    return (
        *_about_piles(before, move, after),
        *_about_guard(before, move, after),
        *_about_hands(before, after),
        *_about_count(move, after),
    )


def _about_piles(before: State, move: Move, after: State) -> Iterator[Remark]:
    if not isinstance(move, Draw | Ant | Dismiss):
        return
    wanted = _cards_to_draw(before, move)
    drawn = sum(after.hands) - sum(before.hands)
    if wanted > before.draw_pile and before.discard_pile > 1:
        yield Remark(
            "The draw pile is empty: shuffle the discard pile without its top card, and draw from it.",
            {},
            Topic.PILES,
        )
    if drawn < wanted:
        yield Remark("Both piles are used up, so there is no card left to draw: play goes on.", {}, Topic.PILES)


def _cards_to_draw(before: State, move: Draw | Ant | Dismiss) -> int:
    if isinstance(move, Ant):
        return before.seats - 1 if move.seats is None else len(move.seats)
    return 1


def _about_guard(before: State, move: Move, after: State) -> Iterator[Remark]:
    if before.guard != after.guard and not isinstance(move, SetGuard):
        yield Remark("{seat} was caught and is the Guard now.", {"seat": after.guard}, Topic.GUARD)


def _about_hands(before: State, after: State) -> Iterator[Remark]:
    for seat, (earlier, hand) in enumerate(zip(before.hands, after.hands, strict=True)):
        if earlier > 0 and hand == 0:
            yield Remark("{seat} is out.", {"seat": seat}, Topic.HANDS)
            yield from _about_missing(seat, after.vanished[seat])
            if closing(after):
                yield Remark("The action of the last card is carried out before the round ends.", {}, Topic.HANDS)
    if after.phase is Phase.COUNT and before.phase is not Phase.COUNT:
        yield Remark("The round is over: count the cards that are left.", {}, Topic.ROUND)


def _about_count(move: Move, after: State) -> Iterator[Remark]:
    if not isinstance(move, Count):
        return
    seat, accounted = move.seat, after.hands[move.seat]
    counted = counts_so_far(after)[seat]
    missing = accounted - (counted.total if counted else accounted)
    yield from _about_missing(seat, missing)
    if missing < 0:
        yield Remark(
            "{seat} holds more cards than were entered ({accounted}), so something was not entered; "
            "the count stands and the game goes on.",
            {"seat": seat, "accounted": accounted},
            Topic.MISCOUNT,
        )


def _about_missing(seat: int, cards: int) -> Iterator[Remark]:
    if cards == 1:
        yield Remark("{seat} cheated 1 card away unseen.", {"seat": seat}, Topic.UNSEEN)
    elif cards > 1:
        yield Remark("{seat} cheated {cards} cards away unseen.", {"seat": seat, "cards": cards}, Topic.UNSEEN)
