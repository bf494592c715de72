"""perft: how many sequences of legal moves there are to depth n, against a table that two accounts agree on.

To print the table anew (and then to read and approve each changed line, which is the point of it):
``uv run python -m tests.rules.test_perft``
"""

from dataclasses import dataclass
from pathlib import Path

import pytest

from companion.rules import engine
from companion.rules.houserules import HouseRules
from companion.rules.notation import parse_move
from companion.rules.state import State
from tests.rules.slow_table import Table
from tests.rules.slow_table import perft as slow_perft

TABLE = Path(__file__).with_name("perft.txt")
SLOW_LIMIT = 3000
"""Sequences beyond which the slow account takes too long; it confirms every line to the depth below that."""


@dataclass(frozen=True)
class Line:
    seats: int
    oldest: int
    house: dict[str, str]
    moves: tuple[str, ...]
    counts: tuple[int, ...]

    def engine_start(self) -> State:
        values = {name: int(value) if value.isdigit() else value for name, value in self.house.items()}
        start = engine.new_game(self.seats, self.oldest, HouseRules.from_dict(values))
        return engine.replay(start, map(parse_move, self.moves))

    def slow_start(self) -> Table:
        table: Table | None = Table(self.seats, self.oldest, **self.house)
        for move in self.moves:
            assert table is not None, move
            table = table.tried(move)
        assert table is not None, self.moves
        return table


def read_table() -> list[Line]:
    lines = []
    for text in TABLE.read_text().splitlines():
        if text and not text.startswith("#"):
            players, house, moves, counts = (part.strip() for part in text.split("|"))
            seats, oldest = players.split()
            lines.append(
                Line(
                    int(seats),
                    int(oldest),
                    dict(pair.split("=") for pair in house.split()),
                    tuple(move.strip() for move in moves.split(";") if move.strip()),
                    tuple(int(count) for count in counts.split()),
                )
            )
    return lines


def perft(state: State, depth: int) -> int:
    moves = engine.legal_moves(state)
    return len(moves) if depth == 1 else sum(perft(engine.apply(state, move), depth - 1) for move in moves)


@pytest.mark.parametrize("line", read_table(), ids=lambda line: "; ".join((*line.house.values(), *line.moves)))
def test_the_engine_counts_what_the_table_says(line: Line) -> None:
    """The number of sequences at each depth is the one in the table."""
    start = line.engine_start()
    assert tuple(perft(start, depth) for depth in range(1, len(line.counts) + 1)) == line.counts


@pytest.mark.parametrize("line", read_table(), ids=lambda line: "; ".join((*line.house.values(), *line.moves)))
def test_a_second_account_of_the_rules_confirms_the_table(line: Line) -> None:
    """The slow table, which shares no code with the engine, counts the same."""
    start = line.slow_start()
    for depth, count in enumerate(line.counts, 1):
        if depth == 1 or count <= SLOW_LIMIT:
            assert slow_perft(start, depth) == count


def print_table() -> None:
    """Print every line with the engine's counts in place of the written ones, as deep as those were."""
    for text in TABLE.read_text().splitlines():
        if not text or text.startswith("#"):
            print(text)
    for line in read_table():
        counts = " ".join(str(perft(line.engine_start(), depth)) for depth in range(1, len(line.counts) + 1))
        house = " ".join(f"{name}={value}" for name, value in line.house.items())
        print(f"{line.seats} {line.oldest} | {house} | {'; '.join(line.moves)} | {counts}")


if __name__ == "__main__":
    print_table()
