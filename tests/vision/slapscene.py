"""A table seen from straight above, drawn with plain shapes: arms that come in and stop at known instants."""

from dataclasses import dataclass, field

import cv2
import numpy as np

from companion.vision.frame import NS_PER_S, Frame, Image
from companion.vision.layout import Layout, Lens, Seat, Shape, Table

SIZE = (640, 360)
PX_PER_MM = 0.4
HALF_MM = 440.0
SKIN = [(120, 150, 205), (85, 110, 155), (160, 190, 235), (50, 65, 95)]
SLEEVES = [(40, 90, 200), (200, 150, 60), (140, 90, 100), (190, 90, 50)]


@dataclass(frozen=True)
class Arm:
    """One arm: whose, when it stops on the pile, when it leaves, and how near it comes (0: on the pile).

    ``again_s``: when it stops a second time, having been lifted in between.
    """

    seat: int
    stops_s: float
    leaves_s: float = 2.7
    short_mm: float = 0.0
    beside_deg: float = 8.0
    again_s: float | None = None


@dataclass(frozen=True)
class Scene:
    """A round table of four seats, with arms that slap."""

    arms: list[Arm]
    fps: float = 60.0
    seconds: float = 3.4
    noise: float = 1.5
    shutter: float = 0.5
    seed: int = 1
    seats: tuple[int, ...] = (0, 1, 2, 3)
    layout: Layout = field(init=False)

    def __post_init__(self) -> None:
        """Lay the table out for a camera straight above it."""
        w, h = SIZE
        r = HALF_MM * PX_PER_MM
        at = {0: (0.0, -HALF_MM), 1: (-HALF_MM, 0.0), 2: (0.0, HALF_MM), 3: (HALF_MM, 0.0)}
        layout = Layout(
            image_size=SIZE,
            lens=Lens(hfov_deg=50.0),
            table=Table(Shape.ROUND, 2 * HALF_MM, 2 * HALF_MM),
            outline_px=((w / 2, h / 2 + r), (w / 2 + r, h / 2), (w / 2, h / 2 - r), (w / 2 - r, h / 2)),
            seats=tuple(Seat(s, at[s]) for s in self.seats),
            discard_mm=(0.0, 0.0),
            draw_mm=(110.0, 0.0),
        )
        object.__setattr__(self, "layout", layout)

    def frames(self) -> list[Frame]:
        """Return the scene's frames; each is exposed around its own time stamp."""
        random = np.random.default_rng(self.seed)
        table = _table(random)
        grain = random.normal(0, self.noise, table.shape).astype(np.float32)
        frames = []
        for k in range(round(self.seconds * self.fps)):
            at = k / self.fps
            parts = [self._picture(table, at + d * self.shutter / self.fps) for d in (-1 / 3, 0.0, 1 / 3)]
            picture = np.mean(parts, axis=0) + np.roll(grain, tuple(random.integers(0, 300, 2)), (0, 1))
            frames.append(Frame(k, round(at * NS_PER_S), np.clip(picture, 0, 255).astype(np.uint8)))
        return frames

    def _picture(self, table: Image, at_s: float) -> Image:
        picture = table.copy()
        for arm in sorted(self.arms, key=lambda a: a.stops_s):
            _draw(picture, arm, _away(arm, at_s))
        return picture


def _away(arm: Arm, at_s: float) -> float:
    """Return how far (mm) the hand is from where it stops: it comes near, hovers, strikes, lies still, goes home."""
    before = arm.stops_s - at_s
    if arm.again_s is not None and at_s > arm.stops_s + 0.08:
        lifted_s = (arm.again_s - arm.stops_s - 0.08) / 2
        return min(600.0, 1200.0 * max(0.0, at_s - arm.leaves_s), 1e9) + max(
            0.0, 90.0 * (1 - abs(at_s - arm.again_s + lifted_s) / lifted_s)
        )
    if before > 0.1:
        return 160 + 440 * min(1.0, (before - 0.1) / 0.35) ** 2
    if before > 0:
        return 160 * (1 - (1 - before / 0.1) ** 2.0)
    return min(600.0, 1200.0 * max(0.0, at_s - arm.leaves_s))


def _table(random: np.random.Generator) -> Image:
    rough = random.normal(0, 1, (SIZE[1], SIZE[0])).astype(np.float32)
    grain = cv2.GaussianBlur(rough, (0, 0), 3)
    shade = 95 + 60 * grain
    picture = np.clip(np.stack([shade * 0.6, shade * 0.8, shade], axis=-1), 0, 255).astype(np.uint8)
    cv2.rectangle(picture, _px(np.array([-28.0, 44.0])), _px(np.array([28.0, -44.0])), (240, 240, 240), -1)
    return picture


def _draw(picture: Image, arm: Arm, away: float) -> None:
    if away >= 600:
        return
    away += arm.short_mm
    angle = np.radians({0: -90.0, 1: 180.0, 2: 90.0, 3: 0.0}[arm.seat] + arm.beside_deg)
    along = np.array([np.cos(angle), np.sin(angle)])
    wrist, elbow = (90 + away) * along, (520 + away) * along
    colour = SKIN[arm.seat]
    cv2.line(picture, _px(wrist), _px(elbow), SLEEVES[arm.seat], round(66 * PX_PER_MM))
    across = np.array([-along[1], along[0]])
    for along_mm in (
        0,
        45,
        130,
        205,
        270,
        390,
    ):  # a sleeve without any pattern does not show that it moves along itself
        at = wrist + (30 + along_mm) * along
        band = tuple(0.6 * c + 0.4 * 60 for c in SLEEVES[arm.seat])
        cv2.line(picture, _px(at - 32 * across), _px(at + 32 * across), band, 16)
    cv2.line(picture, _px(away * along), _px(wrist), colour, round(80 * PX_PER_MM), cv2.LINE_AA)
    for turn in (-0.35, 0.0, 0.35):
        tip = away * along + 85 * np.array([-np.cos(angle + turn), -np.sin(angle + turn)])
        cv2.line(picture, _px(away * along), _px(tip), colour, round(18 * PX_PER_MM), cv2.LINE_AA)


def _px(point_mm: np.ndarray) -> tuple[int, int]:
    x, y = SIZE[0] / 2 + PX_PER_MM * point_mm[0], SIZE[1] / 2 - PX_PER_MM * point_mm[1]
    return round(float(x)), round(float(y))
