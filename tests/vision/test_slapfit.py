"""The fit of a contact's instant and the giving of stops to seats, on plain numbers."""

from dataclasses import replace

import numpy as np
import pytest

from companion.vision.slapevidence import Evidence, EvidenceWeights, gain
from companion.vision.slapfit import Contact, FitSettings, arrived_before, fit_contact, model
from companion.vision.slapmoment import moment_of
from companion.vision.slapmotion import Stop, Stretch
from companion.vision.slapseats import SeatSettings, assign


def stretch_of(fps: float, frames: int = 30) -> Stretch:
    """Return a stretch with times alone; its pictures are one black pixel."""
    nothing = np.zeros((frames, 1, 1), dtype=np.float32)
    return Stretch(
        zero_ns=0,
        at_s=np.arange(frames) / fps,
        pictures=np.zeros((frames, 1, 1, 3), dtype=np.float32),
        moving=nothing > 0,
        still_s=nothing,
        fresh=nothing,
        rest=(frames - 5, frames - 1),
        free=np.zeros((1, 1, 3), dtype=np.float32),
        noise=nothing[0],
        foreign=24.0,
        foreign_at_rest=nothing[0] > 0,
    )


def fitted(fps: float, contact_s: float, rise_s: float, seed: int) -> Contact:
    """Return the fit of an approach with a known contact, seen with some noise."""
    seen = stretch_of(fps)
    far = 150 * model(contact_s - seen.at_s, np.array(rise_s), 0.5 / fps)
    far = far * np.random.default_rng(seed).normal(1, 0.04, far.shape)
    frame = int(np.ceil(contact_s * fps))
    far[: frame - round(0.1 * fps)] = np.nan
    far[frame + 4 :] = np.nan
    contact = fit_contact(far, Stop(frame=frame, angle_deg=0.0, share=0.5), seen, 0.0, FitSettings())
    assert contact is not None
    return contact


@pytest.mark.parametrize(("fps", "within_s"), [(60.0, 0.005), (30.0, 0.010)])
def test_fit_finds_the_contact_at_every_phase_of_the_frames(fps: float, within_s: float) -> None:
    """Wherever between two frames the contact lies, and however fast the hand, it is found within its bounds."""
    off = []
    for seed in range(40):
        random = np.random.default_rng(seed)
        contact_s = 0.3 + random.uniform(0, 1 / fps)
        contact = fitted(fps, contact_s, float(random.uniform(0.012, 0.03)), seed)
        off.append((contact.at_s - contact_s, contact.error_s))
    errors = np.abs([o for o, _ in off])
    assert np.percentile(errors, 95) < within_s
    assert np.std([o / e for o, e in off]) < 1.3


def test_fewer_frames_a_second_give_a_larger_error() -> None:
    """The stated error grows with the interval between frames."""
    assert fitted(30.0, 0.31, 0.02, 1).error_s > 1.3 * fitted(60.0, 0.31, 0.02, 1).error_s


def test_a_hand_that_slows_down_is_no_sudden_stop() -> None:
    """A hand that comes to rest gently before it strikes fits a contact badly; a strike fits well."""
    seen = stretch_of(60.0)
    gentle = 100 * np.clip(0.3 - seen.at_s, 0, 0.3) ** 2 / 0.08**2
    gentle[:11], gentle[22:] = np.nan, np.nan
    stop = Stop(frame=18, angle_deg=0.0, share=0.2)
    fit = fit_contact(gentle, stop, seen, 0.0, FitSettings())
    assert fit is None or fit.misfit > 2 * fitted(60.0, 0.3, 0.02, 1).misfit


def test_each_seat_gets_one_stop_and_none_is_given_twice() -> None:
    """Two seats that could both have the greatest stop share the two that there are."""
    great, small = Stop(frame=10, angle_deg=10.0, share=0.7), Stop(frame=16, angle_deg=50.0, share=0.5)
    choices = {0: [(2.0, great), (1.0, small)], 1: [(1.9, great), (1.8, small)]}
    assert assign(choices, stretch_of(60.0), SeatSettings())[0].stops == {0: great, 1: small}


def test_a_doubtful_owner_of_the_last_stop_leaves_the_last_hand_in_doubt() -> None:
    """Where the last hand could nearly as well be another seat's, each of the two is about as likely."""
    first, last = Stop(frame=10, angle_deg=-60.0, share=0.6), Stop(frame=20, angle_deg=20.0, share=0.6)
    settings = SeatSettings()

    def chance_of_1(choices: dict[int, list[tuple[float, Stop]]]) -> float:
        ways = assign(choices, stretch_of(60.0), settings)
        return sum(way.chance for way in ways if way.stops.get(1) == last)

    sure = {0: [(5.0, first)], 1: [(5.0, last)], 2: []}
    assert chance_of_1(sure) > 0.98
    assert 0.4 < chance_of_1({**sure, 2: [(4.9, last)]}) < 0.6


def test_ways_of_many_seats_are_weighed_in_time() -> None:
    """Seven seats with six stops each are as well answered as three: the likeliest way is found."""
    stops = [Stop(frame=10 + 8 * i, angle_deg=50.0 * i, share=0.5) for i in range(7)]
    choices = {seat: [(4.0 - abs(seat - i), stop) for i, stop in enumerate(stops[:6])] for seat in range(7)}
    best = assign(choices, stretch_of(60.0, 80), SeatSettings())[0].stops
    assert len({stop.frame for stop in best.values()}) == 6


def test_what_a_passing_hand_gives_free_again_had_come_before() -> None:
    """An arm that stops, is hidden by a hand for four frames and seen again had come where it first lay there."""
    seen = stretch_of(60.0)
    pictures = np.zeros((30, 4, 6, 3), dtype=np.float32)
    pictures[:8], pictures[8:12], pictures[12:16], pictures[16:] = 20.0, 100.0, 180.0, 100.0
    seen = replace(seen, pictures=pictures)
    settings, all_of_it = FitSettings(), np.arange(24)
    again = Stop(frame=16, angle_deg=0.0, share=0.5)
    assert arrived_before(again, all_of_it, seen, settings) == 8
    pictures[8:12] = 30.0
    assert arrived_before(again, all_of_it, seen, settings) is None


def test_what_is_lower_in_the_picture_is_read_out_later() -> None:
    """With a known readout the contact moves with its line; with an unknown one its error grows off the middle line."""
    seen = stretch_of(60.0)
    far = 150 * model(0.303 - seen.at_s, np.array(0.02), 0.5 / 60)
    far[:14], far[23:] = np.nan, np.nan
    stop = Stop(frame=19, angle_deg=0.0, share=0.5)
    middle = fit_contact(far, stop, seen, 0.0, FitSettings())
    low = fit_contact(far, stop, seen, 0.4, FitSettings())
    known = fit_contact(far, stop, seen, 0.4, FitSettings(readout_s=0.02, readout_spread_s=0.0))
    assert middle is not None
    assert low is not None
    assert known is not None
    assert low.at_s == middle.at_s
    assert low.error_s > middle.error_s
    assert known.at_s == pytest.approx(middle.at_s + 0.008)
    assert known.error_s == pytest.approx(middle.error_s)


def test_what_lies_on_the_pile_at_rest_speaks_for_the_slaps_that_it_came_with() -> None:
    """Of two stops that a seat may have slapped with, the one with which the pile's last picture came is likelier."""
    early, late = Stop(frame=10, angle_deg=10.0, share=0.5), Stop(frame=20, angle_deg=10.0, share=0.5)
    choices = {0: [(1.0, early), (0.5, late)]}
    laid = np.zeros(30)
    laid[20] = 0.9
    seen, settings = stretch_of(60.0), SeatSettings()
    assert assign(choices, seen, settings)[0].stops == {0: early}
    assert assign(choices, seen, settings, laid)[0].stops == {0: late}


def test_a_contact_that_fits_badly_states_a_larger_error() -> None:
    """Of two contacts whose fits are as narrow, the one that does not look like a slap is stated as less certain."""
    seen, stop = stretch_of(60.0), Stop(frame=10, angle_deg=0.0, share=0.5)
    good, bad = (
        moment_of(stop, Contact(at_s=0.2, error_s=0.004, rise_s=0.02, misfit=misfit), None, seen)
        for misfit in (0.2, 1.0)
    )
    assert good[0] == bad[0]
    assert bad[1] > 1.8 * good[1]


def test_a_stop_beside_the_pile_is_no_slap_however_sure_the_net_is() -> None:
    """Where the pile itself does not stir, no hand came down on it, whatever else speaks for it."""
    beside = Evidence(
        share=0.5,
        off_deg=9.0,
        misfit=0.1,
        freed=False,
        landed=0.3,
        stirred=0.01,
        lesser=1.0,
        echo=False,
        ago_s=0.3,
        landing=7.0,
        present=0.9,
    )
    assert (
        gain(beside, EvidenceWeights())
        < SeatSettings().least_gain
        < gain(replace(beside, stirred=0.5), EvidenceWeights())
    )
