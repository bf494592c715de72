"""Play by taps while the server is killed at random moments; used by the test and by the benchmark."""

import random
import re
import threading
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path
from typing import Any

from companion.rules.engine import apply, legal_moves, new_game, replay
from companion.rules.houserules import HouseRules
from companion.rules.moves import Accuse
from companion.rules.notation import format_move, parse_move
from companion.rules.state import Phase, State

from .served import Served, journal_moves

PLAYERS = ("Ada", "Ben", "Cleo")
START = new_game(len(PLAYERS), 0, HouseRules())

EMPTY_HAND = re.compile(r"count \d+ number=0")


@dataclass(slots=True)
class Toll:
    """What the kills came to."""

    kills: int = 0
    acknowledged: int = 0
    lost: list[str] = field(default_factory=list)
    """Acknowledged moves that were not in the journal, in their place, after a restart."""
    rounds: int = 0


@dataclass(slots=True)
class Tablet:
    """A tablet that taps at random and remembers what was acknowledged in this game."""

    server: Served
    folder: Path
    rng: random.Random
    toll: Toll
    state: State = START
    seq: int = 0
    acknowledged: list[str] = field(default_factory=list)

    def new_game(self) -> None:
        """Set up a game."""
        body = {"players": list(PLAYERS), "oldest": 0, "assist": "off", "house": {}}
        status, answer = self.server.post("/new", body)
        assert status == HTTPStatus.OK, answer
        self.state, self.acknowledged = START, []
        self.look()

    def look(self) -> None:
        """Learn the present seq: a stale tap is told it."""
        status, answer = self.server.post("/moves", {"move": "next", "seq": -1})
        assert status == HTTPStatus.CONFLICT, answer
        self.seq = int(answer["seq"])

    def tap(self) -> bool:
        """Tap a random legal move; return False when the server died before it answered, or the game is over."""
        if self.state.phase is Phase.GAME_OVER:
            return False
        moves = legal_moves(self.state)
        calm = [move for move in moves if not isinstance(move, Accuse)]
        move = format_move(self.rng.choice(calm if calm and self.rng.random() < 0.9 else moves))
        if EMPTY_HAND.fullmatch(move):  # the rules know it, the session refuses it: only one hand can be empty
            return self.tap()
        try:
            status, answer = self.server.post("/moves", {"move": move, "seq": self.seq})
        except OSError:
            return False
        assert status == HTTPStatus.OK, (move, answer)
        self._acknowledge(move, answer)
        return True

    def _acknowledge(self, move: str, answer: dict[str, Any]) -> None:
        self.acknowledged.append(move)
        self.toll.acknowledged += 1
        self.seq = int(answer["seq"])
        before, self.state = self.state, apply(self.state, parse_move(move))
        self.toll.rounds += before.phase is not self.state.phase and self.state.phase in (
            Phase.ROUND_OVER,
            Phase.GAME_OVER,
        )

    def compare(self) -> None:
        """Hold what was acknowledged against the journal that the killed server left, and go on from the journal."""
        held = journal_moves(self.folder)
        kept = held[: len(self.acknowledged)]
        if kept != self.acknowledged:
            self.toll.lost.append(f"acknowledged {self.acknowledged[len(kept) - 1 :]}, held {held[-3:]}")
        assert len(held) <= len(self.acknowledged) + 1, "one tap was carried out twice"
        self.acknowledged = held
        self.state = replay(START, [parse_move(move) for move in held])


def play_and_kill(folder: Path, *, kills: int, seed: int) -> Toll:
    """Kill the server ``kills`` times between or within random taps; start it again each time, and go on."""
    rng, toll = random.Random(seed), Toll()
    with Served(["run", "--host", "127.0.0.1", "--folder", str(folder)]) as server:
        tablet = Tablet(server, folder, rng, toll)
        tablet.new_game()
        while toll.kills < kills:
            for _ in range(rng.randint(0, 4)):
                if not tablet.tap():
                    tablet.new_game()
            killer = threading.Timer(rng.uniform(0, 0.02), server.kill)
            killer.start()
            while tablet.tap():
                pass
            killer.join()
            toll.kills += 1
            tablet.compare()
            server.start()
            tablet.look()
        assert tablet.tap() or tablet.state.phase is Phase.GAME_OVER
    return toll
