"""Flags: which movements become one, how long they can be called, and which belong to an accusation. Pure."""

from dataclasses import dataclass

from companion.rules.houserules import CallWindow
from companion.rules.moves import Accuse, Draw, Play
from companion.rules.state import PLAYING
from companion.session.cameraviews import Verdict
from companion.session.game import Flag, Game, Step
from companion.session.settings import SETTINGS
from companion.session.verdicts import verdict_of
from companion.session.views import Assist
from companion.watcher.messages import EventReport

_NS = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Window:
    """Whether a movement can still be called under the house's call window."""

    open: bool
    closes_in_s: float | None
    """None where no clock closes it."""


def ended_ns(report: EventReport, now_ns: int) -> int:
    """Return when the movement ended on the session's clock.

    The watcher stamps with the same machine-wide clock; times far from now are on a clock of their own, and the end
    is then taken as far before now as the report says that it was raised after the end.
    """
    if abs(now_ns - report.raised_ns) <= SETTINGS.foreign_clock_s * _NS:
        return min(report.end_ns, now_ns)
    return now_ns - max(0, report.raised_ns - report.end_ns)


def is_possible(game: Game, assist: Assist, seat: int, ended: int) -> bool:
    """Say whether the rules leave room for a cheat: not by the Guard, not outside a round, not in a dispute.

    A movement that ended before the dispute was opened is evidence in it.
    """
    state = game.state
    if assist is Assist.OFF or seat == state.guard or not 0 <= seat < state.seats:
        return False
    if game.call:
        return ended <= game.call.at_ns
    return state.phase in PLAYING


def to_merge_with(game: Game, report: EventReport, seat: int, ended: int) -> Flag | None:
    """Return the open flag of which this movement is a repetition: same seat and kind, shortly before."""
    began = ended - (report.end_ns - report.start_ns)
    for flag in reversed(game.flags):
        if flag.seat == seat and flag.kind == report.kind and flag.round == game.state.round:
            near = began - flag.ended_ns <= SETTINGS.merge_s * _NS
            return flag if near and verdict_of(game, flag) is Verdict.OPEN else None
    return None


def window_at(game: Game, flag: Flag, now_ns: int) -> Window:
    """Return the state of the flag's call window now, or as it was when the flag was called."""
    call = next((step for step in game.steps if step.entry == flag.accusation), None)
    return _window(game, flag, call.at_ns if call else now_ns, call)


def _window(game: Game, flag: Flag, at_ns: int, before: Step | None) -> Window:
    if flag.round != (before.state.round if before else game.state.round):
        return Window(open=False, closes_in_s=None)
    elapsed_s = (at_ns - flag.ended_ns) / _NS
    if elapsed_s < 0:
        # An entry of before the machine was started anew: its times say nothing now.
        return Window(open=False, closes_in_s=None)
    house = game.house
    is_open = house.call_is_open(
        in_progress=house.call_window is CallWindow.IN_THE_ACT and elapsed_s <= SETTINGS.act_grace_s,
        plays_since=_plays_since(game, flag, before),
        elapsed_s=elapsed_s,
    )
    if not is_open or house.call_window is CallWindow.UNTIL_NEXT_PLAY:
        return Window(is_open, None)
    longest = SETTINGS.act_grace_s if house.call_window is CallWindow.IN_THE_ACT else float(house.call_window)
    return Window(is_open, max(0.0, longest - elapsed_s))


def _plays_since(game: Game, flag: Flag, before: Step | None) -> int:
    """Count the cards played or drawn after the movement ended, up to the step ``before``."""
    plays = 0
    for step in game.steps:
        if before is not None and step.entry >= before.entry:
            break
        # A play may have been entered after the movement and before the watcher had made up its mind.
        after = step.entry > flag.entry or flag.ended_ns < step.at_ns <= flag.at_ns
        plays += after and isinstance(step.move, Play | Draw)
    return plays


def to_call(game: Game, seat: int, now_ns: int) -> Flag | None:
    """Return the flag that a call on this seat is about: its newest open one inside the call window."""
    for flag in reversed(game.flags):
        if flag.seat == seat and verdict_of(game, flag) is Verdict.OPEN and _window(game, flag, now_ns, None).open:
            return flag
    return None


def shown(game: Game, assist: Assist, now_ns: int) -> tuple[Flag, ...]:
    """Return the flags that the Guard may see, newest first.

    With the camera after "Caught!" only: those on the accused seat from shortly before the call, and those that were
    settled before.
    """
    newest_first = tuple(reversed(game.flags))
    if assist is not Assist.AFTER_CAUGHT:
        return newest_first
    return tuple(flag for flag in newest_first if _shown_after_caught(game, flag, now_ns))


def _shown_after_caught(game: Game, flag: Flag, now_ns: int) -> bool:
    call = game.call
    if verdict_of(game, flag) is not Verdict.OPEN:
        return True
    if call is None or not isinstance(call.move, Accuse) or call.move.seat != flag.seat:
        return False
    recent = flag.ended_ns <= now_ns and call.at_ns - flag.ended_ns <= SETTINGS.review_s * _NS
    return recent and flag.round == call.state.round
