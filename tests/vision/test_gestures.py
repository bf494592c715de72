"""What is told and what is not: synthetic motion at a seat, made from plain numbers."""

import importlib.util
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from companion.assets import CALIBRATION
from companion.vision.camera import solve_camera
from companion.vision.edgecues import EdgeLook
from companion.vision.events import Context, Event, EventKind, Sensitivity, Side
from companion.vision.evidence import HAND_ROW, SEAT_ROW, HandCue, SeatCue
from companion.vision.geometry import seat_axes
from companion.vision.gestures import SeatGestures
from companion.vision.hindsight import JUDGED_S, long_names
from companion.vision.layout import load_layout
from companion.vision.reasons import reasons_of
from companion.vision.trees import Rules, Trees
from companion.words import spoken

_SPEC = importlib.util.spec_from_file_location("handmaker", Path(__file__).with_name("handmaker.py"))
assert _SPEC is not None
assert _SPEC.loader is not None
handmaker = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(handmaker)

LAYOUT = load_layout(CALIBRATION / "example" / "layout.json")
CAMERA = solve_camera(LAYOUT)
SEAT = 1
BELOW = EventKind.HAND_BELOW_TABLE
QUIET = {"below_left": 0.005, "below_right": 0.005, "sleeve": 0.005, "behind_head": 0.005, "card_drop": 0.005}


@dataclass(frozen=True)
class Moment:
    """One instant of synthetic motion: where the right hand is (outward mm), None where it is out of sight."""

    out_mm: float | None
    net: dict[str, float]


def still(seconds: float, out_mm: float | None = -80.0, **net: float) -> list[Moment]:
    """Return instants at ten a second in which the right hand stays where it is."""
    return [Moment(out_mm, QUIET | net)] * round(seconds * 10)


def moving(start_mm: float, end_mm: float, seconds: float, **net: float) -> list[Moment]:
    """Return instants in which the right hand moves from one place to another."""
    return [Moment(float(o), QUIET | net) for o in np.linspace(start_mm, end_mm, round(seconds * 10))]


def below(seconds: float) -> list[Moment]:
    """Return instants with the hand below the table: out of sight, and the seat model says so."""
    return still(seconds, None, below_right=0.7)


def watch(
    moments: Iterable[Moment],
    context: Context | None = None,
    sensitivity: Sensitivity = Sensitivity.NORMAL,
    at: Callable[[int], float] = lambda k: k / 10,
    rules: Rules | None = None,
) -> list[Event]:
    """Return what is told of a player whose left hand rests on the table while the right one moves."""
    gestures = SeatGestures(CAMERA, LAYOUT, SEAT, sensitivity, rules=rules)
    middle, along, away = seat_axes(LAYOUT, SEAT)
    lab = np.array([150.0, 128.0, 128.0])
    edge = EdgeLook(
        inside=np.tile(lab, (29, 1)).astype(np.float32),
        outside=np.zeros((29, 3), np.float32),
        motion=np.full((4, 7), 2.0, np.float32),
    )
    events: list[Event] = []
    for k, moment in enumerate(moments):
        hands = {}
        for side, right_mm, out_mm in ((Side.LEFT, -140.0, -70.0), (Side.RIGHT, 140.0, moment.out_mm)):
            if out_mm is None:
                continue
            x, y = middle + right_mm * along + out_mm * away
            hand = handmaker.hand_at(CAMERA, (float(x), float(y), 75.0), (float(-away[0]), float(-away[1])), side)
            hands[side] = HandCue(landmarks_px=hand.landmarks_px, size_px=hand.size_px, found=True, hits=9)
        cue = SeatCue(at_s=at(k), hands=hands, edge=edge, table_lab=lab, table_spread=10.0, net=moment.net)
        events += gestures.observe(cue, context or Context())
    return events


DIP = [*still(2), *moving(-80, 20, 0.3), *below(1.5), *moving(20, -80, 0.3), *still(1)]


def test_hand_that_goes_below_the_edge_is_told_once() -> None:
    """A hand that leaves outward over the edge, stays away and comes back is one event of the right hand."""
    events = watch(DIP)
    assert [(e.kind, e.seat, e.side) for e in events] == [(EventKind.HAND_BELOW_TABLE, SEAT, Side.RIGHT)]


def test_times_bound_the_movement_and_never_lie_ahead() -> None:
    """The event begins when the hand left, and is raised when it was certain: within the frames seen by then."""
    (event,) = watch(DIP)
    assert 2.0 <= event.start_ns / 1e9 <= 2.6
    assert event.start_ns < event.end_ns <= event.raised_ns
    assert event.raised_ns / 1e9 <= 2.3 + 1.5 + 0.5


def test_nothing_is_told_ahead_of_its_time() -> None:
    """What is told rests on the past alone: cut off after any frame, the same events have been told until then."""
    whole = watch(DIP)
    for length in range(0, len(DIP), 7):
        told = watch(DIP[:length])
        assert told == [e for e in whole if e.raised_ns / 1e9 <= (length - 1) / 10 + 1e-6]


def test_hand_at_rest_in_the_lap_is_one_flag_not_one_a_second() -> None:
    """A hand that stays below for twenty seconds is told once."""
    events = watch([*still(2), *moving(-80, 20, 0.3), *below(20), *still(1)])
    assert len(events) == 1


def test_quiet_play_is_not_told() -> None:
    """Hands that rest, reach to the pile and come back are no event."""
    reach = [*still(2), *moving(-80, -400, 0.6), *still(0.3, -400), *moving(-400, -80, 0.6), *still(2)]
    assert watch(reach) == []


def test_hand_the_model_loses_for_a_moment_is_not_told() -> None:
    """A drop-out of a third of a second well inside the table is no event."""
    assert watch([*still(2), *still(0.3, None), *still(2)]) == []


def test_the_guard_is_never_told() -> None:
    """The Guard cannot cheat: the same movement at the Guard's seat is no event."""
    assert watch(DIP, Context(guard=SEAT)) == []


def test_nothing_is_told_while_a_dispute_is_open() -> None:
    """While an accusation is settled nobody may cheat, and hands move for other reasons."""
    assert watch(DIP, Context(dispute=True)) == []


def rule(kind: EventKind, names: tuple[str, ...], asks: str, border: float) -> Rules:
    """Return rules that know one kind, and ask one thing of it."""
    columns = np.array([[long_names(names).index(asks)]])
    answers = np.array([[-4.0, 4.0]])
    return {
        kind: Trees(names=long_names(names), base=0.0, columns=columns, borders=np.array([[border]]), answers=answers)
    }


def test_sleeve_movement_is_told_by_the_seat_model() -> None:
    """Fingers at the other arm for most of a second, as the seat model sees them, are one sleeve movement.

    It is judged in hindsight, and its times are those of the movement, not of the judgement.
    """
    rules = rule(EventKind.SLEEVE_MOVEMENT, SEAT_ROW, "net_sleeve@then", 4.0)
    events = watch([*still(2), *still(1.0, -60, sleeve=0.97), *still(1.5)], rules=rules)
    assert [(e.kind, e.side) for e in events] == [(EventKind.SLEEVE_MOVEMENT, None)]
    assert "sleeve" in events[0].why
    assert events[0].start_ns / 1e9 == pytest.approx(2.2, abs=0.3)
    assert events[0].raised_ns / 1e9 == pytest.approx(2.2 + JUDGED_S, abs=0.5)


def test_with_rules_only_the_kinds_they_know_are_told() -> None:
    """Rules that know sleeves alone say nothing of a hand below the table."""
    assert watch(DIP, rules=rule(EventKind.SLEEVE_MOVEMENT, SEAT_ROW, "net_sleeve@then", 4.0)) == []


def test_reason_says_whether_the_hand_came_back() -> None:
    """A hand that is in sight again when it is told came back; one that is not has not."""
    row = {"gone": 1.0, "gone_edge": 1.0}
    back, away = (spoken(reasons_of(EventKind.HAND_BELOW_TABLE, Side.LEFT, 1.2, row, back=b)) for b in (True, False))
    assert back == "Left hand: it was below the edge for 1.2 s and came back."
    assert away == "Left hand: it went below the edge 1.2 s ago and has not come back."


def test_reason_of_a_told_movement_says_how_long_the_hand_was_away() -> None:
    """A hand that is told of after it came back was away for as long as it was out of sight."""
    (event,) = watch(
        [*still(2), *moving(-80, 20, 0.3), *below(1.0), *still(2)], rules=rule(BELOW, HAND_ROW, "gone@then", 0.9)
    )
    assert event.why.startswith("Right hand: it was below the edge for 1.")


@pytest.mark.parametrize("kind", list(EventKind))
def test_reasons_are_words_without_jargon(kind: EventKind) -> None:
    """Every kind of reason is one line of words; none names a feature or a number without its unit."""
    side = Side.LEFT if kind is EventKind.HAND_BELOW_TABLE else None
    words = spoken(reasons_of(kind, side, 1.2, {"gone": 1.0, "gone_edge": 1.0}))
    assert "\n" not in words
    assert "_" not in words
    assert len(words) < 140


def test_keener_tables_hear_of_a_movement_no_later() -> None:
    """The keener the setting, the earlier the same movement is told."""
    told = [watch(DIP, sensitivity=s) for s in (Sensitivity.SHY, Sensitivity.NORMAL, Sensitivity.KEEN)]
    raised = [events[0].raised_ns if events else 10**12 for events in told]
    assert raised[0] >= raised[1] >= raised[2]


def test_uneven_frame_times_change_little() -> None:
    """At 7 looks a second instead of 10 the same movement is told, once."""
    slow = [m for k, m in enumerate(DIP) if k % 10 not in (3, 6, 9)]
    times = [k / 10 for k in range(len(DIP)) if k % 10 not in (3, 6, 9)]
    assert len(watch(slow, at=lambda k: times[k])) == 1
