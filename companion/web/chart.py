"""The drawing of running totals over the rounds: pure geometry, for the template to write as SVG."""

from dataclasses import dataclass

from companion.session.views import GameView

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Tick:
    """A label on an axis."""

    x: float
    y: float
    label: int


@dataclass(frozen=True, slots=True)
class Line:
    """One player's running total."""

    seat: int
    dots: tuple[Point, ...]
    emblem_y: float
    """Height of the emblem at its end: apart from other lines' emblems."""

    @property
    def points(self) -> str:
        """Return the dots as SVG's `points`."""
        return " ".join(f"{x:.1f},{y:.1f}" for x, y in self.dots)

    @property
    def end(self) -> Point:
        """Return where the line ends."""
        return self.dots[-1]


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """A drawing of `width` by `height` units, its plot between `left` and `right`."""

    width: int
    height: int
    left: int
    right: int
    ticks: tuple[Tick, ...]
    rounds: tuple[Tick, ...]
    lines: tuple[Line, ...]


WIDTH, HEIGHT = 560, 300
LEFT, RIGHT, TOP, BOTTOM = 44, 516, 16, 262
EMBLEM = 27.0
"""Height of the emblem at a line's end: ends nearer than this are moved apart."""


def score_chart(game: GameView) -> Chart:
    """Draw the running totals of a game's finished rounds."""
    rounds = len(game.results)
    most = max((total for result in game.results for total in result.totals), default=0)
    step = next(step for step in (5, 10, 20, 25, 50, 100, 200, 500, 1000) if most <= step * 5 or step == 1000)
    top = max(step, -(-most // step) * step)

    def x(number: int) -> float:
        return LEFT + (RIGHT - LEFT) * number / max(rounds, 1)

    def y(points: float) -> float:
        return BOTTOM - (BOTTOM - TOP) * points / top

    paths = {
        seat: (
            (x(0), y(0)),
            *((x(number), y(result.totals[seat])) for number, result in enumerate(game.results, start=1)),
        )
        for seat in range(len(game.players))
    }
    emblems = _spread({seat: dots[-1][1] for seat, dots in paths.items()})
    return Chart(
        width=WIDTH,
        height=HEIGHT,
        left=LEFT,
        right=RIGHT,
        ticks=tuple(Tick(LEFT, y(points), points) for points in range(0, top + 1, step)),
        rounds=tuple(Tick(x(number), BOTTOM, number) for number in range(1, rounds + 1)),
        lines=tuple(Line(seat, dots, emblems[seat]) for seat, dots in paths.items()),
    )


def _spread(ends: dict[int, float]) -> dict[int, float]:
    placed: dict[int, float] = {}
    above = BOTTOM + EMBLEM
    for seat, end in sorted(ends.items(), key=lambda item: (-item[1], item[0])):
        above = min(end, above - EMBLEM)
        placed[seat] = above
    return placed
