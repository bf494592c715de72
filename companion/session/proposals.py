"""What the camera proposes for a mosquito or a cockroach, for the screens; nothing counts until it is confirmed."""

from collections.abc import Sequence
from typing import Final

from companion.letters import listed
from companion.rules.cards import Kind
from companion.rules.moves import Gift, GiftsAll, NoGift, Play, Slaps
from companion.rules.state import Gifts, Phase
from companion.session.cameraviews import SlapProposal, SlapView
from companion.session.game import Game, Step, TimedSlaps
from companion.session.views import GiftsView
from companion.watcher.messages import NOT_WATCHED
from companion.words import Words, say, seats_filled

_TIMED: Final = {Phase.MOSQUITO: Kind.MOSQUITO, Phase.COCKROACH: Kind.COCKROACH}


def timed_card_of(game: Game) -> Step | None:
    """Return the step that played the mosquito or the cockroach that is being settled; None when none is."""
    kind = _TIMED.get(game.state.phase)
    plays = (step for step in reversed(game.steps) if isinstance(step.move, Play))
    step = next(plays, None) if kind else None
    return step if step and isinstance(step.move, Play) and step.move.card.kind is kind else None


def proposal_of(game: Game) -> SlapProposal | None:
    """Return what the camera proposes for the card that is being settled; None before it has answered."""
    card, timed = timed_card_of(game), game.slaps
    if card is None or timed is None or timed.seq != card.seq:
        return None
    candidates = _winners(timed) if timed.race else _slowest(timed)
    cue, agrees = (None, None) if timed.race else _cue(timed, game.players)
    clip = game.slaps_clip
    moves = {} if timed.race else {slap.seat: _ranking(timed, slap.seat) for slap in timed.order}
    return SlapProposal(
        race=timed.race,
        order=_order(timed, game.players, moves),
        first=timed.first,
        last=timed.last,
        too_close=timed.too_close,
        candidates=candidates,
        move=moves.get(candidates[0]) if len(candidates) == 1 else None,
        words=_words(timed, candidates, game.players),
        cue=cue,
        cue_agrees=agrees,
        reasons=tuple(seats_filled(reason, game.players.__getitem__) for reason in timed.reasons),
        clip=clip.folder if clip and clip.seq == card.seq else None,
        pile_px=timed.pile_px,
    )


def gifts_of(game: Game) -> GiftsView | None:
    """Return the gifts that the last move settled, for the table to see who gives whom; None after the next move."""
    given: list[int] = []
    without: list[int] = []
    for place in range(len(game.steps) - 1, -1, -1):
        move = game.steps[place].move
        before = game.steps[place - 1].state.pending if place else None
        match move:
            case GiftsAll():
                given += before.givers if isinstance(before, Gifts) else ()
            case Gift(seat=seat):
                given.append(seat)
            case NoGift(seat=seat):
                without.append(seat)
            case Slaps(order=order) if order and (given or without):
                return GiftsView(receiver=order[-1], givers=tuple(sorted(given)), without=tuple(sorted(without)))
            case _:
                return None
    return None


def _order(timed: TimedSlaps, names: Sequence[str], moves: dict[int, str]) -> tuple[SlapView, ...]:
    first = min((slap.at_ns for slap in timed.order if slap.at_ns is not None), default=0)
    return tuple(
        SlapView(
            seat=slap.seat,
            name=names[slap.seat],
            at_ns=slap.at_ns,
            behind_s=None if slap.at_ns is None else (slap.at_ns - first) / 1e9,
            error_s=slap.error_s,
            move=moves.get(slap.seat),
        )
        for slap in timed.order
    )


def _seen(timed: TimedSlaps) -> list[int]:
    return [slap.seat for slap in timed.order if slap.at_ns is not None]


def _slowest(timed: TimedSlaps) -> tuple[int, ...]:
    """Return who may have been the slowest: more than one where the table has to decide.

    A hand that was not seen was not there, and then slowest by the rules, or the camera missed it: nobody but the table
    knows; of several such hands nothing says which one it was, and nobody is named. A hand on top that is not the last
    by its time is shown too.
    """
    seen = _seen(timed)
    if not seen or _nothing_separates(timed):
        return ()
    maybe = [timed.last] if timed.last is not None else [*reversed(seen[-2:])]
    if timed.top is not None:
        maybe.append(timed.top)
    maybe += _unseen(timed)
    return tuple(dict.fromkeys(maybe))


def _unseen(timed: TimedSlaps) -> list[int]:
    return [slap.seat for slap in timed.order if slap.at_ns is None]


def _nothing_separates(timed: TimedSlaps) -> bool:
    """Two hands or more were not seen: each of them may have been the slowest."""
    return not timed.race and len(_unseen(timed)) > 1


def _winners(timed: TimedSlaps) -> tuple[int, ...]:
    seen = _seen(timed)
    return (timed.first,) if timed.first is not None else tuple(seen[:2])


def _ranking(timed: TimedSlaps, last: int) -> str:
    """Return the move that makes a seat the slowest and keeps the order of the others that were seen."""
    return " ".join(["slaps", *(str(seat) for seat in _seen(timed) if seat != last), str(last)])


def _words(timed: TimedSlaps, candidates: tuple[int, ...], names: Sequence[str]) -> Words:
    """Say in one sentence what the camera makes of it."""
    seen = _seen(timed)
    if not seen:
        return _nothing_seen(timed)
    if timed.race:
        if timed.first is None:
            return say("Too close to call: {name} or {other}?", name=names[seen[0]], other=names[seen[1]])
        return say("The camera saw {name} first.", name=names[timed.first])
    if _unseen(timed):
        return _some_unseen(timed, names)
    if timed.last is None and len(seen) > 1:
        return say("Too close to call: {name} or {other}?", name=names[seen[-1]], other=names[seen[-2]])
    return say("The camera saw {name} last.", name=names[candidates[0]])


def _nothing_seen(timed: TimedSlaps) -> Words:
    if any(reason.template in NOT_WATCHED for reason in timed.reasons):
        return say("The camera was not watching: decide yourselves.")
    return say("The camera saw no hand reach the pile: decide yourselves.")


def _some_unseen(timed: TimedSlaps, names: Sequence[str]) -> Words:
    missing = listed(names[seat] for seat in _unseen(timed))
    if _nothing_separates(timed):
        return say("The camera did not see {names} and cannot tell: tap who was last.", names=missing)
    seen = _seen(timed)
    if timed.last is None and len(seen) > 1:
        return say("Too close to call: {name} or {other}?", name=names[seen[-1]], other=names[seen[-2]])
    return say("The camera did not see {names} slap. If that is so: the slowest!", names=missing)


def _cue(timed: TimedSlaps, names: Sequence[str]) -> tuple[Words | None, bool | None]:
    """Say what the picture at the end shows, apart from the times, and whether it agrees."""
    seen = _seen(timed)
    if not seen or timed.top is None:
        return None, None
    alone = _nothing_separates(timed)  # nobody is named whom the hand on top could bear out
    if not alone and timed.top == (timed.last if timed.last is not None else seen[-1]):
        return say("{name}'s hand also lies on top.", name=names[timed.top]), True
    if alone and timed.top in seen:
        return None, None
    return say("But {name}'s hand seems to lie on top: look at the pictures.", name=names[timed.top]), False
