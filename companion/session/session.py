"""The session: the journal's fold behind one lock, shared by all screens and the watcher. A thin, thread-safe shell."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from companion.rules.houserules import HouseRules
from companion.rules.moves import Withdraw
from companion.session import setup, sightings
from companion.session.amend import require_allowed
from companion.session.cameraviews import Verdict
from companion.session.choosing import begin, frozen
from companion.session.consequence import carried_over, plan_confirm
from companion.session.errors import NotYours
from companion.session.game import Folded
from companion.session.hearing import Hearing
from companion.session.rights import new_game_refusal, refusal
from companion.session.show import show, undo_words_of
from companion.session.taps import Planned, Repeated, game_of, plan_move, plan_undo
from companion.session.views import Assist, View, Viewer
from companion.session.words import Words


class Session(Hearing):
    """One table: its games, its screens, its watcher. Everything that lasts is in the journal."""

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

        def plan(folded: Folded) -> Planned | Repeated:
            now_ns = self._clock.monotonic_ns()
            return self._unless_frozen(plan_move(folded, move_text, seq, self._now(by), tap=tap, now_ns=now_ns))

        return self._do(plan)

    def undo(self, seq: int, by: Viewer, tap: str | None = None) -> int:
        """Undo the last move and return the new `seq`. Raises StaleTap, NotYours, NotThere, NoGame, JournalError."""
        return self._do(lambda folded: self._unless_frozen(plan_undo(folded, seq, self._now(by), tap=tap)))

    def amend(self, undo: int, moves: Sequence[str], seq: int, by: Viewer, tap: str | None = None) -> int:
        """Take the last moves back and enter others in their place, all or nothing; return the new `seq`.

        For what was entered with the wrong player, or a call that was settled wrongly: what had been done by hand for
        the one verdict stays done for the other. Raises what `undo` and `submit` raise.
        """
        with self._changed:
            before = game_of(self._folded)
            if self._live.is_choosing(self._folded, self._clock.monotonic_ns()):
                raise frozen(before)
            if seq == self.seq:  # else it is stale, or the same tap again: `undo` tells
                require_allowed(self._folded, before, self._now(by), undo, moves)
            seq = self.undo(seq, by, tap)
            for _ in range(undo - 1):
                seq = self.undo(seq, by)
            for move in moves:
                seq = self.submit(move, seq, by)
            if seq == self.seq:
                self._do(lambda folded: carried_over(before, game_of(folded)))
            return seq

    def confirm(self, seq: int, seen: int, done: int, by: Viewer) -> None:
        """Confirm that ``done`` steps of a settled call are done, on a screen that showed ``seen`` of them.

        A step that another screen has confirmed meanwhile is not confirmed again. Raises NotYours, StaleTap, NoGame.
        """
        self._do(lambda folded: plan_confirm(folded, seq, seen, done, self._now(by)))

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

    def begin_choosing(self, by: Viewer) -> None:
        """Freeze play from "Caught!" on, until the Guard has chosen whom, takes it back, or a minute is over.

        Raises NotYours, IllegalMove or NoGame for who may not accuse anybody now.
        """
        with self._changed:
            now_ns = self._clock.monotonic_ns()
            self._live.choosing = begin(self._folded, game_of(self._folded), self._now(by), now_ns)
            self._bump()

    def end_choosing(self, by: Viewer) -> None:
        """Take a "Caught!" back before it was chosen whom; the Guard and the tablet may. Raises NotYours, NoGame."""
        with self._changed:
            game = game_of(self._folded)
            denied = refusal(self._folded, game, game.state, self._now(by), Withdraw())
            if denied:
                raise denied
            if self._live.choosing:
                self._live.choosing = None
                self._bump()

    def _unless_frozen(self, planned: Planned | Repeated) -> Planned | Repeated:
        # A tap that comes again is acknowledged all the same, and whom the Guard chooses is what everybody waits for.
        waits = isinstance(planned, Repeated) or str(planned.payload.get("move", "")).startswith("accuse ")
        if not waits and self._live.is_choosing(self._folded, self._clock.monotonic_ns()):
            raise frozen(game_of(self._folded))
        return planned

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
