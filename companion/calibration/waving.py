"""The lens board waved before the camera: each picture is looked at once."""

from dataclasses import dataclass, field

from companion.calibration.cameraview import Seen
from companion.vision.lens import LensCollector, Progress
from companion.vision.markers import BoardSighting, find_board


@dataclass(slots=True)
class Waving:
    """The views of the board that were collected."""

    _collector: LensCollector = field(default_factory=LensCollector)
    _looked_at: int = -1

    @property
    def views(self) -> tuple[BoardSighting, ...]:
        """Return the views kept."""
        return self._collector.views

    def look(self, seen: Seen) -> Progress:
        """Look for the board in a picture, and say how far collecting has come."""
        if seen.number != self._looked_at:
            self._looked_at = seen.number
            self._collector.add(find_board(seen.image()))
        return self._collector.progress()
