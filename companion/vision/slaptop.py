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
    """Levels by which two hands' colours must differ to be told apart."""
    named: float = 0.2
    """How much more of the stack the hand on top must show than the next one to be named."""
    right_none: float = 0.5
    right_slope: float = 1.2
    right_most: float = 0.85
    """Share of rounds in which the hand that shows more is the last: of two that show as much one in two, more the more
    it leads; of 400 answers with a lead of 0.21 and more that named one of the last two, 343 named the last."""


@dataclass(frozen=True, slots=True)
class Top:
    """The seats whose hands have the colour that lies on top, and in which share of rounds one of them is the last.

    ``named`` where the lead is large enough to say so.
    """

    seats: tuple[int, ...]
    right: float
    named: bool


Shares = dict[tuple[int, ...], float]
"""For each group of seats whose hands look alike the share of the stack that has their colour."""


def shares_on_top(stops: dict[int, Stop], seen: Stretch, view: PileView, settings: TopSettings) -> Shares:
    """Return the share of the stack that each colour of hand has; empty where all look alike or one is not seen."""
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
    groups = alike(colours, settings.apart)
    if len(colours) < len(stops) or len(groups) < 2 or len(stack) < settings.least_px:
        return {}
    far = np.array([min_far(stack, [colours[seat] for seat in group]) for group in groups])
    nearest = far.argmin(axis=0)
    return {group: float((nearest == i).mean()) for i, group in enumerate(groups)}


def alike(colours: dict[int, Floats], apart: float) -> list[tuple[int, ...]]:
    """Return the seats in groups, so that hands whose colours differ by less than ``apart`` levels are in one."""
    groups: list[list[int]] = []
    for seat, colour in colours.items():
        near = [g for g in groups if any(float(np.linalg.norm(colour - colours[s])) < apart for s in g)]
        groups = [*(g for g in groups if g not in near), sorted([seat, *(s for g in near for s in g)])]
    return [tuple(group) for group in groups]


def min_far(pixels: Floats, colours: list[Floats]) -> Floats:
    """Return each pixel's distance from the nearest of some colours, in levels."""
    return np.asarray(np.min([np.linalg.norm(pixels - colour, axis=-1) for colour in colours], axis=0))


def on_top(shares: Shares, settings: TopSettings) -> Top | None:
    """Return whose hand lies on top of the others in the rest; None where that cannot be seen at all."""
    ranked = sorted(shares, key=lambda group: -shares[group])
    if len(ranked) < 2:
        return None
    lead = shares[ranked[0]] - shares[ranked[1]]
    right = min(settings.right_none + settings.right_slope * lead, settings.right_most)
    return Top(ranked[0], right, named=lead >= settings.named)


def hand_on_top(stops: dict[int, Stop], seen: Stretch, view: PileView, settings: TopSettings) -> Top | None:
    """Return whose hand lies on top of the others in the rest; None where that cannot be seen at all."""
    return on_top(shares_on_top(stops, seen, view, settings), settings)
