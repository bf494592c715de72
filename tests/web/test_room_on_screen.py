"""Room on small screens: names are whole, and what is said covers nothing that is tapped."""

import pytest
from playwright.sync_api import Browser, expect

from tests.web.screens import LONGEST, NAMES, PHONE, STANDING, TABLET, new_page, open_phone, open_table, press, tap
from tests.web.served import Running
from tests.web.stages import MOVES, play

pytestmark = pytest.mark.browser

DOUBLE_MS = 600
"""More than the time within which two taps are one."""
FIVE = ("Wilhelmina", "Bernadette", "Maximilian", "Annegret B", "Gwendoline")

CUT_NAMES = """() => [...document.querySelectorAll('.players .name')].filter((name) => {
  const line = parseFloat(getComputedStyle(name).lineHeight);
  return name.scrollWidth > name.clientWidth || name.clientHeight > 1.5 * line;
}).map((name) => name.textContent)"""

COVERED = """() => {
  const over = document.querySelector('#toasts .toast').getBoundingClientRect();
  const beside = (box) => box.left >= over.right || box.right <= over.left;
  const under = (box) => !beside(box) && box.top < over.bottom && box.bottom > over.top;
  return [...document.querySelectorAll('main button, .undo')]
    .filter((button) => button.checkVisibility() && under(button.getBoundingClientRect()))
    .map((button) => button.textContent.trim() || button.getAttribute('aria-label'));
}"""


COVERED_ANYWHERE = """() => {
  const over = document.querySelector('#toasts .toast').getBoundingClientRect();
  const area = (box) => Math.max(0, Math.min(over.right, box.right) - Math.max(over.left, box.left))
    * Math.max(0, Math.min(over.bottom, box.bottom) - Math.max(over.top, box.top));
  return [...document.querySelectorAll('#app button, #app a, #app input, #app summary, #app label')]
    .filter((one) => one.checkVisibility() && area(one.getBoundingClientRect()) > 0)
    .map((one) => one.textContent.trim() || one.getAttribute('aria-label'));
}"""
BANNER_SHOWN = "!document.querySelector('#offline').hidden"
BANNER_END = "document.querySelector('#offline').getBoundingClientRect().bottom"
UNDO_START = "document.querySelector('.undo').getBoundingClientRect().top"


@pytest.mark.parametrize("size", [TABLET, STANDING, PHONE], ids=["tablet", "standing", "phone"])
def test_five_names_of_ten_letters_are_whole(running: Running, browser: Browser, size: dict[str, int]) -> None:
    """No name in the strip of players is cut or broken, on the table or on a phone."""
    running.session.create_game(FIVE, 0)
    play(running.session, "deal 3")
    page = new_page(browser, size)
    page.goto(f"{running.address}/table")
    assert page.evaluate(CUT_NAMES) == []
    if size is PHONE:
        page.goto(f"{running.address}/me")
        page.get_by_role("button", name="Bernadette").click()
        page.wait_for_selector(".phone-screen")
        assert page.evaluate(CUT_NAMES) == []


@pytest.mark.parametrize("size", [TABLET, STANDING, PHONE], ids=["tablet", "standing", "phone"])
def test_a_message_covers_nothing_that_is_tapped(running: Running, browser: Browser, size: dict[str, int]) -> None:
    """Of two messages the later one alone is there, below the bar, and taps go through it."""
    running.session.create_game(NAMES, 0)
    play(running.session, "deal 3")
    page = new_page(browser, size)
    page.clock.install()
    page.goto(f"{running.address}/table")
    page.clock.pause_at("2030-01-01")  # no message goes by itself
    page.route(
        "**/moves", lambda route: route.fulfill(status=422, content_type="application/json", body=next(refusals))
    )
    refusals = (f'{{"sentence": "{count}. Look at the cards again, then enter what lies there."}}' for count in (1, 2))
    for count in (1, 2):
        page.locator('[data-move^="play 0 moth"]').first.dispatch_event("click")
        expect(page.locator(".toast")).to_contain_text(f"{count}. Look")
        page.clock.run_for(DOUBLE_MS)
    expect(page.locator(".toast")).to_have_count(1)
    page.wait_for_function(f"() => ({COVERED})().length === 0")  # once it has slid in
    page.unroute("**/moves")
    page.context.set_offline(True)
    page.locator(".button.draw").dispatch_event("click")
    page.wait_for_function(f"() => {BANNER_SHOWN} && ({COVERED})().length === 0")
    assert page.locator(".toast").evaluate("toast => getComputedStyle(toast).pointerEvents") == "none"


@pytest.mark.parametrize("names", [NAMES, LONGEST], ids=["short names", "longest names"])
@pytest.mark.parametrize("size", [TABLET, STANDING, PHONE], ids=["tablet", "standing", "phone"])
def test_the_word_after_a_mosquito_covers_neither_its_buttons_nor_who_gives(
    running: Running, browser: Browser, size: dict[str, int], names: tuple[str, ...]
) -> None:
    """Everybody is to give a card: the message says it, and the chips that show from whom to whom stay in sight."""
    running.session.create_game(names, 0)
    play(running.session, "deal 3", "play 0 mosquito4")
    page = new_page(browser, size)
    page.clock.install()
    page.goto(f"{running.address}/table")
    page.clock.pause_at("2030-01-01")  # no message goes by itself
    press(page.locator('[data-slowest="2"]'))
    expect(page.locator(".giving")).to_be_visible()
    expect(page.locator(".toast")).to_be_visible()
    page.wait_for_timeout(400)  # it slides in
    covered = COVERED_ANYWHERE.replace("'#app button,", "'#app .gift, .giving p, #app button,")
    assert page.evaluate(covered) == []


def test_a_message_goes_with_its_phase(running: Running, browser: Browser) -> None:
    """What everybody is to do now is said while it is to be done: not when a spider is settled."""
    running.session.create_game(NAMES, 0)
    play(running.session, "deal 3", "play 0 mosquito4")
    table, phone = open_table(browser, running), open_phone(browser, running, "Ole")
    table.clock.install()
    table.reload()
    table.clock.pause_at("2030-01-01")  # no message goes by itself
    tap(table, "slaps 2")
    expect(table.locator(".toast")).to_contain_text("Everybody gives Ida a card")
    tap(phone, "play 1 spider5")
    expect(table.locator(".phase-spider")).to_be_visible()
    expect(table.locator(".toast")).to_have_count(0)


SHOWN_BETWEEN = """async () => {
  const app = document.querySelector("script[src*='/app.js']").src;
  const { toast, dropOutdated } = await import(new URL("./toast.js", app));
  const screen = (seq, key) => {
    const one = document.createElement("div");
    one.dataset.seq = seq;
    one.innerHTML = `<section class="panel-play" data-key="${key}"></section>`;
    return one;
  };
  toast("Everybody gives a card", "good", { seq: 5 });
  const there = [];
  for (const [seq, key] of [[4, "gifts"], [5, "turn"], [6, "spider"]]) {
    dropOutdated(screen(seq, key));
    there.push(document.querySelectorAll(".toast").length);
  }
  return there;
}"""


def test_a_message_outlives_the_game_between_the_two_moves_of_one_tap(running: Running, browser: Browser) -> None:
    """A screen that shows the first of two moves first does not take away what is said about the second."""
    running.session.create_game(NAMES, 0)
    play(running.session, "deal 3")
    table = open_table(browser, running)
    assert table.evaluate(SHOWN_BETWEEN) == [1, 1, 0]


def test_the_banner_without_connection_covers_nothing(running: Running, browser: Browser) -> None:
    """It pushes the page down: the bar with Undo stays below it."""
    running.session.create_game(NAMES, 0)
    play(running.session, "deal 3")
    table = open_table(browser, running)
    table.context.set_offline(True)
    table.locator(".button.draw").dispatch_event("click")
    table.wait_for_function(f"() => {BANNER_SHOWN} && {BANNER_END} <= {UNDO_START}")


@pytest.mark.parametrize("stage", ["turn", "gifts", "count", "consequence"])
def test_a_message_on_a_scrolled_phone_covers_nothing_that_is_tapped(
    running: Running, browser: Browser, stage: str
) -> None:
    """Wherever the Guard's page stands, the message lies over the bar or between the buttons."""
    running.session.create_game(FIVE, 0)
    moves = {
        "turn": ("deal 3",),
        "gifts": ("deal 3", "play 0 mosquito4", "slaps 1"),
        "count": ("deal 3", "play 0 4", "out 0"),
        "consequence": ("deal 3", "accuse 1", "uphold 1"),
    }[stage]
    play(running.session, *moves)
    phone = open_phone(browser, running, "Wilhelmina" if stage != "count" else "Bernadette")
    phone.wait_for_selector(f".phase-{stage}")
    covered = []
    for share in (0.0, 0.3, 0.6, 1.0):
        phone.evaluate(f"scrollTo(0, {share} * (document.documentElement.scrollHeight - innerHeight))")
        phone.evaluate(
            """() => import(document.querySelector('script[type=module]').src.replace(/app\\.js.*/, 'toast.js'))
              .then((toasts) => toasts.toast('Your last tap is still on its way. Wait for it.'))"""
        )
        phone.wait_for_timeout(400)  # it slides in
        covered += [(share, found) for found in phone.evaluate(COVERED_ANYWHERE)]
    assert covered == []


def test_the_points_of_five_players_and_five_rounds_are_whole(running: Running, browser: Browser) -> None:
    """No column of the table is cut off, on the result page and at the end of the game, on a phone or standing."""
    running.session.create_game(FIVE, 0)
    for number in range(5):
        play(running.session, "deal 3", f"set hand {number} 1", f"play {number} 4")
        others = [seat for seat in range(5) if seat != number]
        play(running.session, *(f"count {seat} number={seat + 6} moth=1" for seat in others))
        if number < 4:
            play(running.session, "next")
    for size in (TABLET, STANDING, PHONE):
        page = new_page(browser, size)
        for path in ("/history/1/result", "/table"):
            page.goto(running.address + path)
            box = page.locator(".table-scroll")
            assert box.evaluate("box => box.scrollWidth <= box.clientWidth"), (size, path)


BESIDE = """() => [...document.querySelectorAll('#app button, #app a, #app h1, #app .name')].filter((one) => {
  const box = one.getBoundingClientRect();
  return one.checkVisibility() && !one.closest('.table-scroll') && (box.right > innerWidth + 1 || box.left < -1);
}).map((one) => one.textContent.trim() || one.getAttribute('aria-label'))"""
CALLED = ("deal 3", "accuse 1", "uphold 1")


@pytest.mark.parametrize("stage", [*MOVES, "consequence"])
def test_nothing_lies_beside_a_phone_with_the_longest_names(running: Running, browser: Browser, stage: str) -> None:
    """Neither half a verdict nor a name of one long word leaves the screen, and the page does not slide."""
    running.session.create_game((LONGEST[4], LONGEST[1], LONGEST[0]), 0)
    play(running.session, *MOVES.get(stage, CALLED))
    for seat in (0, 1):
        phone = new_page(browser, PHONE)
        phone.goto(f"{running.address}/me")
        assert phone.evaluate(BESIDE) == []
        phone.evaluate("document.chosen = true")
        press(phone.locator(".seat-button").nth(seat))
        phone.wait_for_function("() => !document.chosen && document.querySelector('.phone-screen')")
        assert phone.evaluate(BESIDE) == []
        assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_on_a_phone_the_first_way_in_is_ones_own_phone(running: Running, browser: Browser) -> None:
    """A child who scanned the code taps the first bright button: it is the seat, and on a tablet the table."""
    running.session.create_game(NAMES, 0)
    first = """() => {
      const top = (what) => document.querySelector(what).getBoundingClientRect().top;
      return top('.own-phone') < top('.the-tablet') ? 'phone' : 'tablet';
    }"""
    for size, way in ((PHONE, "phone"), (TABLET, "tablet"), (STANDING, "tablet")):
        page = new_page(browser, size)
        page.goto(running.address)
        assert page.evaluate(first) == way
