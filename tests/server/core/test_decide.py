"""What may happen next, rule by rule, to the millisecond where a rule has a time."""

from collections.abc import Callable

import pytest

from fortythieves.errors import Refused
from fortythieves.protocol import to_server
from fortythieves.protocol.to_server import (
    AddBot,
    ChangeSettings,
    Chat,
    Command,
    GiveUp,
    HandOver,
    Kick,
    Leave,
    Lock,
    Ready,
    Rematch,
    Rename,
    Start,
    TakeBack,
    Unready,
)
from fortythieves.times import Ms
from fortythieves_server.core import decide, decide_lobby, events
from fortythieves_server.core.rule_context import Events
from tests.refusals import refusal
from tests.server.tables import (
    CODE,
    MINUTE,
    NOON,
    SECOND,
    Table,
    commitment_of,
    counting,
    in_round,
    lobby,
    over,
    racing,
)

Starting = Callable[..., Table]

during_a_race = pytest.mark.parametrize("start", [counting, racing], ids=["countdown", "race"])


# Coming in


def test_the_first_who_comes_is_the_host() -> None:
    table = Table()
    assert table.join("ann") == 1
    table.join("bob")
    assert table.room.host == 1


def test_whoever_comes_back_has_the_old_seat_and_no_other_name() -> None:
    table = lobby(2)
    table.hang_up(2)
    assert table.join("bob", name="Somebody else") == 2
    assert table.person(2).name == "Bob" and table.person(2).here


def test_a_full_room_takes_nobody_but_those_who_have_a_seat() -> None:
    table = lobby(2, seats=2)
    assert refusal(table.join, "cem") == "full"
    table.hang_up(2)
    assert refusal(table.join, "cem") == "full"
    assert table.join("bob") == 2


def test_a_locked_room_takes_nobody_but_those_who_have_a_seat_and_spectators() -> None:
    table = lobby(2)
    table.do(1, Lock(1, True))
    assert refusal(table.join, "cem") == "locked"
    assert decide.watch(table.room, "cem", to_server.Watch(1, CODE, "Cem")) == "Cem"
    assert table.join("bob") == 2
    table.do(1, Lock(1, False))
    assert table.join("cem") == 3


def test_whoever_was_kicked_is_told_so_whatever_else_would_keep_him_out() -> None:
    table = lobby(2, seats=2)
    table.do(1, Kick(1, 2))
    table.join("cem")
    table.do(1, Lock(1, True))
    assert refusal(table.join, "bob") == "kicked"


def test_a_name_that_is_taken_gets_a_number() -> None:
    table = Table()
    for guest in ("a", "b", "c"):
        table.join(guest, name="Ann")
    assert [person.name for person in table.room.people.values()] == ["Ann", "Ann 2", "Ann 3"]


def test_names_that_differ_only_in_their_case_are_the_same() -> None:
    table = Table()
    table.join("a", name="Straße")
    table.join("b", name="STRASSE")
    assert table.person(2).name == "STRASSE 2"


def test_a_long_name_is_cut_for_its_number() -> None:
    table = Table()
    for guest in ("a", "b"):
        table.join(guest, name="Ann of the very long nam")
    table.join("c", name="Ann of the very long x m")
    table.join("d", name="Ann of the very long x m")
    names = [person.name for person in table.room.people.values()]
    assert names == [
        "Ann of the very long nam",
        "Ann of the very long n 2",
        "Ann of the very long x m",
        "Ann of the very long x 2",
    ]


def test_a_bad_name_is_refused() -> None:
    with pytest.raises(Refused, match="A name has"):
        Table().join("ann", name="\u200b")


# Coming late


@during_a_race
def test_a_room_may_refuse_who_comes_during_a_race(start: Starting) -> None:
    table = start(late="refuse")
    assert refusal(table.join, "cem") == "started"
    table.run_out()
    assert table.join("cem") == 3


def test_a_racer_whose_connection_broke_is_let_in_again_where_late_ones_are_refused() -> None:
    table = racing(late="refuse")
    table.hang_up(2)
    assert table.join("bob") == 2
    assert table.racer(2).racing


@during_a_race
def test_late_ones_may_watch_and_are_in_for_the_next_race(start: Starting) -> None:
    table = start(late="watch")
    table.join("cem")
    assert 3 not in table.race.racers
    assert table.refuses(3, GiveUp(1)) == "not-racing"
    table.run_out()
    table.do(1, Rematch(1, ""))
    table.ready(2, 3)
    table.settle()
    assert set(table.race.racers) == {1, 2, 3}


@during_a_race
def test_late_ones_may_join_with_the_clock_running(start: Starting) -> None:
    table = start(late="join")
    nonces = table.race.nonces
    table.join("cem")
    assert table.racer(3).racing
    assert table.race.nonces == nonces, "the deal was settled before"


def test_whoever_was_away_at_the_start_joins_late_as_a_stranger_would() -> None:
    table = lobby(3, late="join")
    table.hang_up(3)
    table.ready(1, 2)
    table.settle()
    assert set(table.race.racers) == {1, 2}
    table.join("cem")
    assert table.racer(3).racing


def test_whoever_leaves_a_race_and_comes_again_does_not_see_the_deal_a_second_time() -> None:
    table = racing(late="join")
    table.moves(2, to=3)
    table.do(2, Leave(1))
    assert table.join("bob") == 3
    assert 3 not in table.race.racers
    assert table.racer(2).state == "gave_up"


def test_a_racer_who_comes_back_to_the_seat_does_not_start_anew() -> None:
    table = racing(late="join")
    table.hang_up(2)
    assert [type(event) for event in table.ask(lambda room, context: _rejoin(table, "bob"))] == [events.Here]


def _rejoin(table: Table, guest: str) -> Events:
    return decide_lobby.join(table.room, guest, to_server.Join(1, CODE, "x"), "new line", table.context)


def test_nobody_starts_late_in_a_race_that_is_over() -> None:
    table = over(late="join")
    table.join("cem")
    assert 3 not in table.race.racers


# Going


def test_a_closed_connection_makes_away_and_the_newest_connection_wins() -> None:
    table = lobby(1)
    old = table.person(1).via or ""
    table.join("ann", via="other/1")
    assert decide.disconnect(table.room, 1, old) == []
    assert decide.disconnect(table.room, 1, "other/1") == [events.Away(1)]
    assert decide.disconnect(table.room, 2, "other/1") == []


def test_whose_connection_died_with_its_process_is_away() -> None:
    table = Table()
    table.join("ann", via="alive/1")
    table.join("bob", via="dead/1")
    table.join("cem", via="dead/2")
    table.hang_up(3)
    assert decide.dead_connections(table.room, lambda via: via.startswith("alive")) == [events.Away(2)]


@pytest.mark.parametrize(
    ("start", "state"), [(counting, "did_not_start"), (racing, "gave_up")], ids=["countdown", "race"]
)
def test_leaving_before_the_start_is_not_starting_and_later_gives_up_at_once(start: Starting, state: str) -> None:
    table = start()
    table.wait(Ms(1))
    table.do(2, Leave(1))
    assert table.racer(2).state == state


def test_whoever_leaves_right_after_the_winning_move_has_won() -> None:
    table = racing()
    table.wait(90 * SECOND)
    table.moves(2, to=150, home=104, outcome="solved")
    table.wait(Ms(1))
    table.do(2, Leave(1))
    racer = table.racer(2)
    assert racer.state == "solved" and racer.result is not None
    assert racer.result.when == table.now - Ms(1)


def test_whoever_leaves_after_the_time_is_up_has_timed_out() -> None:
    table = racing()
    table.moves(2, to=3)
    table.now = (table.race.ends_at or Ms(0)) + Ms(1)
    table.do(2, Leave(1))
    racer = table.racer(2)
    assert racer.state == "timed_out" and racer.result is not None
    assert racer.result.when == table.race.ends_at


@during_a_race
def test_a_kick_in_a_race_disqualifies(start: Starting) -> None:
    table = start(3)
    table.do(1, Kick(1, 2))
    assert table.racer(2).state == "disqualified"
    assert 2 not in table.room.people
    table.run_out()
    assert 2 not in table.race.places


@pytest.mark.parametrize(
    ("people", "is_settled"), [(2, False), (3, True)], ids=["right after the winning move", "once it is settled"]
)
def test_a_kick_after_the_finish_leaves_the_result_as_it_is(people: int, is_settled: bool) -> None:
    table = racing(people)
    table.moves(2, to=150, home=104, outcome="solved")
    if is_settled:
        table.settle()
    table.do(1, Kick(1, 2))
    assert table.racer(2).state == "solved"


def test_the_host_kicks_neither_himself_nor_nobody() -> None:
    table = lobby(2)
    for seat in (0, 1, 9, 2**53):
        assert table.refuses(1, Kick(1, seat)) == "unknown-seat"


# The host


@pytest.mark.parametrize(
    "request_",
    [
        ChangeSettings(1, {"undo": "none"}),
        Start(1),
        Lock(1, True),
        Kick(1, 1),
        HandOver(1, 2),
        AddBot(1, 1),
    ],
    ids=lambda request: type(request).__name__,
)
def test_only_the_host_does_what_a_host_does(request_: Command) -> None:
    assert lobby(2).refuses(2, request_) == "not-host"


@pytest.mark.parametrize("request_", [Ready(1, ""), Chat(1, "k", "hi"), Leave(1), Start(1)], ids=str)
def test_whoever_is_not_in_the_room_asks_for_nothing(request_: Command) -> None:
    assert lobby(2).refuses(3, request_) == "not-in-room"


def test_the_host_hands_over_to_somebody_who_is_there() -> None:
    table = lobby(2)
    assert table.refuses(1, HandOver(1, 3)) == "unknown-seat"
    assert table.do(1, HandOver(1, 1)) == []
    table.do(1, HandOver(1, 2))
    assert table.room.host == 2


def test_a_room_cannot_be_handed_over_to_a_bot() -> None:
    table = lobby(1)
    table.join("robot", bot=True)
    assert table.refuses(1, HandOver(1, 2)) == "bot-host"


def test_a_host_who_leaves_is_followed_by_who_is_longest_present() -> None:
    table = lobby(4)
    table.hang_up(2)
    table.do(1, Leave(1))
    assert table.room.host == 3


@pytest.mark.parametrize("start", [lobby, racing])
def test_a_host_who_is_away_for_thirty_seconds_is_replaced(start: Starting) -> None:
    table = start(3)
    table.hang_up(1)
    table.wait(30 * SECOND - Ms(1))
    assert table.tick() == []
    assert decide.next_due(table.room, {}) == table.now + Ms(1)
    table.wait(Ms(1))
    assert table.tick() == [events.Hosted(2)]


def test_a_host_who_comes_back_in_time_stays_host() -> None:
    table = lobby(2)
    table.hang_up(1)
    table.wait(29 * SECOND)
    table.join("ann")
    table.wait(MINUTE)
    assert table.settle() == []
    assert table.room.host == 1


def test_a_host_is_replaced_neither_by_a_bot_nor_by_somebody_who_is_away() -> None:
    table = lobby(2)
    table.join("robot", bot=True)
    table.hang_up(1)
    table.hang_up(2)
    table.wait(MINUTE)
    assert table.settle() == []
    assert decide.next_due(table.room, {}) == NOON + 600 * SECOND
    table.join("bob")
    assert table.tick() == [events.Hosted(2)]


def test_where_only_bots_are_left_the_next_person_who_comes_is_the_host() -> None:
    table = lobby(1)
    table.join("robot", bot=True)
    table.do(1, Leave(1))
    assert table.room.host == 2
    table.join("other robot", bot=True)
    assert table.room.host == 2
    table.join("cem")
    assert table.room.host == 4


def test_bots_are_let_in_as_anybody_would_be() -> None:
    table = lobby(2, seats=3)
    assert table.do(1, AddBot(1, 2)) == []
    table.join("robot", bot=True)
    assert table.refuses(1, AddBot(1, 2)) == "full"
    table.do(1, Kick(1, 3))
    table.do(1, Lock(1, True))
    assert table.refuses(1, AddBot(1, 2)) == "locked"


# Seats


def test_a_seat_is_freed_after_ten_minutes_away() -> None:
    table = lobby(2)
    table.hang_up(2)
    table.wait(600 * SECOND - Ms(1))
    assert table.tick() == []
    table.wait(Ms(1))
    assert table.tick() == [events.Left(2)]
    assert table.join("bob") == 3


def test_a_racer_keeps_the_seat_however_long_he_is_away_until_the_race_is_over() -> None:
    table = racing(2)
    table.hang_up(2)
    table.wait(601 * SECOND)
    assert table.tick() == []
    table.run_out()
    assert 2 not in table.room.people
    assert table.racer(2).state == "did_not_start"


def test_everybody_may_be_freed_at_once() -> None:
    table = lobby(3)
    for seat in (1, 2, 3):
        table.hang_up(seat)
    table.wait(600 * SECOND)
    table.settle()
    assert table.room.people == {} and table.room.host is None
    assert table.join("dan") == 4
    assert table.room.host == 4


# Settings, name, chat


def test_changed_settings_unready_everybody() -> None:
    table = lobby(3)
    table.ready(1, 2)
    table.do(1, ChangeSettings(1, {"undo": "none"}))
    assert not any(person.ready for person in table.room.people.values())
    assert table.race.settings.undo == "none"


def test_settings_that_are_the_same_change_nothing() -> None:
    table = lobby(2)
    table.ready(2)
    assert table.do(1, ChangeSettings(1, {"undo": "turned", "game": "forty-thieves"})) == []
    assert table.person(2).ready


def test_there_are_never_fewer_seats_than_people() -> None:
    table = lobby(3)
    assert table.refuses(1, ChangeSettings(1, {"seats": 2})) == "bad-settings"
    table.do(1, ChangeSettings(1, {"seats": 3}))


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"game": "spider"}, "unknown-game"),
        ({"deal": "32000"}, "bad-number"),
        ({"deal": "1e9"}, "bad-number"),
        ({"time_limit": 59}, "bad-settings"),
        ({"countdown": 2}, "bad-settings"),
        ({"colour": "red"}, "bad-settings"),
        *(({"undo": undo}, "bad-settings") for undo in (None, "always")),
        ({"game": ["lucas"]}, "bad-settings"),
        *(({"game": game}, "unknown-game") for game in ("klondike", "x" * 5_000)),
        *(({"time_limit": limit}, "bad-settings") for limit in (10**12, True)),
        *(({"deal": deal}, "bad-number") for deal in ("1", "٣٢٠٠١")),
        *(({"seats": seats}, "bad-settings") for seats in (0, 1_001)),
        *(
            (wrong, "bad-settings")
            for wrong in ({"deal": "9" * 5_000}, {"countdown": 0}, {"secret": "00" * 32}, {"public": "yes"})
        ),
    ],
)
def test_settings_that_do_not_work_are_refused(changes: dict[str, object], code: str) -> None:
    assert lobby(2).refuses(1, ChangeSettings(1, changes)) == code


@during_a_race
@pytest.mark.parametrize(
    "request_", [ChangeSettings(1, {"undo": "none"}), Ready(1, ""), Unready(1), Rename(1, "X")], ids=str
)
def test_what_a_race_stands_on_does_not_change_while_it_is_on(start: Starting, request_: Command) -> None:
    assert start().refuses(1, request_) == "racing"


def test_settings_that_change_after_a_race_are_those_of_the_next_one() -> None:
    table = over(game="lucas")
    table.do(1, ChangeSettings(1, {"game": "maria"}))
    assert table.race.settings.game == "lucas"
    table.do(1, Rematch(1, ""))
    assert table.race.settings.game == "maria"


def test_a_new_name_is_distinct_from_the_others_but_not_from_ones_own() -> None:
    table = lobby(2)
    assert table.do(2, Rename(1, "ann")) == [events.Renamed(2, "ann 2")]
    assert table.do(2, Rename(1, "ann")) == []
    assert table.do(2, Rename(1, "Ann 2")) == [events.Renamed(2, "Ann 2")]
    assert table.refuses(2, Rename(1, " ")) == "bad-name"


def test_chat_with_the_same_key_is_said_once() -> None:
    table = lobby(2)
    assert table.do(1, Chat(1, "k", "hi")) == [events.Chatted(1, "k", "hi")]
    assert table.do(1, Chat(1, "k", "hi")) == []
    assert table.do(2, Chat(1, "k", "hi")) == [events.Chatted(2, "k", "hi")]
    assert table.refuses(1, Chat(1, "l", "\n")) == "bad-chat"


# Getting ready and starting


def test_a_race_starts_by_itself_once_everybody_here_is_ready() -> None:
    table = lobby(3)
    table.hang_up(3)
    table.ready(1)
    assert table.tick() == []
    table.ready(2)
    assert table.tick() == [
        events.Counted((1, 2)),
        events.Frozen({1: commitment_of(1), 2: commitment_of(2)}, 3 * SECOND),
    ]
    assert table.race.starts_at == table.now + 5 * SECOND


def test_one_alone_waits_for_others_unless_the_room_is_for_one() -> None:
    table = lobby(1)
    table.ready(1)
    assert table.settle() == []
    alone = lobby(1, seats=1)
    alone.ready(1)
    assert alone.tick()[:1] == [events.Counted((1,))]


def test_whoever_goes_away_is_not_waited_for() -> None:
    table = lobby(3)
    table.ready(1, 2)
    assert table.tick() == []
    table.hang_up(3)
    assert table.tick()[:1] == [events.Counted((1, 2))]


def test_whoever_was_ready_races_even_if_away_at_the_start() -> None:
    table = lobby(3)
    table.ready(3)
    table.hang_up(3)
    table.ready(1, 2)
    table.settle()
    assert table.race.commitments == {seat: commitment_of(seat) for seat in (1, 2, 3)}


def test_without_auto_start_the_host_starts() -> None:
    table = lobby(2, auto_start=False)
    table.ready(1, 2)
    assert table.settle() == []
    assert table.do(1, Start(1))[:1] == [events.Counted((1, 2))]
    assert table.do(1, Start(1)) == []


def test_the_host_starts_with_everybody_who_is_here_ready_or_not() -> None:
    table = lobby(3)
    table.ready(2)
    table.hang_up(3)
    assert table.do(1, Start(1))[:1] == [events.Counted((1, 2))]
    assert table.race.commitments == {2: commitment_of(2)}, "who sent none contributes nothing"


def test_ready_without_a_nonce_is_ready() -> None:
    table = lobby(2)
    table.do(1, Ready(1, ""))
    assert table.person(1).ready
    assert table.do(1, Ready(1, "")) == []
    assert table.do(1, Ready(1, commitment_of(1))) == [events.Readied(1, commitment=commitment_of(1))]
    table.do(1, Unready(1))
    assert not table.person(1).ready
    assert table.do(1, Unready(1)) == []


def test_another_nonce_replaces_the_one_before_it_for_both_are_acknowledged() -> None:
    table = lobby(2)
    table.do(1, Ready(1, commitment_of(1)))
    assert table.do(1, Ready(1, commitment_of(1))) == []
    assert table.do(1, Ready(1, commitment_of(5))) == [events.Readied(1, commitment=commitment_of(5))]
    table.do(2, Ready(1, commitment_of(2)))
    table.settle()
    assert table.race.commitments == {1: commitment_of(5), 2: commitment_of(2)}


def test_nobody_gets_ready_or_starts_in_a_race_that_is_over() -> None:
    table = over()
    assert table.refuses(1, Ready(1, "")) == "over"
    assert table.refuses(1, Start(1)) == "over"


# Giving up


def test_nobody_gives_up_in_the_first_five_seconds() -> None:
    table = racing()
    table.wait(5 * SECOND - Ms(1))
    assert table.refuses(1, GiveUp(1)) == "too-early"
    table.wait(Ms(1))
    assert table.do(1, GiveUp(1)) == [events.GaveUp(1)]
    assert table.do(1, GiveUp(1)) == []


def test_giving_up_can_be_taken_back_for_ten_seconds() -> None:
    table = racing()
    table.wait(5 * SECOND)
    table.do(1, GiveUp(1))
    table.wait(10 * SECOND - Ms(1))
    assert table.tick() == []
    assert table.do(1, TakeBack(1)) == [events.TookBack(1)]
    assert table.do(1, TakeBack(1)) == [], "it is so already"
    assert table.racer(1).racing and table.racer(1).gave_up_at is None


def test_after_ten_seconds_giving_up_is_final_and_counts_from_when_it_was_said() -> None:
    table = racing()
    table.moves(1, to=7, home=2)
    table.wait(5 * SECOND)
    gave_up_at = table.now
    table.do(1, GiveUp(1))
    assert decide.next_due(table.room, table.progress) == table.now + 10 * SECOND
    table.wait(10 * SECOND)
    assert table.refuses(1, TakeBack(1)) == "not-given-up"
    assert table.tick() == [events.Finished(1, "gave_up", gave_up_at, 2, 7, NOON + 5 * SECOND)]
    assert table.refuses(1, TakeBack(1)) == "not-given-up", "too late is one word, whether it is written down or not"
    assert table.refuses(1, GiveUp(1)) == "finished"


def test_whoever_has_given_up_makes_no_move_until_it_is_taken_back() -> None:
    table = racing()
    table.wait(5 * SECOND)
    table.do(1, GiveUp(1))
    assert refusal(decide.check_may_move, table.room, 1, 1, table.now) == "finished"
    table.do(1, TakeBack(1))
    decide.check_may_move(table.room, 1, 1, table.now)


def test_giving_up_just_before_the_end_is_timing_out() -> None:
    table = racing()
    table.moves(1)
    table.now = (table.race.ends_at or Ms(0)) - SECOND
    table.do(1, GiveUp(1))
    table.wait(SECOND)
    table.settle()
    assert table.racer(1).state == "timed_out"


# Moving


def test_a_seat_may_move_from_the_start_until_the_end_and_no_millisecond_more() -> None:
    table = counting()
    start, end = table.race.starts_at or Ms(0), table.race.ends_at or Ms(0)
    for now, code in ((start - Ms(1), "not-started"), (end, "over")):
        assert refusal(decide.check_may_move, table.room, 1, 1, now) == code
    decide.check_may_move(table.room, 1, 1, start)
    decide.check_may_move(table.room, 1, 1, end - Ms(1))


@pytest.mark.parametrize(("race", "code"), [(0, "over"), (2, "not-started")])
def test_a_move_in_another_race_is_refused(race: int, code: str) -> None:
    table = racing()
    assert refusal(decide.check_may_move, table.room, 1, race, table.now) == code


def test_who_does_not_race_or_has_finished_does_not_move() -> None:
    table = racing(late="watch")
    watcher = table.join("cem")
    table.moves(1, to=150, home=104, outcome="solved")
    table.settle()
    for seat, code in ((watcher, "not-racing"), (1, "finished")):
        assert refusal(decide.check_may_move, table.room, seat, 1, table.now) == code


# The end


@pytest.mark.parametrize("outcome", ["solved", "stuck"])
def test_a_board_that_is_done_finishes_its_racer_at_the_time_of_its_last_move(outcome: str) -> None:
    table = racing()
    table.wait(50 * SECOND)
    at = table.now
    table.moves(1, to=90, home=40, reached_at=at - Ms(7), outcome="solved" if outcome == "solved" else "stuck")
    table.wait(Ms(3))
    assert decide.next_due(table.room, table.progress) == at
    assert table.tick() == [events.Finished(1, "solved" if outcome == "solved" else "stuck", at, 40, 90, at - Ms(7))]
    assert table.race.over_at is None


def test_when_the_time_is_up_who_has_moved_timed_out_and_who_has_not_did_not_start() -> None:
    table = racing()
    table.moves(1, to=4, home=1)
    table.now = (table.race.ends_at or Ms(0)) - Ms(1)
    assert table.tick() == []
    table.wait(Ms(1))
    assert [(event.seat, event.end) for event in table.tick() if isinstance(event, events.Finished)] == [
        (1, "timed_out"),
        (2, "did_not_start"),
    ]
    assert table.race.over_at == table.race.ends_at
    assert table.race.places == {1: 1}


def test_the_aces_of_lucas_are_home_even_for_who_did_not_start() -> None:
    table = over(game="lucas")
    result = table.racer(1).result
    assert result is not None and result.home == 8 and result.reached_at == table.race.starts_at


def test_a_win_counts_although_the_clock_was_looked_at_only_after_the_end() -> None:
    table = racing()
    table.now = (table.race.ends_at or Ms(0)) - Ms(1)
    table.moves(1, to=150, home=104, outcome="solved")
    table.wait(10 * SECOND)
    table.settle()
    assert table.racer(1).state == "solved"


def test_a_race_that_everybody_leaves_is_over() -> None:
    table = counting()
    table.do(1, Leave(1))
    table.do(2, Leave(1))
    assert table.race.over_at is not None


def test_an_event_that_closes_a_move_log_says_how_long_it_must_be() -> None:
    table = racing()
    table.moves(1, to=41)
    table.now = table.race.ends_at or Ms(0)
    assert decide.sealed(decide.due(table.room, table.context)) == {1: 41, 2: 0}
    assert decide.sealed([events.Left(1)]) == {}


# Again


def test_a_rematch_sets_up_the_next_race_and_whoever_asked_is_ready() -> None:
    table = over()
    first = table.race
    table.do(2, Rematch(1, commitment_of(2)))
    assert table.race.number == 2 and table.race.secret != first.secret
    assert table.room.past == {1: first}
    assert table.person(2).ready and not table.person(1).ready
    assert table.do(2, Rematch(1, commitment_of(2))) == []
    table.do(1, Rematch(1, commitment_of(1)))
    assert table.race.number == 2 and table.person(1).ready


@during_a_race
def test_there_is_no_rematch_before_the_race_is_over(start: Starting) -> None:
    assert start().refuses(1, Rematch(1, "")) == "not-over"


# Watching


def watch_refused(table: Table, guest: str, name: str = "Wanda") -> str:
    return refusal(decide.watch, table.room, guest, to_server.Watch(1, CODE, name))


def test_anybody_may_watch_but_those_who_race_or_were_removed() -> None:
    table = racing(3)
    table.do(1, Kick(1, 3))
    assert decide.watch(table.room, "wanda", to_server.Watch(1, CODE, " Wanda ")) == "Wanda"
    assert watch_refused(table, "bob") == "racing"
    assert watch_refused(table, "cem") == "kicked"
    assert watch_refused(table, "wanda", "") == "bad-name"
    table.do(2, Leave(1))
    decide.watch(table.room, "bob", to_server.Watch(1, CODE, "Bob"))


def test_nobody_watches_where_nobody_may() -> None:
    table = racing(2, watching="nobody", late="watch")
    assert watch_refused(table, "wanda") == "not-watchable"
    table.join("cem")
    assert refusal(decide.check_may_watch, table.room, "cem") == "not-watchable"


def test_whoever_races_looks_at_no_other_board_until_done() -> None:
    table = racing(2, late="watch")
    table.join("cem")
    decide.check_may_watch(table.room, "cem")
    assert refusal(decide.check_may_watch, table.room, "ann") == "racing"
    table.wait(5 * SECOND)
    table.do(1, GiveUp(1))
    with pytest.raises(Refused):  # it can still be taken back
        decide.check_may_watch(table.room, "ann")
    table.wait(10 * SECOND)
    table.settle()
    decide.check_may_watch(table.room, "ann")


def test_a_racer_looks_at_no_board_by_another_seat_or_as_a_watcher() -> None:
    table = racing(2, late="watch")
    table.do(2, Leave(1))
    table.join("bob")
    decide.check_may_watch(table.room, "bob")  # That race is over for good.
    with pytest.raises(Refused):
        decide.watch(table.room, "ann", to_server.Watch(1, CODE, "Ann"))
    table.run_out()
    decide.watch(table.room, "ann", to_server.Watch(1, CODE, "Ann"))
    decide.check_may_watch(table.room, "ann")


def test_who_comes_late_and_races_looks_at_no_board_either() -> None:
    table = racing(2, late="join")
    assert decide.watch(table.room, "cem", to_server.Watch(1, CODE, "Cem")) == "Cem"
    table.join("cem")
    assert refusal(decide.check_may_watch, table.room, "cem") == "racing"


def test_in_a_quiet_tournament_racers_say_nothing_until_the_round_is_over() -> None:
    table = in_round(plan={"quiet": True, "by_timer": False})
    assert table.refuses(2, Chat(1, "k", "7-F")) == "quiet"
    table.wait(10 * SECOND)
    table.do(3, Leave(1))
    table.moves(2, to=5, outcome="stuck")
    table.settle()
    assert table.refuses(2, Chat(1, "k", "7-F")) == "quiet", "others still race"
    table.do(1, Chat(1, "k", "The host does not race."))
    table.run_out()
    table.do(2, Chat(1, "k", "7-F"))


def test_what_a_watcher_says_is_said_once_and_under_the_watchers_name() -> None:
    table = racing(2)
    said = events.Chatted(0, "k", "go Ann", "Wanda", "w")
    for expected in ([said], []):
        request = Chat(1, "k", " go Ann ")
        assert table.ask(lambda room, context: decide.spectator_chats(room, "w", "Wanda", request)) == expected  # noqa: B023
    line = next(iter(table.room.chat.values()))
    assert (line.seat, line.name, line.kept_from) == (0, "Wanda", 1)


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
def test_while_a_race_is_on_watchers_may_be_shown_less_and_never_more(
    start: Starting, before: dict[str, object], after: dict[str, object], code: str | None
) -> None:
    table = start(**before)
    if code is None:
        assert table.do(1, ChangeSettings(1, after)) == [events.Changed(table.room.settings)]
    else:
        assert table.refuses(1, ChangeSettings(1, after)) == code
