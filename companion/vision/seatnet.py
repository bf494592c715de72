"""A small net of our own that says what goes on at a seat from four pictures of it.

It was trained on rendered tables (docs/seatnet.md says on which, and what it is worth). Its scores are evidence, not
flags: it sees what landmarks cannot (a hand cut off by the edge, two hands that touch), and is at times wrong with
great confidence on a picture unlike all it has seen.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from companion.assets import MODELS
from companion.errors import CompanionError
from companion.vision.seatview import CHANNELS, SIDE_PX, Floats

WEIGHTS = MODELS / "seatnet.onnx"

ANSWERS, SPOTS = "answers", "spots"
"""The names of the net's outputs."""

SPOTS_SIDE = 12
"""Width and height of a map of where a hand is."""

_OUTPUTS = 10
_HEIGHT_MM = 100.0


class SeatNetError(CompanionError):
    """The net's weights cannot be read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatScores:
    """What the net thinks goes on at one seat at one moment: how likely (0 to 1), and how high the hands are."""

    below_left: float
    """The left hand (the player's own left) is below the level of the table top."""
    below_right: float
    sleeve: float
    """Fingers of one hand push something to the other arm's cuff or forearm."""
    behind_head: float
    """A hand puts something behind the ear, the neck, over the shoulder."""
    card_drop: float
    """A card is let go off the table."""
    height_left_mm: float
    """The middle of the left hand over the table top; a cue, not a measurement (docs/seatnet.md)."""
    height_right_mm: float
    raised: float
    """A hand is raised: to the mouth, the head, the hair; then it is not below, however well it is out of sight."""

    @property
    def below(self) -> float:
        """How likely it is that one hand or the other is below: the net is surer of that than of which it is."""
        return 1.0 - (1.0 - self.below_left) * (1.0 - self.below_right)

    @property
    def quiet(self) -> float:
        """How likely it is that none of all this goes on: as likely as that the likeliest of it does not."""
        return 1.0 - max(self.below, self.sleeve, self.behind_head, self.card_drop)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SeatAnswer:
    """All that the net says of one seat at one moment."""

    scores: SeatScores
    spots: Floats
    """Where the player's left and right hand are in the seat picture (2 x SPOTS_SIDE x SPOTS_SIDE, logits)."""


class SeatNet:
    """The net, read once and used for every seat and look."""

    def __init__(self, path: Path = WEIGHTS) -> None:
        """Read the weights (ONNX); raise SeatNetError when they are missing or damaged."""
        if not path.is_file():
            raise SeatNetError("The seat net's weights are not at {path}: install the companion again.", path=str(path))
        try:
            self._net = cv2.dnn.readNetFromONNX(str(path))
            self.answers([np.zeros((CHANNELS, SIDE_PX, SIDE_PX), np.float32)])
        except (cv2.error, ValueError) as cause:
            raise SeatNetError(
                "The seat net's weights at {path} are damaged: install the companion again.", path=str(path)
            ) from cause

    def answers(self, inputs: Sequence[Floats]) -> list[SeatAnswer]:
        """Answer a batch of inputs made by `seatview.seat_input` (CHANNELS x SIDE_PX x SIDE_PX each)."""
        if not inputs:
            return []
        self._net.setInput(np.stack(inputs))
        answers, spots = self._net.forward([ANSWERS, SPOTS])
        rows = np.asarray(answers, np.float32).reshape(len(inputs), _OUTPUTS)
        maps = np.asarray(spots, np.float32).reshape(len(inputs), 2, SPOTS_SIDE, SPOTS_SIDE)
        return [SeatAnswer(scores=read_output(row), spots=both) for row, both in zip(rows, maps, strict=True)]

    def scores(self, inputs: Sequence[Floats]) -> list[SeatScores]:
        """Score a batch of inputs, without the hands' places."""
        return [answer.scores for answer in self.answers(inputs)]


def read_output(row: Floats) -> SeatScores:
    """Turn the net's output for one seat (logits, then heights in 100 mm, then reaches) into scores."""
    chance = 1.0 / (1.0 + np.exp(-np.clip(row[:5].astype(np.float64), -30, 30)))
    return SeatScores(
        below_left=float(chance[0]),
        below_right=float(chance[1]),
        sleeve=float(chance[2]),
        behind_head=float(chance[3]),
        card_drop=float(chance[4]),
        height_left_mm=float(row[5]) * _HEIGHT_MM,
        height_right_mm=float(row[6]) * _HEIGHT_MM,
        raised=float(1.0 / (1.0 + np.exp(-np.clip(float(row[9]), -30, 30)))),
    )
