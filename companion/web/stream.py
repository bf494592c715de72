"""Server-Sent Events: every screen hears that something changed, and fetches its own view of it."""

import json
from collections.abc import Iterator
from threading import Semaphore

from flask import Blueprint, Response, abort, current_app, request

from companion.session import Session
from companion.session.views import View, Viewer
from companion.web.context import behind, viewer

screen = Blueprint("stream", __name__)

RETRY_MS = 1000
PLACES = "moth_streams"


@screen.get("/stream")
def follow() -> Response:
    """Stream version numbers from `Last-Event-ID` (or `after`) on; says something at least every heartbeat."""
    after = _number(request.headers.get("Last-Event-ID") or request.args.get("after"))
    parts = behind()
    places: Semaphore = current_app.extensions[PLACES]
    if not places.acquire(blocking=False):
        abort(503)  # each stream keeps a thread: taps must always find one
    response = Response(
        _events(parts.session, viewer(), after, parts.settings.heartbeat_s), mimetype="text/event-stream"
    )
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Accel-Buffering"] = "no"
    response.call_on_close(places.release)
    return response


def _events(session: Session, looker: Viewer, after: int, heartbeat_s: float) -> Iterator[str]:
    yield f"retry: {RETRY_MS}\nevent: beat\ndata: {{}}\n\n"
    shown: View | None = None
    with session.screen(looker):
        while not session.closed:
            version = session.wait(after, heartbeat_s)
            if version == after:
                yield "event: beat\ndata: {}\n\n"
                continue
            after = version
            view = session.view(looker)
            if shown is not None and view.shows_the_same_as(shown):
                # A flag is the Guard's alone: a phone that hears something whenever one is raised would tell.
                continue
            shown = view
            data = json.dumps({"version": version, "seq": session.seq})
            yield f"id: {version}\nevent: version\ndata: {data}\n\n"


def _number(text: str | None) -> int:
    return int(text) if text and text.isdecimal() and len(text) < 16 else 0
