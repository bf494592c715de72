"""Sums of small decision trees: many rules of a few questions each, read from a file. Pure once read.

Each tree asks a question of a row, then one of two more, and so on for the same number of questions, and adds one
number to the log odds.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.assets import MODELS
from companion.errors import CompanionError
from companion.vision.camera import Floats
from companion.vision.events import EventKind

PATH = MODELS / "rules.json"
MOST_ODDS = 5.0


class RulesError(CompanionError):
    """The rules' file cannot be used."""


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Trees:
    """Trees of equal depth d as arrays: columns and borders of their questions (T x 2^d - 1), answers (T x 2^d).

    The questions stand in the order first, both second ones, all four third ones; a row above the border goes to the
    later of the two that follow.
    """

    names: tuple[str, ...]
    base: float
    columns: NDArray[np.int64]
    borders: Floats
    answers: Floats

    def odds(self, row: Floats) -> float:
        """Return the log odds that a row (as long as ``names``) speaks for; at most MOST_ODDS either way."""
        every = np.arange(len(self.columns))
        at = np.zeros(len(every), dtype=np.int64)
        questions = self.columns.shape[1]
        while questions and at[0] < questions:
            high = row[self.columns[every, at]] > self.borders[every, at]
            at = 2 * at + 1 + high
        total = self.base + float(self.answers[every, at - questions].sum())
        return max(min(total, MOST_ODDS), -MOST_ODDS)


Rules = Mapping[EventKind, Trees]


def load_rules(path: Path = PATH) -> Rules:
    """Read the rules of every kind; raises RulesError in one sentence where the file is missing or damaged."""
    try:
        rules = _read_all(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise RulesError(
            "The rules at {path} are missing or damaged: install the companion again.", path=path
        ) from error
    return rules


def _read_all(value: dict[str, Any]) -> Rules:
    if not value:
        raise ValueError("no rules")
    return MappingProxyType({EventKind(kind): _read(trees) for kind, trees in value.items()})


def _read(value: dict[str, Any]) -> Trees:
    answers = np.array(value["answers"], dtype=np.float64)
    columns = np.array(value["columns"], dtype=np.int64)
    borders = np.array(value["borders"], dtype=np.float64)
    if answers.ndim != 2 or columns.ndim != 2 or columns.shape != borders.shape:
        raise ValueError("unequal lengths")
    trees, leaves = answers.shape
    if leaves & (leaves - 1) or leaves < 2 or columns.shape != (trees, leaves - 1):
        raise ValueError("trees of unequal depth")
    names = tuple(value["names"])
    if not trees or columns.min() < 0 or columns.max() >= len(names):
        raise ValueError("a question about nothing")
    return Trees(names=names, base=float(value["base"]), columns=columns, borders=borders, answers=answers)
