"""Sentences with their places: kept whole in the journal, filled for who reads them."""

import pytest

from companion.words import Words, as_said, say, say_count, seats_filled, words_json, words_of


@pytest.mark.parametrize(
    "words",
    [
        say("That is enough."),
        say("{hand}: out of sight for {seconds} s.", hand=say("Left hand"), seconds=0.9),
        say_count("{number} card", "{number} cards", 3),
    ],
)
def test_a_sentence_comes_back_from_its_json(words: Words) -> None:
    """Places, sentences within sentences and the forms of a count: nothing is lost."""
    assert words_of(words_json(words)) == words


def test_what_somebody_else_said_has_no_places() -> None:
    """Braces in it fill nothing and break nothing."""
    assert str(words_of("a {b} c")) == str(as_said("a {b} c")) == "a (b) c"


def test_seats_become_names_where_the_sentence_holds_seats() -> None:
    """Other numbers stay."""
    words = say("{seat} came {ms} ms after {to}.", seat=1, ms=2, to=0)
    assert str(seats_filled(words, ("Anna", "Bo").__getitem__)) == "Bo came 2 ms after Anna."
