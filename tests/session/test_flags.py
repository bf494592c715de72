"""Flags: the camera proposes, the Guard decides; the house's window and the rules say what can be called."""

from typing import Any

import pytest

from companion.rules.errors import IllegalMove
from companion.session import NotThere, NotYours
from companion.session.cameraviews import FlagView, Verdict
from companion.watcher.messages import ClipReport
from tests.session.table import SECOND, Table


def flag_of(table: Table, seat: int = 0) -> FlagView:
    """The newest flag as the Guard's phone at ``seat`` shows it."""
    return table.guards(table.phone(seat)).flags[0]


def test_a_movement_is_put_to_the_guard_in_words(playing: Table) -> None:
    """Who, what, why, how sure, how long ago."""
    playing.see(1, ago_s=0.5, kind="sleeve_movement")
    flag = flag_of(playing)
    assert str(flag.words) == "Bo: fingers went to a sleeve"
    assert (flag.seat, flag.name, flag.side, flag.confidence, flag.age_s) == (1, "Bo", "left", 0.8, 0.5)
    assert (flag.verdict, flag.current, flag.times, flag.clip) == (Verdict.OPEN, True, 1, None)
    assert [str(reason) for reason in flag.reasons] == ["left hand crossed the edge downward"]


def test_the_guard_is_never_flagged(playing: Table) -> None:
    """The Guard never cheats."""
    assert playing.see(0) is None
    playing.play("accuse 1", "uphold 1")
    assert playing.see(0)
    assert playing.see(1) is None


@pytest.mark.parametrize("moves", [(), ("deal spider4", "play 0 3", "out 0")])
def test_nobody_is_flagged_while_no_round_is_played(table: Table, moves: tuple[str, ...]) -> None:
    """Hands move freely while cards are dealt and counted; no entry is written for it."""
    assert table.see(1) is None
    table.set_up()
    table.play(*moves)
    entries = table.journal.last_seq
    assert table.see(1) is None
    assert table.see(2) is None
    assert table.journal.last_seq == entries


def test_in_a_dispute_only_what_ended_before_the_call_is_a_flag(playing: Table) -> None:
    """Nobody may cheat while an accusation is settled; what the watcher reports late is evidence in it."""
    playing.play("accuse 1")
    playing.pass_s(1)
    assert playing.see(1, ago_s=0.2) is None
    assert playing.see(1, ago_s=1.5)


def test_a_place_where_nobody_sits_is_no_flag(table: Table) -> None:
    """The layout may have more seats than there are players; who sits where is chosen at the set-up."""
    table.set_up(places=(0, 2, 4))
    table.play("deal spider4")
    assert table.see(1) is None
    flag = table.see(2)
    assert flag
    assert flag.seat == 1


def test_movements_of_one_kind_in_quick_succession_are_one_flag(playing: Table) -> None:
    """A hand that fumbles does not fill the Guard's screen; other kinds and seats, and later ones, are new flags."""
    first = playing.see(1)
    playing.pass_s(2)
    assert first
    assert playing.see(1, confidence=0.9) is None
    assert (flag_of(playing).times, flag_of(playing).confidence) == (2, 0.9)
    assert playing.see(1, kind="sleeve_movement")
    assert playing.see(2)
    playing.pass_s(10)
    assert playing.see(1)
    assert len(playing.guards(playing.phone(0)).flags) == 4


def test_a_movement_after_a_ruling_is_a_new_flag(playing: Table) -> None:
    """A ruling is about what the Guard saw, not about what comes next."""
    flag = playing.see(1)
    assert flag
    playing.session.rule(flag.id, "innocent", playing.phone(0))
    playing.pass_s(1)
    assert playing.see(1)


def test_clips_come_to_the_flag_of_their_event(playing: Table) -> None:
    """Also the clip of a movement that was merged, and one that comes late; an unknown one is left out."""
    playing.see(1)
    playing.pass_s(1)
    playing.see(1)
    for event in ("event-2", "event-1", "event-1", "nobody knows"):
        playing.session.hear(ClipReport(event, f"clips/{event}", 90))
    assert flag_of(playing).clips == ("clips/event-2", "clips/event-1")
    assert flag_of(playing).clip == "clips/event-2"


WINDOWS: list[tuple[str | int, list[tuple[str, float]], bool]] = [
    ("in_the_act", [("", 2.0)], True),
    ("in_the_act", [("", 4.0)], False),
    ("in_the_act", [("draw 0", 0.5)], True),
    ("until_next_play", [("", 500.0)], True),
    ("until_next_play", [("draw 0", 0.0)], False),
    ("until_next_play", [("set hand 1 9", 0.0)], True),
    (20, [("draw 0", 15.0)], True),
    (20, [("draw 0", 21.0)], False),
]


@pytest.mark.parametrize(("window", "then", "is_open"), WINDOWS)
def test_the_call_window_is_the_houses(
    table: Table, window: str | int, then: list[tuple[str, float]], is_open: bool
) -> None:
    """What happens after the movement, a move and some seconds, closes the window or does not."""
    table.set_up(call_window=window)
    table.play("deal spider4")
    table.see(1, ago_s=0.0)
    for move, seconds in then:
        if move:
            table.session.submit(move, table.session.seq, table.tablet)
        table.pass_s(seconds)
    assert flag_of(table).window_open is is_open


def test_a_window_of_seconds_says_when_it_closes(table: Table) -> None:
    """The Guard's screen counts down by itself."""
    table.set_up(call_window=20)
    table.play("deal spider4")
    table.see(1, ago_s=1.0)
    table.pass_s(4)
    assert flag_of(table).closes_in_s == pytest.approx(15.0)


def test_a_play_between_the_movement_and_its_flag_closes_the_window(playing: Table) -> None:
    """The watcher needs a moment; the play that was tapped in it counts by when it was tapped."""
    report = playing.movement(1, ago_s=0.0)
    playing.pass_s(0.2)
    playing.play("draw 0")
    assert playing.session.observe(report)
    assert not flag_of(playing).window_open


def test_a_flag_of_an_earlier_round_cannot_be_called(playing: Table) -> None:
    """Its window is closed, and the sentence says why."""
    flag = playing.see(1)
    assert flag
    playing.play("play 0 3", "out 0", "count 1 number=1", "count 2 number=1", "next", "deal 3")
    guard = playing.phone(playing.state.guard)
    shown = playing.guards(guard).flags[0]
    assert (shown.window_open, shown.current) == (False, False)
    with pytest.raises(NotThere, match="round that is over"):
        playing.session.rule(flag.id, "caught", guard)


@pytest.mark.parametrize(
    ("settled", "verdict", "guard"),
    [
        ("uphold 1", Verdict.CAUGHT, 1),
        ("dismiss", Verdict.INNOCENT, 0),
        ("withdraw", Verdict.OPEN, 0),
    ],
)
def test_caught_opens_the_accusation_and_what_it_comes_to_settles_the_flag(
    playing: Table, settled: str, verdict: Verdict, guard: int
) -> None:
    """One tap on the flag freezes the play on every screen; the outcome is the flag's verdict."""
    flag = playing.see(1)
    assert flag
    playing.session.rule(flag.id, "caught", playing.phone(0))
    assert playing.shows().asked.accused == 1
    assert flag_of(playing).verdict is Verdict.ACCUSED
    playing.play(settled)
    assert playing.state.guard == guard
    assert flag_of(playing, guard).verdict is verdict


def test_caught_tapped_twice_is_one_accusation(playing: Table) -> None:
    """A double tap does not run into the rules."""
    flag = playing.see(1)
    assert flag
    seq = playing.session.rule(flag.id, "caught", playing.phone(0))
    assert playing.session.rule(flag.id, "caught", playing.phone(0)) == seq


def test_a_call_by_the_button_is_about_the_newest_flag_that_can_be_called(playing: Table) -> None:
    """The Guard need not look for the flag; one outside its window, or on somebody else, is not meant."""
    playing.see(1)
    playing.play("draw 0")
    playing.pass_s(2)
    playing.see(2)
    playing.see(1, kind="sleeve_movement")
    playing.play("accuse 1", by=playing.phone(0))
    assert [flag.verdict for flag in playing.guards(playing.phone(0)).flags] == ["accused", "open", "open"]


def test_an_undone_accusation_settles_nothing(playing: Table) -> None:
    """The flag is open again, step by step."""
    flag = playing.see(1)
    assert flag
    playing.session.rule(flag.id, "caught", playing.phone(0))
    playing.play("dismiss")
    said = []
    for _ in range(2):
        playing.session.undo(playing.session.seq, playing.tablet)
        said.append(flag_of(playing).verdict)
    assert said == [Verdict.ACCUSED, Verdict.OPEN]


def test_rulings_can_be_changed_and_taken_back(playing: Table) -> None:
    """The last word counts, also after an accusation."""
    flag = playing.see(1)
    assert flag
    guard = playing.phone(0)
    for verdict in ("innocent", "unclear", "open", "innocent"):
        playing.session.rule(flag.id, verdict, guard)
        assert flag_of(playing).verdict == verdict
    playing.session.rule(flag.id, "caught", guard)
    playing.play("dismiss")
    playing.session.rule(flag.id, "unclear", guard)
    assert flag_of(playing).verdict is Verdict.UNCLEAR


def test_another_flag_on_the_accused_joins_the_open_accusation(playing: Table) -> None:
    """The Guard calls first and points at the clip afterwards."""
    flag = playing.see(1, ago_s=0.0)
    assert flag
    playing.play("draw 0", "accuse 1", by=playing.phone(0))
    assert flag_of(playing).verdict is Verdict.OPEN
    playing.session.rule(flag.id, "caught", playing.phone(0))
    assert flag_of(playing).verdict is Verdict.ACCUSED
    playing.play("uphold 1")
    assert flag_of(playing, 1).verdict is Verdict.CAUGHT


def test_a_flag_on_somebody_else_waits_until_the_dispute_is_settled(playing: Table) -> None:
    """One accusation at a time, and no ruling on a flag that is being settled."""
    on_bo, on_cleo = playing.see(1), playing.see(2)
    assert on_bo
    assert on_cleo
    guard = playing.phone(0)
    playing.session.rule(on_bo.id, "caught", guard)
    with pytest.raises(IllegalMove, match="Bo"):
        playing.session.rule(on_cleo.id, "caught", guard)
    with pytest.raises(NotThere, match="still open"):
        playing.session.rule(on_bo.id, "innocent", guard)


def test_only_the_present_guard_rules(playing: Table) -> None:
    """Not the accused, not another player, not the tablet in everyone's sight."""
    flag = playing.see(1)
    assert flag
    guard = playing.phone(0)
    for viewer in (playing.phone(1), playing.phone(2), playing.tablet, playing.session.viewer("a guest")):
        for verdict in ("caught", "innocent"):
            with pytest.raises(NotYours, match="Anna"):
                playing.session.rule(flag.id, verdict, viewer)
    playing.session.rule(flag.id, "innocent", guard)


@pytest.mark.parametrize(
    ("flag_id", "verdict"), [("event-99", "innocent"), ("event-1", "guilty"), ("event-1", "accused")]
)
def test_what_does_not_exist_is_refused_with_a_sentence(playing: Table, flag_id: str, verdict: str) -> None:
    """An unknown flag, an unknown ruling."""
    playing.see(1)
    with pytest.raises(NotThere):
        playing.session.rule(flag_id, verdict, playing.phone(0))


def test_with_the_camera_off_there_are_no_flags(table: Table) -> None:
    """The house's choice."""
    table.set_up(assist="off")
    table.play("deal spider4")
    assert table.see(1) is None


def test_after_caught_only_the_guard_sees_the_accuseds_flags_and_no_hint_before(table: Table) -> None:
    """The camera judges, it does not tell; flags on others and old ones stay hidden."""
    table.set_up(assist="after_caught")
    table.play("deal spider4")
    table.see(1, kind="card_drop")
    table.pass_s(90)
    table.see(1)
    table.see(2)
    guard = table.phone(0)
    assert table.guards(guard).flags == ()
    table.play("accuse 1", "set hand 2 9", by=guard)
    assert [(flag.seat, flag.kind) for flag in table.guards(guard).flags] == [(1, "hand_below_table")]
    table.play("dismiss", by=guard)
    assert [flag.verdict for flag in table.guards(guard).flags] == [Verdict.INNOCENT]


def test_a_watcher_with_a_clock_of_its_own_is_understood(playing: Table) -> None:
    """A video file's times mean nothing to the session; the window runs from the report, the clip's times are kept."""
    flag = playing.see(1, start_ns=2 * SECOND, end_ns=3 * SECOND, raised_ns=3 * SECOND + SECOND // 2)
    assert flag
    assert (flag.start_ns, flag.end_ns) == (2 * SECOND, 3 * SECOND)
    assert flag_of(playing).age_s == 0.5
    assert flag_of(playing).window_open


def test_flags_of_before_the_machine_was_started_anew_are_closed(playing: Table) -> None:
    """The monotonic clock starts again from nought; a flag from the future of it cannot be called as if it were new."""
    playing.session.set_assist("live", playing.tablet)
    playing.see(1)
    playing.clock.at_ns = 5 * SECOND
    playing.restart()
    assert not flag_of(playing).window_open
    assert flag_of(playing).age_s == 0


def test_the_tables_own_precision_counts_verdicts_per_kind_over_all_games(playing: Table) -> None:
    """From rulings and settled accusations; a new game goes on counting."""
    verdicts: list[tuple[str, dict[str, Any]]] = [
        ("innocent", {"kind": "sleeve_movement"}),
        ("unclear", {}),
        ("innocent", {}),
    ]
    for verdict, fields in verdicts:
        playing.pass_s(20)
        flag = playing.see(1, **fields)
        assert flag
        playing.session.rule(flag.id, verdict, playing.phone(0))
    playing.set_up()
    playing.play("deal 3")
    flag = playing.see(1)
    assert flag
    playing.session.rule(flag.id, "caught", playing.phone(0))
    playing.play("uphold 1")
    shown = playing.guards(playing.phone(1)).precision
    assert [(kind.kind, kind.caught, kind.innocent, kind.unclear) for kind in shown] == [
        ("hand_below_table", 1, 1, 1),
        ("sleeve_movement", 0, 1, 0),
    ]


def test_a_clip_is_due_for_a_while_and_then_is_not(playing: Table) -> None:
    """The Guard is told that it is on its way, later that there is none; never both a clip and a promise."""
    playing.see(1, id="first")
    assert flag_of(playing).clip_due
    playing.pass_s(30)
    assert not flag_of(playing).clip_due
    playing.session.attach_clip("first", "/clips/first")
    assert (flag_of(playing).clip, flag_of(playing).clip_due) == ("/clips/first", False)
