"""What speaks for a stop being a seat's slap: a few numbers, and how much each counts."""

import math
from dataclasses import dataclass

from companion.vision.slapview import REACH_DEG


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What was seen of one stop as one seat's slap.

    ``share`` of the arm's image that stops; ``off_deg`` how far beside the seat's ray it comes; ``misfit`` how unlike
    a sudden stop; ``freed`` whether the arm lay there before and was only given free by a passing hand; ``landed``
    share of the pile that shows something new from then on, ``stirred`` the share of it that moved then; ``lesser``
    its size against the greatest stop of that moment, at most 1; ``echo`` whether the outlines of an earlier stop are
    still there; ``ago_s`` how long before the rest; ``landing`` how much likelier the slap net holds it that the
    seat's hand landed then than that it did not slap (logarithm); ``present`` the share of the seat's arm that lies
    there in the rest, None where other arms hide it.
    """

    share: float
    off_deg: float
    misfit: float
    freed: bool
    landed: float
    stirred: float
    lesser: float
    echo: bool
    ago_s: float
    landing: float = 0.0
    present: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceWeights:
    """How much each number counts: logarithms of likelihood ratios, of one multinomial over the ways to give stops.

    Fitted as ``tests/benchmarks/fit_slaps.py`` does, to 122 rounds at 60 and 257 answers at 30 frames a second, and
    rounded.
    """

    none: float = -0.6
    """A seat that did not slap is the likelier the higher this is."""
    share: float = 0.5
    """Each factor e more of the arm's image."""
    beside: float = -0.9
    reach_spread_deg: float = 17.0
    """Spread of the directions about where right hands and left hands come in; 10 on the training drills."""
    misfit: float = -0.75
    misfit_from: float = 0.3
    misfit_most: float = 2.5
    freed: float = -2.5
    landed: float = 0.45
    landed_least: float = 0.03
    landed_usual: float = 0.3
    """Shares of the pile: below the first nothing landed, at the second it says nothing."""
    missed: float = -20.0
    missed_below: float = 0.15
    """Share of the pile that moves, below which no hand came down on it: one that hovers stops beside it. Of 1,080
    slaps none moved less than 0.22. Not fitted: few hands hover in what the others were fitted on."""
    lesser: float = 0.9
    """Each factor e less than the greatest stop of the moment counts against it, down to a tenth."""
    echo: float = -0.6
    ago: float = -2.5
    ago_from_s: float = 0.7
    """Slaps are usually over within this time before all hands rest, and how much less likely each second more is."""
    landing: float = 1.0
    landing_range: tuple[float, float] = (-7.0, 7.0)
    present: float = 4.8
    present_usual: float = 0.6
    present_range: tuple[float, float] = (-0.5, 0.15)
    """Share of the arm seen in the rest at which it says nothing; seats that slapped showed 0.75 and more, the others
    0.45 and less, on the training drills."""


def features(evidence: Evidence, weights: EvidenceWeights) -> dict[str, float]:
    """Return the numbers that the weights of the same names are multiplied with."""
    e, w = evidence, weights
    beside = (abs(e.off_deg) - REACH_DEG) / w.reach_spread_deg
    present = 0.0 if e.present is None else e.present - w.present_usual
    return {
        "none": -1.0,
        "share": math.log(max(e.share, 0.01) / 0.05),
        "beside": beside**2,
        "misfit": min(max(e.misfit - w.misfit_from, 0.0), w.misfit_most),
        "freed": float(e.freed),
        "landed": math.log(max(e.landed, w.landed_least) / w.landed_usual),
        "missed": float(e.stirred < w.missed_below),
        "lesser": math.log(min(max(e.lesser, 0.1), 1.0)),
        "echo": float(e.echo),
        "ago": max(0.0, e.ago_s - w.ago_from_s),
        "landing": min(max(e.landing, w.landing_range[0]), w.landing_range[1]),
        "present": min(max(present, w.present_range[0]), w.present_range[1]),
    }


def gain(evidence: Evidence, weights: EvidenceWeights) -> float:
    """Return the logarithm of how much likelier the seat slapped with this stop than that it did not slap."""
    return sum(float(getattr(weights, name)) * value for name, value in features(evidence, weights).items())
