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
        bias=-5.0, gone_mid=2.0, gone=1.0, gone_edge=2.0, gone_outward=0.7, gone_edge_free=1.5, gone_far_in=-3.0,
        gone_head=-3.0, gone_other=-1.0, seen_far_out=1.0, gone_motion=0.3,
    ),
    smooth_s=0.2,
    levels=_levels(1.2, 0.4, -0.4),
)  # fmt: skip
"""A hand below the table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceModels:
    """All models; a kind without one is never told."""

    below: Model = field(default_factory=lambda: BELOW)
    sleeve: Model | None = None
    behind_head: Model | None = None
    card_drop: Model | None = None


MODELS = EvidenceModels()
