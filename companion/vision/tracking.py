"""Whose hand is it: one track per seat and side, from geometry and continuity. Pure: observations in, tracks out.

MediaPipe's handedness and order are no identities. A hand belongs to the player whose body is nearest when it is first
seen, and keeps its owner while it can be followed, unless the evidence (`owners`) adds up against that.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from companion.vision.camera import Floats
from companion.vision.events import Side
from companion.vision.frame import NS_PER_S
from companion.vision.hands import WRIST, HandObservation
from companion.vision.handspots import HandSpots
from companion.vision.owners import Owners, OwnerSettings, Slot


@dataclass(frozen=True, slots=True, kw_only=True)
class TrackingSettings:
    """Costs are negative log odds (nats); lengths in mm."""

    owners: OwnerSettings = field(default_factory=OwnerSettings)
    owner_share: float = 0.45
    """What the place says of the owner of a hand that is being followed: it is the same evidence over and over."""
    follow_s: float = 1.0
    """A track seen within this time pulls by continuity."""
    slack: float = 0.45
    """How far, in hand lengths, a hand may be off its track for one unit of cost."""
    speed: float = 5.0
    """Hand lengths a second that this grows by while a hand is not seen: a quick reach is 1 m/s."""
    follow_cost: float = 7.0
    """A hand that costs a followed track more than this is another hand."""
    start_cost: float = 11.0
    """A hand that costs every free slot more than this is nobody's."""
    double: float = 0.3
    """Two observations whose centres are nearer than this share of a hand are the same hand. At 0.45 a hand beside a
    neighbour's was often taken for it (docs/vision.md)."""
    memory_s: float = 0.7
    """Time over which the evidence for a hand's owner is averaged."""
    stay: float = 1.5
    """Followed hands change owners, among each other or over to slots that nobody fills, when that gains more on the
    average than so much for each hand that changes. 1 to 2.5 are as good."""


SETTINGS = TrackingSettings()

_ALWAYS = 100.0
"""A cost above all others: a followed hand keeps some owner."""


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class HandTrack:
    """One hand of one player as it was last seen.

    ``landmarks_px`` (21 x 2) and ``size_px`` as last seen at ``seen_ns``; ``velocity_px`` in px per second;
    ``since_ns`` is when this unbroken run began; ``hits`` counts observations in it.
    """

    seat: int
    side: Side
    landmarks_px: Floats
    size_px: float
    velocity_px: Floats
    seen_ns: int
    since_ns: int
    hits: int
    score: float
    owner_costs: Floats
    """What each slot of ``Owners.slots`` costs on the average of late."""

    @property
    def centre_px(self) -> Floats:
        """Return the mean of the landmarks (2, px)."""
        return np.asarray(self.landmarks_px.mean(axis=0))

    @property
    def wrist_px(self) -> Floats:
        """Return the wrist (2, px)."""
        return np.asarray(self.landmarks_px[WRIST])


def without_doubles(hands: Sequence[HandObservation], settings: TrackingSettings = SETTINGS) -> list[HandObservation]:
    """Return each hand once: of observations that lie on each other the surest is kept."""
    kept: list[HandObservation] = []
    for hand in sorted(hands, key=lambda h: -h.score):
        near = (
            float(np.linalg.norm(hand.centre_px - other.centre_px)) < settings.double * max(hand.size_px, other.size_px)
            for other in kept
        )
        if not any(near):
            kept.append(hand)
    return kept


def predict(track: HandTrack, at_ns: int) -> Floats:
    """Return where a track's centre is expected (2, px): its last motion, fading within a third of a second."""
    ahead = (at_ns - track.seen_ns) / NS_PER_S
    return np.asarray(track.centre_px + track.velocity_px * 0.15 * (1 - math.exp(-ahead / 0.15)))


def assign(
    tracks: Sequence[HandTrack],
    hands: Sequence[HandObservation],
    owners: Owners,
    at_ns: int,
    settings: TrackingSettings = SETTINGS,
    *,
    spots: HandSpots | None = None,
) -> list[HandTrack]:
    """Return the tracks after this frame's hands (without doubles) are given to them at the least cost in all.

    A track that got no hand stays as it was; a hand that suits nobody is dropped.
    """
    known = {(t.seat, t.side): t for t in tracks}
    asked = [owners.costs(hand, spots) for hand in hands]
    followed = {slot for slot, t in known.items() if (at_ns - t.seen_ns) / NS_PER_S <= settings.follow_s}
    # continuity first: a doubtful hand must never push followed ones along to other owners
    near = np.full((len(hands), len(owners.slots)), math.inf)
    for number, hand in enumerate(hands):
        for column, slot in enumerate(owners.slots):
            if slot in followed:
                owned = settings.owner_share * min(asked[number][column], 9.0)
                near[number, column] = _distance_cost(known[slot], hand, at_ns, settings) + owned
    pairs = cheapest_pairs(near, settings.follow_cost)
    taken = {number for number, _ in pairs}
    fresh = np.full_like(near, math.inf)
    for number in range(len(hands)):
        for column, slot in enumerate(owners.slots):
            if number not in taken and slot not in followed:
                fresh[number, column] = asked[number][column]
    for number, column in pairs + cheapest_pairs(fresh, settings.start_cost):
        slot = owners.slots[column]
        known[slot] = _seen(known.get(slot), slot, hands[number], at_ns, owner_costs=asked[number], settings=settings)
    return _right_owners(known, owners, at_ns, settings)


def cheapest_pairs(costs: Floats, alone: float) -> list[tuple[int, int]]:
    """Return pairs (row, column) of a cost matrix that are cheap in all, where a row without a pair costs ``alone``.

    Greedy, then pairs are swapped and moved while that saves; for ten hands this is as good as an exact method.
    """
    rows, columns = costs.shape
    owner = [-1] * rows
    for flat in np.argsort(costs, axis=None, kind="stable"):
        row, column = divmod(int(flat), columns)
        if costs[row, column] < alone and owner[row] < 0 and column not in owner:
            owner[row] = column

    def price(row: int, column: int) -> float:
        return alone if column < 0 else min(float(costs[row, column]), 2 * alone)

    better = True
    while better:
        better = False
        for a in range(rows):
            free = [c for c in range(columns) if c not in owner and costs[a, c] < price(a, owner[a]) - 1e-9]
            if free:
                owner[a] = min(free, key=lambda c: float(costs[a, c]))
                better = True
            for b in range(a):
                if price(a, owner[b]) + price(b, owner[a]) < price(a, owner[a]) + price(b, owner[b]) - 1e-9:
                    owner[a], owner[b] = owner[b], owner[a]
                    better = True
    return [(row, column) for row, column in enumerate(owner) if column >= 0]


def _right_owners(
    known: dict[Slot, HandTrack], owners: Owners, at_ns: int, settings: TrackingSettings
) -> list[HandTrack]:
    """Let hands change owners where the average of the evidence speaks clearly against how they began."""
    live = [slot for slot, t in known.items() if (at_ns - t.seen_ns) / NS_PER_S <= settings.follow_s]
    costs = np.array([known[slot].owner_costs for slot in live]).reshape(len(live), len(owners.slots))
    for row, slot in enumerate(live):
        costs[row, owners.slots.index(slot)] -= settings.stay
    to = {live[row]: owners.slots[column] for row, column in cheapest_pairs(costs, _ALWAYS)}
    changed = {slot: known.pop(slot) for slot in live if to.get(slot, slot) != slot}
    for slot, track in changed.items():
        known[to[slot]] = replace(track, seat=to[slot][0], side=to[slot][1])
    return [known[slot] for slot in owners.slots if slot in known]


def _distance_cost(track: HandTrack, hand: HandObservation, at_ns: int, settings: TrackingSettings) -> float:
    size = max(0.5 * (track.size_px + hand.size_px), 1.0)
    off = float(np.linalg.norm(predict(track, at_ns) - hand.centre_px)) / size
    spread = settings.slack + settings.speed * (at_ns - track.seen_ns) / NS_PER_S
    # a Gaussian's log density in the plane: a track lost for long is nowhere in particular
    return (off / spread) ** 2 + 2 * math.log(spread / settings.slack)


def _seen(
    track: HandTrack | None,
    slot: Slot,
    hand: HandObservation,
    at_ns: int,
    *,
    owner_costs: Floats,
    settings: TrackingSettings,
) -> HandTrack:
    fresh = HandTrack(
        seat=slot[0],
        side=slot[1],
        landmarks_px=hand.landmarks_px,
        size_px=hand.size_px,
        velocity_px=np.zeros(2),
        seen_ns=at_ns,
        since_ns=at_ns,
        hits=1,
        score=hand.score,
        owner_costs=np.minimum(owner_costs, 30.0),
    )
    if track is None or (gap := (at_ns - track.seen_ns) / NS_PER_S) > settings.follow_s or gap <= 0:
        return fresh
    moved = (hand.centre_px - track.centre_px) / gap
    keep = math.exp(-gap / settings.memory_s)
    return replace(
        fresh,
        velocity_px=0.6 * moved + 0.4 * track.velocity_px,
        size_px=0.7 * track.size_px + 0.3 * hand.size_px,
        since_ns=track.since_ns,
        hits=track.hits + 1,
        owner_costs=keep * track.owner_costs + (1 - keep) * fresh.owner_costs,
    )
