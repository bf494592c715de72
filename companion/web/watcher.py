"""The lens cap: pause the camera and let it watch again, from the table's tablet."""

from typing import Any

from flask import Blueprint, Response

from companion.errors import CompanionError
from companion.session.errors import NotYours
from companion.watcher.messages import Pause, Resume
from companion.web.context import behind, viewer
from companion.web.moves import UNREADABLE, BadTap, on_tap, text
from companion.web.words import mark

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
