"""The wizard's doors to the program around it: which camera is let go, which table is watched from now on."""

import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

from companion import handmodel
from companion.calibration.layouts import LayoutStore
from companion.calibration.wizard import Doors, Wizard
from companion.config import Config
from companion.errors import CompanionError
from companion.vision.layout import Layout, dump_layout, load_layout
from companion.watcher.messages import Pause, Resume, Watch
from companion.watcher.supervisor import Supervisor


class WatchesTables(Protocol):
    """What the wizard tells when a table is set up."""

    supervisor: Supervisor

    def watch(self, command: Watch) -> None:
        """Start the watcher on a camera and a layout."""
        ...


def make_wizard(table: WatchesTables, config: Config) -> Wizard:
    """Make the wizard of a running table."""

    def watch(layout: Layout, source: str) -> None:
        table.watch(watch_command(config, source, layout))
        table.supervisor.send(Resume())

    doors = Doors(
        let_go=lambda: table.supervisor.send(Pause()),
        watch=watch,
        carry_on=lambda: table.supervisor.send(Resume()),
        now=lambda: datetime.now(UTC),
        model=_model,
    )
    return Wizard(layout_store(config), doors, configured=config.camera.source)


def layout_store(config: Config) -> LayoutStore:
    """Return the folder of saved layouts."""
    return LayoutStore(config.folder / "layouts")


def watch_command(config: Config, source: str, layout: Layout, model: Path | None = None) -> Watch:
    """Return the command that watches a table; without the hand model pictures are recorded and not analysed."""
    model = model or handmodel.cached()
    return Watch(
        source=source,
        layout=dump_layout(layout),
        clips=str(config.folder / "clips"),
        model=str(model or ""),
        analyse=model is not None,
        sensitivity=config.camera.sensitivity,
        quota_mb=config.clips.quota_mb,
        loop="://" not in source and not source.isdigit(),
        reference=_reference(config, source, layout),
    )


def _reference(config: Config, source: str, layout: Layout) -> str:
    """Return the path of the picture that a layout was saved with, empty for none: it may have been moved since."""
    store = layout_store(config)
    saved = next((one for one in store.all() if (one.camera, one.layout) == (source, layout)), None)
    picture = store.picture(saved.id) if saved else None
    return str(picture) if picture and picture.is_file() else ""


def known_table(config: Config) -> tuple[str, Layout] | None:
    """Return the camera and layout to start with: the configured ones, else those saved last; None for none.

    Raises CompanionError where a camera is configured that has no layout.
    """
    source = config.camera.source
    if source and config.layout_file:
        return source, load_layout(config.layout_file)
    saved = layout_store(config).for_camera(source) if source else next(iter(layout_store(config).all()), None)
    if saved is None and source:
        raise CompanionError(
            "The camera {source} does not know the table yet: open Camera and table in the menu.", source=source
        )
    return (saved.camera, saved.layout) if saved and saved.camera else None


def start_camera(table: WatchesTables, config: Config) -> None:
    """Watch the table that is known. What stands in the way is said, and the game is played without the camera."""
    try:
        known = known_table(config)
        if known is not None:
            table.watch(watch_command(config, *known, model=Path(handmodel.ensure_with_bar())))
    except CompanionError as error:
        print(f"cheating-moth: {error} The game goes on without the camera.", file=sys.stderr)


def _model() -> str:
    found = handmodel.cached()
    if found is None:
        raise CompanionError("There is no hand model yet: run cheating-moth models once, or skip this step.")
    return str(found)
