"""Words: every sentence in every language, its places kept; each screen in the language it chose."""

import re

import pytest
from babel.messages.pofile import read_po

from companion.rules.errors import IllegalMove
from companion.rules.moves import SetHand
from companion.session import Session
from companion.session.sentences import move_words
from companion.web import WebSettings, create_app
from companion.web.words import LANGUAGES, SCRIPT_WORDS, error_sentence, sentence, translate
from tests.web.catalog import Message, messages
from tests.web.screens import NAMES
from tests.web.served import ROOT
from tests.web.stages import play

TRANSLATED = [language for language in LANGUAGES if language != "en"]
PLACE = re.compile(r"\{\w+\}|%\(\w+\)s")
SPOKEN = re.compile(r"""\bt\(\s*"([^"]+)\"""")


def catalog(language: str) -> dict[Message, Message]:
    """Return a catalog's translations by their English keys."""
    with (ROOT / "web_ui/translations" / f"{language}.po").open("rb") as text:
        return {entry.id: entry.string for entry in read_po(text, locale=language) if entry.id}


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_sentence_is_translated(language: str) -> None:
    """No screen falls back to English: a new sentence needs its five translations."""
    have = catalog(language)
    missing = [message for message in messages() if not have.get(message)]
    assert not missing, f"add to web_ui/translations/{language}.po: {missing}"


@pytest.mark.parametrize("language", TRANSLATED)
def test_translations_keep_their_places(language: str) -> None:
    """A name or number of the English sentence has its place in the translation, and no other has."""
    for key, words in catalog(language).items():
        # some languages have more plural forms than English
        pairs = (
            [(key[min(form, 1)], one) for form, one in enumerate(words)] if isinstance(key, tuple) else [(key, words)]
        )
        for english, translated in pairs:
            assert set(PLACE.findall(english)) == set(PLACE.findall(str(translated))), english


DEVELOPERS = re.compile(r"\b(logs?(?! in)|process\w*|exceptions?|traceback|threads?|server|HTTPS?|JSON|null)\b|\s--\w")
FOR_WHO_WANTS_THE_FILE = ("All as JSON", "The layout")
"""An export is named by its format, and who names a layout's file on the command line reads what is wrong in it."""


def test_no_sentence_speaks_to_developers() -> None:
    """A family reads what happened and what to do: no log, no process, no option of a command."""
    sentences = [form for message in messages() for form in ([message] if isinstance(message, str) else message)]
    assert [one for one in sentences if DEVELOPERS.search(one) and not one.startswith(FOR_WHO_WANTS_THE_FILE)] == []


def test_what_the_scripts_say_is_on_the_page() -> None:
    """Each sentence that a script says is in the list that the page carries in its language."""
    said = {
        text
        for script in (ROOT / "web_ui/static/js").glob("*.js")
        for text in SPOKEN.findall(script.read_text("utf-8"))
    }
    assert said <= set(SCRIPT_WORDS)
    assert said


@pytest.mark.parametrize(
    ("language", "turn"), [("de", "Mia ist dran"), ("sv", "Mia står på tur"), ("en", "Mia's turn")]
)
def test_a_screen_speaks_the_language_it_chose(session: Session, language: str, turn: str) -> None:
    """The choice is kept by the screen, and beats the browser's own language."""
    session.create_game(NAMES, 0)
    play(session, "deal 3")
    client = create_app(session, settings=WebSettings()).test_client()
    client.post("/language", data={"language": language}, headers={"Origin": "http://localhost"})
    page = client.get("/table", headers={"Accept-Language": "fr"}).get_data(as_text=True)
    assert f'<html lang="{language}"' in page
    assert turn in page.replace("&#39;", "'")


def test_errors_are_translated_by_template_with_players_names(session: Session) -> None:
    """A sentence of the rules is said in the screen's language, with names for seats."""
    app = create_app(session)
    error = IllegalMove("It is not {seat}'s turn: {to} is next.", seat=2, to=0)
    with app.test_request_context(headers={"Accept-Language": "de"}):
        assert error_sentence(error, NAMES) == "Ida ist nicht dran: Mia ist an der Reihe."
        assert translate("no such sentence") == "no such sentence"


@pytest.mark.parametrize("language", LANGUAGES)
def test_counted_things_agree_with_their_number(session: Session, language: str) -> None:
    """One card is a card, several are cards, in the forms that each language has for them."""
    app = create_app(session)
    with app.test_request_context(headers={"Accept-Language": language}):
        said = {cards: sentence(move_words(SetHand(0, cards), NAMES)) for cards in (1, 2)}
    forms = {cards: text.replace(str(cards), "#") for cards, text in said.items()}
    if language != "sv":  # "kort" is one and many
        assert forms[1] != forms[2]


def test_no_sentence_that_counts_has_one_form_only() -> None:
    """`{cards} cards` in a sentence of the session or the screens has its form for one, or it says 1 card."""
    counted = re.compile(r"(\{(?:cards|count|num)\}|%\((?:cards|count|num)\)s) \w+s\b")
    shown = [message for message in messages() if isinstance(message, str) and counted.search(message)]
    always_several = {
        "All {cards} cards of the kind {kind} lie in the discard pile already: look at the card again, or correct "
        "what lies in the discard pile.",
        "That makes {cards} cards of the kind {kind}, {discarded} of them in the discard pile, and the deck has only "
        "{deck}: count again, or correct what lies in the discard pile.",
        "All {count} places are in the picture: ready to play.",
        "All {count} places are in the picture, but nobody's hands were looked at: you can play so; the step Hands "
        "makes it surer.",
        "This state has {cards} cards and the deck has {deck}: copy the whole line as it was written.",
        "{seat} cheated {cards} cards away unseen.",  # has a sentence of its own for 1
    }
    assert [message for message in shown if message not in always_several] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_words_are_no_words_in_every_language(session: Session, language: str) -> None:
    """An empty sentence is not the head of the catalog; and to undo is not to go back."""
    with create_app(session).test_request_context(headers={"Accept-Language": language}):
        assert translate("") == ""
        assert translate("Undo") != translate("Back")


def test_kinds_of_cards_are_named_in_the_screens_language(session: Session) -> None:
    """A refused count speaks of spiders in German too."""
    session.create_game(NAMES, 0)
    play(session, "deal 3", "play 0 4", "out 0")
    client = create_app(session, settings=WebSettings()).test_client()
    answer = client.post(
        "/moves",
        json={"move": "count 1 spider=6", "seq": session.seq},
        headers={"Origin": "http://localhost", "X-Role": "table", "Accept-Language": "de"},
    )
    assert answer.status_code == 422
    assert "Karten der Art Spinne" in answer.get_json()["sentence"]
