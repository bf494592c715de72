"""When to keep what: moments become windows with pre-roll and post-roll; windows that overlap become one clip.

Pure: what is now is an argument.
"""

from dataclasses import dataclass, field, replace

from companion.vision.frame import NS_PER_S


@dataclass(frozen=True, slots=True, kw_only=True)
class RecorderSettings:
    """How much is kept around a moment, and when moments share a clip."""

    pre_roll_s: float = 1.5
    """Enough to see where the hand came from."""
    post_roll_s: float = 1.0
    """The Guard waits for it, and a cheat can be called for a short time only."""
    longest_s: float = 10.0
    """A clip never grows beyond this by sharing: the first flag in it would wait too long."""
    share_wait_s: float = 1.5
    """The first moment of a clip does not wait longer than this for another that joins it."""
    lateness_s: float = 1.0
    """When no more frames come, a window is closed this long after its end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """Something worth a clip: ``id`` as it is reported, ``kind`` an event's kind or ``slaps`` or ``asked``."""

    id: str
    kind: str
    start_ns: int
    end_ns: int
    seat: int | None = None
    side: str | None = None


@dataclass(frozen=True, slots=True)
class ClipWindow:
    """A stretch of time to keep, with the moments that lie in it."""

    start_ns: int
    end_ns: int
    moments: tuple[Moment, ...]

    def joined(self, other: "ClipWindow") -> "ClipWindow":
        """Return the window that covers both."""
        return ClipWindow(
            min(self.start_ns, other.start_ns), max(self.end_ns, other.end_ns), self.moments + other.moments
        )

    def overlaps(self, other: "ClipWindow") -> bool:
        """Return whether the two have an instant in common."""
        return self.start_ns <= other.end_ns and other.start_ns <= self.end_ns


@dataclass(slots=True)
class Recorder:
    """The windows that still wait for their end."""

    settings: RecorderSettings = field(default_factory=RecorderSettings)
    _open: list[ClipWindow] = field(default_factory=list)

    def add(self, moment: Moment) -> None:
        """Open a window around a moment, or let it share the clip of a moment that it overlaps."""
        window = self.window(moment)
        for place, other in enumerate(self._open):
            if self._may_share(other, window):
                self._open[place] = other.joined(window)
                return
        self._open.append(window)

    def add_window(self, window: ClipWindow) -> None:
        """Keep exactly this stretch, in a clip of its own."""
        self._open.append(window)

    def window(self, moment: Moment) -> ClipWindow:
        """Return the window of one moment, cut to the longest clip: the movement's end matters most."""
        end_ns = moment.end_ns + round(self.settings.post_roll_s * NS_PER_S)
        start_ns = moment.start_ns - round(self.settings.pre_roll_s * NS_PER_S)
        return ClipWindow(max(start_ns, end_ns - round(self.settings.longest_s * NS_PER_S)), end_ns, (moment,))

    def _may_share(self, other: ClipWindow, window: ClipWindow) -> bool:
        joined = other.joined(window)
        longest_ns = round(self.settings.longest_s * NS_PER_S)
        wait_ns = round(self.settings.share_wait_s * NS_PER_S)
        return (
            other.overlaps(window)
            and joined.end_ns - joined.start_ns <= longest_ns
            and joined.end_ns - other.end_ns <= wait_ns
        )

    def waiting(self) -> int:
        """Return how many windows wait."""
        return len(self._open)

    def take_due(self, newest_ns: int | None, now_ns: int) -> list[ClipWindow]:
        """Hand over the windows whose last frame has come, or whose time is over because no more frames come."""
        given_up_ns = now_ns - round(self.settings.lateness_s * NS_PER_S)
        seen_ns = given_up_ns if newest_ns is None else max(newest_ns, given_up_ns)
        due = [window for window in self._open if window.end_ns <= seen_ns]
        self._open = [window for window in self._open if window.end_ns > seen_ns]
        return due

    def take_all(self, newest_ns: int) -> list[ClipWindow]:
        """Hand over every window, cut to what has been seen: watching ends here."""
        windows, self._open = self._open, []
        return [replace(window, end_ns=min(window.end_ns, newest_ns)) for window in windows]
