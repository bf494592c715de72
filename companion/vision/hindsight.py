"""Judge an instant a little after it was: what was known then, before and since, as one long row. Pure.

A hand that comes back with a mug was drinking; one that comes back empty was not. Most movements are over before they
can be told from innocent ones, so each instant is judged ``JUDGED_S`` late, with what came after it in view.
"""

from collections import deque

import numpy as np

from companion.vision.camera import Floats

JUDGED_S = 0.8
"""How long after it an instant is judged. 0, 0.5, 0.8 and 1.2 s were compared (docs/vision.md): it helps up to here."""

SPANS_S = {
    "now": (0.0, 0.0),
    "since": (0.0, JUDGED_S),
    "then": (JUDGED_S, JUDGED_S + 0.3),
    "before": (JUDGED_S + 0.3, JUDGED_S + 1.0),
    "long_before": (JUDGED_S + 1.0, JUDGED_S + 2.5),
}
"""From when to when, seen back from now (s), each cue is averaged."""

_NEAR_S = 0.01


def long_names(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names of a long row's numbers, for rows whose numbers have these names."""
    return tuple(f"{name}@{span}" for span in SPANS_S for name in names)


class Hindsight:
    """The rows of the last seconds of one hand or seat; feed it instants in order."""

    def __init__(self) -> None:
        """Begin with nothing known."""
        self._times: deque[float] = deque()
        self._rows: deque[Floats] = deque()

    def add(self, at_s: float, row: Floats) -> Floats:
        """Take this instant's row; return the long row (spans one after the other) about ``JUDGED_S`` ago.

        A span in which nothing was looked at takes the last row before its end; before the first row, the first.
        """
        self._times.append(at_s)
        self._rows.append(row)
        oldest = max(until for _, until in SPANS_S.values())
        while len(self._times) > 1 and at_s - self._times[1] > oldest + _NEAR_S:
            self._times.popleft()
            self._rows.popleft()
        ago = at_s - np.array(self._times)
        rows = np.array(self._rows)
        return np.concatenate([self._mean(ago, rows, *span) for span in SPANS_S.values()])

    def _mean(self, ago: Floats, rows: Floats, since: float, until: float) -> Floats:
        inside = (ago >= since - _NEAR_S) & (ago <= until + _NEAR_S)
        if inside.any():
            mean: Floats = rows[inside].mean(axis=0)
            return mean
        earlier = np.flatnonzero(ago > until)
        last: Floats = rows[earlier[-1] if len(earlier) else 0]
        return last
