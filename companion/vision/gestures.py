"""Decide what is put to the Guard: weigh each hand's cues, and say in words why. Pure: no clock, no picture."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from companion.vision.camera import Camera, Floats
from companion.vision.events import Context, Event, EventKind, Sensitivity, Side
from companion.vision.evidence import HAND_NAMES, SEAT_NAMES, SeatCue, SeatEvidence
from companion.vision.frame import NS_PER_S
from companion.vision.layout import Layout
from companion.vision.trees import Trees
from companion.vision.weights import EvidenceModels, Model
from companion.words import Words, say


@dataclass(frozen=True, slots=True, kw_only=True)
class GestureSettings:
    """Times in s."""

    begin_s: float = 0.8
    """Nothing is told before so much was seen: hands have to be found first."""
    rearm_s: float = 0.6
    """A movement that begins within this time of the last one's end is the same."""
    tame: float = 6.0
    """Log odds of one instant count at most this much."""
    level_odds: float = 1.1
    """Log odds that a movement told at the normal level is one: three of four were on footage held out of training."""
    own_turn: float = -0.4
    """What it adds to the log odds that it is the player's turn: hands move then for good reasons."""
    models: EvidenceModels = field(default_factory=EvidenceModels)


SETTINGS = GestureSettings()

Watched = tuple[EventKind, Side | None]


@dataclass(slots=True)
class _Run:
    """How far one kind of movement of one hand has come."""

    mean: float = -5.0
    last_s: float | None = None
    start_s: float = 0.0
    told: bool = False
    over_s: float = -1e9


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
        rules: Trees | None = None,
    ) -> None:
        """Begin with no movement under way; without ``rules``, hands below are told by the linear model alone."""
        self._rules = rules
        self.seat = seat
        self.evidence = SeatEvidence(camera, layout, seat)
        self._sensitivity = sensitivity
        self._settings = settings
        self._began_s: float | None = None
        models = settings.models
        self._runs: dict[Watched, _Run] = {}
        self._models: dict[Watched, tuple[Model, tuple[str, ...]]] = {}
        for side in Side:
            self._models[EventKind.HAND_BELOW_TABLE, side] = (models.below, HAND_NAMES)
        for kind, model in (
            (EventKind.SLEEVE_MOVEMENT, models.sleeve),
            (EventKind.BEHIND_HEAD, models.behind_head),
            (EventKind.CARD_DROP, models.card_drop),
        ):
            if model is not None:
                self._models[kind, None] = (model, SEAT_NAMES)
        self._runs = {watched: _Run() for watched in self._models}

    @property
    def levels(self) -> Mapping[Watched, float]:
        """Return the running log odds of each movement, for people who tune."""
        return {watched: run.mean for watched, run in self._runs.items()}

    def observe(self, cue: SeatCue, context: Context) -> list[Event]:
        """Take one instant's cues; return the events that became certain with it."""
        rows = self.evidence.update(cue)
        seat_row = self.evidence.seat_row(cue)
        long_rows = self.evidence.long_rows(rows, seat_row, cue.at_s)
        if self._began_s is None:
            self._began_s = cue.at_s
        quiet = context.guard == self.seat or context.dispute or cue.at_s - self._began_s < self._settings.begin_s
        events = []
        for watched, (model, names) in self._models.items():
            side = watched[1]
            row = rows[side] if side is not None else seat_row
            if side is not None and cue.net and self._rules is not None:
                model = self._settings.models.below_seen  # noqa: PLW2901  with the seat model another one speaks
                odds = self._rules.odds(long_rows[side])
            else:
                odds = weigh(model, names, row)
            odds += self._settings.own_turn if context.turn == self.seat else 0.0
            run = self._runs[watched]
            if self._step(run, model, odds, cue.at_s) and not quiet and not self._told_of_other_hand(watched, cue.at_s):
                told = dict(zip(names, row.tolist(), strict=True))
                events.append(self._event(watched, run, cue.at_s, told, level=model.levels[Sensitivity.NORMAL]))
        return events

    def _told_of_other_hand(self, watched: Watched, at_s: float) -> bool:
        """Tell whether the same kind of movement of the player's other hand is told already: cues smear over both."""
        kind, side = watched
        return any(
            other.told or at_s - other.over_s < self._settings.rearm_s
            for (other_kind, other_side), other in self._runs.items()
            if other_kind is kind and other_side is not side
        )

    def _step(self, run: _Run, model: Model, odds: float, at_s: float) -> bool:
        """Move the running mean on; tell whether a movement became certain just now."""
        tame = self._settings.tame
        gap = 0.1 if run.last_s is None else at_s - run.last_s
        keep = math.exp(-gap / model.smooth_s)
        run.mean = keep * run.mean + (1 - keep) * max(-tame, min(tame, odds))
        run.last_s = at_s
        level = model.levels[self._sensitivity]
        if run.mean < level - model.drop:
            if run.told:
                run.told = False
                run.over_s = at_s
            run.start_s = at_s
            return False
        if run.told or run.mean < level:
            return False
        run.told = True
        return at_s - run.over_s >= self._settings.rearm_s

    def _event(self, watched: Watched, run: _Run, at_s: float, row: Mapping[str, float], *, level: float) -> Event:
        kind, side = watched
        now = round(at_s * NS_PER_S)
        start_s = run.start_s
        if side is not None and (gone := self.evidence.gone_s(side, at_s)) < 3.0:
            start_s = min(start_s, at_s - gone)
        return Event(
            kind=kind,
            seat=self.seat,
            side=side,
            start_ns=max(0, round(start_s * NS_PER_S)),
            end_ns=now,
            raised_ns=now,
            confidence=1 / (1 + math.exp(-(run.mean - level) - self._settings.level_odds)),
            reasons=reasons_of(kind, side, at_s - start_s, row),
        )


def weigh(model: Model, names: Sequence[str], row: Floats) -> float:
    """Return the log odds that a row of features speaks for."""
    return float(np.dot([model.weights.get(name, 0.0) for name in names], row))


def reasons_of(kind: EventKind, side: Side | None, lasted_s: float, row: Mapping[str, float]) -> tuple[Words, ...]:
    """Say in sentences that a player understands why a movement is told."""
    seconds = round(lasted_s, 1)
    if kind is EventKind.SLEEVE_MOVEMENT:
        return (say("The fingers of one hand were at the other arm's sleeve for {seconds} s.", seconds=seconds),)
    if kind is EventKind.BEHIND_HEAD:
        return (say("A hand was at the ear or behind the head for {seconds} s.", seconds=seconds),)
    if kind is EventKind.CARD_DROP:
        return (say("Something was let go beside the table."),)
    hand = {Side.LEFT: say("Left hand"), Side.RIGHT: say("Right hand"), None: say("One hand")}[side]
    if row.get("gone", 0.0) > 0:
        return _gone(hand, seconds, row)
    if row.get("seen_far_out", 0.0) > 0:
        return (say("{hand}: outside the table's edge, lower than the table top.", hand=hand),)
    return (say("{hand}: for {seconds} s it looked as if below the table top.", hand=hand, seconds=seconds),)


def _gone(hand: Words, seconds: float, row: Mapping[str, float]) -> tuple[Words, ...]:
    below = row.get("gone_edge", 0.0) > 0.4
    said = [
        say("{hand}: it went below the edge {seconds} s ago and has not come back.", hand=hand, seconds=seconds)
        if below
        else say("{hand}: out of sight for {seconds} s.", hand=hand, seconds=seconds)
    ]
    if row.get("gone_outward", 0.0) > 0.3:
        said.append(say("It moved away from the table first."))
    if row.get("edge_free", 0.0) > 0.6:
        said.append(say("Nothing covered the edge there."))
    return tuple(said)
