"""The printed pages: where every marker lies on paper, and which of them a picture shows.

Two sheets, told apart by their marker numbers. The *table page* (six large ArUco markers) is laid on the table: large
cells are still read when the page is 1.5 m away and seen at a slant. The *lens board* (ChArUco) is waved before the
camera: its many inner corners are found to a fraction of a pixel. Both are the same on A4 and on Letter paper.
Source: Garrido-Jurado et al. 2014, "Automatic generation and detection of highly reliable fiducial markers".
"""

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
Image = NDArray[np.uint8]

DICTIONARY = cv2.aruco.DICT_4X4_50
CELLS = 6
"""Cells along a marker's side: four of code and one of black rim on either side."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TablePage:
    """Six markers in two columns; lengths in mm, chosen so that A4 and Letter both keep printable margins."""

    columns: int = 2
    rows: int = 3
    marker_mm: float = 72.0
    gap_mm: float = 12.0
    first_id: int = 0

    @property
    def size_mm(self) -> tuple[float, float]:
        """Return width and height of the marker field."""
        step = self.marker_mm + self.gap_mm
        return self.columns * step - self.gap_mm, self.rows * step - self.gap_mm

    def corners_mm(self) -> dict[int, FloatArray]:
        """Return each marker's corners, clockwise from its top left: (4, 2), origin mid-page, x right, y up, mm."""
        width, height = self.size_mm
        step = self.marker_mm + self.gap_mm
        corners = {}
        for row in range(self.rows):
            for column in range(self.columns):
                left = -width / 2 + column * step
                top = height / 2 - row * step
                right, bottom = left + self.marker_mm, top - self.marker_mm
                square = np.array([[left, top], [right, top], [right, bottom], [left, bottom]])
                corners[self.first_id + row * self.columns + column] = square
        return corners


@dataclass(frozen=True, slots=True, kw_only=True)
class LensBoard:
    """A chessboard with markers in its white squares; lengths in mm."""

    columns: int = 5
    rows: int = 7
    square_mm: float = 33.0
    marker_mm: float = 24.0
    first_id: int = 10

    @property
    def size_mm(self) -> tuple[float, float]:
        """Return width and height of the chessboard."""
        return self.columns * self.square_mm, self.rows * self.square_mm

    @property
    def corners(self) -> int:
        """Return the number of inner corners."""
        return (self.columns - 1) * (self.rows - 1)


TABLE_PAGE = TablePage()
LENS_BOARD = LensBoard()
FEWEST_MARKERS = 2
"""Fewer than two markers of the table page say too little about its tilt."""
FARTHEST_REFINEMENT_PX = 2.5
"""A registration that moves a corner farther than this has lost its way; single corners are within 1.2 px."""
FEWEST_CORNERS = 6
"""Fewer inner corners than this do not hold a view of the lens board still."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageSighting:
    """The table page as one picture shows it: matching points on paper (N, 2) mm and in the picture (N, 2) px."""

    page_mm: FloatArray
    image_px: FloatArray
    markers: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardSighting:
    """The lens board as one picture shows it: (N, 3) mm on the board, (N, 2) px in the picture."""

    board_mm: FloatArray
    image_px: FloatArray
    image_size: tuple[int, int]


def find_page(image: Image) -> PageSighting | None:
    """Find the table page in a BGR or grey picture; None where fewer than two of its markers are read."""
    squares, ids, _rejected = _page_detector().detectMarkers(_grey(image))
    known = TABLE_PAGE.corners_mm()
    if not squares:
        return None
    found = {int(i): square for i, square in zip(ids.ravel(), squares, strict=True) if int(i) in known}
    if len(found) < FEWEST_MARKERS:
        return None
    order = sorted(found)
    page_mm = np.vstack([known[i] for i in order])
    image_px = np.vstack([found[i].reshape(4, 2) for i in order]).astype(np.float64)
    image_px = _refined(_grey(image), page_mm, image_px) if len(found) == len(known) else image_px
    return PageSighting(page_mm=page_mm, image_px=image_px, markers=len(found))


def _refined(grey: Image, page_mm: FloatArray, image_px: FloatArray) -> FloatArray:
    """Register the whole printed page to the picture: 0.04 to 0.15 px rms where single corners are off by 0.2 to 0.5.

    Source: Evangelidis and Psarakis 2008, "Parametric image alignment using enhanced correlation coefficient".
    """
    drawn = cv2.GaussianBlur(page_picture(1.0), (0, 0), 1.5)
    width, height = TABLE_PAGE.size_mm
    rim = TABLE_PAGE.gap_mm
    to_page = np.array([[1, 0, 0.5 - width / 2 - rim], [0, -1, height / 2 + rim - 0.5], [0, 0, 1]])
    to_image, _used = cv2.findHomography(page_mm, image_px)
    start = (to_image @ to_page).astype(np.float32)
    criteria = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 50, 1e-5)
    try:
        _fit, warp = cv2.findTransformECC(drawn, grey, start / start[2, 2], cv2.MOTION_HOMOGRAPHY, criteria)
    except cv2.error:
        return image_px
    refined = cv2.perspectiveTransform(page_mm[None], warp.astype(np.float64) @ np.linalg.inv(to_page))[0]
    moved = np.abs(refined - image_px).max()
    return np.asarray(refined) if moved < FARTHEST_REFINEMENT_PX else image_px


def find_board(image: Image) -> BoardSighting | None:
    """Find the lens board in a picture; None where fewer than six of its inner corners are seen."""
    grey = _grey(image)
    corners, ids, _squares, _ids = _board_detector().detectBoard(grey)
    if ids is None or len(ids) < FEWEST_CORNERS:
        return None
    on_board = np.asarray(charuco_board().getChessboardCorners(), dtype=np.float64)[ids.ravel()]
    height, width = grey.shape[:2]
    return BoardSighting(
        board_mm=on_board, image_px=corners.reshape(-1, 2).astype(np.float64), image_size=(width, height)
    )


@cache
def charuco_board() -> cv2.aruco.CharucoBoard:
    """Return the lens board as OpenCV knows it, in mm."""
    board = LENS_BOARD
    ids = np.arange(board.first_id, board.first_id + board.columns * board.rows // 2, dtype=np.int32)
    size = (board.columns, board.rows)
    return cv2.aruco.CharucoBoard(size, board.square_mm, board.marker_mm, _dictionary(), ids)


def marker_cells(marker: int) -> NDArray[np.bool_]:
    """Return one marker's cells, True where black: (6, 6), row 0 at its top."""
    picture = cv2.aruco.generateImageMarker(_dictionary(), marker, CELLS)
    return np.asarray(picture) < 128


def page_picture(px_per_mm: float) -> Image:
    """Draw the table page's marker field with a white rim of one gap, as grey levels; for tests and for screens."""
    page = TABLE_PAGE
    width, height = page.size_mm
    rim = page.gap_mm
    shape = round((height + 2 * rim) * px_per_mm), round((width + 2 * rim) * px_per_mm)
    picture = np.full(shape, 255, np.uint8)
    for marker, square in page.corners_mm().items():
        left = round((square[0, 0] + width / 2 + rim) * px_per_mm)
        top = round((height / 2 + rim - square[0, 1]) * px_per_mm)
        side = round(page.marker_mm * px_per_mm)
        drawn = cv2.aruco.generateImageMarker(_dictionary(), marker, side)
        picture[top : top + side, left : left + side] = drawn
    return picture


@cache
def _dictionary() -> cv2.aruco.Dictionary:
    return cv2.aruco.getPredefinedDictionary(DICTIONARY)


@cache
def _page_detector() -> cv2.aruco.ArucoDetector:
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    # Seen from a shelf the page is small: a marker may be 10 px high in a picture 1280 px wide.
    parameters.minMarkerPerimeterRate = 0.01
    parameters.relativeCornerRefinmentWinSize = 0.2
    return cv2.aruco.ArucoDetector(_dictionary(), parameters)


@cache
def _board_detector() -> cv2.aruco.CharucoDetector:
    return cv2.aruco.CharucoDetector(charuco_board())


def _grey(image: Image) -> Image:
    if image.ndim == 2:
        return image
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
