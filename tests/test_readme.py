"""The README says what is true: every command, every setting, every picture it shows."""

import argparse
import re
from pathlib import Path

import msgspec

from companion.cli import _parser
from companion.config import Config

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_every_command_has_its_heading() -> None:
    """A command that is added is described, and one that is described exists."""
    (commands,) = (a for a in _parser()._actions if isinstance(a, argparse._SubParsersAction))
    assert set(re.findall(r"^### `cheating-moth (\w+)`", README, re.MULTILINE)) == set(commands.choices)


def test_every_setting_is_in_the_table_with_its_default() -> None:
    """The table of settings is the configuration's own fields and defaults."""
    settings = {}
    for section in msgspec.structs.fields(Config):
        for field in msgspec.structs.fields(section.type):
            default = getattr(section.default, field.name)
            written = f'"{default}"' if isinstance(default, str) else str(default)
            settings[f"{section.name}.{field.name}"] = written
    assert dict(re.findall(r"^\| `(\w+\.\w+)` \| `(.*?)` \|", README, re.MULTILINE)) == settings


def test_every_file_it_points_to_is_there() -> None:
    """No link of the README leads nowhere."""
    links = [link for link in re.findall(r"\]\(([^)#]+)\)", README) if not link.startswith("http")]
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_ci_runs_the_test_command_that_the_readme_gives() -> None:
    """What a newcomer runs is what holds the project."""
    command = ".uv/bin/uv run pytest"
    assert f"\n{command}\n" in README
    assert f"\n{command}\n" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")
