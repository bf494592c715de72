"""What a settled call comes to, step by step: who takes which card, who becomes the Guard, who goes on. Pure.

The verdict has changed the game already. What is walked through here is what hands and cards on the table have still to
do; any screen confirms a step, for all of them happen in everybody's sight.
"""

from companion.rules.moves import Dismiss, Uphold
from companion.rules.state import Accusation, Phase, State
from companion.session.amend import Amending, allowed
from companion.session.errors import NotYours, StaleTap
from companion.session.game import Folded, Game
from companion.session.rights import may_play
from companion.session.sentences import card_words
from companion.session.taps import Planned, game_of
from companion.session.views import ConsequenceStep, ConsequenceView, Viewer
from companion.session.words import Words, say, say_count


def consequence_of(folded: Folded, game: Game, viewer: Viewer) -> ConsequenceView | None:
    """Return the steps of the call that was settled last, until they are all done; None when there is nothing to do."""
    steps = _steps(game)
    done = _done(game)
    if not steps or done >= len(steps):
        return None
    true = isinstance(game.steps[-1].move, Uphold)
    dispute = _before(game).pending
    return ConsequenceView(
        accused=dispute.seat if isinstance(dispute, Accusation) else 0,
        seq=game.steps[-1].seq,
        true=true,
        steps=steps,
        done=done,
        then=_then(game, true=true),
        amendments=allowed(folded, game, viewer, _otherwise(game)),
        may_confirm=may_play(viewer),
    )


def plan_confirm(folded: Folded, seq: int, seen: int, done: int, by: Viewer) -> Planned | None:
    """Plan that ``done`` steps are done, where the screen showed ``seen``; None when another screen said so already.

    Raises NotYours for a screen without a seat, and StaleTap when the game has gone on.
    """
    game = game_of(folded)
    if not may_play(by):
        raise NotYours("Choose your seat first: then you can enter plays on this screen.")
    steps, so_far = _steps(game), _done(game)
    if not steps or game.steps[-1].seq != seq:
        raise StaleTap("Somebody was faster ({what}): look at the screen again, then tap.", what=say("play goes on"))
    wanted = max(0, min(done, len(steps)))
    if wanted == so_far or seen != so_far:
        return None
    return Planned("walked", {"seq": seq, "done": wanted})


def carried_over(before: Game, after: Game) -> Planned | None:
    """Plan that what was done for one verdict stays done for the one that replaced it."""
    steps = _steps(after)
    kept = 0
    for old, new in zip(_steps(before)[: _done(before)], steps, strict=False):
        if old != new:
            break
        kept += 1
    return Planned("walked", {"seq": after.steps[-1].seq, "done": kept}) if kept else None


def _done(game: Game) -> int:
    walked = game.walked
    return walked.done if walked and game.steps and walked.seq == game.steps[-1].seq else 0


def _steps(game: Game) -> tuple[ConsequenceStep, ...]:
    """Return what is done by hand after the last move, if that settled a call."""
    if not game.steps:
        return ()
    before, after, names = _before(game), game.state, game.players
    match game.steps[-1].move:
        case Uphold(cards=cards) if isinstance(before.pending, Accusation):
            return _true_steps(before.guard, before.pending.seat, cards, names)
        case Dismiss() if sum(after.hands) > sum(before.hands):
            shuffled = _step(
                "shuffle", before.guard, say("Shuffle the discard pile without its top card: it is the new draw pile")
            )
            drawn = _step(
                "draw", before.guard, say("{name} draws one card from the draw pile", name=names[before.guard])
            )
            return (drawn,) if before.draw_pile else (shuffled, drawn)
        case _:
            return ()


def _true_steps(guard: int, cheater: int, cards: int, names: tuple[str, ...]) -> tuple[ConsequenceStep, ...]:
    taken = _step("take_back", cheater, say("{name} takes the card back into the hand", name=names[cheater]))
    given = _step(
        "hand_over",
        guard,
        say_count(
            "{name} gives {to} {cards} card from the hand, but no moth",
            "{name} gives {to} {cards} cards from the hand, but no moth",
            cards,
            name=names[guard],
            to=names[cheater],
            cards=cards,
        ),
        to=cheater,
        cards=cards,
    )
    becomes = _step(
        "guard",
        cheater,
        say("{name} gets the Guard Bug and is the Guard for the rest of the round", name=names[cheater]),
    )
    return (taken, given, becomes) if cards else (taken, becomes)


def _before(game: Game) -> State:
    return game.steps[-2].state if len(game.steps) > 1 else game.start


def _step(what: str, seat: int, words: Words, *, to: int | None = None, cards: int = 0) -> ConsequenceStep:
    return ConsequenceStep(what=what, seat=seat, to=to, cards=cards, words=words)


def _then(game: Game, *, true: bool) -> tuple[Words, ...]:
    state, names = game.state, game.players
    stays = () if true else (say("{name} stays the Guard", name=names[state.guard]),)
    return (*stays, _goes_on(state, names))


def _goes_on(state: State, names: tuple[str, ...]) -> Words:
    if state.phase is Phase.COUNT:
        out = next((name for name, hand in zip(names, state.hands, strict=True) if hand == 0), "")
        return say("{name} has no cards left: the round is over", name=out)
    if state.phase is Phase.TURN or state.top is None:
        return say("Play goes on: it is {name}'s turn", name=names[state.turn])
    return say("Play goes on with {name}'s card: {card}", name=names[state.turn], card=card_words(state.top))


def _otherwise(game: Game) -> tuple[Amending, ...]:
    """Return what else the call may have come to."""
    before = _before(game)
    match game.steps[-1].move:
        case Uphold(cards=cards) if isinstance(before.pending, Accusation):
            guard = game.players[before.guard]
            fewer = tuple(
                Amending(1, (f"uphold {fewer}",), _fewer_words(fewer, guard)) for fewer in reversed(range(cards))
            )
            return (*fewer, Amending(1, ("dismiss",), say("It was false after all")))
        case Dismiss() if isinstance(before.pending, Accusation):
            most = min(before.house.caught_gift, before.hands[before.guard])
            return (Amending(1, (f"uphold {most}",), say("It was true after all")),)
        case _:
            return ()


def _fewer_words(cards: int, guard: str) -> Words:
    if not cards:
        return say("{name} has only moths and gives none", name=guard)
    return say_count(
        "{name} can give only {cards} card", "{name} can give only {cards} cards", cards, name=guard, cards=cards
    )
