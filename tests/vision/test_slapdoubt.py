"""How sure an answer is: errors and chances out of all the readings of what was seen."""

import pytest

from companion.vision.slapdoubt import Reading, honest_errors, last_chances, with_cue


def test_an_undisputed_time_keeps_the_error_of_its_fit() -> None:
    """Where all readings agree, the error is the fit's own."""
    at = {0: (1.0, 0.004), 1: (1.2, 0.005)}
    assert honest_errors([Reading(1.0, at)], at) == {0: pytest.approx(0.004), 1: pytest.approx(0.005)}


def test_a_stop_that_may_be_another_hands_has_an_error_that_says_so() -> None:
    """With one reading in five 100 ms off, one standard deviation is the 45 ms that this makes."""
    likely, other = {0: (1.0, 0.004)}, {0: (1.1, 0.004)}
    error = honest_errors([Reading(0.8, likely), Reading(0.2, other)], likely)[0]
    assert error == pytest.approx(0.1 * 0.2**0.5, rel=0.02)


def test_a_time_that_is_as_good_as_excluded_does_not_widen_the_error() -> None:
    """One reading in a hundred at another time is left out where less than two in a hundred are."""
    likely, other = {0: (1.0, 0.004)}, {0: (1.5, 0.004)}
    readings = [Reading(0.99, likely), Reading(0.01, other)]
    assert honest_errors(readings, likely, 0.02)[0] == pytest.approx(0.004)
    assert honest_errors(readings, likely)[0] > 0.04


def test_readings_without_the_seat_do_not_widen_its_error() -> None:
    """That a seat may not have slapped at all says nothing about when it did."""
    at = {0: (1.0, 0.004)}
    assert honest_errors([Reading(0.6, at), Reading(0.4, {})], at)[0] == pytest.approx(0.004)


def test_the_last_is_as_sure_as_times_and_owners_are() -> None:
    """Well apart it is certain; at once it is even; with a doubtful owner it is shared with that owner."""
    apart = last_chances([Reading(1.0, {0: (1.0, 0.004), 1: (1.1, 0.004)})])
    even = last_chances([Reading(1.0, {0: (1.0, 0.004), 1: (1.0, 0.004)})])
    owner = last_chances(
        [Reading(0.7, {0: (1.0, 0.004), 1: (1.1, 0.004)}), Reading(0.3, {0: (1.0, 0.004), 2: (1.1, 0.004)})]
    )
    assert apart[1] > 0.999
    assert even[0] == pytest.approx(0.5)
    assert owner == {0: pytest.approx(0.0, abs=1e-6), 1: pytest.approx(0.7), 2: pytest.approx(0.3)}


def test_a_second_cue_that_agrees_raises_confidence_and_one_that_disagrees_lowers_it() -> None:
    """A cue that is right in four of five rounds moves nine of ten up to 97 of 100, or down to 69 of 100."""
    chances = {0: 0.9, 1: 0.1}
    assert with_cue(chances, (0,), 0.8)[0] == pytest.approx(0.973, abs=0.001)
    assert with_cue(chances, (1,), 0.8)[0] == pytest.approx(0.692, abs=0.001)
    assert with_cue(chances, (5,), 0.8) == chances


def test_a_cue_that_names_two_hands_that_look_alike_leaves_the_two_as_they_were() -> None:
    """It says that the third was not the last, and nothing about which of the two was."""
    weighed = with_cue({0: 0.3, 1: 0.3, 2: 0.4}, (0, 1), 0.9)
    assert weighed[0] == weighed[1]
    assert weighed[2] == pytest.approx(0.069, abs=0.001)


def test_a_cue_is_worth_no_more_where_more_hands_could_have_been_the_last() -> None:
    """Of three hands, two in doubt: the cue speaks for one of the two as much as if there were only those."""
    two = with_cue({0: 0.6, 1: 0.4}, (0,), 0.8)
    three = with_cue({0: 0.6, 1: 0.4, 2: 0.0}, (0,), 0.8)
    assert three[0] == pytest.approx(two[0])
