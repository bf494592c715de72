"""Names that are written from right to left: numbers beside them stay where they are, and no letter is clipped."""

import re

import pytest
from playwright.sync_api import Browser

from companion.errors import CompanionError
from companion.letters import isolated, listed
from companion.session import Session
from companion.web import WebSettings, create_app
from companion.web.words import error_sentence, sentence
from companion.words import say
from tests.web.screens import PHONE, TABLET, new_page
from tests.web.served import Running
from tests.web.stages import play

DANA, FATIMA, ALI = "דנה", "فاطمة", "علي"
NAMES = (DANA, FATIMA, ALI)
LOOSE = re.compile(f"(?<!\u2068)(?:{'|'.join(NAMES)})|(?:{'|'.join(NAMES)})(?!\u2069)")
"""A name in a sentence that is not isolated."""

CLIPPED = """() => [...document.querySelectorAll('.player .name, .slap-choice .name')].filter((name) => {
  const style = getComputedStyle(name);
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  const ink = pen.measureText(name.textContent);
  const lead = (parseFloat(style.lineHeight) - ink.fontBoundingBoxAscent - ink.fontBoundingBoxDescent) / 2;
  return ink.actualBoundingBoxDescent > lead + ink.fontBoundingBoxDescent
    || ink.actualBoundingBoxAscent > lead + ink.fontBoundingBoxAscent;
}).map((name) => name.textContent)"""
"""Names with letters that are drawn above or below their line."""


def test_a_name_is_isolated_only_where_it_changes_anything() -> None:
    """Latin, Greek and Chinese names, and emoji, stay as they are; one that is isolated is not isolated again."""
    for name in ("Mia", "Zoë", "Ελένη", "小明", "👩‍🚀", "", "7"):
        assert isolated(name) == name
    assert isolated(DANA) == f"\u2068{DANA}\u2069" == isolated(isolated(DANA))
    assert listed(("Mia", DANA)) == f"Mia, \u2068{DANA}\u2069"


def test_sentences_isolate_the_names_in_them(session: Session) -> None:
    """Words of the session, errors of the rules and sentences of the templates all do."""
    app = create_app(session, WebSettings())
    with app.test_request_context():
        assert sentence(say("{name} slapped last", name=DANA)) == f"\u2068{DANA}\u2069 slapped last"
        error = CompanionError("Only {guard}, who is the Guard now, rules on flags.", guard=0)
        assert f"\u2068{FATIMA}\u2069" in error_sentence(error, (FATIMA,))
        spoken = app.jinja_env.from_string(
            "{{ ngettext('%(name)s gets %(num)s', '%(name)s gets %(num)s', 3, name=x) }}"
        )
        assert spoken.render(x=DANA) == f"\u2068{DANA}\u2069 gets 3"
        assert spoken.render(x="<b>") == "&lt;b&gt; gets 3"


@pytest.mark.parametrize(
    "moves", [(), ("deal 3", "play 0 spider4"), ("deal 3", "play 0 mosquito4"), ("deal 3", "accuse 1")]
)
def test_no_screen_has_a_loose_name_in_a_sentence(session: Session, moves: tuple[str, ...]) -> None:
    """On the tablet each name is either alone in its element or isolated in its sentence."""
    session.create_game(NAMES, 0)
    play(session, *moves)
    client = create_app(session, WebSettings()).test_client()
    page = client.get("/table", headers={"X-Role": "table"}).get_data(as_text=True)
    alone = re.sub(rf'dir="auto"[^>]*>(?:{"|".join(NAMES)})<', "<", re.sub(r'(?:value|data-keep)="[^"]*"', "", page))
    assert DANA in page
    assert [alone[max(0, hit.start() - 60) : hit.end() + 20] for hit in LOOSE.finditer(alone)] == []


@pytest.mark.browser
@pytest.mark.parametrize("size", [TABLET, PHONE], ids=["tablet", "phone"])
@pytest.mark.parametrize("moves", [("deal 3",), ("deal 3", "play 0 mosquito4")], ids=["turn", "mosquito"])
def test_no_letter_of_a_name_is_clipped(
    running: Running, browser: Browser, moves: tuple[str, ...], size: dict[str, int]
) -> None:
    """What reaches far below the line in Arabic is seen in the strip of players."""
    running.session.create_game((*NAMES, "جورج يحيى"), 0)
    play(running.session, *moves)
    page = new_page(browser, size)
    page.goto(f"{running.address}/table")
    page.wait_for_selector(".players")
    assert page.evaluate(CLIPPED) == []
