"""The hands that the pipeline saw in rendered clips, each with where its wrist truly was."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from companion.training.cues import SeenClip, kept_at, read_seen
from companion.vision.camera import Floats
from companion.vision.events import Side
from companion.vision.evidence import HandCue
from companion.vision.hands import WRIST

VISIBLE = 0.6
NEAR = 0.6
"""As the score takes them: hands of which so much is seen, found so near (in hand lengths) to where they are."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TrueHand:
    """One hand as the pipeline saw it at one instant, and where its wrist truly was (3, table mm)."""

    at_s: float
    seat: int
    side: Side
    cue: HandCue
    wrist_mm: Floats
    visible: float
    own: bool
    """The seat it was given to is its own."""


def true_hands(clip: SeenClip, truth: dict[str, Any]) -> list[TrueHand]:
    """Return the hands of a clip that can be told which they are, in the order of time."""
    times = np.array(sorted({h["t_s"] for h in truth["hands"]}))
    there: dict[float, list[dict[str, Any]]] = {}
    for hand in truth["hands"]:
        there.setdefault(hand["t_s"], []).append(hand)
    found = []
    for instant in clip.instants:
        for seat, cue in instant.items():
            near = there[float(times[int(np.argmin(np.abs(times - cue.at_s)))])]
            for side, hand in cue.hands.items():
                wrist = hand.landmarks_px[WRIST]
                off = [float(np.hypot(*(wrist - h["wrist_px"]))) / max(h["size_px"], 1.0) for h in near]
                best = near[int(np.argmin(off))]
                if min(off) <= NEAR:
                    found.append(
                        TrueHand(
                            at_s=cue.at_s,
                            seat=seat,
                            side=side,
                            cue=hand,
                            wrist_mm=np.array(best["wrist_mm"], dtype=np.float64),
                            visible=best["visible"],
                            own=best["seat"] == seat,
                        )
                    )
    return found


def read_clips(folders: Sequence[Path], kept: Path, only: Sequence[str] = ()) -> list[tuple[SeenClip, list[TrueHand]]]:
    """Read all kept clips of folders, in the order of their names."""
    clips = []
    for folder in folders:
        for path in sorted(folder.glob("*.truth.json")):
            clip = folder / f"{path.name.removesuffix('.truth.json')}.mp4"
            if kept_at(kept, clip.stem).exists() and (not only or any(clip.match(o) for o in only)):
                seen = read_seen(clip, kept)
                clips.append((seen, true_hands(seen, json.loads(path.read_text()))))
    return clips
