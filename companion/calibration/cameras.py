"""Which cameras there are, and one sentence about a camera's picture: rate, light, resolution."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from companion.calibration.cameraview import Seen
from companion.errors import CompanionError
from companion.vision.source import without_password

_V4L = Path("/sys/class/video4linux")


@dataclass(frozen=True, slots=True)
class CameraChoice:
    """A camera to choose: its source as the watcher takes it, and a name to show."""

    source: str
    name: str


def cameras(sysfs: Path | None = None, more: Iterable[str] = ()) -> tuple[CameraChoice, ...]:
    """Return the cameras at this machine, then further sources (streams, files) by their own names.

    A webcam shows several device nodes; only the first of each gives pictures (`index` 0 in sysfs).
    """
    found = []
    for node in sorted((sysfs or _V4L).glob("video*"), key=lambda path: (len(path.name), path.name)):
        if _line(node / "index") in ("0", ""):
            number = node.name.removeprefix("video")
            found.append(CameraChoice(number, _line(node / "name") or f"Camera {number}"))
    known = {choice.source for choice in found}
    for source in dict.fromkeys(more):
        if source and source not in known:
            found.append(CameraChoice(source, source_name(source)))
    return tuple(found)


def source_name(source: str) -> str:
    """Return a short name for a source: a stream without its password, a file by its name."""
    if "://" in source:
        return without_password(source)
    return f"Camera {source}" if source.isdigit() else Path(source).name


def _line(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8").strip()
    except OSError:
        return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureSettings:
    """What a good picture is. Light is the mean grey level, 0 to 255."""

    least_fps: float = 20.0
    """Below this a hand crosses the table's edge between two pictures."""
    dim: float = 55.0
    bright: float = 215.0
    least_width: int = 1024
    """Narrower pictures show a palm at the far side with under 20 px."""


SETTINGS = PictureSettings()


@dataclass(frozen=True, slots=True)
class PictureVerdict:
    """Whether a picture is good enough, and a sentence: what is measured, or what to do."""

    good: bool
    sentence: CompanionError


def judge_picture(seen: Seen, settings: PictureSettings = SETTINGS) -> PictureVerdict:
    """Say what to do about a camera's rate, light and resolution; the worst thing first."""
    poor = _too_little_light(seen, settings) or _too_few_pictures(seen, settings)
    if poor is not None:
        return poor
    if seen.fps == 0:
        return PictureVerdict(True, CompanionError("Measuring the rate and the light …"))
    return PictureVerdict(True, CompanionError("{fps} pictures a second and enough light: good.", fps=_rate(seen)))


def _too_little_light(seen: Seen, settings: PictureSettings) -> PictureVerdict | None:
    if seen.light > settings.bright:
        return _poor("The picture is glaring: turn the camera away from the window, or draw the curtain.")
    if seen.light >= settings.dim:
        return None
    if 0 < seen.fps < settings.least_fps:
        return _poor(
            "Only {fps} pictures a second, because it is dark: turn on a lamp over the table.", fps=_rate(seen)
        )
    return _poor("It is too dark to see hands well: turn on a lamp over the table.")


def _too_few_pictures(seen: Seen, settings: PictureSettings) -> PictureVerdict | None:
    if 0 < seen.fps < settings.least_fps:
        return _poor(
            "Only {fps} pictures a second: close other programs that use the camera, or choose a lower resolution.",
            fps=_rate(seen),
        )
    if seen.size[0] < settings.least_width:
        return _poor(
            "The picture is only {width} px wide: choose 1280 x 720 if the camera has it, or put it nearer.",
            width=seen.size[0],
        )
    return None


def _rate(seen: Seen) -> str:
    return f"{seen.fps:.0f}"


def _poor(template: str, **params: object) -> PictureVerdict:
    return PictureVerdict(False, CompanionError(template, **params))
