"""The pictures of the hands on a mosquito, or of a race: around each contact, to be stepped through side by side."""

from dataclasses import dataclass
from pathlib import Path

from flask import Blueprint, Response, abort, send_file

from companion.clips.clip import Clip, read_clip
from companion.errors import CompanionError
from companion.session.cameraviews import SlapProposal
from companion.session.views import View
from companion.web.context import session, viewer

screen = Blueprint("slaps", __name__)

NS_PER_MS = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Strip:
    """One hand's pictures: the number of the first one after it landed."""

    seat: int
    name: str
    at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Strips:
    """All hands' pictures out of one clip."""

    hands: tuple[Strip, ...]
    times_ms: tuple[int, ...]
    """When each picture was captured, from the first one."""
    box: tuple[int, int, int, int] | None
    """What of a picture is shown, in px: x, y, width, height; None: all of it."""
    key: str
    """Another one for other pictures."""


def strips_of(view: View) -> Strips | None:
    """Return the pictures for eyes to decide by; None while there are none."""
    proposal = view.game.slaps if view.game else None
    clip = _clip(proposal)
    if proposal is None or clip is None:
        return None
    hands = [
        Strip(seat=slap.seat, name=slap.name, at=_landed(clip, slap.at_ns))
        for slap in proposal.order
        if slap.at_ns is not None
    ]
    box = proposal.pile_px
    return Strips(
        hands=tuple(hands) or (Strip(seat=-1, name="", at=len(clip.frames) - 1),),
        times_ms=tuple(round((frame.at_ns - clip.start_ns) / NS_PER_MS) for frame in clip.frames),
        box=(box[0], box[1], box[2] - box[0], box[3] - box[1]) if box else None,
        key=clip.name,
    )


@screen.get("/slaps/<int:number>.jpg")
def frame(number: int) -> Response:
    """Send one picture of the hands that are being settled; everybody at the table may look."""
    view = session().view(viewer())
    clip = _clip(view.game.slaps if view.game else None)
    if clip is None or number >= len(clip.frames):
        abort(404)
    return send_file(clip.frame_path(number), mimetype="image/jpeg")


def _clip(proposal: SlapProposal | None) -> Clip | None:
    if proposal is None or proposal.clip is None:
        return None
    try:
        return read_clip(Path(proposal.clip))
    except (OSError, CompanionError):
        return None


def _landed(clip: Clip, at_ns: int) -> int:
    # the one before may show the hand in the air yet
    after = (number for number, frame in enumerate(clip.frames) if frame.at_ns >= at_ns)
    return next(after, len(clip.frames) - 1)
