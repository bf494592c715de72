"""How long one player's hand is: from what the set-up measured, or what people's hands are like, and from their play.

Pure and of bounded memory. A length is the one the "hands flat" step measures (``Seat.hand_mm``): wrist to middle
fingertip of the model's landmarks of a flat hand, in mm.
"""

import math
from dataclasses import dataclass

import numpy as np

from companion.vision.camera import Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class HandSizeSettings:
    """Shares are of a hand's length, one standard deviation. Measured on rendered people (docs/vision.md)."""

    people_mm: float = 165.0
    """Length taken where nothing was measured. Grown-ups lie above (188 mm for men, 170 mm for women in 194 students:
    Zafar et al., J. Med. Sci. Peshawar 25(4), 2017, p. 425), children of seven below..."""
    people_share: float = 0.17
    """...and this wide, an assumption of ours: 117 to 231 mm within two standard deviations."""
    measured_share: float = 0.065
    """Of a length measured by the "hands flat" step: 75 rendered hands, 0.03 seen from above, 0.09 from the front."""
    upper: float = 0.85
    """Of the apparent lengths in play this quantile is taken: most hands are foreshortened, none is lengthened, and the
    very longest are mistakes. From 0.75 to 0.9 it tells a player's length equally well."""
    upper_ratio: float = 0.92
    """What that quantile is of the length of the flat hand."""
    play_share: float = 0.075
    """How far habits (how a player holds cards) leave that quantile off, however long one looks."""
    look_share: float = 0.2
    """What a single look would leave off; looks follow each other closely, so it is ``looks`` of them that halve it."""
    looks: float = 5.0
    """So many looks, half a second, count as one independent look."""
    fewest: int = 5
    """Below so many looks a quantile says nothing."""
    most: float = 6000.0
    """Older looks fade so that no more than this many count (five minutes of both hands): seats may change hands."""
    range_mm: tuple[float, float] = (50.0, 400.0)
    """Apparent lengths outside are mistakes of the hand model."""
    bins: int = 96
    """Of the histogram that stands for all looks: 2.2 % of a length each."""


SETTINGS = HandSizeSettings()


@dataclass(frozen=True, slots=True)
class HandSize:
    """A hand's length in mm, and one standard deviation of it as a share."""

    length_mm: float
    share: float

    @property
    def spread_mm(self) -> float:
        """Return one standard deviation in mm."""
        return self.length_mm * self.share


class LearntSize:
    """One player's hand length as it is known so far; both hands of a player count as equally long."""

    def __init__(self, measured_mm: float | None = None, settings: HandSizeSettings = SETTINGS) -> None:
        """Begin with the length that the set-up measured, or with what people's hands are like."""
        self._settings = settings
        known = measured_mm is not None
        self._start = HandSize(
            measured_mm if measured_mm is not None else settings.people_mm,
            settings.measured_share if known else settings.people_share,
        )
        low, high = settings.range_mm
        self._borders: Floats = np.geomspace(low, high, settings.bins + 1)
        self._counts: Floats = np.zeros(settings.bins)
        self.size = self._start
        """The length as known now."""

    @property
    def looks(self) -> float:
        """Return how many looks at the player's hands count."""
        return float(self._counts.sum())

    def see(self, apparent_mm: float) -> None:
        """Take one look at a hand that is plainly over the table, seen well: how long it appears there (mm).

        The median of many looks would be short (fans are foreshortened): see ``HandSizeSettings.upper``.
        """
        s = self._settings
        low, high = s.range_mm
        if not low <= apparent_mm < high:
            return
        self._counts[int(np.searchsorted(self._borders, apparent_mm, side="right")) - 1] += 1.0
        if self.looks > s.most:
            self._counts *= s.most / self.looks
        if self.looks >= s.fewest:
            self.size = self._joined()

    def _joined(self) -> HandSize:
        """Join the start and the play, both as Gaussians of the length's logarithm."""
        s = self._settings
        below = np.concatenate([[0.0], np.cumsum(self._counts)]) / self.looks
        upper = float(np.interp(s.upper, below, np.log(self._borders)))
        in_play = math.hypot(s.play_share, s.look_share / math.sqrt(self.looks / s.looks))
        weights = self._start.share**-2, in_play**-2
        logs = math.log(self._start.length_mm), upper - math.log(s.upper_ratio)
        mean = (weights[0] * logs[0] + weights[1] * logs[1]) / sum(weights)
        return HandSize(math.exp(mean), sum(weights) ** -0.5)
