"""How long a player's hand is: learnt from play, from any start, and never unlearnt by fans."""

from itertools import pairwise

import numpy as np
import pytest

from companion.vision.handsize import HandSize, HandSizeSettings, LearntSize

SETTINGS = HandSizeSettings()


def looks_at(length_mm: float, count: int, *, fans: float = 0.6, seed: int = 0) -> list[float]:
    """Return how long a hand appears in play: a share of fans, foreshortened by up to a half, and opener hands."""
    rng = np.random.default_rng(seed)
    fan = rng.random(count) < fans
    shares = np.where(fan, rng.uniform(0.5, 0.9, count), rng.uniform(0.8, 1.0, count))
    return (length_mm * shares * rng.normal(1.0, 0.04, count)).tolist()


def learnt(looks: list[float], measured_mm: float | None = None) -> LearntSize:
    """Return what is known after these looks."""
    size = LearntSize(measured_mm)
    for look in looks:
        size.see(look)
    return size


@pytest.mark.parametrize("true_mm", [120.0, 135.0, 175.0, 200.0])
def test_length_is_learnt_from_the_people_s_mean(true_mm: float) -> None:
    """A child's and a man's hand are known to within the stated uncertainty after half a minute of play."""
    size = learnt(looks_at(true_mm, 300)).size
    assert abs(size.length_mm - true_mm) < 2 * size.spread_mm
    assert abs(size.length_mm / true_mm - 1) < 0.1
    assert size.share < SETTINGS.people_share / 1.8


def test_wrong_start_is_left_behind() -> None:
    """A child who sits down where a man's hand was measured: play takes the length most of the way."""
    size = learnt(looks_at(130.0, 3000), measured_mm=195.0).size
    assert 130 < size.length_mm < 165


def test_measured_length_is_kept() -> None:
    """Where play agrees with the set-up's length it stays, and becomes surer; without play it is what was measured."""
    assert LearntSize(150.0).size == HandSize(150.0, SETTINGS.measured_share)
    size = learnt(looks_at(150.0, 600), measured_mm=150.0).size
    assert size.length_mm == pytest.approx(150.0, rel=0.05)
    assert size.share < SETTINGS.measured_share


def test_foreshortened_fans_do_not_make_a_hand_short() -> None:
    """A player who shows four fans for every open hand keeps a hand nearly as long as one who shows none."""
    open_hands = learnt(looks_at(180.0, 400, fans=0.0)).size.length_mm
    fans = learnt(looks_at(180.0, 400, fans=0.8)).size.length_mm
    median = float(np.median(looks_at(180.0, 400, fans=0.8)))
    assert median < 0.8 * open_hands
    assert fans > 0.88 * open_hands


def test_mistakes_of_the_model_hardly_matter() -> None:
    """One look in twenty at twice the length, and lengths that no hand has, change little."""
    looks = looks_at(170.0, 300)
    wild = [2 * v if k % 20 == 0 else v for k, v in enumerate(looks)] + [0.0, -5.0, 9000.0, float("nan")]
    assert learnt(wild).size.length_mm == pytest.approx(learnt(looks).size.length_mm, rel=0.05)


def test_few_looks_say_nothing() -> None:
    """Below the fewest looks the start stands; more looks only make a length surer."""
    size, shares = LearntSize(), []
    for look in looks_at(140.0, 200):
        size.see(look)
        shares.append(size.size.share)
    assert shares[SETTINGS.fewest - 2] == SETTINGS.people_share
    assert all(later <= earlier for earlier, later in pairwise(shares))


def test_memory_is_bounded_and_old_looks_fade() -> None:
    """A seat that another player takes over is learnt anew within a few minutes."""
    size = learnt(looks_at(195.0, 8000))
    before = size.size.length_mm
    for look in looks_at(130.0, 12_000, seed=1):
        size.see(look)
    assert size.looks <= SETTINGS.most + 1
    assert size.size.length_mm < before - 35


def test_same_looks_give_the_same_length() -> None:
    """Nothing but the looks counts: no clock, no chance."""
    looks = looks_at(160.0, 100)
    assert learnt(looks).size == learnt(looks).size
