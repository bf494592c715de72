"""From running log odds to movements told: smoothed, told once, the same movement not told of both hands. Pure."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from companion.vision.events import EventKind, Sensitivity, Side

Watched = tuple[EventKind, Side | None]
"""A kind of movement, and the hand where it is one hand's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Telling:
    """How running log odds become an event.

    ``smooth_s`` is the time constant of their running mean; ``levels`` the mean at which a movement is put to the
    Guard, by sensitivity; it is over ``drop`` below that.
    """

    smooth_s: float
    levels: Mapping[Sensitivity, float]
    drop: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class TellingSettings:
    """Times in s, all kinds alike."""

    rearm_s: float = 0.6
    """A movement that begins within this time of the last one's end is the same."""
    tame: float = 6.0
    """Log odds of one instant count at most this much."""


SETTINGS = TellingSettings()


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A movement that became certain: when its odds began to rise (s), and by how much they passed the level."""

    watched: Watched
    start_s: float
    beyond: float


@dataclass(slots=True)
class _Run:
    """How far one kind of movement of one hand has come."""

    mean: float = -5.0
    last_s: float | None = None
    start_s: float = 0.0
    told: bool = False
    over_s: float = -1e9


class Runs:
    """The movements of one seat that may be under way."""

    def __init__(
        self, watched: Iterable[Watched], sensitivity: Sensitivity, settings: TellingSettings = SETTINGS
    ) -> None:
        """Begin with none under way."""
        self._runs = {w: _Run() for w in watched}
        self._sensitivity = sensitivity
        self._settings = settings

    @property
    def levels(self) -> Mapping[Watched, float]:
        """Return the running log odds of each movement, for people who tune."""
        return {watched: run.mean for watched, run in self._runs.items()}

    def step(self, watched: Watched, telling: Telling, odds: float, at_s: float) -> Told | None:
        """Move a running mean on; return the movement where it became certain just now and is not told already."""
        run, s = self._runs[watched], self._settings
        gap = 0.1 if run.last_s is None else at_s - run.last_s
        keep = math.exp(-gap / telling.smooth_s)
        run.mean = keep * run.mean + (1 - keep) * max(-s.tame, min(s.tame, odds))
        run.last_s = at_s
        level = telling.levels[self._sensitivity]
        if run.mean < level - telling.drop:
            if run.told:
                run.told = False
                run.over_s = at_s
            run.start_s = at_s
            return None
        if run.told or run.mean < level:
            return None
        run.told = True
        if at_s - run.over_s < s.rearm_s or self._told_of_other_hand(watched, at_s):
            return None
        return Told(watched=watched, start_s=run.start_s, beyond=run.mean - telling.levels[Sensitivity.NORMAL])

    def _told_of_other_hand(self, watched: Watched, at_s: float) -> bool:
        """Tell whether the same kind of movement of the player's other hand is told already: cues smear over both."""
        kind, side = watched
        return any(
            other.told or at_s - other.over_s < self._settings.rearm_s
            for (other_kind, other_side), other in self._runs.items()
            if other_kind is kind and other_side is not side
        )
