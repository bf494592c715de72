"""Every sentence that the screens can show, as the catalogs must have it: extracted from the sources."""

import ast
from collections.abc import Iterator
from pathlib import Path

from babel.messages.extract import extract_from_dir

from companion.rules.checks import WAITING
from companion.session import sentences
from companion.vision import calibrate, verdict
from companion.watcher import drifting
from tests.web.served import ROOT

SOURCES = ("companion/web", "companion/session", "companion/rules")
BELOW = ("companion/vision", "companion/watcher")
"""Parts below the screens; what they `say` reaches the screens as it is."""
BELOW_SPEAKING = "say _NoWatcher _TooBusy"
SET_UP = ("companion/calibration", "companion/vision", "companion/runtime")
"""Parts whose errors and verdicts are shown while the table is set up."""
SET_UP_SPEAKING = (
    "say CompanionError CalibrationError CardError LayoutError LensError SavedLayoutError SourceError SourceOver "
    "SourceSilent HandModelError _poor _bad"
)
PYTHON = [("**.py", "python")]
TEMPLATES = [("**.html", "jinja2")]
SPEAKING = (
    "gettext _ mark say CompanionError IllegalMove UnreadableMove BadSetUp StaleTap NotYours SeatTaken NoGame NotThere "
    "BadPlayers BadTap Remark"
)
"""Functions and errors whose first argument a person reads."""
KEYWORDS: dict[str, tuple[int, ...] | None] = dict.fromkeys(SPEAKING.split()) | {
    "ngettext": (1, 2),
    "say_count": (1, 2),
}
NOT_SHOWN = ("{s}", "{said}", "{number}")
"""Templates that only carry somebody else's words."""

Message = str | tuple[str, ...]


def messages() -> set[Message]:
    """Return the keys of all translations."""
    found: set[Message] = {*WAITING.values(), *_constants(Path(sentences.__file__))}
    for source in SOURCES:
        found.update(_extracted(ROOT / source, PYTHON))
    for source in BELOW:
        found.update(_extracted(ROOT / source, PYTHON, keywords=dict.fromkeys(BELOW_SPEAKING.split())))
    for source in SET_UP:
        found.update(_extracted(ROOT / source, PYTHON, keywords=dict.fromkeys(SET_UP_SPEAKING.split())))
    found.update({calibrate.UNSURE, *calibrate.HIDDEN, *verdict.TURN.values(), *verdict.BACK.values()})
    found.update({drifting.SAID_FOLLOWED, drifting.SAID_MOVED})
    found.update(_extracted(ROOT / "web_ui/templates", TEMPLATES, {"trimmed": "true"}))
    return {message for message in found if message not in NOT_SHOWN}


def _extracted(
    folder: Path,
    methods: list[tuple[str, str]],
    options: dict[str, str] | None = None,
    keywords: dict[str, tuple[int, ...] | None] = KEYWORDS,
) -> Iterator[Message]:
    by_pattern = {"**.html": options} if options else {}
    for _file, _line, message, _comments, _context in extract_from_dir(folder, methods, by_pattern, keywords):
        yield message if isinstance(message, str) else tuple(message)


def _constants(file: Path) -> Iterator[str]:
    """Yield the templates that a module keeps in its tables."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Dict):
            for value in node.values:
                if isinstance(value, ast.Constant) and isinstance(value.value, str) and "{" in value.value:
                    yield value.value
