"""Serve a companion on the loopback address; what chromium is started with."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Thread

from cheroot.wsgi import Server

from companion.session import Session
from companion.web import WebSettings, create_app

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

STREAMS = 40
"""Threads: each open screen keeps one for its stream."""


@dataclass(frozen=True, slots=True)
class Running:
    """A companion that answers at an address."""

    session: Session
    address: str


@contextmanager
def serve(session: Session, port: int = 0, **settings: object) -> Iterator[Running]:
    """Serve a session on the loopback address; port 0 takes a free one."""
    server = Server(("127.0.0.1", port), lambda _env, _start: [], numthreads=STREAMS, timeout=60)
    server.prepare()
    address = f"http://127.0.0.1:{server.bind_addr[1]}"
    options: dict[str, object] = {"join_url": f"{address}/", "heartbeat_s": 1.0, **settings}
    server.wsgi_app = create_app(session, settings=WebSettings(**options))  # type: ignore[arg-type]
    thread = Thread(target=server.serve, daemon=True)
    thread.start()
    try:
        yield Running(session, address)
    finally:
        server.stop()
        thread.join(timeout=10)
