"""What a count at the end of a round cannot be, though the deck would allow it; and who cannot have cheated. Pure."""

from companion.rules.errors import IllegalMove
from companion.rules.moves import Count, Move
from companion.rules.state import RoundResult, State


def impossible_count(state: State, move: Move) -> IllegalMove | None:
    """Return why a hand that is said to be empty is not, or None where it may be.

    The round ends at the first empty hand, and a last card is played or given, never cheated away: a second hand is
    empty only where its last act came in the same moment, as when all give to the slowest at once. Asked here and not
    in the rules, so that a journal which holds such a count is replayed as it was entered.
    """
    if not isinstance(move, Count) or move.counts.total > 0 or move.seat in state.last_acts:
        return None
    first = next((seat for seat, cards in enumerate(state.hands) if cards == 0), move.seat)
    if first == move.seat:
        return None
    return IllegalMove(
        "{to} went out first, and a last card is never cheated away, so {seat} still holds cards: enter them, or undo "
        "back to the last card if {seat} was the one who went out.",
        seat=move.seat,
        to=first,
    )


def guard_throughout(result: RoundResult) -> int | None:
    """Return who was the Guard for the whole round and so cannot have cheated; None where the Guard changed."""
    same = result.guard == result.starting_guard and not any(result.caught)
    return result.guard if same else None
