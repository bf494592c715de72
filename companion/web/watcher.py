"""The lens cap and the clips: pause the camera, let it watch again, delete what it kept, from the table's tablet."""

from pathlib import Path
from typing import Any

from flask import Blueprint, Response

from companion.errors import CompanionError
from companion.session.errors import NotYours
from companion.watcher.messages import Pause, Resume
from companion.web.context import behind, viewer
from companion.web.moves import UNREADABLE, BadTap, on_tap, text
from companion.web.words import mark, sentence
from companion.words import say_count

screen = Blueprint("watcher", __name__)

_COMMANDS = {"pause": Pause(), "resume": Resume()}


@screen.post("/watcher")
def command() -> Response:
    """Pause or resume the camera."""

    def act(body: dict[str, Any]) -> dict[str, object]:
        wanted = _COMMANDS.get(text(body, "do"))
        if wanted is None:
            raise BadTap(UNREADABLE)
        if not viewer().table:
            raise NotYours(mark("The camera is paused on the table's tablet."))
        supervisor = behind().supervisor
        if supervisor is None:
            raise CompanionError(mark("There is no camera to pause: set one up first."))
        supervisor.send(wanted)
        return {}

    return on_tap(act)


@screen.post("/clips/clear")
def clear_clips() -> Response:
    """Delete all clips; the games themselves stay."""

    def act(_body: dict[str, Any]) -> dict[str, object]:
        if not viewer().table:
            raise NotYours(mark("Clips are deleted on the table's tablet."))
        library = behind().library
        if library is None:
            raise CompanionError(mark("There are no clips: no camera is set up."))
        gone = library.clear(pinned_too=True)
        return {
            "sentence": sentence(say_count("{count} clip is deleted.", "{count} clips are deleted.", gone, count=gone))
        }

    return on_tap(act)


def is_kept(folder: str) -> bool:
    """Return whether a clip that a flag names is still there."""
    return (Path(folder) / "clip.json").is_file()
