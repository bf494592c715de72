""" "Caught!" was called and the Guard is choosing whom: nobody plays meanwhile. Beside the game; a restart ends it."""

from dataclasses import dataclass

from companion.rules.engine import explain
from companion.rules.errors import IllegalMove
from companion.rules.moves import Accuse, Withdraw
from companion.session.game import Folded, Game
from companion.session.options import with_names
from companion.session.rights import refusal
from companion.session.settings import SETTINGS
from companion.session.views import ChoosingView, Viewer


@dataclass(frozen=True, slots=True)
class Choosing:
    """A call without a culprit yet; it stands at one ``seq``, so that whatever changes the game ends it."""

    seq: int
    until_ns: int
    """On the session's clock: a phone that vanishes does not hold up the game for ever."""

    def stands(self, folded: Folded, now_ns: int) -> bool:
        """Say whether the Guard is still choosing."""
        return folded.seq == self.seq and now_ns < self.until_ns


def begin(folded: Folded, game: Game, by: Viewer, now_ns: int) -> Choosing:
    """Return the call that this viewer begins now. Raises NotYours or IllegalMove where it may not accuse anybody."""
    state = game.state
    call = Accuse(state.left_of(state.guard))
    denied = refusal(folded, game, state, by, call)
    if denied:
        raise denied
    wrong = explain(state, call)
    if wrong:
        words = with_names(wrong, game.players)
        raise IllegalMove(words.template, **words.params)
    return Choosing(folded.seq, now_ns + round(SETTINGS.choosing_s * 1e9))


def frozen(game: Game) -> IllegalMove:
    """Return what a move is refused with while the Guard chooses."""
    return IllegalMove(
        '{guard} called "Caught!" and is choosing whom: nobody plays until that is done or taken back.',
        guard=game.players[game.state.guard],
    )


def choosing_view(folded: Folded, game: Game, viewer: Viewer) -> ChoosingView:
    """Return what this viewer may do about it."""
    state = game.state
    call = Accuse(state.left_of(state.guard))
    return ChoosingView(
        may_choose=refusal(folded, game, state, viewer, call) is None,
        may_take_back=refusal(folded, game, state, viewer, Withdraw()) is None,
    )
