"""A table to test at: a session on a real journal, with a clock that stands still until it is moved."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from companion.clock import SetClock
from companion.journal import Journal
from companion.rules.state import State
from companion.session import Session, Viewer
from companion.session.game import Flag
from companion.session.views import GameView, GuardPart
from companion.watcher.messages import EventReport

SECOND = 1_000_000_000


@dataclass
class Table:
    """A session under test, the tablet on the table, and what its players do."""

    path: Path
    clock: SetClock = field(default_factory=lambda: SetClock(at_ns=1000 * SECOND))
    events: int = 0

    def __post_init__(self) -> None:
        self.start()

    def start(self) -> None:
        self.journal = Journal.open(self.path, self.clock)
        self.session = Session(self.journal, self.clock)

    def restart(self) -> None:
        """End the server and start it again on the same journal."""
        self.journal.close()
        self.start()

    @property
    def tablet(self) -> Viewer:
        return self.session.viewer("the tablet", table=True)

    def phone(self, seat: int) -> Viewer:
        """The phone at a seat, which it claims if need be."""
        return self.session.claim_seat(seat, f"phone of {seat}")

    @property
    def state(self) -> State:
        assert self.session.folded.game
        return self.session.folded.game.state

    def shows(self, viewer: Viewer | None = None) -> GameView:
        game = self.session.view(viewer or self.tablet).game
        assert game
        return game

    def guards(self, viewer: Viewer) -> GuardPart:
        part = self.session.view(viewer).guard
        assert part
        return part

    def set_up(self, *players: str, oldest: int = 0, assist: str = "live", **house: Any) -> None:
        places = house.pop("places", None)
        self.session.create_game(players or ("Anna", "Bo", "Cleo"), oldest, house, assist, places=places)

    def play(self, *moves: str, by: Viewer | None = None) -> int:
        """Enter moves one after the other, each a second after the last."""
        for move in moves:
            self.pass_s(1)
            self.session.submit(move, self.session.seq, by or self.tablet)
        return self.session.seq

    def pass_s(self, seconds: float) -> None:
        self.clock.at_ns += round(seconds * SECOND)

    def movement(self, seat: int, *, ago_s: float = 0.3, **fields: Any) -> EventReport:
        """A movement of one second that ended ``ago_s`` ago and is reported now."""
        self.events += 1
        end = self.clock.at_ns - round(ago_s * SECOND)
        values = {
            "id": f"event-{self.events}",
            "kind": "hand_below_table",
            "seat": seat,
            "start_ns": end - SECOND,
            "end_ns": end,
            "raised_ns": self.clock.at_ns,
            "confidence": 0.8,
            "side": "left",
            "why": "left hand crossed the edge downward",
        }
        return EventReport(**(values | fields))

    def see(self, seat: int, **fields: Any) -> Flag | None:
        return self.session.observe(self.movement(seat, **fields))
