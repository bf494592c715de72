"""Where the watcher's reports meet the game: places of the layout become seats, movements become flags. Pure."""

from companion.entry import JSON
from companion.rules.moves import Accuse
from companion.rules.notation import format_move
from companion.rules.state import PLAYING, Accusation, Phase
from companion.session.cameraviews import Verdict
from companion.session.errors import NotThere, NotYours
from companion.session.flags import ended_ns, is_possible, to_merge_with
from companion.session.game import Flag, Folded, Game
from companion.session.proposals import timed_card_of
from companion.session.rights import sees_flags
from companion.session.taps import Planned, Repeated, game_of, plan_move
from companion.session.verdicts import verdict_of
from companion.session.views import Viewer
from companion.watcher.messages import EventReport, SetContext, SlapsReport, TimeSlaps
from companion.words import SEAT_PLACES, Words, as_said, say, seats_filled, words_json

_SLAPS_CLIP = "slaps-"


def plan_flag(folded: Folded, report: EventReport, now_ns: int) -> Planned | None:
    """Plan a flag for a movement, or its merging into one; None where the rules make a cheat impossible."""
    game = folded.game
    seat = _seat_at(game, report.seat) if game else None
    if game is None or seat is None:
        return None
    ended = ended_ns(report, now_ns)
    if not is_possible(game, folded.assist, seat, ended):
        return None
    payload: dict[str, JSON] = {
        "id": report.id,
        "kind": report.kind,
        "seat": seat,
        "side": report.side,
        "start_ns": report.start_ns,
        "end_ns": report.end_ns,
        "ended_ns": ended,
        "confidence": report.confidence,
        "why": report.why,
        "reasons": [words_json(one) for one in _reasons(report)],
    }
    earlier = to_merge_with(game, report, seat, ended)
    return Planned("flag", payload | ({"into": earlier.id} if earlier else {}))


def _reasons(report: EventReport) -> tuple[Words, ...]:
    reasons = report.reasons or (as_said(report.why),)
    return (*reasons, say("The camera was moved a moment ago: this may be wrong.")) if report.uncertain else reasons


def plan_clip(folded: Folded, clip_id: str, folder: str) -> Planned | None:
    """Plan to attach a clip to the flag of its event, or to a mosquito's slaps; None when neither is on the table."""
    game = folded.game
    if game is None:
        return None
    number = clip_id.removeprefix(_SLAPS_CLIP)
    if number != clip_id and number.isdecimal():
        return Planned("clip", {"slaps": int(number), "folder": folder})
    flag = next((flag for flag in game.flags if clip_id in flag.events), None)
    if flag is None or folder in flag.clips:
        return None
    return Planned("clip", {"flag": flag.id, "folder": folder})


def plan_slaps(folded: Folded, report: SlapsReport) -> Planned | None:
    """Plan to keep a proposed order beside the game; None when that card has been settled meanwhile."""
    game = folded.game
    card = timed_card_of(game) if game else None
    if game is None or card is None or card.seq != report.id:
        return None
    order: list[JSON] = []
    for slap in report.order:
        seat = _seat_at(game, slap.seat)
        if seat is not None and (report.race or seat != game.state.turn):
            order.append({"seat": seat, "at_ns": slap.at_ns, "error_s": slap.error_s})
    return Planned(
        "slaps",
        {
            "seq": report.id,
            "race": report.race,
            "first": _seat_at(game, report.first),
            "last": _seat_at(game, report.last),
            "too_close": report.too_close,
            "order": order,
            "reasons": [words_json(seated) for one in report.reasons if (seated := _seated(game, one))],
            "top": _seat_at(game, report.top),
            "pile_px": report.pile_px,
        },
    )


def _seated(game: Game, reason: Words) -> Words | None:
    """Return a reason with seats of the game for places of the layout; None where nobody sits there in this game."""
    places = [reason.params[name] for name in SEAT_PLACES & reason.params.keys()]
    if any(place not in game.places for place in places):
        return None
    return seats_filled(reason, game.places.index)


def plan_ruling(
    folded: Folded, flag_id: str, verdict: str, by: Viewer, *, opened: bool, now_ns: int
) -> Planned | Repeated:
    """Plan the Guard's ruling on a flag; ``caught`` opens the accusation that settles it.

    Raises NotYours for anyone but the present Guard's viewer, NotThere, or IllegalMove.
    """
    game = game_of(folded)
    if not sees_flags(folded, game, by, opened=opened):
        raise NotYours("Only {guard}, who is the Guard now, rules on flags.", guard=game.players[game.state.guard])
    flag = next((flag for flag in game.flags if flag.id == flag_id), None)
    if flag is None:
        raise NotThere("That flag is not in this game: look at the list again.")
    if verdict not in {Verdict.CAUGHT, Verdict.INNOCENT, Verdict.UNCLEAR, Verdict.OPEN}:
        raise NotThere("There is no ruling {verdict}: choose caught, innocent or unclear.", verdict=verdict)
    if verdict == Verdict.CAUGHT:
        return _plan_call(folded, game, flag, by, now_ns)
    if verdict_of(game, flag) is Verdict.ACCUSED:
        raise NotThere("The accusation on this flag is still open: settle that first.")
    if verdict_of(game, flag) == verdict:
        return Repeated(folded.seq)
    return Planned("ruling", {"flag": flag.id, "verdict": str(verdict), "by": by.key})


def context_of(folded: Folded) -> SetContext:
    """Return what the rules know that makes the picture clearer, in places of the layout."""
    game = folded.game
    if game is None or game.state.phase not in (*PLAYING, Phase.ACCUSATION):
        return SetContext()
    state = game.state
    return SetContext(
        guard=game.places[state.guard],
        turn=game.places[state.turn] if state.phase is Phase.TURN else None,
        dispute=state.phase is Phase.ACCUSATION,
    )


def slaps_wanted(folded: Folded) -> TimeSlaps | None:
    """Return the command that times the open mosquito's slaps or cockroach's race; None when there is none."""
    game = folded.game
    card = timed_card_of(game) if game else None
    if game is None or card is None or (game.slaps and game.slaps.seq == card.seq):
        return None
    return TimeSlaps(
        id=card.seq,
        entered_ns=card.at_ns,
        by=game.places[game.state.turn],
        guard=game.places[game.state.guard],
        race=game.state.phase is Phase.COCKROACH,
    )


def _plan_call(folded: Folded, game: Game, flag: Flag, by: Viewer, now_ns: int) -> Planned | Repeated:
    if flag.round != game.state.round:
        raise NotThere("That flag is from a round that is over: it cannot be called any more.")
    if verdict_of(game, flag) in {Verdict.CAUGHT, Verdict.ACCUSED}:
        return Repeated(folded.seq)
    pending = game.state.pending
    if isinstance(pending, Accusation) and pending.seat == flag.seat:
        return Planned("ruling", {"flag": flag.id, "verdict": Verdict.ACCUSED.value, "by": by.key})
    text = format_move(Accuse(flag.seat))
    return plan_move(folded, text, folded.seq, by, tap=None, now_ns=now_ns, flag=flag.id)


def _seat_at(game: Game, place: int | None) -> int | None:
    return game.places.index(place) if place in game.places else None
