"""The tablet on the table: the whole game, for everybody to see and to tap."""

from functools import cache
from typing import Any

from flask import Blueprint, Response, render_template
from markupsafe import Markup

from companion.web.art import asset
from companion.web.context import TABLE_ROLE, go, names, session, show_screen, viewer
from companion.web.moves import on_tap, text
from companion.web.slaps import strips_of
from companion.web.words import language, mark, sentence
from companion.words import say

screen = Blueprint("table", __name__)

RENAMED = mark("The name is saved: {name}")


@screen.get("/table")
def show() -> Response:
    """Show the table."""
    view = session().view(viewer(table=True))
    if view.game is None:
        return go("/")
    return show_screen("table/page.html", view=view, live="/table", role=TABLE_ROLE, strips=strips_of(view))


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
        looker = viewer()
        session().rename(seat, text(body, "name"), looker)
        return {"sentence": sentence(say(RENAMED, name=names(session().view(looker))[seat]))}

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


def top_cards() -> Markup:
    """Return every card as a button that sets the top card."""
    return _top_cards(language(), asset("art/bugs.svg"))


@cache
def _top_cards(_language: str, _sheet: str) -> Markup:
    # A third of the page's work, and the same in every state: made once in each language.
    return Markup(render_template("table/top_cards.html"))  # noqa: S704 (our own template, which escapes)
