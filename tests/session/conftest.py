"""Tables in the two states that most tests start from."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.session.table import Table


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    """A table where no game has been set up."""
    new = Table(tmp_path / "journal.db")
    yield new
    new.journal.close()


@pytest.fixture
def playing(table: Table) -> Table:
    """A table in the middle of a round: Anna (0) is the Guard and starts, a spider 4 lies on top."""
    table.set_up()
    table.play("deal spider4")
    return table
