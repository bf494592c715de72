"""The sentences of the session; see `companion.words`."""

from companion.words import Param, Words, say, say_count

__all__ = ["Param", "Words", "say", "say_count"]
