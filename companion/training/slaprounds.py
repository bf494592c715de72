"""Rounds of slaps with known contacts: a clip's frames as they come, and what of them is looked back at.

Where the truth names ``frame_t``, only the frames around each round are in the clip: the first one is held for 4 s
before it, gaps of up to 0.2 s are blended, longer ones show what comes after them. The card then counts as entered no
later than the last picture before the first longer gap after the slaps: what fills a gap may be hands on their way
home, held in mid-air, and that is a rest that no table has.
"""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from companion.vision.frame import NS_PER_S, Frame
from companion.vision.video import VideoFile

BACK_S = 8.0
HELD_S = 4.0
BLENDED_S = 0.2


def clips(where: list[Path]) -> list[Path]:
    """Return the clips with a truth in folders, and those named, each as its path without an ending."""
    truths = [p for w in where for p in (w.glob("*.truth.json") if w.is_dir() else [w.with_suffix(".truth.json")])]
    return sorted(p.with_suffix("").with_suffix("") for p in truths)


def frames_of(base: Path, truth: dict[str, Any]) -> list[Frame]:
    """Return a clip's frames at their own times; where only those around each round were kept, with what fills them."""
    frames = list(VideoFile(base.with_suffix(".mp4")).frames())
    if "frame_t" not in truth:
        return frames
    frames = [Frame(f.index, round(t * NS_PER_S), f.image) for f, t in zip(frames, truth["frame_t"], strict=True)]
    return filled(frames, truth["fps"])


def filled(frames: list[Frame], fps: float) -> list[Frame]:
    """Return frames with what fills the gaps between them, and the first one held before them."""
    step_ns = NS_PER_S / fps
    held = round(HELD_S * fps)
    whole = [Frame(0, frames[0].at_ns - round(j * step_ns), frames[0].image) for j in range(held, 0, -1)]
    whole.append(frames[0])
    for before, after in pairwise(frames):
        gap = round((after.at_ns - before.at_ns) / step_ns)
        for j in range(1, gap):
            part = j / gap if gap <= BLENDED_S * fps else 1.0
            blend = before.image + (after.image.astype(np.float32) - before.image) * part
            whole.append(Frame(0, before.at_ns + round(j * step_ns), np.rint(blend).astype(np.uint8)))
        whole.append(after)
    return whole


def rates(frames: list[Frame], fps: int, halve: bool) -> Iterator[tuple[int, list[Frame]]]:
    """Give frames as they are, and those of 60 a second also as both sequences of 30 that are in them."""
    yield fps, frames
    if halve and fps == 60:
        yield 30, frames[::2]
        yield 30, frames[1::2]


def entered_s(slaps: dict[str, Any], kept: list[float]) -> float:
    """Return when the card was entered; of a clip with gaps the last of its frames (s) before the round's pictures end.

    ``kept``: the times of the frames that were rendered, empty where all of them were.
    """
    until = float(slaps["entered_s"])
    last = max(c["at_s"] for c in slaps["contacts"])
    after = [t for t in kept if last <= t <= until]
    for a, b in pairwise([*after, until]):
        if b - a > BLENDED_S:
            return a
    return until


def window(frames: list[Frame], slaps: dict[str, Any], truth: dict[str, Any]) -> list[Frame]:
    """Return the frames that are looked back at for a round."""
    entered_ns = round(entered_s(slaps, truth.get("frame_t", [])) * NS_PER_S)
    return [f for f in frames if entered_ns - BACK_S * NS_PER_S <= f.at_ns <= entered_ns]
