"""The lines between server and watcher: one message, one line of JSON.

Commands are told apart by ``do``, reports by ``say``; the other keys are the fields of the message's dataclass.
"""

import json
import types
from collections.abc import Mapping
from dataclasses import MISSING, asdict, fields, is_dataclass
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from companion.errors import CompanionError
from companion.watcher.messages import (
    ClipReport,
    Command,
    EventReport,
    KeepClip,
    Pause,
    PictureReport,
    Report,
    Resume,
    SetContext,
    SlapsReport,
    StatusReport,
    Stop,
    TakePicture,
    TimeSlaps,
    TroubleReport,
    Watch,
    WatchState,
)

T = TypeVar("T")


class UnreadableMessage(CompanionError):
    """A line that is no message of this protocol; the sentence names what is wrong with it."""


_COMMANDS: dict[str, type[Command]] = {
    "watch": Watch,
    "context": SetContext,
    "slaps": TimeSlaps,
    "clip": KeepClip,
    "picture": TakePicture,
    "pause": Pause,
    "resume": Resume,
    "stop": Stop,
}
_REPORTS: dict[str, type[Report]] = {
    "status": StatusReport,
    "event": EventReport,
    "clip": ClipReport,
    "slaps": SlapsReport,
    "picture": PictureReport,
    "trouble": TroubleReport,
}


def parse_command(line: str) -> Command:
    """Read one line from the server; raise `UnreadableMessage` with a sentence that names what is wrong."""
    return _parse(line, "do", _COMMANDS)


def parse_report(line: str) -> Report:
    """Read one line from the watcher; raise `UnreadableMessage` with a sentence that names what is wrong."""
    return _parse(line, "say", _REPORTS)


def format_command(command: Command) -> str:
    """Write a command as one line of JSON, without the line break."""
    return _format(command, "do", _COMMANDS)


def format_report(report: Report) -> str:
    """Write a report as one line of JSON, without the line break."""
    return _format(report, "say", _REPORTS)


def _format(message: T, tag: str, kinds: Mapping[str, type[T]]) -> str:
    name = next(name for name, kind in kinds.items() if kind is type(message))
    return json.dumps({tag: name, **asdict(message)}, separators=(",", ":"))  # type: ignore[call-overload]


def _parse(line: str, tag: str, kinds: Mapping[str, type[T]]) -> T:
    try:
        parsed = json.loads(line)
    except ValueError as error:
        raise UnreadableMessage("A message is no JSON: {reason}.", reason=error) from error
    if not isinstance(parsed, dict) or parsed.get(tag) not in kinds:
        raise UnreadableMessage('A message needs "{tag}", one of {known}.', tag=tag, known=", ".join(kinds))
    kind = kinds[parsed.pop(tag)]
    built: T = _build(kind, parsed, kind.__name__)
    return built


def _build(kind: type[T], found: object, place: str) -> T:
    if not isinstance(found, dict):
        raise UnreadableMessage("{place} must be an object.", place=place)
    hints = get_type_hints(kind)
    values: dict[str, Any] = {}
    for item in fields(kind):  # type: ignore[arg-type]
        if item.name in found:
            values[item.name] = _value(hints[item.name], found[item.name], f"{place}.{item.name}")
        elif item.default is MISSING and item.default_factory is MISSING:
            raise UnreadableMessage("{place} is missing.", place=f"{place}.{item.name}")
    return kind(**values)


def _value(hint: Any, found: object, place: str) -> Any:
    origin = get_origin(hint)
    if origin in (Union, types.UnionType):
        return None if found is None else _value(_arm(hint), found, place)
    if origin is tuple and isinstance(found, list):
        return tuple(_value(get_args(hint)[0], one, f"{place}[{n}]") for n, one in enumerate(found))
    if isinstance(hint, type) and is_dataclass(hint):
        return _build(hint, found, place)
    return _plain(origin or hint, found, place)


def _plain(kind: Any, found: object, place: str) -> Any:
    if kind is Mapping and isinstance(found, dict):
        return found
    if kind is float and type(found) in (int, float):
        return float(found)  # type: ignore[arg-type]
    if kind is WatchState and found in set(WatchState):
        return WatchState(found)  # type: ignore[arg-type]
    if type(found) is kind:
        return found
    raise UnreadableMessage("{place} is not what the protocol expects: {found}.", place=place, found=repr(found)[:60])


def _arm(hint: Any) -> Any:
    """Return what an optional field holds when it is not None."""
    return next(arm for arm in get_args(hint) if arm is not types.NoneType)
