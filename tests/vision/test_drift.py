"""A bumped camera is noticed and the table found again; people who move are no bump."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.vision.drift import NS_PER_S, Drift, DriftWatch, compare, realigned
from companion.vision.layout import Layout, Lens, Shape, Table
from companion.vision.seatplan import propose_seats

SIZE = (960, 540)


def room() -> np.ndarray:
    """Return a room with enough to see: furniture, pictures, a patterned floor."""
    rng = np.random.default_rng(3)
    image = np.full((SIZE[1], SIZE[0], 3), 120, np.uint8)
    for _k in range(140):
        x, y = rng.integers(0, SIZE[0]), rng.integers(0, SIZE[1])
        w, h = rng.integers(12, 90, 2)
        colour = rng.integers(30, 220, 3).tolist()
        cv2.rectangle(image, (int(x), int(y)), (int(x + w), int(y + h)), colour, -1)
    return cv2.GaussianBlur(image, (0, 0), 0.8)


def people(image: np.ndarray, t: float, count: int = 3) -> np.ndarray:
    """Put people into the room who sway, lean and reach, each in an own way; they cover a third of the picture."""
    drawn = image.copy()
    for k in range(count):
        x = int(SIZE[0] * (k + 0.5) / count + 45 * np.sin(1.3 * t + 2 * k))
        y = int(SIZE[1] * 0.6 + 25 * np.cos(0.9 * t + k))
        cv2.ellipse(drawn, (x, y), (80, 150), 8 * np.sin(t + k), 0, 360, (60 + 60 * k, 90, 160 - 40 * k), -1)
        for stripe in range(-3, 4):
            cv2.line(drawn, (x - 60, y + 35 * stripe), (x + 60, y + 35 * stripe), (230, 230, 60 * k), 5)
    noise = np.random.default_rng(round(t * 1000)).normal(0, 3, drawn.shape)
    return np.clip(drawn + noise, 0, 255).astype(np.uint8)


def bump(dx: float, dy: float, turn_deg: float = 0.3) -> np.ndarray:
    """Return the homography of a small turn of the camera."""
    matrix = np.eye(3)
    matrix[:2] = cv2.getRotationMatrix2D((SIZE[0] / 2, SIZE[1] / 2), turn_deg, 1.0)
    matrix[:2, 2] += (dx, dy)
    return matrix


def test_people_who_move_raise_no_alarm() -> None:
    """Half a minute of swaying, with the light going down."""
    watch = DriftWatch(people(room(), 0.0))
    states = set()
    for k in range(60):
        t = k * 0.5
        dimmed = people(room(), t).astype(np.float32) * (1 - 0.3 * k / 60)
        states.add(watch.feed(dimmed.astype(np.uint8), int(t * NS_PER_S)).state)
    assert states <= {Drift.STEADY, Drift.UNSURE}
    assert watch.reading.state is Drift.STEADY


@pytest.mark.parametrize(("dx", "dy"), [(9.6, 0), (-7, 7), (0, -15), (40, 12), (-90, 30)])
def test_a_bump_of_one_percent_or_more_is_noticed_within_five_seconds(dx: float, dy: float) -> None:
    """One percent of the width and more, in any direction, while people move; and the way back is found."""
    watch = DriftWatch(people(room(), 0.0))
    motion = bump(dx, dy)
    for k in range(8):
        watch.feed(people(room(), k * 0.5), int(k * 0.5 * NS_PER_S))
    noticed = None
    for k in range(8, 19):
        t = k * 0.5
        shown = cv2.warpPerspective(people(room(), t), motion, SIZE, borderMode=cv2.BORDER_REPLICATE)
        reading = watch.feed(shown, int(t * NS_PER_S))
        if reading.state is Drift.MOVED:
            noticed = t - 4.0
            break
    assert noticed is not None
    assert noticed <= 5
    assert reading.certain
    assert reading.to_now is not None
    grid = np.array([[[300.0, 200], [600, 250], [480, 400]]])
    true, found = (cv2.perspectiveTransform(grid, m)[0] for m in (motion, reading.to_now))
    assert np.linalg.norm(true - found, axis=1).max() < 3


def test_a_layout_follows_the_camera() -> None:
    """Its outline is moved; all else stays."""
    table = Table(Shape.RECTANGLE, 1000, 700)
    layout = Layout(
        image_size=SIZE,
        lens=Lens(hfov_deg=70.0),
        table=table,
        outline_px=((200.0, 450.0), (760.0, 450.0), (650.0, 200.0), (310.0, 200.0)),
        seats=propose_seats(table, 4),
        discard_mm=(0, 0),
        draw_mm=(-110, 0),
    )
    moved = realigned(layout, bump(10, -4, 0.0))
    assert moved.outline_px[0] == pytest.approx((210.0, 446.0), abs=0.1)
    assert replace(moved, outline_px=layout.outline_px) == layout


def test_two_pictures_of_another_day_are_compared_at_once() -> None:
    """A layout used again is checked against the picture it was saved with."""
    before = people(room(), 0.0)
    assert compare(before, people(room(), 55.0)).state is Drift.STEADY
    shown = cv2.warpPerspective(people(room(), 55.0), bump(25, 0), SIZE, borderMode=cv2.BORDER_REPLICATE)
    assert compare(before, shown).state is Drift.MOVED


def test_a_bare_wall_says_nothing() -> None:
    """Nothing to hold on to is no alarm."""
    wall = np.full((SIZE[1], SIZE[0], 3), 140, np.uint8)
    watch = DriftWatch(wall)
    assert watch.feed(wall, 0).state is Drift.STEADY


def test_a_lamp_that_is_switched_on_hides_no_bump() -> None:
    """The light doubles as the camera is bumped: the bump is noticed all the same."""
    watch = DriftWatch(people(room(), 0.0) // 2)
    motion = bump(12, 0)
    for k in range(8):
        watch.feed(people(room(), k * 0.5) // 2, int(k * 0.5 * NS_PER_S))
    states = []
    for k in range(8, 18):
        bright = people(room(), k * 0.5)
        shown = cv2.warpPerspective(bright, motion, SIZE, borderMode=cv2.BORDER_REPLICATE)
        states.append(watch.feed(shown, int(k * 0.5 * NS_PER_S)).state)
    assert Drift.MOVED in states


def test_a_shelf_that_trembles_is_no_bump_and_hides_none() -> None:
    """Steps on the floor shift the picture by a pixel at every look; then somebody knocks against the shelf."""
    rng = np.random.default_rng(8)
    watch = DriftWatch(people(room(), 0.0))
    for k in range(1, 30):
        shake = bump(*rng.normal(0, 1.1, 2), 0.0)
        shown = cv2.warpPerspective(people(room(), k * 0.5), shake, SIZE, borderMode=cv2.BORDER_REPLICATE)
        assert watch.feed(shown, int(k * 0.5 * NS_PER_S)).state is not Drift.MOVED
    states = []
    for k in range(30, 40):
        knocked = bump(10, 0) @ bump(*rng.normal(0, 1.1, 2), 0.0)
        shown = cv2.warpPerspective(people(room(), k * 0.5), knocked, SIZE, borderMode=cv2.BORDER_REPLICATE)
        states.append(watch.feed(shown, int(k * 0.5 * NS_PER_S)).state)
    assert Drift.MOVED in states


def test_a_moved_camera_stays_moved_while_it_cannot_be_seen() -> None:
    """Somebody stands before it: what was known is kept, until it is seen back in its place."""
    watch = DriftWatch(people(room(), 0.0))
    for k in range(1, 16):
        shown = cv2.warpPerspective(people(room(), k * 0.5), bump(20, 0), SIZE, borderMode=cv2.BORDER_REPLICATE)
        watch.feed(shown, int(k * 0.5 * NS_PER_S))
    assert watch.reading.state is Drift.MOVED
    coat = np.full((SIZE[1], SIZE[0], 3), 60, np.uint8)
    for k in range(16, 24):
        assert watch.feed(coat, int(k * 0.5 * NS_PER_S)).state is Drift.MOVED
    for k in range(24, 36):
        watch.feed(people(room(), k * 0.5), int(k * 0.5 * NS_PER_S))
    assert watch.reading.state is Drift.STEADY
