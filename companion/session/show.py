"""Build the view of one viewer from the folded journal. Nothing that this viewer may not know gets into it."""

from dataclasses import dataclass, replace

from companion.rules.cards import neighbours
from companion.rules.engine import apply, options
from companion.rules.moves import Count, Next
from companion.rules.scoring import totals
from companion.rules.state import Phase
from companion.session.amend import amendments_for
from companion.session.cameraviews import FlagView, Precision, WatcherView
from companion.session.choosing import choosing_view
from companion.session.consequence import consequence_of
from companion.session.flags import shown, window_at
from companion.session.fold import tally
from companion.session.game import Flag, Folded, Game
from companion.session.options import accusations_for, asked_of, card_view, options_for, remarks_of
from companion.session.proposals import gifts_of, proposal_of
from companion.session.reveal import reveal_of, rounds_of, standings_of
from companion.session.rights import corrections_for, may_play, sees_flags, undo_refusal
from companion.session.sentences import move_words, movement_words
from companion.session.settings import SETTINGS
from companion.session.verdicts import verdict_of
from companion.session.views import GameView, GuardPart, HouseRule, PlayerView, View, Viewer
from companion.session.words import Words


@dataclass(frozen=True, slots=True, kw_only=True)
class Around:
    """What a view shows that is not in the journal."""

    version: int
    now_ns: int
    watcher: WatcherView
    live: frozenset[str]
    """Keys of the screens whose stream is open."""
    opened: bool
    """This viewer has opened the Guard's part on the table's tablet."""
    choosing: bool
    """The Guard called "Caught!" and is choosing whom."""


def show(folded: Folded, viewer: Viewer, around: Around) -> View:
    """Return everything that this viewer's screen shows."""
    viewer = replace(viewer, seat=None if viewer.table else folded.seat_of(viewer.key))
    game = folded.game
    guard = None
    if game and sees_flags(folded, game, viewer, opened=around.opened):
        guard = _guard_part(folded, game, viewer, around.now_ns)
    return View(
        version=around.version,
        seq=folded.seq,
        viewer=viewer,
        assist=folded.assist,
        watcher=around.watcher,
        game=_game_view(folded, game, viewer, around) if game else None,
        guard=guard,
        may_open_guard=game is not None and viewer.table and folded.claim_of(game.state.guard) is None,
        may_play=may_play(viewer),
    )


def undo_words_of(game: Game) -> Words | None:
    """Return what an undo would undo, in plain words; None at the start of the game."""
    return move_words(game.steps[-1].move, game.players) if game.steps else None


def _just_ended(game: Game) -> bool:
    return game.state.phase is Phase.COUNT and bool(game.steps) and not isinstance(game.steps[-1].move, Count)


def _game_view(folded: Folded, game: Game, viewer: Viewer, around: Around) -> GameView:
    state = game.state
    words = undo_words_of(game)
    choices = options(state)
    return GameView(
        id=game.id,
        round=state.round,
        rounds=state.seats,
        phase=state.phase.value,
        players=_players(folded, game, viewer, around.live),
        guard=state.guard,
        turn=state.turn,
        starting_guard=state.starting_guard,
        top=card_view(state.top) if state.top else None,
        fits=neighbours(state.top.number) if state.top else (),
        draw_pile=state.draw_pile,
        discard_pile=state.discard_pile,
        asked=asked_of(game),
        options=options_for(folded, game, viewer),
        corrections=corrections_for(folded, game, viewer),
        amendments=amendments_for(folded, game, viewer),
        choosing=choosing_view(folded, game, viewer) if around.choosing else None,
        consequence=consequence_of(folded, game, viewer),
        draw=choices.draw.value if choices.draw else None,
        shuffle_first=choices.shuffle_first,
        remarks=remarks_of(game),
        next_guard=apply(state, Next()).guard if state.phase is Phase.ROUND_OVER else None,
        undo=words if undo_refusal(folded, game, viewer) is None else None,
        last=words,
        ended_by=words if _just_ended(game) and undo_refusal(folded, game, viewer) is None else None,
        slaps=proposal_of(game),
        gifts=gifts_of(game),
        reveal=reveal_of(game),
        results=rounds_of(game),
        standings=standings_of(game),
        house=tuple(HouseRule(name=name, value=str(value)) for name, value in game.house.to_dict().items()),
        over=state.phase is Phase.GAME_OVER,
    )


def _players(folded: Folded, game: Game, viewer: Viewer, live: frozenset[str]) -> tuple[PlayerView, ...]:
    state = game.state
    wanted = asked_of(game).seats
    points = totals(state)
    return tuple(
        PlayerView(
            seat=seat,
            name=name,
            accounted=state.hands[seat],
            score=points[seat],
            guard=seat == state.guard,
            turn=seat == state.turn,
            asked=seat in wanted,
            claimed=folded.claim_of(seat) is not None,
            connected=folded.claim_of(seat) in live,
            you=seat == viewer.seat,
        )
        for seat, name in enumerate(game.players)
    )


def _guard_part(folded: Folded, game: Game, viewer: Viewer, now_ns: int) -> GuardPart:
    return GuardPart(
        seat=game.state.guard,
        flags=tuple(_flag_view(game, flag, now_ns) for flag in shown(game, folded.assist, now_ns)),
        accusable=accusations_for(folded, game, viewer),
        precision=tuple(
            Precision(kind=kind.kind, caught=kind.caught, innocent=kind.innocent, unclear=kind.unclear)
            for kind in tally(folded)
        ),
    )


def _flag_view(game: Game, flag: Flag, now_ns: int) -> FlagView:
    window = window_at(game, flag, now_ns)
    return FlagView(
        id=flag.id,
        kind=flag.kind,
        seat=flag.seat,
        name=game.players[flag.seat],
        side=flag.side,
        words=movement_words(flag.kind, game.players[flag.seat]),
        reasons=flag.reasons,
        confidence=flag.confidence,
        times=len(flag.events),
        age_s=max(0.0, (now_ns - flag.ended_ns) / 1e9),
        window_open=window.open,
        closes_in_s=window.closes_in_s,
        clip=flag.clips[0] if flag.clips else None,
        clips=flag.clips,
        clip_due=not flag.clips and now_ns - flag.at_ns < SETTINGS.clip_due_s * 1e9,
        verdict=verdict_of(game, flag),
        current=flag.round == game.state.round,
    )
