"""The printed pages: true to scale on paper, found in pictures, told apart."""

import re
import zlib

import cv2
import numpy as np
import pytest

from companion.vision.markers import LENS_BOARD, TABLE_PAGE, charuco_board, find_board, find_page, page_picture
from companion.vision.printed import Paper, pages_pdf

PT_PER_MM = 72 / 25.4


def rectangles_mm(pdf: bytes, page: int) -> list[tuple[float, float, float, float]]:
    """Return the filled rectangles of one page (x, y, width, height) as the PDF draws them, in mm."""
    streams = re.findall(rb"stream\n(.*?)\nendstream", pdf, re.DOTALL)
    drawn = zlib.decompress(streams[page]).decode("latin-1")
    found = re.findall(r"([\d.-]+) ([\d.-]+) ([\d.-]+) ([\d.-]+) re f", drawn)
    return [tuple(float(v) / PT_PER_MM for v in rect) for rect in found]  # type: ignore[misc]


@pytest.mark.parametrize("paper", list(Paper))
def test_the_printed_table_page_has_its_true_size_and_stays_within_the_printers_margins(paper: Paper) -> None:
    """A marker field drawn at another size, or into the margins, would give a table of the wrong size."""
    squares = rectangles_mm(pages_pdf(paper), 0)
    left = min(x for x, _y, _w, _h in squares)
    right = max(x + w for x, _y, w, _h in squares)
    ends = [y for _x, y, _w, _h in squares] + [y + h for _x, y, _w, h in squares]
    width, height = TABLE_PAGE.size_mm
    assert right - left == pytest.approx(width, abs=0.05)
    assert max(ends) - min(ends) == pytest.approx(height, abs=0.05)
    paper_mm = (210.0, 297.0) if paper is Paper.A4 else (215.9, 279.4)
    assert left > 6
    assert right < paper_mm[0] - 6
    assert min(ends) > 6
    assert max(ends) < paper_mm[1] - 6


def test_the_same_version_always_prints_the_same_file() -> None:
    """A page that is printed again is the same page."""
    assert pages_pdf(Paper.A4) == pages_pdf(Paper.A4)


def test_the_page_is_found_where_it_lies() -> None:
    """Every corner is found within a third of a pixel, seen at a slant."""
    sheet = page_picture(2.0)
    rows, columns = sheet.shape
    seen = np.array([[300, 200], [520, 180], [600, 380], [260, 400]], dtype=np.float32)
    drawn = np.array([[0, 0], [columns, 0], [columns, rows], [0, rows]], dtype=np.float32) - 0.5
    warp = cv2.getPerspectiveTransform(drawn, seen * 4 + 1.5)
    big = cv2.warpPerspective(sheet, warp, (1280 * 4, 720 * 4), borderValue=140)
    image = cv2.resize(big, (1280, 720), interpolation=cv2.INTER_AREA)
    found = find_page(image)
    assert found is not None
    assert found.markers == 6
    width, height = TABLE_PAGE.size_mm
    rim = TABLE_PAGE.gap_mm
    paper = np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]]) * [width / 2 + rim, height / 2 + rim]
    true = cv2.getPerspectiveTransform(paper.astype(np.float32), seen)
    off = cv2.perspectiveTransform(found.page_mm[None], true)[0] - found.image_px
    assert np.abs(off).max() < 0.3


def test_the_two_sheets_are_told_apart() -> None:
    """The lens board is no table page, and the table page no lens board."""
    board = charuco_board().generateImage((660, 924), marginSize=20)
    board = cv2.copyMakeBorder(board, 40, 40, 40, 40, cv2.BORDER_CONSTANT, value=255)
    page = cv2.copyMakeBorder(page_picture(3.0), 40, 40, 40, 40, cv2.BORDER_CONSTANT, value=255)
    assert find_page(board) is None
    assert find_board(page) is None
    found = find_board(board)
    assert found is not None
    assert len(found.image_px) == LENS_BOARD.corners


def test_a_picture_without_a_page_gives_none() -> None:
    """An empty table is no error here: the caller says what to do."""
    assert find_page(np.full((360, 640, 3), 90, np.uint8)) is None
    assert find_board(np.full((360, 640, 3), 90, np.uint8)) is None
