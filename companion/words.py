"""Sentences for people as a template and its parameters, so that each screen can say them in its own language."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

SEAT_PLACES: Final = frozenset({"seat", "to"})
"""Places in a sentence of the vision that hold a seat number."""


@dataclass(frozen=True, slots=True)
class Words:
    """One sentence: the English template, which is the key of its translation, and what fills its places."""

    template: str
    params: "Mapping[str, str | int | float | Words]" = field(default_factory=dict)
    """Names and whole numbers as they are; other numbers get the language's decimal sign; `Words` (the name of a card,
    say) are translated first."""
    plural: str = ""
    """The English template for several, of a sentence that counts something; the first is for one."""
    count: int = 1
    """How many it counts: each language chooses among its own forms by this."""

    def __str__(self) -> str:
        """Return the English sentence."""
        template = self.plural if self.plural and self.count != 1 else self.template
        return template.format(**{name: str(value) for name, value in self.params.items()})


Param = str | int | float | Words


def say(template: str, **params: Param) -> Words:
    """Build the sentence from its template and parameters."""
    return Words(template, params)


def say_count(one: str, several: str, number: int, **params: Param) -> Words:
    """Build a sentence that counts: ``one`` is its template for 1, ``several`` for all other numbers."""
    return Words(one, params, plural=several, count=number)


def as_said(sentence: str) -> Words:
    """Return somebody else's sentence as it is: what stands in braces there is no place to be filled."""
    return Words(sentence.replace("{", "(").replace("}", ")"))


def spoken(sentences: Iterable[Words]) -> str:
    """Return sentences in English, one after the other."""
    return " ".join(map(str, sentences))


def seats_filled(words: Words, name: Callable[[int], str | int]) -> Words:
    """Return a sentence of the vision with what ``name`` calls a seat in the places that hold seat numbers."""
    filled = {
        place: name(value) if place in SEAT_PLACES and isinstance(value, int) else value
        for place, value in words.params.items()
    }
    return replace(words, params=filled)


def words_json(words: Words) -> dict[str, Any]:
    """Return the JSON value of a sentence, as the journal keeps it."""
    params = {name: words_json(value) if isinstance(value, Words) else value for name, value in words.params.items()}
    counted = {"plural": words.plural, "count": words.count} if words.plural else {}
    return {"template": words.template, "params": params, **counted}


def words_of(value: Any) -> Words:
    """Read a sentence's JSON value; plain text, as earlier versions wrote it, is taken as said."""
    if isinstance(value, str):
        return as_said(value)
    params = {name: words_of(one) if isinstance(one, Mapping) else one for name, one in value["params"].items()}
    return Words(str(value["template"]), params, str(value.get("plural", "")), int(value.get("count", 1)))
