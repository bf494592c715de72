"""Sentences for people as a template and its parameters, so that the screen can say them in its own language."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

Param: TypeAlias = "str | int | Words"


@dataclass(frozen=True, slots=True)
class Words:
    """One sentence: the English template, which is the key of its translation, and what fills its places."""

    template: str
    params: Mapping[str, Param] = field(default_factory=dict)
    """Names and numbers as they are; `Words` (the name of a card, say) are translated first."""

    def __str__(self) -> str:
        """Return the English sentence."""
        return self.template.format(**{name: str(value) for name, value in self.params.items()})


def say(template: str, **params: Param) -> Words:
    """Build the sentence from its template and parameters."""
    return Words(template, params)
