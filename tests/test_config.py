"""The configuration file is read once, and every mistake in it is named."""

from pathlib import Path

import pytest

from companion.config import Config, ConfigError, Sensitivity, load_config


def written(folder: Path, text: str) -> Path:
    path = folder / "config.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_an_empty_file_gives_the_defaults(tmp_path: Path) -> None:
    """A file without keys changes nothing."""
    assert load_config(written(tmp_path, "")) == Config()


def test_values_are_read(tmp_path: Path) -> None:
    """Each section's keys arrive in the frozen value."""
    text = '[server]\nport = 9000\n[camera]\nsource = "0"\nsensitivity = "keen"\n[storage]\nfolder = "/x"'
    config = load_config(written(tmp_path, text))
    assert config.server.port == 9000
    assert config.camera.sensitivity is Sensitivity.KEEN
    assert config.folder == Path("/x")


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("[server]\nprot = 1", "server.prot is unknown"),
        ("[sever]\nport = 1", "sever is unknown"),
        ('[server]\nport = "x"', "server.port is not right: expected `int`"),
        ("[server]\nport = 70000", "server.port is not right"),
        ('[camera]\nsensitivity = "wild"', "camera.sensitivity is not right"),
        ("[server\n", "not valid TOML"),
    ],
)
def test_a_mistake_is_named_by_its_dotted_path(tmp_path: Path, text: str, named: str) -> None:
    """One sentence says which key is wrong."""
    with pytest.raises(ConfigError) as caught:
        load_config(written(tmp_path, text))
    assert named in str(caught.value)
    assert "\n" not in str(caught.value).strip()


def test_a_file_that_is_not_there_is_said(tmp_path: Path) -> None:
    """A wrong name after --config is an error, never the defaults in silence."""
    with pytest.raises(ConfigError, match="cannot be read"):
        load_config(tmp_path / "none.toml")
