"""What the present Guard alone may see: flags, their clips picture by picture, and the verdicts on them."""

from pathlib import Path
from typing import Any

from flask import Blueprint, Response, abort, jsonify, send_file

from companion.clips.clip import Clip, read_clip
from companion.errors import CompanionError
from companion.session.cameraviews import Verdict
from companion.web.context import session, viewer
from companion.web.moves import UNREADABLE, BadTap, on_tap, text

screen = Blueprint("guard", __name__)

RULINGS = (Verdict.CAUGHT, Verdict.INNOCENT, Verdict.UNCLEAR)


@screen.post("/flags/<flag_id>/ruling")
def rule(flag_id: str) -> Response:
    """Rule on a flag: caught, innocent or unclear."""

    def act(body: dict[str, Any]) -> dict[str, object]:
        verdict = text(body, "verdict")
        if verdict not in RULINGS:
            raise BadTap(UNREADABLE)
        session().rule(flag_id, Verdict(verdict), viewer())
        return {"seq": session().seq}

    return on_tap(act)


@screen.post("/caught")
def catch() -> Response:
    """Freeze play: the Guard called "Caught!" and is choosing whom."""

    def act(_body: dict[str, Any]) -> dict[str, object]:
        session().begin_choosing(viewer())
        return {}

    return on_tap(act)


@screen.post("/caught/back")
def take_back() -> Response:
    """Take the call back before it was chosen whom."""

    def act(_body: dict[str, Any]) -> dict[str, object]:
        session().end_choosing(viewer())
        return {}

    return on_tap(act)


@screen.get("/flags/<flag_id>/clip.mp4")
def video(flag_id: str) -> Response:
    """Send the clip's video; browsers ask for ranges of it."""
    return send_file(_clip(flag_id).video, mimetype="video/mp4", conditional=True)


@screen.get("/flags/<flag_id>/frames")
def frames(flag_id: str) -> Response:
    """List the exact frames' capture times, in seconds from the first."""
    clip = _clip(flag_id)
    return jsonify(times_s=[round((frame.at_ns - clip.start_ns) / 1e9, 4) for frame in clip.frames])


@screen.get("/flags/<flag_id>/frames/<int:number>.jpg")
def frame(flag_id: str, number: int) -> Response:
    """Send one exact frame, as the camera gave it."""
    clip = _clip(flag_id)
    if number >= len(clip.frames):
        abort(404)
    return send_file(clip.frame_path(number), mimetype="image/jpeg")


def _clip(flag_id: str) -> Clip:
    """Return the clip of a flag that this viewer may see; anybody else learns only that there is none."""
    part = session().view(viewer()).guard
    folder = next((flag.clip for flag in part.flags if flag.id == flag_id), None) if part else None
    if folder is None:
        abort(404)
    try:
        return read_clip(Path(folder))
    except (OSError, CompanionError):
        abort(404)
