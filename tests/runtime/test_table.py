"""A table starts and ends in order, and says in one sentence why it cannot."""

import contextlib
import http.client
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from http import HTTPStatus
from pathlib import Path

import pytest

from companion.cli import main
from companion.config import Config, Server, Storage
from companion.runtime.table import Table

from .served import Served


def test_it_ends_in_order_while_screens_are_open(tmp_path: Path) -> None:
    """Ctrl-C with an open stream ends the process with status 0: no screen holds it up, no error is printed."""
    with Served(["run", "--host", "127.0.0.1", "--folder", str(tmp_path)]) as server:
        screen = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
        screen.request("GET", "/stream")
        reply = screen.getresponse()
        assert reply.readline().startswith(b"retry:")
        time.sleep(0.2)
        assert server.end() == 0
        screen.close()
    assert "Traceback" not in "\n".join(server.lines)


def test_it_ends_when_it_is_told_to_before_it_serves(tmp_path: Path) -> None:
    """A stop that comes before the first request is not lost."""
    with Table(Config(server=Server(host="127.0.0.1", port=0), storage=Storage(folder=str(tmp_path)))) as table:
        table.stop()
        serving = threading.Thread(target=table.serve, daemon=True)
        serving.start()
        serving.join(timeout=20)
        assert not serving.is_alive()


def test_a_damaged_journal_is_said_and_the_companion_starts(tmp_path: Path) -> None:
    """Torn by a failing disk: what can be read is kept, and the operator is told where the damaged file is now."""
    (tmp_path / "journal.sqlite3").write_bytes(b"SQLite format 3\0" + bytes(5000))
    with Served(["run", "--host", "127.0.0.1", "--folder", str(tmp_path)]) as server:
        assert server.post("/undo", {"seq": 0})[0] == HTTPStatus.UNPROCESSABLE_ENTITY
        assert server.end() == 0
    said = "\n".join(server.lines)
    assert "The journal was damaged" in said
    assert [path.name in said for path in tmp_path.glob("*.damaged-*")] == [True]


def test_a_port_in_use_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A second companion on the same port ends with status 2 and says what to do."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert main(["run", "--host", "127.0.0.1", "--port", port, "--folder", str(tmp_path)]) == 2
    said = capsys.readouterr().err.strip()
    assert f"Port {port} is in use" in said
    assert "--port" in said
    assert "\n" not in said


def test_a_second_companion_on_the_same_games_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Two servers never write one journal."""
    with Served(["run", "--host", "127.0.0.1", "--folder", str(tmp_path)]):
        assert main(["run", "--host", "127.0.0.1", "--port", "0", "--folder", str(tmp_path)]) == 2
    said = capsys.readouterr().err.strip()
    assert said
    assert "\n" not in said


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["--port", "99999"], "--port"),
        (["--host", "not an address"], "--host"),
        (["--folder", "/proc/nowhere"], "/proc/nowhere"),
    ],
)
def test_nonsense_is_one_sentence(
    arguments: list[str], named: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A port out of range, a host that is none, a folder that cannot be made: status 2, one sentence, no traceback."""
    assert main(["run", "--host", "127.0.0.1", "--port", "0", "--folder", str(tmp_path), *arguments]) == 2
    said = capsys.readouterr().err.strip()
    assert named in said
    assert "\n" not in said


def test_it_serves_where_nobody_reads_what_it_prints(tmp_path: Path) -> None:
    """Started by a script that closed its end of the pipe, the companion plays on and ends in order."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    arguments = ["run", "--host", "127.0.0.1", "--port", str(port), "--folder", str(tmp_path)]
    command = [sys.executable, "-m", "companion", *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        answered = _answers(port)
        process.send_signal(signal.SIGINT)
        assert process.stderr.read() == ""
    assert answered
    assert process.returncode == 0


def _answers(port: int) -> bool:
    """Tell whether a companion serves pages at a port within a minute; a port that is only taken does not count."""
    for _ in range(120):
        with contextlib.suppress(OSError), urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=20) as page:
            return page.status == HTTPStatus.OK
        time.sleep(0.5)
    return False


def test_a_stop_while_the_libraries_load_is_quiet() -> None:
    """Ctrl-C before the command has even been read ends it without a traceback."""
    code = (
        "import builtins, companion.cli as cli\n"
        "load = builtins.__import__\n"
        "def stop(name, *rest):\n"
        "    if name == 'cv2': raise KeyboardInterrupt\n"
        "    return load(name, *rest)\n"
        "builtins.__import__ = stop\n"
        "raise SystemExit(cli.main(['models', '--help']))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (130, "")


@pytest.mark.parametrize("layout", ["absent.json", "broken.json"])
def test_a_layout_that_cannot_be_used_is_said_and_the_game_is_served(tmp_path: Path, layout: str) -> None:
    """The game does not need the camera: the sentence is printed, the screens are there."""
    (tmp_path / "broken.json").write_text('{"version": 1}')
    arguments = ["run", "--host", "127.0.0.1", "--folder", str(tmp_path), "--camera", "0"]
    with Served([*arguments, "--layout", str(tmp_path / layout)]) as server:
        assert server.post("/moves", {"move": "next", "seq": -1})[0] in (409, 422)
    assert any("The game goes on without the camera." in line for line in server.lines)
