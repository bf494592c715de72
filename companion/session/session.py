"""The session: the journal's fold behind one lock, shared by all screens and the watcher. A thin, thread-safe shell."""

import hashlib
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace

from companion.clock import Clock
from companion.entry import Entry
from companion.errors import CompanionError
from companion.journal import Journal
from companion.rules.houserules import HouseRules
from companion.session import setup, sightings
from companion.session.errors import NotThere, NotYours
from companion.session.fold import fold_entry
from companion.session.game import Flag, Folded, Game
from companion.session.live import Live, trouble_words
from companion.session.rights import new_game_refusal
from companion.session.show import show, undo_words_of
from companion.session.taps import Planned, Repeated, game_of, plan_move, plan_undo
from companion.session.views import Assist, Verdict, View, Viewer
from companion.session.words import Words
from companion.watcher.messages import (
    ClipReport,
    EventReport,
    Report,
    SetContext,
    SlapsReport,
    StatusReport,
    TimeSlaps,
    TroubleReport,
)

_Plan = Callable[[Folded], Planned | Repeated | None]


class Session:
    """One table: its games, its screens, its watcher. Everything that lasts is in the journal."""

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

    # What there is

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

    def viewer(self, token: str, *, table: bool = False) -> Viewer:
        """Return who looks at a screen: its token's claim says which seat; ``table`` marks the table's tablet."""
        key = hashlib.sha256(token.encode()).hexdigest()[:16]
        return Viewer(key=key, seat=None if table else self._folded.seat_of(key), table=table)

    def view(self, viewer: Viewer) -> View:
        """Return everything that this viewer's screen shows, and nothing that it may not know."""
        with self._changed:
            folded, now_ns = self._folded, self._clock.monotonic_ns()
            around = self._live.around(folded, viewer, version=self._version, now_ns=now_ns)
        return show(folded, viewer, around)

    def undo_words(self) -> Words | None:
        """Say what an undo would undo; None when there is nothing."""
        game = self._folded.game
        return undo_words_of(game) if game else None

    def wait(self, after: int, timeout: float) -> int:
        """Block until the version is another than ``after``, at most ``timeout`` seconds; return the version."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._version != after, timeout)
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

    # What players do

    def create_game(
        self,
        players: Sequence[str],
        oldest: int,
        house: HouseRules | Mapping[str, object] | None = None,
        assist: Assist | str = Assist.LIVE,
        *,
        places: Sequence[int] | None = None,
        by: Viewer | None = None,
    ) -> int:
        """Set up a new game and return `seq`; the game before it becomes history.

        ``players``: names clockwise. ``places``: for each the seat number in the table's layout. ``by``: whose screen.
        Raises BadPlayers, BadSetUp, NotYours.
        """
        who = (players, oldest, house, assist, places)
        return self._do(lambda now: setup.plan_game(*who, refused=new_game_refusal(now, by and self._now(by))))

    def submit(self, move_text: str, seq: int, by: Viewer, tap: str | None = None) -> int:
        """Carry out a move that was entered when the screen showed ``seq``; return the new `seq`.

        The same tap again, by its name ``tap`` or by screen, ``seq`` and move, is acknowledged and changes nothing.
        Raises StaleTap, IllegalMove, UnreadableMove, NotYours, NoGame, JournalError; nothing has changed then.
        """
        return self._do(
            lambda folded: plan_move(folded, move_text, seq, self._now(by), tap=tap, now_ns=self._clock.monotonic_ns())
        )

    def undo(self, seq: int, by: Viewer, tap: str | None = None) -> int:
        """Undo the last move and return the new `seq`. Raises StaleTap, NotYours, NotThere, NoGame, JournalError."""
        return self._do(lambda folded: plan_undo(folded, seq, self._now(by), tap=tap))

    def claim_seat(self, seat: int, token: str) -> Viewer:
        """Give a seat to this phone, which leaves any other seat. Raises NotThere, SeatTaken, NoGame."""
        key = self.viewer(token).key
        self._do(lambda folded: setup.plan_claim(folded, game_of(folded), seat, key))
        return self.viewer(token)

    def release_seat(self, seat: int, by: Viewer) -> None:
        """Free a seat; its own phone and the tablet may. Raises NotThere, NotYours, NoGame."""
        self._do(lambda folded: setup.plan_release(folded, game_of(folded), seat, self._now(by)))

    def rename(self, seat: int, name: str, by: Viewer) -> None:
        """Correct a player's name; the own phone and the tablet may. Raises BadPlayers, NotThere, NotYours, NoGame."""
        self._do(lambda folded: setup.plan_rename(game_of(folded), seat, name, self._now(by)))

    def set_assist(self, assist: Assist | str, by: Viewer) -> None:
        """Change how much the camera helps; on the tablet alone. Raises NotYours or BadPlayers."""
        self._do(lambda _: setup.plan_assist(assist, by))

    def rule(self, flag_id: str, verdict: Verdict | str, by: Viewer) -> int:
        """Rule on a flag as the present Guard and return `seq`.

        ``innocent`` and ``unclear`` (and ``open``, which takes a ruling back) change the flag alone. ``caught`` opens
        the accusation; what that comes to settles the flag. Raises NotYours, NotThere, IllegalMove, NoGame.
        """
        return self._do(
            lambda folded: sightings.plan_ruling(
                folded,
                flag_id,
                verdict,
                self._now(by),
                opened=self._live.has_opened(folded, by),
                now_ns=self._clock.monotonic_ns(),
            )
        )

    def open_guard_view(self, by: Viewer) -> None:
        """Open the Guard's part on the tablet until the Guard Bug moves on or somebody claims that seat.

        Only while nobody has claimed the Guard's seat. Raises NotYours or NoGame.
        """
        with self._changed:
            game = game_of(self._folded)
            if not by.table or self._folded.claim_of(game.state.guard) is not None:
                raise NotYours(
                    "{guard} is the Guard: the Guard's part opens on that phone, or here while no phone has the seat.",
                    guard=game.players[game.state.guard],
                )
            self._live.open_guard(game, by.key)
            self._bump()

    def close_guard_view(self, by: Viewer) -> None:
        """Close the Guard's part on the tablet."""
        with self._changed:
            if self._live.close_guard(by.key):
                self._bump()

    @contextmanager
    def screen(self, viewer: Viewer) -> Iterator[None]:
        """Count a screen as connected while its stream is open."""
        self._count_screen(viewer.key, 1)
        try:
            yield
        finally:
            self._count_screen(viewer.key, -1)

    # What the watcher says

    def hear(self, report: Report) -> Flag | None:
        """Take any report of the watcher; return the flag when it raised a new one.

        A report that cannot be taken, because the disk is full for example, is left out, and every screen says so.
        """
        try:
            return self._hear(report)
        except CompanionError as error:
            self._show_trouble(Words(error.template, {key: str(value) for key, value in error.params.items()}))
            return None

    def observe(self, report: EventReport) -> Flag | None:
        """Put a movement to the Guard; return its new flag, or None when it is a repetition or cannot be a cheat."""
        with self._changed:
            before = self._folded
            self._do(lambda folded: sightings.plan_flag(folded, report, self._clock.monotonic_ns()))
            after = self._folded
            if after is before or not before.game or not after.game or len(after.game.flags) == len(before.game.flags):
                return None
            return after.game.flags[-1]

    def attach_clip(self, clip_id: str, folder: str) -> None:
        """Attach a clip to the flag of its event, or to the slaps it shows; one that belongs to neither is left out."""
        self._do(lambda folded: sightings.plan_clip(folded, clip_id, folder))

    def propose_slaps(self, report: SlapsReport) -> None:
        """Keep the proposed order beside the game until it is confirmed by `slaps ...`; a late one is left out."""
        self._do(lambda folded: sightings.plan_slaps(folded, report))

    def report_watcher(self, report: StatusReport) -> None:
        """Take the watcher's heartbeat; screens are told when its state or its sentence changes."""
        with self._changed:
            if self._live.take_status(report):
                self._bump()
                watcher = self._live.watcher
                self._journal.append("watcher", {"state": watcher.state, "sentence": str(watcher.words)})

    def context(self) -> SetContext:
        """Return what the watcher should know of the game now."""
        return sightings.context_of(self._folded)

    def slaps_wanted(self) -> TimeSlaps | None:
        """Return the command that times the open mosquito's slaps; None when there is nothing to time."""
        return sightings.slaps_wanted(self._folded)

    # The shell

    def _hear(self, report: Report) -> Flag | None:
        match report:
            case EventReport():
                return self.observe(report)
            case ClipReport():
                self.attach_clip(report.id, report.folder)
            case SlapsReport():
                self.propose_slaps(report)
            case StatusReport():
                self.report_watcher(report)
            case TroubleReport():
                self._show_trouble(trouble_words(report))
            case _:
                pass
        return None

    def _do(self, plan: _Plan) -> int:
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
