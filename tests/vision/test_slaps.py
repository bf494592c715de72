"""The slaps of a mosquito: who, when, in which order, and what cannot be told."""

from itertools import pairwise

import pytest

from companion.vision import slaps
from companion.vision.frame import NS_PER_S
from companion.vision.slapdoubt import Reading
from companion.vision.slapread import Found
from companion.vision.slaps import SlapRound, time_slaps
from companion.vision.slaptop import Top
from tests.vision.slapscene import Arm, Scene


def timed(scene: Scene, by: int = 2, entered_s: float = 3.3) -> SlapRound:
    """Return the answer for a scene."""
    return time_slaps(scene.frames(), scene.layout, round(entered_s * NS_PER_S), by)


def seen(answer: SlapRound) -> dict[int, float]:
    """Return each slap's time in seconds."""
    return {s.seat: s.at_ns / NS_PER_S for s in answer.order if s.at_ns is not None}


@pytest.mark.parametrize(("fps", "within_s"), [(60.0, 0.008), (30.0, 0.016)])
def test_slaps_are_timed_to_a_fraction_of_a_frame(fps: float, within_s: float) -> None:
    """Three hands that stop at known instants are each timed to half a frame, in their order."""
    truth = {0: 1.503, 3: 1.661, 1: 1.947}
    answer = timed(Scene([Arm(s, t) for s, t in truth.items()], fps=fps))
    assert [s.seat for s in answer.order] == [0, 3, 1]
    for seat, at in seen(answer).items():
        assert abs(at - truth[seat]) < within_s


@pytest.mark.parametrize("fps", [60.0, 30.0])
def test_the_last_hand_is_called_where_it_is_certain_whose_it_is(fps: float) -> None:
    """A hand that comes well after the others, and that no other seat explains as well, is called the last."""
    answer = timed(Scene([Arm(0, 1.510), Arm(3, 1.668), Arm(1, 1.954)], fps=fps))
    assert answer.last == 1
    assert not answer.too_close


def test_each_slap_has_an_error_that_its_time_is_within() -> None:
    """The stated error is milliseconds, more where another stop may be the hand's, and the time is within two."""
    truth = {0: 1.503, 3: 1.661, 1: 1.947}
    for slap in timed(Scene([Arm(s, t) for s, t in truth.items()])).order:
        assert slap.error_s is not None
        assert slap.at_ns is not None
        assert 0.001 < slap.error_s < 0.04
        assert abs(slap.at_ns / NS_PER_S - truth[slap.seat]) < 2 * slap.error_s


def test_a_seat_that_never_slapped_comes_last_without_a_time() -> None:
    """Who did not slap is listed after the others with no time, and is not the one called."""
    answer = timed(Scene([Arm(0, 1.7), Arm(3, 1.9)]))
    assert [(s.seat, s.at_ns is None) for s in answer.order] == [(0, False), (3, False), (1, True)]
    assert answer.last == 3


def test_the_player_of_the_card_is_not_in_the_order() -> None:
    """The hand of the seat that played the mosquito lies on the pile, but is no slap."""
    answer = timed(Scene([Arm(2, 1.3, leaves_s=1.6), Arm(0, 1.9), Arm(3, 2.1)]), by=2)
    assert 2 not in [s.seat for s in answer.order]
    assert answer.last == 3


def test_a_hand_that_only_hovers_is_no_slap() -> None:
    """A hand that comes near, waits beside the pile and goes home again is listed without a time, or is not called."""
    answer = timed(Scene([Arm(0, 1.5), Arm(3, 1.7), Arm(1, 1.6, leaves_s=1.85, short_mm=150.0)]))
    assert 1 not in seen(answer)
    assert answer.last == 3


def test_of_a_hand_that_slaps_twice_the_first_time_counts_or_the_error_covers_both() -> None:
    """A hand that is lifted and slapped down again is never timed at the second slap with a small error."""
    answer = timed(Scene([Arm(0, 1.5, again_s=1.9), Arm(3, 1.7)]))
    slap = next(s for s in answer.order if s.seat == 0)
    assert slap.at_ns is not None
    assert slap.error_s is not None
    assert abs(slap.at_ns / NS_PER_S - 1.5) < 3 * slap.error_s
    assert answer.last != 0


@pytest.mark.parametrize("beside_deg", [-9.0, 9.0])
def test_either_hand_may_slap(beside_deg: float) -> None:
    """A right hand comes in on one side of its seat's ray and a left hand on the other; both are the seat's."""
    truth = {0: 1.503, 3: 1.661}
    at = seen(timed(Scene([Arm(s, t, beside_deg=beside_deg) for s, t in truth.items()])))
    assert at == {s: pytest.approx(t, abs=0.008) for s, t in truth.items()}


def test_the_hand_on_top_is_told() -> None:
    """The second cue names the hand that lies on the others at the end."""
    assert timed(Scene([Arm(0, 1.510), Arm(3, 1.668)])).on_top == 3


def found(on_top: int | None = None, untimed: tuple[int, ...] = ()) -> Found:
    """Return what was found of two slaps 12 ms apart, of which the later one is seat 1's."""
    at = {0: (1.0, 0.006), 1: (1.012, 0.006)}
    top = None if on_top is None else Top((on_top,), 0.8, named=True)
    return Found(stated=at, readings=(Reading(1.0, at),), zero_ns=0, top=top, untimed=untimed)


@pytest.mark.parametrize(("on_top", "last"), [(1, 1), (0, None)])
def test_the_hand_on_top_makes_a_near_call_sure_or_doubtful(
    on_top: int, last: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of two slaps 12 ms apart the later is called where its hand lies on top; where it does not, nobody is."""
    monkeypatch.setattr(slaps, "find_slaps", lambda *_: found(on_top))
    answer = time_slaps([], Scene([]).layout, NS_PER_S, 2)
    assert (answer.last, answer.on_top) == (last, on_top)


def test_nobody_is_called_where_another_arm_lies_there_that_was_not_seen_to_come(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """An arm without a time may have been the last one, however sure the others are."""
    monkeypatch.setattr(slaps, "find_slaps", lambda *_: found(1, untimed=(3,)))
    answer = time_slaps([], Scene([]).layout, NS_PER_S, 2)
    assert answer.last is None


def test_two_hands_at_once_are_too_close_to_call() -> None:
    """Where the last two stop in the same instant nobody is called, and the reason says so."""
    answer = timed(Scene([Arm(0, 1.5), Arm(1, 1.812), Arm(3, 1.812)]))
    assert answer.too_close
    assert answer.last is None
    assert any("too close" in str(reason) for reason in answer.reasons)


def test_an_empty_pile_gives_nobody() -> None:
    """Without hands nobody slapped and nobody is last; all seats but the player's are listed."""
    answer = timed(Scene([]))
    assert answer.last is None
    assert not answer.too_close
    assert [(s.seat, s.at_ns) for s in answer.order] == [(0, None), (1, None), (3, None)]
    assert answer.reasons


def test_no_frames_give_nobody() -> None:
    """With an empty buffer the answer is that nobody was seen, not an error."""
    scene = Scene([Arm(0, 1.7)])
    assert time_slaps([], scene.layout, NS_PER_S, -1).last is None


def test_frames_after_the_card_was_entered_do_not_count() -> None:
    """A hand that reaches for the pile after the card was entered is no slap."""
    answer = timed(
        Scene([Arm(0, 1.5, leaves_s=2.4), Arm(3, 1.7, leaves_s=2.4), Arm(1, 3.1, leaves_s=3.4)]), entered_s=2.6
    )
    assert 1 not in seen(answer)
    assert answer.last == 3


def test_order_holds_down_to_gaps_of_two_frames() -> None:
    """Hands 35 ms apart come out in their order at 60 frames a second."""
    truth = {3: 1.700, 0: 1.735, 1: 1.770}
    at = seen(timed(Scene([Arm(s, t) for s, t in truth.items()])))
    assert all(at[a] < at[b] for a, b in pairwise(truth))
