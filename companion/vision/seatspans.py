"""Turn the seat net's scores, look by look, into spans: begun, raised, over."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from companion.vision.seatnet import SeatScores

KINDS = ("below", "sleeve", "behind_head", "card_drop")


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """When a score becomes a span. Chosen on clips held out of training (docs/seatnet.md)."""

    smooth_s: float
    """Time constant of the running mean: longer forgets single wild looks, and is later."""
    on: float
    """The running mean at which a span is raised."""
    off: float
    """The running mean below which it is over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SpanSettings:
    """One rule a kind."""

    below: Rule = Rule(smooth_s=0.3, on=0.6, off=0.3)
    sleeve: Rule = Rule(smooth_s=0.25, on=0.5, off=0.25)
    behind_head: Rule = Rule(smooth_s=0.1, on=0.3, off=0.15)
    card_drop: Rule = Rule(smooth_s=0.3, on=0.6, off=0.3)

    def rule(self, kind: str) -> Rule:
        """Return the rule for one of KINDS."""
        rules = {"below": self.below, "sleeve": self.sleeve, "behind_head": self.behind_head}
        return rules.get(kind, self.card_drop)


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """One act seen at a seat: when it began, when it was believed, when it was over."""

    kind: str
    start_s: float
    raised_s: float
    end_s: float
    peak: float
    left: float
    """How much more the left hand was believed to be below than the right one, from 1 to -1 (0 for other kinds)."""


@dataclass(slots=True)
class _Running:
    mean: float = 0.0
    rising_s: float | None = None
    raised_s: float | None = None
    peak: float = 0.0
    last_s: float | None = None
    left: float = 0.0
    looks: int = 0


@dataclass(slots=True)
class SpanFinder:
    """Follow one seat's scores; looks may come at any rhythm."""

    settings: SpanSettings = field(default_factory=SpanSettings)
    _running: dict[str, _Running] = field(default_factory=lambda: {k: _Running() for k in KINDS})

    def feed(self, at_s: float, scores: SeatScores) -> list[Span]:
        """Take one look's scores; return the spans that are over with it."""
        over = []
        for kind, run in self._running.items():
            if kind == "below" and run.rising_s is not None:
                run.left += scores.below_left - scores.below_right
                run.looks += 1
            span = _step(kind, run, self.settings.rule(kind), at_s, float(getattr(scores, kind)))
            if span is not None:
                over.append(span)
        return over

    def open_spans(self) -> Mapping[str, tuple[float, float]]:
        """Return, for every kind that is raised and not over, when it began and when it was raised."""
        return {
            k: (r.rising_s, r.raised_s)
            for k, r in self._running.items()
            if r.raised_s is not None and r.rising_s is not None
        }


def _step(kind: str, run: _Running, rule: Rule, at_s: float, score: float) -> Span | None:
    passed = 0.0 if run.last_s is None else at_s - run.last_s
    keep = 0.5 ** (passed / rule.smooth_s) if run.last_s is not None else 0.0
    run.mean = keep * run.mean + (1 - keep) * score
    run.last_s = at_s
    if run.mean < rule.off:
        span = None
        if run.raised_s is not None and run.rising_s is not None:
            span = Span(
                kind=kind,
                start_s=run.rising_s,
                raised_s=run.raised_s,
                end_s=at_s,
                peak=run.peak,
                left=run.left / max(1, run.looks),
            )
        run.rising_s = run.raised_s = None
        run.peak = run.left = 0.0
        run.looks = 0
        return span
    if run.rising_s is None:
        run.rising_s = at_s
    run.peak = max(run.peak, run.mean)
    if run.raised_s is None and run.mean >= rule.on:
        run.raised_s = at_s
    return None
