"""Whose hand is it, as far as one look can tell: its place, where it points, and what the seat net expects where.

Continuity (`tracking`) multiplies that. MediaPipe's handedness is one cue among them, no identity.
"""

import math
from dataclasses import dataclass

import numpy as np

from companion.vision.camera import Camera, Floats
from companion.vision.events import Side
from companion.vision.geometry import seat_axes
from companion.vision.hands import HandObservation
from companion.vision.handspots import HandSpots
from companion.vision.layout import Layout

Slot = tuple[int, Side]


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnerWeights:
    """What each look at a hand counts for its owner: negative log odds (nats)."""

    owner_mm: float
    """So many millimetres farther from a body make a hand e times less likely that player's."""
    side_mm: float
    """So many millimetres to the player's right make a hand e times more likely a right hand."""
    side_model: float
    """Log odds that MediaPipe's own left or right adds when it is sure."""
    elbow: float = 0.0
    """What a hand that points straight away from an elbow gains over one at right angles to that."""
    spot: float = 0.0
    """What the seat net's maps add for each nat of their own."""


BY_PLACE = OwnerWeights(owner_mm=57.0, side_mm=52.0, side_model=1.4)
"""Without the seat net; fitted to 1,470 hands of 38 rendered training clips."""
BY_ALL = OwnerWeights(owner_mm=97.0, side_mm=100.0, side_model=1.86, elbow=1.65, spot=1.42)
"""With its maps; fitted to 13,720 hands of 13 rendered clips that the net had not seen (multinomial, all at once)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnerSettings:
    """Where bodies and elbows are taken to be, and what each kind of evidence weighs; lengths in mm."""

    by_place: OwnerWeights = BY_PLACE
    by_all: OwnerWeights = BY_ALL

    hand_height_mm: float = 75.0
    """Height of a wrist over the table where nothing else is known (median of 88,000 rendered hands; half of them lie
    between 62 and 92)."""
    body_behind_mm: float = 100.0
    """How far behind the edge a player's body is taken to be; 0 to 200 tell owners apart equally well (97 %)."""
    elbow_out_mm: float = 200.0
    """How far behind the edge elbows are taken to be..."""
    elbow_aside_mm: float = 250.0
    """...and how far to the left and right of the seat's middle."""
    far_mm: float = 800.0
    """A hand farther than this from a body begins no track of that player."""


SETTINGS = OwnerSettings()


class Owners:
    """What it costs to say that a hand is a given seat's left or right one; from the table's geometry alone."""

    def __init__(self, camera: Camera, layout: Layout, settings: OwnerSettings = SETTINGS) -> None:
        """Take the seats' places from the layout."""
        self._camera = camera
        self._settings = settings
        self._axes = [seat_axes(layout, s.seat) for s in layout.seats]
        self.slots: tuple[Slot, ...] = tuple((s.seat, side) for s in layout.seats for side in Side)
        """Each seat's left and right hand."""

    def costs(self, hand: HandObservation, spots: HandSpots | None = None) -> Floats:
        """Return the cost of each slot for a hand (N); infinite where the hand is out of that player's reach.

        With ``spots``, the seat net's maps of this moment count too.
        """
        s = self._settings
        w = s.by_place if spots is None else s.by_all
        place = self._camera.to_table([hand.wrist_px, hand.knuckles_px], s.hand_height_mm)[:, :2]
        if not np.isfinite(place).all():
            return np.full(len(self.slots), s.far_mm / w.owner_mm)
        wrist, back = place[0], _unit(place[0] - place[1])
        model = w.side_model * (1 if hand.side is Side.RIGHT else -1) * (2 * hand.score - 1)
        costs = []
        for (seat, _), (middle, along, away) in zip(self.slots[::2], self._axes, strict=True):
            far = float(np.linalg.norm(wrist - middle - s.body_behind_mm * away))
            owner = far / w.owner_mm if far <= s.far_mm else math.inf
            right = float((wrist - middle) @ along) / w.side_mm + model
            shares = (0.0, 0.0) if spots is None else spots.log_share(seat, hand.centre_px, hand.size_px)
            for sign, share in zip((-1, 1), shares, strict=True):
                elbow = middle + s.elbow_out_mm * away + sign * s.elbow_aside_mm * along
                points = float(back @ _unit(elbow - wrist))
                costs.append(owner + _softplus(-sign * right) - w.elbow * points - w.spot * share)
        return np.array(costs)


def _unit(vector: Floats) -> Floats:
    return np.asarray(vector / max(float(np.linalg.norm(vector)), 1e-9))


def _softplus(x: float) -> float:
    return max(x, 0.0) + math.log1p(math.exp(-abs(x)))
