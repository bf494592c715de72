"""The end of a round: what each hand was accounted for, what was in it, and who cheated best."""

from collections.abc import Sequence

from companion.letters import listed
from companion.rules.cards import Counts, Kind
from companion.rules.rounds import counts_so_far
from companion.rules.scoring import outcome, totals
from companion.rules.state import Phase, RoundResult, State
from companion.session.counting import guard_throughout
from companion.session.game import Flag, Game
from companion.session.roundviews import CountView, RevealView, RoundView, Standing
from companion.session.words import Words, say, say_count


def reveal_of(game: Game) -> RevealView | None:
    """Return the counts of the round that has just ended, as far as they are in; None while a round is played."""
    state = game.state
    if state.phase is Phase.COUNT:
        return _unfinished(game, state)
    if state.phase in {Phase.ROUND_OVER, Phase.GAME_OVER}:
        return _finished(game, state.results[-1], state.round)
    return None


def rounds_of(game: Game) -> tuple[RoundView, ...]:
    """Return every finished round with its points and its reveal."""
    state = game.state
    running = [0] * state.seats
    views = []
    for number, result in enumerate(state.results, start=1):
        running = [total + points for total, points in zip(running, result.penalties, strict=True)]
        views.append(
            RoundView(
                round=number,
                points=result.penalties,
                totals=tuple(running),
                out=next((seat for seat, cards in enumerate(result.hands) if cards == 0), None),
                reveal=_finished(game, result, number),
            )
        )
    return tuple(views)


def standings_of(game: Game) -> tuple[Standing, ...]:
    """Return the ranking by total penalty points, lowest first; equal totals share a place."""
    points = totals(game.state)
    ended = outcome(game.state)
    ranked = sorted(range(game.state.seats), key=lambda seat: (points[seat], seat))
    return tuple(
        Standing(
            place=1 + sum(other < points[seat] for other in points),
            seat=seat,
            name=game.players[seat],
            total=points[seat],
            winner=ended is not None and seat in ended.winners,
        )
        for seat in ranked
    )


def _unfinished(game: Game, state: State) -> RevealView:
    entered = counts_so_far(state)
    counts = tuple(
        CountView(
            seat=seat,
            name=game.players[seat],
            accounted=state.hands[seat] + state.vanished[seat],
            true=None if left is None else left.total,
            per_kind=_per_kind(left),
            points=None if left is None else left.penalty,
            unseen=None,
            miscounted=False,
            flags=0,
            calls=state.calls[seat],
            caught=state.caught[seat],
        )
        for seat, left in enumerate(entered)
    )
    return RevealView(
        round=state.round,
        complete=False,
        counts=counts,
        best_cheaters=(),
        words=say("Enter what is left in each hand"),
    )


def _finished(game: Game, result: RoundResult, number: int) -> RevealView:
    guard = guard_throughout(result)  # never cheats: cards that are missing there were not entered
    unseen = tuple(0 if seat == guard else cards for seat, cards in enumerate(result.cheated_unseen))
    raised = _flags_by_seat(game.flags, number, len(result.hands))
    counts = tuple(
        CountView(
            seat=seat,
            name=game.players[seat],
            accounted=result.hands[seat] + result.vanished[seat],
            true=left.total,
            per_kind=_per_kind(left),
            points=left.penalty,
            unseen=unseen[seat],
            miscounted=result.miscounted[seat] > 0 or unseen[seat] != result.cheated_unseen[seat],
            flags=raised[seat],
            calls=result.calls[seat],
            caught=result.caught[seat],
        )
        for seat, left in enumerate(result.counts)
    )
    most = max(unseen)
    best = tuple(seat for seat, cards in enumerate(unseen) if cards == most > 0)
    return RevealView(
        round=number,
        complete=True,
        counts=counts,
        best_cheaters=best,
        words=_best_words([game.players[seat] for seat in best], most),
    )


def _best_words(names: Sequence[str], cards: int) -> Words:
    if not names:
        return say("Nobody cheated a card away unseen")
    if len(names) == 1:
        return say_count(
            "Best cheater: {name}, with {cards} card cheated away unseen",
            "Best cheater: {name}, with {cards} cards cheated away unseen",
            cards,
            name=names[0],
            cards=cards,
        )
    return say_count(
        "Best cheaters: {names}, with {cards} card each cheated away unseen",
        "Best cheaters: {names}, with {cards} cards each cheated away unseen",
        cards,
        names=listed(names),
        cards=cards,
    )


def _per_kind(counts: Counts | None) -> tuple[tuple[str, int], ...]:
    return () if counts is None else tuple((kind.value, counts.of(kind)) for kind in Kind)


def _flags_by_seat(flags: Sequence[Flag], number: int, seats: int) -> tuple[int, ...]:
    return tuple(sum(flag.round == number and flag.seat == seat for flag in flags) for seat in range(seats))
