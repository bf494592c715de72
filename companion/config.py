"""The only reader of the configuration file: TOML in, one frozen Config out."""

import re
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import msgspec
import platformdirs
from msgspec import Meta

from companion.errors import CompanionError

APP = "cheating-moth"


class ConfigError(CompanionError):
    """The configuration file cannot be used; names the key by its dotted path."""


class Sensitivity(StrEnum):
    """How readily the camera raises a flag."""

    SHY = "shy"
    NORMAL = "normal"
    KEEN = "keen"


class Server(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where the tablets find the companion."""

    host: str = "0.0.0.0"  # noqa: S104  tablets and phones on the home network must reach it
    """Address to listen on."""
    port: Annotated[int, Meta(ge=0, le=65535)] = 8017
    """TCP port; 0 takes a free one."""


class CameraSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What watches the table."""

    source: str = ""
    """Camera number, V4L2 path, address of a stream, or a video file; empty: none until set-up."""
    layout: str = ""
    """Path of the table's layout file; empty: the one saved last in set-up."""
    sensitivity: Sensitivity = Sensitivity.NORMAL


class Clips(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is kept of the pictures."""

    quota_mb: Annotated[int, Meta(ge=50)] = 1000
    """Clips that nobody pinned are removed, the oldest first, beyond this many megabytes."""


class Storage(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where games are kept."""

    folder: str = ""
    """Folder of the journal, the clips and the layouts; empty: the user's own data folder."""


class Config(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything that can be set from outside, with its defaults."""

    server: Server = Server()
    camera: CameraSettings = CameraSettings()
    clips: Clips = Clips()
    storage: Storage = Storage()

    @property
    def folder(self) -> Path:
        """Return the folder of the journal, the clips and the layouts; raises ConfigError for what is no path."""
        return _path(self.storage.folder, "storage.folder") if self.storage.folder else default_folder()

    @property
    def layout_file(self) -> Path | None:
        """Return the table's layout file, if one is named."""
        return _path(self.camera.layout, "camera.layout") if self.camera.layout else None


def default_folder() -> Path:
    """Return the user's data folder for this program."""
    return Path(platformdirs.user_data_dir(APP, appauthor=False))


def default_file() -> Path:
    """Return where the configuration file is looked for when none is named."""
    return Path(platformdirs.user_config_dir(APP, appauthor=False)) / "config.toml"


def load_config(path: Path | None = None) -> Config:
    """Read the configuration; without a path the user's own file, or the defaults where there is none.

    Raises ConfigError in one sentence: no such file, not TOML, an unknown key, a value of the wrong kind.
    """
    if path is None:
        path = default_file()
        if not path.is_file():
            return Config()
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise ConfigError(
            "The configuration {path} cannot be read ({why}); check the name after --config.",
            path=path,
            why=error.strerror,
        ) from error
    except UnicodeDecodeError as error:
        raise ConfigError("{path} is not a text file in UTF-8: save it as one.", path=path) from error
    try:
        return msgspec.toml.decode(text, type=Config)
    except msgspec.ValidationError as error:
        raise ConfigError("In {path}, {what}.", path=path, what=_in_words(str(error))) from error
    except msgspec.DecodeError as error:
        raise ConfigError("{path} is not valid TOML: {why}.", path=path, why=error) from error


def override(
    config: Config,
    *,
    host: str | None = None,
    port: int | None = None,
    folder: Path | None = None,
    camera: str | None = None,
    layout: Path | None = None,
) -> Config:
    """Return the configuration with what the command line says in place of what the file says."""
    replace = msgspec.structs.replace
    server = replace(
        config.server,
        host=config.server.host if host is None else host,
        port=config.server.port if port is None else port,
    )
    watched = replace(
        config.camera,
        source=config.camera.source if camera is None else camera,
        layout=config.camera.layout if layout is None else str(layout),
    )
    storage = config.storage if folder is None else replace(config.storage, folder=str(folder))
    return replace(config, server=server, camera=watched, storage=storage)


def _path(text: str, key: str) -> Path:
    """Return a path that the system can take, with `~` spelled out."""
    if "\0" in text:
        raise ConfigError("The value of {key} holds a character that no path can have: write it anew.", key=key)
    try:
        return Path(text).expanduser()
    except RuntimeError as error:
        raise ConfigError(
            "The home folder in {key} = {text} is not known: write the whole path.", key=key, text=text
        ) from error


_TYPES = {"int": "a whole number", "str": "a text in quotes", "object": "a section with keys of its own"}
"""What msgspec calls the kinds of value, in the words of who writes the file."""


def _in_words(message: str) -> str:
    reason, _, where = message.partition(" - at `$")
    place = where.rstrip("`").lstrip(".")
    unknown = re.fullmatch(r"Object contains unknown field `(.*)`", reason)
    if unknown:
        key = ".".join(part for part in (place, unknown.group(1)) if part)
        there = ", ".join(field.name for field in msgspec.structs.fields(_type_at(place)))
        return f"the key {key} is unknown: {f'[{place}] has' if place else 'there are the sections'} {there}"
    if reason.startswith("Invalid enum value"):
        return f"the value of {place} is not right: choose one of {', '.join(_type_at(place))}"
    reason = re.sub(r"`(\w+)`", lambda found: _TYPES.get(found.group(1), found.group(1)), reason)
    return f"the value of {place} is not right: {reason[0].lower()}{reason[1:]}"


def _type_at(place: str) -> Any:
    """Return the type of the section or the value at a dotted path; of the whole file for an empty one."""
    found: Any = Config
    for name in filter(None, place.split(".")):
        found = next(field.type for field in msgspec.structs.fields(found) if field.name == name)
    return found
