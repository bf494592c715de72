"""The session: where the rules, the players' taps and the camera's reports meet. `Session` is all the web needs."""

from companion.session.cameraviews import Verdict
from companion.session.errors import (
    BadPlayers,
    NoGame,
    NotThere,
    NotYours,
    SeatTaken,
    StaleTap,
    UnreadableJournal,
)
from companion.session.session import Session
from companion.session.views import Assist, View, Viewer
from companion.session.words import Words

__all__ = [
    "Assist",
    "BadPlayers",
    "NoGame",
    "NotThere",
    "NotYours",
    "SeatTaken",
    "Session",
    "StaleTap",
    "UnreadableJournal",
    "Verdict",
    "View",
    "Viewer",
    "Words",
]
