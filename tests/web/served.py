"""Serve a companion on the loopback address; what chromium is started with."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Thread

from companion.runtime.server import Server, listen
from companion.session import Session
from companion.web import WebSettings, create_app

ROOT = Path(__file__).resolve().parents[2]
CHROMIUM = "/usr/bin/chromium"
QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-quic",
)
"""No sandbox in a container, and no connection but ours."""


@dataclass(frozen=True, slots=True)
class Running:
    """A companion that answers at an address."""

    session: Session
    address: str


@contextmanager
def serve(session: Session, port: int = 0, **settings: object) -> Iterator[Running]:
    """Serve a session on the loopback address; port 0 takes a free one."""
    listener = listen("127.0.0.1", port)
    address = f"http://127.0.0.1:{listener.getsockname()[1]}"
    options: dict[str, object] = {"join_url": f"{address}/", "heartbeat_s": 1.0, **settings}
    server = Server(create_app(session, settings=WebSettings(**options)), listener)  # type: ignore[arg-type]
    server.prepare()
    thread = Thread(target=server.serve, daemon=True)
    thread.start()
    try:
        yield Running(session, address)
    finally:
        session.close()  # ends the streams, which would keep their threads
        server.stop()
        thread.join(timeout=10)
