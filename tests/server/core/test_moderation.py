"""Whom hosts keep quiet, or out."""

import pytest

from fortythieves.protocol import to_server
from fortythieves.protocol.to_server import Chat, CoHost, Judge, Kick, Leave, Mute, Remove
from fortythieves.times import Ms
from fortythieves_server.core import decide, decide_lobby, events, evolve
from fortythieves_server.core.evolve import BLOCKED_FOR, CHAT_KEPT
from tests.refusals import refusal
from tests.server.tables import CODE, Table, entered, lobby, racing, room_view

#: Hashes of addresses.
SCHOOL, HOME = "5c", "40"


def says(table: Table, guest: str = "wanda", key: str = "k", address: str = SCHOOL) -> int:
    """A watcher says something; the number of the line."""
    request = Chat(1, key, "hi")
    table.ask(lambda room, context: decide.spectator_chats(room, guest, guest.title(), request, address))
    return list(table.room.chat)[-1]


def joins(table: Table, guest: str, address: str = SCHOOL) -> int:
    request = to_server.Join(1, CODE, guest.title())
    via = f"here/{len(table.log)}"
    table.ask(lambda room, context: decide_lobby.join(room, guest, request, via, context, address))
    return table.room.seat_of(guest) or 0


def watch_refused(table: Table, guest: str, address: str = SCHOOL) -> str:
    return refusal(decide.watch, table.room, guest, to_server.Watch(1, CODE, guest), table.now, address)


# Muting


@pytest.mark.parametrize("start", [lobby, racing])
def test_a_watcher_who_is_muted_says_nothing_more_until_it_is_taken_back(start: type[Table]) -> None:
    table = start(2)  # type: ignore[arg-type]
    line = says(table)
    table.do(1, Mute(1, line, True))
    assert refusal(says, table, "wanda", "again") == "muted"
    assert room_view(table.room)["muted"] == {str(line): "Wanda"}
    assert table.do(1, Mute(1, line, True)) == []
    table.do(1, Mute(1, line, False))
    says(table, key="again")
    assert room_view(table.room)["muted"] == {}


def test_who_races_is_not_told_the_name_of_who_was_muted() -> None:
    table = racing(2)
    table.do(1, Mute(1, says(table), True))
    assert room_view(table.room, racing=True)["muted"] == {}


def test_who_is_muted_stays_so_when_the_line_is_long_gone() -> None:
    table = lobby(2)
    line = says(table)
    table.do(1, Mute(1, line, True))
    for k in range(CHAT_KEPT):
        table.do(2, Chat(1, f"{k}", "words"))
    assert line not in table.room.chat
    assert refusal(says, table, "wanda", "again") == "muted"
    table.do(1, Mute(1, line, False))
    says(table, key="again")


def test_another_line_of_the_same_watcher_is_as_good() -> None:
    table = lobby(1)
    one, two = says(table), says(table, key="k2")
    table.do(1, Mute(1, one, True))
    assert table.do(1, Mute(1, two, True)) == []
    table.do(1, Mute(1, two, False))
    says(table, key="again")


def test_somebody_at_a_seat_can_be_muted_but_not_the_creator() -> None:
    table = lobby(2)
    for seat in (1, 2):
        table.do(seat, Chat(1, "k", "hi"))
    mine, other = list(table.room.chat)
    table.do(1, Mute(1, other, True))
    assert table.refuses(2, Chat(2, "k2", "hello")) == "muted"
    assert table.refuses(1, Mute(1, mine, True)) == "creator"


def test_a_co_host_keeps_order_and_others_do_not() -> None:
    table = entered()
    line = says(table)
    for request in (Mute(1, line, True), Remove(1, line)):
        assert table.refuses(3, request) == "not-host"
    table.do(1, CoHost(1, 3, True))
    table.do(3, Mute(1, line, True))
    table.do(3, Remove(1, line))


@pytest.mark.parametrize("request_", [Mute(1, 99, True), Mute(1, 99, False), Remove(1, 99)], ids=str)
def test_a_line_that_there_is_not_names_nobody(request_: to_server.Command) -> None:
    assert lobby(1).refuses(1, request_) == "unknown-line"


def test_a_line_of_before_names_nobody() -> None:
    table = lobby(1)
    table.happen(events.decode(b'{"event":"chatted","seat":0,"key":"k","text":"hi","name":"Wanda"}'))
    line = next(iter(table.room.chat))
    assert table.refuses(1, Remove(1, line)) == "unknown-line"


# Removing


@pytest.mark.parametrize("start", [lobby, racing])
def test_a_watcher_who_is_removed_is_let_in_no_more(start: type[Table]) -> None:
    table = start(2)  # type: ignore[arg-type]
    line = says(table)
    table.do(1, Remove(1, line))
    assert watch_refused(table, "wanda") == refusal(joins, table, "wanda") == "kicked"
    assert refusal(says, table, "wanda", "again") == "kicked"
    assert table.do(1, Remove(1, line)) == []


def test_who_sits_at_a_seat_is_not_removed_as_a_watcher() -> None:
    table = lobby(1)
    line = says(table)
    joins(table, "wanda")
    assert table.refuses(1, Remove(1, line)) == "no-watcher"


# Holding an address off


def test_a_kick_lets_others_of_the_address_in_unless_the_host_says_otherwise() -> None:
    table = lobby(1)
    seat = joins(table, "mallory")
    table.do(1, Kick(1, seat))
    assert joins(table, "another") == 3


def test_a_kick_can_hold_new_guests_of_the_address_off_for_ten_minutes() -> None:
    table = lobby(1)
    present, seat = joins(table, "cem"), joins(table, "mallory")
    table.do(1, Kick(1, seat, hold=True))
    assert refusal(joins, table, "another") == watch_refused(table, "another") == "address-held"
    assert joins(table, "from home", HOME) == 4
    table.hang_up(present)
    assert joins(table, "cem") == present, "who is in the room comes back"
    table.wait(BLOCKED_FOR - Ms(1))
    assert refusal(joins, table, "another") == "address-held"
    table.wait(Ms(1))
    assert joins(table, "another") == 5


def test_a_watcher_who_is_removed_can_take_the_address_along() -> None:
    table = lobby(1)
    known = says(table, "walt")
    table.do(1, Remove(1, says(table), hold=True))
    assert watch_refused(table, "another") == "address-held"
    assert known and decide.watch(table.room, "walt", to_server.Watch(1, CODE, "Walt"), table.now, SCHOOL) == "Walt"
    table.do(1, Remove(1, known, hold=True))
    assert watch_refused(table, "walt") == "kicked"


def test_the_creator_comes_back_from_an_address_that_is_held_off() -> None:
    table = Table()
    joins(table, "ann")
    joins(table, "bob")
    seat = joins(table, "mallory")
    table.do(1, Kick(1, seat, hold=True))
    table.do(1, Leave(1))
    assert joins(table, "ann") == 4


def test_a_disqualification_can_hold_the_address_off_and_the_entrants_of_it_keep_their_seats() -> None:
    table = Table({})
    table.join("host")
    cheat, other = joins(table, "cheat"), joins(table, "other")
    table.do(other, Leave(1))
    table.do(1, Judge(1, cheat, True, "Two browsers.", hold=True))
    assert refusal(joins, table, "cheat again") == "address-held"
    assert joins(table, "other") == other
    assert table.do(1, Judge(1, cheat, True, "Two browsers.", hold=True)) == []


def test_an_address_that_is_not_known_is_held_off_from_nobody() -> None:
    table = lobby(2)
    table.do(1, Kick(1, 2, hold=True))
    assert table.room.blocked_addresses == {}
    assert table.join("cem") == 3


def test_what_has_run_out_is_forgotten() -> None:
    table = lobby(1)
    for guest, address in (("mallory", SCHOOL), ("eve", HOME)):
        seat = joins(table, guest, address)
        table.do(1, Kick(1, seat, hold=True))
        table.wait(BLOCKED_FOR)
    assert set(table.room.blocked_addresses) == {HOME}
    assert evolve.replay(table.log) == table.room


def test_somebody_of_before_is_read_without_an_address() -> None:
    here = events.decode(b'{"event":"here","seat":3,"via":"a/1"}')
    assert here == events.Here(3, "a/1", address="")


def test_a_co_host_does_not_ban_another_one_by_an_old_line() -> None:
    table = entered(3)
    for seat in (2, 3):
        table.do(1, CoHost(1, seat, True))
    table.do(2, Chat(1, "k", "hi"))
    line = list(table.room.chat)[-1]
    table.do(2, Leave(1))
    assert table.refuses(3, Remove(1, line)) == "not-creator"
    table.do(1, Remove(1, line))
