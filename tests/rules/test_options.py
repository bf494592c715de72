"""What tablets offer and say: choices, reminders, remarks, sentences."""

import re
from pathlib import Path

import pytest

import companion.rules
from companion.rules import engine
from companion.rules.cards import Kind
from companion.rules.notation import format_move, parse_move
from companion.rules.state import State
from tests.rules.tables import refusal, table


def said(state: State, text: str) -> list[str]:
    move = parse_move(text)
    return [str(remark) for remark in engine.remarks(state, move, engine.apply(state, move))]


def test_the_numbers_that_fit_wrap_around() -> None:
    """One above or one below, where 1 and 5 are neighbours."""
    fitting = {top: engine.options(table(f"deal {top}")).numbers for top in range(1, 6)}
    assert fitting == {1: (2, 5), 2: (1, 3), 3: (2, 4), 4: (3, 5), 5: (1, 4)}


def test_a_moth_is_offered_to_the_guard_on_the_guard_s_own_turn_alone() -> None:
    """Seat 0 is the Guard."""
    assert Kind.MOTH in engine.options(table("deal 4")).kinds
    assert Kind.MOTH not in engine.options(table("deal 4", "draw 0")).kinds
    assert "Only the Guard may play a moth" in refusal(table("deal 4", "draw 0"), "play 1 moth3")


def test_kinds_that_are_used_up_are_not_offered() -> None:
    """All eight moths lie in the discard pile."""
    state = table("deal moth4", "set draw 1", "set discard moth=8")
    assert Kind.MOTH not in engine.options(state).kinds
    assert "All 8 cards of the kind moth" in refusal(state, "play 0 moth3")


def test_a_kind_that_is_used_up_cannot_win_a_race() -> None:
    """All 43 number cards lie in the discard pile, so nobody can have laid one."""
    state = table("deal 4", "set draw 1", "play 0 cockroach3", "set discard number=43 cockroach=1")
    assert engine.options(state).kinds == ()
    assert "All 43 cards of the kind number" in refusal(state, "race 1 3")
    assert refusal(state, "race none") == ""


@pytest.mark.parametrize("seed_moves", [(), ("play 0 ant3",), ("play 0 mosquito3", "slaps 1"), ("accuse 1",)])
def test_options_agree_with_the_legal_moves(seed_moves: tuple[str, ...]) -> None:
    """Who may be accused, must give and may go out is what ``legal_moves`` says."""
    state = table("deal 4", *seed_moves)
    options, legal = engine.options(state), {format_move(move) for move in engine.legal_moves(state)}
    for verb, seats in (
        ("accuse", options.may_be_accused),
        ("gift", options.must_give),
        ("nogift", options.must_give),
        ("out", options.may_go_out),
    ):
        assert {text for text in legal if text.startswith(f"{verb} ")} == {f"{verb} {seat}" for seat in seats}


def test_the_last_card_is_announced() -> None:
    """The tablet can say that the round ends with the next card."""
    assert engine.options(table("deal 4", "set hand 0 1")).last_card
    assert not engine.options(table("deal 4", "set hand 0 2")).last_card
    assert not engine.options(table("deal 4", "set hand 0 2", "play 0 ant3")).last_card
    assert engine.options(table("deal 4", "set hand 0 2", "play 0 spider3")).last_card


def test_counts_still_to_be_entered_and_those_entered_are_told_apart() -> None:
    """Who is out need not be counted."""
    state = table("deal 4", "set hand 0 1", "play 0 3", "count 2 number=4")
    options = engine.options(state)
    assert (options.to_count, options.may_recount) == ((1,), (2,))


@pytest.mark.parametrize(
    ("scene", "move", "sentences"),
    [
        (("deal 4",), "play 0 3", []),
        (("deal 4", "accuse 1"), "uphold 1", ["1 was caught and is the Guard now."]),
        (
            ("deal 4", "set draw 0", "set hand 0 7"),
            "draw 0",
            ["The draw pile is empty: shuffle the discard pile without its top card, and draw from it."],
        ),
        (
            ("deal 4", "set hand 2 54"),
            "draw 0",
            ["Both piles are used up, so there is no card left to draw: play goes on."],
        ),
        (("deal 4", "set draw 1"), "draw 0", []),
        (
            ("deal 4", "set hand 2 54", "play 0 ant3"),
            "ant all",
            [
                "The draw pile is empty: shuffle the discard pile without its top card, and draw from it.",
                "Both piles are used up, so there is no card left to draw: play goes on.",
            ],
        ),
        (
            ("deal 4", "play 0 3"),
            "out 0",
            ["0 is out.", "0 cheated 7 cards away unseen.", "The round is over: count the cards that are left."],
        ),
        (("deal 4", "set hand 0 1", "play 0 3"), "count 1 number=7", ["1 cheated 1 card away unseen."]),
        (("deal 4", "set hand 0 1", "play 0 3"), "count 1 number=8", []),
        (
            ("deal 4", "set hand 0 1", "play 0 3"),
            "count 1 number=9",
            [
                "1 holds more cards than were entered (8), so something was not entered; "
                "the count stands and the game goes on."
            ],
        ),
    ],
)
def test_what_is_said_about_a_move(scene: tuple[str, ...], move: str, sentences: list[str]) -> None:
    """Beside the new state, what players would not see by themselves."""
    state = table(*scene)
    assert said(state, move) == sentences


def test_every_sentence_says_what_to_do_in_words_for_children() -> None:
    """Each template of the rules is one sentence with named places, short enough to be read at the table."""
    folder = Path(companion.rules.__file__).parent
    text = "".join(path.read_text() for path in sorted(folder.glob("*.py")))
    text = re.sub(r'"\s*\n\s*"', "", text)
    templates = re.findall(r"""(?:IllegalMove|Remark|BadSetUp|UnreadableMove)\(\s*(["'])(.+?[^\\])\1""", text)
    assert len(templates) > 30
    for _, template in templates:
        assert template.endswith("."), template
        assert len(template) <= 190, template


@pytest.mark.parametrize(
    "text", ["play 1 3", "draw 2", "accuse 0", "give 0 1", "next", "count 0 number=1", "uphold 1", "gift 1", "ant all"]
)
def test_a_refusal_names_seats_by_params_that_a_screen_replaces_with_names(text: str) -> None:
    """``seat`` and ``to`` are seat numbers, so that a screen can say Mia and Tim."""
    why = engine.explain(table("deal 4"), parse_move(text))
    assert why is not None
    named = {name: value for name, value in why.params.items() if name in ("seat", "to")}
    assert all(isinstance(value, int) for value in named.values())
    assert "Mia" in why.template.format(**{**why.params, **dict.fromkeys(named, "Mia")})
