"""The application factory: one Flask app around one session."""

from threading import Semaphore
from typing import Any

from flask import Flask, Response, jsonify, make_response, render_template, request
from flask_limiter import Limiter
from werkzeug.exceptions import HTTPException, MethodNotAllowed

from companion import assets
from companion.calibration.wizard import Wizard
from companion.session import Session
from companion.web import (
    access,
    art,
    calibrate,
    guard,
    helppage,
    history,
    lobby,
    moves,
    seat,
    setup,
    slaps,
    stream,
    table,
    watcher,
    words,
)
from companion.web.chart import score_chart
from companion.web.context import KEY, Behind
from companion.web.housewords import assists
from companion.web.settings import WebSettings
from companion.web.taps import TapMemory
from companion.web.words import mark, translate

BLUEPRINTS = (
    lobby.screen,
    setup.screen,
    table.screen,
    slaps.screen,
    seat.screen,
    guard.screen,
    moves.screen,
    stream.screen,
    watcher.screen,
    history.screen,
    helppage.screen,
    calibrate.screen,
)

_SORRY = {
    400: mark("This request could not be read: load the page again."),
    403: mark("This request did not come from a page of the companion: load the page again."),
    404: mark("There is nothing here. Maybe it has been cleared."),
    405: mark("This address does not take such a request: go to the first screen, and on from there."),
    408: mark("The request took too long to arrive: check the Wi-Fi and try again."),
    411: mark("This request could not be read: load the page again."),
    413: mark("That is too much at once."),
    414: mark("That is too much at once."),
    415: mark("This request could not be read: load the page again."),
    416: mark("This clip is shorter than that: load the page again."),
    421: mark("This address is not one of the companion's: use the one in the QR code."),
    429: mark("That was a lot of taps. Wait a moment."),
    431: mark("That is too much at once."),
    501: mark("This address does not take such a request: go to the first screen, and on from there."),
    503: mark("Too many screens are open at once: close one, and this one comes back by itself."),
}
_OTHERWISE = mark("Something went wrong. The game is safe: load the page again.")


def create_app(
    session: Session,
    library: Any = None,
    supervisor: Any = None,
    settings: WebSettings | None = None,
    wizard: Wizard | None = None,
) -> Flask:
    """Make the web application around a session.

    ``library`` is the clip library, ``supervisor`` the watcher's; both may be None: the game plays without a camera.
    ``wizard`` sets the camera up; without it the set-up pages say so.
    """
    settings = settings or WebSettings()
    app = Flask(
        "companion.web",
        static_folder=str(assets.WEB_UI / "static"),
        template_folder=str(assets.WEB_UI / "templates"),
    )
    app.config["MAX_CONTENT_LENGTH"] = settings.max_body_bytes
    app.jinja_env.trim_blocks = True
    app.jinja_env.lstrip_blocks = True
    app.extensions[KEY] = Behind(session=session, library=library, supervisor=supervisor, settings=settings)
    app.extensions[calibrate.KEY] = wizard
    app.extensions[moves.TAPS] = TapMemory(settings.remembered_taps)
    app.extensions[stream.PLACES] = Semaphore(settings.streams)
    access.guard_app(app, settings)
    words.speak(app)
    _limit(app, settings)
    app.jinja_env.globals.update(
        asset=art.asset,
        drawn=art.art,
        drawn_face=art.face,
        top_cards=table.top_cards,
        score_chart=score_chart,
        assists=assists,
        topic_of=helppage.topic_of,
        is_kept=watcher.is_kept,
    )
    for blueprint in BLUEPRINTS:
        app.register_blueprint(blueprint)
    app.register_error_handler(HTTPException, _say_sorry)
    return app


def _limit(app: Flask, settings: WebSettings) -> None:
    limiter = Limiter(
        key_func=lambda: (
            request.remote_addr or ""
        ),  # a cookie can be thrown away, an address on the home network cannot
        app=app,
        default_limits=[f"{settings.requests_per_minute} per minute"],
        storage_uri="memory://",
    )
    taps = limiter.limit(f"{settings.taps_per_second} per second")
    for blueprint in (moves.screen, setup.screen, seat.screen, guard.screen):
        taps(blueprint)


def _say_sorry(error: HTTPException) -> Response:
    """Say what went wrong in one sentence: as JSON to scripts, as a page to people."""
    code = error.code or 500
    if code < 400:
        return make_response(error.get_response())
    sentence = translate(_SORRY.get(code, _OTHERWISE))
    if request.method != "GET" or request.headers.get("X-Part"):
        response = jsonify(sentence=sentence)
    else:
        response = make_response(render_template("parts/error.html", title=translate(_TITLE), sentence=sentence))
    response.status_code = code
    if isinstance(error, MethodNotAllowed) and error.valid_methods:
        response.headers["Allow"] = ", ".join(sorted(error.valid_methods))
    return response


_TITLE = mark("Oh dear, a moth got lost")
