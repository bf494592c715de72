"""Words: the language of a screen, catalogs, and the sentences of errors."""

import io
from functools import cache

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.support import NullTranslations, Translations
from flask import Flask, request
from flask_babel import Babel, Domain, get_locale

from companion import assets

LANGUAGES = {
    "en": "English",
    "de": "Deutsch",
    "fr": "Français",
    "nl": "Nederlands",
    "es": "Español",
    "sv": "Svenska",
}
LANGUAGE_COOKIE = "moth_language"


def speak(app: Flask) -> None:
    """Give an app its languages, chosen per screen: by its own choice, else by the browser's."""
    _Babel(app, locale_selector=chosen_language, default_locale="en")
    app.jinja_env.globals.update(languages=LANGUAGES, language=lambda: str(get_locale() or "en"))


def chosen_language() -> str:
    """Return the language code of the screen that asks."""
    chosen = request.cookies.get(LANGUAGE_COOKIE, "")
    if chosen in LANGUAGES:
        return chosen
    return request.accept_languages.best_match(list(LANGUAGES)) or "en"


class _CatalogDomain(Domain):  # type: ignore[misc]
    """Read catalogs from their .po text, so that no compiled file has to be built or committed."""

    def get_translations(self) -> NullTranslations:
        return read_catalog(str(get_locale() or "en"))


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
