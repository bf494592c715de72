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


FAMILY = "👨\u200d👩\u200d👧\u200d👦"
SCOTLAND = "🏴" + "".join(chr(0xE0000 + ord(char)) for char in "gbsct") + "\U000e007f"


def test_an_emoji_of_several_parts_stays_one_in_a_name(table: Table) -> None:
    """What joins the parts of an emoji, or Persian letters, is kept; a joiner that joins nothing is not."""
    table.set_up(
        f"{FAMILY} Bo\u200d", f"{SCOTLAND} \u0646\u0645\u06cc\u200c\u062f\u0627\u0646\u0645", "So\u00adfie\u200b"
    )
    names = [player.name for player in table.shows().players]
    assert names == [f"{FAMILY} Bo", f"{SCOTLAND} \u0646\u0645\u06cc\u200c\u062f\u0627\u0646\u0645", "Sofie"]


def test_a_name_is_as_long_as_people_count_it(table: Table) -> None:
    """Forty families are forty letters; with one more they are too many, and the sentence does not tear one."""
    table.set_up(FAMILY * 40, "Bo", "Cleo")
    assert table.shows().players[0].name == FAMILY * 40
    with pytest.raises(CompanionError, match=f"The name {FAMILY * 12}... is too long"):
        table.set_up(FAMILY * 41, "Bo", "Cleo")
    with pytest.raises(CompanionError, match="too long"):
        table.set_up("A" + "\u0301" * 400, "Bo", "Cleo")


def test_two_names_that_look_alike_are_one(table: Table) -> None:
    """A joiner that cannot be seen does not make another name."""
    with pytest.raises(CompanionError, match="Two players are called"):
        table.set_up("Anna", "An\u200cna", "Cleo")


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
