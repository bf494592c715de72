"""The fold: journal entries, one after the other, into the state of the session. Pure; reads nothing but its arguments.

Every entry kind is one function here; what the payloads hold is written down in docs/session.md.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Final

from companion.entry import Entry
from companion.errors import CompanionError
from companion.rules.engine import apply, new_game
from companion.rules.houserules import HouseRules
from companion.rules.moves import Accuse
from companion.rules.notation import parse_move
from companion.session.cameraviews import Verdict
from companion.session.errors import UnreadableJournal
from companion.session.game import (
    Acknowledged,
    Claim,
    Flag,
    Folded,
    Game,
    SlapsClip,
    Step,
    Tally,
    TimedSlap,
    TimedSlaps,
    Walked,
)
from companion.session.settings import SETTINGS
from companion.session.verdicts import verdict_of
from companion.session.views import Assist
from companion.words import words_of


def fold(entries: Iterable[Entry], onto: Folded | None = None) -> Folded:
    """Fold the entries, in order, onto what was folded before.

    Raises UnreadableJournal, naming the entry, when one cannot be replayed.
    """
    folded = onto or Folded()
    for entry in entries:
        folded = fold_entry(folded, entry)
    return folded


def fold_entry(folded: Folded, entry: Entry) -> Folded:
    """Fold one entry; a kind that this version does not know changes nothing."""
    step = _KINDS.get(entry.kind)
    if step is None:
        return replace(folded, entry=entry.seq)
    try:
        return replace(step(folded, entry, entry.payload), entry=entry.seq)
    except (CompanionError, KeyError, TypeError, ValueError, IndexError) as error:
        raise UnreadableJournal(
            "Entry {entry} of the journal ({kind}) cannot be replayed by this version: start with another journal, "
            "or use the version that wrote it. ({reason})",
            entry=entry.seq,
            kind=entry.kind,
            reason=str(error),
        ) from error


def _set_up(folded: Folded, entry: Entry, payload: Mapping[str, Any]) -> Folded:
    players = tuple(str(name) for name in payload["players"])
    house = HouseRules.from_dict(payload["house"])
    game = Game(
        id=folded.games + 1,
        seq=folded.seq + 1,
        wall=entry.wall,
        players=players,
        places=tuple(int(place) for place in payload["places"]),
        oldest=int(payload["oldest"]),
        house=house,
        start=new_game(len(players), int(payload["oldest"]), house),
    )
    # The same people at the same places keep their phones' seats: a rematch needs no joining again.
    same = folded.game is not None and folded.game.players == players
    return replace(
        folded,
        seq=game.seq,
        games=game.id,
        game=game,
        assist=Assist(payload["assist"]),
        claims=folded.claims if same else (),
        tallies=tally(folded),
    )


def _move(folded: Folded, entry: Entry, payload: Mapping[str, Any]) -> Folded:
    game = _game(folded)
    move = parse_move(payload["move"])
    step = Step(
        entry=entry.seq,
        seq=folded.seq + 1,
        text=str(payload["move"]),
        move=move,
        by=str(payload["by"]),
        at_ns=entry.at_ns,
        wall=entry.wall,
        state=apply(game.state, move),
    )
    game = replace(game, steps=(*game.steps, step))
    flag = payload.get("flag")
    if flag is not None and isinstance(move, Accuse):
        game = _with_flag(game, str(flag), lambda old: replace(old, accusation=entry.seq))
    return _acknowledge(replace(folded, seq=step.seq, game=game), payload, step.text)


def _undo(folded: Folded, entry: Entry, payload: Mapping[str, Any]) -> Folded:
    game = _game(folded)
    if not game.steps or game.steps[-1].entry != payload["undoes"]:
        raise ValueError(f"entry {payload['undoes']} is not the last move")
    undone = replace(game, steps=game.steps[:-1])
    return _acknowledge(replace(folded, seq=folded.seq + 1, game=undone), payload, "undo")


def _acknowledge(folded: Folded, payload: Mapping[str, Any], text: str) -> Folded:
    tap = Acknowledged(
        by=str(payload["by"]), seq=int(payload["seq"]), text=text, tap=payload.get("tap"), result=folded.seq
    )
    return replace(folded, acknowledged=(*folded.acknowledged, tap)[-SETTINGS.acknowledgements :])


def _seat(folded: Folded, _entry: Entry, payload: Mapping[str, Any]) -> Folded:
    seat, key = int(payload["seat"]), payload["key"]
    others = tuple(claim for claim in folded.claims if claim.seat != seat and claim.key != key)
    return replace(folded, claims=others if key is None else (*others, Claim(seat=seat, key=str(key))))


def _flag(folded: Folded, entry: Entry, payload: Mapping[str, Any]) -> Folded:
    game = _game(folded)
    into = payload.get("into")
    if into is not None:
        return replace(folded, game=_with_flag(game, str(into), lambda old: _merged(old, payload)))
    flag = Flag(
        id=str(payload["id"]),
        events=(str(payload["id"]),),
        entry=entry.seq,
        kind=str(payload["kind"]),
        seat=int(payload["seat"]),
        side=payload["side"],
        start_ns=int(payload["start_ns"]),
        end_ns=int(payload["end_ns"]),
        ended_ns=int(payload["ended_ns"]),
        at_ns=entry.at_ns,
        confidence=float(payload["confidence"]),
        why=str(payload["why"]),
        reasons=tuple(words_of(one) for one in payload.get("reasons") or [payload["why"]]),
        round=game.state.round,
    )
    return replace(folded, game=replace(game, flags=(*game.flags, flag)))


def _merged(flag: Flag, payload: Mapping[str, Any]) -> Flag:
    return replace(
        flag,
        events=(*flag.events, str(payload["id"])),
        end_ns=max(flag.end_ns, int(payload["end_ns"])),
        ended_ns=max(flag.ended_ns, int(payload["ended_ns"])),
        confidence=max(flag.confidence, float(payload["confidence"])),
    )


def _clip(folded: Folded, _entry: Entry, payload: Mapping[str, Any]) -> Folded:
    game, folder = _game(folded), str(payload["folder"])
    if "slaps" in payload:
        return replace(folded, game=replace(game, slaps_clip=SlapsClip(int(payload["slaps"]), folder)))
    game = _with_flag(game, str(payload["flag"]), lambda old: replace(old, clips=(*old.clips, folder)))
    return replace(folded, game=game)


def _ruling(folded: Folded, entry: Entry, payload: Mapping[str, Any]) -> Folded:
    game, verdict = _game(folded), Verdict(payload["verdict"])
    if verdict is Verdict.ACCUSED:
        if game.call is None:
            raise ValueError("no accusation is open")
        accusation = game.call.entry
        game = _with_flag(game, str(payload["flag"]), lambda old: replace(old, accusation=accusation))
    else:
        game = _with_flag(game, str(payload["flag"]), lambda old: replace(old, ruling=verdict, ruled=entry.seq))
    return replace(folded, game=game)


def _slaps(folded: Folded, _entry: Entry, payload: Mapping[str, Any]) -> Folded:
    order = tuple(
        TimedSlap(seat=int(slap["seat"]), at_ns=slap["at_ns"], error_s=slap["error_s"]) for slap in payload["order"]
    )
    slaps = TimedSlaps(
        seq=int(payload["seq"]),
        race=bool(payload.get("race")),
        first=payload.get("first"),
        last=payload["last"],
        too_close=bool(payload["too_close"]),
        order=order,
        reasons=tuple(words_of(reason) for reason in payload["reasons"]),
        top=payload.get("top"),
        pile_px=(int(box[0]), int(box[1]), int(box[2]), int(box[3])) if (box := payload.get("pile_px")) else None,
    )
    return replace(folded, game=replace(_game(folded), slaps=slaps))


def _walked(folded: Folded, _entry: Entry, payload: Mapping[str, Any]) -> Folded:
    walked = Walked(int(payload["seq"]), int(payload["done"]))
    return replace(folded, game=replace(_game(folded), walked=walked))


def _setting(folded: Folded, _entry: Entry, payload: Mapping[str, Any]) -> Folded:
    if "assist" in payload:
        folded = replace(folded, assist=Assist(payload["assist"]))
    if "name" in payload:
        game, seat = _game(folded), int(payload["seat"])
        names = (*game.players[:seat], str(payload["name"]), *game.players[seat + 1 :])
        folded = replace(folded, game=replace(game, players=names))
    return folded


def tally(folded: Folded) -> tuple[Tally, ...]:
    """Return the rulings on flags per kind over all games, the one on the table included."""
    tallies = {entry.kind: entry for entry in folded.tallies}
    for flag in folded.game.flags if folded.game else ():
        verdict = verdict_of(folded.game, flag) if folded.game else Verdict.OPEN
        if verdict in {Verdict.CAUGHT, Verdict.INNOCENT, Verdict.UNCLEAR}:
            so_far = tallies.get(flag.kind, Tally(kind=flag.kind))
            tallies[flag.kind] = replace(so_far, **{verdict.value: getattr(so_far, verdict.value) + 1})
    return tuple(tallies[kind] for kind in sorted(tallies))


def _game(folded: Folded) -> Game:
    if folded.game is None:
        raise ValueError("no game was set up before it")
    return folded.game


def _with_flag(game: Game, flag_id: str, change: Callable[[Flag], Flag]) -> Game:
    return replace(game, flags=tuple(change(flag) if flag.id == flag_id else flag for flag in game.flags))


_KINDS: Final[Mapping[str, Callable[[Folded, Entry, Mapping[str, Any]], Folded]]] = MappingProxyType(
    {
        "game": _set_up,
        "move": _move,
        "undo": _undo,
        "seat": _seat,
        "flag": _flag,
        "clip": _clip,
        "ruling": _ruling,
        "slaps": _slaps,
        "walked": _walked,
        "setting": _setting,
    }
)
