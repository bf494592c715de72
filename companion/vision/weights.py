"""When a movement is told: the levels of every kind, and the weights that speak where there is no seat model.

With the seat model the cues are joined by the rules of ``trees``; docs/vision.md says what both are worth.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from companion.vision.events import EventKind, Sensitivity
from companion.vision.telling import Telling


def _frozen(**weights: float) -> Mapping[str, float]:
    return MappingProxyType(weights)


def _levels(shy: float, normal: float, keen: float) -> Mapping[Sensitivity, float]:
    return MappingProxyType({Sensitivity.SHY: shy, Sensitivity.NORMAL: normal, Sensitivity.KEEN: keen})


BLIND_WEIGHTS = _frozen(
    bias=-2.49, gone=2.21, gone_early=-0.68, gone_long=-0.78, never=-1.44, gone_edge=1.12, gone_outward=0.45,
    seen_out=0.52, seen_far_out=0.64, gone_far_in=-1.81, edge_free=-0.76, gone_edge_free=0.25, motion_edge=-1.28,
    motion_out=0.88, gone_motion=-0.73, gone_head=-1.18, gone_other=-0.98,
)  # fmt: skip
"""A hand below the table, by hands and edge alone (tests/benchmarks/fit_evidence.py)."""

BLIND = Telling(smooth_s=0.4, levels=_levels(-0.4, -0.8, -1.5))

SEEN: Mapping[EventKind, Telling] = MappingProxyType({
    EventKind.HAND_BELOW_TABLE: Telling(smooth_s=0.4, levels=_levels(1.0, 0.0, -1.0), drop=1.2),
    EventKind.SLEEVE_MOVEMENT: Telling(smooth_s=0.4, levels=_levels(0.5, -0.5, -1.5), drop=1.2),
    EventKind.BEHIND_HEAD: Telling(smooth_s=0.2, levels=_levels(0.5, -0.5, -1.5), drop=1.2),
    EventKind.CARD_DROP: Telling(smooth_s=0.4, levels=_levels(-0.5, -1.5, -2.0), drop=1.2),
})  # fmt: skip
"""With the seat model, all kinds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tellings:
    """When what is told; a kind without levels is never told."""

    blind: Telling = BLIND
    seen: Mapping[EventKind, Telling] = field(default_factory=lambda: SEEN)


TELLINGS = Tellings()
