"""Who won: the lowest total of penalty points, and equal totals share the win."""

from dataclasses import dataclass

from companion.rules.state import Phase, State


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a game."""

    totals: tuple[int, ...]
    """Penalty points over all rounds, by seat."""
    winners: tuple[int, ...]
    """Seats with the lowest total, ascending; more than one share the win."""


def totals(state: State) -> tuple[int, ...]:
    """Return the penalty points over the rounds that are over, by seat."""
    return tuple(sum(result.penalties[seat] for result in state.results) for seat in range(state.seats))


def outcome(state: State) -> Outcome | None:
    """Return who won, or None while the game goes on."""
    if state.phase is not Phase.GAME_OVER:
        return None
    points = totals(state)
    return Outcome(points, tuple(seat for seat, total in enumerate(points) if total == min(points)))
