"""The fit of a contact's instant and the giving of stops to seats, on plain numbers."""

import numpy as np
import pytest

from companion.vision.slapfit import Contact, FitSettings, fit_contact, model, onset
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
    contact = fit_contact(far, Stop(frame=frame, angle_deg=0.0, share=0.5), seen, 500, FitSettings())
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
    slow = onset(gentle, fit_contact(gentle, stop, seen, 500, FitSettings()))
    assert slow.misfit > 2 * fitted(60.0, 0.3, 0.02, 1).misfit


def test_each_seat_gets_one_stop_and_none_is_given_twice() -> None:
    """Two seats that could both have the greatest stop share the two that there are."""
    great, small = Stop(frame=10, angle_deg=10.0, share=0.7), Stop(frame=16, angle_deg=50.0, share=0.5)
    choices = {0: [(2.0, great), (1.0, small)], 1: [(1.9, great), (1.8, small)]}
    owned = assign(choices, stretch_of(60.0), SeatSettings())
    assert owned.stops == {0: great, 1: small}


def test_a_doubtful_owner_of_the_last_stop_has_a_small_margin() -> None:
    """Where the last hand could nearly as well be another seat's, the margin says so."""
    first, last = Stop(frame=10, angle_deg=-60.0, share=0.6), Stop(frame=20, angle_deg=20.0, share=0.6)
    sure = assign({0: [(2.0, first)], 1: [(2.0, last)], 2: []}, stretch_of(60.0), SeatSettings())
    unsure = assign({0: [(2.0, first)], 1: [(2.0, last)], 2: [(1.9, last)]}, stretch_of(60.0), SeatSettings())
    assert unsure.last_margin < 0.2 < sure.last_margin
