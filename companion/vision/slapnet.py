"""A small net of our own that says when a seat's hand lands on the pile, from the pictures of the whole slap round.

It was trained on rendered slap rounds (docs/slapnet.md says on which, and what it is worth). It tells a hand that lands
from one that hovers, passes, or lay there before under another's: what the stops of single pixels do not tell. What it
says is evidence that ``companion.vision.slapevidence`` weighs.
"""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.assets import MODELS
from companion.errors import CompanionError
from companion.vision.geometry import Camera
from companion.vision.layout import Layout
from companion.vision.slapmotion import Stretch
from companion.vision.slapstrip import CHANNELS, SIDE_PX, StripView, strip_inputs, strip_view
from companion.vision.slapview import Floats, PileView

WEIGHTS = MODELS / "slapnet.onnx"

_OUTPUTS = 3
_FEWEST = 8
"""Frames that are shown at least."""


class SlapNetError(CompanionError):
    """The net's weights cannot be read."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Landings:
    """What the net says of one seat: for each frame (N) how likely it is that the hand landed just then.

    ``odds``: natural logarithm, against that the seat did not slap; ``at_s``: when it landed if it was then (s, as the
    stretch's); ``error_s``: how far off that usually is.
    """

    odds: NDArray[np.float64]
    at_s: NDArray[np.float64]
    error_s: NDArray[np.float64]

    def about(self, frame: int, around: int = 1) -> float:
        """Return the logarithm of how much likelier the hand landed at a frame or next to it than not at all."""
        return float(np.logaddexp.reduce(self.odds[max(frame - around, 0) : frame + around + 1]))


class SlapNet:
    """The net, read once and used for every seat and round."""

    def __init__(self, path: Path = WEIGHTS) -> None:
        """Read the weights (ONNX); raise SlapNetError when they are missing or damaged."""
        if not path.is_file():
            raise SlapNetError("The slap net's weights are not at {path}: install the companion again.", path=str(path))
        try:
            self._net = cv2.dnn.readNetFromONNX(str(path))
            self.answer(np.zeros((_FEWEST, CHANNELS, SIDE_PX, SIDE_PX), np.float32))
        except (cv2.error, ValueError) as cause:
            raise SlapNetError(
                "The slap net's weights at {path} are damaged: install the companion again.", path=str(path)
            ) from cause

    def answer(self, inputs: Floats) -> Floats:
        """Return logit, offset and logarithm of its error for each frame (3 x N) of ``strip_inputs``."""
        self._net.setInput(np.ascontiguousarray(inputs.transpose(1, 0, 2, 3)[None]))
        return np.asarray(self._net.forward(), np.float32).reshape(_OUTPUTS, len(inputs))


@cache
def shipped_net() -> SlapNet:
    """Return the net that ships, read when it is first asked for."""
    return SlapNet()


def landings(
    seen: Stretch, views: dict[int, StripView], net: SlapNet, *, late_s: float = 0.0, late_error_s: float = 0.0
) -> dict[int, Landings]:
    """Return what the net says of each seat.

    ``late_s``, ``late_error_s``: how much later than a frame's time the pile's lines are read, and how unsure that is.
    """
    rest = seen.pictures[seen.rest[0] :].mean(axis=0)
    index = np.arange(len(seen.at_s), dtype=np.float64)
    out = {}
    for seat, view in views.items():
        strips = np.stack([view.cut(p) for p in seen.pictures])
        inputs = strip_inputs(strips, view.cut(rest), view.cut(seen.free), seen.interval_s, view.camera)
        logit, offset, spread = net.answer(inputs).astype(np.float64)
        at = np.clip(index + np.clip(offset, -1.5, 1.5), 0.0, index[-1])
        out[seat] = Landings(
            odds=logit,
            at_s=np.interp(at, index, seen.at_s) + late_s,
            error_s=np.hypot(np.exp(np.clip(spread, -4.0, 2.0)) * seen.interval_s, late_error_s),
        )
    return out


def strip_views(camera: Camera, layout: Layout, view: PileView, seats: list[int]) -> dict[int, StripView]:
    """Return how the strips of some seats are cut."""
    return {seat: strip_view(camera, layout, view, seat) for seat in seats}
