"""What can be wrong with a tap, a claim or a report; each sentence says what to do next."""

from companion.errors import CompanionError


class StaleTap(CompanionError):
    """The game went on before this tap arrived; nothing was changed by it."""


class NotYours(CompanionError):
    """This screen may not do that."""


class SeatTaken(CompanionError):
    """Another phone has this seat."""


class NoGame(CompanionError):
    """No game has been set up yet."""


class NotThere(CompanionError):
    """What the request names (a seat, a flag, a game) does not exist, or does not any more."""


class BadPlayers(CompanionError):
    """Names or places at the table do not make a game."""


class UnreadableJournal(CompanionError):
    """An entry of the journal cannot be replayed by this version."""
