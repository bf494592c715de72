"""What a clip is, and `clip.json`, where it is written down."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from companion.clips.recorder import Moment
from companion.errors import CompanionError

VERSION = 1


class UnreadableClip(CompanionError):
    """A folder that holds no clip of this version."""


@dataclass(frozen=True, slots=True)
class ClipFrame:
    """One exact frame: its file below ``frames/`` and its capture time on the monotonic clock."""

    file: str
    at_ns: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Clip:
    """A clip on the disk. Frame ``n`` is shown in ``clip.mp4`` from ``frames[n].at_ns - start_ns`` on."""

    folder: Path
    saved_wall: str
    """When it was kept, UTC, ISO 8601; for display and to tell the oldest."""
    frames: tuple[ClipFrame, ...]
    moments: tuple[Moment, ...]
    bytes: int
    """What it takes on the disk."""
    pinned: bool

    @property
    def name(self) -> str:
        """Return the folder's name."""
        return self.folder.name

    @property
    def video(self) -> Path:
        """Return the path of the video."""
        return self.folder / "clip.mp4"

    @property
    def start_ns(self) -> int:
        """Return the capture time of the first frame."""
        return self.frames[0].at_ns

    @property
    def end_ns(self) -> int:
        """Return the capture time of the last frame."""
        return self.frames[-1].at_ns

    def frame_path(self, number: int) -> Path:
        """Return the path of an exact frame."""
        return self.folder / "frames" / self.frames[number].file


def write_clip(folder: Path, frames: tuple[ClipFrame, ...], moments: tuple[Moment, ...], wall: datetime) -> None:
    """Write ``clip.json`` into a clip's folder whose other files are complete."""
    written = {
        "version": VERSION,
        "saved_wall": wall.isoformat(),
        "bytes": sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()),
        "moments": [asdict(moment) for moment in moments],
        "frames": [asdict(frame) for frame in frames],
    }
    (folder / "clip.json").write_text(json.dumps(written, indent=1), encoding="utf-8")


def read_clip(folder: Path) -> Clip:
    """Read a clip's folder; raise OSError if it is not there, `UnreadableClip` if it is none of this version."""
    try:
        found: Mapping[str, Any] = json.loads((folder / "clip.json").read_text(encoding="utf-8"))
        if found["version"] != VERSION or not found["frames"]:
            raise UnreadableClip("{folder} is no clip of version {version}.", folder=folder, version=VERSION)
        return Clip(
            folder=folder,
            saved_wall=str(found["saved_wall"]),
            frames=tuple(ClipFrame(**frame) for frame in found["frames"]),
            moments=tuple(Moment(**moment) for moment in found["moments"]),
            bytes=int(found["bytes"]),
            pinned=(folder / "pinned").exists(),
        )
    except (ValueError, KeyError, TypeError) as error:
        raise UnreadableClip("{folder} is no clip of version {version}.", folder=folder, version=VERSION) from error
