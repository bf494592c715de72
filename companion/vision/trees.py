"""A sum of small decision trees: many rules of two questions each, read from a file. Pure once read.

Each tree asks one question of a row, then one of two more, and adds one of four numbers to the log odds.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.assets import MODELS
from companion.errors import CompanionError
from companion.vision.camera import Floats

PATH = MODELS / "below_rules.json"


class RulesError(CompanionError):
    """The rules' file cannot be used."""


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Trees:
    """The trees as arrays: questions (T x 3 columns and borders: first, then low and high side) and answers (T x 4)."""

    names: tuple[str, ...]
    base: float
    columns: NDArray[np.int64]
    borders: Floats
    answers: Floats

    def odds(self, row: Floats) -> float:
        """Return the log odds that a row (as long as ``names``) speaks for; at most 5 either way."""
        high = row[self.columns[:, 0]] > self.borders[:, 0]
        second = 1 + high.astype(np.int64)
        every = np.arange(len(high))
        higher = row[self.columns[every, second]] > self.borders[every, second]
        total = self.base + float(self.answers[every, 2 * high + higher].sum())
        return max(min(total, 5.0), -5.0)


def load_trees(path: Path = PATH) -> Trees:
    """Read the rules; raises RulesError in one sentence where the file is missing or damaged."""
    try:
        trees = _read(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise RulesError(
            "The rules at {path} are missing or damaged: install the companion again.", path=path
        ) from error
    return trees


def _read(value: dict[str, Any]) -> Trees:
    trees = Trees(
        names=tuple(value["names"]),
        base=float(value["base"]),
        columns=np.array(value["columns"], dtype=np.int64).reshape(-1, 3),
        borders=np.array(value["borders"], dtype=np.float64).reshape(-1, 3),
        answers=np.array(value["answers"], dtype=np.float64).reshape(-1, 4),
    )
    if not len(trees.columns) == len(trees.borders) == len(trees.answers):
        raise ValueError("unequal lengths")
    if trees.columns.min(initial=0) < 0 or trees.columns.max(initial=0) >= len(trees.names):
        raise ValueError("a question about nothing")
    return trees
