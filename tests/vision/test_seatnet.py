"""The seat net: OpenCV reads its weights as torch wrote them, scores are chances, damaged weights are one sentence."""

from pathlib import Path

import numpy as np
import pytest

from companion.vision.seatnet import SPOTS_SIDE, WEIGHTS, SeatNet, SeatNetError, read_output
from companion.vision.seatview import CHANNELS, SIDE_PX

TORCH_SAID = np.array(
    [
        [0.6902, -3.29953, -7.24209, -12.10842, -7.9831, 0.18263, 0.69096, 2.83038, 2.05701, -4.12364],
        [-3.49208, -1.6556, -3.94609, -8.08804, -4.32579, 0.66815, 0.2765, 2.9885, 2.52211, -3.79462],
    ],
    np.float32,
)
"""What torch answered to `fixed_input` when the weights were exported (companion/training/export.py prints it)."""

TORCH_MAPPED = [
    [(0.41944, 112, -0.33549), (0.55093, 25, -0.47345)],
    [(0.17619, 110, -0.69523), (-0.32219, 13, -1.86992)],
]
"""Of each map its largest value, where that is, and its mean, printed likewise."""


def fixed_input(count: int = 2) -> np.ndarray:
    """Return inputs that can be made again without a random number: waves of many lengths."""
    index = np.arange(count * CHANNELS * SIDE_PX * SIDE_PX, dtype=np.float64)
    return np.sin(index * 0.37 + np.sqrt(index)).reshape(count, CHANNELS, SIDE_PX, SIDE_PX).astype(np.float32)


@pytest.fixture(scope="module")
def net() -> SeatNet:
    """Return the net with the weights that ship."""
    return SeatNet()


def test_opencv_answers_as_torch_did(net: SeatNet) -> None:
    """The weights as OpenCV runs them give what torch gave when they were exported."""
    for got, said in zip(net.scores(list(fixed_input())), TORCH_SAID, strict=True):
        want = read_output(said)
        assert got.sleeve == pytest.approx(want.sleeve, abs=2e-3)
        assert got.below_left == pytest.approx(want.below_left, abs=2e-3)
        assert got.below_right == pytest.approx(want.below_right, abs=2e-3)
        assert got.behind_head == pytest.approx(want.behind_head, abs=2e-3)
        assert got.card_drop == pytest.approx(want.card_drop, abs=2e-3)
        assert got.height_left_mm == pytest.approx(want.height_left_mm, abs=0.5)
        assert got.height_right_mm == pytest.approx(want.height_right_mm, abs=0.5)
        assert got.raised == pytest.approx(want.raised, abs=2e-3)


def test_scores_are_chances_and_do_not_depend_on_the_batch(net: SeatNet) -> None:
    """Every score lies between 0 and 1, and a seat scored alone gets what it gets beside others."""
    rng = np.random.default_rng(4)
    inputs = list(rng.normal(0, 1, (5, CHANNELS, SIDE_PX, SIDE_PX)).astype(np.float32))
    together = net.scores(inputs)
    for row, single in zip(together, inputs, strict=True):
        (alone,) = net.scores([single])
        for name in ("below_left", "below_right", "sleeve", "behind_head", "card_drop", "raised", "quiet"):
            assert 0 <= getattr(row, name) <= 1
            assert getattr(row, name) == pytest.approx(getattr(alone, name), abs=1e-4)


def test_no_seats_no_scores(net: SeatNet) -> None:
    """An empty batch is no error."""
    assert net.scores([]) == []


def test_wild_logits_stay_chances() -> None:
    """Logits far out of range are read as 0 and 1, without overflow."""
    scores = read_output(np.array([1e4, -1e4, 0, 5, -5, 1, -2, 0, 0, 1e4], np.float32))
    assert scores.below_left == pytest.approx(1)
    assert scores.below_right == pytest.approx(0)
    assert scores.sleeve == pytest.approx(0.5)
    assert scores.height_right_mm == pytest.approx(-200)
    assert scores.raised == pytest.approx(1)


def test_missing_weights_are_one_sentence(tmp_path: Path) -> None:
    """Weights that are not there are said in one sentence that names the file and what to do."""
    with pytest.raises(SeatNetError, match=r"not at .*gone\.onnx: install the companion again\.$"):
        SeatNet(tmp_path / "gone.onnx")


@pytest.mark.parametrize("keep", [0, 1000, 0.5, 0.99])
def test_torn_weights_are_one_sentence(tmp_path: Path, keep: float) -> None:
    """A file cut off anywhere is refused in one sentence."""
    whole = WEIGHTS.read_bytes()
    torn = tmp_path / "torn.onnx"
    torn.write_bytes(whole[: int(keep if keep >= 1 else keep * len(whole))])
    with pytest.raises(SeatNetError, match=r"damaged: install the companion again\.$"):
        SeatNet(torn)


def test_weights_are_small() -> None:
    """The weights stay below 2 MB."""
    assert WEIGHTS.stat().st_size < 2_000_000


def test_maps_of_the_hands_come_with_the_scores(net: SeatNet) -> None:
    """For each seat there are two maps, the same as torch made of the fixed input (largest value, where, mean)."""
    for answer, both in zip(net.answers(list(fixed_input())), TORCH_MAPPED, strict=True):
        assert answer.spots.shape == (2, SPOTS_SIDE, SPOTS_SIDE)
        for got, (highest, where, mean) in zip(answer.spots, both, strict=True):
            assert got.max() == pytest.approx(highest, abs=2e-3)
            assert got.argmax() == where
            assert got.mean() == pytest.approx(mean, abs=2e-3)
