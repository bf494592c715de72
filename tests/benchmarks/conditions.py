"""A camera's conditions, put over a clip's pictures: light, exposure, noise, JPEG, a shelf that trembles."""

import math
from dataclasses import dataclass, field

import cv2
import numpy as np

Picture = np.typing.NDArray[np.uint8]
Pictures = list[Picture]


@dataclass
class Condition:
    """One set of conditions, drawn from its seed, for a clip of ``length`` pictures half a second apart."""

    seed: int
    length: int
    first: int = field(init=False)
    step: int = field(init=False)
    flicker: float = field(init=False)
    """Amplitude of the light's beat against the camera's rate, as a share of the light."""
    flicker_turn: float = field(init=False)
    gain: tuple[float, float] = field(init=False)
    """Exposure before and after it changes; gamma stays."""
    gain_at: int = field(init=False)
    gain_over: int = field(init=False)
    """Looks over which the camera's automatic exposure settles."""
    noise: float = field(init=False)
    quality: int = field(init=False)
    tremble_px: float = field(init=False)
    """One standard deviation of the whole picture's shift from look to look, at 640 px: steps on a wooden floor."""
    breathe: float = field(init=False)
    """One standard deviation of the scale: a focus that hunts."""

    def __post_init__(self) -> None:
        """Draw the numbers."""
        rng = np.random.default_rng(self.seed)
        self.first = int(rng.integers(self.length))
        self.step = int(rng.choice([-1, 1]))
        self.flicker = float(rng.choice([0.0, rng.uniform(0.0, 0.08)]))
        self.flicker_turn = float(rng.uniform(0.2, 6.0))
        self.gain = (1.0, float(math.exp(rng.choice([0.0, rng.normal(0, 0.3)]))))
        self.gain_at = int(rng.integers(2, max(3, self.length)))
        self.gain_over = int(rng.integers(1, 7))
        self.noise = float(rng.uniform(0.0, 4.0))
        self.quality = int(rng.integers(50, 95))
        self.tremble_px = float(rng.choice([0.0, rng.uniform(0.0, 0.9)]))
        self.breathe = float(rng.choice([0.0, rng.uniform(0.0, 0.0015)]))

    def __str__(self) -> str:
        """Return the conditions in one line."""
        return (
            f"#{self.seed} from {self.first}{'+' if self.step > 0 else '-'} flicker {self.flicker:.2f} "
            f"gain {self.gain[1]:.2f} noise {self.noise:.1f} jpeg {self.quality} tremble {self.tremble_px:.2f} px"
        )

    def picture(self, pictures: Pictures, k: int, motion: "np.typing.NDArray[np.float64] | None") -> Picture:
        """Return the k-th picture of this watch, its camera turned by ``motion`` (3 x 3, px)."""
        rng = np.random.default_rng((self.seed, k))
        image = pictures[self._bounce(self.first + self.step * k)]
        image = self._trembled(image, motion, rng)
        light = self._gain(k) * (1 + self.flicker * math.sin(self.flicker_turn * k))
        seen = image.astype(np.float32) * light
        if self.noise > 0.1:
            seen += rng.standard_normal(seen.shape, dtype=np.float32) * self.noise
        grey = np.clip(seen, 0, 255).astype(np.uint8)
        _good, jpeg = cv2.imencode(".jpg", grey, [cv2.IMWRITE_JPEG_QUALITY, self.quality])
        return np.asarray(cv2.imdecode(jpeg, cv2.IMREAD_GRAYSCALE), dtype=np.uint8)

    def _bounce(self, k: int) -> int:
        if self.length == 1:
            return 0
        k %= 2 * (self.length - 1)
        return min(k, 2 * (self.length - 1) - k)

    def _gain(self, k: int) -> float:
        part = min(max((k - self.gain_at) / self.gain_over, 0.0), 1.0)
        return self.gain[0] + part * (self.gain[1] - self.gain[0])

    def _trembled(
        self, image: Picture, motion: "np.typing.NDArray[np.float64] | None", rng: np.random.Generator
    ) -> Picture:
        height, width = image.shape
        scale = 1 + rng.normal(0, 1) * self.breathe
        x, y = rng.normal(0, 1, 2) * self.tremble_px
        shake = np.array(
            [[scale, 0, x + (1 - scale) * width / 2], [0, scale, y + (1 - scale) * height / 2], [0, 0, 1.0]]
        )
        whole = shake if motion is None else shake @ motion
        if np.allclose(whole, np.eye(3)):
            return image
        border = cv2.BORDER_REFLECT_101
        return np.asarray(cv2.warpPerspective(image, whole, (width, height), borderMode=border), dtype=np.uint8)
