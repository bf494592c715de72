"""The web server: one process, a thread for every screen's stream and some for taps."""

import errno
import socket
from wsgiref.types import WSGIApplication

from cheroot.wsgi import Server as WSGIServer

from companion.errors import CompanionError

THREADS = 72
"""Ten screens with a stream each in three tabs, and forty requests beside them."""
SHUTDOWN_S = 2


class PortError(CompanionError):
    """The address cannot be listened on."""


def listen(host: str, port: int) -> socket.socket:
    """Take the address before anything else is started; raises PortError in one sentence.

    ``port`` 0 takes a free one, which ``getsockname`` tells.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except (OSError, OverflowError) as error:
        listener.close()
        raise _port_error(error, host, port) from error
    listener.listen(128)
    return listener


def _port_error(error: OSError | OverflowError, host: str, port: int) -> PortError:
    code = getattr(error, "errno", None)
    if code == errno.EADDRINUSE:
        return PortError(
            "Port {port} is in use, perhaps by a companion that is already running; open it in the browser, or choose "
            "another with --port.",
            port=port,
        )
    if code == errno.EACCES:
        return PortError("Port {port} needs special rights; choose one above 1023 with --port.", port=port)
    return PortError(
        "This machine cannot listen on {host} port {port} ({why}); check --host and --port.",
        host=host,
        port=port,
        why=getattr(error, "strerror", None) or error,
    )


class Server(WSGIServer):
    """A cheroot server on a socket that is already listening."""

    def __init__(self, app: WSGIApplication, listener: socket.socket) -> None:
        self._listener = listener
        address = listener.getsockname()[:2]
        super().__init__(address, app, numthreads=THREADS, shutdown_timeout=SHUTDOWN_S, timeout=60, server_name="moth")

    def bind(self, family: int, type: int, proto: int = 0) -> socket.socket:  # noqa: A002  cheroot's own names
        """Hand over the socket instead of making one; cheroot calls this when it prepares."""
        self.socket = self._listener
        return self._listener
