"""Find when the hands lay on the pile: the last time that arms reached in and everything was still."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.vision.frame import NS_PER_S, Frame
from companion.vision.slapview import Floats, PileView


@dataclass(frozen=True, slots=True, kw_only=True)
class RestSettings:
    """How hands at rest on the pile are told from a free pile; areas in mm2 at arm height."""

    step_s: float = 0.1
    """Spacing of the frames looked at: a rest lasts at least three of them."""
    moved: float = 40.0
    """Sum of the three channels' differences at which a pixel has changed; sensor noise in dim light reaches 25."""
    still_mm2: float = 2500.0
    still_share: float = 0.05
    """Area that may still move while the hands rest, and how much more of what is covered: bodies sway, sleeves
    settle."""
    present_mm2: float = 3000.0
    """Area of the ring around the pile that an arm covers at least; a grown-up's forearm covers 8,000."""
    arm_mm2: float = 6000.0
    """Area that counts as one arm when two moments are compared."""
    ring_mm: tuple[float, float] = (100.0, 240.0)
    """The ring around the pile in which forearms are seen and cards are not."""
    before_s: float = 2.0
    """How long before the rest the slaps are looked for: slow players are not slower than that."""
    usual_of: int = 24
    """Pictures out of which the free pile is told."""
    share: float = 0.35
    """Share of the fullest rest's covered area that a later one must reach: two hands in this round, four in the last;
    less is somebody who squares the pile, or a shadow."""
    free: float = 0.4
    """Share of the covered area below which the pile counts as left between two rests."""
    leaving_s: float = 1.0
    """Hands leave one after the other: rests no farther apart, with an arm there all the time, are of one round."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rest:
    """The hands at rest: frames ``first`` to ``last`` (indices into the sequence) and where to begin looking for slaps.

    ``background`` is the pile without hands at the same view, ``covered_mm2`` the area of arms in the ring.
    """

    begin: int
    first: int
    last: int
    covered_mm2: float
    background: Floats


def find_rests(frames: Sequence[Frame], view: PileView, settings: RestSettings | None = None) -> list[Rest]:
    """Return the rests with arms on the pile, the likeliest first: the last one that is not far emptier than another.

    ``frames`` are in order of time; only about ten a second are looked at (a sequence that decodes on access does so
    for these alone). After a slap round somebody squares the pile: one arm; so rests follow in the order of time, those
    with too few arms at the end.
    """
    settings = settings or RestSettings()
    if len(frames) < 8:
        return []
    at = _looks(frames, settings.step_s)
    pictures = np.array([view.cut(frames[i].image) for i in at])
    background = usual_picture(pictures[:: max(1, len(pictures) // settings.usual_of)], settings.moved)
    ring = (view.radius_mm > settings.ring_mm[0]) & (view.radius_mm < settings.ring_mm[1])
    near = view.radius_mm < settings.ring_mm[1]
    covered = _area(np.abs(pictures - background).sum(-1) > settings.moved, ring, view)
    moving = _area(np.abs(np.diff(pictures, axis=0)).sum(-1) > settings.moved, near, view)
    rests = []
    for first, last in in_order(still_spans(covered, moving, settings), covered, settings):
        begin = first
        while begin > 0 and covered[begin - 1] > settings.present_mm2 / 2:
            begin -= 1
        begin = max(0, first - round(settings.before_s / settings.step_s), begin - 4)
        area = float(covered[first : last + 1].mean())
        rests.append(Rest(begin=at[begin], first=at[first], last=at[last], covered_mm2=area, background=background))
    return rests


def _looks(frames: Sequence[Frame], step_s: float) -> list[int]:
    """Return the indices of frames about ``step_s`` apart, by their own times: cameras slow down in dim light.

    Each frame whose time is looked at may have to be decoded, so a step is the last one's until that is far off.
    """
    seconds = (frames[-1].at_ns - frames[0].at_ns) / NS_PER_S
    step = max(1, round(step_s * (len(frames) - 1) / max(seconds, 1e-6)))
    at = [0]
    while (i := at[-1]) + step < len(frames):
        while step > 1 and frames[i + step].at_ns - frames[i].at_ns > 1.5 * step_s * NS_PER_S:
            step = max(1, step // 2)
        at.append(i + step)
        if frames[i + step].at_ns - frames[i].at_ns < 0.7 * step_s * NS_PER_S:
            step += max(1, step // 2)
    return at


def usual_picture(pictures: Floats, moved: float) -> Floats:
    """Return for each pixel its most usual colour over pictures (N x height x width x 3).

    Not the median: hands of several colours may lie on the pile for more than half of the time.
    """
    count = np.zeros(pictures.shape[:3], dtype=np.int16)
    for k in range(len(pictures)):
        count[k] = (np.abs(pictures - pictures[k]).sum(-1) < moved / 2).sum(axis=0)
    pick = count.argmax(axis=0)
    rows, columns = np.mgrid[0 : pick.shape[0], 0 : pick.shape[1]]
    return np.asarray(pictures[pick, rows, columns])


def _area(mask: NDArray[np.bool_], where: NDArray[np.bool_], view: PileView) -> NDArray[np.float64]:
    return np.asarray((mask * (view.area_mm2 * where)).sum(axis=(1, 2)), dtype=np.float64)


def still_spans(
    covered: NDArray[np.float64], moving: NDArray[np.float64], settings: RestSettings
) -> list[tuple[int, int]]:
    """Return (first, last) of each run of at least three looks with arms in the ring and no motion."""
    spans, start = [], None
    for k in range(len(covered)):
        may_move = settings.still_mm2 + settings.still_share * covered[k]
        calm = k > 0 and moving[k - 1] < may_move and covered[k] > settings.present_mm2
        if calm and start is None:
            start = k - 1
        if start is not None and (not calm or k == len(covered) - 1):
            end = k if calm else k - 1
            if end - start >= 2:
                spans.append((start, end))
            start = None
    return spans


def _of_one_round(
    span: tuple[int, int], group: list[tuple[int, int]], covered: NDArray[np.float64], settings: RestSettings
) -> bool:
    """Tell whether a rest is of one round with the later ones of a group: the pile was not left, or hands only left."""
    # up to the group's last rest: from one rest to the next the cover may fall little by little, until hands come anew
    between = covered[span[1] : group[0][0] + 1].min()
    after = covered[span[1] : group[0][1] + 1]
    comes = float((after - np.minimum.accumulate(after)).max()) > settings.arm_mm2
    apart_s = (group[-1][0] - span[1]) * settings.step_s
    leaving = not comes and between >= settings.arm_mm2 and apart_s <= settings.leaving_s
    return bool(between >= settings.free * (covered[span[0] : span[1] + 1].mean()) or leaving)


def in_order(
    spans: list[tuple[int, int]], covered: NDArray[np.float64], settings: RestSettings
) -> list[tuple[int, int]]:
    """Return the fullest rest of each time the pile was not free, the last one first, the empty ones at the end."""
    area = {span: float(covered[span[0] : span[1] + 1].mean()) for span in spans}
    groups: list[list[tuple[int, int]]] = []
    for span in reversed(spans):
        if groups and _of_one_round(span, groups[-1], covered, settings):
            groups[-1].append(span)
        else:
            groups.append([span])
    # of rests that are about as full the last one: the slowest hand may cover another arm
    best = [max(group, key=lambda s: area[s] - settings.arm_mm2 / 2 * group.index(s)) for group in groups]
    fullest = max((area[s] for s in best), default=0.0)
    return sorted(best, key=lambda s: (area[s] < settings.share * fullest, -s[0]))
