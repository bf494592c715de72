"""What the benchmark of the slaps takes for a round's pictures."""

import pytest

from companion.training.slaprounds import entered_s


def test_a_round_ends_where_its_pictures_end() -> None:
    """Of a clip with gaps nothing counts that only fills one: hands held in mid-air on their way home."""
    slaps = {"entered_s": 4.0, "contacts": [{"at_s": 2.2}, {"at_s": 2.5}]}
    assert entered_s(slaps, [2.4, 2.5, 2.6, 2.75, 2.9, 3.05, 5.0]) == pytest.approx(3.05)


def test_a_clip_without_gaps_ends_where_the_card_was_entered() -> None:
    """Where every picture was rendered the card's own time counts."""
    slaps = {"entered_s": 4.0, "contacts": [{"at_s": 2.2}]}
    assert entered_s(slaps, []) == pytest.approx(4.0)
