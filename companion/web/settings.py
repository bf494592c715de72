"""What the web part is told at start, and its limits."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class WebSettings:
    """Numbers and addresses of the web part, each with its unit and reason."""

    join_url: str = "http://127.0.0.1:8000/"
    """The address in the QR code, with a numeric host: `.local` names fail on Android."""
    host_names: tuple[str, ...] = ()
    """Names besides `localhost` and numeric addresses under which a browser may ask for pages."""
    https: bool = False
    """Whether pages come over TLS: cookies are then marked secure."""
    max_body_bytes: int = 256 * 1024
    """The longest request body; a move has under 100 bytes, a layout under 10 kB."""
    taps_per_second: int = 50
    """Taps one address may send: five screens on one machine, each hammered by a child at ten taps a second."""
    requests_per_minute: int = 6000
    """Requests of one address in all: ten screens on one machine that refresh ten times a second."""
    heartbeat_s: float = 10.0
    """Silence on the stream after which a comment is sent, so that a dead line is noticed within two."""
    streams: int = 48
    """Streams open at once: ten screens in a few tabs each; the server's other threads stay free for taps."""
    remembered_taps: int = 4096
    """Answers kept by tap id, so that a tap sent twice over bad Wi-Fi acts once."""
