"""Measure the slap timing on footage with known contacts.

    uv run python tests/benchmarks/slap_times.py FOLDER_OR_CLIP... [--halve] [--rolling MS] [--by view light]
        [--held NAME...]

Every clip NAME.mp4 with NAME.layout.json and NAME.truth.json is looked back at as the contract's ``analyze`` does, 8 s
from when the card was entered (``companion.training.slaprounds``, also on clips of which only parts were rendered).
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
from itertools import combinations
from pathlib import Path

import cv2
import numpy as np

from companion.training.slaprounds import clips, filled, frames_of, rates, window
from companion.vision.frame import NS_PER_S, Frame
from companion.vision.layout import Layout, load_layout
from companion.vision.slaps import SlapRound, time_slaps
from companion.vision.video import VideoFile

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


def _answer(frames: list[Frame], layout: Layout, slaps: dict, truth: dict) -> tuple[SlapRound, float]:
    seen = window(frames, slaps, truth)
    began = time.process_time()
    answer = time_slaps(seen, layout, seen[-1].at_ns, slaps["by"])
    return answer, time.process_time() - began


if __name__ == "__main__":
    main()
