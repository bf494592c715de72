"""Who may do what. Anybody with a seat, and the tablet on the table, enters plays; "Caught!" is the Guard's."""

from companion.rules.moves import Accuse, Dismiss, Move, SetGuard, Uphold, Withdraw
from companion.rules.state import RUNNING, Phase, State
from companion.session.errors import NotYours
from companion.session.game import Folded, Game
from companion.session.views import Viewer


def refusal(folded: Folded, game: Game, state: State, viewer: Viewer, move: Move) -> NotYours | None:
    """Return why this viewer may not enter the move in this state, or None when it may.

    The Guard's viewer alone calls "Caught!"; the table's tablet does while nobody has claimed the Guard's seat. What
    a call came to, and a corrected Guard, are entered by the Guard or on the tablet: a cheater could end the dispute,
    or look at the flags as Guard, from a phone that nobody else sees.
    """
    if not may_play(viewer):
        return NotYours("Choose your seat first: then you can enter plays on this screen.")
    if viewer.seat == state.guard:
        return None
    guard = game.players[state.guard]
    match move:
        case Accuse() if not (viewer.table and folded.claim_of(state.guard) is None):
            return NotYours('Only the Guard calls "Caught!": that is {guard}, on the Guard\'s screen.', guard=guard)
        case Uphold() | Dismiss() | Withdraw() if not viewer.table:
            return NotYours("The Guard settles the accusation: {guard} does, or enter it on the tablet.", guard=guard)
        case SetGuard() if not viewer.table:
            return NotYours("Only {guard}, who is the Guard, or the tablet can correct who the Guard is.", guard=guard)
        case _:
            return None


def undo_refusal(folded: Folded, game: Game, viewer: Viewer) -> NotYours | None:
    """Return why this viewer may not undo the last move, or None: who may enter a move may undo it.

    A call is undone by who may withdraw it.
    """
    if not game.steps:
        return None
    before = game.steps[-2].state if len(game.steps) > 1 else game.start
    last = game.steps[-1].move
    return refusal(folded, game, before, viewer, Withdraw() if isinstance(last, Accuse) else last)


def corrections_for(folded: Folded, game: Game, viewer: Viewer) -> tuple[str, ...]:
    """Return what this viewer may set right now: `top turn guard hand draw discard`; nothing where play is over."""
    state = game.state
    if state.phase not in RUNNING or not may_play(viewer):
        return ()
    dealt = ("top", "discard") if state.top else ()
    guard = ("guard",) if refusal(folded, game, state, viewer, SetGuard(state.guard)) is None else ()
    return (*dealt, "turn", *guard, "hand", "draw")


def new_game_refusal(folded: Folded, viewer: Viewer | None) -> NotYours | None:
    """Return why this viewer may not set up a new game, or None: while a game is on, only who plays it may end it.

    No viewer is the machine itself, which may.
    """
    if viewer is None or may_play(viewer) or folded.game is None or folded.game.state.phase is Phase.GAME_OVER:
        return None
    return NotYours(
        "A game is on: set up a new one from the menu of the tablet on the table, or choose your seat first."
    )


def may_play(viewer: Viewer) -> bool:
    """Say whether this viewer enters plays at all: a phone at a seat or the table's tablet."""
    return viewer.table or viewer.seat is not None


def sees_flags(folded: Folded, game: Game, viewer: Viewer, *, opened: bool) -> bool:
    """Say whether this viewer may see flags, clips and rulings now.

    The phone at the present Guard's seat may; the table's tablet where its user has ``opened`` the Guard's part,
    only as long as nobody has claimed that seat.
    """
    guard = game.state.guard
    if viewer.seat == guard:
        return True
    return viewer.table and opened and folded.claim_of(guard) is None
