"""Train the slap net on kept rounds and write its weights (torch) whenever a pass is over."""

import argparse
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional as nnf
from torch.utils.data import DataLoader, Dataset

from companion.training.slapnet import SlapNet
from companion.training.train import one_cycle, say, towards
from companion.training.vary import mixed_colours
from companion.vision.slapstrip import SIDE_PX, strip_inputs

FRAMES = 40
"""Length of a sample: 0.67 s at 60 frames a second, 1.3 s at 30."""
STEPS = {60: ((1, 0.4), (2, 0.5), (3, 0.1)), 30: ((1, 0.9), (2, 0.1))}
"""Every how many-th frame is taken, and how often: 60 frames a second also are 30, and 20."""
NEAR = 1.5
"""Frames about the contact at which where it is between them is learnt."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class KeptRound:
    """One seat in one slap round: its strips at full rate, and when its hand landed (frames; NaN where it did not)."""

    clip: str
    strips: NDArray[np.uint8]
    rest: NDArray[np.uint8]
    free: NDArray[np.uint8]
    camera: tuple[float, float, float]
    interval_s: float
    contact: float
    about: tuple[float, float]
    """First and last contact of the round, frames."""


def read_rounds(path: Path) -> list[KeptRound]:
    """Read one file of slapkeep.py: each seat of each round, the frames around the slaps that are the clip's."""
    out = []
    with np.load(path) as f:
        interval = 1.0 / float(f["fps"])
        for r in range(int(f["rounds"])):
            at, own, contacts = f[f"{r}_at_s"], f[f"{r}_own"], f[f"{r}_contact_s"]
            first, last = np.nanmin(contacts), np.nanmax(contacts)
            lo, hi = _run(own, int(np.searchsorted(at, first)), int(np.searchsorted(at, last)))
            index = np.arange(len(at), dtype=float)
            frames = np.interp(contacts, at, index) - lo
            strips = f[f"{r}_strips"][:, lo:hi]
            for s in range(len(contacts)):
                out.append(
                    KeptRound(
                        clip=path.stem,
                        strips=strips[s],
                        rest=f[f"{r}_rest"][s],
                        free=f[f"{r}_free"][s],
                        camera=_three(f[f"{r}_camera"][s]),
                        interval_s=interval,
                        contact=float(frames[s]),
                        about=(float(np.nanmin(frames)), float(np.nanmax(frames))),
                    )
                )
    return out


def _three(values: Any) -> tuple[float, float, float]:
    return float(values[0]), float(values[1]), float(values[2])


def _run(own: NDArray[np.bool_], first: int, last: int) -> tuple[int, int]:
    """Return the widest span of own frames around some."""
    lo, hi = first, last
    while lo > 0 and own[lo - 1]:
        lo -= 1
    while hi < len(own) and own[hi]:
        hi += 1
    return lo, hi


class Samples(Dataset[Any]):
    """Windows of rounds: the net's input, where the contact is in it (-1: it is not), and how many frames count."""

    def __init__(self, rounds: list[KeptRound], picks: list[tuple[int, int]], *, vary: bool, seed: int) -> None:
        self.rounds, self.picks, self.vary, self.seed = rounds, picks, vary, seed

    def __len__(self) -> int:
        return len(self.picks)

    def __getitem__(self, index: int) -> Any:
        i, step = self.picks[index]
        rng = np.random.default_rng((self.seed, index))
        one = self.rounds[i]
        phase = int(rng.integers(0, step)) if self.vary else (index // 7) % step
        strips, contact = one.strips[phase::step], (one.contact - phase) / step
        first, last = (one.about[0] - phase) / step, (one.about[1] - phase) / step
        room = len(strips) - FRAMES
        begin = 0
        if room > 0:
            # mostly with what happens in view, at times without
            middle = rng.uniform(first, last) if not np.isfinite(contact) or rng.random() < 0.4 else contact
            at = rng.uniform(0.1, 0.9) if self.vary else 0.5
            begin = int(np.clip(round(middle - at * FRAMES), 0, room))
        strips = strips[begin : begin + FRAMES]
        count = len(strips)
        if count < FRAMES:
            strips = np.concatenate([strips, np.repeat(strips[-1:], FRAMES - count, axis=0)])
        contact -= begin
        inside = np.isfinite(contact) and 1 <= contact <= count - 2
        rest, free, camera = one.rest, one.free, one.camera
        if self.vary:
            strips, rest, free, camera = varied(strips, rest, free, camera, rng)
        x = strip_inputs(strips, rest, free, one.interval_s * step, camera).transpose(1, 0, 2, 3)
        cut = np.isfinite(contact) and not inside and -1 < contact < count + 1
        return np.ascontiguousarray(x), np.float32(contact if inside else -1), np.int64(0 if cut else count)


def varied(strips: Any, rest: Any, free: Any, camera: tuple[float, float, float], rng: np.random.Generator) -> Any:
    """Return a sample after a random change of light, colour, noise and place, the same in all its pictures."""
    stack = np.concatenate([strips, rest[None], free[None]]).astype(np.float32)
    strength = 1.0 if rng.random() < 0.5 else 0.3
    mix = mixed_colours(rng, strength)
    stack = (stack / 255.0) ** np.exp(rng.normal(0, 0.3 * strength)) @ mix.T
    stack = stack * (255.0 * np.exp(rng.normal(0, 0.25 * strength))) + rng.normal(0, 8 * strength)
    turn, zoom = rng.normal(0, 0.09), np.exp(rng.normal(0, 0.06))
    mirror = rng.random() < 0.5
    c, s = np.cos(turn) * zoom, np.sin(turn) * zoom
    theta = torch.tensor(
        [[-c if mirror else c, -s, rng.normal(0, 0.05)], [-s if mirror else s, c, rng.normal(0, 0.05)]],
        dtype=torch.float32,
    )
    t = torch.from_numpy(np.ascontiguousarray(stack.transpose(0, 3, 1, 2), dtype=np.float32))
    grid = nnf.affine_grid(theta[None], [1, 3, SIDE_PX, SIDE_PX], align_corners=False)
    t = nnf.grid_sample(t, grid.expand(len(t), -1, -1, -1), align_corners=False)
    if rng.random() < 0.5:
        grain = torch.from_numpy(rng.standard_normal(t.shape, dtype=np.float32))
        t = t + abs(float(rng.normal(0, 3.0))) * grain
    t[(stack.transpose(0, 3, 1, 2) == 0).all(axis=1, keepdims=True).repeat(3, 1)] = 0.0
    out = t.clamp(0, 255).numpy().transpose(0, 2, 3, 1)
    camera = (-camera[0] if mirror else camera[0], camera[1], camera[2])
    return out[:-2], out[-2], out[-1], camera


def losses(out: Tensor, contact: Tensor, count: Tensor) -> Tensor:
    """Return the loss: in which frame the hand lands, if in any, and where between the frames."""
    n, _, frames = out.shape
    index = torch.arange(frames)
    logits = torch.cat([out[:, 0].masked_fill(index >= count[:, None], -30.0), torch.zeros(n, 1)], dim=1)
    some = contact >= 0
    part = (1 - (index[None] - contact[:, None]).abs()).clamp(min=0) * some[:, None]
    goal = torch.cat([part, (~some).float()[:, None]], dim=1)
    use = (count > 0).float()
    when = -(goal * torch.log_softmax(logits, dim=1)).sum(dim=1)
    off = contact[:, None] - index[None]
    near = (off.abs() < NEAR).float() * some[:, None]
    spread = out[:, 2].clamp(-4, 2)
    where = ((out[:, 1] - off).abs() * torch.exp(-spread) + spread) * near
    return (when * use).sum() / use.sum() + 0.5 * where.sum() / near.sum().clamp(min=1)


def held_out(name: str) -> bool:
    """Say whether a clip is kept for selection: one in twelve, by its number."""
    return int("".join(c for c in name if c.isdigit()) or "0") % 12 == 5


def picks_of(rounds: list[KeptRound], rng: np.random.Generator) -> list[tuple[int, int]]:
    """Return each round's seat once, at a rate chosen at random."""
    out = []
    for i, one in enumerate(rounds):
        steps = STEPS[60 if one.interval_s < 0.02 else 30]
        out.append((i, int(rng.choice([s for s, _ in steps], p=[p for _, p in steps]))))
    return out


def score(net: SlapNet, loader: Any) -> str:
    """Return the loss on the rounds held out, how often the likeliest frame is the right one, and how far off it is."""
    net.eval()
    total, n, rows = 0.0, 0, []
    with torch.no_grad():
        for x, contact, count in loader:
            out = net(x.to(memory_format=torch.channels_last_3d))
            total += float(losses(out, contact, count)) * len(x)
            n += len(x)
            logits = out[:, 0].masked_fill(torch.arange(FRAMES) >= count[:, None], -30.0)
            best = logits.argmax(dim=1)
            chance = torch.softmax(torch.cat([logits, torch.zeros(len(x), 1)], dim=1), dim=1)
            place = best + out[:, 1].gather(1, best[:, None])[:, 0]
            dt = x[:, 12, 0, 0, 0] / 30
            rows.append(torch.stack([contact, place, 1 - chance[:, -1], dt, count.float()], dim=1).numpy())
    r = np.concatenate(rows)
    r = r[r[:, 4] > 0]
    told = r[:, 2] > 0.5
    text = f"{total / n:.3f}; told {(told == (r[:, 0] >= 0)).mean():.3f}"
    for name, low, high in (("60", 0, 0.02), ("30", 0.02, 0.04)):
        own = r[(r[:, 0] >= 0) & told & (r[:, 3] > low) & (r[:, 3] < high)]
        off = (own[:, 1] - own[:, 0]) * own[:, 3] * 1000
        text += (
            f"; {name}: right frame {(np.abs(own[:, 1] - own[:, 0]) < 1.5).mean():.3f} of {len(own)}, "
            f"off {np.median(np.abs(off)):.1f}, p95 {np.percentile(np.abs(off), 95):.1f} ms"
        )
    return text


def train(args: argparse.Namespace) -> None:
    """Train for so many minutes, one-cycle learning rate, and keep the running average of the weights."""
    torch.manual_seed(args.seed)
    torch.set_num_threads(args.threads)
    files = sorted(args.kept.glob("*.npz"))
    held = [p for p in files if held_out(p.stem)]
    ours = [r for p in files if p not in held for r in read_rounds(p)]
    theirs = [r for p in held for r in read_rounds(p)]
    rng = np.random.default_rng(args.seed)
    net = SlapNet(args.width).to(memory_format=torch.channels_last_3d)
    if args.start:
        net.load_state_dict(torch.load(args.start))
    slow = torch.optim.swa_utils.AveragedModel(net, avg_fn=towards, use_buffers=True)
    count = sum(p.numel() for p in net.parameters())
    say(f"{count} weights, {len(files)} clips, {len(ours)} seats, {len(theirs)} held out")
    rates = torch.optim.AdamW(net.parameters(), lr=args.rate, weight_decay=0.03)
    started = time.monotonic()

    def gone() -> float:
        return min((time.monotonic() - started) / (60 * float(args.minutes)), 1.0)

    cycle = torch.optim.lr_scheduler.LambdaLR(rates, lambda _: one_cycle(gone(), 0.04 if args.start else 0.12))
    check_picks = picks_of(theirs, np.random.default_rng(0)) + picks_of(theirs, np.random.default_rng(1))
    check = DataLoader(Samples(theirs, check_picks, vary=False, seed=0), 64, num_workers=1)
    r = 0
    while gone() < 1.0:
        picks = picks_of(ours, rng)
        picks = [picks[i] for i in rng.permutation(len(picks))]
        shown = Samples(ours, picks[: args.samples], vary=True, seed=args.seed * 1000 + r)
        began, total, steps = time.monotonic(), 0.0, 0
        net.train()
        for x, contact, count in DataLoader(shown, args.batch, num_workers=args.workers, drop_last=True):
            with torch.autocast("cpu", dtype=torch.bfloat16):
                out = net(x.to(memory_format=torch.channels_last_3d))
            loss = losses(out.float(), contact, count)
            rates.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(net.parameters(), 2.0)
            rates.step()
            cycle.step()
            slow.update_parameters(net)
            total, steps = total + loss.item(), steps + 1
        line = f"round {r}: loss {total / max(steps, 1):.3f}, {time.monotonic() - began:.0f} s"
        if r % args.every == args.every - 1 or gone() >= 1.0:
            line += f"; held out {score(slow.module, check)}"
        torch.save(slow.module.state_dict(), args.out)
        say(line)
        r += 1


def main() -> int:
    """Read the options and train."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kept", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--start", type=Path)
    parser.add_argument("--minutes", type=float, default=20.0)
    parser.add_argument("--samples", type=int, default=3000, help="samples from one report to the next")
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--width", type=int, default=24)
    parser.add_argument("--every", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1)
    train(parser.parse_args())
    return 0


if __name__ == "__main__":
    sys.exit(main())
