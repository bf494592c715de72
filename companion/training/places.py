"""Fit where players' hands are (`handplace.HABITS`) to rendered clips, whose truth is known.

    train/bin/python -m companion.training.places FOLDER... --kept KEPT [--half 0]

KEPT is what `companion.training.cues` wrote. `--half 0` takes every second clip, so that the others can check.
"""

import argparse
import sys
from pathlib import Path

import numpy as np
from sklearn.mixture import GaussianMixture

from companion.training.cues import SeenClip
from companion.training.truehands import VISIBLE, TrueHand, read_clips
from companion.vision.camera import Floats
from companion.vision.events import Side
from companion.vision.geometry import seat_axes
from companion.vision.handplace import Habit

LEAST_MM = 6.0
"""No habit is narrower than this."""


def in_seat(clip: SeenClip, hand: TrueHand) -> Floats:
    """Return a true wrist in the frame of `Habit`: outward, to the hand's own side, up (3, mm)."""
    middle, along, away = seat_axes(clip.layout, hand.seat)
    own = along if hand.side is Side.RIGHT else -along
    off = hand.wrist_mm[:2] - middle
    return np.array([off @ away, off @ own, hand.wrist_mm[2]])


def habits(places: Floats, count: int = 4) -> list[Habit]:
    """Return a mixture of Gaussians fitted to wrists (N x 3, mm), the commonest first."""
    fit = GaussianMixture(count, random_state=0, reg_covar=LEAST_MM**2, n_init=2).fit(places)
    found = []
    for k in np.argsort(-fit.weights_):
        spread = np.sqrt(np.diag(fit.covariances_[k]))
        alike = np.round(fit.covariances_[k] / np.outer(spread, spread), 2)
        x, y, z = np.round(fit.means_[k]).tolist()
        a, b, c = np.round(spread).tolist()
        together = (float(alike[0, 1]), float(alike[0, 2]), float(alike[1, 2]))
        share = round(float(fit.weights_[k]), 3)
        found.append(Habit(share=share, middle_mm=(x, y, z), spread_mm=(a, b, c), together=together))
    return found


def main() -> int:
    """Fit and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--kept", type=Path, required=True)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--half", type=int, choices=(0, 1))
    args = parser.parse_args()
    clips = read_clips(args.folders, args.kept, args.only)
    if args.half is not None:
        clips = clips[args.half :: 2]
    places = [in_seat(clip, h) for clip, hands in clips for h in hands[::3] if h.own and h.visible >= VISIBLE]
    sys.stdout.write(f"{len(places)} hands of {len(clips)} clips\n")
    sys.stdout.write("".join(f"{habit}\n" for habit in habits(np.array(places))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
