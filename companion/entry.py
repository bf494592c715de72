"""An entry of the journal: its fields, how it is kept in the file, and the digest that chains it to the one before."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

JSON: TypeAlias = "bool | int | float | str | Sequence[JSON] | Mapping[str, JSON] | None"

SCHEMA = """
CREATE TABLE entry (
  seq INTEGER PRIMARY KEY, kind TEXT NOT NULL, payload TEXT NOT NULL,
  at_ns INTEGER NOT NULL, wall TEXT NOT NULL, digest TEXT NOT NULL
);
CREATE TRIGGER entry_stays BEFORE DELETE ON entry BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER entry_is_final BEFORE UPDATE ON entry BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER entry_comes_last BEFORE INSERT ON entry
WHEN NEW.seq IS NOT (SELECT coalesce(max(seq), 0) + 1 FROM entry)
BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One line of the journal."""

    seq: int
    """1 for the first entry, without gaps."""
    kind: str
    payload: Mapping[str, JSON]
    at_ns: int
    """Monotonic clock of the machine that wrote it; comparable within one boot only."""
    wall: str
    """Wall clock, ISO 8601 in UTC; for display only."""


def chained_digest(before: str, line: tuple[int, str, str, int, str]) -> str:
    """Return the digest of an entry (number, kind, payload, monotonic time, wall time) after the one with ``before``.

    Chained, so that an entry that was lost or altered in the middle is noticed when the file is opened.
    """
    return hashlib.blake2b(json.dumps([before, *line]).encode(), digest_size=12).hexdigest()
