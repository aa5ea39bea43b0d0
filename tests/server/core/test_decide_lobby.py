"""Joining and leaving a room, its settings, readiness, the start of a race, chat, and rematches."""

from collections.abc import Callable

import pytest

from fortythieves.protocol import to_server as say
from fortythieves.times import Ms
from fortythieves_server.core import decide_lobby, events
from tests.refusals import refusal
from tests.server.tables import CODE, SECOND, Table, commitment_of, counting, in_round, lobby, over, racing

Starting = Callable[..., Table]
during_a_race = pytest.mark.parametrize("start", [counting, racing], ids=["countdown", "race"])


def test_a_full_or_locked_room_admits_only_guests_with_a_seat_and_spectators() -> None:
    table = lobby(2, seats=2)
    table.hang_up(2)
    assert refusal(table.join, "cem") == "full"
    assert table.join("bob", name="Another name") == 2
    assert table.person(2).name == "Bob" and table.person(2).here
    table = lobby(2)
    table.do(1, say.Lock(1, True))
    assert refusal(table.join, "cem") == "locked"
    assert table.watch("cem") == "Cem"
    assert table.join("bob") == 2


def test_a_bot_is_admitted_like_a_person() -> None:
    table = lobby(2, seats=3)
    assert table.do(1, say.AddBot(1, 2)) == []
    table.join("robot", bot=True)
    assert table.refuses(1, say.AddBot(1, 2)) == "full"
    table.do(1, say.Kick(1, 3), say.Lock(1, True))
    assert table.refuses(1, say.AddBot(1, 2)) == "locked"


@during_a_race
def test_a_room_may_refuse_new_players_during_a_race(start: Starting) -> None:
    table = start(late="refuse")
    assert refusal(table.join, "cem") == "started"
    table.hang_up(2)
    assert table.join("bob") == 2 and table.racer(2).racing, "a racer may return"
    table.run_out()
    assert table.join("cem") == 3


@during_a_race
def test_a_late_player_may_watch_and_race_in_the_next_race_or_join_a_running_one(start: Starting) -> None:
    table = start(late="watch")
    table.join("cem")
    assert table.refuses(3, say.GiveUp(1)) == "not-racing"
    table.run_out()
    table.do(1, say.Rematch(1, ""))
    table.ready(2, 3)
    table.settle()
    assert set(table.race.racers) == {1, 2, 3}
    table = start(late="join")
    nonces = table.race.nonces
    table.join("cem")
    assert table.racer(3).racing and table.race.nonces == nonces, "the deal is unchanged"
    table.run_out()
    table.join("dan")
    assert 4 not in table.race.racers, "not after its end"


def test_a_player_that_is_absent_at_the_start_races_if_ready_or_joins_late() -> None:
    table = lobby(3, late="join")
    table.hang_up(3)
    table.ready(1, 2)
    table.settle()
    assert set(table.race.racers) == {1, 2}
    table.join("cem")
    assert table.racer(3).racing
    table = lobby(3)
    table.ready(3)
    table.hang_up(3)
    table.ready(1, 2)
    table.settle()
    assert table.race.commitments == {seat: commitment_of(seat) for seat in (1, 2, 3)}


def test_a_guest_does_not_race_twice_on_one_deal() -> None:
    table = racing(late="join")
    table.hang_up(1)
    request = say.Join(1, CODE, "x")
    returned = table.ask(lambda room, context: decide_lobby.join(room, "ann", request, "new", context))
    assert [type(event) for event in returned] == [events.Here]
    table.moves(2, to=3)
    table.do(2, say.Leave(1))
    assert table.join("bob") == 3
    assert 3 not in table.race.racers and table.racer(2).state == "gave_up"


@during_a_race
def test_a_kick_disqualifies_but_not_after_a_win(start: Starting) -> None:
    table = start(4)
    table.do(1, say.Kick(1, 2))
    assert table.racer(2).state == "disqualified" and 2 not in table.room.people
    table.now = table.race.starts_at or Ms(0)
    for seat in (3, 4):
        table.moves(seat, to=150, home=104, outcome="solved")
        table.do(1, say.Kick(1, seat))
        assert table.racer(seat).state == "solved", "also if the log does not have the win yet"
    table.run_out()
    assert set(table.race.places) == {3, 4}


def test_requests_of_a_host_and_all_requests_from_outside_are_refused() -> None:
    change: say.Command = say.ChangeSettings(1, {"undo": "none"})
    of_hosts = (change, say.Start(1), say.Lock(1, True), say.Kick(1, 1), say.HandOver(1, 2), say.AddBot(1, 1))
    lobby(2).check_refusals(*((2, request, "not-host") for request in (*of_hosts, say.CoHost(1, 2, True))))
    of_all = (say.Ready(1, ""), say.Chat(1, "k", "hi"), say.Leave(1), say.Start(1))
    lobby(2).check_refusals(*((3, request, "not-in-room") for request in of_all))
    lobby(2).check_refusals(*((1, say.Kick(1, seat), "unknown-seat") for seat in (0, 1, 9, 2**53)))


def test_changed_settings_make_all_players_unready() -> None:
    table = lobby(3)
    table.ready(1, 2)
    assert table.do(1, say.ChangeSettings(1, {"undo": "turned", "game": "forty-thieves"})) == [], "nothing changes"
    assert table.person(2).ready
    table.do(1, say.ChangeSettings(1, {"undo": "none"}))
    assert not any(person.ready for person in table.room.people.values())
    assert table.race.settings.undo == "none"
    assert table.refuses(1, say.ChangeSettings(1, {"seats": 2})) == "bad-settings", "there are three people"
    assert table.refuses(1, say.ChangeSettings(1, {"game": "spider"})) == "unknown-game"
    table.do(1, say.ChangeSettings(1, {"seats": 3}))


@during_a_race
def test_during_a_race_only_the_view_of_spectators_changes_and_becomes_narrower(start: Starting) -> None:
    table = start(watch="delayed", delay=30)
    change: say.Command = say.ChangeSettings(1, {"undo": "none"})
    fixed = (change, say.ChangeSettings(1, {"watch": "progress", "undo": "none"}), say.Ready(1, ""), say.Unready(1))
    table.check_refusals(*((1, request, "racing") for request in (*fixed, say.Rename(1, "X"))))
    wider = ({"watch": "open"}, {"delay": 20})
    table.check_refusals(*((1, say.ChangeSettings(1, after), "not-wider") for after in wider))
    for after in ({"delay": 60}, {"watch": "frontier"}):
        assert table.do(1, say.ChangeSettings(1, after)) == [events.Changed(table.room.settings)]
    assert table.refuses(1, say.Rematch(1, "")) == "not-over"


def test_a_message_is_stored_once_and_racers_of_a_quiet_tournament_send_none() -> None:
    table = lobby(2)
    for seat in (1, 2):
        assert table.do(seat, say.Chat(1, "k", "hi"), say.Chat(1, "k", "hi")) == [events.Chatted(seat, "k", "hi")]
    assert table.refuses(1, say.Chat(1, "l", "\n")) == "bad-chat"
    table = in_round(plan={"quiet": True, "by_timer": False})
    assert table.refuses(2, say.Chat(1, "k", "7-F")) == "quiet"
    table.wait(10 * SECOND)
    table.moves(2, to=5, outcome="stuck")
    table.settle()
    assert table.refuses(2, say.Chat(1, "k", "7-F")) == "quiet", "others still race"
    table.do(1, say.Chat(1, "k", "The host does not race."))
    table.run_out()
    table.do(2, say.Chat(1, "k", "7-F"))


def test_a_race_starts_by_itself_once_all_present_players_are_ready() -> None:
    table = lobby(4)
    table.hang_up(4)
    table.ready(1)
    assert table.tick() == []
    table.ready(2)
    assert table.tick() == []
    table.hang_up(3)
    assert table.tick() == [counted(1, 2)]
    assert table.race.starts_at == table.now + 5 * SECOND
    for seats, begun in ((8, []), (1, [counted(1)])):
        alone = lobby(1, seats=seats)
        alone.ready(1)
        assert alone.tick()[:1] == begun


def counted(*committed: int, racers: tuple[int, ...] = ()) -> events.Counted:
    return events.Counted(racers or committed, {seat: commitment_of(seat) for seat in committed}, 3 * SECOND)


def test_the_host_starts_with_all_present_players() -> None:
    table = lobby(2, auto_start=False)
    table.ready(1, 2)
    assert table.settle() == []
    assert table.do(1, say.Start(1), say.Start(1)) == [counted(1, 2)]
    table = lobby(3)
    table.ready(2)
    table.hang_up(3)
    assert table.do(1, say.Start(1)) == [counted(2, racers=(1, 2))]
    assert table.race.commitments == {2: commitment_of(2)}, "the other one has no nonce"


def test_the_last_commitment_of_a_ready_player_counts() -> None:
    table = lobby(2)
    for commitment in ("", commitment_of(1), commitment_of(5)):
        assert table.do(1, say.Ready(1, commitment)) == [events.Readied(1, commitment=commitment)]
        assert table.do(1, say.Ready(1, commitment)) == [] and table.person(1).ready
    table.do(1, say.Unready(1))
    assert not table.person(1).ready and table.do(1, say.Unready(1)) == []
    table.do(1, say.Ready(1, commitment_of(5)))
    table.do(2, say.Ready(1, commitment_of(2)))
    table.settle()
    assert table.race.commitments == {1: commitment_of(5), 2: commitment_of(2)}


def test_a_rematch_sets_up_the_next_race_and_the_player_is_ready() -> None:
    table = over(game="lucas")
    first = table.race
    table.check_refusals((1, say.Ready(1, ""), "over"), (1, say.Start(1), "over"))
    table.do(1, say.ChangeSettings(1, {"game": "maria"}))
    assert table.race.settings.game == "lucas"
    table.do(2, say.Rematch(1, commitment_of(2)))
    assert (table.race.number, table.race.settings.game) == (2, "maria") and table.race.secret != first.secret
    assert table.room.past == {1: first}
    assert table.person(2).ready and not table.person(1).ready
    assert table.do(2, say.Rematch(1, commitment_of(2))) == []
    table.do(1, say.Rematch(1, commitment_of(1)))
    assert table.race.number == 2 and table.person(1).ready
