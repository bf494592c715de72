"""The numbers of the session, each with its unit and its reason."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionSettings:
    """Times and limits of the session."""

    act_grace_s: float = 3.0
    """Seconds after a movement's end in which a call still counts as in the act: the flag is raised up to half a
    second after the movement, and a person needs some two seconds to see the flag, look up and call."""

    merge_s: float = 3.0
    """Seconds between two movements of the same kind at the same seat that make one flag: a hand that fumbles goes
    below the table several times for one card."""

    review_s: float = 60.0
    """Seconds before a call whose flags on the accused seat are shown when the house plays with the camera after
    "Caught!" only: longer than any turn, so that a window of the house never hides what it still allows."""

    choosing_s: float = 60.0
    """Seconds after "Caught!" by which the Guard has chosen whom; then play goes on. Far longer than two taps need,
    short enough to wait for when the Guard's phone has died."""

    clip_due_s: float = 20.0
    """Seconds after which a flag's clip does not come any more: one is written 3 s after the movement, six may wait."""

    foreign_clock_s: float = 30.0
    """Seconds between a movement and its report beyond which its times are on another clock (a video file's own):
    a live report comes within two seconds."""

    acknowledgements: int = 64
    """Taps that are remembered so that a repeated one is acknowledged again: more than a phone sends while it
    finds its way back into the Wi-Fi."""

    longest_name: int = 40
    """Letters of a player's name, as people count them: more does not fit on a phone."""

    code_points_a_letter: int = 8
    """Unicode's parts of one letter, on average: a family of four as an emoji has 7; a hundred accents on one letter
    are a prank that would cover the lines above and below it."""


SETTINGS = SessionSettings()
