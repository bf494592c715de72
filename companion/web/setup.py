"""Setting up a game: who plays, in which order, who is the oldest, the house rules."""

from typing import Any

from flask import Blueprint, Response

from companion.rules.houserules import HouseRules
from companion.session.views import Assist
from companion.web.context import TABLE_ROLE, names, session, show_screen, viewer
from companion.web.housewords import house_rules
from companion.web.moves import UNREADABLE, BadTap, number, on_tap, text

screen = Blueprint("setup", __name__)

MOST_PLAYERS = 5


@screen.get("/new")
def show() -> Response:
    """Show the form, with the last game's players filled in."""
    looker = viewer()
    view = session().view(looker)
    at_table = {"role": TABLE_ROLE} if looker.table else {}
    before = (*names(view), *[""] * MOST_PLAYERS)[:MOST_PLAYERS]
    return show_screen(
        "setup/page.html",
        view=view,
        live=f"/new?as={TABLE_ROLE}" if looker.table else "/new",
        previous=before,
        assist=view.assist.value,
        house_rules=house_rules(),
        **at_table,
    )


@screen.post("/new")
def create() -> Response:
    """Start a game, and go to its table."""

    def act(body: dict[str, Any]) -> dict[str, object]:
        players = body.get("players")
        house = body.get("house", {})
        if not isinstance(players, list) or not all(isinstance(name, str) for name in players):
            raise BadTap(UNREADABLE)
        assist = text(body, "assist")
        if not isinstance(house, dict) or assist not in tuple(Assist):
            raise BadTap(UNREADABLE)
        session().create_game(players, number(body, "oldest"), HouseRules.from_dict(house), Assist(assist), by=viewer())
        return {"go": "/table"}

    return on_tap(act)
