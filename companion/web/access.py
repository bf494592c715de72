"""Who may ask: known hosts, same origin, device tokens, security headers."""

import ipaddress
import secrets
from urllib.parse import urlsplit

from flask import Flask, Response, abort, g, request

from companion.web.settings import WebSettings

DEVICE_COOKIE = "moth_device"
_LONGEST_TOKEN = 64
_YEAR_S = 365 * 24 * 3600
_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})

CONTENT_POLICY = "; ".join(
    (
        "default-src 'self'",
        "img-src 'self' data: blob:",
        "media-src 'self' blob:",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)


def guard_app(app: Flask, settings: WebSettings) -> None:
    """Install the checks before and the headers after every request."""

    @app.before_request
    def check_request() -> None:
        if not known_host(request.host, settings.host_names):
            abort(421)
        if request.method not in _SAFE and not same_origin(request.headers.get("Origin"), request.host):
            abort(403)
        token = request.cookies.get(DEVICE_COOKIE, "")
        g.device = token if 0 < len(token) <= _LONGEST_TOKEN else secrets.token_urlsafe(18)

    @app.after_request
    def add_headers(response: Response) -> Response:
        response.headers["Content-Security-Policy"] = CONTENT_POLICY
        response.headers["X-Content-Type-Options"] = "nosniff"
        # With "no-referrer" browsers would send `Origin: null` from our own forms.
        response.headers["Referrer-Policy"] = "same-origin"
        response.headers["Cross-Origin-Opener-Policy"] = "same-origin"
        response.headers["Cross-Origin-Resource-Policy"] = "same-origin"
        response.headers.setdefault("Cache-Control", "no-store")
        if "device" in g and DEVICE_COOKIE not in request.cookies and request.endpoint != "static":
            response.set_cookie(
                DEVICE_COOKIE, g.device, max_age=_YEAR_S, httponly=True, samesite="Strict", secure=settings.https
            )
        return response


def known_host(host: str, names: tuple[str, ...]) -> bool:
    """Tell whether a Host header names this machine: a numeric address, localhost, or a configured name.

    A page of another site that points its own name at this machine (DNS rebinding) is refused by this.
    """
    name = urlsplit(f"//{host}").hostname
    if name is None:
        return False
    if name == "localhost" or name in names:
        return True
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def same_origin(origin: str | None, host: str) -> bool:
    """Tell whether a writing request comes from a page of this server; browsers always send Origin then."""
    return origin is not None and _netloc(origin) == host


def _netloc(address: str) -> str | None:
    try:
        return urlsplit(address).netloc
    except ValueError:  # a bracket that is not closed, for one
        return None
