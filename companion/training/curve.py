"""What the sensitivity does: flags found against false ones as the levels move, in numbers and drawn."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import matplotlib

matplotlib.use("svg")
from matplotlib import pyplot

SETTINGS = {-1.0: "keen", 0.0: "normal", 1.0: "shy"}
"""The sensitivity's settings, by how far they move the levels (log odds)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """What is found of both core kinds, and what is false, with the levels moved by so much."""

    move: float
    found: int
    events: int
    false: int
    player_min: float

    @property
    def false_rate(self) -> float:
        """Return the false flags a player-minute."""
        return self.false / max(self.player_min, 1e-9)


def lines(curves: Mapping[str, Sequence[Point]]) -> list[str]:
    """Return one line for each move, with the figures of every group of clips."""
    out = []
    for points in zip(*curves.values(), strict=True):
        text = f"levels {points[0].move:+.1f}"
        for name, p in zip(curves, points, strict=True):
            text += f" | {name} {p.found}/{p.events} false {p.false} ({p.false_rate:.2f}/min)"
        out.append(text)
    return out


def draw(curves: Mapping[str, Sequence[Point]], out: Path) -> None:
    """Draw the share found over the false flags a player-minute, for the groups in which somebody cheats (SVG)."""
    pyplot.rcParams.update({"svg.hashsalt": "sensitivity", "svg.fonttype": "none", "font.family": "sans-serif"})
    figure, axes = pyplot.subplots(figsize=(6.4, 3.8))
    for name, points in curves.items():
        if not points[0].events:
            continue
        rates, shares = [p.false_rate for p in points], [100 * p.found / p.events for p in points]
        axes.plot(rates, shares, marker="o", label=f"{name} ({points[0].events} movements)")
        for p, rate, share in zip(points, rates, shares, strict=True):
            if p.move in SETTINGS:
                axes.annotate(SETTINGS[p.move], (rate, share), textcoords="offset points", xytext=(6, -12))
    axes.set(xlabel="false flags a player-minute", ylabel="found, %", ylim=(80, 101))
    axes.set_xlim(left=0)
    axes.grid(alpha=0.3)
    axes.legend(loc="lower right")
    figure.tight_layout()
    figure.savefig(out, metadata={"Date": None})
    pyplot.close(figure)
