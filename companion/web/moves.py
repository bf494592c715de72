"""What taps do: moves, undo, seats, verdicts. Every answer is JSON with a sentence where a person needs one."""

from collections.abc import Callable
from contextlib import suppress
from http import HTTPStatus
from typing import Any

from flask import Blueprint, Response, current_app, g, jsonify, request

from companion.errors import CompanionError
from companion.journal import JournalError
from companion.rules.errors import IllegalMove
from companion.session.errors import NotThere, NotYours, SeatTaken, StaleTap
from companion.web.context import names, session, viewer
from companion.web.taps import LONGEST_TAP_ID, Answer, TapMemory
from companion.web.words import error_sentence, mark, translate

screen = Blueprint("moves", __name__)

TAPS = "moth_taps"
LONGEST_MOVE = 200

STATUS_OF: tuple[tuple[type[CompanionError], HTTPStatus], ...] = (
    (StaleTap, HTTPStatus.CONFLICT),
    (SeatTaken, HTTPStatus.CONFLICT),
    (NotYours, HTTPStatus.FORBIDDEN),
    (NotThere, HTTPStatus.NOT_FOUND),
    (JournalError, HTTPStatus.SERVICE_UNAVAILABLE),
)
"""The status of an error; whatever else a CompanionError says is 422: understood, but not allowed."""

UNREADABLE = mark("This tap could not be read: load the page again.")
FASTER = mark("Somebody was faster. Look again.")


class BadTap(CompanionError):
    """The request's JSON is not what the screen's script sends."""


def on_tap(act: Callable[[dict[str, Any]], dict[str, object]]) -> Response:
    """Answer a POST: read its JSON, act once for its tap id, and turn errors into a status with a sentence."""
    body = _json()
    if not isinstance(body, dict) or not isinstance(body.get("tap", ""), str):
        return _respond(Answer(HTTPStatus.BAD_REQUEST, {"sentence": translate(UNREADABLE)}))
    tap = tap_id(body) or ""
    memory: TapMemory = current_app.extensions[TAPS]
    return _respond(memory.once(f"{g.device} {request.path}", tap, lambda: _answer(act, body)))


def _json() -> object:
    try:
        return request.get_json(silent=True)
    except RecursionError:  # lists within lists, thousands deep
        return None


def tap_id(body: dict[str, Any]) -> str | None:
    """Return the screen's own name for this tap, if it gave one."""
    given: str = body.get("tap", "")
    return given[:LONGEST_TAP_ID] or None


def _answer(act: Callable[[dict[str, Any]], dict[str, object]], body: dict[str, Any]) -> Answer:
    try:
        return Answer(HTTPStatus.OK, act(body))
    except BadTap as error:
        return Answer(HTTPStatus.BAD_REQUEST, {"sentence": error_sentence(error)})
    except StaleTap:
        return Answer(HTTPStatus.CONFLICT, {"sentence": translate(FASTER), "seq": session().seq})
    except CompanionError as error:
        status = next(
            (status for kind, status in STATUS_OF if isinstance(error, kind)), HTTPStatus.UNPROCESSABLE_ENTITY
        )
        return Answer(status, {"sentence": error_sentence(error, names(session().view(viewer())))})


def _respond(answer: Answer) -> Response:
    response = jsonify(answer.body)
    response.status_code = answer.status
    return response


def text(body: dict[str, Any], name: str, longest: int = LONGEST_MOVE) -> str:
    """Return a text of the body, or raise BadTap."""
    value = body.get(name)
    if not isinstance(value, str) or not 0 < len(value) <= longest:
        raise BadTap(UNREADABLE)
    return value


def number(body: dict[str, Any], name: str) -> int:
    """Return a whole number of the body, or raise BadTap."""
    value = body.get(name)
    if type(value) is not int:
        raise BadTap(UNREADABLE)
    return value


@screen.post("/moves")
def move() -> Response:
    """Carry out one move of the game, and what the same tap says besides (`then`) where the rules still want it."""

    def act(body: dict[str, Any]) -> dict[str, object]:
        looker = viewer()
        seq = session().submit(text(body, "move"), number(body, "seq"), looker, tap_id(body))
        if "then" in body:
            with suppress(IllegalMove):
                seq = session().submit(text(body, "then"), seq, looker)
        return {"seq": seq}

    return on_tap(act)


@screen.post("/amend")
def amend() -> Response:
    """Take the last moves back and enter others in their place: the same with another player, say."""

    def act(body: dict[str, Any]) -> dict[str, object]:
        moves = body.get("moves")
        if not isinstance(moves, list) or not all(isinstance(one, str) and len(one) <= LONGEST_MOVE for one in moves):
            raise BadTap(UNREADABLE)
        return {"seq": session().amend(number(body, "undo"), moves, number(body, "seq"), viewer(), tap_id(body))}

    return on_tap(act)


@screen.post("/consequence")
def confirm() -> Response:
    """Confirm what hands have done since a call was settled, or go a step back."""

    def act(body: dict[str, Any]) -> dict[str, object]:
        session().confirm(number(body, "verdict"), number(body, "seen"), number(body, "done"), viewer())
        return {"seq": session().seq}

    return on_tap(act)


@screen.post("/undo")
def undo() -> Response:
    """Take the last move back."""

    def act(body: dict[str, Any]) -> dict[str, object]:
        return {"seq": session().undo(number(body, "seq"), viewer(), tap_id(body))}

    return on_tap(act)
