"""What is known of each hand at one instant, as a row of readable numbers. Pure: cues in, features out.

The rows are what the small linear models of ``gestures`` weigh; each has a name that its reasons are told by.
"""

import math
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from companion.vision.camera import Camera, Floats
from companion.vision.edgecues import EdgeLook
from companion.vision.events import Side
from companion.vision.geometry import seat_axes
from companion.vision.hands import FINGER_TIPS, KNUCKLES, WRIST
from companion.vision.layout import Layout


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceSettings:
    """Lengths in mm, times in s."""

    hand_height_mm: float = 75.0
    """Height at which hands are placed in the table's frame."""
    gone_cap_s: float = 1.5
    """Longer absences say no more than this one."""
    trail_s: float = 0.5
    """How much of a hand's way is remembered, for its last direction."""
    lap_s: float = 6.0
    """A hand gone for longer than this counts as resting elsewhere: its absence is no news."""
    near_u_mm: float = 110.0
    """Edge samples this near to where a hand was last seen speak of that hand."""


SETTINGS = EvidenceSettings()


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class HandCue:
    """One hand that is in sight: found by the model, or kept by its looks."""

    landmarks_px: Floats
    size_px: float
    found: bool
    hits: int


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class SeatCue:
    """All cues of one seat at one instant; a hand that is not in sight is absent from ``hands``.

    ``net`` are the seat model's scores by name, empty where it did not look.
    """

    at_s: float
    hands: Mapping[Side, HandCue]
    edge: EdgeLook | None
    table_lab: Floats
    table_spread: float
    net: Mapping[str, float] = field(default_factory=dict)

    def without_net(self) -> "SeatCue":
        """Return the same cues as if there were no seat model; to measure what it is worth."""
        return replace(self, net={})


@dataclass(slots=True)
class _Memory:
    seen_s: float = -1e9
    found_s: float = -1e9
    away_s: float = 0.0
    u_mm: float = 0.0
    out_mm: float = 0.0
    head: float = 9.0
    other: float = 9.0
    trail: deque[tuple[float, float]] = field(default_factory=lambda: deque(maxlen=12))
    speed_out: float = 0.0


HAND_NAMES = (
    "bias", "gone", "gone_early", "gone_mid", "gone_long", "never", "gone_edge", "gone_outward", "seen_out",
    "seen_far_out", "gone_far_in", "edge_free", "gone_edge_free", "motion_edge", "motion_out", "gone_motion",
    "gone_head", "gone_other", "other_gone", "net_below", "net_other", "net_sleeve", "net_head", "gone_net",
    "net_low", "net_very_low", "found_in", "found_out", "found_just", "gone_low", "low_below", "other_low",
)  # fmt: skip

SEAT_NAMES = (
    "bias", "net_sleeve", "net_head", "net_drop", "net_below", "touching", "gone_touching", "both_seen", "at_head",
    "gone_head", "motion_edge", "motion_out", "net_raised",
)  # fmt: skip

WAY_NAMES = ("seen_ago", "found_ago", "last_u", "last_out", "last_speed_out", "last_head", "last_other")
PLACE_NAMES = ("camera_steep", "camera_behind")
"""How steeply the camera looks down, and whether it looks over the player's shoulder (1) or into the face (-1)."""
HAND_ROW = (*HAND_NAMES, *(f"seat_{n}" for n in SEAT_NAMES), *WAY_NAMES, *PLACE_NAMES)
SEAT_ROW = (
    *SEAT_NAMES,
    *(f"most_{n}" for n in (*HAND_NAMES, *WAY_NAMES)),
    *(f"least_{n}" for n in (*HAND_NAMES, *WAY_NAMES)),
    *PLACE_NAMES,
)
"""Of both hands the greater and the smaller number: which hand it is does not matter."""


class SeatEvidence:
    """The memory of one seat; feed it instants in order, it returns what each hand's row of features is."""

    def __init__(self, camera: Camera, layout: Layout, seat: int, settings: EvidenceSettings = SETTINGS) -> None:
        """Take the seat's place from the layout."""
        self._camera = camera
        self._settings = settings
        self._middle, self._along, self._away = seat_axes(layout, seat)
        head = [(*(self._middle + 160.0 * self._away), 430.0)]
        self._head_px = camera.project(head)[0]
        self._memory = {side: _Memory() for side in Side}
        x, y, z = camera.position_mm
        aside = math.hypot(x, y)
        behind = float(np.array([x, y]) @ self._away) / max(aside, 1.0)
        self._place = np.array([z / max(math.hypot(aside, z), 1.0), behind])
        self._began_s: float | None = None

    def update(self, cue: SeatCue) -> dict[Side, Floats]:
        """Take one instant; return each hand's features, in the order of HAND_NAMES."""
        if self._began_s is None:
            self._began_s = cue.at_s
        for side, hand in cue.hands.items():
            self._see(side, hand, cue)
        return {side: self._row(side, cue) for side in Side}

    def seat_row(self, cue: SeatCue) -> Floats:
        """Return what the last instant says of the seat as a whole, in the order of SEAT_NAMES."""
        net = cue.net
        gaps = {side: cue.at_s - m.seen_s for side, m in self._memory.items()}
        touching = any(gaps[side] < 0.05 and m.other < 0.6 for side, m in self._memory.items())
        vanished = any(0.05 < gaps[side] < 1.5 and m.other < 0.8 for side, m in self._memory.items())
        at_head = any(gaps[side] < 0.05 and m.head < 1.4 for side, m in self._memory.items())
        gone_head = any(0.05 < gaps[side] < 1.5 and m.head < 1.7 for side, m in self._memory.items())
        motion = cue.edge.motion.mean(axis=1) / 10.0 if cue.edge is not None else np.zeros(4)
        return np.array([
            1.0,
            _logit(net.get("sleeve", 0.0)),
            _logit(net.get("behind_head", 0.0)),
            _logit(net.get("card_drop", 0.0)),
            max(_logit(net.get("below_left", 0.0)), _logit(net.get("below_right", 0.0))),
            float(touching),
            float(vanished),
            float(all(gap < 0.05 for gap in gaps.values())),
            float(at_head),
            float(gone_head),
            min(float(motion[1] + motion[2]) / 2, 2.0),
            min(float(motion[3]), 2.0),
            _logit(net.get("raised", 0.0)),
        ])  # fmt: skip

    def hand_row(self, side: Side, row: Floats, seat_row: Floats, at_s: float) -> Floats:
        """Return all that is known of a hand at the last instant, in the order of HAND_ROW."""
        return np.concatenate([row, seat_row, self._way(side, at_s), self._place])

    def both_row(self, rows: Mapping[Side, Floats], seat_row: Floats, at_s: float) -> Floats:
        """Return all that is known of the seat at the last instant, in the order of SEAT_ROW."""
        ways = np.array([np.concatenate([rows[side], self._way(side, at_s)]) for side in Side])
        return np.concatenate([seat_row, ways.max(axis=0), ways.min(axis=0), self._place])

    def _way(self, side: Side, at_s: float) -> Floats:
        m = self._memory[side]
        ago = [min(at_s - m.seen_s, 5.0), min(at_s - m.found_s, 5.0)]
        return np.array([*ago, m.u_mm / 100, m.out_mm / 100, m.speed_out / 100, m.head, m.other])

    def gone_s(self, side: Side, at_s: float) -> float:
        """Return for how long a hand has been out of sight (s); infinite where it was never seen."""
        seen_s = self._memory[side].seen_s
        return at_s - seen_s if seen_s > -1e8 else math.inf

    def away_s(self, side: Side) -> float:
        """Return how long a hand that is in sight again was out of it the last time (s)."""
        return self._memory[side].away_s

    def _see(self, side: Side, hand: HandCue, cue: SeatCue) -> None:
        s, m = self._settings, self._memory[side]
        centre = hand.landmarks_px[[WRIST, *KNUCKLES]].mean(axis=0)
        place = self._camera.to_table([centre], s.hand_height_mm)[0, :2]
        if not np.isfinite(place).all():
            return
        if cue.at_s - m.seen_s > s.trail_s:
            m.trail.clear()
        if m.seen_s > -1e8 and cue.at_s - m.seen_s > 0.15:
            m.away_s = cue.at_s - m.seen_s
        m.seen_s = cue.at_s
        if hand.found:
            m.found_s = cue.at_s
        m.u_mm = float((place - self._middle) @ self._along)
        m.out_mm = float((place - self._middle) @ self._away)
        m.trail.append((cue.at_s, m.out_mm))
        early = next((p for p in m.trail if cue.at_s - p[0] <= s.trail_s), m.trail[-1])
        m.speed_out = (m.out_mm - early[1]) / max(cue.at_s - early[0], 0.1)
        m.head = float(np.linalg.norm(centre - self._head_px)) / max(hand.size_px, 1.0)
        other = cue.hands.get(Side.LEFT if side is Side.RIGHT else Side.RIGHT)
        if other is not None:
            tips = hand.landmarks_px[list(FINGER_TIPS)]
            m.other = float(np.linalg.norm(tips - other.landmarks_px[WRIST], axis=1).min()) / max(hand.size_px, 1.0)

    def _row(self, side: Side, cue: SeatCue) -> Floats:
        s, m = self._settings, self._memory[side]
        o = self._memory[Side.LEFT if side is Side.RIGHT else Side.RIGHT]
        gap = cue.at_s - m.seen_s
        never = float(m.seen_s < -1e8)
        away = float(0.05 < gap <= s.lap_s)
        net = cue.net
        mine = net.get(f"below_{side.value}", 0.0)
        theirs = net.get("below_left" if side is Side.RIGHT else "below_right", 0.0)
        low = _low(net.get(f"height_{side.value}_mm"))
        found = float(m.found_s >= cue.at_s - 0.01)
        free = self._edge_free(m, cue)
        motion = cue.edge.motion.mean(axis=1) / 10.0 if cue.edge is not None else np.zeros(4)
        return np.array([
            1.0,
            away,
            away * float(gap <= 0.35),
            away * float(0.35 < gap <= 1.2),
            away * float(gap > 2.5),
            never,
            away * math.exp(-((m.out_mm / 110.0) ** 2)),
            away * min(max(m.speed_out / 300.0, -1.0), 2.0),
            (1 - away) * (1 - never) * min(max(m.out_mm / 100.0, -1.0), 2.0),
            (1 - away) * (1 - never) * float(m.out_mm > 90.0),
            away * float(m.out_mm < -130.0),
            free,
            away * free,
            min(float(motion[1] + motion[2]) / 2, 2.0),
            min(float(motion[3]), 2.0),
            away * min(float(motion[1] + motion[2]) / 2, 2.0),
            away * float(m.head < 1.6),
            away * float(m.other < 0.8),
            float(0.05 < cue.at_s - o.seen_s <= s.lap_s),
            _logit(mine),
            _logit(theirs),
            _logit(net.get("sleeve", 0.0)),
            _logit(net.get("behind_head", 0.0)),
            away * _logit(mine),
            low,
            max(low - 0.5, 0.0),
            found * float(m.out_mm <= 20.0),
            found * float(m.out_mm > 20.0),
            float(m.found_s > cue.at_s - 0.35),
            away * low,
            low * _logit(mine) / 5,
            _low(net.get(f"height_{'left' if side is Side.RIGHT else 'right'}_mm")),
        ])  # fmt: skip

    def _edge_free(self, m: _Memory, cue: SeatCue) -> float:
        """Return how much of the edge near a hand's last place shows the table's own colour (0 to 1)."""
        if cue.edge is None:
            return 0.5
        samples = len(cue.edge.inside)
        u = np.linspace(-350, 350, samples)
        near = np.abs(u - min(max(m.u_mm, -300.0), 300.0)) <= self._settings.near_u_mm
        off = np.linalg.norm((cue.edge.inside - cue.table_lab) * [0.6, 1.0, 1.0], axis=1) / max(cue.table_spread, 4.0)
        return float((off[near] < 2.0).mean())


def _logit(p: float) -> float:
    """Return log odds, tamed to -5..5 and counted from -5; 0 also where the model did not look (p = 0)."""
    return 0.0 if p <= 0 else max(min(math.log(p / max(1 - p, 1e-9)), 5.0), -5.0) + 5.0


def _low(height_mm: float | None) -> float:
    """Return how far below 60 mm over the table the seat model puts a hand, in units of 100 mm, -1 to 2."""
    return 0.0 if height_mm is None else max(min((60.0 - height_mm) / 100.0, 2.0), -1.0)


def table_colour(edges: Mapping[int, EdgeLook]) -> tuple[Floats, float]:
    """Return the table's own colour (Lab) and its spread, from the samples inside all edges: robust against arms."""
    if not edges:
        return np.zeros(3), 20.0
    samples = np.concatenate([e.inside for e in edges.values()])
    middle = np.median(samples, axis=0)
    spread = float(np.median(np.linalg.norm((samples - middle) * [0.6, 1.0, 1.0], axis=1)))
    return middle, 1.5 * spread
