"""When clips are kept, and which moments share one."""

from companion.clips.recorder import Moment, Recorder, RecorderSettings
from companion.vision.frame import NS_PER_S

SETTINGS = RecorderSettings(pre_roll_s=2, post_roll_s=1, longest_s=10, share_wait_s=1.5, lateness_s=1)


def s(seconds: float) -> int:
    """Return seconds as nanoseconds."""
    return round(seconds * NS_PER_S)


def moment(name: str, start_s: float, end_s: float) -> Moment:
    """Return a moment between two instants in seconds."""
    return Moment(id=name, kind="hand_below_table", start_ns=s(start_s), end_ns=s(end_s), seat=1)


def recorder(*moments: Moment) -> Recorder:
    """Return a recorder that was told these moments."""
    made = Recorder(SETTINGS)
    for one in moments:
        made.add(one)
    return made


def test_window_has_pre_roll_and_post_roll() -> None:
    """The stretch to keep begins before the movement and ends after it."""
    (window,) = recorder(moment("a", 10, 11)).take_due(s(12), s(12))
    assert (window.start_ns, window.end_ns) == (s(8), s(12))


def test_window_waits_for_its_post_roll() -> None:
    """Nothing is due before the last frame of the post-roll has come; then it is, once."""
    made = recorder(moment("a", 10, 11))
    assert made.take_due(s(11.9), s(11.95)) == []
    assert len(made.take_due(s(12.0), s(12.0))) == 1
    assert made.take_due(s(13), s(13)) == []


def test_window_does_not_wait_for_a_camera_that_is_gone() -> None:
    """When no frames come any more, the window is handed over a second after its end."""
    made = recorder(moment("a", 10, 11))
    assert made.take_due(s(11), s(12.9)) == []
    assert len(made.take_due(s(11), s(13))) == 1
    assert len(recorder(moment("a", 10, 11)).take_due(None, s(13))) == 1


def test_moments_that_overlap_share_a_clip() -> None:
    """Two movements at about the same time are one clip that covers both."""
    (window,) = recorder(moment("a", 10, 11), moment("b", 10.5, 12)).take_due(s(20), s(20))
    assert (window.start_ns, window.end_ns) == (s(8), s(13))
    assert [one.id for one in window.moments] == ["a", "b"]


def test_moments_apart_have_clips_of_their_own() -> None:
    """Movements whose windows have no instant in common are kept apart."""
    for other in (moment("later", 20, 21), moment("said late", 4.6, 5)):
        made = recorder(moment("a", 10, 11), other)
        assert [len(window.moments) for window in made.take_due(s(30), s(30))] == [1, 1]


def test_first_moment_does_not_wait_long_for_another() -> None:
    """A movement that ends much later gets a clip of its own, although the two overlap."""
    made = recorder(moment("a", 10, 11), moment("b", 12, 14))
    assert [window.end_ns for window in made.take_due(s(12), s(12))] == [s(12)]


def test_shared_clip_does_not_grow_for_ever() -> None:
    """A chain of movements is cut into clips of bearable length."""
    made = recorder(*(moment(str(n), 10 + n, 11 + n) for n in range(20)))
    windows = made.take_due(s(60), s(60))
    assert sum(len(window.moments) for window in windows) == 20
    assert all(window.end_ns - window.start_ns <= s(10) for window in windows)


def test_long_movement_keeps_its_end() -> None:
    """A movement longer than a clip is kept from its end backwards."""
    (window,) = recorder(moment("a", 10, 40)).take_due(s(41), s(41))
    assert (window.start_ns, window.end_ns) == (s(31), s(41))


def test_end_of_watching_hands_over_all() -> None:
    """When watching ends, the windows under way are kept as far as there are frames."""
    made = recorder(moment("a", 10, 11))
    (window,) = made.take_all(s(11.2))
    assert window.end_ns == s(11.2)
    assert made.waiting() == 0
