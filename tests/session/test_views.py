"""Views: each screen shows what its viewer may know, and all that it needs."""

import pytest

from companion.session import NotYours
from companion.watcher.messages import SetContext, SlapsReport, SlapTime, StatusReport, TroubleReport, WatchState
from companion.words import say
from tests.session.table import SECOND, Table


def moves(table: Table, seat: int | None = None) -> list[str]:
    """The moves that a screen offers: the tablet, or the phone at a seat."""
    viewer = table.tablet if seat is None else table.phone(seat)
    return [option.move for option in table.shows(viewer).options]


def test_before_the_first_game_there_is_nothing_but_the_camera(table: Table) -> None:
    """A screen has something to show from the start."""
    view = table.session.view(table.tablet)
    assert (view.game, view.guard, view.seq, view.may_open_guard) == (None, None, 0, False)
    assert str(view.watcher.words) == "The camera is not in use"


def test_the_state_is_there_at_a_glance(playing: Table) -> None:
    """Whose turn, what fits, who is the Guard, cards left, piles."""
    playing.phone(1)
    playing.play("play 0 3")
    game = playing.shows()
    assert [(p.name, p.accounted, p.guard, p.turn, p.asked, p.claimed) for p in game.players] == [
        ("Anna", 7, True, False, False, False),
        ("Bo", 8, False, True, True, True),
        ("Cleo", 8, False, False, False, False),
    ]
    assert game.top
    assert (game.top.text, game.top.kind, game.top.number, game.fits) == ("3", "number", 3, (2, 4))
    assert (game.round, game.rounds, game.phase, game.draw_pile, game.discard_pile) == (1, 3, "turn", 46, 2)
    assert str(game.last) == str(game.undo) == "Anna played 3"
    assert str(game.asked.words) == "It is Bo's turn: Bo plays a card or draws one."


@pytest.mark.parametrize(("top", "fits"), [("1", (5, 2)), ("5", (4, 1)), ("3", (2, 4))])
def test_the_numbers_that_fit_wrap_around(table: Table, top: str, fits: tuple[int, int]) -> None:
    """One below, one above; 1 and 5 are neighbours."""
    table.set_up()
    table.play(f"deal {top}")
    assert table.shows().fits == fits


def test_every_option_can_be_posted_as_it_stands(playing: Table) -> None:
    """One tap is one move: each offered move is carried out from the state it was offered in."""
    for situation in ([], ["play 0 spider3"], ["play 0 ant3"], ["play 0 cockroach3"], ["play 0 mosquito3"]):
        playing.play(*situation)
        for option in playing.shows().options:
            seq = playing.play(option.move)
            playing.session.undo(seq, playing.tablet)
        for _ in situation:
            playing.session.undo(playing.session.seq, playing.tablet)


def test_only_the_guard_is_offered_a_moth(playing: Table) -> None:
    """The rules' exception for the Guard's own turn."""
    assert "play 0 moth3" in moves(playing)
    playing.play("draw 0")
    assert not any("moth" in move for move in moves(playing))


def test_action_cards_ask_in_few_taps(playing: Table) -> None:
    """Each can be skipped; who must still do something is named."""
    playing.play("play 0 spider3")
    assert moves(playing) == ["give 0 1", "give 0 2", "keep 0", "out 0"]
    playing.play("give 0 2", "play 1 ant4")
    assert moves(playing)[:2] == ["ant all", "ant none"]
    assert playing.shows().asked.seats == (0, 2)
    playing.play("ant all", "play 2 cockroach3")
    assert {"race 0 3", "race 1 3", "race 2 3", "race none"} <= set(moves(playing))
    playing.play("race 0 3", "play 0 mosquito2")
    assert {"slaps none", "slaps 1", "slaps 2"} <= set(moves(playing))
    playing.play("slaps 1 2")
    asked = playing.shows().asked
    assert (asked.what, asked.receiver, asked.seats) == ("gifts", 2, (0, 1))
    assert {"gift 0", "gift 1", "nogift 0", "nogift 1", "gifts all"} <= set(moves(playing))


def test_a_call_freezes_the_play_on_every_screen(playing: Table) -> None:
    """Everyone sees who is accused; the Guard and the tablet settle it; the others see it and cannot."""
    guard, bo = playing.phone(0), playing.phone(1)
    playing.play("accuse 1", by=guard)
    for viewer in (guard, bo, playing.tablet):
        game = playing.shows(viewer)
        assert (game.phase, game.asked.accused, game.asked.may_hand_over) == ("accusation", 1, 1)
        allowed = {option.move for option in game.options if option.allowed}
        assert allowed == (set() if viewer is bo else {"uphold 0", "uphold 1", "dismiss", "withdraw"})


def test_a_screen_without_a_seat_looks_on(playing: Table) -> None:
    """It sees the table and may do nothing yet."""
    guest = playing.session.view(playing.session.viewer("a new phone"))
    assert not guest.may_play
    assert guest.game
    assert not any(option.allowed for option in guest.game.options)
    assert (guest.game.undo, guest.game.corrections, guest.guard) == (None, (), None)


def test_flags_reach_the_present_guard_alone(playing: Table) -> None:
    """Not a trace of a flag, its clip or its ruling is in anybody else's view; it all moves with the Guard Bug."""
    phones = [playing.phone(seat) for seat in range(3)]
    flag = playing.see(1, id="secretflag", why="secretwhy")
    assert flag
    playing.session.attach_clip("secretflag", "secretclip")
    playing.session.rule("secretflag", "unclear", phones[0])
    others = [*phones[1:], playing.tablet, playing.session.viewer("guest"), playing.session.viewer("guest", table=True)]
    for viewer in others:
        assert "secret" not in repr(playing.session.view(viewer))
        assert playing.session.view(viewer).guard is None
    assert playing.guards(phones[0]).flags[0].clip == "secretclip"
    playing.play("accuse 2", "uphold 1", by=phones[0])
    assert playing.guards(phones[2]).flags[0].clip == "secretclip"
    assert playing.session.view(phones[0]).guard is None


def test_nobody_elses_screen_changes_when_a_flag_is_raised(playing: Table) -> None:
    """A phone that is sent something whenever a flag is raised would tell its player; such a view is left out."""
    phones = [playing.phone(seat) for seat in range(3)]
    playing.session.hear(StatusReport(state=WatchState.WATCHING, fps=30.0))
    before = [playing.session.view(phone) for phone in phones]
    playing.session.hear(StatusReport(state=WatchState.WATCHING, fps=29.5))
    playing.see(1)
    after = [playing.session.view(phone) for phone in phones]
    assert after[1].version != before[1].version
    assert [new.shows_the_same_as(old) for new, old in zip(after, before, strict=True)] == [False, True, True]


def test_the_tablet_opens_the_guards_part_by_an_explicit_act_only(playing: Table) -> None:
    """While no phone has the Guard's seat; it closes when the Guard Bug moves, and when a phone claims the seat."""
    playing.see(1)
    assert playing.session.view(playing.tablet).guard is None
    assert playing.session.view(playing.tablet).may_open_guard
    playing.session.open_guard_view(playing.tablet)
    assert len(playing.guards(playing.tablet).flags) == 1
    assert playing.session.view(playing.session.viewer("another tablet", table=True)).guard is None
    playing.play("accuse 1", "uphold 1")
    assert playing.session.view(playing.tablet).guard is None
    playing.session.open_guard_view(playing.tablet)
    playing.phone(1)
    assert playing.session.view(playing.tablet).guard is None
    with pytest.raises(NotYours, match="Bo"):
        playing.session.open_guard_view(playing.tablet)


def test_the_guards_part_on_the_tablet_can_be_closed_and_does_not_outlive_a_restart(playing: Table) -> None:
    """A tablet that is passed on shows no flags."""
    playing.session.open_guard_view(playing.tablet)
    playing.session.close_guard_view(playing.tablet)
    assert playing.session.view(playing.tablet).guard is None
    playing.session.open_guard_view(playing.tablet)
    playing.restart()
    assert playing.session.view(playing.tablet).guard is None


def test_no_phone_opens_the_guards_part(playing: Table) -> None:
    """Only the tablet, in everyone's sight."""
    with pytest.raises(NotYours):
        playing.session.open_guard_view(playing.phone(2))


def test_the_guard_may_accuse_everybody_else(playing: Table) -> None:
    """The large button asks on whom."""
    part = playing.guards(playing.phone(0))
    assert [option.move for option in part.accusable] == ["accuse 1", "accuse 2"]
    assert "accuse 1" not in moves(playing)


def slaps(table: Table, seq: int, times: dict[int, float | None], **fields: object) -> None:
    """Report slaps at so many seconds, None for a hand that was not seen."""
    start = table.clock.at_ns
    order = tuple(
        SlapTime(seat, None if at is None else start + round(at * SECOND), None if at is None else 0.004)
        for seat, at in times.items()
    )
    values: dict[str, object] = {"last": list(times)[-1], "too_close": False} | fields
    table.session.hear(SlapsReport(id=seq, entered_ns=start, by=0, order=order, **values))  # type: ignore[arg-type]


def test_the_camera_proposes_the_slaps_and_a_tap_confirms_them(playing: Table) -> None:
    """The order, the gaps with their errors, and the move ready to be posted; nothing counts before the tap."""
    seq = playing.play("play 0 mosquito3")
    wanted = playing.session.slaps_wanted()
    assert wanted
    assert (wanted.id, wanted.by, wanted.guard, wanted.entered_ns) == (seq, 0, 0, playing.clock.at_ns)
    slaps(playing, seq, {2: 0.0, 1: 0.12})
    proposal = playing.shows().slaps
    assert proposal
    assert [(slap.name, slap.behind_s, slap.error_s) for slap in proposal.order] == [
        ("Cleo", 0.0, 0.004),
        ("Bo", 0.12, 0.004),
    ]
    assert (proposal.last, proposal.too_close, proposal.move) == (1, False, "slaps 2 1")
    assert playing.session.slaps_wanted() is None
    assert playing.session.seq == seq
    playing.play("slaps 2 1")
    assert playing.shows().asked.receiver == 1
    assert playing.shows().slaps is None


def test_slaps_too_close_to_call_propose_no_move(playing: Table) -> None:
    """The frames decide, not the machine."""
    seq = playing.play("play 0 mosquito3")
    slaps(
        playing, seq, {2: 0.0, 1: 0.003}, last=None, too_close=True, reasons=(say("{seat} after {to}", seat=1, to=2),)
    )
    proposal = playing.shows().slaps
    assert proposal
    assert (proposal.move, proposal.too_close) == (None, True)
    assert (proposal.candidates, str(proposal.words)) == ((1, 2), "Too close to call: Bo or Cleo?")
    assert [str(reason) for reason in proposal.reasons] == ["Bo after Cleo"]


def test_slaps_that_come_too_late_or_for_another_mosquito_are_left_out(playing: Table) -> None:
    """A settled mosquito is not opened again."""
    seq = playing.play("play 0 mosquito3")
    entries = playing.journal.last_seq
    slaps(playing, seq - 1, {2: 0.0, 1: 0.1})
    assert playing.shows().slaps is None
    assert playing.journal.last_seq == entries
    playing.play("slaps none")
    slaps(playing, seq, {2: 0.0, 1: 0.1})
    assert playing.shows().slaps is None


def test_the_watcher_is_told_what_the_rules_know_in_places_of_the_layout(table: Table) -> None:
    """The Guard, whose turn it is, an open dispute; nothing while no round is played."""
    assert table.session.context() == SetContext()
    table.set_up(places=(4, 2, 0), oldest=1)
    assert table.session.context() == SetContext()
    table.play("deal 3", "draw 1")
    assert table.session.context() == SetContext(guard=2, turn=0)
    table.play("accuse 0")
    assert table.session.context() == SetContext(guard=2, turn=None, dispute=True)


def test_slaps_are_timed_and_shown_by_place(table: Table) -> None:
    """Places of the layout on the wire, seats of the game on the screen."""
    table.set_up(places=(4, 2, 0))
    seq = table.play("deal 3", "play 0 mosquito4")
    wanted = table.session.slaps_wanted()
    assert wanted
    assert (wanted.by, wanted.guard) == (4, 4)
    slaps(table, seq, {0: 0.0, 2: 0.2})
    proposal = table.shows().slaps
    assert proposal
    assert proposal.move == "slaps 2 1"


def test_the_end_of_a_round_reveals_who_cheated_best(table: Table) -> None:
    """Accounted minus true; flags and calls beside it, flags only once every hand is counted."""
    table.set_up()
    table.play("deal 3")
    table.see(1)
    table.play("accuse 1", "dismiss", "play 0 4", "out 0", "count 1 number=4 moth=1")
    reveal = table.shows().reveal
    assert reveal
    assert not reveal.complete
    assert [(count.accounted, count.true, count.flags) for count in reveal.counts] == [
        (8, 0, 0),
        (8, 5, 0),
        (8, None, 0),
    ]
    assert table.shows().asked.seats == (2,)
    table.play("count 2 number=9")
    reveal = table.shows().reveal
    assert reveal
    assert reveal.complete
    shown = [(c.true, c.points, c.unseen, c.miscounted, c.flags, c.calls, c.caught) for c in reveal.counts]
    assert shown == [(0, 0, 0, True, 0, 0, 0), (5, 14, 3, False, 1, 1, 0), (9, 9, 0, True, 0, 0, 0)]
    assert reveal.best_cheaters == (1,)
    assert str(reveal.words) == "Best cheater: Bo, with 3 cards cheated away unseen"
    result = table.shows().results[0]
    assert (result.points, result.totals, result.out) == ((0, 14, 9), (0, 14, 9), 0)
    assert [(place.place, place.name, place.winner) for place in table.shows().standings] == [
        (1, "Anna", False),
        (2, "Cleo", False),
        (3, "Bo", False),
    ]


def test_equal_totals_share_the_win(table: Table) -> None:
    """After as many rounds as players the lowest totals win together."""
    table.set_up()
    for number in range(3):
        guard = table.state.guard
        table.play("deal 3", f"play {guard} 4", f"out {guard}")
        for seat in {0, 1, 2} - {guard}:
            table.play(f"count {seat} number={3 if seat == 2 else 2}")
        if number < 2:
            table.play("next")
    game = table.shows()
    assert game.over
    assert [(place.place, place.name, place.total, place.winner) for place in game.standings] == [
        (1, "Anna", 4, True),
        (1, "Bo", 4, True),
        (3, "Cleo", 6, False),
    ]
    assert [result.totals for result in game.results][-1] == (4, 4, 6)


def test_house_rules_and_assist_level_are_shown(table: Table) -> None:
    """Every open line of the rules is a setting that the tablet shows."""
    table.set_up(call_window=30, assist="after_caught")
    assert ("call_window", "30") in [(rule.name, rule.value) for rule in table.shows().house]
    assert table.session.view(table.tablet).assist == "after_caught"


def test_the_watchers_state_and_its_last_trouble_are_on_every_screen(playing: Table) -> None:
    """Its trouble stays until watching goes well again; a heartbeat without news tells nobody."""
    guest = playing.session.viewer("guest")
    playing.session.hear(StatusReport(state=WatchState.LOST, sentence="The camera is gone."))
    playing.session.hear(TroubleReport("The disk {is} full."))
    view = playing.session.view(guest)
    assert (view.watcher.state, str(view.watcher.words)) == ("lost", "The camera is gone.")
    assert "full" in str(view.watcher.trouble)
    playing.session.hear(StatusReport(state=WatchState.WATCHING, fps=29.9, analysed_fps=12.0))
    version, entries = playing.session.version, playing.journal.last_seq
    playing.session.hear(StatusReport(state=WatchState.WATCHING, fps=30.1, analysed_fps=12.5))
    view = playing.session.view(guest)
    assert (view.watcher.state, view.watcher.fps, view.watcher.trouble) == ("watching", 30.1, None)
    assert (playing.session.version, playing.journal.last_seq) == (version, entries)


def test_a_report_that_cannot_be_written_is_said_and_does_not_stop_the_watcher(playing: Table) -> None:
    """A full disk while the camera works: the flag is left out, every screen says why."""
    playing.journal.close()
    assert playing.session.hear(playing.movement(1)) is None
    assert "closed" in str(playing.session.view(playing.tablet).watcher.trouble)


def test_a_player_is_shown_as_connected_while_a_screen_is_open(playing: Table) -> None:
    """Two streams of one phone count once."""
    phone = playing.phone(1)
    with playing.session.screen(phone):
        version = playing.session.version
        with playing.session.screen(phone):
            assert playing.session.version == version
        assert [player.connected for player in playing.shows().players] == [False, True, False]
    assert not playing.shows().players[1].connected


def test_what_there_is_to_say_about_a_move_is_shown(table: Table) -> None:
    """A shuffle, who is out, the new Guard; what vanished unseen waits for the reveal, a miscount does not."""
    table.set_up()
    table.play("deal 3", "set draw 0", "draw 0")
    assert [str(words) for words in table.shows().remarks] == [
        "The draw pile is empty: shuffle the discard pile without its top card, and draw from it."
    ]
    table.play("accuse 2", "uphold 1")
    assert [str(words) for words in table.shows().remarks] == ["Cleo was caught and is the Guard now."]
    table.play("play 1 4", "out 1")
    assert [str(words) for words in table.shows().remarks] == ["Bo is out."]
    table.play("count 0 number=1")
    assert table.shows().remarks == ()
    table.play("count 2 number=20")
    assert [str(words) for words in table.shows().remarks] == [
        "Cleo holds more cards than were entered (9), so something was not entered; the count stands and the game "
        "goes on."
    ]


def test_the_next_guard_is_named_once_the_round_is_over(table: Table) -> None:
    """To the left of who started the round, or of who was the Guard last, as the house plays."""
    for rule, guard in (("left_of_starting_guard", 1), ("left_of_last_guard", 0)):
        table.set_up(next_guard=rule)
        table.play("deal 3", "set guard 2", "play 0 4", "out 0", "count 1 number=1")
        assert table.shows().next_guard is None
        table.play("count 2 number=1")
        assert table.shows().next_guard == guard


def test_a_draw_is_offered_as_the_house_plays(table: Table) -> None:
    """With a reminder, or after the player has confirmed that nothing fits; and the shuffle is announced."""
    table.set_up()
    table.play("deal 3")
    assert (table.shows().draw, table.shows().shuffle_first) == ("remind", False)
    table.set_up(draw_when_able="forbidden")
    table.play("deal 3", "play 0 4", "set draw 0")
    assert (table.shows().draw, table.shows().shuffle_first) == ("confirm", True)
