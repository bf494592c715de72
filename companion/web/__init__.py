"""The screens: HTTP in, HTML fragments and a stream of version numbers out. Holds no state of the game."""

from companion.web.app import create_app
from companion.web.settings import WebSettings

__all__ = ["WebSettings", "create_app"]
