"""House rules: every line on which the published rules are silent or disagree, with the default this game plays by."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Final, Self

from companion.rules.errors import BadSetUp


class NextGuard(StrEnum):
    """Who is the Guard when the next round starts."""

    LEFT_OF_STARTING_GUARD = "left_of_starting_guard"
    LEFT_OF_LAST_GUARD = "left_of_last_guard"


class DrawWhenAble(StrEnum):
    """May a player draw who has a card that fits? Hands are secret: the tablet reminds, or asks to confirm."""

    ALLOWED = "allowed"
    FORBIDDEN = "forbidden"


class LastCardAction(StrEnum):
    """What becomes of the action of an action card that was a player's last card."""

    SKIPPED = "skipped"
    CARRIED_OUT = "carried_out"


class SpiderLastCard(StrEnum):
    """May the spider's gift be the last card of the hand?"""

    ALLOWED = "allowed"
    FORBIDDEN = "forbidden"


class CockroachCards(StrEnum):
    """Which cards may be laid in the cockroach's race."""

    NUMBERS_ONLY = "numbers_only"
    ANY_BUT_MOTHS = "any_but_moths"


class Cheatable(StrEnum):
    """Which cards may be made to vanish."""

    ANY_CARD = "any_card"
    MOTHS_ONLY = "moths_only"


class CallWindow(StrEnum):
    """How long a cheat can still be called, where it is not a number of seconds."""

    IN_THE_ACT = "in_the_act"
    UNTIL_NEXT_PLAY = "until_next_play"


LONGEST_CALL_WINDOW_S: Final = 600
"""A window beyond ten minutes outlasts a round's memory and is taken for a slip of the finger."""

_CHOICES: Final[Mapping[str, type[StrEnum]]] = {
    "next_guard": NextGuard,
    "draw_when_able": DrawWhenAble,
    "last_card_action": LastCardAction,
    "spider_last_card": SpiderLastCard,
    "cockroach_cards": CockroachCards,
    "cheatable": Cheatable,
    "call_window": CallWindow,
}

CAUGHT_GIFTS: Final = (1, 2)


def choices(name: str) -> tuple[str, ...]:
    """Return the values that house rule ``name`` can take, as text; ``call_window`` takes seconds besides."""
    if name == "caught_gift":
        return tuple(str(cards) for cards in CAUGHT_GIFTS)
    return tuple(choice.value for choice in _CHOICES[name])


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseRules:
    """The house rules of one game, chosen when it is set up."""

    next_guard: NextGuard = NextGuard.LEFT_OF_STARTING_GUARD
    draw_when_able: DrawWhenAble = DrawWhenAble.ALLOWED
    last_card_action: LastCardAction = LastCardAction.SKIPPED
    spider_last_card: SpiderLastCard = SpiderLastCard.ALLOWED
    cockroach_cards: CockroachCards = CockroachCards.NUMBERS_ONLY
    cheatable: Cheatable = Cheatable.ANY_CARD
    call_window: CallWindow | int = CallWindow.UNTIL_NEXT_PLAY
    """A choice, or whole seconds after the cheat was seen to end."""
    caught_gift: int = 1
    """How many cards the Guard hands to a player who was caught: 1 or 2."""

    @classmethod
    def from_dict(cls, values: Mapping[str, object]) -> Self:
        """Read house rules from JSON or TOML values; a rule that is not named keeps its default.

        Raises BadSetUp, naming the rule, for a rule that does not exist or a value it cannot take.
        """
        known = {field.name for field in fields(cls)}
        for name in values:
            if name not in known:
                raise BadSetUp(
                    "There is no house rule {rule}: choose among {rules}.", rule=name, rules=", ".join(sorted(known))
                )
        return cls(**{name: _read(name, value) for name, value in values.items()})  # type: ignore[arg-type]

    def to_dict(self) -> dict[str, str | int]:
        """Write every house rule as a JSON value; ``from_dict`` reads it back."""
        written = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: value.value if isinstance(value, StrEnum) else value for name, value in written.items()}

    def call_is_open(self, *, in_progress: bool, plays_since: int, elapsed_s: float) -> bool:
        """Say whether a cheat can still be called under ``call_window``.

        ``in_progress``: the cheat is still going on. ``plays_since``: cards played or drawn since it ended.
        ``elapsed_s``: seconds since it ended.
        """
        if self.call_window is CallWindow.IN_THE_ACT:
            return in_progress
        if self.call_window is CallWindow.UNTIL_NEXT_PLAY:
            return in_progress or plays_since == 0
        return in_progress or elapsed_s <= float(self.call_window)


def _read(name: str, value: object) -> StrEnum | int:
    if name == "caught_gift" and type(value) is int and value in CAUGHT_GIFTS:
        return value
    if name == "call_window" and type(value) is int and 0 < value <= LONGEST_CALL_WINDOW_S:
        return value
    if name in _CHOICES and isinstance(value, str) and value in choices(name):
        return _CHOICES[name](value)
    allowed = ", ".join(choices(name))
    if name == "call_window":
        raise BadSetUp(
            "House rule {rule} cannot be {value}: choose {choices}, or whole seconds from 1 to {longest}.",
            rule=name,
            value=value,
            choices=allowed,
            longest=LONGEST_CALL_WINDOW_S,
        )
    raise BadSetUp(
        "House rule {rule} cannot be {value}: choose one of {choices}.", rule=name, value=value, choices=allowed
    )
