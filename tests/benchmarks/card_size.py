"""Measure the table's size taken from one loose card: rendered scenes with a card lying on the table.

uv run python tests/benchmarks/card_size.py FOLDER [TAPPED_PX]

The outline is the true one, each point TAPPED_PX (1.5 by default, one standard deviation) off as a
person's is; tapped corners of the card are 1 px off.
"""

import gzip
import json
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from companion.vision.cardfind import find_card, measure_card
from companion.vision.cardscale import CardError
from companion.vision.layout import Layout, Lens, Shape, Table
from companion.vision.seatplan import propose_seats
from tests.vision.pagescene import load_scene


def main(folder: Path, tapped_px: float) -> None:
    """Print a line a scene, and how far sizes are off in percent, found by itself and by tapped corners."""
    alone, by_tap, missed = [], [], 0
    for seed, path in enumerate(sorted(folder.glob("*.json.gz"))):
        stem = path.with_suffix("").with_suffix("")
        with gzip.open(path, "rt") as file:
            truth = json.load(file)
        scene, rng = load_scene(stem), np.random.default_rng(seed)
        true = [2 * half for half in scene.half_size_mm]
        guess = Table(Shape.ROUND, 800, 800) if scene.round_table else Table(Shape.RECTANGLE, 1200, 800)
        px = scene.project(scene.corners_mm()) + rng.normal(0, tapped_px, (4, 2))
        points = [(float(x), float(y)) for x, y in px]
        layout = Layout(
            image_size=(scene.image.shape[1], scene.image.shape[0]),
            lens=Lens(hfov_deg=70.0),
            table=guess,
            outline_px=(points[0], points[1], points[2], points[3]),
            seats=propose_seats(guess, 4),
            discard_mm=(0, 0),
            draw_mm=(-110, 0),
        )
        card_mm = (truth["card_size"][0] * 1000, truth["card_size"][1] * 1000)
        yaw, at = truth["loose_card"]["yaw"], np.array(truth["loose_card"]["at"]) * 1000
        turn = np.array([[np.cos(yaw), np.sin(yaw)], [-np.sin(yaw), np.cos(yaw)]])
        half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.array(card_mm) / 2
        card_px = scene.project(half @ turn + at)
        said = []
        for name, errors in (("alone", alone), ("tapped", by_tap)):
            try:
                if name == "alone":
                    found = find_card(scene.image, layout, card_mm)
                else:
                    found = measure_card(scene.image, layout, card_px + rng.normal(0, 1.0, (4, 2)), card_mm)
            except CardError as error:
                missed += 1
                said.append(f"{name}: {error}")
                continue
            size = (found.fit.table.width_mm, found.fit.table.depth_mm)
            off = [100 * (found_mm / true_mm - 1) for found_mm, true_mm in zip(size, true, strict=True)]
            errors.extend(off)
            apart = np.linalg.norm(np.array(found.corners_px).mean(axis=0) - card_px.mean(axis=0))
            said.append(
                f"{name} {off[0]:+.1f} % {off[1]:+.1f} % (card {apart:.1f} px off, fit {found.fit.off_px:.2f} px)"
            )
        long = np.linalg.norm(card_px - np.roll(card_px, 1, axis=0), axis=1)
        print(stem.name, scene.view, f"card {long.min():.0f} x {long.max():.0f} px", "; ".join(said), flush=True)
    for name, errors in (("found by itself", alone), ("corners tapped", by_tap)):
        spread = [np.percentile(np.abs(errors), part) for part in (50, 90, 100)]
        print(name + ": median {:.1f} %, 90 % below {:.1f} %, at most {:.1f} %".format(*spread))
    print(f"not measured: {missed}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), float(sys.argv[2]) if len(sys.argv) > 2 else 1.5)
