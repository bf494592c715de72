"""Whole games as text: every observable after each move, compared line by line.

A playthrough holds the lines that a person wrote (``#`` remarks that cite a rule, ``game``, ``> move`` and
``! move`` for one that is refused) and, below each, the lines that the engine answers with. To write the answers anew:
``uv run python -m tests.rules.test_playthroughs``, which changes the files in place. Then read every changed line
against the rule that its remark cites, and approve it; an answer that nobody read proves nothing.
"""

from pathlib import Path

import pytest

from companion.rules import engine
from companion.rules.cards import DECK_SIZE
from companion.rules.houserules import HouseRules
from companion.rules.notation import format_move, format_state, parse_move
from companion.rules.scoring import totals
from companion.rules.state import State

FOLDER = Path(__file__).with_name("playthroughs")
FILES = sorted(FOLDER.glob("*.txt"))
WRITTEN = ("#", "game ", "> ", "! ")


def setting(pair: str) -> tuple[str, str | int]:
    name, _, value = pair.partition("=")
    return name, int(value) if value.isdigit() else value


def play(written: list[str]) -> list[str]:
    """Return the written lines with the engine's answer below each."""
    lines: list[str] = []
    state: State | None = None
    for text in written:
        lines.append(text)
        if text.startswith("game "):
            seats, oldest, *house = text.removeprefix("game ").split()
            state = engine.new_game(int(seats), int(oldest), HouseRules.from_dict(dict(map(setting, house))))
            lines += observables(state)
        elif text.startswith(("> ", "! ")):
            assert state is not None, "a playthrough starts with a game"
            before, move = state, parse_move(text[2:])
            assert format_move(move) == text[2:]
            why = engine.explain(before, move)
            assert (why is None) == text.startswith("> "), f"{text}: {why}"
            if why is not None:
                lines.append(f"  refused: {why}")
                continue
            state = engine.apply(before, move)
            lines += [f"  says: {remark}" for remark in engine.remarks(before, move, state)]
            lines += observables(state)
    return lines


def observables(state: State) -> list[str]:
    """All there is to see of a state: its text, its choices, its points, its sentence."""
    moves = engine.legal_moves(state)
    options = engine.options(state)
    chosen = {name: getattr(options, name) for name in options.__dataclass_fields__}
    offers = " ".join(
        f"{name}={_shown(value)}"
        for name, value in chosen.items()
        if value is not None and value is not False and value != ()
    )
    cards = sum(state.hands) + state.draw_pile + state.discard_pile + sum(state.vanished)
    assert cards == DECK_SIZE
    lines = [
        f"  {format_state(state)}",
        f"  offers: {offers}",
        f"  legal: {len(moves)}: {', '.join(map(format_move, moves)) if len(moves) <= 12 else ''}".rstrip(),
        f"  next: {engine.prompt(state)}",
    ]
    if state.results and state.phase.value in ("round_over", "game_over"):
        last = state.results[-1]
        lines.append(
            f"  points: {last.penalties} total {totals(state)} cheated unseen {last.cheated_unseen} "
            f"miscounted {last.miscounted} calls {last.calls} caught {last.caught}"
        )
    outcome = engine.outcome(state)
    return lines if outcome is None else [*lines, f"  winners: {outcome.winners} of {outcome.totals}"]


def _shown(value: object) -> str:
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_playthrough_reads_as_it_did(path: Path) -> None:
    """Every observable after every move is the one that was read and approved."""
    lines = path.read_text().splitlines()
    written = [line for line in lines if line.startswith(WRITTEN)]
    assert play(written) == [line for line in lines if line]


def test_there_are_playthroughs() -> None:
    """The folder is not empty, so that the test above holds something."""
    assert len(FILES) >= 5


def write_anew() -> None:
    """Write the answers in every playthrough anew."""
    for path in FILES:
        written = [line for line in path.read_text().splitlines() if line.startswith(WRITTEN)]
        path.write_text("\n".join(play(written)) + "\n")


if __name__ == "__main__":
    write_anew()
