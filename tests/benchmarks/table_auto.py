"""Measure the automatic placing of the table: the printed page laid into rendered scenes, corners in mm by view, and
how often a wrong outline was said with confidence.

uv run python tests/benchmarks/table_auto.py SCENES_FOLDER [EVERY]
"""

import sys
from collections import defaultdict
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from companion.vision.calibrate import CalibrationError, propose_table
from companion.vision.layout import Shape
from tests.vision.pagescene import lay_page, load_scene


def _off_mm(
    found: "np.typing.NDArray[np.float64]", true: "np.typing.NDArray[np.float64]", is_round: bool
) -> list[float]:
    """Compare corner by corner; a round table's four points may stand at any angle, so they are turned back first."""
    if is_round:
        turned = found @ np.array([1, 1j])
        turn = np.angle((turned * np.conj(true @ np.array([1, 1j]))).sum())
        turned = turned * np.exp(-1j * turn)
        found = np.column_stack([turned.real, turned.imag])
        return [float(off) for off in np.linalg.norm(found - true, axis=1)]
    return [float(np.linalg.norm(true - corner, axis=1).min()) for corner in found]


def main(folder: Path, every: int) -> None:
    """Print one line a scene and the medians by view."""
    stems = sorted(path.with_suffix("").with_suffix("") for path in folder.glob("*.json.gz"))[::every]
    errors: dict[str, list[float]] = defaultdict(list)
    missed = 0
    told: dict[str, list[float]] = defaultdict(list)
    for seed, stem in enumerate(stems):
        scene = load_scene(stem)
        rng = np.random.default_rng(seed)
        at = (float(rng.uniform(-60, 60)), float(rng.uniform(-60, 60)))
        image = lay_page(scene, at, float(rng.uniform(-180, 180)), seed)
        try:
            found = propose_table(image)
        except CalibrationError as error:
            missed += 1
            print(scene.name, scene.view, error)
            continue
        right = (found.table.shape is Shape.ROUND) == scene.round_table
        seen_mm = scene.on_table(np.array(found.outline_px))
        off = _off_mm(seen_mm, scene.corners_mm(), scene.round_table)
        errors[scene.view].extend(off)
        said = "not sure" if not found.sure else "doubted" if found.doubts else "sure"
        told[said].append(max(off) if right else float("inf"))
        size = (found.table.width_mm, found.table.depth_mm)
        true = tuple(round(2 * half) for half in scene.half_size_mm)
        print(
            scene.name,
            scene.view,
            "shape",
            "right" if right else "WRONG",
            np.round(off, 1),
            size,
            true,
            found.lens.hfov_deg,
            said,
            [doubt.template.partition(":")[0] for doubt in found.doubts],
            flush=True,
        )
    for view, off in errors.items():
        print(f"{view}: median {np.median(off):.1f} mm, 90 % below {np.percentile(off, 90):.1f} mm, {len(off)} corners")
    for said, worst in told.items():
        counts = ", ".join(f"{sum(off > limit for off in worst)} off by more than {limit} mm" for limit in (10, 25))
        print(f"{said}: {len(worst)} tables, {counts}")
    print(f"refused: {missed} of {len(stems)}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1)
