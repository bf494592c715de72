"""When the hands lay on the pile."""

import numpy as np

from companion.vision.slaprest import RestSettings, in_order, still_spans

SETTINGS = RestSettings()


def test_the_lowest_hand_that_leaves_last_makes_no_rest_of_its_own() -> None:
    """Three hands lie there, two leave, the third stays for a moment: the rest is the one with all three."""
    covered = np.array([0, 24e3, 24e3, 24e3, 24e3, 15e3, 8e3, 8e3, 8e3, 0.0])
    assert in_order([(1, 4), (6, 8)], covered, SETTINGS) == [(1, 4)]


def test_hands_that_come_after_the_pile_was_free_are_another_rest() -> None:
    """Of two rests with a free pile between them the later one is the likelier."""
    covered = np.array([0, 24e3, 24e3, 24e3, 0, 0, 20e3, 20e3, 20e3, 0.0])
    assert in_order([(1, 3), (6, 8)], covered, SETTINGS) == [(6, 8), (1, 3)]


def test_an_earlier_round_is_not_the_same_rest_for_arms_that_are_always_seen() -> None:
    """Where bodies and sleeves never leave the picture, rests seconds apart are still rests of their own."""
    covered = np.array([0, 30e3, 30e3, 30e3, *[9e3] * 20, 21e3, 21e3, 21e3, 0.0])
    assert in_order([(1, 3), (24, 26)], covered, SETTINGS) == [(24, 26), (1, 3)]


def test_three_arms_that_sway_a_little_are_still() -> None:
    """What may move while the hands rest grows with the arms there; one arm that moves as much is not still."""
    moving = np.array([30e3, 0.5e3, 4e3, 1e3, 5e3, 40e3])
    assert still_spans(np.full(7, 70e3), moving, SETTINGS) == [(1, 5)]
    assert still_spans(np.full(7, 9e3), moving, SETTINGS) == []


def test_hands_that_come_to_one_that_waits_are_a_round_of_their_own() -> None:
    """Three hands lie there and leave, one stays near the pile, three come anew: the later rest is the likelier."""
    covered = np.array([0, 40e3, 40e3, 40e3, 7e3, 7e3, 7e3, 7e3, 20e3, 28e3, 28e3, 28e3, 0.0])
    assert in_order([(1, 3), (4, 7), (9, 11)], covered, SETTINGS) == [(9, 11), (1, 3)]


def test_hands_that_leave_one_by_one_do_not_join_their_round_to_the_next() -> None:
    """Rests that grow emptier step by step are no bridge from a full one to hands that come anew seconds later."""
    covered = np.array([*[89e3] * 8, 70e3, *[56e3] * 4, 40e3, *[23e3] * 8, 48e3, 63e3, 88e3, *[76e3] * 6, 50e3])
    full, fewer, none, anew = (0, 7), (9, 12), (14, 21), (25, 30)
    assert in_order([full, fewer, none, anew], covered, SETTINGS)[0] == anew
