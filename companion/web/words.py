"""Words: the language of a screen, its catalogs, and sentences that came as a template with parameters."""

import io
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import cache
from typing import Any

from babel.dates import format_date, format_time, get_datetime_format
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.numbers import format_decimal
from babel.support import NullTranslations, Translations
from flask import Flask, g, request
from flask_babel import Babel, Domain, get_locale
from jinja2 import pass_context
from jinja2.runtime import Context

from companion import assets
from companion.errors import CompanionError
from companion.letters import breadth, isolated, listed
from companion.rules.cards import Card
from companion.words import Param, Words

LANGUAGES = {
    "en": "English",
    "de": "Deutsch",
    "fr": "Français",
    "nl": "Nederlands",
    "es": "Español",
    "sv": "Svenska",
}
LANGUAGE_COOKIE = "moth_language"

SEAT_PARAMS = frozenset({"seat", "to", "giver", "receiver", "accused", "guard", "turn", "by", "player"})
"""Places in the rules' sentences that hold a seat number; a person reads the player's name there."""


def mark(template: str) -> str:
    """Mark a sentence for translation; it is translated where it is shown."""
    return template


SCRIPT_WORDS = (
    mark("Somebody was faster. Look again."),
    mark("Your last tap is still on its way."),
    mark("That was a lot of taps. Wait a moment."),
    mark("That did not work. Try again."),
    mark("No connection. Your tap is kept and sent as soon as it is back."),
    mark("No connection. This screen comes back by itself."),
    mark("It takes three players at least."),
    mark("Every player needs a name."),
    mark("Picture {number} of {all}"),
    mark("{ms} ms before"),
    mark("{ms} ms after"),
    mark("This screen may go dark by itself. The menu says what helps."),
)
"""What the scripts say; the page carries them in the screen's language."""

CARD_WORDS = {
    "number": mark("number {number}"),
    "spider": mark("spider {number}"),
    "ant": mark("ant {number}"),
    "cockroach": mark("cockroach {number}"),
    "mosquito": mark("mosquito {number}"),
    "moth": mark("moth {number}"),
}


def speak(app: Flask) -> None:
    """Give an app its languages, chosen per screen: by its own choice, else by the browser's."""
    _Babel(app, locale_selector=chosen_language, default_locale="en")
    app.jinja_env.globals.update(
        languages=LANGUAGES,
        language=language,
        script_words=lambda: {word: translate(word) for word in SCRIPT_WORDS},
        card_words=card_words,
    )
    app.jinja_env.filters["words"] = sentence
    # flask-babel looks its domain up anew for each of a page's hundred words; these ask the catalog at once.
    app.jinja_env.install_gettext_callables(translate, translate_count, newstyle=True)  # type: ignore[attr-defined]
    spoken: dict[str, Any] = app.jinja_env.globals
    spoken.update({name: _with_isolated_places(spoken[name]) for name in ("gettext", "ngettext")})
    app.jinja_env.filters["listed"] = listed
    app.jinja_env.filters["decimal"] = number
    app.jinja_env.filters["breadth"] = breadth


def _with_isolated_places(spoken: Callable[..., str]) -> Callable[..., str]:
    """Return jinja's gettext with names isolated in the places that a template fills."""

    @pass_context
    def say_in(context: Context, *templates: object, **places: object) -> str:
        return spoken(context, *templates, **{name: _isolated_place(value) for name, value in places.items()})

    return say_in


def _isolated_place(value: object) -> object:
    return isolated(value) if type(value) is str else value


def language() -> str:
    """Return the language of the page that is being made."""
    if "moth_language" not in g:
        g.moth_language = str(get_locale() or "en")
    found: str = g.moth_language
    return found


def chosen_language() -> str:
    """Return the language code of the screen that asks."""
    chosen = request.cookies.get(LANGUAGE_COOKIE, "")
    if chosen in LANGUAGES:
        return chosen
    return request.accept_languages.best_match(list(LANGUAGES)) or "en"


def translate(template: str) -> str:
    """Return a template in the language of the page; its places stay open."""
    # The key "" is a catalog's head, which is nobody's sentence.
    return str(read_catalog(language()).ugettext(template)) if template else ""


def translate_count(one: str, several: str, number: int) -> str:
    """Return the form of a template that fits a number in the language of the page; its places stay open."""
    return str(read_catalog(language()).ungettext(one, several, number))


def card_words(kind: str, number: int) -> str:
    """Name a card in the language of the page."""
    return translate(CARD_WORDS[kind]).format(number=number)


def sentence(words: Words) -> str:
    """Say words in the language of the page; the words in their places are translated first."""
    template = translate_count(words.template, words.plural, words.count) if words.plural else translate(words.template)
    return template.format(**{name: _said(value) for name, value in words.params.items()})


def _said(value: Param) -> str:
    if isinstance(value, Words):
        return sentence(value)
    return number(value) if isinstance(value, float) else isolated(str(value))


def number(value: float, digits: int | None = None) -> str:
    """Write a number with the decimal sign of the page's language, with so many digits after it if they are given."""
    pattern = None if digits is None else f"0.{'0' * digits}"
    return str(format_decimal(value, format=pattern, locale=language()))


def moment_words(moment: datetime) -> str:
    """Write a day and its time as the page's language does, without seconds; English as in Britain."""
    locale = "en_GB" if language() == "en" else language()
    both = str(get_datetime_format("medium", locale=locale))
    time = format_time(moment, "short", tzinfo=moment.tzinfo, locale=locale)
    return both.replace("{1}", format_date(moment, "medium", locale=locale)).replace("{0}", time).replace("'", "")


def error_sentence(error: CompanionError, names: Sequence[str] = ()) -> str:
    """Say an error in the language of the page, with players' names where the rules know seat numbers only."""
    places = {name: _spoken(name, value, names) for name, value in error.params.items()}
    return translate(error.template).format(**places)


def _spoken(name: str, value: object, names: Sequence[str]) -> object:
    if name in SEAT_PARAMS and isinstance(value, int) and 0 <= value < len(names):
        return isolated(names[value])
    if isinstance(value, Card):
        return card_words(value.kind, value.number)
    if isinstance(value, Words):
        return sentence(value)
    return isolated(value) if isinstance(value, str) else value


class _CatalogDomain(Domain):  # type: ignore[misc]
    """Read catalogs from their .po text, so that no compiled file has to be built or committed."""

    def get_translations(self) -> NullTranslations:
        return read_catalog(language())


class _Babel(Babel):  # type: ignore[misc]
    domain_instance = _CatalogDomain()


@cache
def read_catalog(language: str) -> NullTranslations:
    """Return the translations of a language; English is its own key."""
    path = assets.WEB_UI / "translations" / f"{language}.po"
    if not path.is_file():
        return NullTranslations()
    with path.open("rb") as text:
        catalog = read_po(text, locale=language)
    compiled = io.BytesIO()
    write_mo(compiled, catalog)
    compiled.seek(0)
    return Translations(compiled)
