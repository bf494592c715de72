"""Who is told to be first in a race: made from plain numbers, how much of each seat's arm is seen in each picture."""

import numpy as np
import pytest

from companion.vision.race import SETTINGS, Numbers, Race, Reach, judge, reaches

SEATS = {0: -90.0, 1: 180.0, 2: 90.0, 3: 0.0}
AT_S = np.arange(60) / 15
NONE = np.zeros(60)


def arm(reached_s: float, *, stays_s: float = 0.4, most: float = 1.0) -> Numbers:
    """Return the share of an arm that comes in within 0.2 s, has reached the pile then, stays and goes."""
    coming = np.clip((AT_S - reached_s) / 0.2 + 1.0, 0.0, 1.0)
    going = np.clip((reached_s + stays_s - AT_S) / 0.2 + 1.0, 0.0, 1.0)
    return np.asarray(most * np.minimum(coming, going), dtype=np.float64)


def told(*shares: Numbers, by: int = -1) -> Race:
    """Judge the race of these seats."""
    found = reaches(AT_S, np.array(shares), SEATS, SETTINGS)
    return judge(found, by=by, zero_ns=0, entered_ns=4_000_000_000, settings=SETTINGS)


def test_the_first_arm_that_reaches_the_pile_wins() -> None:
    """The others follow in the order in which they came; who stayed away is not in it."""
    race = told(arm(2.5), NONE, arm(1.5), arm(2.1))
    assert (race.first, race.too_close, [slap.seat for slap in race.order]) == (2, False, [2, 3, 0])
    assert str(race.reasons[0]).startswith("2 came ")


def test_the_cockroach_itself_is_not_in_the_race() -> None:
    """The hand that laid it begins the race; the play before it does not count, and its player may race too."""
    cockroach, second = arm(1.0), arm(2.0)
    race = told(np.maximum(cockroach, second), arm(0.2, stays_s=0.2), arm(2.6), NONE, by=0)
    assert (race.first, [slap.seat for slap in race.order]) == (0, [0, 2])


def test_turns_before_the_race_are_left_out_where_the_cockroach_was_not_seen() -> None:
    """Without the hand that laid it only the last seconds count."""
    found = reaches(AT_S, np.array([arm(0.5), NONE, arm(2.0), arm(2.4)]), SEATS, SETTINGS)
    race = judge(found, by=1, zero_ns=0, entered_ns=5_000_000_000, settings=SETTINGS)
    assert [slap.seat for slap in race.order] == [2, 3]


def test_arms_that_come_together_are_too_close_to_call() -> None:
    """Closer than the error nobody is named."""
    race = told(arm(2.0), NONE, arm(2.1), NONE)
    assert (race.first, race.too_close) == (None, True)
    assert "too close" in str(race.reasons[-1])


def test_a_neighbour_that_only_shows_the_same_arm_is_left_out() -> None:
    """A part of an arm at the same time near by is that arm's picture, not another arm."""
    race = told(arm(2.0), arm(1.97, most=0.8), NONE, NONE)
    assert [slap.seat for slap in race.order] == [0]
    assert race.first == 0


def test_an_arm_that_turns_back_is_no_reach() -> None:
    """Half an arm over the ring is not at the pile."""
    assert told(arm(2.0, most=0.45), NONE, NONE, NONE).order == ()


def test_nobody_is_said_in_a_sentence() -> None:
    """No reach, no winner, and why."""
    race = told(NONE, NONE, NONE, NONE)
    assert (race.first, race.too_close, race.order) == (None, False, ())
    assert "No hand was seen" in str(race.reasons[0])


@pytest.mark.parametrize("delay_s", [0.0, 0.02, 0.04])
def test_a_reach_is_told_between_two_pictures(delay_s: float) -> None:
    """The moment moves with the arm, though pictures are 67 ms apart."""
    (reach,) = reaches(AT_S, np.array([arm(2.0 + delay_s), NONE, NONE, NONE]), SEATS, SETTINGS)
    assert isinstance(reach, Reach)
    assert reach.at_s == pytest.approx(1.97 + delay_s, abs=0.03)  # 85 % of the way
