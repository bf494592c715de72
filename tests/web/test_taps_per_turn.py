"""How many taps a turn costs, counted over a whole recorded game that is entered on the tablet."""

from collections import Counter
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.web.screens import open_table, tap
from tests.web.served import Running

GAME = Path(__file__).parent / "recorded_round.txt"
"""One move a line, as the journal stores them; each turn begins with a play or a draw."""

MOST = 2
"""Taps that a turn may cost; what a dispute or a miscount takes is not part of a turn."""


@pytest.mark.browser
def test_a_turn_costs_at_most_two_taps_and_the_usual_one_costs_one(running: Running, browser: Browser) -> None:
    """Playing or drawing is one tap, an action card one more."""
    running.session.create_game(("Mia", "Ole", "Ida"), 0)
    table = open_table(browser, running)
    turns: list[int] = []
    for move in GAME.read_text(encoding="utf-8").split("\n"):
        if not move or move.startswith("#"):
            continue
        if move.startswith(("play", "draw")):
            turns.append(0)
        tap(table, move)
        if turns:
            turns[-1] += 1
    taps = Counter(turns)
    assert len(turns) >= 20
    assert max(taps) <= MOST, taps
    assert taps.most_common(1)[0][0] == 1, taps
