"""The watcher as the process that it is: under its supervisor, killed, stopped, and left alone."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import av
import pytest

from companion.watcher import wire
from companion.watcher.messages import (
    ClipReport,
    KeepClip,
    PictureReport,
    StatusReport,
    TakePicture,
    Watch,
    WatchState,
)
from companion.watcher.supervisor import WATCHER_COMMAND, Supervisor
from tests.watcher.scene import LAYOUT, Heard, write_video


@pytest.fixture
def watch(tmp_path: Path) -> Watch:
    """A looped video to watch without analysis."""
    video = write_video(tmp_path / "video.mp4", [n / 30 for n in range(60)])
    return Watch(source=str(video), layout=LAYOUT, clips=str(tmp_path / "clips"), loop=True, analyse=False)


@pytest.fixture
def heard() -> Heard:
    """What the supervisor reports."""
    return Heard()


@pytest.fixture
def supervisor(watch: Watch, heard: Heard) -> Iterator[Supervisor]:
    """A supervised watcher that watches the video."""
    made = Supervisor(on_report=heard.hear)
    made.send(watch)
    made.start()
    heard.until(WatchState.WATCHING)
    yield made
    made.stop()


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP], ids=["killed", "hung"])
def test_watcher_comes_back(supervisor: Supervisor, heard: Heard, number: signal.Signals) -> None:
    """Killed or stopped, the watcher is `lost`, and soon a new one watches the same source again."""
    pid = supervisor.pid
    assert pid is not None
    os.kill(pid, number)
    assert heard.until(WatchState.LOST).sentence
    heard.until(WatchState.WATCHING)
    supervisor.send(TakePicture())
    assert heard.next(PictureReport).jpeg
    assert supervisor.pid != pid


def test_clip_is_kept_across_the_pipe(supervisor: Supervisor, heard: Heard) -> None:
    """A clip that is asked for comes back as a folder whose video plays."""
    supervisor.send(TakePicture())
    heard.next(PictureReport)
    supervisor.send(KeepClip("asked", *_last_second()))
    report = heard.next(ClipReport)
    assert report.id == "asked"
    with av.open(str(Path(report.folder) / "clip.mp4")) as video:
        assert len(list(video.decode(video=0))) == report.frames > 10


def test_watcher_ends_with_its_server(watch: Watch) -> None:
    """When its stdin closes the server is gone: the process ends by itself, and all it wrote to stdout was reports."""
    with subprocess.Popen(WATCHER_COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(wire.format_command(watch) + "\n")
        process.stdin.flush()
        for line in process.stdout:
            report = wire.parse_report(line)
            if isinstance(report, StatusReport) and report.state is WatchState.WATCHING:
                break
        process.stdin.close()
        for line in process.stdout:
            assert wire.parse_report(line)
        assert process.wait() == 0


def test_watcher_that_is_sent_ctrl_c_ends_with_its_server(watch: Watch) -> None:
    """Ctrl-C on the terminal tears down no thread that is in native code: the watcher watches on until stdin closes."""
    with subprocess.Popen(
        WATCHER_COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(wire.format_command(watch) + "\n")
        process.stdin.flush()
        for line in process.stdout:
            report = wire.parse_report(line)
            if isinstance(report, StatusReport) and report.state is WatchState.WATCHING:
                process.send_signal(signal.SIGINT)
                break
        assert wire.parse_report(process.stdout.readline()), "it lives"
        process.stdin.close()
        process.stdout.read()
        assert "Traceback" not in process.stderr.read()
        assert process.wait() == 0


def test_native_noise_never_reaches_stdout() -> None:
    """What a native library prints goes to the log; reports alone are on stdout."""
    script = (
        "import os; from companion.watcher.__main__ import _own_stdout; out = _own_stdout();"
        "os.write(1, b'native\\n'); print('python'); out.write('report\\n'); out.flush()"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "report\n"
    assert sorted(done.stderr.split()) == ["native", "python"]


def test_missing_model_is_said(watch: Watch, supervisor: Supervisor, heard: Heard) -> None:
    """To analyse without the hand model is refused with a sentence that says how to get it."""
    asked = json.loads(wire.format_command(watch)) | {"analyse": True, "model": "/nonexistent.task"}
    supervisor.send(wire.parse_command(json.dumps(asked)))
    assert "cheating-moth models" in heard.until(WatchState.LOST).sentence


def _last_second() -> tuple[int, int]:
    import time

    now_ns = time.monotonic_ns()
    return now_ns - 10**9, now_ns
