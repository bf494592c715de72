"""From the seat net's scores to spans: one wild look is nothing, a lasting act is one span."""

from collections.abc import Sequence

import pytest

from companion.vision.seatnet import SeatScores
from companion.vision.seatspans import Rule, Span, SpanFinder, SpanSettings

RULE = Rule(smooth_s=0.2, on=0.6, off=0.3)
SETTINGS = SpanSettings(below=RULE, sleeve=RULE, behind_head=RULE, card_drop=RULE)


def scores(sleeve: float = 0.0, below_left: float = 0.0, below_right: float = 0.0) -> SeatScores:
    """Return scores of a seat at which at most two things go on."""
    return SeatScores(
        below_left=below_left,
        below_right=below_right,
        sleeve=sleeve,
        behind_head=0.0,
        card_drop=0.0,
        height_left_mm=80.0,
        height_right_mm=80.0,
    )


def spans(sleeve: Sequence[float], step_s: float = 0.2) -> list[Span]:
    """Feed a row of sleeve scores, one a look, and then quiet."""
    finder = SpanFinder(SETTINGS)
    found = []
    for k, s in enumerate([*sleeve, *[0.0] * 10]):
        found += finder.feed(k * step_s, scores(sleeve=s))
    return found


def test_one_wild_look_raises_nothing() -> None:
    """A single high score among low ones stays below the bar."""
    assert spans([0, 0, 0, 1.0, 0, 0]) == []


def test_a_lasting_act_is_one_span_raised_while_it_lasts() -> None:
    """High scores for a second are one span that is raised before the act is over."""
    (span,) = spans([0, 0, 0.9, 0.9, 0.9, 0.9, 0.9, 0, 0])
    assert span.kind == "sleeve"
    assert 0.4 <= span.start_s <= span.raised_s <= 1.0
    assert span.end_s > 1.2
    assert 0.6 < span.peak <= 0.9


def test_a_short_gap_does_not_split_a_span() -> None:
    """One low look in the middle of an act does not make it two."""
    assert len(spans([0, 0.9, 0.9, 0.9, 0.2, 0.9, 0.9, 0.9])) == 1


@pytest.mark.parametrize("step_s", [0.1, 0.2])
def test_the_rhythm_of_looks_hardly_matters(step_s: float) -> None:
    """An act of a second is raised at about the same time at 5 and at 10 looks a second."""
    looks = round(1.0 / step_s)
    (span,) = spans([0.0] * looks + [0.95] * looks, step_s)
    assert span.raised_s == pytest.approx(1.3, abs=0.16)


def test_open_spans_tell_what_goes_on_now() -> None:
    """While an act is raised and not over it is listed as open; afterwards it is not."""
    finder = SpanFinder(SETTINGS)
    for k in range(6):
        finder.feed(k * 0.2, scores(below_left=0.95))
    assert set(finder.open_spans()) == {"below"}
    for k in range(6, 16):
        finder.feed(k * 0.2, scores())
    assert finder.open_spans() == {}


@pytest.mark.parametrize(("left", "right"), [(0.9, 0.2), (0.2, 0.9)])
def test_a_hand_below_is_one_span_with_the_likelier_side(left: float, right: float) -> None:
    """Whichever hand is below, there is one span, and it tells the side that was believed more."""
    finder = SpanFinder(SETTINGS)
    found = []
    for k in range(20):
        on = 1.0 if k < 6 else 0.0
        found += finder.feed(k * 0.2, scores(below_left=left * on, below_right=right * on))
    (span,) = found
    assert span.kind == "below"
    assert (span.left > 0) == (left > right)
