"""Letters as people count them: an emoji of a family is one, though it is many code points."""

import unicodedata

import regex

_LETTER = regex.compile(r"\X")  # UAX #29: extended grapheme cluster
_JOINERS = "\u200c\u200d"
"""What joins the parts of an emoji, and letters of Persian and Indian names."""
_TAGS = frozenset(map(chr, range(0xE0020, 0xE0080)))
"""What makes a flag that of a country without a code of its own."""


def letters(text: str) -> list[str]:
    """Return the letters of a text, as people see them."""
    return _LETTER.findall(text)


def cut(text: str, most: int) -> str:
    """Return no more than so many letters from the beginning of a text."""
    return "".join(letters(text)[:most])


def breadth(text: str) -> int:
    """Return how broad a text is, in Latin letters: an emoji or a Chinese letter takes the room of two."""
    return sum(2 if unicodedata.east_asian_width(letter[0]) in "WF" else 1 for letter in letters(text))


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
