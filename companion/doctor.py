"""`cheating-moth doctor`: is everything there to play? One line a thing: ok, or what to do."""

import argparse
import os
import re
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from companion import handmodel
from companion.calibration.cameras import cameras
from companion.config import Config, load_config, override
from companion.errors import CompanionError
from companion.runtime.address import lan_addresses
from companion.vision.source import SourceSettings, open_source, steady_exposure, without_password

TROUBLE = 1
LEAST_FREE_MB = 2000
"""Clips of an evening take up to 1000 MB by default; the same again keeps the computer well."""
LEAST_FPS = 20.0
MEASURE_S = 2.0
DIM, GLARING = 55.0, 215.0


@dataclass(frozen=True, slots=True)
class Finding:
    """One line: what was looked at, whether it is well, and what was found or what to do."""

    what: str
    ok: bool
    sentence: str


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Add the options of `doctor`."""
    command.add_argument("--config", type=Path, help="configuration file (TOML); the user's own where none is named")
    command.add_argument("--folder", type=Path, help="folder of the journal and the clips")
    command.add_argument("--port", type=int, help="TCP port to check")
    command.add_argument("--camera", metavar="SOURCE", help="camera, stream or video file to check")


def run(args: argparse.Namespace) -> int:
    """Print one line a finding; returns 0 where all is well, 1 where something is to be done."""
    config = override(load_config(args.config), port=args.port, folder=args.folder, camera=args.camera)
    well = True
    for finding in findings(config):
        mark = "ok  " if finding.ok else "!!  "
        print(f"{mark}{finding.what}: {finding.sentence}", flush=True)
        well = well and finding.ok
    return 0 if well else TROUBLE


def findings(
    config: Config, checks: "tuple[Callable[[Config], Iterator[Finding]], ...] | None" = None
) -> Iterator[Finding]:
    """Look at one thing after the other; a check that fails unexpectedly is itself a finding."""
    for check in checks or CHECKS:
        try:
            yield from check(config)
        except CompanionError as error:
            yield Finding(check.__name__.replace("check_", ""), False, str(error))
        except OSError as error:
            why = f"could not be looked at ({error.strerror or error}): see to that, and run the doctor again."
            yield Finding(check.__name__.replace("check_", ""), False, why)


def check_camera(config: Config) -> Iterator[Finding]:
    """Every camera at this machine, or the configured source: may it be opened, how fast, how light."""
    sources = [config.camera.source] if config.camera.source else [choice.source for choice in cameras()]
    if not sources:
        yield Finding("camera", False, "none found: plug one in, or name a stream or a video with --camera.")
    for source in sources:
        yield from _look(source)


def _look(source: str) -> Iterator[Finding]:
    name = f"camera {without_password(source) if '://' in source else source}"
    try:
        opened = open_source(source, loop=True, settings=SourceSettings())
    except CompanionError as error:
        yield Finding(name, False, str(error))
        return
    with closing(opened):
        try:
            fps, light, size = _measure(opened.read)
        except CompanionError as error:
            yield Finding(name, False, str(error))
            return
    yield Finding(name, True, f"opens, {size[0]} x {size[1]} px.")
    if fps < LEAST_FPS:
        yield Finding(f"{name} rate", False, f"{fps:.0f} pictures a second: more light, or close what else uses it.")
    else:
        yield Finding(f"{name} rate", True, f"{fps:.0f} pictures a second.")
    if light < DIM:
        yield Finding(f"{name} light", False, "dark: turn on a lamp over the table.")
    elif light > GLARING:
        yield Finding(f"{name} light", False, "glaring: turn it away from the window.")
    else:
        yield Finding(f"{name} light", True, f"mean grey level {light:.0f} of 255.")
    if source.isdigit() or source.startswith("/dev/"):
        path = source if source.startswith("/dev/") else f"/dev/video{source}"
        fixed = steady_exposure(path)
        said = "rate is kept in dim light." if fixed else "has no switch for it; the rate may halve in dim light."
        yield Finding(f"{name} exposure", True, said)


def _measure(read: Callable[[], object]) -> tuple[float, float, tuple[int, int]]:
    import numpy as np

    first = read()
    image = first.image  # type: ignore[attr-defined]
    start_s, count = time.monotonic(), 0
    while time.monotonic() - start_s < MEASURE_S:
        image = read().image  # type: ignore[attr-defined]
        count += 1
    took_s = time.monotonic() - start_s
    return count / took_s, float(np.mean(image)), (image.shape[1], image.shape[0])


def check_model(_config: Config) -> Iterator[Finding]:
    """The hand model is in the cache."""
    found = handmodel.cached()
    if found:
        yield Finding("hand model", True, str(found))
    else:
        yield Finding("hand model", False, "not fetched yet: run cheating-moth models.")


def check_folder(config: Config) -> Iterator[Finding]:
    """The data folder can be written and has room."""
    folder = config.folder
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        why = f"{folder} cannot be made ({error.strerror or error}): name another with --folder."
        yield Finding("folder", False, why)
        return
    if not os.access(folder, os.W_OK):
        yield Finding(
            "folder", False, f"{folder} cannot be written: change its permissions, or name another with --folder."
        )
        return
    free_mb = shutil.disk_usage(folder).free // 1_000_000
    if free_mb < LEAST_FREE_MB:
        yield Finding(
            "disk", False, f"only {free_mb} MB free at {folder}: make room, clips take up to {config.clips.quota_mb}."
        )
    else:
        yield Finding("disk", True, f"{free_mb} MB free at {folder}.")


def check_port(config: Config) -> Iterator[Finding]:
    """The port is free, or the companion itself answers there."""
    port = config.server.port
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((config.server.host, port))
        except OSError as error:
            why = f"{port} cannot be had ({error.strerror}): is the companion running? Else choose one with --port."
            yield Finding("port", False, why)
            return
    yield Finding("port", True, f"{port} is free.")


def check_addresses(config: Config) -> Iterator[Finding]:
    """Other devices have an address to go to."""
    found = lan_addresses()
    if config.server.host.startswith("127."):
        yield Finding(
            "address", False, "only this computer can connect: set server.host to 0.0.0.0 for phones and tablets."
        )
    elif found:
        several = " (the first is in the QR code; try the others where phones do not reach it)" if found[1:] else ""
        urls = ", ".join(f"http://{address}:{config.server.port}/" for address in found)
        yield Finding("address", True, f"{urls}{several}")
    else:
        yield Finding("address", False, "no network is up: connect this computer to the home network.")


def check_firewall(config: Config) -> Iterator[Finding]:
    """Where a firewall that we can ask is on, the port is open in it."""
    port = config.server.port
    for tool, ask, opened, advice in (
        ("ufw", ["ufw", "status"], (rf"\b{port}\b", r"\binactive\b"), f"sudo ufw allow {port}/tcp"),
        (
            "firewall-cmd",
            ["firewall-cmd", "--list-ports"],
            (rf"\b{port}/tcp\b",),
            f"sudo firewall-cmd --add-port={port}/tcp",
        ),
    ):
        if shutil.which(tool) is None:
            continue
        try:
            told = subprocess.run(ask, capture_output=True, text=True, timeout=5, check=False)
        except subprocess.TimeoutExpired:
            yield Finding("firewall", True, f"{tool} does not answer; if phones cannot connect: {advice}.")
            return
        if told.returncode != 0:
            yield Finding(
                "firewall", True, f"{tool} is installed and tells only root; if phones cannot connect: {advice}."
            )
        elif any(re.search(mark, told.stdout) for mark in opened):
            yield Finding("firewall", True, f"{tool} lets port {port} through.")
        else:
            yield Finding("firewall", False, f"{tool} may block port {port}: {advice}.")
        return
    yield Finding("firewall", True, "none of ufw and firewalld is installed.")


CHECKS: "tuple[Callable[[Config], Iterator[Finding]], ...]" = (
    check_camera,
    check_model,
    check_folder,
    check_port,
    check_addresses,
    check_firewall,
)
