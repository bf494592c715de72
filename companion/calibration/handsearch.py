"""Look for everybody's hands on the table: a first check, and how large each player's hands are."""

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from companion.vision.camera import Camera, solve_camera
from companion.vision.frame import Image
from companion.vision.geometry import seat_axes, seat_crops
from companion.vision.hands import HandFinder, HandObservation
from companion.vision.layout import HAND_MM, Layout, parse_layout

WRIST, MIDDLE_TIP = 0, 12
SAME_HAND_MM = 90.0
"""Two findings whose middles are nearer than this are one hand seen from two crops."""
LYING_MM = 12.0
WRIST_MM = 25.0
"""Landmarks of a hand that lies flat are about so high over the table: the middle of a finger, and of the wrist. Seen
from low, a wrist taken for 10 mm too low makes a hand that points to the camera 20 mm too long."""
FEWEST_SIGHTINGS = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class LyingHand:
    """A hand on the table in one picture: whose, which, how long, where in the picture."""

    seat: int
    side: str
    middle_mm: tuple[float, float]
    length_mm: float
    landmarks_px: tuple[tuple[float, float], ...]
    score: float


def search_hands(
    layout_value: Mapping[str, Any], model: Path, next_picture: Callable[[], Image | None]
) -> list[dict[str, Any]]:
    """Look at pictures until there are no more; return each hand that was seen at least twice, for JSON."""
    layout = parse_layout(dict(layout_value))
    camera = solve_camera(layout)
    crops = seat_crops(camera, layout)
    sightings: list[LyingHand] = []
    with HandFinder(model) as finder:
        while (image := next_picture()) is not None:
            found = finder.find(image, list(crops.values()))
            sightings += _one_each([lying_hand(hand, camera, layout) for hand in found])
    return [_plain(hand) for hand in told_apart(gather(sightings), layout)]


def lying_hand(hand: HandObservation, camera: Camera, layout: Layout) -> LyingHand:
    """Place a found hand on the table, and give it to the seat whose stretch of edge it is nearest to.

    Left and right follow from the model; owner from the geometry, since several people's hands are in one crop.
    """
    on_table = camera.to_table(hand.landmarks_px, LYING_MM)[:, :2]
    on_table[WRIST] = camera.to_table(hand.landmarks_px[WRIST : WRIST + 1], WRIST_MM)[0, :2]
    middle = np.nanmean(on_table, axis=0)
    seat = min(layout.seats, key=lambda s: float(np.linalg.norm(_behind(layout, s.seat) - on_table[WRIST])))
    length = float(np.linalg.norm(on_table[MIDDLE_TIP] - on_table[WRIST]))
    return LyingHand(
        seat=seat.seat,
        side=str(hand.side.value),
        middle_mm=(float(middle[0]), float(middle[1])),
        length_mm=length,
        landmarks_px=tuple((round(float(x), 1), round(float(y), 1)) for x, y in hand.landmarks_px),
        score=float(hand.score),
    )


def gather(sightings: list[LyingHand]) -> list[LyingHand]:
    """Put sightings of one hand over several pictures together: the typical one stands for all, stray ones go."""
    groups: list[list[LyingHand]] = []
    for hand in sightings:
        near = next((g for g in groups if _apart(g[-1], hand) < SAME_HAND_MM and g[-1].seat == hand.seat), None)
        if near is None:
            groups.append([hand])
        else:
            near.append(hand)
    steady = [group for group in groups if len(group) >= FEWEST_SIGHTINGS]
    kept = []
    by_seat: dict[int, list[list[LyingHand]]] = defaultdict(list)
    for group in steady:
        by_seat[group[0].seat].append(group)
    for of_seat in by_seat.values():
        # a player has two hands: the two seen most often
        for group in sorted(of_seat, key=len, reverse=True)[:2]:
            kept.append(sorted(group, key=lambda hand: hand.length_mm)[len(group) // 2])
    return sorted(kept, key=lambda hand: (hand.seat, hand.side))


def told_apart(hands: list[LyingHand], layout: Layout) -> list[LyingHand]:
    """Name a player's two hands left and right by where they lie, which is surer than the model's guess."""
    named = []
    for seat in sorted({hand.seat for hand in hands}):
        of_seat = [hand for hand in hands if hand.seat == seat]
        if len(of_seat) == 2:
            _middle, to_the_right, _away = seat_axes(layout, seat)
            left, right = sorted(of_seat, key=lambda hand: float(np.dot(hand.middle_mm, to_the_right)))
            of_seat = [replace(left, side="left"), replace(right, side="right")]
        named += of_seat
    return named


def hand_lengths(hands: list[Mapping[str, Any]]) -> dict[int, float]:
    """Return each seat's hand length in mm, the mean of its hands; lengths no hand has are left out."""
    lengths: dict[int, list[float]] = defaultdict(list)
    for hand in hands:
        if HAND_MM[0] <= hand["length_mm"] <= HAND_MM[1]:
            lengths[int(hand["seat"])].append(float(hand["length_mm"]))
    return {seat: round(float(np.mean(of_seat)), 1) for seat, of_seat in lengths.items()}


def _behind(layout: Layout, seat: int) -> "np.typing.NDArray[np.float64]":
    middle, _along, away = seat_axes(layout, seat)
    return np.asarray(middle + 100.0 * away)


def _one_each(hands: list[LyingHand]) -> list[LyingHand]:
    kept: list[LyingHand] = []
    for hand in sorted(hands, key=lambda h: -h.score):
        if not np.isnan(hand.length_mm) and all(_apart(hand, other) > SAME_HAND_MM * 0.7 for other in kept):
            kept.append(hand)
    return kept


def _apart(one: LyingHand, other: LyingHand) -> float:
    return float(np.hypot(one.middle_mm[0] - other.middle_mm[0], one.middle_mm[1] - other.middle_mm[1]))


def _plain(hand: LyingHand) -> dict[str, Any]:
    return {
        "seat": hand.seat,
        "side": hand.side,
        "length_mm": round(hand.length_mm, 1),
        "landmarks_px": [list(point) for point in hand.landmarks_px],
        "score": round(hand.score, 2),
    }
