"""The slap net: OpenCV reads its weights as torch wrote them, any length will do, damaged weights are one sentence."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from companion.vision.frame import NS_PER_S
from companion.vision.geometry import solve_camera
from companion.vision.slapnet import WEIGHTS, Landings, SlapNet, SlapNetError, landings, shipped_net, strip_views
from companion.vision.slapread import SETTINGS
from companion.vision.slaprest import find_rests
from companion.vision.slapstops import Stops, stops_before, stops_in
from companion.vision.slapstrip import CHANNELS, SIDE_PX
from companion.vision.slapview import pile_view
from tests.vision.slapscene import Arm, Scene

TORCH_SAID = np.array(
    [
        [
            -9.46842,
            -8.61221,
            0.92908,
            1.95659,
            -1.46773,
            -13.11069,
            -14.71688,
            -15.15037,
            -16.63252,
            -13.18608,
            -9.31098,
            -6.61584,
        ],
        [0.55718, 1.45855, 0.91052, -0.02210, -0.98866, -0.63795, 0.09966, 0.31469, 0.48584, 0.83917, 1.23758, 1.06066],
        [
            -1.02462,
            -1.16188,
            -2.20138,
            -2.07810,
            -2.41954,
            -1.15110,
            -0.45561,
            -0.96591,
            -1.21661,
            -1.04605,
            -1.60585,
            -1.38469,
        ],
    ],
    np.float32,
)
"""What torch answered to `fixed_input` when the weights were exported (companion/training/slapexport.py prints it)."""


def fixed_input(frames: int = 12) -> np.ndarray:
    """Return an input that can be made again without a random number: waves of many lengths."""
    index = np.arange(frames * CHANNELS * SIDE_PX * SIDE_PX, dtype=np.float64)
    return np.sin(index * 0.37 + np.sqrt(index)).reshape(frames, CHANNELS, SIDE_PX, SIDE_PX).astype(np.float32)


def stops_of(scene: Scene, seats: list[int], entered_s: float = 3.3) -> Stops:
    """Return what came to a stop before the rest of a scene."""
    frames = [f for f in scene.frames() if f.at_ns <= entered_s * NS_PER_S]
    camera = solve_camera(scene.layout)
    rest = find_rests(frames, pile_view(camera, scene.layout, SETTINGS.look), SETTINGS.rest)[0]
    view = pile_view(camera, scene.layout, SETTINGS.view)
    return stops_before(frames, view, strip_views(camera, scene.layout, view, seats), rest, SETTINGS.stops)


def likely(at_frame: int, frames: int) -> Landings:
    """Return what the net says where it holds one frame likely."""
    odds = np.full(frames, -9.0)
    odds[at_frame] = 4.0
    return Landings(odds=odds, at_s=np.arange(frames) / 60, error_s=np.full(frames, 0.002))


def test_opencv_answers_as_torch_did() -> None:
    """The weights as OpenCV runs them give what torch gave when they were exported."""
    assert shipped_net().answer(fixed_input()) == pytest.approx(TORCH_SAID, abs=2e-3)


def test_what_is_said_of_a_frame_does_not_hang_on_frames_far_off() -> None:
    """Frames more than eight away change nothing: a stretch may be of any length."""
    x = np.concatenate([fixed_input(40), fixed_input(20)])
    whole, part = shipped_net().answer(x), shipped_net().answer(x[:40])
    assert whole[:, :30] == pytest.approx(part[:, :30], abs=1e-3)


def test_each_seat_is_told_apart() -> None:
    """Of drawn arms, unlike any that it was taught, the net tells which seats slapped and which one did not."""
    scene = Scene([Arm(0, 1.5), Arm(1, 1.8)])
    said = stops_of(scene, [0, 1, 3]).landings
    best = {seat: float(np.logaddexp.reduce(landing.odds)) for seat, landing in said.items()}
    assert min(best[0], best[1]) > best[3] + 2.0


def test_odds_about_a_frame_take_in_its_neighbours() -> None:
    """A contact just before or after a frame counts for it."""
    landing = likely(20, 60)
    assert landing.about(19) == pytest.approx(landing.about(20), abs=0.01)
    assert landing.about(22) < -7


def test_a_landing_of_which_no_stop_is_seen_is_looked_at_all_the_same() -> None:
    """Where the net holds a landing likely and no pixel came to a stop, it becomes a stop in the seat's direction."""
    seen = stops_of(Scene([Arm(0, 1.5)]), [0, 3])
    frame = int(np.searchsorted(seen.seen.at_s, 0.4))
    said = {**seen.landings, 3: likely(frame, len(seen.seen.at_s))}
    came = [stop for stop, _ in stops_in(seen.seen, said, seen.view, SETTINGS.stops).came]
    mine = [s for s in came if s.frame == frame and abs(s.angle_deg - seen.view.seat_deg[3]) < 15]
    assert mine
    unlikely = {**said, 3: replace(said[3], odds=np.full(len(seen.seen.at_s), -9.0))}
    before = [stop for stop, _ in stops_in(seen.seen, unlikely, seen.view, SETTINGS.stops).came]
    assert not [s for s in before if s.frame == frame and abs(s.angle_deg - seen.view.seat_deg[3]) < 15]


def test_times_stay_within_the_stretch() -> None:
    """Whatever the weights say of where between the frames, a time is never outside of what was seen."""
    seen = stops_of(Scene([Arm(0, 1.5)]), [0]).seen
    camera = solve_camera(Scene([]).layout)
    strips = strip_views(camera, Scene([]).layout, pile_view(camera, Scene([]).layout, SETTINGS.view), [0])

    class Wild(SlapNet):
        def __init__(self) -> None:
            pass

        def answer(self, inputs: np.ndarray) -> np.ndarray:
            return np.full((3, len(inputs)), 1e9, np.float32)

    said = landings(seen, strips, Wild())[0]
    assert said.at_s.min() >= seen.at_s[0]
    assert said.at_s.max() <= seen.at_s[-1]
    assert np.isfinite(said.error_s).all()


def test_a_pile_low_in_the_picture_is_read_out_later() -> None:
    """What the lines' readout adds to the times and to their errors is added to the net's too."""
    scene = Scene([Arm(0, 1.5)])
    stops = stops_of(scene, [0])
    camera = solve_camera(scene.layout)
    strips = strip_views(camera, scene.layout, stops.view, [0])
    late = landings(stops.seen, strips, shipped_net(), late_s=0.004, late_error_s=0.05)[0]
    plain = landings(stops.seen, strips, shipped_net())[0]
    assert late.at_s - plain.at_s == pytest.approx(0.004)
    assert late.error_s == pytest.approx(np.hypot(plain.error_s, 0.05))


def test_missing_weights_are_one_sentence(tmp_path: Path) -> None:
    """Weights that are not there are said in one sentence that names the file and what to do."""
    with pytest.raises(SlapNetError, match=r"not at .*gone\.onnx: install the companion again\.$"):
        SlapNet(tmp_path / "gone.onnx")


@pytest.mark.parametrize("keep", [0, 1000, 0.5, 0.99])
def test_torn_weights_are_one_sentence(tmp_path: Path, keep: float) -> None:
    """A file cut off anywhere is refused in one sentence."""
    whole = WEIGHTS.read_bytes()
    torn = tmp_path / "torn.onnx"
    torn.write_bytes(whole[: int(keep if keep > 1 else keep * len(whole))])
    with pytest.raises(SlapNetError, match=r"damaged: install the companion again\.$"):
        SlapNet(torn)
