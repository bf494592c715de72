"""Who slapped when, and who was last: a look back over the frames before the mosquito card was entered."""

import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from companion.vision.frame import NS_PER_S, Frame
from companion.vision.layout import Layout
from companion.vision.slapdoubt import honest_errors, last_chances, with_cue
from companion.vision.slapread import SETTINGS, Found, SlapSettings, find_slaps
from companion.words import Words, say


@dataclass(frozen=True, slots=True)
class Slap:
    """A seat's slap: when, with one standard deviation; both None where the seat never slapped."""

    seat: int
    at_ns: int | None
    error_s: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SlapRound:
    """The slaps of a mosquito, first to slowest, then the seats that never slapped.

    ``last`` is None where nobody slapped or the last two cannot be told apart (``too_close``). ``reasons`` are
    sentences about what the answer stands on. ``on_top`` is the seat whose hand lies on top of the others at the end,
    told without the times; None where that cannot be seen. Where it is not the slowest, the two cues disagree.
    """

    entered_ns: int
    by: int
    last: int | None
    too_close: bool
    order: tuple[Slap, ...]
    reasons: tuple[Words, ...]
    on_top: int | None = None


def time_slaps(
    frames: Sequence[Frame],
    layout: Layout,
    entered_ns: int,
    by: int,
    guard: int | None = None,
    *,
    settings: SlapSettings = SETTINGS,
) -> SlapRound:
    """Time the slaps before a mosquito card was entered.

    ``frames``: the last 6 to 8 seconds before ``entered_ns`` at full rate, in order; each is read at most three times,
    so a sequence may decode on access. ``by`` is the seat that played the card and does not slap (-1: unknown). The
    Guard slaps like everybody; ``guard`` is taken for the call's symmetry. Never raises for what the pictures show.
    """
    del guard
    seats = [s.seat for s in layout.seats if s.seat != by]
    found = find_slaps(_until(frames, entered_ns), layout, seats, settings)
    if found is None:
        return _nobody(
            entered_ns, by, seats, say("No hands were seen to rest on the pile before the card was entered.")
        )
    if not found.stated:
        return _nobody(entered_ns, by, seats, say("Hands were on the pile, but nobody's slap could be told."))
    order, top = _order(found, seats, settings), found.top
    last, reasons = _last(order, found, settings)
    return SlapRound(
        entered_ns=entered_ns,
        by=by,
        last=last,
        too_close=last is None,
        order=order,
        reasons=tuple(reasons),
        on_top=top.seats[0] if top is not None and top.named and len(top.seats) == 1 else None,
    )


def _until(frames: Sequence[Frame], entered_ns: int) -> Sequence[Frame]:
    """Return the frames up to an instant; looks at few of them, as each may have to be decoded."""
    return frames[: bisect_right(frames, entered_ns, key=lambda frame: frame.at_ns)]


def _nobody(entered_ns: int, by: int, seats: list[int], why: Words) -> SlapRound:
    order = tuple(Slap(s, None, None) for s in seats)
    return SlapRound(entered_ns=entered_ns, by=by, last=None, too_close=False, order=order, reasons=(why,))


def _order(found: Found, seats: list[int], settings: SlapSettings) -> tuple[Slap, ...]:
    errors = honest_errors(found.readings, found.stated, settings.ignored)
    slaps = [
        Slap(seat, found.zero_ns + round(found.stated[seat][0] * NS_PER_S), errors[seat])
        for seat in sorted(found.stated, key=lambda s: found.stated[s][0])
    ]
    return (*slaps, *(Slap(s, None, None) for s in seats if s not in found.stated))


def _last(order: tuple[Slap, ...], found: Found, settings: SlapSettings) -> tuple[int | None, list[Words]]:
    """Return the seat that was last, None where that cannot be told, and why."""
    timed = [(s.seat, s.at_ns / NS_PER_S, s.error_s) for s in order if s.at_ns is not None and s.error_s is not None]
    last, last_s, last_error = timed[-1]
    reasons = [say("{seat} alone was seen to slap.", seat=last)]
    close = False
    if len(timed) > 1:
        before, before_s, before_error = timed[-2]
        gap, error = last_s - before_s, math.hypot(before_error, last_error)
        apart, unsure = round(gap * 1000), round(error * 1000)
        came = say(
            "{seat} came {ms} ms after {to}, give or take {error} ms.", seat=last, to=before, ms=apart, error=unsure
        )
        reasons = [came]
        close = gap < settings.apart * error
    chances = last_chances(found.readings)
    if found.top is not None:
        chances = with_cue(chances, found.top.seats, found.top.right)
    if chances.get(last, 0.0) >= settings.call_chance and not found.untimed:
        return last, reasons
    if close:
        return None, [*reasons, say("That is too close to call.")]
    return None, [*reasons, say("It cannot be told for certain whose hand the last one is.")]
