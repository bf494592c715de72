"""A flag reaches the Guard's screen, and no other screen hears that there was one."""

from companion.web.stream import _events
from tests.session.conftest import playing, table
from tests.session.table import Table

__all__ = ["playing", "table"]


def test_only_the_guards_stream_speaks_when_a_flag_is_raised(playing: Table) -> None:
    """The others' go on beating, and speak at the next tap."""
    streams = [_events(playing.session, playing.phone(seat), 0, 0.05) for seat in range(3)]
    for _ in range(3):
        # Each screen that comes on is news to the others.
        for stream in streams:
            while "event: version" in next(stream):
                pass
    playing.see(1)
    assert ["event: version" in next(stream) for stream in streams] == [True, False, False]
    playing.play("draw 0")
    assert all("event: version" in next(stream) for stream in streams)
