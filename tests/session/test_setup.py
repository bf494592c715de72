"""Set-up: names, places, the oldest, house rules, assist level."""

from typing import Any

import pytest

from companion.errors import CompanionError
from tests.session.table import Table

BAD: list[tuple[dict[str, Any], str]] = [
    ({"players": ["Anna", "Bo"]}, "3 to 5 players"),
    ({"players": [*"abcdef"]}, "3 to 5 players"),
    ({"players": ["Anna", "Bo", "  "]}, "no name"),
    ({"players": ["Anna", "Bo", "\x00\x1b"]}, "no name"),
    ({"players": ["Anna", "Bo", "anna "]}, "called anna"),
    ({"players": ["Anna", "Bo", "x" * 41]}, "too long"),
    ({"oldest": 3}, "oldest"),
    ({"oldest": -1}, "oldest"),
    ({"house": {"call_windows": 3}}, "call_windows"),
    ({"house": {"caught_gift": 7}}, "caught_gift"),
    ({"assist": "shouting"}, "shouting"),
    ({"places": [0, 1]}, "place"),
    ({"places": [0, 1, 1]}, "place"),
    ({"places": [0, 1, -1]}, "place"),
]


@pytest.mark.parametrize(("wrong", "said"), BAD)
def test_a_set_up_that_makes_no_game_is_one_clear_sentence(table: Table, wrong: dict[str, Any], said: str) -> None:
    """Nothing is written, nothing has changed."""
    with pytest.raises(CompanionError, match=said):
        table.session.create_game(**({"players": ["Anna", "Bo", "Cleo"], "oldest": 0} | wrong))
    assert (table.journal.last_seq, table.session.seq) == (0, 0)


def test_a_name_is_kept_as_one_line_of_text(table: Table) -> None:
    """Markup is text like any other; what cannot be seen is not part of a name."""
    table.set_up(" <b>Åsa</b>\n\tO'Neil ", "\u202eBo\ud800", "🪲 Käfer")
    assert [player.name for player in table.shows().players] == ["<b>Åsa</b> O'Neil", "Bo", "🪲 Käfer"]


def test_the_oldest_starts_as_the_guard(table: Table) -> None:
    """Round 1 is the oldest player's."""
    table.set_up(oldest=2)
    assert (table.shows().guard, table.shows().turn, table.shows().phase) == (2, 2, "deal")


def test_a_new_game_makes_taps_on_the_old_one_stale(playing: Table) -> None:
    """A screen that still shows the old game cannot play into the new one."""
    from companion.session import StaleTap

    seq = playing.session.seq
    playing.set_up()
    with pytest.raises(StaleTap, match="a new game"):
        playing.session.submit("deal 3", seq, playing.tablet)
