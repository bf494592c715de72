"""House rules in plain words, for the set-up screen."""

from dataclasses import dataclass

from companion.rules.houserules import HouseRules
from companion.session.views import Assist
from companion.web.words import mark, translate


@dataclass(frozen=True, slots=True)
class Choice:
    """One value of a house rule."""

    value: str
    title: str
    default: bool


@dataclass(frozen=True, slots=True)
class Rule:
    """One house rule with its choices."""

    name: str
    title: str
    choices: tuple[Choice, ...]


_RULES: tuple[tuple[str, str, tuple[tuple[str, str], ...]], ...] = (
    (
        "next_guard",
        mark("Who is the Guard in the next round?"),
        (
            ("left_of_starting_guard", mark("Left of whoever began this round as the Guard")),
            ("left_of_last_guard", mark("Left of whoever has the Guard Bug at the end")),
        ),
    ),
    (
        "draw_when_able",
        mark("May you draw although a card fits?"),
        (("allowed", mark("Yes")), ("forbidden", mark("No: the tablet asks first"))),
    ),
    (
        "last_card_action",
        mark("Your last card is an action card: does it act?"),
        (("skipped", mark("No, the round is over at once")), ("carried_out", mark("Yes, then the round is over"))),
    ),
    (
        "spider_last_card",
        mark("May the spider give your last card away?"),
        (("allowed", mark("Yes")), ("forbidden", mark("No, a last card is played"))),
    ),
    (
        "cockroach_cards",
        mark("What may be laid on the cockroach?"),
        (("numbers_only", mark("Number cards")), ("any_but_moths", mark("Any card but a moth; it does not act"))),
    ),
    (
        "cheatable",
        mark("Which cards may vanish?"),
        (("any_card", mark("Any card")), ("moths_only", mark("Moths only"))),
    ),
    (
        "call_window",
        mark("How long can a cheat be called?"),
        (
            ("until_next_play", mark("Until the next card is played")),
            ("in_the_act", mark("In the act only")),
            ("10", mark("For ten seconds")),
        ),
    ),
    (
        "caught_gift",
        mark("Who was caught gets from the Guard"),
        (("1", mark("one card")), ("2", mark("two cards"))),
    ),
)

_ASSISTS = (
    (Assist.LIVE, mark("Live hints"), mark("What the camera sees reaches the Guard's phone at once.")),
    (Assist.AFTER_CAUGHT, mark("Proof only"), mark("The Guard looks alone; clips help to settle a call.")),
    (Assist.OFF, mark("No camera"), mark("Play as ever; the companion keeps the rules and the score.")),
)


def house_rules() -> tuple[Rule, ...]:
    """Return the house rules in the language of the page, the usual value of each marked."""
    usual = HouseRules().to_dict()
    return tuple(
        Rule(
            name,
            translate(title),
            tuple(Choice(value, translate(words), str(usual[name]) == value) for value, words in choices),
        )
        for name, title, choices in _RULES
    )


def assists() -> tuple[tuple[str, str, str], ...]:
    """Return how much the camera may help: value, title and sentence, in the language of the page."""
    return tuple((value.value, translate(title), translate(words)) for value, title, words in _ASSISTS)
