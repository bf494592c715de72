"""How sure an answer is: every likely way of giving stops to seats, weighed, becomes errors and chances."""

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass

Moments = dict[int, tuple[float, float]]
"""Of each seat that slapped: when (s), and the standard deviation of its contact (s)."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read what was seen: how likely it is (all readings sum to 1), and when each seat slapped in it."""

    chance: float
    at: Moments


def honest_errors(readings: Sequence[Reading], stated: Moments, ignored: float = 0.0) -> dict[int, float]:
    """Return for each stated time the error that also covers the readings in which the seat slapped at another time.

    ``stated`` are the times that are told to the table, with the errors of their fits; other times that are less likely
    than ``ignored`` are left out. Seconds, one standard deviation about the stated time.
    """
    errors = {}
    for seat, (at_s, error_s) in stated.items():
        chances: dict[tuple[float, float], float] = {}
        for reading in readings:
            if seat in reading.at:
                moment = reading.at[seat]
                chances[moment] = chances.get(moment, 0.0) + reading.chance
        total = sum(chances.values())
        likely = {moment: c / total for moment, c in chances.items() if c >= ignored * total}
        weight = sum(likely.values())
        spread = sum(c * ((other_s - at_s) ** 2 + other_error**2) for (other_s, other_error), c in likely.items())
        errors[seat] = math.sqrt(max(error_s**2, spread / weight if weight > 0 else 0.0))
    return errors


def last_chances(readings: Sequence[Reading]) -> dict[int, float]:
    """Return for each seat how likely it is that it was the last to slap."""
    return _extreme_chances(readings, 1.0)


def with_cue(chances: dict[int, float], seats: Collection[int], right: float) -> dict[int, float]:
    """Return the chances after a second cue has named seats, one of which is it in a share ``right`` of such rounds."""
    if len(chances.keys() - set(seats)) in (0, len(chances)):
        return chances
    # not shared out among the others: where the cue is wrong, the hand that it nearly named is the last as a rule
    weighed = {s: chance * (right if s in seats else 1.0 - right) for s, chance in chances.items()}
    total = sum(weighed.values())
    return {s: chance / total for s, chance in weighed.items()} if total > 0 else chances


def _extreme_chances(readings: Sequence[Reading], sign: float) -> dict[int, float]:
    chances: dict[int, float] = {}
    for reading in readings:
        likely = {
            seat: math.prod(
                _normal(sign * (at_s - other_s) / max(math.hypot(error_s, other_error), 1e-6))
                for other, (other_s, other_error) in reading.at.items()
                if other != seat
            )
            for seat, (at_s, error_s) in reading.at.items()
        }
        total = sum(likely.values())
        for seat, chance in likely.items():
            chances[seat] = chances.get(seat, 0.0) + reading.chance * chance / max(total, 1e-9)
    return chances


def _normal(x: float) -> float:
    return 0.5 * math.erfc(-x / math.sqrt(2.0))
