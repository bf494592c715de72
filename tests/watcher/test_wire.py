"""The protocol between server and watcher: what goes in comes out, and bad lines are named."""

import json

import pytest

from companion.errors import CompanionError
from companion.watcher import messages as m
from companion.watcher import wire
from companion.words import say

COMMANDS = [
    m.Watch(source="0", layout={"version": 1}, clips="/tmp/clips", model="hand.task", loop=True, analyse=False),
    m.SetContext(guard=2, turn=None, dispute=True),
    m.TimeSlaps(id=4, entered_ns=12_000, by=1, guard=0),
    m.KeepClip("keep", 1, 2),
    m.TakePicture(),
    m.Pause(),
    m.Resume(),
    m.Stop(),
]
REPORTS: list[m.Report] = [
    m.StatusReport(state=m.WatchState.LOST, fps=29.9, sentence="No picture from 0.", template="x", params={"a": 1}),
    m.EventReport(id="e1", kind="hand_below_table", seat=2, start_ns=1, end_ns=2, raised_ns=3, confidence=0.5),
    m.ClipReport("e1", "/tmp/clips/e1", 90),
    m.SlapsReport(
        id=4,
        entered_ns=9,
        by=1,
        last=3,
        order=(m.SlapTime(0, 5, 0.004), m.SlapTime(3)),
        reasons=(say("{seat} after {to}: {hand}", seat=0, to=3, hand=say("left hand")),),
        race=True,
        first=0,
        pile_px=(1, 2, 3, 4),
    ),
    m.PictureReport("aGVsbG8="),
    m.TroubleReport("The disk is full."),
]


@pytest.mark.parametrize("command", COMMANDS, ids=lambda c: type(c).__name__)
def test_command_survives_the_wire(command: m.Command) -> None:
    """A command written as a line and read again is the same value."""
    line = wire.format_command(command)
    assert "\n" not in line
    assert wire.parse_command(line) == command


@pytest.mark.parametrize("report", REPORTS, ids=lambda r: type(r).__name__)
def test_report_survives_the_wire(report: m.Report) -> None:
    """A report written as a line and read again is the same value."""
    line = wire.format_report(report)
    assert "\n" not in line
    assert wire.parse_report(line) == report


def test_the_wire_is_the_documented_one() -> None:
    """The lines are those of the architecture page, told apart by `do` and `say`."""
    assert json.loads(wire.format_command(m.SetContext(1, 2))) == {
        "do": "context",
        "guard": 1,
        "turn": 2,
        "dispute": False,
    }
    assert json.loads(wire.format_report(REPORTS[0]))["say"] == "status"


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("nonsense", "JSON"),
        ("[]", '"do"'),
        ('{"do": []}', '"do"'),
        ('{"do": "dance"}', '"do"'),
        ('{"do": "slaps", "entered_ns": 1, "by": 0}', "`id`"),
        ('{"do": "slaps", "id": "1", "entered_ns": 1, "by": 0}', "$.id"),
        ('{"do": "context", "guard": true}', "$.guard"),
        ('{"do": "watch", "source": "0", "layout": [], "clips": "c"}', "$.layout"),
    ],
)
def test_bad_line_is_named(line: str, named: str) -> None:
    """A line that is no command is refused with a sentence that names the field."""
    with pytest.raises(wire.UnreadableMessage) as refused:
        wire.parse_command(line)
    assert named in str(refused.value)


def test_field_of_a_nested_report_is_named() -> None:
    """A bad value deep in a report is named with its place."""
    with pytest.raises(wire.UnreadableMessage, match=r"order\[0\]\.seat"):
        wire.parse_report('{"say": "slaps", "id": 1, "entered_ns": 1, "by": 0, "order": [{"seat": "x"}]}')


def test_trouble_carries_the_key_for_its_translation() -> None:
    """An error becomes a report with its sentence, its template and its parameters."""
    error = CompanionError("No picture from {source}.", source="0")
    assert m.trouble(error) == m.TroubleReport("No picture from 0.", "No picture from {source}.", {"source": "0"})
