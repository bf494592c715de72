"""The set-up of a table without a browser: from a video file to a layout that the watcher gets."""

import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.calibration.cameras import cameras, judge_picture, source_name
from companion.calibration.cameraview import CameraView, Seen
from companion.calibration.handsearch import LyingHand, gather, hand_lengths, told_apart
from companion.calibration.layouts import LayoutStore
from companion.calibration.wizard import Doors, Wizard
from companion.errors import CompanionError
from companion.vision.layout import Layout, Shape, Table
from tests.vision.tablescene import DrawnTable

SCENE = DrawnTable(eye_mm=(0.0, -800.0, 1400.0), focal_px=760.0)


@pytest.fixture(scope="session")
def video(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a video of a table with the page on it, as a camera stands in for."""
    path = tmp_path_factory.mktemp("video") / "table.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 25, (1280, 720))
    pictures = [SCENE.picture(seed) for seed in range(3)]
    for k in range(50):
        writer.write(pictures[k % 3])
    writer.release()
    return path


class Around:
    """The program around the wizard, which keeps what it was told."""

    def __init__(self) -> None:
        self.told: list[str] = []
        self.watched: list[tuple[Layout, str]] = []

    def doors(self) -> Doors:
        """Return the doors to it."""

        def model() -> str:
            raise CompanionError("There is no hand model yet.")

        return Doors(
            let_go=lambda: self.told.append("let go"),
            watch=lambda layout, source: self.watched.append((layout, source)),
            carry_on=lambda: self.told.append("carry on"),
            now=lambda: datetime(2026, 5, 1, tzinfo=UTC),
            model=model,
        )


@pytest.fixture
def around() -> Around:
    """Return the program around."""
    return Around()


@pytest.fixture
def wizard(tmp_path: Path, around: Around) -> Iterator[Wizard]:
    """Return a wizard; its camera is let go at the end."""
    made = Wizard(LayoutStore(tmp_path / "layouts"), around.doors())
    yield made
    made.close()


def looked(wizard: Wizard, video: Path) -> Seen:
    """Look through the video and wait for its first picture."""
    wizard.look(str(video))
    assert wizard.view is not None
    seen = wizard.view.wait(0, 30)
    assert seen is not None, wizard.trouble
    return seen


def test_a_table_is_set_up_without_a_tap(wizard: Wizard, around: Around, video: Path) -> None:
    """Camera, Auto, save: the watcher gets the layout with its camera, and it is offered next time."""
    seen = looked(wizard, video)
    assert seen.size == (1280, 720)
    proposal = wizard.place_by_page(None, 100.0)
    assert proposal.table.shape is Shape.RECTANGLE
    assert proposal.table.width_mm == pytest.approx(1000, abs=10)
    saved = wizard.save("Kitchen")
    [(layout, source)] = around.watched
    assert source == str(video)
    assert layout == saved.layout
    assert len(layout.seats) == 4
    assert around.told == ["let go"]
    assert wizard.source == ""
    looked(wizard, video)
    again, moved = wizard.use(saved.id)
    assert again == layout
    assert not moved


def test_a_table_is_set_up_by_hand(wizard: Wizard, video: Path) -> None:
    """A start to drag, an outline dragged, seats and piles dragged, sizes from the page."""
    looked(wizard, video)
    assert wizard.start_outline().table.width_mm == 1200
    px = cv2.perspectiveTransform(SCENE.outline_mm()[None], SCENE.to_image())[0]
    points = [(float(x), float(y)) for x, y in px]
    wizard.place(Table(Shape.RECTANGLE, 800, 800), (points[0], points[1], points[2], points[3]))
    assert wizard.measure(100.0).width_mm == pytest.approx(1000, abs=8)
    assert len(wizard.seat(3).seats) == 3
    near = cv2.perspectiveTransform(np.array([[[100.0, -340.0]]]), SCENE.to_image())[0, 0]
    moved = wizard.move_seat(0, (float(near[0]), float(near[1])))
    assert moved.seats[0].edge_mm == pytest.approx((100, -350), abs=25)
    pile = cv2.perspectiveTransform(np.array([[[150.0, 100.0]]]), SCENE.to_image())[0, 0]
    assert wizard.move_pile("draw", (float(pile[0]), float(pile[1]))).draw_mm == pytest.approx((150, 100), abs=20)


def test_the_outline_to_start_from_is_no_placed_table(wizard: Wizard, video: Path) -> None:
    """Steps chosen by the header or another size place nothing; a dragged corner and the page do."""
    looked(wizard, video)
    assert not wizard.placed
    start = wizard.start_outline()
    wizard.seat(3)
    wizard.place(Table(Shape.ROUND, 900, 900), start.outline_px)
    assert not wizard.placed
    first, *others = start.outline_px
    wizard.place(start.table, ((first[0] + 5, first[1]), others[0], others[1], others[2]))
    assert wizard.placed
    wizard.look(str(video), (640, 480))
    assert not wizard.placed
    assert wizard.view is not None
    assert wizard.view.wait(0, 30) is not None
    wizard.place_by_page(None, 100.0)
    assert wizard.placed


def test_a_corrected_size_moves_places_along_and_loses_none(wizard: Wizard, video: Path) -> None:
    """Dragged places and piles stay where somebody put them, as shares of the table."""
    looked(wizard, video)
    wizard.place_by_page(None, 100.0)
    near = cv2.perspectiveTransform(np.array([[[250.0, -345.0]]]), SCENE.to_image())[0, 0]
    wizard.move_seat(0, (float(near[0]), float(near[1])))
    before = wizard.draft
    assert before is not None
    after = wizard.place(Table(Shape.RECTANGLE, 2 * before.table.width_mm, before.table.depth_mm), before.outline_px)
    for old, new in zip(before.seats, after.seats, strict=True):
        assert new.edge_mm == pytest.approx((2 * old.edge_mm[0], old.edge_mm[1]), abs=1)


def test_leaving_lets_the_watcher_go_on(wizard: Wizard, around: Around, video: Path) -> None:
    """A visit to the set-up costs no game its camera."""
    looked(wizard, video)
    wizard.leave()
    assert around.told == ["let go", "carry on"]
    assert wizard.source == ""


def test_steps_before_their_time_say_what_is_missing(wizard: Wizard, video: Path) -> None:
    """One sentence each, and nothing breaks."""
    for early in (wizard.start_outline, lambda: wizard.place_by_page(None, 100)):
        with pytest.raises(CompanionError, match="camera first"):
            early()
    for early in (lambda: wizard.seat(4), lambda: wizard.save("x"), lambda: wizard.measure(100)):
        with pytest.raises(CompanionError, match="Place the table first"):
            early()
    looked(wizard, video)
    wizard.start_outline()
    with pytest.raises(CompanionError, match="hand model"):
        wizard.find_hands()


def test_a_camera_that_is_lost_says_so_and_comes_back(tmp_path: Path, video: Path) -> None:
    """As a stream that breaks off, or a cable that is pulled: a sentence, and the picture when it is back."""
    away = tmp_path / "later.avi"
    view = CameraView(str(away))
    try:
        deadline = time.monotonic() + 30
        while view.trouble is None and time.monotonic() < deadline:
            time.sleep(0.05)
        assert view.trouble is not None
        assert view.seen is None
        away.write_bytes(video.read_bytes())
        assert view.wait(0, 30) is not None
        assert view.trouble is None
    finally:
        view.close()


def test_cameras_are_listed_once_with_their_names(tmp_path: Path) -> None:
    """A webcam has several nodes; one of them gives pictures."""
    for number, index, name in ((0, 0, "Webcam"), (1, 1, "Webcam"), (2, 0, "Other")):
        node = tmp_path / f"video{number}"
        node.mkdir()
        (node / "index").write_text(f"{index}\n")
        (node / "name").write_text(f"{name}\n")
    found = cameras(tmp_path, ("rtsp://me:secret@10.0.0.2/s", "2", ""))
    assert [(c.source, c.name) for c in found] == [
        ("0", "Webcam"), ("2", "Other"), ("rtsp://me:secret@10.0.0.2/s", "rtsp://10.0.0.2/s"),
    ]  # fmt: skip
    assert source_name("/home/x/film.mp4") == "film.mp4"


@pytest.mark.parametrize(
    ("fps", "light", "width", "good", "words"),
    [
        (30, 120, 1280, True, "30 pictures a second and enough light"),
        (8, 30, 1280, False, "because it is dark"),
        (8, 120, 1280, False, "close other programs"),
        (30, 30, 1280, False, "turn on a lamp"),
        (30, 235, 1280, False, "glaring"),
        (30, 120, 640, False, "640 px wide"),
        (0, 120, 1280, True, "Measuring"),
    ],
)
def test_a_picture_is_judged_in_one_sentence(fps: float, light: float, width: int, good: bool, words: str) -> None:
    """The measured rate and light, and what to do when they are poor."""
    seen = Seen(number=1, jpeg=b"", size=(width, 720), fps=fps, nominal_fps=30, light=light)
    verdict = judge_picture(seen)
    assert verdict.good is good
    assert words in str(verdict.sentence)


def hand(seat: int, side: str, at: tuple[float, float], length: float = 180) -> LyingHand:
    """Return a hand on the table."""
    return LyingHand(seat=seat, side=side, middle_mm=at, length_mm=length, landmarks_px=(), score=0.9)


def test_hands_seen_in_several_pictures_are_told_apart_and_measured(wizard: Wizard, video: Path) -> None:
    """Two a player, left and right by where they lie; a hand seen once is left out."""
    looked(wizard, video)
    wizard.place_by_page(None, 100.0)
    layout = wizard.draft
    assert layout is not None
    seen = [hand(0, "left", (-150 + k, -250), 170 + 10 * k) for k in range(3)]
    seen += [hand(0, "left", (150, -250 + k), 190) for k in range(3)]
    seen += [hand(0, "right", (0, 0))]
    apart = told_apart(gather(seen), layout)
    assert [(h.side, round(h.middle_mm[0] / 150)) for h in apart] == [("left", -1), ("right", 1)]
    lengths = hand_lengths([{"seat": h.seat, "length_mm": h.length_mm} for h in apart])
    assert lengths == {0: 185.0}
