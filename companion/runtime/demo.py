"""`cheating-moth demo`: the whole system on the sample clip, with a game already under way and no camera."""

import json
import tempfile
import webbrowser
from pathlib import Path

from companion import handmodel
from companion.assets import CALIBRATION
from companion.config import Config, override
from companion.runtime.run import welcome
from companion.runtime.table import Table, end_on_signals
from companion.session import Session
from companion.watcher.messages import Watch

SAMPLE = CALIBRATION / "example"
PLAYERS = ("Ada", "Ben", "Cleo", "Dan")
"""In seat order of the sample's layout."""
GUARD = 3
"""The seat that does not cheat in the sample."""
PLAYED = ("deal 3", "play 3 4", "play 0 ant5", "ant all", "draw 1")
"""A first lap round the table; it is Cleo's turn then, who plays a mosquito in the sample, and mosquito1 fits."""


def demo(config: Config, *, browser: bool) -> int:
    """Run the demo in a folder of its own, gone at the end; return 0 when it was stopped in order."""
    model = handmodel.ensure_with_bar()
    with (
        tempfile.TemporaryDirectory(prefix="cheating-moth-demo-") as folder,
        Table(override(config, folder=Path(folder))) as table,
    ):
        end_on_signals(table.stop)
        start_game(table.session)
        table.watch(sample_watch(table.folders.clips, model))
        welcome(table)
        tell(table, browser=browser)
        table.serve()
    return 0


def start_game(session: Session) -> None:
    """Set up the game of the sample's four players and play the first turns."""
    session.create_game(PLAYERS, oldest=GUARD)
    tablet = session.viewer("demo", table=True)
    for move in PLAYED:
        session.submit(move, session.seq, tablet)


def sample_watch(clips: Path, model: Path) -> Watch:
    """Return the command that plays the sample over and over as if it were the camera."""
    layout = json.loads((SAMPLE / "layout.json").read_text(encoding="utf-8"))
    return Watch(source=str(SAMPLE / "table.mp4"), layout=layout, clips=str(clips), model=str(model), loop=True)


def tell(table: Table, *, browser: bool) -> None:
    """Say what to look at; two names of this computer stand for two devices, each with cookies of its own."""
    tablet, phone = f"{table.local_url}table", f"http://localhost:{table.port}/me"
    guard, cheats = PLAYERS[GUARD], "Ada, Ben and Cleo"
    print(f"""
The demo plays a 20 s sample in place of a camera, over and over. {cheats} cheat in it, {guard} is the Guard.
  1. The table's tablet:   {tablet}
  2. The Guard's phone:    {phone}   and choose {guard}
Within half a minute the Guard's phone shows what the camera saw, with a clip. Ctrl-C ends the demo; nothing is kept.
""", flush=True)  # fmt: skip
    if browser:
        webbrowser.open(tablet)
        webbrowser.open(phone)
