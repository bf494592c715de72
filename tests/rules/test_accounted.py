"""What the companion knows and what it cannot know: accounted numbers, going out, counts."""

import pytest

from companion.rules import engine
from companion.rules.cards import DECK, DECK_SIZE, PENALTY, Counts, Kind
from companion.rules.errors import BadSetUp
from companion.rules.scoring import totals
from companion.rules.state import Phase
from tests.rules.tables import after, refusal, table


def test_the_deck_is_the_published_one() -> None:
    """43 number cards, 5 of each action card, 8 moths: 71 cards, worth 1, 5 and 10 points."""
    assert [DECK[kind] for kind in Kind] == [43, 5, 5, 5, 5, 8]
    assert DECK_SIZE == 71
    assert [PENALTY[kind] for kind in Kind] == [1, 5, 5, 5, 5, 10]
    assert Counts(number=2, ant=1, moth=1).penalty == 17


@pytest.mark.parametrize(("seats", "draw_pile"), [(3, 46), (4, 38), (5, 30)])
def test_each_player_is_dealt_eight_cards(seats: int, draw_pile: int) -> None:
    """The rest is the draw pile, of which one card is turned up."""
    state = table("deal mosquito2", seats=seats)
    assert (state.hands, state.draw_pile, state.discard_pile) == ((8,) * seats, draw_pile, 1)
    assert (state.phase, state.turn, state.guard) == (Phase.TURN, 0, 0)


@pytest.mark.parametrize(("seats", "oldest"), [(2, 0), (6, 0), (3, 3), (3, -1)])
def test_a_game_that_cannot_be_set_up_is_refused(seats: int, oldest: int) -> None:
    """Three to five players, and one of them is the oldest."""
    with pytest.raises(BadSetUp):
        engine.new_game(seats, oldest)


def test_a_true_call_leaves_the_returned_card_accounted_and_adds_the_gift() -> None:
    """The cheated card never left the accounted number, so only the card handed over changes it."""
    state = table("deal 4", "accuse 2", "uphold 1")
    assert (state.hands, state.guard, state.turn) == ((7, 8, 9), 2, 0)
    assert (state.calls, state.caught) == ((0, 0, 1), (0, 0, 1))


def test_a_guard_with_nothing_to_give_gives_nothing() -> None:
    """Only moths in the Guard's hand: the Guard Bug moves all the same."""
    state = table("deal 4", "accuse 2", "uphold 0")
    assert (state.hands, state.guard) == ((8, 8, 8), 2)


def test_a_false_call_costs_the_guard_a_card() -> None:
    """The Guard draws one and stays the Guard."""
    state = table("deal 4", "accuse 2", "dismiss")
    assert (state.hands, state.guard, state.draw_pile) == ((9, 8, 8), 0, 45)
    assert (state.calls, state.caught) == ((0, 0, 1), (0, 0, 0))


def test_a_call_taken_back_leaves_no_trace() -> None:
    """As if nobody had called."""
    assert table("deal 4", "accuse 2", "withdraw") == table("deal 4")


@pytest.mark.parametrize(
    "scene",
    [
        ("draw 0",),
        ("play 0 spider3",),
        ("play 0 ant3",),
        ("play 0 cockroach3",),
        ("play 0 mosquito3",),
        ("play 0 mosquito3", "slaps 1", "gift 2"),
    ],
)
@pytest.mark.parametrize("ruling", ["uphold 1", "uphold 0", "dismiss", "withdraw"])
def test_play_comes_back_to_what_the_call_broke_into(scene: tuple[str, ...], ruling: str) -> None:
    """Whatever was open is open again, with the same turn, after a change of the Guard too."""
    before = table("deal 4", *scene)
    settled = after(before, "accuse 1", ruling)
    assert (settled.phase, settled.pending, settled.turn, settled.top) == (
        *(before.phase, before.pending, before.turn, before.top),
    )
    assert settled.guard == (1 if ruling.startswith("uphold") else 0)


@pytest.mark.parametrize(
    ("scene", "last"),
    [
        (("set hand 0 1",), "play 0 3"),
        (("set hand 0 2", "play 0 spider3"), "give 0 1"),
        (("set hand 2 1", "play 0 mosquito3", "slaps 1"), "gift 2"),
        (("set hand 2 1", "play 0 cockroach3"), "race 2 3"),
        (("set hand 0 1", "accuse 2"), "uphold 1"),
    ],
)
def test_a_hand_accounted_empty_is_out_by_itself(scene: tuple[str, ...], last: str) -> None:
    """By a play, a gift of any kind or a race the round is over without a declaration."""
    before = table("deal 4", *scene)
    assert before.phase is not Phase.COUNT
    assert after(before, last).phase is Phase.COUNT


@pytest.mark.parametrize(
    ("scene", "seat"),
    [
        (("play 0 3",), 0),
        (("play 0 spider3", "give 0 1"), 0),
        (("play 0 mosquito3", "slaps 1", "gift 2"), 2),
        (("play 0 cockroach3", "race 2 3"), 2),
        (("accuse 2", "uphold 1"), 0),
        (("play 0 ant3", "ant all"), 0),
        (("play 0 3", "accuse 1", "dismiss", "set turn 2"), None),
    ],
)
def test_who_was_cheated_down_may_go_out_as_the_last_act(scene: tuple[str, ...], seat: int | None) -> None:
    """Right after laying or giving a card, and nobody else may."""
    state = table("deal 4", *scene)
    others = {0, 1, 2} - {seat}
    assert all(refusal(state, f"out {other}") for other in others if other not in engine.options(state).may_go_out)
    if seat is not None:
        gone = after(state, f"out {seat}")
        assert (gone.phase, gone.hands[seat], gone.vanished[seat]) == (Phase.COUNT, 0, state.hands[seat])


@pytest.mark.parametrize(
    ("scene", "seat"),
    [
        ((), 0),
        (("play 0 3", "draw 1"), 0),
        (("play 0 3", "play 1 4"), 0),
        (("draw 0",), 0),
        (("play 0 3", "accuse 1", "dismiss"), 0),
        (("accuse 1", "uphold 1"), 1),
        (("play 0 3", "play 1 4", "accuse 1", "uphold 0"), 1),
        (("play 0 mosquito3", "slaps 1", "gift 2"), 1),
        (("play 0 3", "play 1 spider4", "give 1 0"), 0),
        (("play 0 3", "play 1 ant4", "ant all"), 0),
        (("play 0 3", "accuse 1"), 0),
        (("play 0 3", "play 1 4"), 2),
    ],
)
def test_nobody_goes_out_without_a_last_act_or_with_a_card_got_since(scene: tuple[str, ...], seat: int) -> None:
    """After a draw, a gift received, a card taken back, or another's play the hand cannot be empty by a last act."""
    assert refusal(table("deal 4", *scene), f"out {seat}") != ""


def test_true_hands_are_counted_against_accounted_ones() -> None:
    """Fewer is cheated unseen, more is a miscount, and who was out is not counted."""
    state = table("deal 4", "play 0 3", "out 0", "count 1 number=6", "count 2 number=8 moth=2")
    (result,) = state.results
    assert result.cheated_unseen == (7, 2, 0)
    assert result.miscounted == (0, 0, 2)
    assert result.penalties == (0, 6, 28) == totals(state)
    assert result.counts[0] == Counts()


def test_counts_are_refused_beyond_the_deck_with_the_reason() -> None:
    """The moth on the discard pile, those counted and those being counted are more than eight."""
    state = table("deal moth4", "set hand 0 1", "play 0 moth3", "count 1 moth=4")
    assert refusal(state, "count 2 moth=3") == (
        "That makes 9 cards of the kind moth, 2 of them in the discard pile, and the deck has only 8: "
        "count again, or correct what lies in the discard pile."
    )
    assert refusal(state, "count 2 moth=2") == ""


def test_a_shuffle_forgets_what_lay_in_the_discard_pile() -> None:
    """Cards that were shuffled back may be in a hand again; the top card may not."""
    state = table("deal moth4", "play 0 moth3", "set draw 0", "draw 1", "set hand 2 1", "play 2 4")
    assert state.known == Counts(number=1, moth=1)
    assert refusal(state, "count 0 moth=7") == ""
    assert refusal(state, "count 0 moth=8") != ""


def test_piles_are_shuffled_when_a_card_is_needed_and_not_before() -> None:
    """The top card stays; the card that was needed is drawn."""
    state = table("deal 4", "play 0 3", "set draw 0")
    assert (state.draw_pile, state.discard_pile) == (0, 48)
    assert engine.options(state).shuffle_first
    drawn = after(state, "draw 1")
    assert (drawn.draw_pile, drawn.discard_pile, drawn.hands) == (46, 1, (7, 9, 8))


def test_nobody_draws_from_two_exhausted_piles_and_the_turn_passes() -> None:
    """The ant's cards go clockwise as far as they last."""
    state = table("deal 4", "set hand 2 53", "set draw 1", "play 0 ant3", seats=3)
    assert state.draw_pile + state.discard_pile == 3
    assert after(state, "ant all").hands == (7, 9, 54)
    short = table("deal 4", "set hand 2 54", "play 0 ant3", "ant all")
    assert short.hands == (7, 9, 54)
    empty = table("deal 4", "set hand 2 54", "draw 0")
    assert (empty.draw_pile, empty.discard_pile) == (0, 1)
    assert after(empty, "draw 1").hands == empty.hands
    assert after(empty, "draw 1").turn == 2


def test_a_player_may_know_that_an_ant_reached_some_alone() -> None:
    """Seats that drew nothing are left as they are."""
    assert table("deal 4", "play 0 ant3", "ant 2").hands == (7, 8, 9)
    assert table("deal 4", "play 0 ant3", "ant none").hands == (7, 8, 8)


@pytest.mark.parametrize(
    ("points", "winners"),
    [((("2", "3"), ("2", "2"), ("1", "1")), (0, 1)), ((("8", "8"), ("1", "2"), ("1", "8")), (0,))],
)
def test_the_lowest_total_wins_and_equal_totals_share(
    points: tuple[tuple[str, str], ...], winners: tuple[int, ...]
) -> None:
    """After as many rounds as players; the starting Guard of each round goes out here."""
    state = engine.new_game(3, 0)
    for guard, (left, right) in enumerate(points):
        assert engine.outcome(state) is None
        one, other = (guard + 1) % 3, (guard + 2) % 3
        state = after(state, "deal 4", f"set hand {guard} 1", f"play {guard} 3", f"count {one} number={left}")
        state = after(state, f"count {other} number={right}", *(["next"] if guard < 2 else []))
    outcome = engine.outcome(state)
    assert outcome is not None
    assert outcome.winners == winners
    assert refusal(state, "next") == "The game is over: start a new game to play again."
