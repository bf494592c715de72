"""The table's size from a card of the game that lies on it: found by itself, or with its corners tapped."""

import cv2
import numpy as np
import pytest

from companion.vision.cardfind import find_card, measure_card
from companion.vision.cardscale import CARD_MM, CardError, size_by_card
from companion.vision.layout import Layout, Lens, Shape, Table
from companion.vision.seatplan import propose_seats
from tests.vision.tablescene import PX_PER_MM, DrawnTable

VIEWS = {"overhead": (0.0, -60.0, 1250.0), "oblique": (-350.0, -700.0, 1000.0), "front": (0.0, -900.0, 700.0)}


def layout_of(scene: DrawnTable, table: Table) -> Layout:
    """Return the layout of a table whose outline is right and whose size is a guess."""
    px = cv2.perspectiveTransform(scene.outline_mm()[None], scene.to_image())[0]
    points = [(float(x), float(y)) for x, y in px]
    return Layout(
        image_size=scene.size_px,
        lens=Lens(hfov_deg=70.0),
        table=table,
        outline_px=(points[0], points[1], points[2], points[3]),
        seats=propose_seats(table, 4),
        discard_mm=(0, 0),
        draw_mm=(-110, 0),
    )


def card_on(at_mm: tuple[float, float], turned_deg: float) -> np.ndarray:
    """Return the corners (mm) of a card that lies on the table."""
    angle = np.radians(turned_deg)
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    return np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.array(CARD_MM) / 2 @ turn + at_mm


class WithCards(DrawnTable):
    """A drawn table with cards, white rim and printed back, in the page's stead."""

    cards: tuple[tuple[tuple[float, float], float], ...] = (((60.0, 20.0), 20.0),)

    def _lay_page(self, top: np.ndarray) -> None:
        for at, turned in self.cards:
            corners = (card_on(at, turned) * [1, -1]) * PX_PER_MM + top.shape[0] / 2
            middle = corners.mean(axis=0)
            for share, colour in ((1.0, (235, 238, 240)), (0.86, (70, 120, 60))):
                ring = np.round((middle + share * (corners - middle)) * 16).astype(np.int32)
                cv2.fillPoly(top, [ring], colour, lineType=cv2.LINE_AA, shift=4)


@pytest.mark.parametrize("eye", VIEWS.values(), ids=VIEWS)
@pytest.mark.parametrize("round_table", [False, True], ids=["rectangle", "round"])
def test_the_size_follows_from_one_loose_card(eye: tuple[float, float, float], round_table: bool) -> None:
    """Found by itself, within four percent, from a guess that is far off."""
    size = (900.0, 900.0) if round_table else (1000.0, 700.0)
    scene = WithCards(eye_mm=eye, round_table=round_table, size_mm=size)
    guess = Table(Shape.ROUND, 1400, 1400) if round_table else Table(Shape.RECTANGLE, 1800, 800)
    found = find_card(scene.picture(), layout_of(scene, guess))
    assert found.fit.table.shape is guess.shape
    assert found.fit.table.width_mm == pytest.approx(size[0], rel=0.04)
    assert found.fit.table.depth_mm == pytest.approx(size[1], rel=0.04)


@pytest.mark.parametrize("seed", range(4))
def test_tapped_corners_are_put_on_the_cards_edges(seed: int) -> None:
    """Taps two pixels off, in any order around the card, give the size within four percent."""
    scene = WithCards(eye_mm=VIEWS["oblique"])
    true = cv2.perspectiveTransform(card_on((60.0, 20.0), 20.0)[None], scene.to_image())[0]
    rng = np.random.default_rng(seed)
    tapped = np.roll(true, seed, axis=0)[:: rng.choice([-1, 1])] + rng.uniform(-2, 2, (4, 2))
    found = measure_card(scene.picture(), layout_of(scene, Table(Shape.RECTANGLE, 600, 600)), tapped)
    assert found.fit.table.width_mm == pytest.approx(1000, rel=0.04)
    assert found.fit.table.depth_mm == pytest.approx(700, rel=0.04)


def test_true_corners_give_the_true_size() -> None:
    """The geometry alone is exact, for a card of another size as well."""
    scene = DrawnTable()
    corners = np.array([[92.0, 46.5], [148.0, 46.5], [148.0, 133.5], [92.0, 133.5]])
    px = cv2.perspectiveTransform(corners[None], scene.to_image())[0]
    found = size_by_card(layout_of(scene, Table(Shape.RECTANGLE, 500, 500)), px, (56.0, 87.0))
    assert (found.table.width_mm, found.table.depth_mm) == (1000, 700)
    assert found.off_px < 0.01


def test_without_a_card_it_says_what_to_do() -> None:
    """One sentence, and no guess."""
    scene = DrawnTable()
    with pytest.raises(CardError, match="lay one card flat"):
        find_card(scene.picture(page=False), layout_of(scene, Table(Shape.RECTANGLE, 1200, 800)))


def test_something_that_is_no_card_is_refused() -> None:
    """Four corners that no card can have, and four on a line."""
    layout = layout_of(DrawnTable(), Table(Shape.RECTANGLE, 1200, 800))
    for corners in (
        [[600, 300], [700, 310], [640, 330], [610, 380]],
        [[600, 300], [610, 300], [620, 300], [630, 300]],
        [[600, 300], [600, 300], [600, 300], [600, 300]],
    ):
        with pytest.raises(CardError, match="drag its four corners"):
            size_by_card(layout, np.array(corners, dtype=float))
