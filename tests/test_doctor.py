"""`cheating-moth doctor`: a line a thing, ok or what to do, and an exit status."""

import socket
import subprocess
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion import doctor
from companion.cli import main
from companion.config import Config, override
from companion.errors import CompanionError
from tests.watcher.scene import network_camera


@dataclass
class Usage:
    """What a disk says of itself."""

    free: int


@pytest.fixture
def video(tmp_path: Path) -> Path:
    """Return a grey video."""
    path = tmp_path / "grey.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 30, (640, 360))
    for _k in range(30):
        writer.write(np.full((360, 640, 3), 120, np.uint8))
    writer.release()
    return path


def test_a_camera_that_is_well_has_its_rate_and_light(tmp_path: Path, video: Path) -> None:
    """A video file stands in for a camera."""
    found = list(doctor.check_camera(override(Config(), camera=str(video), folder=tmp_path)))
    assert found[0].ok
    assert "640 x 360" in found[0].sentence
    assert any("pictures a second" in finding.sentence for finding in found)
    assert any(finding.ok and "mean grey level 1" in finding.sentence for finding in found)


def test_a_camera_that_is_not_there_says_what_to_do(tmp_path: Path) -> None:
    """The source's own sentence is the finding."""
    [found] = doctor.check_camera(override(Config(), camera=str(tmp_path / "no.mp4"), folder=tmp_path))
    assert not found.ok
    assert "no.mp4" in found.sentence


def test_a_port_in_use_is_named() -> None:
    """And free again, it is well."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        held.listen()
        config = override(Config(), host="127.0.0.1", port=held.getsockname()[1])
        [taken] = doctor.check_port(config)
    assert not taken.ok
    assert "--port" in taken.sentence
    [free] = doctor.check_port(config)
    assert free.ok


def test_loopback_alone_is_no_address_for_phones() -> None:
    """Other devices could not connect."""
    [found] = doctor.check_addresses(override(Config(), host="127.0.0.1"))
    assert not found.ok


def test_a_check_that_fails_is_a_finding_of_its_own() -> None:
    """Never a traceback."""

    def check_moths(_config: Config):  # type: ignore[no-untyped-def]
        raise CompanionError("The moths are out: close the window.")
        yield

    [found] = doctor.findings(Config(), (check_moths,))
    assert (found.what, found.ok, found.sentence) == ("moths", False, "The moths are out: close the window.")


def test_the_exit_status_says_whether_all_is_well(
    tmp_path: Path, video: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """0 where every line is ok, 1 where one is not; one line each."""
    monkeypatch.setattr(doctor, "CHECKS", (doctor.check_folder,))
    monkeypatch.setattr(doctor.shutil, "disk_usage", lambda _folder: Usage(10**12))
    assert main(["doctor", "--folder", str(tmp_path)]) == 0
    assert capsys.readouterr().out.startswith("ok  disk:")
    monkeypatch.setattr(doctor.shutil, "disk_usage", lambda _folder: Usage(10**6))
    assert main(["doctor", "--folder", str(tmp_path)]) == 1
    assert capsys.readouterr().out.startswith("!!  disk: only 1 MB free")


def test_the_page_is_written_by_the_command(tmp_path: Path) -> None:
    """`calibrate --print` writes a PDF of two pages."""
    out = tmp_path / "page.pdf"
    assert main(["calibrate", "--print", "--paper", "letter", "--out", str(out)]) == 0
    assert out.read_bytes().startswith(b"%PDF")


def test_a_layout_goes_out_and_comes_in_by_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Import, list, export."""
    from companion.assets import CALIBRATION

    folder = ["--folder", str(tmp_path)]
    example = CALIBRATION / "example" / "layout.json"
    assert main(["calibrate", *folder, "--import", str(example), "--place", "Den", "--camera", "0"]) == 0
    layout_id = capsys.readouterr().out.strip()
    assert main(["calibrate", *folder, "--layouts"]) == 0
    assert "Den, 4 places" in capsys.readouterr().out
    out = tmp_path / "out.json"
    assert main(["calibrate", *folder, "--export", layout_id, "--out", str(out)]) == 0
    assert '"place": "Den"' in out.read_text()
    assert main(["calibrate", *folder, "--import", str(tmp_path / "missing.json")]) == 2


def test_without_a_camera_it_says_what_to_plug_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The game can be played without one; a stream or a video will do as well."""
    monkeypatch.setattr(doctor, "cameras", tuple)
    [found] = doctor.check_camera(override(Config(), folder=tmp_path))
    assert (found.ok, found.sentence) == (
        False, "none found: plug one in, or name a stream or a video with --camera.",
    )  # fmt: skip


def test_a_network_camera_is_measured_and_its_password_is_not_printed(tmp_path: Path) -> None:
    """Served on the loopback address; broken off, the finding says where to look."""
    with network_camera() as camera:
        address = camera.url.replace("://", "://me:secret@")
        well = list(doctor.check_camera(override(Config(), camera=address, folder=tmp_path)))
        assert [finding.what.partition(" http://127.0.0.1")[0] for finding in well] == ["camera"] * 3
        assert [finding.what.rpartition(" ")[2] for finding in well[1:]] == ["rate", "light"]
        assert well[0].sentence == "opens, 160 x 120 px."
        camera.break_off()
        [lost] = doctor.check_camera(override(Config(), camera=address, folder=tmp_path))
    assert not lost.ok
    assert "check that the camera is on" in lost.sentence
    assert not any("secret" in finding.what + finding.sentence for finding in [*well, lost])


def test_a_missing_hand_model_names_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is fetched once."""
    monkeypatch.setattr(doctor.handmodel, "cached", lambda: None)
    [found] = doctor.check_model(Config())
    assert not found.ok
    assert "cheating-moth models" in found.sentence


def test_a_folder_that_cannot_be_made_is_named_with_a_way_out(tmp_path: Path) -> None:
    """A file stands where the folder should be."""
    (tmp_path / "file").write_text("")
    [found] = doctor.check_folder(override(Config(), folder=tmp_path / "file" / "folder"))
    assert not found.ok
    assert "--folder" in found.sentence


def test_of_several_addresses_all_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """The best first; without any, what to do."""
    monkeypatch.setattr(doctor, "lan_addresses", lambda: ["192.168.1.7", "10.0.0.7"])
    [several] = doctor.check_addresses(override(Config(), port=8017))
    assert several.ok
    assert several.sentence.startswith("http://192.168.1.7:8017/, http://10.0.0.7:8017/ (the first")
    monkeypatch.setattr(doctor, "lan_addresses", list)
    [none] = doctor.check_addresses(Config())
    assert not none.ok
    assert "connect this computer" in none.sentence


@pytest.mark.parametrize(
    ("tool", "told", "ok", "words"),
    [
        (None, (0, ""), True, "none of ufw and firewalld"),
        ("ufw", (0, "Status: inactive"), True, "lets port 8017 through"),
        ("ufw", (0, "Status: active\n8017/tcp ALLOW Anywhere"), True, "lets port 8017 through"),
        ("ufw", (0, "Status: active\n18017/tcp ALLOW Anywhere"), False, "sudo ufw allow 8017/tcp"),
        ("ufw", (1, ""), True, "tells only root"),
        ("ufw", (None, ""), True, "does not answer"),
        ("firewall-cmd", (0, "8017/tcp"), True, "lets port 8017 through"),
        ("firewall-cmd", (0, "22/tcp"), False, "sudo firewall-cmd --add-port=8017/tcp"),
    ],
)
def test_a_firewall_is_asked_where_there_is_one(
    monkeypatch: pytest.MonkeyPatch, tool: str | None, told: tuple[int | None, str], ok: bool, words: str
) -> None:
    """And one that hangs costs the doctor a line, not a traceback."""
    status, said = told

    def ask(command: list[str], **_options: object) -> "subprocess.CompletedProcess[str]":
        if status is None:
            raise subprocess.TimeoutExpired(command, 5)
        return subprocess.CompletedProcess(command, status, said)

    monkeypatch.setattr(doctor.shutil, "which", lambda name: name if name == tool else None)
    monkeypatch.setattr(doctor.subprocess, "run", ask)
    [found] = doctor.check_firewall(override(Config(), port=8017))
    assert found.ok is ok
    assert words in found.sentence
