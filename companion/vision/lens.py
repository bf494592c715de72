"""The camera's lens from the printed lens board, waved before the camera: focal length, centre, distortion.

Views are kept where they add something: another part of the picture, another tilt, another distance. The result is
refused, with the reason, where the views could not have told the focal length apart from the distance.
Source: Zhang 2000, "A flexible new technique for camera calibration"; OpenCV's calibrateCamera.
"""

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.calibrate import CalibrationError
from companion.vision.layout import Lens
from companion.vision.markers import LENS_BOARD, BoardSighting, FloatArray
from companion.words import Words, say


@dataclass(frozen=True, slots=True, kw_only=True)
class LensSettings:
    """What a good set of views is; shares are of the picture's width."""

    grid: tuple[int, int] = (6, 4)
    """Columns and rows of cells in which coverage is counted."""
    enough_cells: float = 0.7
    """The share of cells that must have had a corner: distortion is told by the picture's border."""
    enough_views: int = 12
    most_views: int = 40
    """More add time and no accuracy."""
    enough_tilted: int = 5
    """Views tilted by at least ``tilt_deg``: flat-on views cannot tell focal length from distance."""
    tilt_deg: float = 18.0
    fewest_corners: int = 10
    new_place: float = 0.06
    """A view is kept where the board's middle moved this far, or its size or tilt changed by as much as below."""
    new_size: float = 0.12
    new_tilt_deg: float = 10.0
    still_px: float = 2.5
    """Corners that move more than this between two pictures are smeared: such a view is not kept."""
    worst_px: float = 0.6
    """Mean reprojection error, at 1280 px width, above which the board was bent or the pictures smeared."""
    worst_focal_share: float = 0.01
    """One standard deviation of the focal length above which the views say too little."""


SETTINGS = LensSettings()

_PLACES = (
    (say("top left"), say("top"), say("top right")),
    (say("left"), say("middle"), say("right")),
    (say("bottom left"), say("bottom"), say("bottom right")),
)
"""Names of the picture's parts, rows from above."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far collecting has come: ``cells`` (rows, columns) counts views by place; ``hint`` says what to do next."""

    views: int
    tilted: int
    cells: NDArray[np.int_]
    share: float
    ready: bool
    hint: Words


@dataclass(frozen=True, slots=True, kw_only=True)
class LensResult:
    """A calibrated lens, its mean reprojection error in px and its focal length's standard deviation, a share."""

    lens: Lens
    reprojection_px: float
    focal_error: float
    views: int
    hfov_deg: float


class LensCollector:
    """Collect views of the lens board, keeping those that add something."""

    def __init__(self, settings: LensSettings = SETTINGS) -> None:
        self._settings = settings
        self._views: list[BoardSighting] = []
        self._poses: list[tuple[float, float, float, float, float]] = []
        self._last: BoardSighting | None = None

    @property
    def views(self) -> tuple[BoardSighting, ...]:
        """Return the views kept."""
        return tuple(self._views)

    def add(self, sighting: BoardSighting | None) -> bool:
        """Take one picture's sighting; tell whether it was kept."""
        previous, self._last = self._last, sighting
        s = self._settings
        if sighting is None or len(sighting.image_px) < s.fewest_corners or len(self._views) >= s.most_views:
            return False
        if previous is None or _moved_px(previous, sighting) > s.still_px * sighting.image_size[0] / 1280:
            return False
        pose = _rough_pose(sighting)
        if any(_alike(pose, other, s) for other in self._poses):
            return False
        self._views.append(sighting)
        self._poses.append(pose)
        return True

    def progress(self) -> Progress:
        """Say what has been covered and what is still wanted."""
        s = self._settings
        columns, rows = s.grid
        cells = np.zeros((rows, columns), dtype=np.int_)
        for view in self._views:
            width, height = view.image_size
            at = np.floor(view.image_px / [width / columns, height / rows]).astype(int)
            at = np.clip(at, 0, [columns - 1, rows - 1])
            for x, y in {(int(x), int(y)) for x, y in at}:
                cells[y, x] += 1
        share = float((cells > 0).mean())
        tilted = sum(math.hypot(pose[3], pose[4]) >= s.tilt_deg for pose in self._poses)
        ready = len(self._views) >= s.enough_views and tilted >= s.enough_tilted and share >= s.enough_cells
        return Progress(
            views=len(self._views), tilted=tilted, cells=cells, share=share, ready=ready, hint=self._hint(cells, tilted)
        )

    def _hint(self, cells: NDArray[np.int_], tilted: int) -> Words:
        s = self._settings
        if self._last is None:
            return say("Hold the lens board so that the camera sees it.")
        if float((cells > 0).mean()) < s.enough_cells:
            return say(
                "Move the board in the picture and hold it still for a moment. Next: {place}.", place=_emptiest(cells)
            )
        if tilted < s.enough_tilted:
            return say("Tilt the board: left, right, towards you and away.")
        if len(self._views) < s.enough_views:
            return say("Go on: nearer, farther, and turned a little.")
        return say("That is enough.")


def solve_lens(views: tuple[BoardSighting, ...], settings: LensSettings = SETTINGS) -> LensResult:
    """Solve the lens from the views kept; raises CalibrationError with the reason where the result is poor."""
    if len(views) < settings.enough_views:
        raise CalibrationError(
            "Only {views} of {enough} views of the lens board were kept: wave it on, slowly, all over the picture.",
            views=len(views),
            enough=settings.enough_views,
        )
    tilts = [math.hypot(*_rough_pose(view)[3:]) for view in views]
    if sum(tilt >= settings.tilt_deg for tilt in tilts) < settings.enough_tilted:
        raise CalibrationError(
            "The views are too flat to tell the focal length from the distance: tilt the board left, right, "
            "towards you and away."
        )
    size = views[0].image_size
    boards = [view.board_mm.astype(np.float32) for view in views]
    corners = [view.image_px.astype(np.float32) for view in views]
    start = np.array([[size[0], 0, size[0] / 2], [0, size[0], size[1] / 2], [0, 0, 1]], dtype=np.float64)
    # Square pixels and three radial terms at most: more would fit the noise of a sheet of paper.
    flags = cv2.CALIB_USE_INTRINSIC_GUESS | cv2.CALIB_FIX_ASPECT_RATIO | cv2.CALIB_FIX_K3
    error, matrix, distortion, _turns, _moves, spread, _spread, per_view = cv2.calibrateCameraExtended(
        boards, corners, size, start, np.zeros(5), flags=flags
    )
    matrix, distortion = np.asarray(matrix, dtype=np.float64), np.asarray(distortion, dtype=np.float64).ravel()
    focal = float(matrix[0, 0])
    focal_error = float(np.asarray(spread).ravel()[:2].max()) / focal
    _check(float(error), focal_error, size[0], np.asarray(per_view, dtype=np.float64).ravel(), settings)
    return LensResult(
        lens=Lens(
            matrix=((focal, 0.0, float(matrix[0, 2])), (0.0, focal, float(matrix[1, 2])), (0.0, 0.0, 1.0)),
            distortion=tuple(round(float(v), 6) for v in distortion[:5]),
        ),
        reprojection_px=float(error),
        focal_error=focal_error,
        views=len(views),
        hfov_deg=math.degrees(2 * math.atan(size[0] / 2 / focal)),
    )


def _check(error: float, focal_error: float, width: int, per_view: FloatArray, settings: LensSettings) -> None:
    limit = settings.worst_px * width / 1280
    if error > limit:
        one = np.median(per_view) < limit / 2
        reason = say("one view is smeared") if one else say("the board is bent or the pictures smeared")
        raise CalibrationError(
            "The lens does not come out well ({error:.2f} px off on average, at most {limit:.2f} is good): {reason}. "
            "Glue the board to stiff card, make more light, and wave it again, slowly.",
            error=error,
            limit=limit,
            reason=reason,
        )
    if not focal_error <= settings.worst_focal_share:
        raise CalibrationError(
            "The views are too alike to tell the focal length (uncertain by {share:.1f} %): tilt the board more, and "
            "bring it nearer and farther.",
            share=100 * focal_error,
        )


def _rough_pose(view: BoardSighting) -> tuple[float, float, float, float, float]:
    """Return the board's place (x, y), size (log of shares of the width) and tilt about both axes, degrees, roughly."""
    width, height = view.image_size
    matrix = np.array([[width * 0.75, 0, width / 2], [0, width * 0.75, height / 2], [0, 0, 1.0]])
    _ok, turn, move = cv2.solvePnP(view.board_mm, view.image_px, matrix, np.zeros(4), flags=cv2.SOLVEPNP_IPPE)
    normal = np.asarray(cv2.Rodrigues(turn)[0])[:, 2]
    board = LENS_BOARD.size_mm
    middle, _jacobian = cv2.projectPoints(np.array([[board[0] / 2, board[1] / 2, 0]]), turn, move, matrix, np.zeros(4))
    x, y = np.asarray(middle).ravel() / width
    depth = float(np.asarray(move).ravel()[2])
    tilt_x, tilt_y = (math.degrees(math.asin(float(np.clip(normal[k], -1, 1)))) for k in (0, 1))
    return float(x), float(y), math.log(max(depth, 1.0)), tilt_x, tilt_y


def _alike(
    one: tuple[float, float, float, float, float], other: tuple[float, float, float, float, float], s: LensSettings
) -> bool:
    moved = math.hypot(one[0] - other[0], one[1] - other[1])
    turned = math.hypot(one[3] - other[3], one[4] - other[4])
    return moved < s.new_place and abs(one[2] - other[2]) < s.new_size and turned < s.new_tilt_deg


def _moved_px(one: BoardSighting, other: BoardSighting) -> float:
    known = {tuple(at): px for at, px in zip(one.board_mm.tolist(), one.image_px, strict=True)}
    both = [
        float(np.hypot(*(px - known[tuple(at)])))
        for at, px in zip(other.board_mm.tolist(), other.image_px, strict=True)
        if tuple(at) in known
    ]
    return max(both, default=math.inf)


def _emptiest(cells: NDArray[np.int_]) -> Words:
    rows, columns = cells.shape
    empty = np.argwhere(cells == 0)
    y, x = empty.mean(axis=0) if len(empty) else (rows / 2, columns / 2)
    if len(empty):
        y, x = empty[np.abs(empty - [(rows - 1) / 2, (columns - 1) / 2]).sum(axis=1).argmax()]
    down = 0 if y < rows / 3 else 2 if y >= 2 * rows / 3 else 1
    across = 0 if x < columns / 3 else 2 if x >= 2 * columns / 3 else 1
    return _PLACES[down][across]
