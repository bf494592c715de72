"""The application factory: one Flask app around one session."""

from typing import Any

from flask import Flask

from companion import assets
from companion.web import access, lobby, words
from companion.web.settings import WebSettings

BLUEPRINTS = (lobby.screen,)


def create_app(session: Any, library: Any = None, supervisor: Any = None, settings: WebSettings | None = None) -> Flask:
    """Make the web application around a session.

    ``library`` is the clip library, ``supervisor`` the watcher's; both may be None: the game plays without a camera.
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
    app.extensions["moth"] = {"session": session, "library": library, "supervisor": supervisor, "settings": settings}
    access.guard_app(app, settings)
    words.speak(app)
    for blueprint in BLUEPRINTS:
        app.register_blueprint(blueprint)
    return app
