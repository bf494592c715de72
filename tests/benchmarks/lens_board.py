"""Measure the lens calibration: the printed board rendered by cameras that are known exactly.

uv run python tests/benchmarks/lens_board.py [CAMERAS]
"""

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from companion.vision.calibrate import CalibrationError
from companion.vision.lens import LensCollector, solve_lens
from companion.vision.markers import find_board
from tests.vision.lensscene import LensCamera, waved


def main(cameras: int) -> None:
    """Print one line a camera."""
    off = []
    for seed in range(cameras):
        rng = np.random.default_rng(100 + seed)
        focal = float(rng.uniform(750, 1150))
        camera = LensCamera(
            (1280, 720), focal, (640 + rng.normal(0, 12), 360 + rng.normal(0, 12)),
            (float(rng.uniform(-0.25, 0.1)), float(rng.uniform(-0.05, 0.08)), 0.0, 0.0, 0.0),
        )  # fmt: skip
        collector = LensCollector()
        for k, (turn, move) in enumerate(waved(camera, 60, seed)):
            for again in (0, 1):
                collector.add(find_board(camera.picture(turn, move + again * 0.2, seed=2 * k + again)))
            if collector.progress().ready:
                break
        progress = collector.progress()
        try:
            result = solve_lens(collector.views)
        except CalibrationError as error:
            print(seed, progress.views, error)
            continue
        share = result.lens.matrix[0][0] / focal - 1 if result.lens.matrix else 0.0
        off.append(abs(share))
        print(
            f"{seed}: {progress.views} views, {progress.share:.0%} covered, f {focal:.1f}, off by {100 * share:+.2f} % "
            f"(said {100 * result.focal_error:.2f} %), {result.reprojection_px:.2f} px"
        )
    print(
        f"focal length: worst {100 * max(off):.2f} %, median {100 * float(np.median(off)):.2f} % of {len(off)} cameras"
    )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 8)
