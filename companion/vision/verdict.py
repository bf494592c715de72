"""One sentence about a layout: is every seat seen well enough, and if not, what to do with the camera."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from companion.errors import CompanionError
from companion.vision.camera import Camera, solve_camera
from companion.vision.geometry import seat_axes
from companion.vision.layout import Layout, LayoutError


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictSettings:
    """What a seat needs to be watched; lengths in mm."""

    half_mm: float = 220.0
    """Half the stretch of edge that must be seen of every seat: both hands."""
    inside_mm: float = 200.0
    outside_mm: float = 90.0
    """How far outside the edge: where a hand goes down."""
    height_mm: float = 120.0
    hand_mm: float = 180.0
    least_hand_px: float = 44.0
    """A hand's length in the picture below which landmarks are lost: 24 px a palm, in a crop that is scaled up."""
    least_above_deg: float = 18.0
    """A camera lower than this over the table sees hands only in a row behind each other."""
    slack_px: float = 2.0


SETTINGS = VerdictSettings()


@dataclass(frozen=True, slots=True)
class Verdict:
    """``good``, and the sentence with its template for translation; ``seats`` are those it speaks of."""

    good: bool
    sentence: CompanionError
    seats: tuple[int, ...] = ()


TURN = {
    "left": "Place {place} is cut off at the picture's left edge: turn the camera left.",
    "right": "Place {place} is cut off at the picture's right edge: turn the camera right.",
    "top": "Place {place} is cut off at the picture's upper edge: tilt the camera up.",
    "bottom": "Place {place} is cut off at the picture's lower edge: tilt the camera down.",
}
BACK = {
    frozenset({"left", "right"}): "Places {places} are cut off on both sides: move the camera farther away.",
    frozenset(
        {"top", "bottom"}
    ): "Places {places} are cut off above and below: move the camera farther away or higher.",
}


def judge(
    layout: Layout,
    hands: Mapping[int, int] | None = None,
    settings: VerdictSettings = SETTINGS,
    *,
    placed: bool = True,
) -> Verdict:
    """Say in one sentence whether this layout can be watched.

    ``hands`` is how many hands were found at each seat while everybody laid both flat on the table, if that was tried;
    hands that were measured before are kept with the seats. ``placed`` is whether the outline is anybody's word.
    The worst thing comes first: a table that nobody placed or that cannot be there, seats cut off, a low camera, small
    hands, hands missing, hands never looked at.
    """
    if not placed:
        return _bad(
            "The table was not placed: go back to the step Table, and tap its corners in the picture or let Auto find "
            "it by the printed page."
        )
    try:
        camera = solve_camera(layout)
    except LayoutError:
        return _bad("The outline does not fit a table of that size: correct the size, or drag the corners again.")
    return (
        _cut_off(camera, layout, settings)
        or _too_low(camera, settings)
        or _too_small(camera, layout, settings)
        or _hands_missing(hands)
        or _fair(layout, hands)
    )


def cut_edges(camera: Camera, layout: Layout, settings: VerdictSettings = SETTINGS) -> dict[int, frozenset[str]]:
    """Return for each seat that is cut off the edges of the picture that cut it."""
    cut = {}
    for seat in layout.seats:
        middle, along, away = seat_axes(layout, seat.seat)
        points = [
            (*(middle + a * along + o * away), z)
            for a in (-settings.half_mm, settings.half_mm)
            for o in (-settings.inside_mm, settings.outside_mm)
            for z in (0.0, settings.height_mm)
        ]
        px = camera.project(points)
        edges = _beyond(px, camera.size, settings.slack_px)
        if edges:
            cut[seat.seat] = edges
    return cut


def _beyond(px: "np.typing.NDArray[np.float64]", size: tuple[int, int], slack_px: float) -> frozenset[str]:
    if np.isnan(px).any():
        return frozenset({"bottom"})
    width, height = size
    sides = {
        "left": px[:, 0].min() < -slack_px,
        "right": px[:, 0].max() > width + slack_px,
        "top": px[:, 1].min() < -slack_px,
        "bottom": px[:, 1].max() > height + slack_px,
    }
    return frozenset(side for side, out in sides.items() if out)


def _cut_off(camera: Camera, layout: Layout, settings: VerdictSettings) -> Verdict | None:
    cut = cut_edges(camera, layout, settings)
    if not cut:
        return None
    sides = frozenset().union(*cut.values())
    for both, template in BACK.items():
        if both <= sides:
            seats = tuple(seat for seat, edges in cut.items() if edges & both)
            if len(seats) == 1:
                return _bad(
                    "Place {place} is larger than the picture: move the camera farther away.", seats, place=seats[0] + 1
                )
            return _bad(template, seats, places=_listed(seats))
    seat, edges = next(iter(cut.items()))
    return _bad(TURN[min(edges)], (seat,), place=seat + 1)


def _too_low(camera: Camera, settings: VerdictSettings) -> Verdict | None:
    x, y, z = camera.position_mm
    if math.degrees(math.atan2(z, math.hypot(x, y))) >= settings.least_above_deg:
        return None
    return _bad("The camera looks at the table almost from its own height: put it higher, at least as high as a head.")


def _too_small(camera: Camera, layout: Layout, settings: VerdictSettings) -> Verdict | None:
    points = [(*seat.edge_mm, 0.0) for seat in layout.seats]
    hand_px = camera.focal_px * settings.hand_mm / camera.depth_mm(points)
    small = tuple(s.seat for s, px in zip(layout.seats, hand_px, strict=True) if px < settings.least_hand_px)
    if not small:
        return None
    return _bad(
        "Hands at place {places} are too small in the picture: move the camera nearer or choose a higher resolution.",
        small,
        places=_listed(small),
    )


def _hands_missing(hands: Mapping[int, int] | None) -> Verdict | None:
    missing = tuple(seat for seat, found in (hands or {}).items() if found < 2)
    if not missing:
        return None
    return _bad(
        "Not both hands were found at place {places}: make more light, pull the cuffs back, and try once more.",
        missing,
        places=_listed(missing),
    )


def _fair(layout: Layout, hands: Mapping[int, int] | None) -> Verdict:
    count = len(layout.seats)
    if hands is None and all(seat.hand_mm is None for seat in layout.seats):
        return Verdict(
            True,
            CompanionError(
                "All {count} places are in the picture, but nobody's hands were looked at: you can play so; the step "
                "Hands makes it surer.",
                count=count,
            ),
        )
    return Verdict(True, CompanionError("All {count} places are in the picture: ready to play.", count=count))


def _listed(seats: tuple[int, ...]) -> str:
    return ", ".join(str(seat + 1) for seat in seats)


def _bad(template: str, which: tuple[int, ...] = (), **params: object) -> Verdict:
    return Verdict(False, CompanionError(template, **params), which)
