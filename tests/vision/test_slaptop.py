"""The second cue: whose hand has the colour that lies on top."""

import numpy as np
import pytest

from companion.vision.slaptop import TopSettings, alike, on_top

SETTINGS = TopSettings()


def test_hands_of_one_colour_are_one_group() -> None:
    """Two hands that differ by a few levels are told from a third, but not from each other."""
    colours = {0: np.array([100.0, 120.0, 180.0]), 1: np.array([40.0, 50.0, 80.0]), 2: np.array([95.0, 118.0, 172.0])}
    groups = alike({seat: colour.astype(np.float32) for seat, colour in colours.items()}, SETTINGS.apart)
    assert sorted(groups) == [(0, 2), (1,)]


def test_hands_that_are_alike_by_way_of_a_third_are_one_group() -> None:
    """A colour between two others joins them, whichever comes first."""
    tones = {0: 100.0, 1: 140.0, 2: 120.0}
    assert alike({seat: np.full(3, tone, dtype=np.float32) for seat, tone in tones.items()}, 40.0) == [(0, 1, 2)]


@pytest.mark.parametrize(("lead", "right", "named"), [(0.0, 0.5, False), (0.1, 0.62, False), (0.6, 0.85, True)])
def test_the_more_a_hand_leads_the_surer_it_is_the_last(lead: float, right: float, named: bool) -> None:
    """Two hands that show as much say nothing; one that leads is named, and never taken for certain."""
    top = on_top({(0,): 0.5 + lead / 2, (1,): 0.5 - lead / 2}, SETTINGS)
    assert top is not None
    assert top.seats == (0,)
    assert top.right == pytest.approx(right)
    assert top.named is named


def test_one_colour_alone_says_nothing() -> None:
    """Where all hands look alike nothing is on top of anything."""
    assert on_top({(0, 1): 1.0}, SETTINGS) is None
    assert on_top({}, SETTINGS) is None
