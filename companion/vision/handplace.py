"""Where a hand's wrist is in the table's frame, how high, and how sure that is of each axis. Pure.

One camera gives a ray; how far along it a wrist is follows from several weak cues, each taken as a Gaussian and
weighed by what it was measured to tell: where players' hands are (``Habit``), and the hand's apparent size against
the player's own. The camera's own doubt is added.
"""

import math
from dataclasses import dataclass

import numpy as np

from companion.vision.camera import Camera, Floats
from companion.vision.events import Side
from companion.vision.geometry import beyond_edge_mm, seat_axes
from companion.vision.handsize import HandSize
from companion.vision.layout import Layout


@dataclass(frozen=True, slots=True, kw_only=True)
class Habit:
    """One of the places where a player's hand is: a Gaussian in the seat's frame, mm.

    Axes: outward from the edge's middle, to the hand's own side along the edge, up from the table top. ``together``
    are the correlations outward-aside, outward-up, aside-up.
    """

    share: float
    middle_mm: tuple[float, float, float]
    spread_mm: tuple[float, float, float]
    together: tuple[float, float, float]

    @property
    def covariance(self) -> Floats:
        """Return the covariance (3 x 3, mm2)."""
        oa, ou, au = self.together
        scale = np.diag(self.spread_mm)
        return np.asarray(scale @ np.array([[1, oa, ou], [oa, 1, au], [ou, au, 1]]) @ scale)


HABITS = (
    Habit(share=0.79, middle_mm=(-37, 153, 72), spread_mm=(37, 28, 20), together=(0.16, 0.18, -0.02)),
    Habit(share=0.10, middle_mm=(-30, 127, 90), spread_mm=(107, 87, 74), together=(0.60, -0.47, -0.52)),
    Habit(share=0.04, middle_mm=(-45, -141, 74), spread_mm=(43, 31, 37), together=(-0.37, -0.32, 0.46)),
    Habit(share=0.04, middle_mm=(-194, 34, 134), spread_mm=(137, 97, 71), together=(-0.10, 0.80, 0.01)),
    Habit(share=0.03, middle_mm=(-185, 228, 89), spread_mm=(177, 160, 53), together=(0.0, 0.0, 0.0)),
)
"""At rest before the player; about the edge, the farther out the lower; crossed over to the other side; reaching, the
lower the farther; and at a neighbour's place, where hands are that were given to the wrong player (3 of 100).

Mixtures of Gaussians, fitted by `companion.training.places` to 8,596 hands seen in 38 rendered clips; the last to 773
that were another player's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceSettings:
    """All fitted to rendered people, whose truth is known (docs/vision.md); lengths in mm."""

    habits: tuple[Habit, ...] = HABITS
    usual_mm: float = 75.0
    """Usual height of a wrist over the table (median of 88,000; half lie between 62 and 92)."""
    plain_mm: float = 40.0
    """A hand within so much of that, as far as is known..."""
    plain_reach_mm: float = 300.0
    """...and over the table, so far in from its edge at most, is plainly over the table."""
    wrist_share: float = 0.1
    """How far across the ray the model's wrist is off, as a share of the hand's length..."""
    wrist_px: float = 1.5
    """...and in px of the picture."""
    seen_ratio: float = 0.82
    """How long hands appear in play, of the length of the same hand when flat..."""
    seen_share: float = 0.16
    """...and how widely that scatters: most of it is how the hand is turned and closed."""


SETTINGS = PlaceSettings()


@dataclass(frozen=True, eq=False, slots=True)
class Place:
    """A wrist in the table's frame (3, mm), and the covariance of its error (3 x 3, mm2)."""

    position_mm: Floats
    covariance: Floats

    @property
    def spread_mm(self) -> Floats:
        """Return one standard deviation along each axis of the table's frame (3, mm)."""
        return np.asarray(np.sqrt(np.diag(self.covariance)))


@dataclass(frozen=True, eq=False, slots=True)
class _Seat:
    """A seat's habits in the table's frame, for one side: log shares (K), means (K x 3), precisions (K x 3 x 3)."""

    middle: Floats
    log_shares: Floats
    means: Floats
    precisions: Floats
    doubt: Floats


class HandPlaces:
    """Places wrists seen by one camera at one table."""

    def __init__(self, camera: Camera, layout: Layout, settings: PlaceSettings = SETTINGS) -> None:
        """Turn the habits to every seat."""
        self._camera = camera
        self._layout = layout
        self._settings = settings
        self._seats = {(s.seat, side): self._turned(layout, s.seat, side) for s in layout.seats for side in Side}

    def place(self, seat: int, side: Side, wrist_px: Floats, size_px: float, hand: HandSize) -> Place:
        """Place a seat's left or right wrist; ``size_px`` is how long the hand appears, ``hand`` how long it is."""
        here = self._seats[seat, side]
        precision, pull = self._look(here, wrist_px, size_px, hand)
        together = here.precisions + precision
        spread = np.linalg.inv(together)
        pulls = np.einsum("kij,kj->ki", here.precisions, here.means) + pull
        means = np.einsum("kij,kj->ki", spread, pulls)
        # how well each habit agrees with what is seen; what all have in common drops out
        fits = here.log_shares - 0.5 * np.linalg.slogdet(together)[1]
        fits += 0.5 * np.einsum("ki,ki->k", pulls, means)
        shares = np.exp(fits - fits.max())
        shares /= shares.sum()
        mean = shares @ means
        off = means - mean
        covariance = np.einsum("k,kij->ij", shares, spread + off[:, :, None] * off[:, None, :])
        return Place(mean, np.asarray(covariance + here.doubt))

    def plain_mm(self, place: Place, wrist_px: Floats, size_px: float) -> float | None:
        """Return how long a hand that is plainly over the table appears to be (mm); None where it is not."""
        s = self._settings
        beyond = float(beyond_edge_mm(self._layout, place.position_mm)[0])
        if abs(float(place.position_mm[2]) - s.usual_mm) > s.plain_mm or not -s.plain_reach_mm < beyond < 0:
            return None
        at = self._camera.to_table([wrist_px], s.usual_mm)
        apparent = float(size_px * self._camera.depth_mm(at)[0] / self._camera.focal_px)
        return apparent if math.isfinite(apparent) else None

    def _look(self, here: _Seat, wrist_px: Floats, size_px: float, hand: HandSize) -> tuple[Floats, Floats]:
        """Return what this look says of the wrist as one Gaussian: its precision (3 x 3), and that times its mean.

        Across the ray by the wrist's px, along it by the hand's size.
        """
        s, camera = self._settings, self._camera
        ray = camera.rays([wrist_px])[0]
        along = ray / np.linalg.norm(ray)
        eye = camera.position_mm
        depth = max(float((here.middle - eye) @ ray / (ray @ ray)), 1.0)
        across_mm = math.hypot(s.wrist_share * hand.length_mm, s.wrist_px * depth / camera.focal_px)
        precision = (np.eye(3) - np.outer(along, along)) / across_mm**2
        pull = precision @ eye
        ahead = camera.rotation[2]
        far = camera.focal_px * s.seen_ratio * hand.length_mm / max(size_px, 1.0)
        far_share = math.sqrt(s.seen_share**2 + hand.share**2 + camera.focal_error**2)
        precision = precision + np.outer(ahead, ahead) / (far_share * far) ** 2
        pull = pull + ahead * (far + ahead @ eye) / (far_share * far) ** 2
        return precision, pull

    def _turned(self, layout: Layout, seat: int, side: Side) -> _Seat:
        s = self._settings
        edge, along, away = seat_axes(layout, seat)
        middle = np.array([*edge, 0.0])
        own = along if side is Side.RIGHT else -along
        turn = np.array([[*away, 0.0], [*own, 0.0], [0.0, 0.0, 1.0]]).T
        means = np.array([middle + turn @ h.middle_mm for h in s.habits])
        spreads = np.array([turn @ h.covariance @ turn.T for h in s.habits])
        precisions = np.linalg.inv(spreads)
        # a Gaussian's log density at the origin, but for what all have in common
        log_shares = np.log([h.share for h in s.habits]) - 0.5 * np.linalg.slogdet(spreads)[1]
        log_shares -= 0.5 * np.einsum("ki,kij,kj->k", means, precisions, means)
        usual = means[int(np.argmax([h.share for h in s.habits]))]
        return _Seat(usual, log_shares, means, precisions, self._camera.doubt_mm2(usual))
