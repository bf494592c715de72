"""`cheating-moth run`: the companion for one table, until it is stopped."""

import sys

import segno

from companion import handmodel
from companion.config import Config
from companion.errors import CompanionError
from companion.runtime.table import Table, end_on_signals
from companion.vision.layout import Layout, dump_layout, load_layout
from companion.watcher.messages import Watch


def run(config: Config) -> int:
    """Run one table; return 0 when it was stopped in order."""
    with Table(config) as table:
        end_on_signals(table.stop)
        if table.journal.notice:
            print(f"cheating-moth: {table.journal.notice}", file=sys.stderr)
        if config.camera.source:
            start_camera(table, config)
        elif config.camera.layout:
            print("cheating-moth: The layout is not used without its camera: name that with --camera.", file=sys.stderr)
        welcome(table)
        table.serve()
    return 0


def start_camera(table: Table, config: Config) -> None:
    """Watch the configured camera. What stands in the way is said, and the game is played without the camera."""
    try:
        layout = _layout_of(config)
        model = handmodel.ensure_with_bar()
    except CompanionError as error:
        print(f"cheating-moth: {error} The game goes on without the camera.", file=sys.stderr)
        return
    table.watch(
        Watch(
            source=config.camera.source,
            layout=dump_layout(layout),
            clips=str(table.folders.clips),
            model=str(model),
            sensitivity=config.camera.sensitivity,
            quota_mb=config.clips.quota_mb,
        )
    )


def _layout_of(config: Config) -> Layout:
    if not config.layout_file:
        raise CompanionError(
            "The camera {source} has no layout of the table yet: name its file with --layout.",
            source=config.camera.source,
        )
    return load_layout(config.layout_file)


def welcome(table: Table) -> None:
    """Print where the screens are, with a QR code for phones."""
    if sys.stdout.isatty():
        segno.make(table.join_url, error="l").terminal(compact=True)
    print(f"Phones and tablets on the home network: {table.join_url}")
    print(f"On this computer: {table.local_url}", flush=True)
