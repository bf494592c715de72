"""Letters as people count them: an emoji of a family is one, though it is many code points."""

import unicodedata
from collections.abc import Iterable

import regex

_LETTER = regex.compile(r"\X")  # UAX #29: extended grapheme cluster
_JOINERS = "\u200c\u200d"
"""What joins the parts of an emoji, and letters of Persian and Indian names."""
_TAGS = frozenset(map(chr, range(0xE0020, 0xE0080)))
"""What makes a flag that of a country without a code of its own."""
_ISOLATE, _ISOLATE_ENDS = "\u2068", "\u2069"
_RIGHT_TO_LEFT = frozenset({"R", "AL", "AN"})


def letters(text: str) -> list[str]:
    """Return the letters of a text, as people see them."""
    return _LETTER.findall(text)


def cut(text: str, most: int) -> str:
    """Return no more than so many letters from the beginning of a text."""
    return "".join(letters(text)[:most])


def breadth(text: str) -> int:
    """Return how broad a text is, in Latin letters: an emoji or a Chinese letter takes the room of two."""
    return sum(2 if unicodedata.east_asian_width(letter[0]) in "WF" else 1 for letter in letters(text))


def isolated(text: str) -> str:
    """Return a text for a place in a sentence: one that is written from right to left moves no number beside it.

    UAX #9: without the marks a number right after a Hebrew or Arabic name counts as a part of it and goes to its left.
    """
    if _ISOLATE in text or not any(unicodedata.bidirectional(char) in _RIGHT_TO_LEFT for char in text):
        return text
    return f"{_ISOLATE}{text}{_ISOLATE_ENDS}"


def listed(texts: Iterable[str], between: str = ", ") -> str:
    """Return texts one after the other for a place in a sentence, each of them isolated."""
    return between.join(map(isolated, texts))


def one_line(text: str) -> str:
    """Return a text as one line with single spaces, without what cannot be seen and belongs to no letter."""
    shown = "".join(_shown(char) for char in text)
    words = (word.strip(_JOINERS) for word in unicodedata.normalize("NFC", shown).split())
    return " ".join(word for word in words if word)


def unlike(text: str) -> str:
    """Return what tells a name from another: neither capitals nor what is not seen."""
    return "".join(char for char in text.casefold() if char not in _JOINERS and char not in _TAGS)


def _shown(char: str) -> str:
    if char in _JOINERS or char in _TAGS:
        return char
    category = unicodedata.category(char)
    return " " if category == "Cc" else "" if category in {"Cf", "Cs"} else char
