"""What every screen needs: the parts behind it, who looks, and the page or only its living part."""

from dataclasses import dataclass
from typing import Any

from flask import Response, current_app, g, make_response, render_template, request

from companion.session import Session
from companion.session.views import View, Viewer
from companion.web.settings import WebSettings

KEY = "moth"


@dataclass(frozen=True, slots=True, kw_only=True)
class Behind:
    """What stands behind the screens."""

    session: Session
    library: Any
    supervisor: Any
    settings: WebSettings


def behind() -> Behind:
    """Return what stands behind the app of this request."""
    found: Behind = current_app.extensions[KEY]
    return found


def session() -> Session:
    """Return the session of this request's app."""
    return behind().session


TABLE_ROLE = "table"


def viewer(*, table: bool = False) -> Viewer:
    """Return who looks: a phone by its token, or the table's tablet where its page says so.

    A page of the table names its role with every request; the role gives no more than the tablet shows everybody.
    """
    said = request.headers.get("X-Role") or request.args.get("as")
    return session().viewer(g.device, table=table or said == TABLE_ROLE)


def names(view: View) -> tuple[str, ...]:
    """Return the players' names by seat."""
    return tuple(player.name for player in view.game.players) if view.game else ()


def show_screen(template: str, *, view: View, live: str, **more: object) -> Response:
    """Render a screen whole, or only its living part for a screen that is already open.

    ``live`` is the address at which the screen fetches itself anew when the stream says that something changed.
    """
    only_part = request.headers.get("X-Part") == "app"
    html = render_template(template, layout="part.html" if only_part else "base.html", view=view, live=live, **more)
    response = make_response(html)
    response.headers["X-Version"] = str(view.version)
    return response


def go(address: str) -> Response:
    """Send a screen elsewhere: a page by redirect, a living part by a header that its script follows."""
    response = make_response("", 204 if request.headers.get("X-Part") else 303)
    response.headers["X-Go" if request.headers.get("X-Part") else "Location"] = address
    return response
