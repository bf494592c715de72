"""Train the seat net on kept clips and write its weights (torch) whenever it is better on the clips held out."""

import argparse
import math
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as nnf
from torch.utils.data import DataLoader, Dataset

from companion.training.kept import KeptClip, held_out, read_kept
from companion.training.net import SeatNet
from companion.training.vary import plain, varied

GRID = 12
UP_X = 9
"""The channel that says which way up points, from left to right."""
RAISED_MM, RAISED_SOFT_MM = 250.0, 40.0
"""From about this height on a hand is raised: to the mouth, the head, the hair; at play hands stay lower."""
LINE_MM = 12.0
"""How soft the border between below and above is: the truth is exact, but nothing hangs on a finger's breadth."""


class Samples(Dataset[Any]):
    """Samples of clips with their targets; `draws` gives clip, seat and frame of each."""

    def __init__(self, clips: list[KeptClip], draws: list[tuple[int, int, int]], *, vary: bool, seed: int) -> None:
        self.clips, self.draws, self.vary, self.seed = clips, draws, vary, seed

    def __len__(self) -> int:
        return len(self.draws)

    def __getitem__(self, index: int) -> Any:
        c, seat, frame = self.draws[index]
        clip = self.clips[c]
        sample = clip.sample(seat, frame)
        x, spots = varied(sample, np.random.default_rng((self.seed, index))) if self.vary else plain(sample)
        truth = (clip.visible, clip.below, clip.reach_mm, clip.kinds)
        return x, spots, *(t[seat, frame] for t in truth)


def mirrored(batch: list[Tensor]) -> list[Tensor]:
    """Return a batch and its mirror image, in which left and right hand have changed places."""
    x, spots, visible, below, reach, kinds = batch
    other = x.flip(3)
    other[:, UP_X] *= -1
    there = spots.flip(1) * torch.tensor([-1.0, 1.0]) + torch.tensor([1.0, 0.0])
    swapped = [other, there, visible.flip(1), below.flip(1), reach.flip(1), kinds]
    return [torch.cat([a, b]) for a, b in zip(batch, swapped, strict=True)]


def all_draws(clips: list[KeptClip], fps: float, rng: np.random.Generator) -> list[tuple[int, int, int]]:
    """Return every clip, seat and frame at about `fps`, the first frame chosen at random."""
    draws = []
    for c, clip in enumerate(clips):
        step = max(1, round(1 / (float(np.median(np.diff(clip.times))) * fps)))
        frames = range(int(rng.integers(0, step)), len(clip.times), step)
        draws += [(c, seat, k) for seat in range(len(clip.seats)) for k in frames]
    return draws


def weight(clip: KeptClip, seat: int, frame: int) -> float:
    """Say how often a sample is shown: rare acts and hands at the table top's level more often."""
    kinds, below, reach = clip.kinds[seat, frame], clip.below[seat, frame], clip.reach_mm[seat, frame]
    if (kinds[2:] > 0).any():
        return 7.0
    if kinds[1] > 0:
        return 4.0
    if (below > -30).any():
        return 4.0
    if (below < -RAISED_MM).any():
        return 3.0
    return 1.6 if (below < -200).any() or (reach < 90).any() or (below > -70).any() else 1.0


def losses(out: Tensor, maps: Tensor, batch: list[Tensor]) -> Tensor:
    """Return the sum of what is learnt: the kinds, heights, reaches and places."""
    _, spots, visible, below, reach, kinds = batch
    total = 2.0 * nnf.binary_cross_entropy_with_logits(out[:, :2], torch.sigmoid(below / LINE_MM))
    either = 1 - (1 - torch.sigmoid(out[:, :2])).prod(dim=1)
    some = torch.sigmoid(below / LINE_MM).amax(dim=1)
    total = total + nnf.binary_cross_entropy(either.clamp(1e-6, 1 - 1e-6), some)
    known = (kinds[:, 1:] >= 0).float()
    each = nnf.binary_cross_entropy_with_logits(out[:, 2:5], kinds[:, 1:].clamp(min=0), reduction="none")
    total = total + 1.5 * (each * known).sum() / len(out)
    height = (-below / 100).clamp(-3, 5)
    total = total + 0.6 * nnf.smooth_l1_loss(out[:, 5:7], height)
    total = total + 0.2 * nnf.smooth_l1_loss(out[:, 7:9], (reach / 100).clamp(0, 4))
    raised = torch.sigmoid((-below.amin(dim=1) - RAISED_MM) / RAISED_SOFT_MM)
    total = total + nnf.binary_cross_entropy_with_logits(out[:, 9], raised)
    cells = (torch.arange(GRID) + 0.5) / GRID
    dx = (cells[None, None, None, :] - spots[:, :, 0, None, None]) * GRID
    dy = (cells[None, None, :, None] - spots[:, :, 1, None, None]) * GRID
    blob = torch.exp(-(dx**2 + dy**2) / 2.0)
    in_view = ((spots > 0.02) & (spots < 0.98)).all(dim=2).float() * (0.25 + 0.75 * (visible > 0.2).float())
    logs = torch.log_softmax(maps.flatten(2), dim=2)
    goal = blob.flatten(2) / blob.flatten(2).sum(dim=2, keepdim=True).clamp(min=1e-6)
    place = -(goal * logs).sum(dim=2)
    return total + 0.25 * (place * in_view).mean()


def towards(slow: Tensor, now: Tensor, count: Tensor) -> Tensor:
    """Move the running average of a weight; it forgets the untrained start, then about 500 steps back."""
    keep = min(0.998, float((1 + count) / (10 + count)))
    return slow * keep + now * (1 - keep) if slow.is_floating_point() else now


def one_cycle(gone: float, rise: float) -> float:
    """Return the part of the full rate when so much of the training is gone (0 to 1): a short rise, a long fall."""
    if gone < rise:
        return 0.04 + 0.96 * gone / rise
    return 0.5 * (1 + math.cos(math.pi * (gone - rise) / (1 - rise))) + 1e-4


def score(net: SeatNet, loader: Any) -> tuple[float, dict[str, float]]:
    """Return the loss on the clips held out, and the average precision of every output."""
    net.eval()
    outs, truths, total, n = [], [], 0.0, 0
    with torch.no_grad():
        for batch in loader:
            out, maps = net(batch[0].to(memory_format=torch.channels_last))
            total += float(losses(out, maps, batch)) * len(out)
            n += len(out)
            outs.append(out.numpy())
            high = (batch[3].amin(dim=1) < -RAISED_MM).numpy().astype(float)
            truths.append(np.column_stack([(batch[3] > 0).numpy().astype(float), batch[5][:, 1:].numpy(), high]))
    out, truth = np.concatenate(outs)[:, (0, 1, 2, 3, 4, 9)], np.concatenate(truths)
    names = ("below_left", "below_right", "sleeve", "head", "drop", "raised")
    return total / n, {k: average_precision(out[:, i], truth[:, i]) for i, k in enumerate(names)}


def average_precision(scores: Any, truth: Any) -> float:
    """Return the area under precision over recall; samples marked -1 do not count."""
    known = truth >= 0
    order = np.argsort(-scores[known])
    hits = truth[known][order] > 0
    if not hits.any():
        return float("nan")
    precision = np.cumsum(hits) / np.arange(1, len(hits) + 1)
    return float(precision[hits].mean())


def train(args: argparse.Namespace) -> None:
    """Train for so many rounds of so many samples, one-cycle learning rate, and keep the running average of weights."""
    torch.manual_seed(args.seed)
    torch.set_num_threads(args.threads)
    clips = [read_kept(p) for p in sorted(args.kept.glob("*.npz"))]
    ours = [c for c in clips if not held_out(c.name)]
    theirs = [c for c in clips if held_out(c.name)]
    rng = np.random.default_rng(args.seed)
    net = SeatNet(args.width).to(memory_format=torch.channels_last)
    if args.start:
        net.load_state_dict(torch.load(args.start), strict=False)
    slow = torch.optim.swa_utils.AveragedModel(net, avg_fn=towards, use_buffers=True)
    say(f"{sum(p.numel() for p in net.parameters())} weights, {len(ours)} clips, {len(theirs)} held out")
    steps = args.rounds * args.samples // args.batch
    rates = torch.optim.AdamW(net.parameters(), lr=args.rate, weight_decay=0.02)
    rise = 0.04 if args.start else 0.15
    started = time.monotonic()

    def pace(step: int) -> float:
        gone = max(step / steps, (time.monotonic() - started) / (60 * args.minutes) if args.minutes else 0.0)
        return one_cycle(min(gone, 1.0), rise)

    cycle = torch.optim.lr_scheduler.LambdaLR(rates, pace)
    check = DataLoader(
        Samples(theirs, all_draws(theirs, 5, np.random.default_rng(0)), vary=False, seed=0), 256, num_workers=1
    )
    for r in range(args.rounds):
        if args.minutes and time.monotonic() - started > 60 * args.minutes:
            break
        draws = all_draws(ours, 5, rng)
        odds = np.array([weight(ours[c], s, k) for c, s, k in draws])
        picked = rng.choice(len(draws), args.samples, p=odds / odds.sum(), replace=len(draws) < args.samples)
        shown = Samples(ours, [draws[i] for i in picked], vary=True, seed=args.seed * 1000 + r)
        began, total = time.monotonic(), 0.0
        net.train()
        for batch in DataLoader(shown, args.batch, num_workers=args.workers, drop_last=True):
            both = mirrored(batch)
            with torch.autocast("cpu", dtype=torch.bfloat16):
                out, maps = net(both[0].to(memory_format=torch.channels_last))
            out, maps = out.float(), maps.float()
            loss = losses(out, maps, both)
            rates.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(net.parameters(), 2.0)
            rates.step()
            cycle.step()
            slow.update_parameters(net)
            total += loss.item() * len(batch[0])
        line = f"round {r}: loss {total / args.samples:.3f}, {time.monotonic() - began:.0f} s"
        if r % args.every == args.every - 1 or r == args.rounds - 1:
            missed, ap = score(slow.module, check)
            line += f"; held out {missed:.3f} " + " ".join(f"{k} {v:.3f}" for k, v in ap.items())
        torch.save(slow.module.state_dict(), args.out)
        say(line)


def say(line: str) -> None:
    """Print a line at once: training runs are watched through a file."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main() -> int:
    """Read the options and train."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kept", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--start", type=Path)
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument("--samples", type=int, default=8000)
    parser.add_argument("--minutes", type=float, default=0.0, help="end after so long; the rate falls in step")
    parser.add_argument("--batch", type=int, default=24)
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
