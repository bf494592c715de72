"""Long rows: what was known of an instant, of the time before it and of the time since."""

import numpy as np
import pytest

from companion.vision.hindsight import JUDGED_S, SPANS_S, Hindsight, long_names

SPANS = list(SPANS_S)


def fed(values: list[float], step_s: float = 0.1) -> dict[str, float]:
    """Return the last long row, by span, of a single number seen at a steady rate."""
    hindsight = Hindsight()
    for k, value in enumerate(values):
        row = hindsight.add(k * step_s, np.array([value]))
    return dict(zip(SPANS, row.tolist(), strict=True))


def test_the_instant_judged_lies_a_while_back() -> None:
    """What happened for 0.3 s, and ended 0.8 s ago, is what is judged; before and since, nothing happened."""
    late = round(JUDGED_S * 10)
    spans = fed([0.0] * 30 + [1.0] * 4 + [0.0] * late)
    assert spans["then"] == pytest.approx(1.0)
    assert spans["now"] == spans["long_before"] == 0.0
    assert spans["since"] < 0.2
    assert spans["before"] < 0.2


def test_first_instants_stand_for_what_came_before_them() -> None:
    """Before anything was seen, every span holds the first row."""
    assert set(fed([3.0]).values()) == {3.0}
    assert fed([3.0, 5.0])["long_before"] == 3.0


def test_slow_looks_leave_no_span_empty() -> None:
    """At two looks a second a span without a look takes the last one before it."""
    spans = fed([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0], step_s=0.5)
    assert spans["now"] == 7.0
    assert spans["then"] == 5.0
    assert all(np.isfinite(list(spans.values())))


def test_rows_older_than_the_longest_span_are_forgotten() -> None:
    """What lies further back than all spans changes nothing."""
    assert fed([99.0] * 20 + [1.0] * 50) == fed([1.0] * 50)


def test_names_go_span_by_span() -> None:
    """The names stand in the order of the numbers."""
    assert long_names(("a", "b"))[:3] == ("a@now", "b@now", "a@since")
    assert len(long_names(("a", "b"))) == 2 * len(SPANS)
