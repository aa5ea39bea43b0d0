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


# Joining


def test_a_returning_player_has_the_old_seat_and_the_old_name() -> None:
    table = lobby(2)
    assert (table.room.host, table.join("ann")) == (1, 1)
    table.hang_up(2)
    assert table.join("bob", name="Another name") == 2
    assert table.person(2).name == "Bob" and table.person(2).here


def test_a_full_or_locked_room_admits_only_guests_with_a_seat_and_spectators() -> None:
    table = lobby(2, seats=2)
    table.hang_up(2)
    assert refusal(table.join, "cem") == "full"
    assert table.join("bob") == 2
    table = lobby(2)
    table.do(1, say.Lock(1, True))
    assert refusal(table.join, "cem") == "locked"
    assert table.watch("cem") == "Cem"
    assert table.join("bob") == 2
    table.do(1, say.Lock(1, False))
    assert table.join("cem") == 3


def test_a_kicked_guest_gets_that_reason_before_all_others() -> None:
    table = lobby(2, seats=2)
    table.do(1, say.Kick(1, 2))
    table.join("cem")
    table.do(1, say.Lock(1, True))
    assert refusal(table.join, "bob") == "kicked"


def test_a_bot_is_admitted_like_a_person() -> None:
    table = lobby(2, seats=3)
    assert table.do(1, say.AddBot(1, 2)) == []
    table.join("robot", bot=True)
    assert table.refuses(1, say.AddBot(1, 2)) == "full"
    table.do(1, say.Kick(1, 3), say.Lock(1, True))
    assert table.refuses(1, say.AddBot(1, 2)) == "locked"


# Joining late


@during_a_race
def test_a_room_may_refuse_new_players_during_a_race(start: Starting) -> None:
    table = start(late="refuse")
    assert refusal(table.join, "cem") == "started"
    table.hang_up(2)
    assert table.join("bob") == 2 and table.racer(2).racing, "a racer may return"
    table.run_out()
    assert table.join("cem") == 3


@during_a_race
def test_a_late_player_may_watch_and_races_in_the_next_race(start: Starting) -> None:
    table = start(late="watch")
    table.join("cem")
    assert 3 not in table.race.racers
    assert table.refuses(3, say.GiveUp(1)) == "not-racing"
    table.run_out()
    table.do(1, say.Rematch(1, ""))
    table.ready(2, 3)
    table.settle()
    assert set(table.race.racers) == {1, 2, 3}


@during_a_race
def test_a_late_player_may_join_a_running_race(start: Starting) -> None:
    table = start(late="join")
    nonces = table.race.nonces
    table.join("cem")
    assert table.racer(3).racing and table.race.nonces == nonces, "the deal is unchanged"
    table.run_out()
    table.join("dan")
    assert 4 not in table.race.racers, "not after its end"


def test_a_player_that_was_absent_at_the_start_joins_late() -> None:
    table = lobby(3, late="join")
    table.hang_up(3)
    table.ready(1, 2)
    table.settle()
    assert set(table.race.racers) == {1, 2}
    table.join("cem")
    assert table.racer(3).racing


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


# Leaving


@pytest.mark.parametrize(
    ("start", "state"), [(counting, "did_not_start"), (racing, "gave_up")], ids=["countdown", "race"]
)
def test_a_racer_that_leaves_gives_up_or_is_a_no_show_before_the_start(start: Starting, state: str) -> None:
    table = start()
    table.wait(Ms(1))
    table.do(2, say.Leave(1))
    assert table.racer(2).state == state


def test_a_racer_that_leaves_after_the_end_has_the_earlier_result() -> None:
    table = racing()
    table.wait(90 * SECOND)
    table.moves(2, to=150, home=104, outcome="solved")
    won_at = table.now
    table.moves(1, to=3)
    table.wait(Ms(1))
    table.do(2, say.Leave(1))
    table.now = (table.race.ends_at or Ms(0)) + Ms(1)
    table.do(1, say.Leave(1))
    results = {seat: (racer.state, racer.result.when) for seat, racer in table.race.racers.items() if racer.result}
    assert results == {2: ("solved", won_at), 1: ("timed_out", table.race.ends_at)}


@during_a_race
def test_a_kick_during_a_race_disqualifies(start: Starting) -> None:
    table = start(3)
    table.do(1, say.Kick(1, 2))
    assert table.racer(2).state == "disqualified" and 2 not in table.room.people
    table.run_out()
    assert 2 not in table.race.places


@pytest.mark.parametrize("is_settled", [False, True])
def test_a_kick_after_a_win_does_not_change_the_result(*, is_settled: bool) -> None:
    table = racing(3)
    table.moves(2, to=150, home=104, outcome="solved")
    if is_settled:
        table.settle()
    table.do(1, say.Kick(1, 2))
    assert table.racer(2).state == "solved"


# Rights


@pytest.mark.parametrize("seat", [0, 1, 9, 2**53])
def test_the_host_cannot_kick_an_unknown_seat_or_the_own_one(seat: int) -> None:
    assert lobby(2).refuses(1, say.Kick(1, seat)) == "unknown-seat"


def test_requests_of_a_host_are_refused_for_others() -> None:
    requests = (
        say.ChangeSettings(1, {"undo": "none"}),
        say.Start(1),
        say.Lock(1, True),
        say.Kick(1, 1),
        say.HandOver(1, 2),
        say.AddBot(1, 1),
    )
    lobby(2).check_refusals(*((2, request, "not-host") for request in requests))


def test_all_requests_are_refused_outside_the_room() -> None:
    requests = (say.Ready(1, ""), say.Chat(1, "k", "hi"), say.Leave(1), say.Start(1))
    lobby(2).check_refusals(*((3, request, "not-in-room") for request in requests))


# Settings


def test_changed_settings_make_all_players_unready() -> None:
    table = lobby(3)
    table.ready(1, 2)
    assert table.do(1, say.ChangeSettings(1, {"undo": "turned", "game": "forty-thieves"})) == [], "nothing changes"
    assert table.person(2).ready
    table.do(1, say.ChangeSettings(1, {"undo": "none"}))
    assert not any(person.ready for person in table.room.people.values())
    assert table.race.settings.undo == "none"
    assert table.refuses(1, say.ChangeSettings(1, {"seats": 2})) == "bad-settings", "there are three people"
    table.do(1, say.ChangeSettings(1, {"seats": 3}))


@pytest.mark.parametrize(
    ("name", "values", "code"),
    [
        ("game", ["spider", "klondike", "x" * 5_000], "unknown-game"),
        ("game", [["lucas"]], "bad-settings"),
        ("deal", ["32000", "1e9", "1", "٣٢٠٠١"], "bad-number"),
        ("deal", ["9" * 5_000], "bad-settings"),
        ("time_limit", [59, 10**12, True], "bad-settings"),
        ("countdown", [0, 2], "bad-settings"),
        ("undo", [None, "always"], "bad-settings"),
        ("seats", [0, 1_001], "bad-settings"),
        ("public", ["yes"], "bad-settings"),
        ("secret", ["00" * 32], "bad-settings"),
        ("colour", ["red"], "bad-settings"),
    ],
)
def test_a_bad_setting_is_refused(name: str, values: list[object], code: str) -> None:
    lobby(2).check_refusals(*((1, say.ChangeSettings(1, {name: value}), code) for value in values))


@during_a_race
def test_the_foundations_of_a_race_do_not_change_while_it_is_on(start: Starting) -> None:
    requests: tuple[say.Command, ...] = (
        say.ChangeSettings(1, {"undo": "none"}),
        say.Ready(1, ""),
        say.Unready(1),
        say.Rename(1, "X"),
    )
    start().check_refusals(*((1, request, "racing") for request in requests), (1, say.Rematch(1, ""), "not-over"))


@during_a_race
@pytest.mark.parametrize(
    ("before", "after", "code"),
    [
        ({"watch": "open"}, {"watch": "frontier"}, None),
        ({"watch": "open"}, {"watch": "progress"}, None),
        ({"watch": "delayed", "delay": 30}, {"delay": 60}, None),
        ({"watch": "delayed", "delay": 60}, {"delay": 30}, "not-wider"),
        ({"watch": "delayed"}, {"watch": "frontier"}, None),
        ({"watch": "frontier"}, {"watch": "delayed"}, "not-wider"),
        ({"watch": "frontier"}, {"watch": "open"}, "not-wider"),
        ({"watch": "progress"}, {"watch": "delayed"}, "not-wider"),
        ({"watch": "open"}, {"watch": "progress", "undo": "none"}, "racing"),
    ],
    ids=repr,
)
def test_during_a_race_the_view_of_spectators_may_only_become_narrower(
    start: Starting, before: dict[str, object], after: dict[str, object], code: str | None
) -> None:
    table = start(**before)
    if code is None:
        assert table.do(1, say.ChangeSettings(1, after)) == [events.Changed(table.room.settings)]
    else:
        assert table.refuses(1, say.ChangeSettings(1, after)) == code


# Chat


def test_a_message_with_the_same_key_is_one_message() -> None:
    table = lobby(2)
    for seat in (1, 2):
        assert table.do(seat, say.Chat(1, "k", "hi")) == [events.Chatted(seat, "k", "hi")]
        assert table.do(seat, say.Chat(1, "k", "hi")) == []
    assert table.refuses(1, say.Chat(1, "l", "\n")) == "bad-chat"


def test_in_a_quiet_tournament_racers_cannot_chat_until_the_round_is_over() -> None:
    table = in_round(plan={"quiet": True, "by_timer": False})
    assert table.refuses(2, say.Chat(1, "k", "7-F")) == "quiet"
    table.wait(10 * SECOND)
    table.moves(2, to=5, outcome="stuck")
    table.settle()
    assert table.refuses(2, say.Chat(1, "k", "7-F")) == "quiet", "others still race"
    table.do(1, say.Chat(1, "k", "The host does not race."))
    table.run_out()
    table.do(2, say.Chat(1, "k", "7-F"))


# Getting ready and starting


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


def counted(*committed: int, racers: tuple[int, ...] = ()) -> events.Counted:
    return events.Counted(racers or committed, {seat: commitment_of(seat) for seat in committed}, 3 * SECOND)


@pytest.mark.parametrize(("seats", "begun"), [(8, []), (1, [counted(1)])])
def test_one_player_alone_starts_only_in_a_room_with_one_seat(seats: int, begun: list[events.Event]) -> None:
    table = lobby(1, seats=seats)
    table.ready(1)
    assert table.tick()[:1] == begun


def test_a_ready_player_races_even_if_absent_at_the_start() -> None:
    table = lobby(3)
    table.ready(3)
    table.hang_up(3)
    table.ready(1, 2)
    table.settle()
    assert table.race.commitments == {seat: commitment_of(seat) for seat in (1, 2, 3)}


def test_the_host_starts_with_all_present_players() -> None:
    table = lobby(2, auto_start=False)
    table.ready(1, 2)
    assert table.settle() == []
    assert table.do(1, say.Start(1)) == [counted(1, 2)]
    assert table.do(1, say.Start(1)) == []
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


# Rematches


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
