"""What became of a flag: the later of the Guard's ruling and the outcome of the accusation it was called with."""

from companion.rules.moves import Dismiss, Uphold, Withdraw
from companion.session.cameraviews import Verdict
from companion.session.game import Flag, Game, Step


def verdict_of(game: Game, flag: Flag) -> Verdict:
    """Return the verdict on the flag as the game stands; an undone accusation settles nothing."""
    settled, at = _by_accusation(game, flag)
    ruling = flag.ruling or Verdict.OPEN
    return settled if settled is not None and at > flag.ruled else ruling


def _by_accusation(game: Game, flag: Flag) -> tuple[Verdict | None, int]:
    """Return the accusation's verdict, and the journal entry that brought it."""
    after = _steps_from(game, flag.accusation)
    if not after:
        return None, 0
    for step in after[1:]:
        match step.move:
            case Uphold():
                return Verdict.CAUGHT, step.entry
            case Dismiss():
                return Verdict.INNOCENT, step.entry
            case Withdraw():
                return None, 0
            case _:
                continue
    return Verdict.ACCUSED, after[0].entry


def _steps_from(game: Game, entry: int | None) -> tuple[Step, ...]:
    for index in range(len(game.steps) - 1, -1, -1):
        if game.steps[index].entry == entry:
            return game.steps[index:]
        if entry is None or game.steps[index].entry < entry:
            break
    return ()
