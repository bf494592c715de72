"""Pictures as markup, from the one sheet of drawings. A page has over a hundred of them, and ten screens are made anew
after each tap, so each is put together once."""

import hashlib
from functools import cache, lru_cache

from flask import request
from markupsafe import Markup

from companion import assets

_MOST_PICTURES = 4096
"""Pictures are few (names by classes); labels are names of players at most."""


def asset(name: str) -> str:
    """Return the address of a static file; it changes with the file, so that browsers may keep it."""
    return f"{request.script_root}/static/{name}?v={_fingerprint(name)}"


def art(name: str, classes: str = "", label: str = "") -> Markup:
    """Return a drawing by its name; without a label it is decoration."""
    return _art(asset("art/bugs.svg"), name, classes, label)


def face(kind: str, number: int, classes: str = "") -> Markup:
    """Return a playing card: the creature (or the number alone) with its number."""
    return _face(asset("art/bugs.svg"), kind, number, classes)


@lru_cache(maxsize=_MOST_PICTURES)
def _art(sheet: str, name: str, classes: str, label: str) -> Markup:
    said = (
        Markup('role="img" aria-label="{}"').format(label) if label else Markup('aria-hidden="true" focusable="false"')
    )
    return Markup('<svg class="art {}" {}><use href="{}#{}"></use></svg>').format(classes, said, sheet, name)


@lru_cache(maxsize=_MOST_PICTURES)
def _face(sheet: str, kind: str, number: int, classes: str) -> Markup:
    if kind == "number":
        drawn = _art(sheet, f"n{number}", "numeral", "")
    else:
        drawn = _art(sheet, f"n{number}", "corner", "") + _art(sheet, kind, "creature", "")
    return Markup('<span class="card {} {}" aria-hidden="true">{}</span>').format(kind, classes, drawn)


@cache
def _fingerprint(name: str) -> str:
    return hashlib.sha256((assets.WEB_UI / "static" / name).read_bytes()).hexdigest()[:10]
