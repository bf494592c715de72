""" "Caught!" freezes play from the tap on, before the Guard has chosen whom."""

import pytest

from companion.errors import CompanionError
from companion.rules.errors import IllegalMove
from companion.session.errors import NotYours
from companion.session.settings import SETTINGS
from tests.session.table import Table


def test_nobody_plays_while_the_guard_chooses(playing: Table) -> None:
    """Moves, undo and amendments are refused with one sentence, and every screen shows why."""
    guard, bo = playing.phone(0), playing.phone(1)
    playing.session.begin_choosing(guard)
    seq = playing.session.seq
    for act in (
        lambda: playing.play("draw 0"),
        lambda: playing.play("draw 0", by=guard),
        lambda: playing.session.undo(seq, playing.tablet),
        lambda: playing.session.amend(1, ["deal 3"], seq, playing.tablet),
    ):
        with pytest.raises(IllegalMove, match='Anna called "Caught!" and is choosing whom'):
            act()
    assert playing.session.seq == seq
    shown = [playing.shows(viewer).choosing for viewer in (guard, playing.tablet, bo)]
    assert [(one.may_choose, one.may_take_back) for one in shown if one] == [
        (True, True),
        (False, True),
        (False, False),
    ]


def test_the_choice_ends_it(playing: Table) -> None:
    """The accusation itself freezes play from there; taken back, play goes on."""
    guard = playing.phone(0)
    playing.session.begin_choosing(guard)
    playing.play("accuse 2", by=guard)
    assert playing.shows().choosing is None
    playing.play("withdraw", "draw 0")


def test_the_guard_and_the_tablet_take_it_back(playing: Table) -> None:
    """Another phone does not: a cheater could end the call where nobody sees it."""
    guard, bo = playing.phone(0), playing.phone(1)
    for viewer in (guard, playing.tablet):
        playing.session.begin_choosing(guard)
        with pytest.raises(NotYours):
            playing.session.end_choosing(bo)
        playing.session.end_choosing(viewer)
        assert playing.shows().choosing is None
    playing.play("draw 0")


def test_a_guards_phone_that_vanishes_holds_up_the_game_for_a_minute_only(playing: Table) -> None:
    """It ends by itself, and every screen that waits is told."""
    playing.session.begin_choosing(playing.phone(0))
    version = playing.session.version
    playing.pass_s(SETTINGS.choosing_s)
    assert playing.session.wait(version, 5.0) != version
    assert playing.shows().choosing is None
    playing.play("draw 0")


def test_a_restart_ends_it(playing: Table) -> None:
    """Nothing of it is in the journal; the Guard chooses all the same."""
    guard = playing.phone(0)
    playing.session.begin_choosing(guard)
    playing.restart()
    assert playing.shows().choosing is None
    playing.play("accuse 1", by=guard)


def test_only_who_may_accuse_freezes_the_table(playing: Table) -> None:
    """Not another phone, not the tablet while the Guard has one, and not where there is nothing to interrupt."""
    guard, bo = playing.phone(0), playing.phone(1)
    for viewer in (bo, playing.tablet):
        with pytest.raises(NotYours):
            playing.session.begin_choosing(viewer)
    playing.play("draw 0", "play 1 3", "out 1")
    with pytest.raises(CompanionError):
        playing.session.begin_choosing(guard)
    assert playing.shows().choosing is None
