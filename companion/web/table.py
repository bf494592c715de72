"""The tablet on the table: the whole game, for everybody to see and to tap."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from flask import Blueprint, Response, abort, send_file

from companion.clips.clip import Clip, read_clip
from companion.errors import CompanionError
from companion.session.views import View
from companion.web.context import TABLE_ROLE, go, session, show_screen, viewer
from companion.web.moves import on_tap, text

screen = Blueprint("table", __name__)


@dataclass(frozen=True, slots=True)
class SlapFrame:
    """One picture of a mosquito: its address, and whose hand came down in it."""

    address: str
    words: str


@screen.get("/table")
def show() -> Response:
    """Show the table."""
    view = session().view(viewer(table=True))
    if view.game is None:
        return go("/")
    return show_screen("table/page.html", view=view, live="/table", role=TABLE_ROLE, slap_frames=_slap_frames(view))


@screen.get("/slaps/<int:number>.jpg")
def slap_frame(number: int) -> Response:
    """Send one picture of the slaps that are being settled; everybody at the table may look."""
    clip = _slaps_clip(session().view(viewer()))
    if clip is None or number >= len(clip.frames):
        abort(404)
    return send_file(clip.frame_path(number), mimetype="image/jpeg")


@screen.post("/guard/open")
def open_guard() -> Response:
    """Open the Guard's part on the tablet, for a Guard without a phone."""

    def act(_body: dict[str, Any]) -> dict[str, object]:
        session().open_guard_view(viewer())
        return {}

    return on_tap(act)


@screen.post("/guard/close")
def close_guard() -> Response:
    """Close the Guard's part on the tablet."""

    def act(_body: dict[str, Any]) -> dict[str, object]:
        session().close_guard_view(viewer())
        return {}

    return on_tap(act)


@screen.post("/players/<int:seat>/name")
def rename(seat: int) -> Response:
    """Correct a player's name."""

    def act(body: dict[str, Any]) -> dict[str, object]:
        session().rename(seat, text(body, "name"), viewer())
        return {}

    return on_tap(act)


@screen.post("/players/<int:seat>/free")
def free(seat: int) -> Response:
    """Free a seat whose phone is gone."""

    def act(_body: dict[str, Any]) -> dict[str, object]:
        session().release_seat(seat, viewer())
        return {}

    return on_tap(act)


@screen.post("/assist")
def assist() -> Response:
    """Change how much the camera helps the Guard."""

    def act(body: dict[str, Any]) -> dict[str, object]:
        session().set_assist(text(body, "assist"), viewer())
        return {}

    return on_tap(act)


def _slaps_clip(view: View) -> Clip | None:
    folder = view.game.slaps.clip if view.game and view.game.slaps else None
    if folder is None:
        return None
    try:
        return read_clip(Path(folder))
    except (OSError, CompanionError):
        return None


def _slap_frames(view: View) -> list[SlapFrame]:
    """Choose the pictures in which the last two hands came down, for eyes to decide."""
    clip, game = _slaps_clip(view), session().folded.game
    if clip is None or game is None or game.slaps is None:
        return []
    landed = [(slap.at_ns, game.players[slap.seat]) for slap in game.slaps.order if slap.at_ns is not None]
    return [SlapFrame(f"/slaps/{_nearest(clip, at_ns)}.jpg", name) for at_ns, name in landed[-2:]]


def _nearest(clip: Clip, at_ns: int) -> int:
    return min(range(len(clip.frames)), key=lambda one: abs(clip.frames[one].at_ns - at_ns))
