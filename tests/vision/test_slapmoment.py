"""The instant of a slap out of two readings: what is sure counts more, what disagrees is said to be unsure."""

import math

import numpy as np
import pytest

from companion.vision.slapfit import Contact
from companion.vision.slapmoment import MomentSettings, joined, moment_of
from companion.vision.slapmotion import Stop
from companion.vision.slapnet import Landings
from tests.vision.test_slapfit import stretch_of

STOP = Stop(frame=12, angle_deg=0.0, share=0.5)
CONTACT = Contact(at_s=0.195, error_s=0.003, rise_s=0.02, misfit=0.1)


def told(at_s: float, error_s: float, odds: float = 5.0) -> Landings:
    """Return what the net says where it holds one frame likely."""
    all_odds = np.full(30, -9.0)
    all_odds[12] = odds
    return Landings(odds=all_odds, at_s=np.full(30, at_s), error_s=np.full(30, error_s))


def test_the_surer_reading_counts_more() -> None:
    """Between two readings the answer lies nearer to the one with the smaller error, and is surer than either."""
    at_s, error_s = joined((1.0, 0.002), (1.003, 0.004))
    assert 1.0 < at_s < 1.0015
    assert error_s < 0.002


def test_readings_of_equal_worth_meet_in_the_middle() -> None:
    """Two readings with the same error are averaged; errors alike in part gain less than the root of two."""
    at_s, error_s = joined((1.0, 0.004), (1.002, 0.004))
    assert at_s == pytest.approx(1.001)
    assert 0.004 / math.sqrt(2) < error_s < 0.004


def test_readings_that_disagree_are_stated_with_a_larger_error() -> None:
    """Two sure readings 40 ms apart are stated as unsure, far more than two that agree."""
    _, apart = joined((1.0, 0.003), (1.04, 0.003))
    _, near = joined((1.0, 0.003), (1.001, 0.003))
    assert apart > 3 * near


def test_either_reading_alone_is_taken() -> None:
    """Without a fit the net's time is the answer, and without the net the fit's."""
    seen = stretch_of(60.0)
    assert moment_of(STOP, None, told(0.193, 0.002), seen)[0] == pytest.approx(0.193)
    assert moment_of(STOP, CONTACT, None, seen)[0] == pytest.approx(0.195)


def test_a_landing_that_the_net_does_not_believe_in_has_no_say_in_the_time() -> None:
    """Where the net holds it unlikely that a hand landed, its time for that is left out."""
    seen = stretch_of(60.0)
    assert moment_of(STOP, CONTACT, told(0.21, 0.001, odds=-6.0), seen)[0] == pytest.approx(0.195)


def test_a_stop_that_nothing_timed_is_said_to_be_a_frame_unsure() -> None:
    """With neither reading the time is the middle of the interval that ends with the stop, give or take one."""
    seen = stretch_of(30.0)
    at_s, error_s = moment_of(STOP, None, None, seen, MomentSettings())
    assert at_s == pytest.approx(11.5 / 30)
    assert error_s == pytest.approx(1 / 30)
