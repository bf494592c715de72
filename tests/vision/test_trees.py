"""Rules of two questions: what they answer, and what a damaged file leads to."""

import json
from pathlib import Path

import numpy as np
import pytest

from companion.vision.evidence import LONG_NAMES
from companion.vision.trees import RulesError, load_trees

ONE = {"names": ["a", "b"], "base": 0.5, "columns": [[0, 1, 1]], "borders": [[0, 1, 2]], "answers": [[1, 2, 3, 4]]}


@pytest.mark.parametrize(("row", "odds"), [((-1, 0), 1.5), ((-1, 1.5), 2.5), ((1, 1.5), 3.5), ((1, 3), 4.5)])
def test_second_question_depends_on_the_first(tmp_path: Path, row: tuple[float, float], odds: float) -> None:
    """A row answers the first question, then the one of its side, and gets that side's number on top of the base."""
    path = tmp_path / "rules.json"
    path.write_text(json.dumps(ONE))
    assert load_trees(path).odds(np.array(row)) == odds


def test_shipped_rules_ask_about_the_cues_there_are() -> None:
    """The rules that ship know the cues by the names and the order in which the evidence gives them."""
    assert load_trees().names == LONG_NAMES


@pytest.mark.parametrize(
    "text", ["", "{}", json.dumps(ONE | {"answers": []}), json.dumps(ONE | {"columns": [[0, 7, 1]]})]
)
def test_damaged_rules_are_refused_in_one_sentence(tmp_path: Path, text: str) -> None:
    """A file that is empty, lacks a part or asks about nothing is refused."""
    path = tmp_path / "rules.json"
    path.write_text(text)
    with pytest.raises(RulesError, match="install the companion again"):
        load_trees(path)
