"""What the session hears from the watcher, and what the watcher is to know of the game."""

from companion.errors import CompanionError
from companion.session import sightings
from companion.session.game import Flag
from companion.session.live import trouble_words
from companion.session.shell import Shell
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


class Hearing(Shell):
    """The side of the session that the watcher speaks to."""

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
