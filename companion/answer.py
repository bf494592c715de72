"""What `analyze` found, and the contract's JSON value of it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from companion.vision.events import Event
from companion.vision.frame import NS_PER_S
from companion.vision.handsize import HandSize
from companion.vision.layout import Layout
from companion.vision.pipeline import SeenHand
from companion.vision.race import Race
from companion.vision.slaps import Slap, SlapRound
from companion.words import Words, seats_filled, spoken


@dataclass(slots=True)
class Answer:
    """What was seen so far; becomes the contract's JSON."""

    layout: Layout
    frames: int = 0
    last_ns: int = 0
    fps: float = 30.0
    events: list[Event] = field(default_factory=list)
    hands: list[tuple[float, SeenHand]] = field(default_factory=list)
    sizes: dict[int, HandSize] = field(default_factory=dict)
    """How long each player's hands are, as known at the end, by seat."""
    slaps: list[SlapRound] = field(default_factory=list)
    races: list[Race] = field(default_factory=list)
    analysed: int = 0
    calls: int = 0


def to_json(answer: Answer, wall_s: float) -> dict[str, Any]:
    """Return the contract's JSON value; times in seconds from the first frame."""
    duration = answer.last_ns / NS_PER_S + 1 / answer.fps
    return {
        "version": 1,
        "video": {
            "frames": answer.frames,
            "fps": round(answer.fps, 3),
            "duration_s": round(duration, 3),
            "size": list(answer.layout.image_size),
        },
        "flags": [_flag(e) for e in answer.events],
        "slaps": [_slaps(s) for s in answer.slaps],
        **({"races": [_race(r) for r in answer.races]} if answer.races else {}),
        "hands": [_hand(at_s, h) for at_s, h in answer.hands],
        "hand_sizes": [_size(seat, size) for seat, size in answer.sizes.items()],
        "timing": {
            "wall_s": round(wall_s, 2),
            "analysed_fps": round(answer.analysed / max(duration, 1e-9), 2),
            "hand_model_calls": answer.calls,
        },
    }


def _s(ns: int) -> float:
    return round(ns / NS_PER_S, 3)


def _flag(event: Event) -> dict[str, Any]:
    return {
        "kind": event.kind.value,
        "seat": event.seat,
        "side": event.side.value if event.side else None,
        "start_s": _s(event.start_ns),
        "end_s": _s(event.end_ns),
        "raised_s": _s(event.raised_ns),
        "confidence": round(event.confidence, 3),
        "why": event.why,
    }


def _race(race: Race) -> dict[str, Any]:
    return {
        "entered_s": _s(race.entered_ns),
        "first": race.first,
        "too_close": race.too_close,
        "order": _order(race.order),
        "why": _why(race.reasons),
    }


def _order(order: Sequence[Slap]) -> list[dict[str, Any]]:
    return [
        {"seat": s.seat, "at_s": None}
        if s.at_ns is None
        else {
            "seat": s.seat,
            "at_s": round(s.at_ns / NS_PER_S, 5),
            "error_s": round(s.error_s, 5) if s.error_s is not None else None,
        }
        for s in order
    ]


def _why(reasons: Sequence[Words]) -> str:
    return spoken(seats_filled(reason, lambda seat: f"seat {seat}") for reason in reasons)


def _slaps(slaps: SlapRound) -> dict[str, Any]:
    return {
        "entered_s": _s(slaps.entered_ns),
        "by": slaps.by,
        "last": slaps.last,
        "too_close": slaps.too_close,
        "order": _order(slaps.order),
        "why": _why(slaps.reasons),
    }


def _size(seat: int, size: HandSize) -> dict[str, Any]:
    return {"seat": seat, "hand_mm": round(size.length_mm), "spread_mm": round(size.spread_mm)}


def _hand(at_s: float, hand: SeenHand) -> dict[str, Any]:
    return {
        "t_s": round(at_s, 3),
        "seat": hand.track.seat,
        "side": hand.track.side.value,
        "wrist_px": [round(float(v), 1) for v in hand.track.wrist_px],
        "position_mm": [round(v) for v in hand.position_mm],
        "spread_mm": [round(v) for v in hand.spread_mm],
        "score": round(hand.track.score if hand.found else 0.5 * hand.track.score, 3),
    }
