"""The configuration file is read once, and every mistake in it is named."""

from pathlib import Path

import pytest

from companion.config import Config, ConfigError, Sensitivity, load_config, override


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
        ("[server]\nprot = 1", "server.prot is unknown: [server] has host, port"),
        ("[sever]\nport = 1", "sever is unknown: there are the sections server, camera"),
        ('[server]\nport = "x"', "server.port is not right: expected a whole number, got a text"),
        ("[server]\nport = 70000", "server.port is not right"),
        ('[camera]\nsensitivity = "wild"', "camera.sensitivity is not right: choose one of shy, normal, keen"),
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


def test_a_file_that_is_no_text_is_said(tmp_path: Path) -> None:
    """Bytes that are no UTF-8 give a sentence without the words of a decoder."""
    path = tmp_path / "config.toml"
    path.write_bytes(b"\xff\xfe[server]")
    with pytest.raises(ConfigError, match="save it as one"):
        load_config(path)


def test_the_mark_that_some_editors_put_first_is_no_mistake(tmp_path: Path) -> None:
    """An editor that begins a file with a byte order mark writes a good configuration."""
    assert load_config(written(tmp_path, "\ufeff[server]\nport = 9000")).server.port == 9000


@pytest.mark.parametrize("path", ["~nobody-of-this-name/games", "games\0"])
def test_a_path_that_cannot_be_one_is_said_with_its_key(path: str) -> None:
    """The home of somebody unknown and a character that no path has are named, whichever key holds them."""
    config = override(Config(), folder=Path(path), layout=Path(path))
    with pytest.raises(ConfigError, match=r"storage\.folder"):
        _ = config.folder
    with pytest.raises(ConfigError, match=r"camera\.layout"):
        _ = config.layout_file
