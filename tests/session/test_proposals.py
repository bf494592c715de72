"""What the camera proposes for a mosquito and for a cockroach's race: who, in words, and what a tap on a name posts."""

from pathlib import Path
from typing import Any

import pytest

from companion.clock import SetClock
from companion.entry import Entry
from companion.session.cameraviews import SlapProposal
from companion.session.fold import fold
from companion.watcher.messages import NO_PICTURES, NOT_WATCHING, SlapsReport, SlapTime
from companion.words import Words, say
from tests.session.table import SECOND, Table


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """Four players; Anna has the Guard Bug and the turn."""
    table = Table(tmp_path / "journal.db", clock=SetClock(at_ns=1000 * SECOND))
    table.set_up("Anna", "Bo", "Cleo", "Dan")
    table.play("deal 3")
    return table


def report(table: Table, seq: int, times: dict[int, float | None], **fields: Any) -> SlapProposal:
    """Report slaps at so many seconds and return what the tablet shows."""
    start = table.clock.at_ns
    order = tuple(
        SlapTime(seat, None if at is None else start + round(at * SECOND), None if at is None else 0.004)
        for seat, at in times.items()
    )
    table.session.hear(SlapsReport(id=seq, entered_ns=start, by=0, order=order, **fields))
    proposal = table.shows().slaps
    assert proposal
    return proposal


def test_each_name_posts_the_whole_ranking_with_that_player_last(table: Table) -> None:
    """One tap on the proposed name confirms the order that was seen, one on another corrects it."""
    seq = table.play("play 0 mosquito4")
    proposal = report(table, seq, {2: 0.0, 1: 0.1, 3: 0.3}, last=3)
    assert proposal.candidates == (3,)
    assert str(proposal.words) == "The camera saw Dan last."
    assert {slap.seat: slap.move for slap in proposal.order} == {2: "slaps 1 3 2", 1: "slaps 2 3 1", 3: "slaps 2 1 3"}
    table.play("slaps 2 1 3")
    assert table.shows().asked.receiver == 3


def test_who_never_slapped_is_placed_last_and_the_table_decides(table: Table) -> None:
    """Not seen may be not there, which is slowest, or missed: both are one tap, and a sentence names the player."""
    seq = table.play("play 0 mosquito4")
    proposal = report(table, seq, {2: 0.0, 1: 0.1, 3: None}, last=1)
    assert proposal.candidates == (1, 3)
    assert proposal.move is None
    assert [slap.seat for slap in proposal.order] == [2, 1, 3]
    assert proposal.order[-1].move == "slaps 2 1 3"
    assert "did not see Dan slap" in str(proposal.words)


def test_nobody_seen_leaves_it_to_the_table(table: Table) -> None:
    """The answer says so, and names no candidate."""
    seq = table.play("play 0 mosquito4")
    proposal = report(table, seq, {1: None, 2: None, 3: None}, reasons=(say("The pile was hidden."),))
    assert proposal.candidates == ()
    assert str(proposal.words) == "The camera saw no hand reach the pile: decide yourselves."
    assert [str(reason) for reason in proposal.reasons] == ["The pile was hidden."]


@pytest.mark.parametrize("reason", [NOT_WATCHING, NO_PICTURES], ids=["lost", "no pictures"])
def test_a_camera_that_did_not_watch_is_not_said_to_have_seen_no_hand(table: Table, reason: Words) -> None:
    """Where nothing was looked at, the sentence says so."""
    seq = table.play("play 0 mosquito4")
    proposal = report(table, seq, {}, reasons=(reason,))
    assert str(proposal.words) == "The camera was not watching: decide yourselves."


@pytest.mark.parametrize("top", [None, 2], ids=["no cue", "the seen hand on top"])
def test_of_several_hands_that_were_not_seen_none_is_named(table: Table, top: int | None) -> None:
    """Nothing separates them: nobody is marked, no order is proposed, and one tap on any name still settles it."""
    seq = table.play("play 0 mosquito4")
    proposal = report(table, seq, {2: 0.0, 1: None, 3: None}, last=2, top=top)
    assert (proposal.candidates, proposal.move, proposal.cue) == ((), None, None)
    assert str(proposal.words) == "The camera did not see Bo, Dan and cannot tell: tap who was last."
    assert {slap.seat: slap.move for slap in proposal.order}[3] == "slaps 2 3"


@pytest.mark.parametrize(
    ("top", "agrees", "words", "candidates"),
    [
        (3, True, "Dan's hand also lies on top.", (3,)),
        (1, False, "But Bo's hand seems to lie on top: look at the pictures.", (3, 1)),
        (None, None, "None", (3,)),
    ],
)
def test_the_hand_on_top_is_the_second_cue(
    table: Table, top: int | None, agrees: bool | None, words: str, candidates: tuple[int, ...]
) -> None:
    """Agreement is said, disagreement is shown and puts the question to the table."""
    seq = table.play("play 0 mosquito4")
    proposal = report(table, seq, {2: 0.0, 1: 0.1, 3: 0.3}, last=3, top=top)
    assert (proposal.cue_agrees, str(proposal.cue), proposal.candidates) == (agrees, words, candidates)


def test_a_race_is_asked_for_and_proposed(table: Table) -> None:
    """After a cockroach the watcher looks back too; nothing counts before the tap."""
    seq = table.play("play 0 cockroach4")
    wanted = table.session.slaps_wanted()
    assert wanted
    assert (wanted.id, wanted.by, wanted.race) == (seq, 0, True)
    proposal = report(table, seq, {2: 0.0, 0: 0.2}, race=True, first=2)
    assert (proposal.race, proposal.first, proposal.candidates) == (True, 2, (2,))
    assert str(proposal.words) == "The camera saw Cleo first."
    assert table.session.slaps_wanted() is None
    table.play("race 2 4")
    assert table.shows().slaps is None


def test_a_race_too_close_to_call_names_both(table: Table) -> None:
    """The first two are put to the table."""
    seq = table.play("play 0 cockroach4")
    proposal = report(table, seq, {2: 0.0, 0: 0.003}, race=True, first=None, too_close=True)
    assert (proposal.candidates, str(proposal.words)) == ((2, 0), "Too close to call: Cleo or Anna?")


def test_reasons_speak_of_players_not_of_places(tmp_path: Path) -> None:
    """Places of the layout become players; a sentence about a place where nobody sits is left out."""
    table = Table(tmp_path / "journal.db", clock=SetClock(at_ns=1000 * SECOND))
    table.set_up("Anna", "Bo", "Cleo", places=(4, 2, 0))
    seq = table.play("deal 3", "play 0 mosquito4")
    after = say("{seat} came {ms} ms after {to}, give or take {error} ms.", seat=0, to=2, ms=40, error=5)
    stranger = say("{seat} alone was seen to slap.", seat=1)
    proposal = report(table, seq, {2: 0.0, 0: 0.04}, last=0, reasons=(after, stranger))
    assert [str(reason) for reason in proposal.reasons] == ["Cleo came 40 ms after Bo, give or take 5 ms."]


def test_the_gifts_are_shown_until_the_next_move(table: Table) -> None:
    """Who gives whom, and who had only moths; gone with the next play."""
    table.play("play 0 mosquito4", "slaps 1 2 3", "nogift 1", "gifts all")
    gifts = table.shows().gifts
    assert gifts
    assert (gifts.receiver, gifts.givers, gifts.without) == (3, (0, 2), (1,))
    table.play("draw 1")
    assert table.shows().gifts is None


def test_a_journal_of_an_earlier_version_is_read(table: Table) -> None:
    """Its reasons are plain sentences, and it knows no race."""
    seq = table.play("play 0 mosquito4")
    table.see(1)
    entries = [*table.journal.entries()]
    old = {"seq": seq, "last": 1, "too_close": False, "order": [], "reasons": ["Seat 1 {came} last."]}
    flag = next(entry for entry in entries if entry.kind == "flag")
    without = {key: value for key, value in flag.payload.items() if key != "reasons"}
    entries[entries.index(flag)] = Entry(seq=flag.seq, kind="flag", payload=without, at_ns=0, wall="")
    entries.append(Entry(seq=entries[-1].seq + 1, kind="slaps", payload=old, at_ns=0, wall=""))
    game = fold(entries).game
    assert game
    assert game.slaps
    assert (str(game.slaps.reasons[0]), game.slaps.race) == ("Seat 1 (came) last.", False)
    assert str(game.flags[0].reasons[0]) == "left hand crossed the edge downward"
