"""Where to look for hands: the same crop that missed a hand is not looked at again and again."""

import itertools

import numpy as np

from companion.vision.looking import SETTINGS, boxes_around, missed_looks

SIZE = (1280, 720)


def test_a_hand_that_is_missed_is_looked_at_in_other_sizes() -> None:
    """From one missed look to the next the box changes its size, and all sizes have their turn."""
    spot = np.array([600.0, 400.0])
    sides = [boxes_around([(spot, 60.0, missed)], SIZE)[0].width for missed in range(1, 7)]
    assert set(sides) == {round(60 * around) for around in SETTINGS.around_lost}
    assert all(a != b for a, b in itertools.pairwise(sides))


def test_two_hands_close_together_share_a_box_unless_one_is_missed() -> None:
    """One call does for two hands side by side; a missed one gets a box of its own."""
    one, other = np.array([600.0, 400.0]), np.array([640.0, 400.0])
    assert len(boxes_around([(one, 60.0, 0), (other, 60.0, 0)], SIZE)) == 1
    assert len(boxes_around([(one, 60.0, 0), (other, 60.0, 2)], SIZE)) == 2


def test_a_hand_that_lies_still_counts_as_missed_every_other_look() -> None:
    """A hand found at the last look was not missed; one that moves is missed at every look since, a still one less."""
    assert [missed_looks(k, still=False) for k in (0.5, 1, 2, 3, 4)] == [0, 0, 1, 2, 3]
    assert [missed_looks(k, still=True) for k in (0.5, 1, 2, 3, 4)] == [0, 0, 1, 0, 3]
