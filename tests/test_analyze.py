"""The command `analyze`: what bad input leads to, and what it writes."""

import json
from pathlib import Path

import pytest

from companion.analyze import write_whole
from companion.answer import Answer, to_json
from companion.assets import CALIBRATION
from companion.cli import main
from companion.vision.handsize import HandSize, LearntSize
from companion.vision.layout import load_layout
from companion.vision.race import Race
from companion.vision.slaps import Slap
from companion.words import say

VIDEO = CALIBRATION / "example" / "table.mp4"
LAYOUT = CALIBRATION / "example" / "layout.json"


@pytest.mark.models
@pytest.mark.parametrize(
    ("options", "named"),
    [
        (["nowhere.mp4", "--layout", str(LAYOUT)], "nowhere.mp4"),
        ([str(VIDEO), "--layout", "nowhere.json"], "nowhere.json"),
        ([str(VIDEO), "--layout", str(LAYOUT), "--guard", "9"], "seat 9"),
        ([str(VIDEO), "--layout", str(LAYOUT), "--mosquito", "3"], "--by"),
        ([str(VIDEO), "--layout", str(LAYOUT), "--cockroach", "soon", "2"], "--cockroach 14.5 2"),
        ([str(VIDEO), "--layout", str(LAYOUT), "--cockroach", "3", "9"], "seat 9"),
        ([str(LAYOUT), "--layout", str(LAYOUT)], "not a video"),
    ],
)
def test_bad_input_is_one_sentence_and_no_file(
    options: list[str], named: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Bad input ends with status 2, one sentence that names what is wrong, and no answer."""
    out = tmp_path / "out.json"
    assert main(["analyze", *options, "--json", str(out)]) == 2
    words = capsys.readouterr().err.strip()
    assert named in words
    assert "\n" not in words
    assert not out.exists()


def test_answer_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    """An answer replaces the one before in one step, and where it cannot be written nothing is left."""
    path = tmp_path / "out.json"
    write_whole(path, "1")
    write_whole(path, json.dumps({"a": 2}))
    assert json.loads(path.read_text()) == {"a": 2}
    with pytest.raises(Exception, match="cannot be written"):
        write_whole(tmp_path / "absent" / "out.json", "1")
    assert [p.name for p in tmp_path.iterdir()] == ["out.json"]


def test_races_are_told_only_where_they_were_asked_for() -> None:
    """The contract's fields stay as they are; a race adds one."""
    answer = Answer(layout=load_layout(LAYOUT))
    assert "races" not in to_json(answer, wall_s=1.0)
    after = say("{seat} came {ms} ms before {to}, give or take {error} ms.", seat=2, to=0, ms=300, error=113)
    order = (Slap(2, 1_000_000_000, 0.08), Slap(0, 1_300_000_000, 0.08))
    answer.races.append(Race(entered_ns=2_000_000_000, first=2, too_close=False, order=order, reasons=(after,)))
    assert to_json(answer, wall_s=1.0)["races"] == [
        {
            "entered_s": 2.0,
            "first": 2,
            "too_close": False,
            "order": [{"seat": 2, "at_s": 1.0, "error_s": 0.08}, {"seat": 0, "at_s": 1.3, "error_s": 0.08}],
            "why": "seat 2 came 300 ms before seat 0, give or take 113 ms.",
        }
    ]


def test_hand_sizes_are_told_with_their_uncertainty() -> None:
    """Each player's hand length is told in whole millimetres, with one standard deviation."""
    answer = Answer(layout=load_layout(LAYOUT), sizes={0: HandSize(171.4, 0.08), 2: LearntSize(130.0).size})
    assert to_json(answer, wall_s=1.0)["hand_sizes"] == [
        {"seat": 0, "hand_mm": 171, "spread_mm": 14},
        {"seat": 2, "hand_mm": 130, "spread_mm": 8},
    ]
