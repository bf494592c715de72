"""Every house rule changes something that can be seen, in the way it says."""

import pytest

from companion.rules import engine
from companion.rules.errors import BadSetUp
from companion.rules.houserules import HouseRules, choices
from companion.rules.options import DrawPrompt
from companion.rules.state import Phase
from tests.rules.tables import after, refusal, setting, table

ENDED_WITH_ANOTHER_GUARD = (
    "deal 4",
    "accuse 1",
    "uphold 0",
    "set hand 0 1",
    "play 0 3",
    "count 1 number=7",
    "count 2 number=7",
    "next",
)


@pytest.mark.parametrize(("rule", "guard"), [("left_of_starting_guard", 1), ("left_of_last_guard", 2)])
def test_next_guard(rule: str, guard: int) -> None:
    """Seat 0 started the round and seat 1 held the Guard Bug at its end."""
    state = table(*ENDED_WITH_ANOTHER_GUARD, house=setting("next_guard", rule))
    assert (state.round, state.guard, state.starting_guard, state.turn) == (2, guard, guard, guard)


@pytest.mark.parametrize(("rule", "prompt"), [("allowed", DrawPrompt.REMIND), ("forbidden", DrawPrompt.CONFIRM)])
def test_draw_when_able(rule: str, prompt: DrawPrompt) -> None:
    """A draw is always accepted; the rule decides whether the tablet reminds or asks to confirm."""
    state = table("deal 4", house=setting("draw_when_able", rule))
    assert engine.options(state).draw is prompt
    assert after(state, "draw 0").hands == (9, 8, 8)


@pytest.mark.parametrize(("rule", "phase"), [("skipped", Phase.COUNT), ("carried_out", Phase.ANT)])
def test_last_card_action(rule: str, phase: Phase) -> None:
    """An ant as the last card ends the round, at once or after the others have drawn."""
    state = table("deal 4", "set hand 0 1", "play 0 ant3", house=setting("last_card_action", rule))
    assert (state.phase, state.hands) == (phase, (0, 8, 8))
    if phase is Phase.ANT:
        drawn = after(state, "ant all")
        assert (drawn.phase, drawn.hands) == (Phase.COUNT, (0, 9, 9))


def test_last_card_action_is_carried_out_for_a_player_who_declares_to_be_out() -> None:
    """Cheated down to a mosquito, seat 0 says so before the gifts, and gives nothing."""
    house = setting("last_card_action", "carried_out")
    state = table("deal 4", "play 0 mosquito3", "slaps 1", "out 0", house=house)
    assert (state.phase, state.hands, engine.options(state).must_give) == (Phase.GIFTS, (0, 8, 8), (2,))
    assert after(state, "gift 2").phase is Phase.COUNT


@pytest.mark.parametrize(("rule", "allowed"), [("allowed", True), ("forbidden", False)])
def test_spider_last_card(rule: str, allowed: bool) -> None:
    """The spider's gift may be the last card, or the player keeps it."""
    state = table("deal 4", "set hand 0 2", "play 0 spider3", house=setting("spider_last_card", rule))
    assert (engine.options(state).may_receive == (1, 2)) is allowed
    if allowed:
        assert after(state, "give 0 1").phase is Phase.COUNT
    else:
        assert "may not be given away" in refusal(state, "give 0 1")
        assert after(state, "keep 0").turn == 1


@pytest.mark.parametrize(("rule", "allowed"), [("allowed", True), ("forbidden", False)])
def test_spider_last_card_of_a_hand_that_was_cheated_down(rule: str, allowed: bool) -> None:
    """Where the last card may not be given, a player who gave one holds another and is not out."""
    state = table("deal 4", "play 0 spider3", "give 0 1", house=setting("spider_last_card", rule))
    assert (refusal(state, "out 0") == "") is allowed


@pytest.mark.parametrize(("rule", "allowed"), [("numbers_only", False), ("any_but_moths", True)])
def test_cockroach_cards(rule: str, allowed: bool) -> None:
    """An action card may be laid in the race or not; it does not act. A moth never may, not even by the Guard."""
    state = table("deal 4", "play 0 cockroach3", house=setting("cockroach_cards", rule))
    assert (refusal(state, "race 1 ant3") == "") is allowed
    assert refusal(state, "race 1 3") == ""
    assert "may not be laid" in refusal(state, "race 0 moth3")
    if allowed:
        raced = after(state, "race 1 ant3")
        assert (raced.phase, raced.turn, str(raced.top), raced.hands) == (Phase.TURN, 1, "ant3", (7, 7, 8))


@pytest.mark.parametrize(("rule", "allowed"), [("any_card", True), ("moths_only", False)])
def test_cheatable(rule: str, allowed: bool) -> None:
    """More cards than there are moths out of sight cannot have vanished where only moths may."""
    state = table("deal moth4", "set hand 0 9", "play 0 3", house=setting("cheatable", rule))
    assert state.hands[0] == 8
    assert (refusal(state, "out 0") == "") is allowed
    assert (engine.options(state).may_go_out == (0,)) is allowed
    fewer = table("deal moth4", "set hand 0 8", "play 0 3", house=setting("cheatable", rule))
    assert refusal(fewer, "out 0") == ""


@pytest.mark.parametrize(("rule", "most"), [(1, 1), (2, 2)])
def test_caught_gift(rule: int, most: int) -> None:
    """The Guard hands over up to so many cards, and never more."""
    state = table("deal 4", "accuse 2", house=setting("caught_gift", rule))
    assert engine.options(state).most_gifts == most
    assert refusal(state, f"uphold {most + 1}") != ""
    caught = after(state, f"uphold {most}")
    assert (caught.hands, caught.guard) == ((8 - most, 8, 8 + most), 2)


@pytest.mark.parametrize(
    ("window", "in_progress", "plays", "elapsed_s", "is_open"),
    [
        ("in_the_act", True, 3, 9.0, True),
        ("in_the_act", False, 0, 0.1, False),
        ("until_next_play", False, 0, 99.0, True),
        ("until_next_play", False, 1, 0.1, False),
        (10, False, 5, 10.0, True),
        (10, False, 0, 10.1, False),
        (10, True, 5, 99.0, True),
    ],
)
def test_call_window(window: str | int, in_progress: bool, plays: int, elapsed_s: float, is_open: bool) -> None:
    """A cheat can be called while it goes on, until the next card is played or drawn, or for some seconds."""
    house = setting("call_window", window)
    assert house.call_is_open(in_progress=in_progress, plays_since=plays, elapsed_s=elapsed_s) is is_open


def test_the_defaults_are_those_of_the_rules() -> None:
    """Without a word on it a game is played as the rules document says."""
    assert HouseRules().to_dict() == {
        "next_guard": "left_of_starting_guard",
        "draw_when_able": "allowed",
        "last_card_action": "skipped",
        "spider_last_card": "allowed",
        "cockroach_cards": "numbers_only",
        "cheatable": "any_card",
        "call_window": "until_next_play",
        "caught_gift": 1,
    }


def test_house_rules_are_read_back_as_they_were_written() -> None:
    """Every choice of every rule survives the way through a dict."""
    for name in HouseRules().to_dict():
        for choice in choices(name):
            house = setting(name, int(choice) if choice.isdigit() else choice)
            assert HouseRules.from_dict(house.to_dict()) == house
            assert house.to_dict()[name] == (int(choice) if choice.isdigit() else choice)
    assert HouseRules.from_dict({"call_window": 7}).to_dict()["call_window"] == 7


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"draw_twice": "allowed"}, "There is no house rule draw_twice"),
        ({"cheatable": "ants"}, "House rule cheatable cannot be ants: choose one of any_card, moths_only."),
        ({"caught_gift": 3}, "House rule caught_gift cannot be 3: choose one of 1, 2."),
        ({"caught_gift": True}, "cannot be True"),
        ({"call_window": 0}, "or whole seconds from 1 to 600"),
        ({"call_window": 601}, "or whole seconds from 1 to 600"),
        ({"call_window": 2.5}, "or whole seconds from 1 to 600"),
        ({"next_guard": None}, "House rule next_guard cannot be None"),
        ({"next_guard": ["allowed"]}, "House rule next_guard cannot be"),
    ],
)
def test_a_house_rule_that_cannot_be_read_is_named(values: dict[str, object], sentence: str) -> None:
    """One sentence names the rule and what it can be."""
    with pytest.raises(BadSetUp) as caught:
        HouseRules.from_dict(values)
    assert sentence in str(caught.value)


def test_moths_that_are_gone_with_one_hand_cannot_be_gone_with_another() -> None:
    """One moth is turned up and five vanished with seat 0, so seat 2 is short of two at most."""
    house = HouseRules.from_dict({"cheatable": "moths_only", "last_card_action": "carried_out"})
    scene = ("deal moth4", "set hand 0 6", "set hand 2 4", "play 0 mosquito3", "slaps 1", "out 0", "gift 2")
    state = table(*scene, seats=4, house=house)
    assert (state.phase, state.hands[2], state.vanished) == (Phase.GIFTS, 3, (5, 0, 0, 0))
    assert "more cards are missing in the hand of 2 (3) than moths can be gone (2)" in refusal(state, "out 2")
    assert after(state, "set hand 2 2", "out 2").vanished == (5, 0, 2, 0)
