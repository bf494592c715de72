"""The evidence model: what each cue weighs, in log odds.

Fitted on training footage by tests/benchmarks/fit_evidence.py; docs/vision.md says what it is worth.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from companion.vision.events import Sensitivity


def _frozen(**weights: float) -> Mapping[str, float]:
    return MappingProxyType(weights)


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """A sum of weighted cues, smoothed over time, with the level at which it is told.

    ``smooth_s`` is the time constant of the running mean of the log odds; ``levels`` the mean at which a movement is
    put to the Guard, by sensitivity; it is over ``drop`` below that.
    """

    weights: Mapping[str, float]
    smooth_s: float
    levels: Mapping[Sensitivity, float]
    drop: float = 1.0


def _levels(shy: float, normal: float, keen: float) -> Mapping[Sensitivity, float]:
    return MappingProxyType({Sensitivity.SHY: shy, Sensitivity.NORMAL: normal, Sensitivity.KEEN: keen})


BELOW = Model(
    weights=_frozen(
        bias=-2.49, gone=2.21, gone_early=-0.68, gone_long=-0.78, never=-1.44, gone_edge=1.12, gone_outward=0.45,
        seen_out=0.52, seen_far_out=0.64, gone_far_in=-1.81, edge_free=-0.76, gone_edge_free=0.25, motion_edge=-1.28,
        motion_out=0.88, gone_motion=-0.73, gone_head=-1.18, gone_other=-0.98,
    ),
    smooth_s=0.4,
    levels=_levels(-0.4, -0.8, -1.5),
)  # fmt: skip
"""A hand below the table, by hands and edge alone: what speaks where there is no seat model."""

BELOW_SEEN = Model(weights=_frozen(), smooth_s=0.3, levels=_levels(0.5, 0.0, -1.0), drop=1.2)
"""The same with the seat model, whose scores and the other cues are joined by the rules of ``trees``."""

SLEEVE = Model(weights=_frozen(bias=-5.0, net_sleeve=1.0), smooth_s=0.5, levels=_levels(-0.5, -1.0, -1.5), drop=2.0)
"""Fingers at the other arm: the two hands touch and landmarks fail, so the seat model speaks alone."""

BEHIND_HEAD = Model(
    weights=_frozen(bias=-5.0, net_head=1.0, both_seen=-1.0, at_head=1.0, gone_head=1.0),
    smooth_s=0.2,
    levels=_levels(-0.7, -1.0, -2.0),
)
"""A hand at the ear or behind the head."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceModels:
    """All models; a kind without one is never told."""

    below: Model = field(default_factory=lambda: BELOW)
    below_seen: Model = field(default_factory=lambda: BELOW_SEEN)
    sleeve: Model | None = field(default_factory=lambda: SLEEVE)
    behind_head: Model | None = field(default_factory=lambda: BEHIND_HEAD)
    card_drop: Model | None = None


MODELS = EvidenceModels()
