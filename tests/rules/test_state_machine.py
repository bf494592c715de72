"""What holds after every move, whatever is entered: found by hypothesis, and by whole games at random."""

import random

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from companion.rules import engine, moves
from companion.rules.cards import DECK, DECK_SIZE, Card, Counts, Kind
from companion.rules.errors import IllegalMove
from companion.rules.houserules import CallWindow, HouseRules, choices
from companion.rules.notation import format_move, format_state, parse_move, parse_state
from companion.rules.state import PLAYING, RUNNING, Accusation, Gifts, Phase, State

HOUSES = st.builds(
    HouseRules.from_dict,
    st.fixed_dictionaries(
        {
            name: st.sampled_from([int(one) if one.isdigit() else one for one in choices(name)])
            for name in HouseRules().to_dict()
        }
    ),
)
CARDS = st.builds(Card, st.sampled_from(Kind), st.integers(1, 5))
COUNTS = st.builds(Counts, **{kind.value: st.integers(0, 4) for kind in Kind})
SEATS = st.integers(-1, 5)
ANYTHING = st.one_of(
    st.builds(moves.Play, SEATS, CARDS),
    st.builds(moves.Race, SEATS, CARDS),
    st.builds(moves.Draw, SEATS),
    st.builds(moves.Give, SEATS, SEATS),
    st.builds(moves.Ant, st.none() | st.lists(SEATS, max_size=4).map(tuple)),
    st.builds(moves.Slaps, st.lists(SEATS, max_size=4).map(tuple)),
    st.builds(moves.Gift, SEATS),
    st.builds(moves.Accuse, SEATS),
    st.builds(moves.Uphold, st.integers(-1, 3)),
    st.builds(moves.Out, SEATS),
    st.builds(moves.Count, SEATS, COUNTS),
    st.builds(moves.SetTop, CARDS),
    st.builds(moves.SetTurn, SEATS),
    st.builds(moves.SetGuard, SEATS),
    st.builds(moves.SetHand, SEATS, st.integers(-1, 71)),
    st.builds(moves.SetDraw, st.integers(-1, 71)),
    st.builds(moves.SetDiscard, COUNTS),
)


def check(state: State) -> None:
    """Everything that holds in every state."""
    assert sum(state.hands) + state.draw_pile + state.discard_pile + sum(state.vanished) == DECK_SIZE
    assert min(*state.hands, state.draw_pile, state.discard_pile, *state.vanished) >= 0
    assert all(state.known.of(kind) <= DECK[kind] for kind in Kind)
    assert state.known.total <= state.discard_pile
    if state.top is None:
        assert state.phase is Phase.DEAL
    else:
        assert state.known.of(state.top.kind) >= 1
    assert all(0 <= seat < state.seats for seat in (state.turn, state.guard, state.starting_guard, *state.last_acts))
    if isinstance(state.pending, Gifts):
        assert state.pending.givers
        assert all(state.hands[giver] > 0 for giver in state.pending.givers)
    if isinstance(state.pending, Accusation):
        assert state.pending.seat != state.guard
    if state.phase is Phase.TURN:
        assert 0 not in state.hands
    if state.phase is Phase.COUNT:
        assert 0 in state.hands


def check_ways_on(state: State) -> None:
    """Nobody is stuck: there is a legal move, and in a running round there are corrections."""
    legal = engine.legal_moves(state)
    assert bool(legal) is (state.phase is not Phase.GAME_OVER)
    assert len(set(legal)) == len(legal)
    corrections = engine.legal_corrections(state)
    assert bool(corrections) is (state.phase in RUNNING)
    assert parse_state(format_state(state)) == state
    assert str(engine.prompt(state))
    for move in (*legal, *corrections):
        check(engine.apply(state, move))


class Table(RuleBasedStateMachine):
    """Players who enter whatever they like."""

    @initialize(seats=st.integers(3, 5), oldest=st.integers(0, 2), house=HOUSES)
    def sit_down(self, seats: int, oldest: int, house: HouseRules) -> None:
        self.start = self.state = engine.new_game(seats, oldest, house)
        self.played: list[moves.Move] = []

    def enter(self, move: moves.Move) -> None:
        before = format_state(self.state)
        self.after = engine.apply(self.state, move)
        assert format_state(self.state) == before
        assert all(str(remark) for remark in engine.remarks(self.state, move, self.after))
        self.state = self.after
        self.played.append(move)

    @rule(data=st.data())
    @precondition(lambda self: self.state.phase is not Phase.GAME_OVER)
    def move(self, data: st.DataObject) -> None:
        self.enter(data.draw(st.sampled_from(engine.legal_moves(self.state))))

    @rule(data=st.data())
    @precondition(lambda self: self.state.phase in RUNNING)
    def correct(self, data: st.DataObject) -> None:
        self.enter(data.draw(st.sampled_from(engine.legal_corrections(self.state))))

    @rule(seat=st.integers(0, 4), cards=st.integers(1, 2))
    @precondition(lambda self: self.state.phase in PLAYING)
    def come_near_the_end(self, seat: int, cards: int) -> None:
        if engine.explain(self.state, moves.SetHand(seat, cards)) is None:
            self.enter(moves.SetHand(seat, cards))

    @rule(cards=st.integers(0, 2))
    @precondition(lambda self: self.state.phase in PLAYING)
    def come_near_the_end_of_the_pile(self, cards: int) -> None:
        if engine.explain(self.state, moves.SetDraw(cards)) is None:
            self.enter(moves.SetDraw(cards))

    @rule(move=ANYTHING)
    def enter_anything(self, move: moves.Move) -> None:
        why = engine.explain(self.state, move)
        if why is None:
            self.enter(move)
        else:
            assert str(why).endswith(".")

    @invariant()
    def holds(self) -> None:
        check(self.state)
        check_ways_on(self.state)

    def teardown(self) -> None:
        assert engine.replay(self.start, self.played) == self.state
        if self.played:
            assert engine.apply(engine.replay(self.start, self.played[:-1]), self.played[-1]) == self.state


TestTable = Table.TestCase
TestTable.settings = settings(
    max_examples=30, stateful_step_count=25, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)


@pytest.mark.parametrize("seed", range(30))
def test_a_game_at_random_comes_to_its_end(seed: int) -> None:
    """With any house rules and some corrections a game ends after as many rounds as players, with a winner."""
    rng = random.Random(seed)
    names = HouseRules().to_dict()
    drawn = {name: rng.choice(choices(name)) for name in names}
    house = HouseRules.from_dict({name: int(one) if one.isdigit() else one for name, one in drawn.items()})
    seats = 3 + seed % 3
    start = state = engine.new_game(seats, rng.randrange(seats), house)
    played: list[str] = []
    while engine.outcome(state) is None:
        assert len(played) < 20_000, "this game does not end"
        correct = state.phase in RUNNING and rng.random() < 0.02
        open_to = engine.legal_corrections(state) if correct else engine.legal_moves(state)
        move = rng.choice([one for one in open_to if not isinstance(one, moves.Draw) or rng.random() < 0.5] or open_to)
        state = engine.apply(state, move)
        played.append(format_move(move))
        check(state)
    outcome = engine.outcome(state)
    assert outcome is not None
    assert len(state.results) == seats
    assert outcome.totals == tuple(sum(result.penalties[seat] for result in state.results) for seat in range(seats))
    assert outcome.winners == tuple(seat for seat in range(seats) if outcome.totals[seat] == min(outcome.totals))
    assert engine.replay(start, map(parse_move, played)) == state


def test_a_text_in_place_of_a_move_is_no_move() -> None:
    """The engine takes moves alone: text is read by the notation."""
    with pytest.raises(AssertionError):
        engine.apply(engine.new_game(3, 0), "draw 0")  # type: ignore[arg-type]


@pytest.mark.parametrize("seat", [-1, 3, True, "1", 1.0, None])
def test_a_seat_that_is_not_at_the_table_is_refused(seat: object) -> None:
    """The engine never trusts its caller."""
    state = engine.replay(engine.new_game(3, 0), [moves.Deal(Card(Kind.NUMBER, 4))])
    for move in (moves.Draw(seat), moves.Accuse(seat), moves.Out(seat), moves.SetTurn(seat), moves.SetHand(seat, 3)):  # type: ignore[arg-type]
        with pytest.raises(IllegalMove, match="There is no place"):
            engine.apply(state, move)


def test_call_windows_are_drawn_from_all_choices() -> None:
    """The games at random are played under each kind of window."""
    assert set(choices("call_window")) == {window.value for window in CallWindow}
