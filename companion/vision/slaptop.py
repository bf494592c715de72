"""Which hand lies on top at the end: a second cue for who was last, out of the picture at rest."""

from dataclasses import dataclass

import numpy as np

from companion.vision.slapmotion import Stop, Stretch
from companion.vision.slapview import Floats, PileView, turn_deg


@dataclass(frozen=True, slots=True, kw_only=True)
class TopSettings:
    """How the hand on top is told by its colour; millimetres about the pile, degrees about the arm, levels."""

    own_mm: tuple[float, float] = (60.0, 115.0)
    own_deg: float = 17.0
    """Where a hand that lies in the stack is seen alone: its back and its wrist, on its own side."""
    shared_mm: float = 45.0
    """Where all hands lie on each other, and only the one on top is seen."""
    least_px: int = 12
    apart: float = 30.0
    """Levels by which any two hands' colours must differ to be told apart."""
    lead: float = 0.2
    """How much more of the stack the hand on top must show than the next one."""


def shares_on_top(stops: dict[int, Stop], seen: Stretch, view: PileView, settings: TopSettings) -> dict[int, float]:
    """Return for each seat the share of the stack that has its hand's colour; empty where hands look alike."""
    rest = seen.pictures[seen.rest[0] :].mean(axis=0)
    radius, there = view.radius_mm, seen.foreign_at_rest
    colours: dict[int, Floats] = {}
    for seat, stop in stops.items():
        off = np.abs(turn_deg(view.angle_deg, stop.angle_deg))
        own = there & (off < settings.own_deg) & (radius > settings.own_mm[0]) & (radius < settings.own_mm[1])
        for other in stops.values():
            if other is not stop:
                own &= off < np.abs(turn_deg(view.angle_deg, other.angle_deg))
        if own.sum() >= settings.least_px:
            colours[seat] = np.median(rest[own], axis=0)
    stack = rest[there & (radius < settings.shared_mm)]
    if len(colours) < len(stops) or len(stops) < 2 or len(stack) < settings.least_px:
        return {}
    seats = list(colours)
    colour = np.array([colours[s] for s in seats])
    between = np.linalg.norm(colour[:, None] - colour[None], axis=-1)[np.triu_indices(len(seats), 1)]
    if between.min() < settings.apart:
        return {}
    far = np.array([np.linalg.norm(stack - c, axis=-1) for c in colour])
    nearest = far.argmin(axis=0)
    return {seat: float((nearest == i).mean()) for i, seat in enumerate(seats)}


def hand_on_top(stops: dict[int, Stop], seen: Stretch, view: PileView, settings: TopSettings) -> int | None:
    """Return the seat whose hand lies on top of the others in the rest; None where that cannot be seen."""
    shares = shares_on_top(stops, seen, view, settings)
    ranked = sorted(shares, key=lambda s: -shares[s])
    if len(ranked) < 2 or shares[ranked[0]] - shares[ranked[1]] < settings.lead:
        return None
    return ranked[0]
