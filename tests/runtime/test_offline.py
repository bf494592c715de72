"""Nothing leaves the machine: with the model in the cache, the whole demo opens no connection to anywhere else."""

import ipaddress
import re
import shutil
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import absent

from .served import Served, until

RUN_S = 20
"""Long enough for the watcher to load the model and to run it on the sample."""
ADDRESS = re.compile(r'inet_addr\("([^"]+)"|inet_pton\(AF_INET6?, "([^"]+)"')

pytestmark = pytest.mark.models


def addresses(trace: str) -> Iterator[str]:
    """Yield every address that a traced call names, except this machine's own and the unspecified one."""
    for line in trace.splitlines():
        for four, six in ADDRESS.findall(line):
            where = ipaddress.ip_address(four or six)
            if not (where.is_loopback or where.is_unspecified):
                yield line


def test_the_search_finds_a_connection() -> None:
    """The trace of a program that calls home, by name look-up or by address, is recognised."""
    trace = (
        '12 connect(3, {sa_family=AF_INET, sin_port=htons(53), sin_addr=inet_addr("192.0.2.53")}, 16) = 0\n'
        "12 connect(3, {sa_family=AF_INET6, sin6_port=htons(443), sin6_flowinfo=htonl(0), "
        'inet_pton(AF_INET6, "2001:db8::1", &sin6_addr), sin6_scope_id=0}, 28) = 0\n'
        '12 connect(3, {sa_family=AF_INET, sin_port=htons(80), sin_addr=inet_addr("127.0.0.1")}, 16) = 0\n'
    )
    assert len(list(addresses(trace))) == 2


def test_the_demo_opens_no_connection_to_anywhere_else(tmp_path: Path) -> None:
    """Server and watcher, traced with all their threads and children while hands are being found."""
    strace = shutil.which("strace")
    if strace is None:
        absent("strace is not installed: `apt-get install strace`")
    trace = tmp_path / "trace.txt"
    server = Served(["demo", "--no-browser", "--host", "127.0.0.1"])
    server.start(
        prefix=(
            strace,
            "-f",
            "-qq",
            "--seccomp-bpf",
            "-e",
            "trace=connect,sendto,sendmsg,sendmmsg,execve",
            "-o",
            str(trace),
        )
    )
    try:

        def watching() -> bool:
            with urllib.request.urlopen(server.url + "/table", timeout=20) as reply:
                return b"Camera watches" in reply.read()

        until(watching, 60, "the watcher watches the sample")
        time.sleep(RUN_S)
    finally:
        server.end()
    traced = trace.read_text(errors="replace")
    assert "companion.watcher" in traced, "the watcher was not traced"
    assert list(addresses(traced)) == []
