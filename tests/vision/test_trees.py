"""Rules of a few questions: what they answer, and what a damaged file leads to."""

import json
from pathlib import Path

import numpy as np
import pytest

from companion.vision.events import EventKind
from companion.vision.evidence import HAND_ROW, SEAT_ROW
from companion.vision.hindsight import long_names
from companion.vision.trees import RulesError, load_rules

BELOW = EventKind.HAND_BELOW_TABLE
ONE = {"names": ["a", "b"], "base": 0.5, "columns": [[0, 1, 1]], "borders": [[0, 1, 2]], "answers": [[1, 2, 3, 4]]}


def written(path: Path, rules: object) -> Path:
    """Write a rules' file and return its path."""
    path.write_text(json.dumps(rules))
    return path


@pytest.mark.parametrize(("row", "odds"), [((-1, 0), 1.5), ((-1, 1.5), 2.5), ((1, 1.5), 3.5), ((1, 3), 4.5)])
def test_second_question_depends_on_the_first(tmp_path: Path, row: tuple[float, float], odds: float) -> None:
    """A row answers the first question, then the one of its side, and gets that side's number on top of the base."""
    rules = load_rules(written(tmp_path / "rules.json", {BELOW.value: ONE}))
    assert rules[BELOW].odds(np.array(row)) == odds


def test_three_questions_lead_to_eight_answers(tmp_path: Path) -> None:
    """A row above every border ends at the last answer, below every border at the first; trees add up, tamed to 5."""
    deep = {
        "names": ["a"],
        "base": 0.0,
        "columns": [[0] * 7] * 2,
        "borders": [[0, -2, 2, -3, -1, 1, 3]] * 2,
        "answers": [[0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7], [0, 0, 0, 0, 0, 0, 0, 9]],
    }
    rules = load_rules(written(tmp_path / "rules.json", {BELOW.value: deep}))[BELOW]
    answers = [rules.odds(np.array([x])) for x in (-3.5, -2.5, -1.5, -0.5, 0.5, 1.5, 2.5, 3.5)]
    assert answers == pytest.approx([0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 5.0])


def test_shipped_rules_ask_about_the_cues_there_are() -> None:
    """The rules that ship know the cues by the names and the order in which the vision gives them, for every kind."""
    rules = load_rules()
    assert set(rules) == set(EventKind)
    for kind, trees in rules.items():
        assert trees.names == long_names(HAND_ROW if kind is BELOW else SEAT_ROW)


@pytest.mark.parametrize(
    "rules",
    [
        {},
        [],
        {BELOW.value: {}},
        {"juggling": ONE},
        {BELOW.value: ONE | {"answers": []}},
        {BELOW.value: ONE | {"answers": [[1, 2, 3]]}},
        {BELOW.value: ONE | {"columns": [[0, 7, 1]]}},
        {BELOW.value: ONE | {"columns": [[0, 1]]}},
    ],
)
def test_damaged_rules_are_refused_in_one_sentence(tmp_path: Path, rules: object) -> None:
    """A file that is empty, lacks a part or asks about nothing is refused."""
    with pytest.raises(RulesError, match="install the companion again"):
        load_rules(written(tmp_path / "rules.json", rules))


def test_rules_that_are_missing_or_no_json_are_refused(tmp_path: Path) -> None:
    """So is a file that is not there, or is not JSON."""
    with pytest.raises(RulesError, match="install the companion again"):
        load_rules(tmp_path / "rules.json")
    (tmp_path / "rules.json").write_text("")
    with pytest.raises(RulesError, match="install the companion again"):
        load_rules(tmp_path / "rules.json")
