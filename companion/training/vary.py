"""Vary what the net is shown, so that it learns hands and edges and not the scene: light, colour, cloth, lens, crop."""

import functools
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.seatview import SIDE_PX, Floats, stack_channels

Rng = np.random.Generator


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """One seat at one moment: pictures (moments x wide x wide x 3), what is fixed, the hands' places (2 x 2)."""

    pictures: NDArray[np.uint8]
    edge: Floats
    near: Floats
    inside: Floats
    up: tuple[float, float]
    spots: Floats


def plain(sample: Sample) -> tuple[Floats, Floats]:
    """Return the net's input and the hands' places without any change: the middle of the wide picture."""
    return _cut(sample, _matrix(sample, 0.0, 1.0, (0.0, 0.0)), (0.0, 0.0))


def varied(sample: Sample, rng: Rng) -> tuple[Floats, Floats]:
    """Return the net's input and the hands' places after a random change of view, light, colour, lens and cover."""
    # half of the samples stay close to what was rendered: with every sample changed this much the net learnt slowly
    pictures = _relight(sample.pictures, rng, strength=1.0 if rng.random() < 0.5 else 0.35)
    if rng.random() < 0.5:
        pictures = _relens(pictures, rng)
    sample = Sample(
        pictures=pictures, edge=sample.edge, near=sample.near, inside=sample.inside, up=sample.up, spots=sample.spots
    )
    if rng.random() < 0.6:
        sample = _cover(sample, rng)
    matrix = _matrix(
        sample, rng.normal(0, 0.1), float(np.exp(rng.normal(0.03, 0.13))), (rng.normal(0, 3.0), rng.normal(0, 3.0))
    )
    return _cut(sample, matrix, (rng.normal(0, 1.3), rng.normal(0, 1.3)))


def _matrix(sample: Sample, turn: float, zoom: float, shift: tuple[float, float]) -> NDArray[np.float64]:
    wide = sample.edge.shape[0]
    c, s = np.cos(turn) * zoom, np.sin(turn) * zoom
    linear = np.array([[c, -s], [s, c]])
    move = np.array([SIDE_PX / 2, SIDE_PX / 2]) + shift - linear @ [wide / 2, wide / 2]
    return np.hstack([linear, move[:, None]])


def _cut(sample: Sample, matrix: NDArray[np.float64], slip: tuple[float, float]) -> tuple[Floats, Floats]:
    size = (SIDE_PX, SIDE_PX)
    pictures = np.asarray([cv2.warpAffine(p, matrix, size) for p in sample.pictures], np.uint8)
    off = matrix + np.array([[0, 0, slip[0]], [0, 0, slip[1]]])
    edge = np.asarray(cv2.warpAffine(sample.edge, off, size, borderMode=cv2.BORDER_REPLICATE), np.float32)
    near = np.asarray(cv2.warpAffine(sample.near, off, size, borderMode=cv2.BORDER_REPLICATE), np.float32)
    inside = (cv2.warpAffine(sample.inside, matrix, size) > 0.5).astype(np.float32)
    up = matrix[:, :2] @ np.array(sample.up) * sample.edge.shape[0] / SIDE_PX
    spots = (sample.spots * sample.edge.shape[0]) @ matrix[:, :2].T + matrix[:, 2]
    spots = (spots / SIDE_PX).astype(np.float32)
    x = stack_channels(pictures, edge=edge, near=near, inside=inside, up=(float(up[0]), float(up[1])))
    return x, spots


def mixed_colours(rng: Rng, strength: float) -> NDArray[np.float64]:
    """Return a random matrix (3 x 3) that mixes the channels a little, at times swaps them or takes all colour away."""
    mix = np.eye(3)
    if rng.random() < 0.35 * strength:
        mix = mix[rng.permutation(3)]
    mix = mix + rng.normal(0, 0.12 * strength, (3, 3))
    if rng.random() < 0.15 * strength:
        mix = np.tile(np.array([0.114, 0.587, 0.299]), (3, 1))
    return mix


def _relight(pictures: NDArray[np.uint8], rng: Rng, *, strength: float) -> NDArray[np.uint8]:
    """Change light and colours for all moments alike, and flicker a little between them."""
    mix = mixed_colours(rng, strength)
    gain = np.exp(rng.normal(0, 0.25))
    levels = np.clip(np.linspace(0, 1, 256) ** np.exp(rng.normal(0, 0.3)) * 255 * gain + rng.normal(0, 12), 0, 255)
    out = np.empty_like(pictures)
    for k, picture in enumerate(pictures):
        table = np.clip(levels * (1 + rng.normal(0, 0.015)), 0, 255).astype(np.uint8)
        out[k] = cv2.transform(cv2.LUT(picture, table), mix)
    return out


def _relens(pictures: NDArray[np.uint8], rng: Rng) -> NDArray[np.uint8]:
    """Blur, coarsen, compress and add noise, the noise anew at each moment."""
    blur = rng.uniform(0.3, 1.3) if rng.random() < 0.4 else 0.0
    coarse = rng.uniform(0.45, 0.9) if rng.random() < 0.15 else 1.0
    quality = int(rng.integers(20, 80)) if rng.random() < 0.15 else 0
    noise = abs(rng.normal(0, 4.0))
    grain = _grains()[min(int(noise), 13)]
    out = []
    for picture in pictures:
        p = cv2.GaussianBlur(picture, (0, 0), blur) if blur else picture
        if coarse < 1:
            small = cv2.resize(p, None, fx=coarse, fy=coarse, interpolation=cv2.INTER_AREA)
            p = cv2.resize(small, (picture.shape[1], picture.shape[0]))
        if noise > 1:
            dy, dx = rng.integers(0, 100, 2)
            p = cv2.add(p, grain[dy:, dx:][: p.shape[0], : p.shape[1]], dtype=cv2.CV_8U)
        if quality:
            p = cv2.imdecode(cv2.imencode(".jpg", p, [cv2.IMWRITE_JPEG_QUALITY, quality])[1], cv2.IMREAD_COLOR)
        out.append(p)
    return np.stack(out)


@functools.cache
def _grains() -> list[NDArray[np.int8]]:
    """Return noise of 0 to 13 grey levels, made once: drawing it anew would take most of the time."""
    rng = np.random.default_rng(5)
    grain = rng.standard_normal((220, 220, 3))
    return [np.clip(grain * level, -100, 100).astype(np.int8) for level in range(14)]


def _cover(sample: Sample, rng: Rng) -> Sample:
    """Lay things over the picture (still ones, at times a moving one) and cut parts of the view off."""
    pictures, inside = sample.pictures.copy(), sample.inside
    wide = inside.shape[0]
    for _ in range(int(rng.integers(1, 3)) if rng.random() < 0.35 else 0):
        h, w = rng.integers(6, 34, 2)
        y, x = rng.integers(0, wide - 6, 2)
        paint = rng.integers(0, 255, 3) + rng.normal(0, rng.uniform(0, 25), (h, w, 3))
        paint = np.clip(paint, 0, 255).astype(np.uint8)
        drift = rng.normal(0, 4, 2) if rng.random() < 0.3 else np.zeros(2)
        for k in range(len(pictures)):
            yy, xx = (np.clip([y, x] + drift * k, 0, wide - 2)).astype(int)
            part = pictures[k, yy : yy + h, xx : xx + w]
            part[:] = paint[: part.shape[0], : part.shape[1]]
    if rng.random() < 0.2:
        inside = inside.copy()
        cut = int(rng.integers(4, wide // 2))
        side = int(rng.integers(0, 4))
        turned = np.rot90(inside, side)
        turned[:cut] = 0
        pictures = (pictures * inside[None, :, :, None]).astype(np.uint8)
    if rng.random() < 0.1:
        pictures[-1] = pictures[-2]
    if rng.random() < 0.05:
        pictures[:] = pictures[0]
    return Sample(
        pictures=pictures, edge=sample.edge, near=sample.near, inside=inside, up=sample.up, spots=sample.spots
    )
