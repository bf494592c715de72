"""What is true only while the server runs: open screens, the watcher's heartbeat, the Guard's part on the tablet."""

from collections import Counter
from dataclasses import replace

from companion.session.cameraviews import WatcherView
from companion.session.choosing import Choosing
from companion.session.game import Folded, Game
from companion.session.show import Around
from companion.session.views import Viewer
from companion.session.words import Words, say
from companion.watcher.messages import StatusReport, TroubleReport, WatchState


class Live:
    """The part of the session that a restart forgets; the session's lock guards it."""

    def __init__(self) -> None:
        """Start with no screen and no watcher."""
        self.watcher = WatcherView(
            state="off", words=say("The camera is not in use"), fps=None, analysed_fps=None, trouble=None
        )
        self._screens: Counter[str] = Counter()
        self._opened: dict[str, tuple[int, int, int]] = {}
        self.choosing: Choosing | None = None

    def around(self, folded: Folded, viewer: Viewer, *, version: int, now_ns: int) -> Around:
        """Return what a view shows besides the journal."""
        return Around(
            version=version,
            now_ns=now_ns,
            watcher=self.watcher,
            live=frozenset(key for key, streams in self._screens.items() if streams > 0),
            opened=self.has_opened(folded, viewer),
            choosing=self.is_choosing(folded, now_ns),
        )

    def is_choosing(self, folded: Folded, now_ns: int) -> bool:
        """Say whether the Guard called "Caught!" and is still choosing whom."""
        return self.choosing is not None and self.choosing.stands(folded, now_ns)

    def count_screen(self, key: str, streams: int) -> bool:
        """Count a screen's streams up or down; return whether it came or went."""
        before = self._screens[key] > 0
        self._screens[key] += streams
        return before != (self._screens[key] > 0)

    def open_guard(self, game: Game, key: str) -> None:
        """Remember that this tablet has opened the Guard's part of the present Guard."""
        self._opened[key] = _guardianship(game)

    def close_guard(self, key: str) -> bool:
        """Forget it; return whether it was open."""
        return self._opened.pop(key, None) is not None

    def has_opened(self, folded: Folded, viewer: Viewer) -> bool:
        """Say whether this tablet has opened the part of the Guard who is the Guard now."""
        game = folded.game
        return viewer.table and game is not None and self._opened.get(viewer.key) == _guardianship(game)

    def take_status(self, report: StatusReport) -> bool:
        """Take the watcher's heartbeat; return whether its state or its sentence changed."""
        words = _words(report)
        before, state = self.watcher, report.state.value
        recovered = report.state is WatchState.WATCHING and before.state != state
        self.watcher = WatcherView(
            state=state,
            words=words,
            fps=report.fps,
            analysed_fps=report.analysed_fps,
            trouble=None if recovered else before.trouble,
        )
        # A sentence that only counts (frames a second, say) is no news; the next change brings it up to date.
        return (before.state, before.words.template) != (state, words.template)

    def take_trouble(self, trouble: Words) -> None:
        """Show what went wrong until watching goes well again."""
        self.watcher = replace(self.watcher, trouble=trouble)


def trouble_words(report: TroubleReport) -> Words:
    """Return the watcher's sentence."""
    return _words(report)


def _words(report: StatusReport | TroubleReport) -> Words:
    if report.template:
        return Words(report.template, report.params)
    return say(report.sentence.replace("{", "(").replace("}", ")"))


def _guardianship(game: Game) -> tuple[int, int, int]:
    # Another game, another round or another Guard closes what was opened for this one.
    return game.id, game.state.round, game.state.guard
