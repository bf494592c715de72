"""The engine and a second, independently written account of the rules agree, move by move."""

import random

import pytest

from companion.rules import engine
from companion.rules.houserules import HouseRules
from companion.rules.notation import format_move, parse_move
from companion.rules.scoring import totals
from companion.rules.state import State
from tests.rules.slow_table import Table

HOUSES: list[dict[str, str]] = [
    {},
    {"last_card_action": "carried_out", "cockroach_cards": "any_but_moths"},
    {"spider_last_card": "forbidden", "cheatable": "moths_only", "caught_gift": "2"},
    {"next_guard": "left_of_last_guard", "last_card_action": "carried_out", "caught_gift": "2"},
]


def house_rules(house: dict[str, str]) -> HouseRules:
    return HouseRules.from_dict({name: int(value) if value.isdigit() else value for name, value in house.items()})


def seen(state: State) -> tuple[object, ...]:
    """What both accounts can be asked for."""
    piles = (state.draw_pile, state.discard_pile, str(state.top or ""))
    return (state.phase.value, state.turn, state.guard, list(state.hands), list(state.vanished), piles, totals(state))


def seen_by_table(table: Table) -> tuple[object, ...]:
    piles = (table.deck, len(table.pile), table.pile[-1] if table.pile else "")
    return (table.waits, table.turn, table.guard, table.hand, table.lost, piles, tuple(table.points))


def start(rng: random.Random, seats: int) -> list[str]:
    """A deal, and now and then a scene in which hands or piles run out soon."""
    scene = [f"deal {rng.choice(['1', 'ant2', 'moth3', 'spider4', '5'])}"]
    if rng.random() < 0.7:
        scene += [f"set hand {seat} {rng.randint(1, 4)}" for seat in range(seats)]
    if rng.random() < 0.5:
        scene += [f"set draw {rng.randint(0, 3)}"]
    return scene


@pytest.mark.parametrize("seed", range(24))
def test_both_accounts_allow_the_same_moves_and_see_the_same_table(seed: int) -> None:
    """Through random play, at every state, legal moves and all that can be seen are equal."""
    rng = random.Random(seed)
    seats = 3 + seed % 3
    house = HOUSES[seed // 3 % len(HOUSES)]
    state, table = engine.new_game(seats, seed % seats, house_rules(house)), Table(seats, seed % seats, **house)
    for text in start(rng, seats):
        after = table.tried(text)
        assert after is not None
        state, table = engine.apply(state, parse_move(text)), after
    for _ in range(60):
        allowed = {format_move(move) for move in engine.legal_moves(state)}
        children = table.legal()
        assert allowed == set(children)
        if not allowed:
            break
        text = rng.choice([move for move in sorted(allowed) if not move.startswith("accuse") or rng.random() < 0.3])
        state, table = engine.apply(state, parse_move(text)), children[text]
        assert seen(state) == seen_by_table(table), text


@pytest.mark.parametrize("seed", range(6))
def test_what_is_not_among_the_legal_moves_is_refused(seed: int) -> None:
    """Of everything that could be written, ``apply`` takes exactly what ``legal_moves`` lists."""
    rng = random.Random(100 + seed)
    seats = 3 + seed % 3
    state = engine.new_game(seats, 0)
    for text in start(rng, seats):
        state = engine.apply(state, parse_move(text))
    written = list(Table(seats, 0).texts())
    for _ in range(15):
        taken = {text for text in written if engine.explain(state, parse_move(text)) is None}
        moves = [format_move(move) for move in engine.legal_moves(state)]
        assert len(moves) == len(set(moves))
        assert {text for text in taken if not text.startswith("count")} == {
            text for text in moves if not text.startswith("count")
        }
        if not moves:
            break
        state = engine.apply(state, parse_move(rng.choice(moves)))
