"""The journal keeps what it has acknowledged, whatever happens to the process, the disk or the file."""

import contextlib
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.clock import SetClock, SystemClock
from companion.journal import Journal, JournalError, read_entries

WRITER = """
import sys
from companion.clock import SystemClock
from companion.journal import Journal
journal = Journal.open(sys.argv[1], SystemClock())
while True:
    print(journal.append("move", {"move": "draw 1", "pad": "x" * 200}).seq, flush=True)
"""


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    opened = Journal.open(tmp_path / "journal.db", SetClock(at_ns=5))
    yield opened
    opened.close()


def filled(path: Path, entries: int) -> Path:
    """Write a closed journal with so many entries."""
    written = Journal.open(path, SetClock())
    for number in range(entries):
        written.append("move", {"move": f"draw {number % 4}", "pad": "x" * 80})
    written.close()
    return path


def test_entries_come_back_in_order_as_they_were_written(journal: Journal) -> None:
    """Kind, payload, times and numbers without gaps."""
    first = journal.append("game", {"players": ["Åsa", "<b>Bo</b>"], "n": None, "x": [1, 2.5, True]})
    second = journal.append("move", {"move": "draw 1"})
    assert [first, second] == list(journal.entries())
    assert (first.seq, second.seq, first.at_ns, first.payload["players"]) == (1, 2, 5, ["Åsa", "<b>Bo</b>"])
    assert [entry.seq for entry in journal.entries(after=1)] == [2]
    assert [entry.kind for entry in journal.entries(kind="game")] == ["game"]


def test_entries_in_great_number_come_back_complete(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading goes on past one chunk."""
    monkeypatch.setattr("companion.journal._CHUNK", 20)
    opened = Journal.open(filled(tmp_path / "j.db", 61), SetClock())
    assert [entry.seq for entry in opened.entries()] == list(range(1, 62))
    opened.close()


def test_a_reopened_journal_goes_on_after_its_last_entry(tmp_path: Path) -> None:
    """The number of the next entry follows on."""
    opened = Journal.open(filled(tmp_path / "j.db", 3), SetClock())
    assert opened.notice is None
    assert opened.append("move", {}).seq == 4
    opened.close()


def test_it_writes_ahead_and_syncs_before_it_acknowledges(journal: Journal) -> None:
    """WAL with synchronous=FULL: an acknowledged entry survives a loss of power."""
    assert journal._db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert journal._db.execute("PRAGMA synchronous").fetchone() == (2,)


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM entry WHERE seq = 1",
        "UPDATE entry SET payload = '{}' WHERE seq = 2",
        "INSERT OR REPLACE INTO entry VALUES (1, 'move', '{}', 0, '', '')",
        "INSERT INTO entry VALUES (7, 'move', '{}', 0, '', '')",
        "INSERT INTO entry VALUES (NULL, 'move', '{}', 0, '', '')",
    ],
)
def test_the_file_itself_refuses_any_change_but_an_entry_at_the_end(tmp_path: Path, statement: str) -> None:
    """Triggers hold it, against any program that opens the file."""
    path = filled(tmp_path / "j.db", 3)
    database = sqlite3.connect(path)
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        database.execute(statement)
    database.close()
    assert len(read_entries(path)) == 3


def test_a_second_server_on_the_same_journal_is_told_so(journal: Journal) -> None:
    """One sentence that names the file; the first server is not disturbed."""
    with pytest.raises(JournalError, match=r"Another server has the journal .*journal\.db open"):
        Journal.open(journal.path, SetClock())
    assert journal.append("move", {}).seq == 1


def test_the_lock_is_gone_with_the_server(journal: Journal) -> None:
    """A journal that was closed can be opened by the next server."""
    journal.close()
    Journal.open(journal.path, SetClock()).close()


def test_it_can_be_read_while_a_server_has_it_open(journal: Journal) -> None:
    """Export needs no pause in the game."""
    journal.append("move", {"move": "draw 1"})
    assert [entry.payload for entry in read_entries(journal.path)] == [{"move": "draw 1"}]


def test_follow_gives_what_is_there_then_what_comes_and_ends_when_closed(journal: Journal) -> None:
    """The stream misses nothing."""
    journal.append("move", {"n": 1})
    seen: list[int] = []
    got_two = threading.Event()

    def read() -> None:
        for entry in journal.follow(0):
            seen.append(entry.seq)
            if len(seen) == 2:
                got_two.set()

    reader = threading.Thread(target=read)
    reader.start()
    journal.append("move", {"n": 2})
    assert got_two.wait(20)
    journal.close()
    reader.join(20)
    assert not reader.is_alive()
    assert seen == [1, 2]


def test_threads_that_append_at_once_leave_no_gap(journal: Journal) -> None:
    """Every entry has a number of its own."""
    threads = [threading.Thread(target=lambda: [journal.append("move", {}) for _ in range(20)]) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [entry.seq for entry in journal.entries()] == list(range(1, 81))


def test_no_acknowledged_entry_is_lost_by_a_kill(tmp_path: Path) -> None:
    """SIGKILL at random points, again and again on the same journal: all that was acknowledged is there."""
    path, rng, acknowledged = tmp_path / "j.db", random.Random(7), 0
    for _ in range(12):
        writer = subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True)
        assert writer.stdout
        for _ in range(rng.randrange(1, 60)):
            acknowledged = int(writer.stdout.readline())
        writer.send_signal(signal.SIGKILL)
        # What was acknowledged between the last line read and the kill counts too.
        rest = writer.stdout.read().split()
        acknowledged = int(rest[-1]) if rest else acknowledged
        writer.wait()
        writer.stdout.close()
        opened = Journal.open(path, SystemClock())
        assert opened.notice is None
        assert opened.last_seq >= acknowledged
        assert [entry.seq for entry in opened.entries()] == list(range(1, opened.last_seq + 1))
        opened.close()


def test_a_journal_cut_at_any_byte_opens_with_its_head(tmp_path: Path) -> None:
    """The file is cut at bytes all over it; the readable head is kept, in order, and the journal goes on."""
    whole = filled(tmp_path / "whole.db", 150).read_bytes()
    cuts = [0, 1, 15, 16, 99, 100, 4095, 4096, len(whole) - 1, *random.Random(3).sample(range(len(whole)), 40)]
    kept = {}
    for cut in sorted(cuts):
        path = tmp_path / f"cut{cut}" / "j.db"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(whole[:cut])
        opened = Journal.open(path, SetClock())
        kept[cut] = opened.last_seq
        assert [entry.payload["move"] for entry in opened.entries()] == [f"draw {n % 4}" for n in range(kept[cut])]
        assert opened.append("move", {}).seq == kept[cut] + 1
        opened.close()
    assert kept[len(whole) - 1] > 100
    assert list(kept.values()) == sorted(kept.values())


@pytest.mark.parametrize("part", ["j.db", "j.db-wal", "j.db-shm"])
def test_a_killed_servers_files_cut_at_any_byte_open_with_their_head(tmp_path: Path, part: str) -> None:
    """The write-ahead log of a server that was killed may be torn as well."""
    live = tmp_path / "live"
    live.mkdir()
    opened = Journal.open(live / "j.db", SetClock())
    for number in range(40):
        opened.append("move", {"n": number})
    killed = tmp_path / "killed"
    shutil.copytree(live, killed)
    opened.close()
    size = (killed / part).stat().st_size
    for cut in [0, *random.Random(5).sample(range(size), 25)]:
        torn = tmp_path / f"torn{cut}"
        shutil.copytree(killed, torn)
        (torn / part).write_bytes((killed / part).read_bytes()[:cut])
        again = Journal.open(torn / "j.db", SetClock())
        assert [entry.payload["n"] for entry in again.entries()] == list(range(again.last_seq))
        assert part == "j.db-wal" or again.last_seq == 40
        again.close()


def test_a_damaged_journal_is_set_aside_unchanged_and_its_new_name_is_said(tmp_path: Path) -> None:
    """Nothing is thrown away: the damaged bytes stay under the name that the notice gives."""
    path = filled(tmp_path / "j.db", 150)
    damaged = path.read_bytes()[:-5000]
    path.write_bytes(damaged)
    opened = Journal.open(path, SetClock())
    assert opened.notice is not None
    name = str(opened.notice.params["name"])
    assert name in str(opened.notice)
    assert str(opened.last_seq) in str(opened.notice)
    assert (tmp_path / name).read_bytes() == damaged
    opened.close()
    again = Journal.open(path, SetClock())
    assert again.notice is None
    again.close()


def test_an_entry_that_was_altered_in_the_file_ends_the_head(tmp_path: Path) -> None:
    """A flipped bit that SQLite does not notice is noticed by the chain of digests."""
    path = filled(tmp_path / "j.db", 20)
    raw = bytearray(path.read_bytes())
    at = raw.rindex(b'"draw 3"')
    raw[at + 6] = ord("1")
    path.write_bytes(raw)
    opened = Journal.open(path, SetClock())
    assert opened.notice is not None
    assert 0 < opened.last_seq < 20
    opened.close()


def test_random_damage_never_keeps_a_journal_from_opening(tmp_path: Path) -> None:
    """Overwritten blocks anywhere: it opens, and what it keeps is a true head."""
    whole = filled(tmp_path / "whole.db", 120).read_bytes()
    rng = random.Random(11)
    for trial in range(25):
        raw = bytearray(whole)
        start = rng.randrange(len(raw) - 600)
        raw[start : start + 600] = rng.randbytes(600)
        path = tmp_path / f"d{trial}.db"
        path.write_bytes(raw)
        opened = Journal.open(path, SetClock())
        assert [entry.payload["move"] for entry in opened.entries()] == [
            f"draw {n % 4}" for n in range(opened.last_seq)
        ]
        opened.close()


def test_another_programs_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    """Naming the wrong file costs nothing."""
    path = tmp_path / "photos.db"
    database = sqlite3.connect(path)
    database.execute("CREATE TABLE photo (id INTEGER)")
    database.close()
    before = path.read_bytes()
    with pytest.raises(JournalError, match="another program"):
        Journal.open(path, SetClock())
    assert path.read_bytes() == before


def test_a_journal_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    """An old program does not guess at a new format."""
    path = filled(tmp_path / "j.db", 1)
    database = sqlite3.connect(path)
    database.execute("PRAGMA user_version = 9")
    database.close()
    with pytest.raises(JournalError, match="newer version"):
        Journal.open(path, SetClock())


def test_a_folder_in_the_journals_place_is_one_clear_sentence(tmp_path: Path) -> None:
    """No traceback of SQLite reaches a person."""
    with pytest.raises(JournalError, match="is a folder"):
        Journal.open(tmp_path, SetClock())


def test_a_damaged_lock_file_keeps_nobody_out_and_still_locks(tmp_path: Path) -> None:
    """What a failing disk left in the lock's file is thrown away; a second server is refused as ever."""
    path = tmp_path / "journal.db"
    Path(f"{path}.lock").write_bytes(b"no database" * 900)
    with contextlib.closing(Journal.open(path, SetClock())) as journal:
        journal.append("move", {})
        with pytest.raises(JournalError, match="Another server"):
            Journal.open(path, SetClock())


def test_a_full_disk_refuses_the_entry_and_keeps_the_rest(journal: Journal) -> None:
    """The sentence says what to do; with space again, the same entry is written, without a gap."""
    for _ in range(3):
        journal.append("move", {"pad": "x" * 3000})
    used = journal._db.execute("PRAGMA page_count").fetchone()[0]
    journal._db.execute(f"PRAGMA max_page_count = {used}")
    with pytest.raises(JournalError, match="free some space"):
        journal.append("move", {"pad": "x" * 90_000})
    assert len(list(journal.entries())) == 3
    journal._db.execute("PRAGMA max_page_count = 100000")
    assert journal.append("move", {"pad": "x" * 90_000}).seq == 4


def test_a_write_that_the_system_refuses_is_no_half_entry(tmp_path: Path) -> None:
    """A limit on the file's size stands for a disk that is full in the middle of a write."""
    path = tmp_path / "j.db"
    limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, 300_000))"
    limited = subprocess.run(
        [sys.executable, "-c", limit + WRITER, str(path)], capture_output=True, text=True, check=False
    )
    assert "JournalError: The disk" in limited.stderr
    acknowledged = int(limited.stdout.split()[-1])
    opened = Journal.open(path, SetClock())
    assert opened.notice is None
    assert opened.last_seq == acknowledged
    opened.close()


def test_a_closed_journal_refuses_entries(journal: Journal) -> None:
    """A sentence, not a driver's error."""
    journal.close()
    with pytest.raises(JournalError, match="closed"):
        journal.append("move", {})
