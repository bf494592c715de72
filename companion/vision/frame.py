"""One picture and the instant it was taken: what every part of the vision is fed with."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
"""Height x width x 3, BGR."""

NS_PER_S = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Frame:
    """A picture with its capture time.

    ``index`` counts frames from 0; ``at_ns`` is on the monotonic clock, or the file's own time stamp counted from the
    first frame; ``image`` is BGR, uint8, never written to.
    """

    index: int
    at_ns: int
    image: Image

    @property
    def at_s(self) -> float:
        """Return the capture time in seconds."""
        return self.at_ns / NS_PER_S
