"""What each card does, in the words of the game."""

from dataclasses import dataclass

from flask import Blueprint, Response

from companion.web.context import session, show_screen, viewer
from companion.web.words import mark, translate

screen = Blueprint("help", __name__)


@dataclass(frozen=True, slots=True)
class Topic:
    """One card or rule: its picture, name and explanation."""

    picture: str
    title: str
    text: str


_TOPICS = (
    Topic(
        "numbers",
        mark("Your turn"),
        mark(
            "Lay a card whose number is one higher or one lower than the top card. After 5 comes 1 and before 1 "
            "comes 5. Nothing fits? Draw one card, and your turn is over."
        ),
    ),
    Topic(
        "spider",
        mark("Spider"),
        mark("Give one card from your hand to another player, any card but a moth. You may also keep it."),
    ),
    Topic("ant", mark("Ant"), mark("Everybody else draws one card.")),
    Topic(
        "cockroach",
        mark("Cockroach"),
        mark(
            "Everybody races to lay a card with the same number on it. The fastest card stays; all others take "
            "theirs back."
        ),
    ),
    Topic(
        "mosquito",
        mark("Mosquito"),
        mark(
            "Everybody but the one who played it slaps the card with a flat hand. The slowest hand lies on top, and "
            "its owner is given one card by every other player, any card but a moth."
        ),
    ),
    Topic(
        "moth",
        mark("Cheating moth"),
        mark(
            "Nobody but the Guard may lay it, on the Guard's own turn. So make it vanish: under the table, up your "
            "sleeve, over your shoulder. One card at a time, your hand of cards always in sight, and never your last "
            "card."
        ),
    ),
    Topic(
        "guard",
        mark("Guard Bug"),
        mark(
            "The Guard watches, never cheats, and calls Caught! If it is true, the cheater takes the card back, gets "
            "a card from the Guard and becomes the Guard. If it is false, the Guard draws a card."
        ),
    ),
    Topic(
        "draw",
        mark("End of a round"),
        mark(
            "The round ends as soon as a hand is empty. Number cards left cost 1 point, action cards 5, moths 10. "
            "There are as many rounds as players, and the fewest points win."
        ),
    ),
)


_TOPIC_OF = {
    "turn": "numbers",
    "spider": "spider",
    "ant": "ant",
    "cockroach": "cockroach",
    "mosquito": "mosquito",
    "gifts": "mosquito",
    "accusation": "guard",
    "consequence": "guard",
    "count": "draw",
}
"""For what a screen shows, the picture of the topic that explains it."""


def topic_of(shown: str) -> Topic | None:
    """Return what explains a screen's panel, in the language of the page; None where there is nothing to explain."""
    found = next((topic for topic in _TOPICS if topic.picture == _TOPIC_OF.get(shown)), None)
    return None if found is None else _translated(found)


def _translated(topic: Topic) -> Topic:
    return Topic(topic.picture, translate(topic.title), translate(topic.text))


@screen.get("/help")
def show() -> Response:
    """Show what each card does."""
    topics = [_translated(topic) for topic in _TOPICS]
    return show_screen("help/page.html", view=session().view(viewer()), live="/help", topics=topics)
