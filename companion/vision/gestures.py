"""Decide what is put to the Guard: weigh each hand's cues, and say in words why. Pure: no clock, no picture."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from companion.vision.camera import Camera, Floats
from companion.vision.events import Context, Event, EventKind, Sensitivity, Side
from companion.vision.evidence import HAND_NAMES, HAND_ROW, SEAT_ROW, SeatCue, SeatEvidence
from companion.vision.frame import NS_PER_S
from companion.vision.hindsight import JUDGED_S, Hindsight
from companion.vision.layout import Layout
from companion.vision.reasons import reasons_of
from companion.vision.telling import Runs, Telling, Told, Watched
from companion.vision.trees import Rules
from companion.vision.weights import BLIND_WEIGHTS, Tellings


@dataclass(frozen=True, slots=True, kw_only=True)
class GestureSettings:
    """Times in s."""

    begin_s: float = 0.8
    """Nothing is told before so much was seen: hands have to be found first."""
    level_odds: float = 1.1
    """Log odds that a movement told at the normal level is one: three of four were on footage held out of training."""
    own_turn: float = -0.4
    """What it adds to the log odds that it is the player's turn: hands move then for good reasons."""
    tellings: Tellings = field(default_factory=Tellings)


SETTINGS = GestureSettings()

WATCHED: tuple[Watched, ...] = (
    *((EventKind.HAND_BELOW_TABLE, side) for side in Side),
    (EventKind.SLEEVE_MOVEMENT, None),
    (EventKind.BEHIND_HEAD, None),
    (EventKind.CARD_DROP, None),
)


class SeatGestures:
    """Watches one seat; feed it instants in order."""

    def __init__(
        self,
        camera: Camera,
        layout: Layout,
        seat: int,
        sensitivity: Sensitivity = Sensitivity.NORMAL,
        *,
        settings: GestureSettings = SETTINGS,
        rules: Rules | None = None,
    ) -> None:
        """Begin with no movement under way; without ``rules`` only hands below are told, by hands and edge alone."""
        self._rules = rules or {}
        self.seat = seat
        self.evidence = SeatEvidence(camera, layout, seat)
        self._settings = settings
        self._began_s: float | None = None
        self._hindsight: dict[Side | None, Hindsight] = {side: Hindsight() for side in (*Side, None)}
        self._runs = Runs(WATCHED, sensitivity)

    @property
    def levels(self) -> Mapping[Watched, float]:
        """Return the running log odds of each movement, for people who tune."""
        return self._runs.levels

    def observe(self, cue: SeatCue, context: Context) -> list[Event]:
        """Take one instant's cues; return the events that became certain with it."""
        rows = self.evidence.update(cue)
        long_rows = self.long_rows(rows, cue)
        seen = bool(cue.net) and bool(self._rules)
        if self._began_s is None:
            self._began_s = cue.at_s
        quiet = context.guard == self.seat or context.dispute or cue.at_s - self._began_s < self._settings.begin_s
        events = []
        for watched in WATCHED:
            weighed = self._weigh(watched, rows, long_rows, seen=seen)
            if weighed is None:
                continue
            telling, odds, known = weighed
            odds += self._settings.own_turn if context.turn == self.seat else 0.0
            told = self._runs.step(watched, telling, odds, cue.at_s)
            if told is not None and not quiet:
                events.append(self._event(told, cue.at_s, known, late_s=JUDGED_S if seen else 0.0))
        return events

    def long_rows(self, rows: Mapping[Side, Floats], cue: SeatCue) -> dict[Side | None, Floats]:
        """Return the long row of each hand and, by None, of the seat; call once an instant."""
        seat_row = self.evidence.seat_row(cue)
        now: dict[Side | None, Floats] = {
            side: self.evidence.hand_row(side, row, seat_row, cue.at_s) for side, row in rows.items()
        }
        now[None] = self.evidence.both_row(rows, seat_row, cue.at_s)
        return {who: self._hindsight[who].add(cue.at_s, row) for who, row in now.items()}

    def _weigh(
        self, watched: Watched, rows: Mapping[Side, Floats], long_rows: Mapping[Side | None, Floats], *, seen: bool
    ) -> tuple[Telling, float, Mapping[str, float]] | None:
        """Return how a movement is told, its log odds, and what is known by name; None where nothing speaks of it."""
        kind, side = watched
        tellings = self._settings.tellings
        if seen:
            if kind not in self._rules or kind not in tellings.seen:
                return None
            row = long_rows[side]
            names = SEAT_ROW if side is None else HAND_ROW
            then = row[2 * len(names) : 3 * len(names)]
            known = dict(zip(names, then.tolist(), strict=True))
            return tellings.seen[kind], self._rules[kind].odds(row), known
        if side is None:
            return None
        known = dict(zip(HAND_NAMES, rows[side].tolist(), strict=True))
        return tellings.blind, weigh(BLIND_WEIGHTS, rows[side]), known

    def _event(self, told: Told, at_s: float, known: Mapping[str, float], *, late_s: float) -> Event:
        kind, side = told.watched
        now = round(at_s * NS_PER_S)
        start_s = told.start_s - late_s
        gone_s = self.evidence.gone_s(side, at_s) if side is not None else 0.0
        back = gone_s < 0.05
        if not back and gone_s < 3.0:
            start_s = min(start_s, at_s - gone_s)
        away_s = self.evidence.away_s(side) if back and side is not None else gone_s
        return Event(
            kind=kind,
            seat=self.seat,
            side=side,
            start_ns=max(0, round(start_s * NS_PER_S)),
            end_ns=now,
            raised_ns=now,
            confidence=1 / (1 + math.exp(-told.beyond - self._settings.level_odds)),
            reasons=reasons_of(kind, side, away_s, known, back=back),
        )


def weigh(weights: Mapping[str, float], row: Floats) -> float:
    """Return the log odds that a hand's row speaks for, by a weighted sum."""
    return float(np.dot([weights.get(name, 0.0) for name in HAND_NAMES], row))
