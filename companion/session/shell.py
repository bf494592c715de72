"""The shell around the fold: the journal, one lock, the version that screens wait for. It knows no rules."""

import threading
from collections.abc import Callable
from dataclasses import replace

from companion.clock import Clock
from companion.entry import Entry
from companion.journal import Journal
from companion.session.errors import NotThere
from companion.session.fold import fold_entry
from companion.session.game import Folded, Game
from companion.session.live import Live
from companion.session.taps import Planned, Repeated
from companion.session.views import Viewer
from companion.session.words import Words

Plan = Callable[[Folded], Planned | Repeated | None]
"""What an act comes to on the present fold: an entry, a repetition, or nothing."""


class Shell:
    """Everything that lasts is appended here, with nobody in between; everyone who waits is woken."""

    def __init__(self, journal: Journal, clock: Clock) -> None:
        """Fold the journal and go on exactly where it ends. Raises UnreadableJournal when it cannot be replayed."""
        self._journal = journal
        self._clock = clock
        self._changed = threading.Condition(threading.RLock())
        self._folded = Folded()
        self._earlier: list[Game] = []
        for entry in journal.entries():
            self._take(fold_entry(self._folded, entry))
        self._live = Live()
        self._closed = False
        # The wall clock makes versions of an earlier run differ from those of this one, so that a screen that comes
        # back after a restart with an old version is sent the present view at once.
        self._version = int(clock.now().timestamp() * 1000)

    @property
    def seq(self) -> int:
        """Return the number that a tap must carry; it changes with the game alone."""
        return self._folded.seq

    @property
    def version(self) -> int:
        """Return the number that changes with everything a screen shows."""
        return self._version

    @property
    def folded(self) -> Folded:
        """Return the fold of the journal so far."""
        return self._folded

    def games(self) -> tuple[Game, ...]:
        """Return every game of the journal, the one on the table last."""
        with self._changed:
            return (*self._earlier, *((self._folded.game,) if self._folded.game else ()))

    def game(self, game_id: int) -> Game:
        """Return one game of the journal. Raises NotThere when there is none of this number."""
        found = next((game for game in self.games() if game.id == game_id), None)
        if found is None:
            raise NotThere("There is no game number {game}: choose one from the list.", game=game_id)
        return found

    def wait(self, after: int, timeout: float) -> int:
        """Block until the version is another than ``after``, at most ``timeout`` seconds; return the version."""
        with self._changed:
            choosing = self._live.choosing
            if choosing:  # nobody taps when its time is up: who waits finds out
                timeout = min(timeout, max(0.0, (choosing.until_ns - self._clock.monotonic_ns()) / 1e9))
            self._changed.wait_for(lambda: self._closed or self._version != after, timeout)
            choosing = self._live.choosing
            if choosing and not choosing.stands(self._folded, self._clock.monotonic_ns()):
                self._live.choosing = None
                self._bump()
            return self._version

    @property
    def closed(self) -> bool:
        """Return whether the session is over: nothing will change any more."""
        return self._closed

    def close(self) -> None:
        """Wake everyone who waits; from now on `wait` returns at once."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def _do(self, plan: Plan) -> int:
        """Plan, append, fold and tell every screen, with nobody in between; return `seq`."""
        with self._changed:
            planned = plan(self._folded)
            if isinstance(planned, Repeated):
                return planned.seq
            if planned is not None:
                self._rehearse(planned)
                entry = self._journal.append(planned.kind, planned.payload)
                self._take(fold_entry(self._folded, entry))
                self._bump()
            return self._folded.seq

    def _rehearse(self, planned: Planned) -> None:
        # What cannot be folded must never reach the journal: it would keep the next start from going on.
        seq, at_ns = self._journal.last_seq + 1, self._clock.monotonic_ns()
        fold_entry(self._folded, Entry(seq=seq, kind=planned.kind, payload=planned.payload, at_ns=at_ns, wall=""))

    def _take(self, folded: Folded) -> None:
        before = self._folded.game
        if before and folded.games > self._folded.games:
            self._earlier.append(before)
        self._folded = folded

    def _bump(self) -> None:
        self._version += 1
        self._changed.notify_all()

    def _now(self, viewer: Viewer) -> Viewer:
        # Claims may have changed since the screen was told which seat it has.
        return viewer if viewer.table else replace(viewer, seat=self._folded.seat_of(viewer.key))

    def _count_screen(self, key: str, streams: int) -> None:
        with self._changed:
            if self._live.count_screen(key, streams):
                self._bump()

    def _show_trouble(self, words: Words) -> None:
        with self._changed:
            self._live.take_trouble(words)
            self._bump()
