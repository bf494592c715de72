"""What is wrong with a command is said in one sentence, whatever it is."""

import pytest

from companion.cli import BAD_INPUT, main


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ([], "COMMAND"),
        (["rum"], "'rum'"),
        (["run", "--port", "abc"], "a port is a number from 0 to 65535, not 'abc'"),
        (["run", "--port", "70000"], "a port is a number"),
        (["run", "--port", "-1"], "a port is a number"),
        (["run", "--prot", "1"], "--prot"),
        (["run", "--host"], "--host"),
        (["demo", "now"], "now"),
        (["analyze"], "--layout"),
        (["models", "all"], "all"),
    ],
)
def test_a_wrong_command_is_one_sentence(arguments: list[str], named: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Status 2 and a single line that names the mistake and says where to read on; no usage, no traceback."""
    assert main(arguments) == BAD_INPUT
    said = capsys.readouterr()
    assert named in said.err
    assert "--help" in said.err
    assert "\n" not in said.err.strip()
    assert not said.out
