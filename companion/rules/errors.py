"""What can be wrong with a move, a state's text or a game's set-up."""

from companion.errors import CompanionError


class IllegalMove(CompanionError):
    """The move can be read, but the rules do not allow it now; the sentence says what to do next."""


class UnreadableMove(CompanionError):
    """The text is no move (or no state); the sentence says what is expected instead."""


class BadSetUp(CompanionError):
    """The number of players, the oldest player or a house rule does not fit the game."""
