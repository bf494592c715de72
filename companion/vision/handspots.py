"""What the seat net's maps of where each player's hands are say of a hand that was found: whose it is likely to be.

A map is a distribution over the cells of its seat's picture. It is read as a density on the frame, since seats near the
camera have larger cells: how much of it lies on a hand of that size at that place. Pure: maps in, log odds out.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.vision.camera import Floats
from companion.vision.seatview import SeatView


@dataclass(frozen=True, slots=True, kw_only=True)
class SpotSettings:
    """Numbers that the maps are read with."""

    surprise: float = 0.001
    """How often a hand lies where its map does not expect it at all: what bounds the evidence."""
    outside: float = 0.02
    """The same for a hand outside of the seat's picture: it reaches across the table, or is a neighbour's."""


SETTINGS = SpotSettings()


class HandSpots:
    """The maps of all seats at one moment."""

    def __init__(
        self, views: Mapping[int, SeatView], maps: Mapping[int, NDArray[np.floating]], settings: SpotSettings = SETTINGS
    ) -> None:
        """Take each seat's view, and its maps of the left and the right hand (2 x side x side, logits)."""
        self._settings = settings
        self._logs: dict[int, tuple[Floats, Floats, float]] = {}
        for seat, logits in maps.items():
            side = logits.shape[-1]
            cells = np.asarray(logits, np.float64)
            cells = cells - cells.max(axis=(1, 2), keepdims=True)
            cells = cells - np.log(np.exp(cells).sum(axis=(1, 2), keepdims=True))
            view = views[seat]
            to_map = view.to_seat * (side / view.edge.shape[0])
            per_px = math.log(max(abs(float(np.linalg.det(to_map[:, :2]))), 1e-12))
            self._logs[seat] = (cells, to_map, per_px)

    def log_share(self, seat: int, centre_px: Floats, size_px: float) -> tuple[float, float]:
        """Return the log of how much of the seat's left and right hand lies on a hand there (0 at best or so).

        ``centre_px`` is the mean of the landmarks (2, px of the frame), ``size_px`` the hand's length. Never below the
        log of how often the map is wrong; a seat without a map says the same of all places.
        """
        s = self._settings
        if seat not in self._logs:
            return 0.0, 0.0
        cells, to_map, per_px = self._logs[seat]
        side = cells.shape[-1]
        at = to_map[:, :2] @ centre_px + to_map[:, 2] - 0.5
        if not ((at > -0.5) & (at < side - 0.5)).all():
            return math.log(s.outside), math.log(s.outside)
        area = per_px + 2 * math.log(max(size_px, 1.0))
        left, right = (math.log(s.surprise + math.exp(min(v + area, 0.0))) for v in _between(cells, at))
        return left, right


def _between(maps: Floats, at: Floats) -> tuple[float, float]:
    """Return both maps' values (2 x side x side) between their cells' middles, held at the border."""
    side = maps.shape[-1]
    x, y = np.clip(at, 0, side - 1)
    x0, y0 = min(int(x), side - 2), min(int(y), side - 2)
    dx, dy = x - x0, y - y0
    part = maps[:, y0 : y0 + 2, x0 : x0 + 2]
    values = (part[:, 0] * (1 - dy) + part[:, 1] * dy) @ np.array([1 - dx, dx])
    return float(values[0]), float(values[1])
