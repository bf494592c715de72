"""A server killed at any moment costs no acknowledged tap, and the game goes on where it was."""

from pathlib import Path

from .killing import play_and_kill


def test_a_killed_server_loses_no_acknowledged_tap(tmp_path: Path) -> None:
    """Kill -9 between and within taps: the journal holds every acknowledged move in its place, no tap twice."""
    toll = play_and_kill(tmp_path, kills=6, seed=1)
    assert toll.kills == 6
    assert toll.lost == []
    assert toll.acknowledged > 6
