"""The lines between server and watcher: one message, one line of JSON.

Commands are told apart by ``do``, reports by ``say``; the other keys are the fields of the message's dataclass.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import TypeVar

import msgspec

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
    name = parsed.pop(tag, None) if isinstance(parsed, dict) else None
    if not isinstance(name, str) or name not in kinds:
        raise UnreadableMessage('A message needs "{tag}", one of {known}.', tag=tag, known=", ".join(kinds))
    try:
        return msgspec.convert(parsed, kinds[name])
    except msgspec.ValidationError as error:
        raise UnreadableMessage("A message {name} cannot be read: {reason}.", name=name, reason=error) from error
