"""A player's own phone: pick a seat, see one's own game; the Guard's phone is the same screen with more on it."""

from typing import Any

from flask import Blueprint, Response, g

from companion.web.context import go, session, show_screen, viewer
from companion.web.moves import number, on_tap
from companion.web.slaps import strips_of

screen = Blueprint("seat", __name__)


@screen.get("/me")
def show() -> Response:
    """Show this phone's seat, or ask whose phone it is."""
    view = session().view(viewer())
    if view.game is None:
        return go("/")
    if view.viewer.seat is None:
        return show_screen("seat/pick.html", view=view, live="/me")
    return show_screen("seat/page.html", view=view, live="/me", strips=strips_of(view))


@screen.post("/seat")
def claim() -> Response:
    """Make this phone a seat's."""

    def act(body: dict[str, Any]) -> dict[str, object]:
        session().claim_seat(number(body, "seat"), g.device)
        return {"go": "/me"}

    return on_tap(act)


@screen.post("/seat/leave")
def leave() -> Response:
    """Give this phone's seat free."""

    def act(_body: dict[str, Any]) -> dict[str, object]:
        looker = viewer()
        if looker.seat is not None:
            session().release_seat(looker.seat, looker)
        return {"go": "/"}

    return on_tap(act)
