"""When running log odds become a movement that is told."""

from types import MappingProxyType

import pytest

from companion.vision.events import EventKind, Sensitivity, Side
from companion.vision.telling import Runs, Telling, Told

RIGHT = (EventKind.HAND_BELOW_TABLE, Side.RIGHT)
LEFT = (EventKind.HAND_BELOW_TABLE, Side.LEFT)
SLEEVE = (EventKind.SLEEVE_MOVEMENT, None)
TELLING = Telling(
    smooth_s=0.2,
    levels=MappingProxyType({Sensitivity.SHY: 1.0, Sensitivity.NORMAL: 0.0, Sensitivity.KEEN: -1.0}),
)


def run(odds: list[float], sensitivity: Sensitivity = Sensitivity.NORMAL) -> list[tuple[float, Told]]:
    """Return what is told, and when, of one hand whose log odds follow each other ten times a second."""
    runs = Runs([RIGHT, LEFT, SLEEVE], sensitivity)
    told = []
    for k, value in enumerate(odds):
        found = runs.step(RIGHT, TELLING, value, k / 10)
        if found is not None:
            told.append((k / 10, found))
    return told


def test_movement_is_told_once_with_the_time_it_began() -> None:
    """Odds that rise, stay and fall are one movement, which began where they rose."""
    ((at_s, told),) = run([-4.0] * 20 + [4.0] * 20 + [-4.0] * 20)
    assert told.watched == RIGHT
    assert told.start_s == pytest.approx(2.0, abs=0.15)
    assert 2.0 < at_s < 2.4
    assert told.beyond > 0


def test_second_movement_is_told_when_the_first_is_well_over() -> None:
    """Two movements two seconds apart are two; a dip for an instant in one is not the start of another."""
    assert len(run([-4.0] * 10 + [4.0] * 10 + [-4.0] * 20 + [4.0] * 10)) == 2
    assert len(run([-4.0] * 10 + [4.0] * 10 + [-4.0] * 3 + [4.0] * 10)) == 1


def test_shy_tables_hear_later_or_not_at_all() -> None:
    """The same odds are told sooner on a keen table than on a normal one, and never on a shy one if too weak."""
    odds = [-4.0] * 10 + [0.5] * 20
    assert run(odds, Sensitivity.SHY) == []
    assert run(odds, Sensitivity.KEEN)[0][0] < run(odds)[0][0]


def test_one_movement_is_not_told_of_both_hands() -> None:
    """Cues smear over both hands: what is told of one is not told of the other; a sleeve movement is its own."""
    runs = Runs([RIGHT, LEFT, SLEEVE], Sensitivity.NORMAL)
    told = []
    for k in range(20):
        for watched in (RIGHT, LEFT, SLEEVE):
            found = runs.step(watched, TELLING, 4.0, k / 10)
            told += [found.watched] if found is not None else []
    assert told == [RIGHT, SLEEVE]
