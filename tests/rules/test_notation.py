"""Moves and states as text: what is written is read back, and what cannot be read is answered with an example."""

import re
from contextlib import suppress
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import CompanionError
from companion.rules import engine, moves
from companion.rules.cards import Card, Counts, Kind
from companion.rules.errors import UnreadableMove
from companion.rules.notation import format_move, format_state, parse_card, parse_move, parse_state
from tests.rules.tables import setting, table

SEATS = st.integers(0, 4)
WHOLE = st.integers(0, 99)
CARDS = st.builds(Card, st.sampled_from(Kind), st.integers(1, 5))
COUNTS = st.builds(Counts, **{kind.value: st.integers(0, 43) for kind in Kind})
SOME_SEATS = st.lists(SEATS, unique=True).map(tuple)
MOVES = st.one_of(
    st.builds(moves.Deal, CARDS),
    *(st.builds(kind, SEATS, CARDS) for kind in (moves.Play, moves.Race)),
    *(
        st.builds(kind, SEATS)
        for kind in (
            *(moves.Draw, moves.Keep, moves.Gift, moves.NoGift, moves.Accuse, moves.Out),
            *(moves.SetTurn, moves.SetGuard),
        )
    ),
    st.builds(moves.Give, SEATS, SEATS),
    st.builds(moves.Ant, st.none() | SOME_SEATS.map(lambda seats: tuple(sorted(seats)))),
    st.builds(moves.Slaps, SOME_SEATS),
    *(st.builds(kind) for kind in (moves.NoRace, moves.GiftsAll, moves.Dismiss, moves.Withdraw, moves.Next)),
    st.builds(moves.Uphold, WHOLE),
    st.builds(moves.Count, SEATS, COUNTS),
    st.builds(moves.SetTop, CARDS),
    st.builds(moves.SetHand, SEATS, WHOLE),
    st.builds(moves.SetDraw, WHOLE),
    st.builds(moves.SetDiscard, COUNTS),
)


@given(MOVES)
def test_every_move_is_read_back_as_it_was_written(move: moves.Move) -> None:
    """Writing and reading a move gives an equal one, in one line."""
    text = format_move(move)
    assert parse_move(text) == move
    assert "\n" not in text


@pytest.mark.parametrize(
    "text",
    [
        *("deal ant4", "play 2 ant4", "draw 2", "give 2 1", "keep 2", "ant 0 1 3", "ant all", "race 3 4", "race none"),
        *("slaps 0 3 1", "slaps none", "gift 2", "nogift 2", "gifts all", "accuse 2", "uphold 1", "dismiss"),
        *("withdraw", "out 2", "count 2 number=3 ant=1", "next", "set top ant4", "set turn 2", "set guard 1"),
        *("set hand 2 5", "set draw 20", "set discard number=9 ant=1", "play 0 moth2", "ant none"),
    ],
)
def test_the_documented_spellings_are_the_canonical_ones(text: str) -> None:
    """Each spelling in the architecture's table is written back letter by letter."""
    assert format_move(parse_move(text)) == text


def test_the_architecture_page_shows_moves_that_can_be_read() -> None:
    """Every move in the first column of its table is canonical, and every move there is has its line."""
    page = (Path(__file__).parents[2] / "docs" / "architecture.md").read_text()
    rows = page.partition("### Notation of moves")[2].partition("\n## ")[0].splitlines()
    texts = [text for row in rows if row.startswith("| `") for text in re.findall(r"`([^`]+)`", row.split("|")[1])]
    assert [format_move(parse_move(text)) for text in texts] == texts
    assert {type(parse_move(text)) for text in texts} == set(get_args(moves.Move))


def test_kinds_with_no_card_need_not_be_named() -> None:
    """A tablet may send all six kinds; a count of nothing is written as no number cards."""
    assert parse_move("count 2 number=3 ant=1 moth=0") == parse_move("count 2 ant=1 number=3")
    assert format_move(parse_move("count 2 moth=0")) == "count 2 number=0"


@pytest.mark.parametrize(
    "text",
    [
        *("", "   ", "fly", "PLAY 2 4", "play", "play 2", "play 2 6", "play 2 ant", "play 2 ant0", "play two 4"),
        *(
            "play 2 number4",
            "play 2 4 4",
            "play -1 4",
            "play 1.0 4",
            "play ² 4",
            "draw",
            "draw 2 3",
            "ant",
            "ant all 1",
        ),
        *("race", "race none 1", "slaps", "gifts", "gifts 2", "uphold", "uphold x", "dismiss 2", "count 2"),
        *("count 2 bee=1", "count 2 ant=1 ant=1", "count 2 ant=-1", "set", "set hand 2", "set top", "set moon 1"),
        *("next round", "draw 9999", "play 2 4" + " " * 200, "x" * 5000, "set discard", "deal", "count", "deal 4 5"),
    ],
)
def test_text_that_is_no_move_is_answered_with_what_is_expected(text: str) -> None:
    """One sentence of bounded length, with an example or the words that a move starts with."""
    with pytest.raises(UnreadableMove) as caught:
        parse_move(text)
    assert "write it like" in str(caught.value) or "starts with one of" in str(caught.value)
    assert len(str(caught.value)) < 300


@given(st.text(max_size=60))
def test_no_text_breaks_the_reader(text: str) -> None:
    """Whatever is sent, it is a move or one sentence."""
    for read in (parse_move, parse_card, parse_state):
        with suppress(UnreadableMove):
            assert read(text) is not None


WORDS = (
    "play",
    "race",
    "set",
    "hand",
    "count",
    "deal",
    "ant",
    "0",
    "4",
    "ant4",
    "number=1",
    "top",
    "{x}",
    "all",
    "none",
)


@given(st.lists(st.sampled_from(WORDS)))
def test_no_words_break_the_reader(words: list[str]) -> None:
    """Words of moves in any order are a move or one sentence."""
    with suppress(UnreadableMove):
        assert parse_move(format_move(parse_move(" ".join(words))))


@pytest.mark.parametrize("kind", Kind)
def test_cards_are_written_as_players_read_them(kind: Kind) -> None:
    """A number card is its number alone; the others are kind and number."""
    card = Card(kind, 4)
    assert str(card) == ("4" if kind is Kind.NUMBER else f"{kind}4")
    assert parse_card(str(card)) == card


def test_a_card_without_its_number_is_refused() -> None:
    """There are no cards with a 0 or a 6."""
    with pytest.raises(CompanionError, match="number from 1 to 5, not 6"):
        Card(Kind.ANT, 6)
    with pytest.raises(UnreadableMove, match="is no card"):
        parse_card("bee3")


@pytest.mark.parametrize(
    "damage",
    [
        ("hands=8,8,8", "hands=8,8,9"),
        ("hands=8,8,8", "hands=8,8"),
        ("phase=turn", "phase=tea"),
        ("top=4", "top=bee4"),
        ("guard=0", "guard=3"),
        ("house=-", "house=cheatable:ants"),
        ("pending=-", "pending=gifts/1"),
        ("pending=-", "pending=accusation/1/gifts"),
        ("results=-", "results=1/2/3"),
        ("seats=3 ", ""),
    ],
)
def test_a_damaged_state_is_refused(damage: tuple[str, str]) -> None:
    """A state in which a word is missing or wrong, or the deck is not whole, is not taken."""
    text = format_state(table("deal 4"))
    assert damage[0] in text
    with pytest.raises(UnreadableMove, match="copy the whole line"):
        parse_state(text.replace(*damage))


def test_house_rules_are_part_of_a_state_s_text() -> None:
    """A game under house rules goes on under them."""
    house = setting("call_window", 12)
    state = engine.new_game(5, 3, house)
    assert "house=call_window:12" in format_state(state)
    assert parse_state(format_state(state)) == state
