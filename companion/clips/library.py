"""The folder that keeps the clips: one folder a clip, which appears whole or not at all.

``<name>/clip.mp4`` to watch, ``<name>/frames/NNNN.jpg`` the camera's own frames, ``<name>/clip.json`` what it is and
when each frame was captured; an empty file ``pinned`` beside them keeps a clip from being cleared or making room.
One process adds clips; any may read, pin and remove.
"""

import contextlib
import errno
import logging
import os
import re
import shutil
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

from companion.clips.buffer import StoredFrame, decoded
from companion.clips.clip import Clip, ClipFrame, UnreadableClip, read_clip, write_clip
from companion.clips.encoder import EncoderSettings, write_mp4
from companion.clips.recorder import Moment
from companion.clock import Clock, SystemClock
from companion.errors import CompanionError

log = logging.getLogger(__name__)

_PARTIAL = ".partial-"
_GONE = ".gone-"
_CLEARED = ".cleared"
"""When the clips were last cleared, monotonic ns: what was seen before must not come back with a clip written later."""
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,80}")
_MB = 1024 * 1024


class ClipError(CompanionError):
    """A clip that cannot be kept or found; the sentence says what to do."""


class ClipCleared(ClipError):
    """The clips were cleared while this one was being written: it is gone with them, and nothing is wrong."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LibrarySettings:
    """How much room the clips may take."""

    quota_bytes: int = 2048 * _MB
    """A clip of 4 s is 20 MB with its frames: room for a hundred, an evening with the youngest kept."""
    floor_bytes: int = 512 * _MB
    """So much of the disk stays free: the game's journal must never meet a full disk because of clips."""


class ClipLibrary:
    """Clips on disk; thread-safe."""

    def __init__(
        self,
        folder: Path,
        settings: LibrarySettings | None = None,
        *,
        encoder: EncoderSettings | None = None,
        clock: Clock | None = None,
        free_bytes: Callable[[Path], int] = lambda folder: shutil.disk_usage(folder).free,
    ) -> None:
        self._folder = folder
        self._settings = settings or LibrarySettings()
        self._encoder = encoder or EncoderSettings()
        self._clock = clock or SystemClock()
        self._free_bytes = free_bytes
        self._lock = threading.Lock()

    @property
    def folder(self) -> Path:
        """Return the folder that keeps the clips."""
        return self._folder

    def save(self, name: str, frames: Sequence[StoredFrame], moments: Sequence[Moment]) -> Clip:
        """Keep these frames as the clip ``name``; return it once it is whole and on the disk.

        The oldest clips that are not pinned make room. Raises `ClipError`: no frames, disk full, not writable; or
        `ClipCleared`.
        """
        if not frames:
            raise ClipError("There were no pictures for this clip; check the camera.")
        partial = self._folder / f"{_PARTIAL}{_checked(name)}"
        try:
            cleared_ns = self._cleared_ns()
            frames = _seen_since(cleared_ns, frames, moments)
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)  # children play: nobody else looks
            self._make_room(sum(len(stored.jpeg) for stored in frames) * 5 // 4)
            self._write(partial, frames, moments)
            with self._lock:
                if self._cleared_ns() != cleared_ns:  # the mark comes first, so `clear` wins wherever it falls
                    raise _cleared()
                partial.rename(self._folder / name)  # fails where `clear` took it away
            _fsync(self._folder)
        except FileNotFoundError as error:
            if partial.exists() or not self._folder.is_dir():
                raise self._refused(error) from error
            raise _cleared() from error
        except OSError as error:
            raise self._refused(error) from error
        finally:
            shutil.rmtree(partial, ignore_errors=True)
        return self.clip(name)

    def clip(self, name: str) -> Clip:
        """Return the clip of this name; raise `ClipError` if there is none."""
        try:
            return read_clip(self._folder / _checked(name))
        except (OSError, UnreadableClip) as error:
            raise ClipError("There is no clip {name}; it may have been cleared.", name=name) from error

    def clips(self) -> list[Clip]:
        """Return all clips, oldest first."""
        found: list[Clip] = []
        for folder in self._folders():
            with contextlib.suppress(OSError, UnreadableClip):
                found.append(read_clip(folder))
        return sorted(found, key=lambda clip: clip.saved_wall)

    def pin(self, name: str) -> None:
        """Keep a clip until it is unpinned, whatever room there is."""
        (self.clip(name).folder / "pinned").touch()

    def unpin(self, name: str) -> None:
        """Let a clip make room again."""
        (self.clip(name).folder / "pinned").unlink(missing_ok=True)

    def remove(self, name: str) -> None:
        """Delete a clip, pinned or not."""
        self._remove(self.clip(name).folder)

    def clear(self, *, pinned_too: bool = False) -> int:
        """Delete the clips, those that are pinned only if asked; return how many went.

        One that is being made, here or in another process, goes too, whether its writing has begun or not: its writer
        is told `ClipCleared`.
        """
        self._mark_cleared()
        for partial in self._partials():
            self._remove(partial)
        doomed = [folder for folder in self._folders() if pinned_too or not (folder / "pinned").exists()]
        for folder in doomed:
            self._remove(folder)
        return len(doomed)

    def sweep(self) -> None:
        """Delete what a killed process left half written; for the one process that adds clips, at its start."""
        for mark in self._folder.glob(f"{_CLEARED}*"):
            mark.unlink(missing_ok=True)  # this process has seen nothing yet, and its clock may have begun anew
        if self._folder.is_dir():
            for leftover in self._folder.iterdir():
                if leftover.name.startswith((_PARTIAL, _GONE)):
                    shutil.rmtree(leftover, ignore_errors=True)

    def _mark_cleared(self) -> None:
        if not self._folder.is_dir():
            return
        fresh = self._folder / f"{_CLEARED}-{uuid4().hex}"
        fresh.write_text(str(self._clock.monotonic_ns()))
        fresh.replace(self._folder / _CLEARED)

    def _cleared_ns(self) -> int | None:
        try:
            return int((self._folder / _CLEARED).read_text())
        except FileNotFoundError:
            return None

    def _partials(self) -> list[Path]:
        if not self._folder.is_dir():
            return []
        return [folder for folder in self._folder.iterdir() if folder.name.startswith(_PARTIAL)]

    def _folders(self) -> list[Path]:
        if not self._folder.is_dir():
            return []
        return [folder for folder in self._folder.iterdir() if _NAME.fullmatch(folder.name) and folder.is_dir()]

    def _write(self, partial: Path, frames: Sequence[StoredFrame], moments: Sequence[Moment]) -> None:
        shutil.rmtree(partial, ignore_errors=True)
        (partial / "frames").mkdir(parents=True)
        kept: list[ClipFrame] = []
        for number, stored in enumerate(frames):
            kept.append(ClipFrame(f"{number:04d}.jpg", stored.at_ns))
            (partial / "frames" / kept[-1].file).write_bytes(stored.jpeg)
        write_mp4(partial / "clip.mp4", decoded(frames), self._encoder)
        write_clip(partial, tuple(kept), tuple(moments), self._clock.now())
        for path in [*partial.rglob("*"), partial]:
            _fsync(path)

    def _make_room(self, needed: int) -> None:
        clips = self.clips()
        taken = sum(clip.bytes for clip in clips)
        for clip in clips:
            if taken + needed <= self._settings.quota_bytes and self._has_floor(needed):
                return
            if not clip.pinned:
                self._remove(clip.folder)
                taken -= clip.bytes
        if not self._has_floor(needed):
            raise OSError(errno.ENOSPC, "disk floor")
        if taken + needed > self._settings.quota_bytes:
            raise ClipError("The pinned clips take all the room that clips may have; unpin or remove some.")

    def _has_floor(self, needed: int) -> bool:
        return self._free_bytes(self._folder) - needed >= self._settings.floor_bytes

    def _remove(self, folder: Path) -> None:
        # renamed first, so that no reader meets a clip that is half gone
        gone = folder.with_name(f"{_GONE}{folder.name}")
        with self._lock, contextlib.suppress(FileNotFoundError):
            folder.rename(gone)
        shutil.rmtree(gone, ignore_errors=True)

    def _refused(self, error: OSError) -> ClipError:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            return ClipError(
                "The disk is full: no clip can be kept until at least {floor} MB are free in {folder}.",
                floor=self._settings.floor_bytes // _MB,
                folder=self._folder,
            )
        return ClipError(
            "No clip can be kept in {folder}: {reason}; choose a folder that can be written.",
            folder=self._folder,
            reason=error.strerror or error,
        )


def _seen_since(
    cleared_ns: int | None, frames: Sequence[StoredFrame], moments: Sequence[Moment]
) -> Sequence[StoredFrame]:
    """Return the frames without those from before a clear; raise `ClipCleared` where the clip is about them alone."""
    if cleared_ns is None:
        return frames
    kept = [stored for stored in frames if stored.at_ns > cleared_ns]
    if not kept or all(moment.start_ns <= cleared_ns for moment in moments):
        raise _cleared()
    return kept


def _cleared() -> ClipCleared:
    return ClipCleared("The clips were cleared while this one was being made.")


def _checked(name: str) -> str:
    """Return the name if it is one of a clip: no way leads out of the folder."""
    if not _NAME.fullmatch(name):
        raise ClipError("There is no clip {name}; it may have been cleared.", name=name)
    return name


def _fsync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
