"""The first screen: join by QR code, pick what this screen is; and the language of each screen."""

import io

import segno
from flask import Blueprint, Response, request, send_file

from companion import assets
from companion.web.context import behind, go, session, show_screen, viewer
from companion.web.words import LANGUAGE_COOKIE, LANGUAGES

screen = Blueprint("lobby", __name__)

_YEAR_S = 365 * 24 * 3600


@screen.get("/")
def show() -> Response:
    """Show the ways into the game."""
    return show_screen("lobby/page.html", view=session().view(viewer()), live="/", address=behind().settings.join_url)


@screen.get("/join.svg")
def join_code() -> Response:
    """Draw the QR code of the address, dark on light in any theme: scanners want it so."""
    drawing = io.BytesIO()
    segno.make(behind().settings.join_url, error="m").save(
        drawing, kind="svg", scale=8, border=3, dark="#2a1748", light="#ffffff"
    )
    return Response(drawing.getvalue(), mimetype="image/svg+xml")


@screen.get("/favicon.ico")
def icon() -> Response:
    """Send the icon to browsers that ask for it by its old name, whatever the page says."""
    return send_file(assets.WEB_UI / "static/art/icon.svg", mimetype="image/svg+xml")


@screen.post("/language")
def choose_language() -> Response:
    """Keep this screen's language."""
    response = go(_back(request.referrer))
    chosen = request.form.get("language", "")
    if chosen in LANGUAGES:
        response.set_cookie(LANGUAGE_COOKIE, chosen, max_age=_YEAR_S, samesite="Strict", httponly=True)
    return response


def _back(referrer: str | None) -> str:
    """Return the path of the page that the form was on; never another site."""
    if referrer and referrer.startswith(request.host_url):
        return "/" + referrer[len(request.host_url) :]
    return "/"
