"""One sentence about a layout, by tables of cameras."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.vision.layout import Layout, Lens, Shape, Table
from companion.vision.seatplan import propose_piles, propose_seats
from companion.vision.verdict import judge

TABLE = Table(Shape.RECTANGLE, 1000, 800)
FOCAL = 850.0


def seen_from(
    position: tuple[float, float, float],
    aim: tuple[float, float, float] = (0, 0, 0),
    focal: float = FOCAL,
    size: tuple[int, int] = (1280, 720),
) -> Layout:
    """Return the layout of a table seen by a camera (table frame, mm) that looks at ``aim``."""
    eye = np.array(position, dtype=float)
    ahead = np.array(aim) - eye
    ahead /= np.linalg.norm(ahead)
    right = np.cross(ahead, [0, 0.02 if abs(ahead[2]) > 0.99 else 0, 1] if abs(ahead[2]) < 0.99 else [0, 1, 0])
    right /= np.linalg.norm(right)
    rotation = np.array([right, np.cross(ahead, right), ahead])
    matrix = np.array([[focal, 0, size[0] / 2], [0, focal, size[1] / 2], [0, 0, 1]])
    corners = np.array([[-500, -400, 0], [500, -400, 0], [500, 400, 0], [-500, 400, 0]], dtype=float)
    px, _ = cv2.projectPoints(corners, cv2.Rodrigues(rotation)[0], -rotation @ eye, matrix, np.zeros(4))
    points = [(float(x), float(y)) for x, y in px.reshape(4, 2)]
    discard, draw = propose_piles(TABLE)
    hfov = float(np.degrees(2 * np.arctan(size[0] / 2 / focal)))
    return Layout(
        image_size=size,
        lens=Lens(hfov_deg=hfov),
        table=TABLE,
        outline_px=(points[0], points[1], points[2], points[3]),
        seats=propose_seats(TABLE, 4),
        discard_mm=discard,
        draw_mm=draw,
    )


GOOD = seen_from((0, -900, 1500))


def test_a_good_view_is_said_to_be_good() -> None:
    """All seats in the picture: play."""
    verdict = judge(GOOD, {0: 2, 1: 2, 2: 2, 3: 2})
    assert verdict.good, verdict.sentence
    assert "4 places are in the picture: ready to play" in str(verdict.sentence)


def test_hands_that_nobody_looked_at_are_said_mildly() -> None:
    """Skipped hands hinder nobody from playing, but "ready" is not said; hands measured before are kept."""
    verdict = judge(GOOD)
    assert verdict.good
    assert "hands were looked at" in str(verdict.sentence)
    assert "ready" not in str(verdict.sentence)
    measured = replace(GOOD, seats=tuple(replace(seat, hand_mm=180.0) for seat in GOOD.seats))
    assert "ready" in str(judge(measured).sentence)


def test_a_table_that_nobody_placed_is_not_ready() -> None:
    """However well the places lie in the picture, they lie round a table that is not there."""
    verdict = judge(GOOD, placed=False)
    assert not verdict.good
    assert str(verdict.sentence).startswith("The table was not placed: ")


@pytest.mark.parametrize(
    ("layout", "words", "seats"),
    [
        (seen_from((620, -500, 1600), (620, 0, 0)), "Place 2 … left edge: turn the camera left", (1,)),
        (seen_from((-620, -500, 1600), (-620, 0, 0)), "Place 4 … right edge: turn the camera right", (3,)),
        (seen_from((0, -900, 1500), (0, 420, 0)), "Place 1 … lower edge: tilt the camera down", (0,)),
        (seen_from((0, -900, 1500), (0, -420, 0)), "Place 3 … upper edge: tilt the camera up", (2,)),
        (seen_from((0, -300, 700)), "farther away", None),
        (seen_from((0, -2400, 500)), "put it higher", ()),
        (seen_from((0, -2600, 3600)), "too small", None),
    ],
)  # fmt: skip
def test_the_sentence_says_what_to_do_with_the_camera(
    layout: Layout, words: str, seats: tuple[int, ...] | None
) -> None:
    """Each fault has its sentence, and names the places it is about."""
    verdict = judge(layout)
    assert not verdict.good
    assert words.replace("…", "is cut off at the picture's") in str(verdict.sentence)
    if seats is not None:
        assert verdict.seats == seats


def test_missing_hands_are_said_last() -> None:
    """Where the view is good but a hand was not found, light and cuffs are named."""
    verdict = judge(GOOD, {0: 2, 1: 2, 2: 1, 3: 2})
    assert not verdict.good
    assert verdict.seats == (2,)
    assert "place 3" in str(verdict.sentence)
    assert judge(GOOD, {0: 2, 1: 2, 2: 2, 3: 2}).good


def test_an_outline_that_no_table_of_that_size_gives_is_said() -> None:
    """A wrong size is told from a wrong camera."""
    twisted = replace(GOOD, outline_px=((100.0, 650.0), (1200.0, 700.0), (640.0, 100.0), (635.0, 90.0)))
    assert "does not fit" in str(judge(twisted).sentence)
