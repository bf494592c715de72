"""The folder of clips: whole or not at all, within its room, and gone when asked."""

import errno
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import av
import pytest

from companion.clips import library as library_module
from companion.clips.library import ClipCleared, ClipError, ClipLibrary, LibrarySettings
from companion.clips.recorder import Moment
from companion.clock import SetClock
from tests.clips.scene import START_NS, stored

MOMENT = Moment(id="e1", kind="sleeve_movement", start_ns=START_NS, end_ns=START_NS + 10, seat=2, side="left")
LOTS = 10**12


class Shelf:
    """A library whose clock moves on a second with each clip and whose disk is as full as a test says."""

    def __init__(self, folder: Path, **settings: int) -> None:
        self.clock = SetClock(wall=datetime(2026, 1, 1, tzinfo=UTC))
        self.free = LOTS
        self.library = ClipLibrary(
            folder, LibrarySettings(**settings), clock=self.clock, free_bytes=lambda _folder: self.free
        )

    def save(self, name: str, count: int = 3) -> None:
        """Keep a clip of so many frames."""
        self.clock.wall += timedelta(seconds=1)
        self.library.save(name, stored(count), [MOMENT])

    def names(self) -> list[str]:
        """Return the clips there are, oldest first."""
        return [clip.name for clip in self.library.clips()]


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    """An empty library."""
    made = Shelf(tmp_path / "clips")
    yield made
    hidden = [path.name for path in (tmp_path / "clips").glob(".*") if path.name != ".cleared"]
    assert hidden == [], "nothing half written or half removed is left"


def test_clip_holds_video_frames_and_times(shelf: Shelf) -> None:
    """A clip has the video, each exact frame as it was in the ring, and the capture time of each."""
    frames = stored(40)
    clip = shelf.library.save("e1", frames, [MOMENT])
    assert [frame.at_ns for frame in clip.frames] == [frame.at_ns for frame in frames]
    assert [clip.frame_path(n).read_bytes() for n in range(40)] == [frame.jpeg for frame in frames]
    with av.open(str(clip.video)) as container:
        assert len(list(container.decode(video=0))) == 40
    assert clip.moments == (MOMENT,)
    assert (clip.start_ns, clip.end_ns) == (frames[0].at_ns, frames[-1].at_ns)
    assert shelf.library.clip("e1") == clip


def test_torn_clip_is_never_seen(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    """While a clip is written, and after writing failed, no reader sees any of it."""
    seen: list[list[str]] = []

    def full_disk(*_args: object) -> None:
        seen.append(shelf.names())
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(library_module, "write_mp4", full_disk)
    with pytest.raises(ClipError, match="disk is full"):
        shelf.save("e1")
    assert seen == [[]]
    assert shelf.names() == []


def test_oldest_unpinned_clips_make_room(shelf: Shelf) -> None:
    """At the quota the oldest clip goes, except a pinned one."""
    shelf.save("probe")
    size = shelf.library.clip("probe").bytes
    small = Shelf(shelf.library.folder, quota_bytes=round(3.2 * size))
    small.library.remove("probe")
    for name in ("a", "b", "c"):
        small.save(name)
    small.library.pin("a")
    small.save("d")
    assert small.names() == ["a", "c", "d"]


def test_pinned_clips_alone_fill_the_quota(shelf: Shelf) -> None:
    """Nothing pinned is ever removed to make room: the new clip is refused, with a sentence."""
    shelf.save("probe")
    size = shelf.library.clip("probe").bytes
    small = Shelf(shelf.library.folder, quota_bytes=round(1.5 * size))
    small.library.pin("probe")
    with pytest.raises(ClipError, match="pinned"):
        small.save("b")
    assert small.names() == ["probe"]


def test_disk_floor_is_kept(shelf: Shelf) -> None:
    """With too little of the disk free, the old clips go first; then a clip is refused with a sentence."""
    shelf.save("a")
    shelf.free = 1000
    with pytest.raises(ClipError, match="512 MB"):
        shelf.save("b")
    assert shelf.names() == []
    shelf.free = LOTS
    shelf.save("c")
    assert shelf.names() == ["c"]


def test_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    """A clips folder that cannot be made is refused with its name."""
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(ClipError, match="file"):
        Shelf(tmp_path / "file").save("a")


def test_clear_spares_pinned_clips_unless_told(shelf: Shelf) -> None:
    """When a game is closed its clips go, but for those that somebody pinned; all go when asked."""
    shelf.save("a")
    shelf.save("b")
    shelf.library.pin("b")
    assert shelf.library.clear() == 1
    assert shelf.names() == ["b"]
    shelf.library.unpin("b")
    shelf.library.pin("b")
    assert shelf.library.clear(pinned_too=True) == 1
    assert [path.name for path in shelf.library.folder.iterdir()] == [".cleared"]


def test_sweep_removes_what_a_killed_process_left(tmp_path: Path) -> None:
    """Half written folders of a process that was killed are gone after the next start; clips stay."""
    shelf = Shelf(tmp_path)
    shelf.save("a")
    (tmp_path / ".partial-x" / "frames").mkdir(parents=True)
    (tmp_path / ".gone-y").mkdir()
    (tmp_path / ".cleared").write_text(str(10**18))
    assert shelf.names() == ["a"]
    shelf.library.sweep()
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


@pytest.mark.parametrize("name", ["../a", ".partial-a", "", "a/b", "a" * 200])
def test_no_name_leads_out_of_the_folder(shelf: Shelf, name: str) -> None:
    """A name that is no clip's name is refused for reading and for writing."""
    shelf.save("a")
    with pytest.raises(ClipError):
        shelf.library.clip(name)
    with pytest.raises(ClipError):
        shelf.library.save(name, stored(1), [])


def test_foreign_and_damaged_folders_are_passed_over(shelf: Shelf) -> None:
    """A folder without a readable `clip.json` is no clip, and does not hide the others."""
    shelf.save("a")
    (shelf.library.folder / "other").mkdir()
    (shelf.library.folder / "damaged").mkdir()
    (shelf.library.folder / "damaged" / "clip.json").write_text("{")
    assert shelf.names() == ["a"]


def test_clip_without_frames_is_refused(shelf: Shelf) -> None:
    """When the ring had no picture of the stretch, the sentence says so."""
    with pytest.raises(ClipError, match="no pictures"):
        shelf.library.save("a", [], [MOMENT])


def test_missing_folder_has_no_clips(tmp_path: Path) -> None:
    """Before the first clip there is no folder, and that is no error."""
    assert ClipLibrary(tmp_path / "none").clips() == []
    assert ClipLibrary(tmp_path / "none").clear() == 0


@pytest.mark.parametrize("when", ["before the video", "after the video"])
def test_a_clip_that_is_being_written_is_cleared_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, when: str
) -> None:
    """Another process clears the clips in the middle of a save: nothing of it stays, and the next one is kept."""
    shelf = Shelf(tmp_path / "clips")
    shelf.save("old")
    write = library_module.write_mp4

    def cleared_meanwhile(*args: object) -> None:
        if when == "after the video":
            write(*args)  # type: ignore[arg-type]
        assert ClipLibrary(tmp_path / "clips", clock=shelf.clock).clear() == 1
        if when == "before the video":
            write(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(library_module, "write_mp4", cleared_meanwhile)
    with pytest.raises(ClipCleared):
        shelf.save("under-way")
    assert [path.name for path in (tmp_path / "clips").iterdir()] == [".cleared"]
    monkeypatch.setattr(library_module, "write_mp4", write)
    shelf.save("next")
    assert shelf.names() == ["next"]


def test_a_clip_of_what_was_seen_before_the_clear_is_not_written_after_it(shelf: Shelf) -> None:
    """The clips are cleared while a clip still waits for its writing: it is gone with them."""
    shelf.save("old")
    frames = stored(3)
    shelf.clock.at_ns = START_NS + 5
    assert ClipLibrary(shelf.library.folder, clock=shelf.clock).clear() == 1
    with pytest.raises(ClipCleared):
        shelf.library.save("late", frames, [MOMENT])
    assert shelf.names() == []


def test_a_clip_of_what_is_seen_after_the_clear_has_no_picture_from_before_it(shelf: Shelf) -> None:
    """A movement after the clear is kept, without the part of its pre-roll that was cleared."""
    shelf.save("old")
    frames = stored(6)
    shelf.clock.at_ns = frames[2].at_ns
    shelf.library.clear()
    late = Moment(id="e2", kind="sleeve_movement", start_ns=frames[4].at_ns, end_ns=frames[5].at_ns, seat=1)
    clip = shelf.library.save("new", frames, [MOMENT, late])
    assert [frame.at_ns for frame in clip.frames] == [frame.at_ns for frame in frames[3:]]


def test_a_clear_between_the_start_of_a_save_and_its_folder_wins(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    """The clear falls where there is no half-written folder to take away yet: nothing is kept all the same."""
    shelf.save("old")
    make_room = ClipLibrary._make_room

    def cleared_first(library: ClipLibrary, needed: int) -> None:
        make_room(library, needed)
        shelf.clock.at_ns = START_NS + 5
        ClipLibrary(shelf.library.folder, clock=shelf.clock).clear()

    monkeypatch.setattr(ClipLibrary, "_make_room", cleared_first)
    with pytest.raises(ClipCleared):
        shelf.save("late")
    assert shelf.names() == []
