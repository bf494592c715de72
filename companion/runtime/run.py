"""`cheating-moth run`: the companion for one table, until it is stopped."""

import os
import sys

import segno

from companion.config import Config
from companion.runtime.setup import start_camera
from companion.runtime.table import Table, end_on_signals


def run(config: Config) -> int:
    """Run one table; return 0 when it was stopped in order."""
    with Table(config) as table:
        end_on_signals(table.stop)
        if table.journal.notice:
            print(f"cheating-moth: {table.journal.notice}", file=sys.stderr)
        if config.camera.layout and not config.camera.source:
            print("cheating-moth: The layout is not used without its camera: name that with --camera.", file=sys.stderr)
        else:
            start_camera(table, config)
        welcome(table)
        table.serve()
    return 0


def welcome(table: Table) -> None:
    """Print where the screens are, with a QR code for phones; a closed pipe does not end the game."""
    try:
        _print_addresses(table)
    except BrokenPipeError:
        # What is printed later, at the end of the process too, goes nowhere instead of failing again.
        with open(os.devnull, "w") as nowhere:
            os.dup2(nowhere.fileno(), sys.stdout.fileno())


def _print_addresses(table: Table) -> None:
    if sys.stdout.isatty():
        segno.make(table.join_url, error="l").terminal(compact=True)
    print(f"Phones and tablets on the home network: {table.join_url}")
    print(f"On this computer: {table.local_url}", flush=True)
