"""The strips that the slap net is shown: turned to the seat, cut off where the crop ends, with what changed."""

import numpy as np
import pytest

from companion.vision.geometry import solve_camera
from companion.vision.slapstrip import CHANNELS, SIDE_PX, StripView, strip_inputs, strip_view
from companion.vision.slapview import PileView, pile_view
from tests.vision.slapscene import Arm, Scene


def views(scene: Scene) -> tuple[PileView, dict[int, StripView]]:
    """Return the pile's view of a scene, and how each seat's strips are cut."""
    camera = solve_camera(scene.layout)
    view = pile_view(camera, scene.layout)
    return view, {seat: strip_view(camera, scene.layout, view, seat) for seat in scene.seats}


@pytest.mark.parametrize("seat", [0, 1, 2, 3])
def test_the_seat_s_own_arm_reaches_up_into_its_strip(seat: int) -> None:
    """What an arm adds to the free pile lies in the lower half of its own seat's strip, and not of the one across."""
    scene = Scene([Arm(seat, 1.0, beside_deg=0.0)], noise=0.0)
    view, strips = views(scene)
    frames = scene.frames()
    free, there = view.cut(frames[0].image), view.cut(frames[100].image)

    def low(of: int) -> float:
        strip = strips[of]
        change = np.abs(strip.cut(there).astype(float) - strip.cut(free)).sum(-1) > 60
        return float(change[2 * SIDE_PX // 3 :, SIDE_PX // 3 : 2 * SIDE_PX // 3].mean())

    across = (seat + 2) % 4
    assert low(seat) > 0.3
    assert low(across) < 0.05


@pytest.mark.parametrize("seat", [0, 1, 2, 3])
def test_right_is_right_as_the_player_sees_it(seat: int) -> None:
    """An arm that comes in from the player's right lies in the right half of the strip."""
    scene = Scene([Arm(seat, 1.0, beside_deg=35.0)], noise=0.0)
    view, strips = views(scene)
    frames = scene.frames()
    there, free = (strips[seat].cut(view.cut(frames[k].image)).astype(float) for k in (100, 0))
    low = (np.abs(there - free).sum(-1) > 60)[2 * SIDE_PX // 3 :]
    assert low[:, SIDE_PX // 2 :].sum() > 5 * low[:, : SIDE_PX // 2].sum()
    assert low.any()


def test_an_arm_looks_alike_from_whichever_seat_it_comes() -> None:
    """The same arm at two seats gives nearly the same change in each one's strip."""
    masks = []
    for seat in (0, 1):
        scene = Scene([Arm(seat, 1.0, beside_deg=0.0)], noise=0.0)
        view, strips = views(scene)
        frames = scene.frames()
        there, free = (strips[seat].cut(view.cut(frames[k].image)).astype(float) for k in (100, 0))
        masks.append(np.abs(there - free).sum(-1) > 60)
    assert (masks[0] == masks[1]).mean() > 0.93


def test_nothing_beyond_the_reach_is_shown() -> None:
    """The corners of a strip, farther from the pile than the crop reaches, are black."""
    view, strips = views(Scene([]))
    white = np.full((*view.shape, 3), 255.0, dtype=np.float32)
    strip = strips[0].cut(white)
    assert strip[-1, 0].max() == 0
    assert strip[SIDE_PX // 2, SIDE_PX // 2].min() == 255


def test_inputs_hold_what_changed() -> None:
    """A picture equal to the one before, to the rest and to the free pile shows no change in any of them."""
    strips = np.full((3, SIDE_PX, SIDE_PX, 3), 90, dtype=np.uint8)
    strips[2] += 64
    inputs = strip_inputs(strips, strips[2], strips[0], 1 / 60, (0.1, -0.2, 0.97))
    assert inputs.shape == (3, CHANNELS, SIDE_PX, SIDE_PX)
    before, rest, free = inputs[:, 3:6], inputs[:, 6:9], inputs[:, 9:12]
    assert (before[1] == 0).all()
    assert (before[2] == 1).all()
    assert (rest[1] == -1).all()
    assert (rest[2] == 0).all()
    assert (free[1] == 0).all()
    assert inputs[0, 12:, 0, 0] == pytest.approx([0.5, 0.1, -0.2, 0.97])
