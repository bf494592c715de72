"""Draw what the vision sees: boxes, hands, edge, heights, log odds and reasons; for people who tune."""

from collections.abc import Sequence

import cv2
import numpy as np

from companion.vision.events import Event, Side
from companion.vision.frame import NS_PER_S, Image
from companion.vision.geometry import outline_curve, seat_axes
from companion.vision.pipeline import Pipeline, SeenHand

GREEN, AMBER, RED, BLUE, WHITE = (80, 220, 80), (0, 190, 255), (60, 60, 255), (255, 160, 60), (255, 255, 255)
SHOWN_S = 2.0
FINGERS = ((0, 1, 2, 3, 4), (0, 5, 6, 7, 8), (5, 9, 10, 11, 12), (9, 13, 14, 15, 16), (0, 17, 18, 19, 20), (13, 17))


def draw(image: Image, pipeline: Pipeline, events: Sequence[Event], at_ns: int) -> Image:
    """Return a copy of a frame with the pipeline's last look drawn over it.

    Boxes looked at are blue; hands green where the model found them, amber where only their looks kept them; the
    table's edge white, and the bars through each wrist: where it is taken to be, give or take one standard deviation;
    by each seat the length of the player's hand as known, and the running log odds; events told within the last two
    seconds red, in words.
    """
    out = image.copy()
    curve = outline_curve(pipeline.layout)
    edge = pipeline.camera.project(np.column_stack([curve, np.zeros(len(curve))]))
    if np.isfinite(edge).all():
        cv2.polylines(out, [edge.astype(np.int32)], True, WHITE, 1, cv2.LINE_AA)
    for box in pipeline.boxes:
        cv2.rectangle(out, (box.x0, box.y0), (box.x1, box.y1), BLUE, 1)
    for hand in pipeline.hands:
        colour = GREEN if hand.found else AMBER
        points = hand.track.landmarks_px.astype(np.int32)
        for finger in FINGERS:
            cv2.polylines(out, [points[list(finger)]], False, colour, 1, cv2.LINE_AA)
        label = f"{hand.track.seat}{hand.track.side[0].upper()} z{hand.position_mm[2]:+.0f}~{hand.spread_mm[2]:.0f}"
        _write(out, label, (points[0, 0], points[0, 1]), colour)
        _draw_spread(out, pipeline, hand)
    for seat, gestures in pipeline.gestures.items():
        middle, _, away = seat_axes(pipeline.layout, seat)
        place = pipeline.camera.project([(*(middle + 120 * away), 0.0)])[0]
        if np.isfinite(place).all():
            size = pipeline.sizes[seat].size
            _write(out, f"hand {size.length_mm:.0f}~{size.spread_mm:.0f}", (place[0], place[1] - 14), WHITE)
            for row, ((kind, side), level) in enumerate(gestures.levels.items()):
                _write(out, f"{kind.value[:6]} {_letter(side)} {level:+.1f}", (place[0], place[1] + 14 * row), WHITE)
    recent = [e for e in events if 0 <= at_ns - e.raised_ns < SHOWN_S * NS_PER_S]
    for row, event in enumerate(recent):
        _write(out, f"seat {event.seat}: {event.why}", (10, 24 + 22 * row), RED, 0.6)
    return out


def _draw_spread(image: Image, pipeline: Pipeline, hand: SeenHand) -> None:
    """Draw where the wrist is taken to be: a bar along each axis of the table's frame, one deviation to each side."""
    at = np.array(hand.position_mm)
    bars = np.diag(hand.spread_mm)
    ends = pipeline.camera.project(np.concatenate([at - bars, at + bars]))
    if np.isfinite(ends).all():
        for start, end in zip(ends[:3].astype(int).tolist(), ends[3:].astype(int).tolist(), strict=True):
            cv2.line(image, start, end, WHITE, 1, cv2.LINE_AA)


def _letter(side: Side | None) -> str:
    return side[0].upper() if side else " "


def _write(image: Image, text: str, at: tuple[float, float], colour: tuple[int, int, int], size: float = 0.42) -> None:
    place = (int(at[0]), int(at[1]))
    (width, height), below = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, size, 1)
    # a dark box: a thicker black text under it is wider in some releases of OpenCV and does not lie under it
    cv2.rectangle(
        image, (place[0] - 2, place[1] - height - 2), (place[0] + width + 2, place[1] + below), (40, 40, 40), -1
    )
    cv2.putText(image, text, place, cv2.FONT_HERSHEY_SIMPLEX, size, colour, 1, cv2.LINE_AA)
