"""The journal: an append-only SQLite file; what it has acknowledged is on the disk. The only importer of sqlite3."""

import contextlib
import json
import os
import shutil
import sqlite3
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from companion.clock import Clock
from companion.entry import JSON, SCHEMA, Entry, chained_digest
from companion.errors import CompanionError

APPLICATION_ID = 0x434D4F54
"""Marks the file as a journal of this program (`CMOT`), so that another program's database is never touched."""
FORMAT = 1
_CHUNK = 500
_SMALLEST = 2 * 4096
"""Bytes of a journal without entries: the schema's page and the table's first."""
_SIDE_FILES = ("-wal", "-shm")
_DAMAGE = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT, sqlite3.SQLITE_ERROR}
_READ = "SELECT seq, kind, payload, at_ns, wall, digest FROM entry WHERE seq > ? ORDER BY seq"
_INSERT = "INSERT INTO entry (seq, kind, payload, at_ns, wall, digest) VALUES (?, ?, ?, ?, ?, ?)"
_MARK = f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {FORMAT};"


class JournalError(CompanionError):
    """The journal cannot be opened, read or written; the sentence says what to do."""


class Journal:
    """The open journal of one server: the file's only writer. Safe to use from several threads."""

    def __init__(self, path: Path, clock: Clock, lock: sqlite3.Connection, notice: JournalError | None) -> None:
        """Use `Journal.open`."""
        self.path = path
        self.notice = notice
        """What was repaired when the file was opened, as a sentence for the operator; None when all was well."""
        self._clock = clock
        self._lock_file = lock
        self._changed = threading.Condition(threading.RLock())
        self._closed = False
        self._db = _connect(path)
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = FULL")
        row = self._db.execute("SELECT seq, digest FROM entry ORDER BY seq DESC LIMIT 1").fetchone()
        self._last, self._digest = (int(row[0]), str(row[1])) if row else (0, "")

    @classmethod
    def open(cls, path: Path, clock: Clock) -> "Journal":
        """Open the journal at ``path``, created where there is none, and keep every other server out of it.

        A damaged file is set aside and the entries that can still be read are kept; `notice` says so.
        Raises JournalError when another server has it open, or when it cannot be read or written.
        """
        path = Path(path)
        lock: sqlite3.Connection | None = None
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            lock = _lock(path)
            return cls(path, clock, lock, _prepare(path, clock))
        except (sqlite3.Error, OSError) as error:
            if lock:
                lock.close()
            raise _sentence(error, path) from error
        except JournalError:
            if lock:
                lock.close()
            raise

    @property
    def last_seq(self) -> int:
        """The number of the last entry; 0 for an empty journal."""
        return self._last

    def append(self, kind: str, payload: Mapping[str, JSON]) -> Entry:
        """Write one entry and return it once it is safely on the disk.

        Raises JournalError when it could not be written; the journal is then as it was before.
        """
        try:
            # ASCII with escapes, so that any text a screen can send, broken Unicode too, can be written.
            text = json.dumps(payload, allow_nan=False, separators=(",", ":"))
        except (TypeError, ValueError) as error:
            raise JournalError(
                "An entry of kind {kind} cannot be written down: {reason}.", kind=kind, reason=str(error)
            ) from error
        with self._changed:
            if self._closed:
                raise JournalError("The journal is closed: start the server again.")
            seq, at_ns, wall = self._last + 1, self._clock.monotonic_ns(), self._clock.now().isoformat()
            digest = chained_digest(self._digest, (seq, kind, text, at_ns, wall))
            try:
                self._db.execute(_INSERT, (seq, kind, text, at_ns, wall, digest))
            except sqlite3.Error as error:
                if self._db.in_transaction:
                    with contextlib.suppress(sqlite3.Error):
                        self._db.rollback()
                raise _sentence(error, self.path) from error
            self._last, self._digest = seq, digest
            self._changed.notify_all()
        return Entry(seq=seq, kind=kind, payload=json.loads(text), at_ns=at_ns, wall=wall)

    def entries(self, after: int = 0, kind: str | None = None) -> Iterator[Entry]:
        """Yield the entries after number ``after`` in order, all kinds or one."""
        while True:
            with self._changed:
                if self._closed:
                    return
                try:
                    rows = self._db.execute(f"{_READ} LIMIT {_CHUNK}", (after,)).fetchall()
                except sqlite3.Error as error:
                    raise _sentence(error, self.path) from error
            for row in rows:
                if kind is None or row[1] == kind:
                    yield _entry(row)
            if len(rows) < _CHUNK:
                return
            after = rows[-1][0]

    def follow(self, after: int = 0) -> Iterator[Entry]:
        """Yield the entries after number ``after``, then each new one as it comes, until the journal is closed."""
        while True:
            for entry in self.entries(after):
                after = entry.seq
                yield entry
            with self._changed:
                while self._last <= after and not self._closed:
                    self._changed.wait()
                if self._closed:
                    return

    def close(self) -> None:
        """Close the file and let other servers have it; `follow` ends."""
        with self._changed:
            if self._closed:
                return
            self._closed = True
            self._changed.notify_all()
            self._db.close()
            self._lock_file.close()


def read_entries(path: Path) -> list[Entry]:
    """Return every entry of the journal at ``path`` without changing or locking it, a server may have it open.

    Raises JournalError when there is no journal or it is damaged.
    """
    try:
        head = _read_head(path)
    except (sqlite3.Error, OSError) as error:
        raise _sentence(error, path) from error
    if not head.whole:
        raise JournalError(
            "The journal {path} is damaged: start the server once, it keeps what can be read.", path=str(path)
        )
    return [_entry(row) for row in head.rows]


_Row: TypeAlias = tuple[int, str, str, int, str, str]


@dataclass(frozen=True, slots=True)
class _Head:
    rows: list[_Row]
    whole: bool
    """False when something after the rows cannot be read."""


def _connect(path: Path, *, read_only: bool = False) -> sqlite3.Connection:
    uri = f"{path.resolve().as_uri()}?mode={'ro' if read_only else 'rwc'}"
    return sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False, timeout=5)


def _lock(path: Path) -> sqlite3.Connection:
    # SQLite's own lock on a file beside the journal: the same on every system, gone when the process is,
    # and no obstacle to a reader.
    file = Path(f"{path}.lock")
    lock = sqlite3.connect(file, isolation_level=None, check_same_thread=False, timeout=0)
    try:
        if file.stat().st_size:
            # It never holds anything: whatever a failing disk or another program left in it goes. The file itself
            # stays, and with it the lock that another server may have on it.
            os.truncate(file, 0)
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError as error:
        lock.close()
        if _code(error) != sqlite3.SQLITE_BUSY:
            raise
        raise JournalError(
            "Another server has the journal {path} open: stop that one first, or choose another folder with --folder.",
            path=str(path),
        ) from error
    return lock


def _prepare(path: Path, clock: Clock) -> JournalError | None:
    """Leave a sound journal at ``path``; return the sentence that says what was repaired, if anything was."""
    if path.is_dir():
        raise JournalError(
            "{path} is a folder where the journal should be: move it away, or choose another folder with --folder.",
            path=str(path),
        )
    size = path.stat().st_size if path.exists() else 0
    wal = Path(f"{path}-wal").exists()
    if not size and not wal:
        _create(path, [])
        return None
    # An empty file is not even opened: SQLite would throw the write-ahead log beside it away.
    head = _read_head(path) if size else _Head([], whole=False)
    if head.whole:
        return None
    aside = _aside(path, clock)
    for side in ("", *_SIDE_FILES):
        if Path(f"{path}{side}").exists():
            shutil.copy2(f"{path}{side}", f"{aside}{side}")
            _to_disk(Path(f"{aside}{side}"))
    if wal and size < _SMALLEST:
        # All entries may still be in the write-ahead log: give it the beginning of a journal to stand on.
        path.write_bytes((path.read_bytes() if size else b"") + _build(path, []).read_bytes()[size:])
        head = _read_head(path)
    _create(path, head.rows)
    return JournalError(
        "The journal was damaged: {kept} entries could be read and are kept; the damaged file is now {name}.",
        kept=len(head.rows),
        name=aside.name,
    )


def _create(path: Path, rows: list[_Row]) -> None:
    """Put a journal with these entries at ``path``, whole or not at all."""
    new = _build(path, rows)
    # Old side files must be gone before the new file takes the name: SQLite would apply them to it.
    for side in _SIDE_FILES:
        Path(f"{path}{side}").unlink(missing_ok=True)
    new.replace(path)


def _build(path: Path, rows: list[_Row]) -> Path:
    new = Path(f"{path}.new")
    for side in ("", "-journal", *_SIDE_FILES):
        Path(f"{new}{side}").unlink(missing_ok=True)
    with contextlib.closing(_connect(new)) as db:
        db.executescript(f"PRAGMA page_size = 4096; BEGIN; {SCHEMA} {_MARK} COMMIT; PRAGMA journal_mode = WAL;")
        db.execute("BEGIN")
        db.executemany(_INSERT, rows)
        db.execute("COMMIT")
    _to_disk(new)
    return new


def _read_head(path: Path) -> _Head:
    """Read the entries up to the first that is unreadable, out of order, or not what was written."""
    rows: list[_Row] = []
    digest = ""
    try:
        with contextlib.closing(_connect(path, read_only=True)) as db:
            # Lets SQLite read a file that is shorter than its header says.
            db.execute("PRAGMA writable_schema = ON")
            _refuse_foreign(db, path)
            for row in db.execute(_READ, (0,)):
                digest = chained_digest(digest, row[:5])
                if row[0] != len(rows) + 1 or row[5] != digest:
                    return _Head(rows, whole=False)
                json.loads(row[2])
                rows.append(row)
            whole = db.execute("PRAGMA quick_check").fetchone()[0] == "ok" and _has_triggers(db)
            return _Head(rows, whole=whole)
    except sqlite3.DatabaseError as error:
        if _code(error) not in _DAMAGE:
            raise
        return _Head(rows, whole=False)
    except (ValueError, TypeError):
        return _Head(rows, whole=False)


def _has_triggers(db: sqlite3.Connection) -> bool:
    return int(db.execute("SELECT count(*) FROM sqlite_schema WHERE type = 'trigger'").fetchone()[0]) == 3


def _refuse_foreign(db: sqlite3.Connection, path: Path) -> None:
    owner = db.execute("PRAGMA application_id").fetchone()[0]
    version = db.execute("PRAGMA user_version").fetchone()[0]
    tables = db.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
    if owner != APPLICATION_ID and tables:
        raise JournalError(
            "{path} is a database of another program: choose another folder with --folder.", path=str(path)
        )
    if owner == APPLICATION_ID and version > FORMAT:
        raise JournalError("{path} was written by a newer version of this program: update it first.", path=str(path))


def _aside(path: Path, clock: Clock) -> Path:
    stamp = clock.now().strftime("%Y%m%d-%H%M%S")
    number = 0
    while True:
        aside = path.with_name(f"{path.name}.damaged-{stamp}{f'-{number}' if number else ''}")
        if not aside.exists():
            return aside
        number += 1


def _to_disk(path: Path) -> None:
    handle = os.open(path, os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _entry(row: _Row) -> Entry:
    return Entry(seq=row[0], kind=row[1], payload=json.loads(row[2]), at_ns=row[3], wall=row[4])


def _code(error: sqlite3.Error) -> int:
    return int(getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)) & 0xFF


def _sentence(error: sqlite3.Error | OSError, path: Path) -> JournalError:
    if isinstance(error, sqlite3.Error) and _code(error) in {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR}:
        return JournalError(
            "The disk with the journal {path} is full or failing, so this was not written: free some space and do it"
            " again. All that was entered before is kept.",
            path=str(path),
        )
    return JournalError(
        "The journal {path} cannot be used ({reason}): check its folder, or choose another one with --folder.",
        path=str(path),
        reason=str(getattr(error, "strerror", None) or error),
    )
