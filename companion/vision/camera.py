"""The camera, solved from the layout: where a point of the table's frame is in the picture, and back.

Table frame: origin at the centre of the table top, x right, y away from who set it up, z up, millimetres.
"""

import math
from dataclasses import dataclass, field, replace
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from companion.vision.layout import Layout, LayoutError

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class CameraSettings:
    """What solving the camera takes for granted."""

    tap_px: float = 3.0
    """One standard deviation of a tapped outline point at 1280 px width (the rendered layouts use 2.5)."""
    focal_error: float = 0.03
    """One standard deviation of a nominal field of view's focal length, as a share of it."""
    refuse_px: float = 60.0
    """Reprojection error, at 1280 px width, beyond which an outline cannot be a table of that size."""
    calibrated_error: float = 1e-4
    """The same for a calibrated matrix, which is taken as it is."""


SETTINGS = CameraSettings()


@dataclass(frozen=True, eq=False)
class Camera:
    """A camera that looks at a table: where a point of the table's frame is in the picture, and back.

    ``rotation`` (3 x 3) and ``translation`` (3) turn table mm into camera mm (OpenCV: x right, y down, z ahead).
    ``mirrored`` says that the picture is a mirror image. ``focal_known`` says that the focal length was given or could
    be told from the outline to better than the nominal value; ``focal_error`` is its standard deviation as a share.
    ``doubt`` is the covariance of the pose (turning, radians; moving, mm) and the focal length's logarithm (7 x 7).
    """

    size: tuple[int, int]
    matrix: Floats
    distortion: Floats
    rotation: Floats
    translation: Floats
    reprojection_px: float
    focal_known: bool
    focal_error: float
    mirrored: bool
    doubt: Floats = field(default_factory=lambda: np.zeros((7, 7)))

    @cached_property
    def position_mm(self) -> Floats:
        """Return the camera's place in the table's frame, mm."""
        return np.asarray(-self.rotation.T @ self.translation)

    @property
    def focal_px(self) -> float:
        """Return the focal length in px."""
        return float(self.matrix[0, 0])

    def project(self, points_mm: ArrayLike) -> Floats:
        """Return the images (N x 2, px) of points (N x 3, table mm); points behind the camera become NaN."""
        points = np.asarray(points_mm, dtype=np.float64).reshape(-1, 3)
        if not len(points):
            return np.zeros((0, 2))
        rotation, _ = cv2.Rodrigues(self.rotation)
        image, _ = cv2.projectPoints(points, rotation, self.translation, self.matrix, self.distortion)
        px = np.asarray(image, dtype=np.float64).reshape(-1, 2)
        px[self.depth_mm(points) <= 1.0] = np.nan
        return self._mirror(px)

    def depth_mm(self, points_mm: ArrayLike) -> Floats:
        """Return the distances along the optical axis (N, mm) of points (N x 3, table mm)."""
        points = np.asarray(points_mm, dtype=np.float64).reshape(-1, 3)
        return np.asarray((points @ self.rotation.T + self.translation)[:, 2])

    def rays(self, points_px: ArrayLike) -> Floats:
        """Return the directions (N x 3, table frame, depth 1 along the optical axis) seen at points (N x 2, px)."""
        px = self._mirror(np.asarray(points_px, dtype=np.float64).reshape(-1, 2))
        if not len(px):
            return np.zeros((0, 3))
        flat = cv2.undistortPoints(px.reshape(-1, 1, 2), self.matrix, self.distortion).reshape(-1, 2)
        return np.asarray(np.column_stack([flat, np.ones(len(flat))]) @ self.rotation)

    def to_table(self, points_px: ArrayLike, height_mm: float = 0.0) -> Floats:
        """Return the points (N x 3, table mm) at a height over the table top that are seen at points (N x 2, px).

        A ray that never reaches that height gives NaN.
        """
        rays = self.rays(points_px)
        rise = rays[:, 2]
        drop = height_mm - self.position_mm[2]
        with np.errstate(divide="ignore", invalid="ignore"):
            reach = np.where(np.abs(rise) > 1e-9, drop / rise, np.nan)
        reach[reach <= 0] = np.nan
        return np.asarray(self.position_mm + reach[:, None] * rays)

    def at_depth(self, points_px: ArrayLike, depth_mm: ArrayLike) -> Floats:
        """Return the points (N x 3, table mm) seen at points (N x 2, px) at depths along the optical axis (N, mm)."""
        return np.asarray(
            self.position_mm + np.asarray(depth_mm, dtype=np.float64).reshape(-1, 1) * self.rays(points_px)
        )

    def doubt_mm2(self, point_mm: ArrayLike) -> Floats:
        """Return the covariance (3 x 3, mm2) that the camera's own doubt gives a point (3, mm) seen, at its height."""
        point = np.asarray(point_mm, dtype=np.float64)
        px = self.project([point])
        values, ways = np.linalg.eigh(self.doubt)
        moves = []
        for step in (ways * np.sqrt(np.maximum(values, 0.0))).T:
            turned, _ = cv2.Rodrigues(np.ravel(cv2.Rodrigues(self.rotation)[0]) + step[:3])
            other = replace(
                self,
                matrix=_scaled(self.matrix, math.exp(step[6])),
                rotation=np.asarray(turned, dtype=np.float64),
                translation=np.ravel(self.translation) + step[3:6],
            )
            moves.append(other.to_table(px, point[2])[0] - point)
        return np.asarray(np.nansum([np.outer(m, m) for m in moves], axis=0))

    def _mirror(self, px: Floats) -> Floats:
        if not self.mirrored:
            return px
        return np.column_stack([self.size[0] - 1 - px[:, 0], px[:, 1]])


def solve_camera(layout: Layout, settings: CameraSettings = SETTINGS) -> Camera:
    """Find the camera's place, and its focal length as far as the picture tells, from the tapped outline.

    The four points give eight numbers for the pose's six; the rest, together with the nominal field of view as a
    prior, goes into the focal length (maximum a posteriori, Levenberg-Marquardt from every planar pose and several
    focal lengths). Raises LayoutError where no camera sees a table of that size in that outline.
    """
    px = np.array(layout.outline_px, dtype=np.float64)
    mirrored = _turns(px) > 0
    if mirrored:
        px[:, 0] = layout.image_size[0] - 1 - px[:, 0]
    mm = np.column_stack([np.array(layout.outline_mm, dtype=np.float64), np.zeros(4)])
    matrix, distortion = _lens(layout)
    problem = _Problem(
        mm=mm,
        px=px,
        matrix=matrix,
        distortion=distortion,
        tap_px=settings.tap_px * layout.image_size[0] / 1280,
        prior=settings.calibrated_error if layout.lens.matrix is not None else settings.focal_error,
    )
    best: _Fit | None = None
    for scale in (1.0, 0.9, 1.1) if layout.lens.matrix is None else (1.0,):
        for start in problem.planar_poses(scale):
            fit = problem.refine(np.append(start, math.log(scale)))
            if fit.above and (best is None or fit.cost < best.cost):
                best = fit
    limit = settings.refuse_px * layout.image_size[0] / 1280
    if best is None or best.reprojection_px > limit:
        raise LayoutError(
            "The layout's outline_px do not fit a table of the size in table seen with the field of view in camera; "
            "calibrate the table again."
        )
    rotation, _ = cv2.Rodrigues(best.pose[:3])
    return Camera(
        size=layout.image_size,
        matrix=_scaled(matrix, math.exp(best.log_scale)),
        distortion=distortion,
        rotation=np.asarray(rotation, dtype=np.float64),
        translation=best.pose[3:],
        reprojection_px=best.reprojection_px,
        focal_known=layout.lens.matrix is not None or best.scale_error < 0.7 * settings.focal_error,
        focal_error=best.scale_error,
        mirrored=mirrored,
        doubt=best.doubt,
    )


@dataclass(frozen=True, slots=True)
class _Fit:
    pose: Floats
    log_scale: float
    cost: float
    reprojection_px: float
    scale_error: float
    above: bool
    doubt: Floats


def _turns(px: Floats) -> float:
    x, y = px[:, 0], px[:, 1]
    return float(np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y))


def _lens(layout: Layout) -> tuple[Floats, Floats]:
    width, height = layout.image_size
    lens = layout.lens
    if lens.matrix is not None:
        return np.array(lens.matrix, dtype=np.float64), np.array(lens.distortion or (0.0,) * 5, dtype=np.float64)
    focal = width / 2 / math.tan(math.radians(lens.hfov_deg or 60.0) / 2)
    centre = ((width - 1) / 2, (height - 1) / 2)
    return np.array([[focal, 0, centre[0]], [0, focal, centre[1]], [0, 0, 1]], dtype=np.float64), np.zeros(5)


def _scaled(matrix: Floats, scale: float) -> Floats:
    return np.asarray(matrix * np.array([[scale, scale, 1], [scale, scale, 1], [1, 1, 1]]))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Problem:
    """Four points of a plane and their tapped images; unknown are the pose (6) and the focal length's log scale."""

    mm: Floats
    px: Floats
    matrix: Floats
    distortion: Floats
    tap_px: float
    prior: float

    def planar_poses(self, scale: float) -> list[Floats]:
        matrix = _scaled(self.matrix, scale)
        try:
            _, rotations, translations, _ = cv2.solvePnPGeneric(
                self.mm, self.px, matrix, self.distortion, flags=cv2.SOLVEPNP_IPPE
            )
        except cv2.error:
            return []
        return [np.concatenate([np.ravel(r), np.ravel(t)]) for r, t in zip(rotations, translations, strict=True)]

    def refine(self, at: Floats) -> _Fit:
        damping = 1e-3
        residual, slope = self._residual(at)
        cost = float(residual @ residual)
        for _ in range(60):
            normal = slope.T @ slope
            step = np.linalg.solve(normal + damping * np.diag(np.diag(normal) + 1e-12), -slope.T @ residual)
            tried, tried_slope = self._residual(at + step)
            tried_cost = float(tried @ tried)
            if tried_cost < cost:
                done = cost - tried_cost < 1e-9 * (1 + cost)
                at, residual, slope, cost, damping = at + step, tried, tried_slope, tried_cost, damping / 5
                if done:
                    break
            else:
                damping *= 6
                if damping > 1e9:
                    break
        return self._fit(at, residual, slope, cost)

    def _fit(self, at: Floats, residual: Floats, slope: Floats, cost: float) -> _Fit:
        rotation = np.asarray(cv2.Rodrigues(at[:3])[0])
        spread = np.linalg.pinv(slope.T @ slope)
        depths = self.mm @ rotation[2] + at[5]
        off = residual[:8].reshape(4, 2) * self.tap_px
        return _Fit(
            pose=at[:6],
            log_scale=float(at[6]),
            cost=cost,
            reprojection_px=float(np.sqrt(np.mean(np.sum(off**2, axis=1)))),
            scale_error=float(np.sqrt(max(spread[6, 6], 0.0))),
            above=bool(np.all(depths > 0) and (-rotation.T @ at[3:6])[2] > 0),
            doubt=np.asarray(spread),
        )

    def _residual(self, at: Floats) -> tuple[Floats, Floats]:
        scaled = _scaled(self.matrix, math.exp(min(max(at[6], -1.0), 1.0)))
        image, jacobian = cv2.projectPoints(self.mm, at[:3], at[3:6], scaled, self.distortion)
        by = np.asarray(jacobian)
        residual = np.append((np.asarray(image).reshape(-1, 2) - self.px).ravel() / self.tap_px, at[6] / self.prior)
        slope = np.zeros((9, 7))
        slope[:8, :6] = by[:, :6] / self.tap_px
        slope[:8, 6] = (by[:, 6] * scaled[0, 0] + by[:, 7] * scaled[1, 1]) / self.tap_px
        slope[8, 6] = 1 / self.prior
        return residual, slope
