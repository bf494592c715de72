"""Why a movement is told, in sentences that a player understands."""

from collections.abc import Mapping

from companion.vision.events import EventKind, Side
from companion.words import Words, say

LEAST_AWAY_S = 0.3
"""A hand that was out of sight for less than this was not away: it was seen below, or looked as if."""


def reasons_of(
    kind: EventKind, side: Side | None, away_s: float, row: Mapping[str, float], *, back: bool = False
) -> tuple[Words, ...]:
    """Say in sentences that a player understands why a movement is told.

    ``row`` is what was known by name (evidence.HAND_ROW or SEAT_ROW); ``back`` that the hand is in sight again,
    after it was away for ``away_s``; else it has been away for so long.
    """
    if kind is EventKind.SLEEVE_MOVEMENT:
        return (say("The fingers of one hand were at the other arm's sleeve."),)
    if kind is EventKind.BEHIND_HEAD:
        return (say("A hand was at the ear or behind the head."),)
    if kind is EventKind.CARD_DROP:
        return (say("Something was let go beside the table."),)
    hand = {Side.LEFT: say("Left hand"), Side.RIGHT: say("Right hand"), None: say("One hand")}[side]
    if row.get("gone", 0.0) > 0.3 and away_s >= LEAST_AWAY_S:
        return _gone(hand, round(away_s, 1), row, back=back)
    if row.get("seen_far_out", 0.0) > 0:
        return (say("{hand}: outside the table's edge, lower than the table top.", hand=hand),)
    return (say("{hand}: it looked as if below the table top.", hand=hand),)


def _gone(hand: Words, seconds: float, row: Mapping[str, float], *, back: bool) -> tuple[Words, ...]:
    if row.get("gone_edge", 0.0) <= 0.4:
        first = say("{hand}: out of sight for {seconds} s.", hand=hand, seconds=seconds)
    elif back:
        first = say("{hand}: it was below the edge for {seconds} s and came back.", hand=hand, seconds=seconds)
    else:
        first = say("{hand}: it went below the edge {seconds} s ago and has not come back.", hand=hand, seconds=seconds)
    said = [first]
    if row.get("gone_outward", 0.0) > 0.3:
        said.append(say("It moved away from the table first."))
    if row.get("edge_free", 0.0) > 0.6:
        said.append(say("Nothing covered the edge there."))
    return tuple(said)
