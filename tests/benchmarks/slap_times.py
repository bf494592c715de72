"""Measure the slap timing on footage with known contacts.

    uv run python tests/benchmarks/slap_times.py FOLDER_OR_CLIP... [--halve] [--rolling MS] [--by view light]
        [--held NAME...]

Every clip NAME.mp4 with NAME.layout.json and NAME.truth.json is looked back at as the contract's ``analyze`` does, 8 s
from when the card was entered. Where the truth names ``frame_t``, only the frames around each round are in the clip:
the first one is held for 4 s before it, gaps of up to 0.2 s are blended, longer ones show what comes after them. The
card then counts as entered no later than the last picture before the first longer gap after the slaps: what fills a gap
may be hands on their way home, held in mid-air, and that is a rest that no table has.
``--halve`` also takes every other frame of 60 fps clips, both ways, as 30 fps. ``--rolling`` reads the lines of each
picture one after the other, over so many ms, out of neighbouring frames (of three times the rate where NAME.subs.mp4 is
there). ``--jpeg`` stores the frames at a quality first, as the ring does. Prints for each frame rate: slaps found, time
errors, their spread in units of the stated error, pairs in the right order, last hands called, how the hand on top
answers alone, and the CPU of an answer; with ``--by`` for each view and light too, with ``--held`` for the clips named
and the others apart.
"""

import argparse
import json
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations, pairwise
from pathlib import Path

import cv2
import numpy as np

from companion.vision.frame import NS_PER_S, Frame
from companion.vision.layout import Layout, load_layout
from companion.vision.slaps import SlapRound, time_slaps
from companion.vision.video import VideoFile

BACK_S = 8.0
HELD_S = 4.0
BLENDED_S = 0.2
SUBS = 3
"""Pictures that a clip NAME.subs.mp4 has for each one of NAME.mp4."""


@dataclass(slots=True)
class Tally:
    """What was measured at one frame rate; times in ms."""

    true: int = 0
    ghosts: int = 0
    errors: list[float] = field(default_factory=list)
    stated: list[float] = field(default_factory=list)
    pairs: list[tuple[float, bool]] = field(default_factory=list)
    rounds: int = 0
    called: int = 0
    wrong: int = 0
    top: list[bool] = field(default_factory=list)
    cpu_s: list[float] = field(default_factory=list)

    def add(self, answer: SlapRound, contacts: dict[int, float]) -> None:
        """Take in one round."""
        found = {s.seat: s for s in answer.order if s.at_ns is not None}
        self.true += len(contacts)
        self.ghosts += len(found.keys() - contacts.keys())
        both = [s for s in contacts if s in found]
        for seat in both:
            self.errors.append((found[seat].at_ns / NS_PER_S - contacts[seat]) * 1000)
            self.stated.append(found[seat].error_s * 1000)
        for a, b in combinations(both, 2):
            gap = contacts[b] - contacts[a]
            self.pairs.append((abs(gap), gap * (found[b].at_ns - found[a].at_ns) > 0))
        last = max(contacts, key=contacts.__getitem__)
        self.rounds += 1
        self.called += answer.last is not None
        self.wrong += answer.last is not None and answer.last != last
        if answer.on_top is not None:
            self.top.append(answer.on_top == last)

    def report(self) -> str:
        """Return the figures as lines of text."""
        off, z = np.abs(self.errors), np.array(self.errors) / np.array(self.stated)
        share = 100 * len(off) / max(self.true, 1)
        lines = [
            f"  slaps found {len(off)} of {self.true} ({share:.1f} %), ghosts {self.ghosts}",
            f"  error: median {np.median(off):.1f} ms, p95 {np.percentile(off, 95):.1f} ms, "
            f"bias {np.median(self.errors):+.1f} ms, over 40 ms: {int((off > 40).sum())}",
            f"  stated: median {np.median(self.stated):.1f} ms, over 40 ms: {sum(s > 40 for s in self.stated)}; "
            f"spread in its units {np.std(z):.2f}, over 3: {int((np.abs(z) > 3).sum())}",
        ]
        for low, high in ((0, 0.01), (0.01, 0.03), (0.03, 0.1), (0.1, 9)):
            right = [ok for gap, ok in self.pairs if low <= gap < high]
            if right:
                lines.append(f"  pairs {low * 1000:.0f} to {high * 1000:.0f} ms apart: {sum(right)} of {len(right)}")
        lines.append(f"  rounds {self.rounds}, called {self.called}, of those wrong {self.wrong}")
        lines.append(f"  hand on top seen in {len(self.top)} rounds, in {sum(self.top)} it was the last")
        lines.append(f"  an answer took {np.median(self.cpu_s):.2f} s of CPU, at most {max(self.cpu_s):.2f} s")
        return "\n".join(lines)


def main() -> None:
    """Measure the folders and clips named on the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("where", nargs="+", type=Path)
    parser.add_argument("--halve", action="store_true")
    parser.add_argument("--rolling", type=float, default=0.0, metavar="MS")
    parser.add_argument("--jpeg", type=int, default=0, metavar="QUALITY")
    parser.add_argument("--by", nargs="*", default=[], choices=("view", "light"))
    parser.add_argument("--held", nargs="*", default=[], metavar="NAME", help="clips that nothing was chosen on")
    args = parser.parse_args()
    tallies: dict[tuple[int, str], Tally] = defaultdict(Tally)
    for base in clips(args.where):
        truth = json.loads(base.with_suffix(".truth.json").read_text())
        if not truth["slaps"]:
            continue
        layout = load_layout(base.with_suffix(".layout.json"))
        subs = base.with_suffix(".subs.mp4")
        if args.rolling and subs.exists():
            frames = list(rolling(exposed(base, truth, subs), args.rolling / 1000))[1::SUBS]
        else:
            frames = frames_of(base, truth)
            if args.rolling:
                frames = list(rolling(frames, args.rolling / 1000))
        if args.jpeg:
            frames = list(stored(frames, args.jpeg))
        for fps, part in rates(frames, round(truth["fps"]), args.halve):
            for slaps in truth["slaps"]:
                answer, cpu_s = _answer(part, layout, slaps, truth)
                sets = ["held" if base.name in args.held else "chosen on"] if args.held else []
                for name in ("", *sets, *(truth[by] for by in args.by)):
                    tallies[fps, name].add(answer, {c["seat"]: c["at_s"] for c in slaps["contacts"]})
                    tallies[fps, name].cpu_s.append(cpu_s)
        print(base.name, flush=True)
    for (fps, name), tally in sorted(tallies.items()):
        print(f"{fps} frames a second {name}\n{tally.report()}")


def exposed(base: Path, truth: dict, subs: Path) -> list[Frame]:
    """Return a clip whose shutter never closes at three times its rate: each picture the mean of the three around it.

    Those are the pictures that were blended to make the clip; every third one is the clip's own.
    """
    parts = list(VideoFile(subs).frames())
    step_ns = NS_PER_S / truth["fps"] / SUBS
    times = [round(t * NS_PER_S + (j - 1) * step_ns) for t in truth["frame_t"] for j in range(SUBS)]
    mean = [
        np.rint(np.mean([p.image for p in parts[max(k - 1, 0) : k + 2]], axis=0, dtype=np.float32)).astype(np.uint8)
        for k in range(len(parts))
    ]
    return filled([Frame(0, ns, image) for ns, image in zip(times, mean, strict=True)], truth["fps"] * SUBS)


def rolling(frames: list[Frame], readout_s: float) -> Iterator[Frame]:
    """Read the lines one after the other: line y of a frame is blended from its neighbours by when it is read.

    Times stay those of the middle line.
    """
    at = np.array([f.at_ns for f in frames]) / NS_PER_S
    height = frames[0].image.shape[0]
    late = (np.arange(height) / height - 0.5) * readout_s
    for k, frame in enumerate(frames):
        rows = np.interp(at[k] + late, at, np.arange(len(frames)))
        low = np.floor(rows).astype(int)
        image = frame.image.copy()
        for i in np.unique(low):
            mine = np.flatnonzero(low == i)
            part = (rows[mine] - i).astype(np.float32)[:, None, None]
            after = frames[min(i + 1, len(frames) - 1)].image[mine]
            image[mine] = np.rint(frames[i].image[mine] * (1 - part) + after * part).astype(np.uint8)
        yield Frame(frame.index, frame.at_ns, image)


def stored(frames: list[Frame], quality: int) -> Iterator[Frame]:
    """Give frames as they come out of the ring, which keeps them as JPEG."""
    for frame in frames:
        kept = cv2.imencode(".jpg", frame.image, (cv2.IMWRITE_JPEG_QUALITY, quality))[1]
        yield Frame(frame.index, frame.at_ns, cv2.imdecode(kept, cv2.IMREAD_COLOR))


def clips(where: list[Path]) -> list[Path]:
    """Return the clips with a truth in folders, and those named, each as its path without an ending."""
    truths = [p for w in where for p in (w.glob("*.truth.json") if w.is_dir() else [w.with_suffix(".truth.json")])]
    return sorted(p.with_suffix("").with_suffix("") for p in truths)


def frames_of(base: Path, truth: dict) -> list[Frame]:
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
    for before, after in zip([None, *frames], frames, strict=False):
        gap = 0 if before is None else round((after.at_ns - before.at_ns) / step_ns)
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


def entered_s(slaps: dict, kept: list[float]) -> float:
    """Return when the card was entered; of a clip with gaps the last of its frames (s) before the round's pictures end.

    ``kept``: the times of the frames that were rendered, empty where all of them were.
    """
    until = slaps["entered_s"]
    last = max(c["at_s"] for c in slaps["contacts"])
    after = [t for t in kept if last <= t <= until]
    for a, b in pairwise([*after, until]):
        if b - a > BLENDED_S:
            return a
    return until


def window(frames: list[Frame], slaps: dict, truth: dict) -> list[Frame]:
    """Return the frames that are looked back at for a round."""
    entered_ns = round(entered_s(slaps, truth.get("frame_t", [])) * NS_PER_S)
    return [f for f in frames if entered_ns - BACK_S * NS_PER_S <= f.at_ns <= entered_ns]


def _answer(frames: list[Frame], layout: Layout, slaps: dict, truth: dict) -> tuple[SlapRound, float]:
    seen = window(frames, slaps, truth)
    began = time.process_time()
    answer = time_slaps(seen, layout, seen[-1].at_ns, slaps["by"])
    return answer, time.process_time() - began


if __name__ == "__main__":
    main()
