"""A camera made of plain numbers, which looks at the table's centre."""

import math

import numpy as np

from companion.vision.camera import Camera

SIZE = (1280, 720)


def looking(eye: tuple[float, float, float], hfov_deg: float = 70.0) -> Camera:
    """Return a camera at ``eye`` (table mm) that looks at the table's centre."""
    place = np.array(eye)
    ahead = -place / np.linalg.norm(place)
    right = np.cross(ahead, [0.0, 0.05, 1.0])
    right /= np.linalg.norm(right)
    rotation = np.stack([right, np.cross(ahead, right), ahead])
    focal = SIZE[0] / 2 / math.tan(math.radians(hfov_deg) / 2)
    return Camera(
        size=SIZE,
        matrix=np.array([[focal, 0, (SIZE[0] - 1) / 2], [0, focal, (SIZE[1] - 1) / 2], [0, 0, 1.0]]),
        distortion=np.zeros(5),
        rotation=rotation,
        translation=-rotation @ place,
        reprojection_px=0.0,
        focal_known=True,
        focal_error=0.0,
        mirrored=False,
    )
