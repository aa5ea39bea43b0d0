"""The host of a room, and how hosts and operators remove or mute people and close rooms."""

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from fortythieves.protocol import to_server as say
from fortythieves.times import Ms
from fortythieves_server.core import decide, decide_hosts, events, evolve
from fortythieves_server.core.decide_hosts import HOST_AWAY
from fortythieves_server.core.event_limits import MOST, Counts, Kind
from fortythieves_server.core.evolve import BLOCKED_FOR, CHAT_KEPT
from tests.refusals import refusal
from tests.server.tables import NOON, SECOND, Table, entered, in_round, lobby, racing

#: Hashes of addresses.
SCHOOL, HOME = "5c", "40"
start_anywhere = pytest.mark.parametrize("start", [lobby, racing])
Starting = Callable[[int], Table]


def away_for_long(table: Table, *seats: int) -> None:
    """The seats are away until other people stand in."""
    table.hang_up(*seats)
    table.after(HOST_AWAY)


@start_anywhere
def test_a_host_is_replaced_after_thirty_seconds_and_gets_the_role_back(start: Starting) -> None:
    table = start(3)
    table.hang_up(1)
    assert table.after(HOST_AWAY - Ms(1)) == [] and table.after(Ms(1)) == [events.Hosted(2)]
    table.join("ann")
    assert table.room.host == 1


def test_a_bot_or_an_absent_person_does_not_become_host_except_among_bots() -> None:
    table = lobby(2)
    table.join("robot", bot=True)
    away_for_long(table, 1, 2)
    assert table.settle() == [] and decide.next_due(table.room, {}) == NOON + 600 * SECOND
    table.join("bob")
    assert table.tick() == [events.Hosted(2)]
    table = lobby(1)
    table.join("robot", bot=True)
    table.do(1, say.Leave(1))
    table.join("other robot", bot=True)
    assert table.room.host == 2
    table.join("cem")
    assert table.room.host == 4
    table = Table()
    table.join("robot", bot=True)
    table.join("ann")
    assert table.room.host == 2 and table.room.is_creator("ann"), "a bot that opens a room leaves it to a person"
    table = lobby(4)
    table.hang_up(2)
    table.do(1, say.Leave(1))
    assert table.room.host == 3


def test_a_stand_in_and_full_limits_cannot_keep_the_creator_out() -> None:
    table = lobby(2, seats=2, auto_start=False, late="refuse")
    table.do(1, say.Leave(1))
    table.join("another", name="Another")
    table.do(2, say.Lock(1, True), say.Start(1))
    table.room = replace(table.room, counts=Counts(tuple(MOST[kind] - 5 for kind in Kind)))
    seat = table.join("ann")
    assert table.room.host == seat and len(table.room.people) == 3
    table.do(seat, say.Lock(1, False))
    table.run_out()
    table.do(seat, say.ChangeSettings(1, {"undo": "none"}))
    assert table.refuses(seat, say.ChangeSettings(1, {"seats": 1})) == "bad-settings"
    table.do(seat, say.Leave(1))
    table.room = replace(table.room, counts=Counts(tuple(MOST[kind] for kind in Kind)))
    assert table.join("ann") == 5


def test_a_stand_in_cannot_remove_the_owner_of_the_room() -> None:
    table = lobby(3)
    away_for_long(table, 1)
    assert table.refuses(2, say.Kick(1, 1)) == "creator"
    table.join("ann")
    table.do(1, say.HandOver(1, 2))
    assert table.refuses(2, say.Kick(1, 1)) == "creator"
    table.do(1, say.Leave(1))
    away_for_long(table, 2)
    assert table.room.host == 3 and table.refuses(3, say.Kick(1, 2)) == "creator"


def test_a_handed_over_role_belongs_to_its_new_owner_or_again_to_the_creator() -> None:
    table = lobby(3)
    table.do(1, say.HandOver(1, 2))
    away_for_long(table, 2)
    assert table.room.host == 1, "the creator stands in before all others"
    table.join("bob")
    assert table.room.host == 2
    table.do(2, say.HandOver(1, 3))
    away_for_long(table, 3)
    table.join("cem")
    assert table.room.host == 3, "the new owner can hand it on"
    table.do(3, say.Leave(1))
    table.join("cem")
    assert table.room.host == 1, "the creator is the owner once the other one has left"
    table = lobby(3)
    table.do(1, say.HandOver(1, 2))
    table.do(2, say.HandOver(1, 1))
    away_for_long(table, 1, 2)
    table.join("bob")
    assert table.room.host == 3
    table.join("ann")
    assert table.room.host == 1
    table = lobby(1)
    table.join("robot", bot=True)
    table.check_refusals((1, say.HandOver(1, 3), "unknown-seat"), (1, say.HandOver(1, 2), "bot-host"))
    assert table.do(1, say.HandOver(1, 1)) == []


def test_co_hosts_stand_in_one_after_the_other_until_they_are_dismissed() -> None:
    table = entered()
    for seat in (3, 4):
        table.do(1, say.CoHost(1, seat, True))
    away_for_long(table, 1)
    assert table.room.host == 3
    table.do(3, say.Lock(1, True))
    away_for_long(table, 3)
    assert table.room.host == 4
    table.do(4, say.Leave(1))
    assert table.room.host == 1, "only the creator is left"
    table.join("guest 2")
    assert table.settle() == [events.Hosted(3)], "also a co-host that returns later"
    table = entered()
    for seat in (3, 4):
        table.do(1, say.CoHost(1, seat, True))
    table.do(4, say.Leave(1))
    for seat in (3, 4):
        table.do(1, say.CoHost(1, seat, False))
    assert table.room.co_hosts == frozenset()
    table.check_refusals((3, say.Round(1, "pause"), "not-host"), (1, say.CoHost(1, 4, True), "unknown-seat"))
    away_for_long(table, 1)
    assert table.room.host == 1


def test_a_co_host_takes_nothing_from_the_creator() -> None:
    table = entered()
    table.do(1, say.Enter(1, True), say.CoHost(1, 3, True), say.CoHost(1, 4, True))
    away_for_long(table, 1)
    table.check_refusals(
        (3, say.Kick(1, 1), "creator"),
        (3, say.Judge(1, 1, True, "I want to be the host."), "creator"),
        (3, say.Withdraw(1, 1), "creator"),
        (3, say.RenameEntrant(1, 1, "Nobody"), "creator"),
        *((3, say.CoHost(1, seat, on), "not-creator") for seat, on in ((1, False), (4, False), (2, True))),
        (3, say.HandOver(1, 2), "creators-tournament"),
        (3, say.Kick(1, 4), "not-creator"),
    )
    table.do(1, say.Leave(1))
    assert table.refuses(3, say.Judge(1, 1, True, "Gone.")) == "creator"
    assert table.join("host") == 1
    table.do(1, say.Judge(1, 1, True, "I have seen the deal."))
    assert table.states()[1] == "disqualified"


def test_the_creator_needs_no_row_of_the_list_and_may_be_a_bot() -> None:
    table = entered(2)
    table.do(1, say.ChangePlan(1, {"entry": "list", "listed": ["Somebody"]}), say.Leave(1))
    seat = table.join("host")
    assert table.room.host == seat and seat not in table.tournament.entrants
    table = Table({})
    table.join("robot", bot=True)
    table.join("ann")
    away_for_long(table, 1)
    assert table.room.host == 1 and table.room.is_creator("robot")


@start_anywhere
def test_a_muted_spectator_cannot_chat_until_a_host_takes_it_back(start: Starting) -> None:
    table = start(2)
    one, two = table.chat_from("wanda"), table.chat_from("wanda", key="k2")
    table.do(1, say.Mute(1, one, True))
    assert refusal(table.chat_from, "wanda", key="again") == "muted"
    assert table.view()["muted"] == {str(one): "Wanda"}
    assert table.view(racing=True)["muted"] == ({} if start is racing else {str(one): "Wanda"})
    assert table.do(1, say.Mute(1, two, True)) == [], "all messages name the same author"
    table.do(1, say.Mute(1, two, False), say.Mute(1, one, True))
    table.happen(*(events.Chatted(2, f"{k}", "words") for k in range(CHAT_KEPT)))
    assert refusal(table.chat_from, "wanda", key="again") == "muted", "also when the message is gone"
    table.do(1, say.Mute(1, one, False))
    table.chat_from("wanda", key="again")
    assert table.view()["muted"] == {}


def test_only_hosts_moderate_and_they_mute_no_creator() -> None:
    table = entered()
    message = table.chat_from("wanda")
    requests = (say.Mute(1, message, True), say.Remove(1, message))
    table.check_refusals(*((3, request, "not-host") for request in requests))
    table.do(1, say.CoHost(1, 3, True))
    for request in requests:
        table.do(3, request)
    unknown = (say.Mute(1, 99, True), say.Mute(1, 99, False), say.Remove(1, 99))
    table.check_refusals(*((1, request, "unknown-line") for request in unknown))
    table = lobby(2)
    for seat in (1, 2):
        table.do(seat, say.Chat(1, "k", "hi"))
    mine, other = list(table.room.chat)
    table.do(1, say.Mute(1, other, True))
    table.check_refusals((2, say.Chat(2, "k2", "hello"), "muted"), (1, say.Mute(1, mine, True), "creator"))


def test_what_a_stand_in_has_removed_ends_when_the_owner_returns() -> None:
    table = lobby(2, auto_start=False)
    cem, wanda = table.join("cem", "school"), table.chat_from("wanda", address="library")
    away_for_long(table, 1)
    table.do(2, say.Kick(1, cem, hold=True), say.Remove(1, wanda, hold=True))
    assert refusal(table.join, "cem") == refusal(table.watch, "wanda") == "kicked"
    assert refusal(table.join, "dan", "school") == refusal(table.watch, "dan", address="library") == "address-held"
    assert sorted(table.view()["removed"].values()) == ["Cem", "Wanda"]
    table.join("ann")
    assert table.view()["removed"] == {}
    table.join("cem", "school")
    table.watch("wanda", address="library")
    table.watch("dan", address="library")


def test_a_stand_in_disqualifies_no_racer() -> None:
    table = racing(3)
    away_for_long(table, 1)
    assert table.room.host == 2 and table.refuses(2, say.Kick(1, 3)) == "racing"
    table.do(3, say.Leave(1))
    table.join("ann")
    table.do(1, say.Kick(1, 2))
    assert (table.racer(2).state, table.racer(3).state) == ("disqualified", "gave_up")


def test_what_an_owner_has_removed_stays_removed_until_the_owner_admits_it() -> None:
    table = lobby(3, auto_start=False)
    cem = table.join("cem 2", "school")
    table.do(1, say.Kick(1, cem, hold=True))
    ((number, name),) = table.view()["removed"].items()
    assert name == "Cem 2"
    away_for_long(table, 1)
    assert table.refuses(2, say.Admit(1, int(number))) == "not-creator"
    table.join("ann")
    assert table.refuses(2, say.Admit(1, int(number))) == "not-host"
    assert refusal(table.join, "cem 2", "school") == "kicked"
    table.do(1, say.Admit(1, int(number)))
    assert table.do(1, say.Admit(1, int(number))) == []
    table.join("cem 2", "school")


def test_a_removed_guest_can_be_admitted_in_a_tournament_where_co_hosts_keep_their_say() -> None:
    table = entered(4)
    table.do(1, say.CoHost(1, 2, True))
    wanda = table.chat_from("wanda")
    table.do(2, say.Remove(1, wanda))
    away_for_long(table, 1)
    table.join("host")
    ((number, _),) = table.view()["removed"].items()
    assert table.refuses(3, say.Admit(1, int(number))) == "not-host"
    table.do(1, say.Admit(1, int(number)))
    table.watch("wanda")


@start_anywhere
def test_a_removed_spectator_cannot_return(start: Starting) -> None:
    table = start(2)
    message = table.chat_from("wanda")
    table.do(1, say.Remove(1, message))
    assert {refusal(table.watch, "wanda"), refusal(table.join, "wanda")} == {"kicked"}
    assert refusal(table.chat_from, "wanda", key="again") == "kicked"
    assert table.do(1, say.Remove(1, message)) == []


def test_players_and_co_hosts_are_not_removed_as_spectators() -> None:
    table = entered(3)
    message = table.chat_from("wanda")
    table.join("wanda")
    assert table.refuses(1, say.Remove(1, message)) == "no-watcher"
    for seat in (2, 3):
        table.do(1, say.CoHost(1, seat, True))
    table.do(2, say.Chat(1, "k", "hi"))
    message = list(table.room.chat)[-1]
    table.do(2, say.Leave(1))
    assert table.refuses(3, say.Remove(1, message)) == "not-creator"
    table.do(1, say.Remove(1, message))


def test_a_kick_can_block_new_guests_of_the_address_for_ten_minutes() -> None:
    table = lobby(1)
    present, seat = table.join("cem", SCHOOL), table.join("mallory", SCHOOL)
    table.do(1, say.Kick(1, seat, hold=True))
    assert refusal(table.join, "another", SCHOOL) == refusal(table.watch, "another", "", SCHOOL) == "address-held"
    assert table.join("from home", HOME) == 4
    table.hang_up(present)
    assert table.join("cem", SCHOOL) == present, "a player may return"
    table.wait(BLOCKED_FOR - Ms(1))
    assert refusal(table.join, "another", SCHOOL) == "address-held"
    table.wait(Ms(1))
    assert table.join("another", SCHOOL) == 5
    table.do(1, say.Kick(1, 5))
    assert table.join("one more", SCHOOL) == 6, "a kick alone blocks no address"
    table.do(1, say.Kick(1, 4, hold=True))
    assert set(table.room.blocked_addresses) == {HOME}, "an old block is forgotten"


def test_a_removed_spectator_can_block_the_address_but_not_for_the_creator() -> None:
    table = lobby(1)
    known = table.chat_from("walt", address=SCHOOL)
    table.do(1, say.Remove(1, table.chat_from("wanda", address=SCHOOL), hold=True))
    assert refusal(table.watch, "another", "", SCHOOL) == "address-held"
    assert table.watch("walt", address=SCHOOL) == "Walt", "a guest that has chatted is not new"
    table.do(1, say.Remove(1, known, hold=True))
    assert refusal(table.watch, "walt", "", SCHOOL) == "kicked"
    table = Table()
    seats = [table.join(guest, SCHOOL) for guest in ("ann", "bob", "mallory")]
    table.do(1, say.Kick(1, seats[2], hold=True), say.Leave(1))
    assert table.join("ann", SCHOOL) == 4
    unknown = lobby(2)
    unknown.do(1, say.Kick(1, 2, hold=True))
    assert unknown.room.blocked_addresses == {}, "an unknown address is not blocked"


def test_a_disqualification_can_block_the_address_but_not_its_entrants() -> None:
    table = Table({})
    table.join("host")
    cheat, other = table.join("cheat", SCHOOL), table.join("other", SCHOOL)
    table.do(other, say.Leave(1))
    table.do(1, say.Judge(1, cheat, True, "Two browsers.", hold=True))
    assert refusal(table.join, "cheat again", SCHOOL) == "address-held"
    assert table.join("other", SCHOOL) == other
    assert table.do(1, say.Judge(1, cheat, True, "Two browsers.", hold=True)) == []


def close(table: Table, reason: str = "") -> None:
    table.ask(lambda room, context: decide_hosts.closed(room, reason))


def unlist(table: Table) -> None:
    table.ask(lambda room, context: decide_hosts.unlisted(room, unlisted=True))


@pytest.mark.parametrize("start", [lobby, racing, in_round])
def test_a_closed_room_is_empty_and_refuses_all(start: Starting) -> None:
    table = start(2)
    close(table)
    assert not any(person.here for person in table.room.people.values())
    asked = (
        refusal(table.join, "zoe"),
        refusal(table.join, "ann"),
        refusal(table.watch, "wanda"),
        refusal(unlist, table),
    )
    assert {*asked, table.refuses(1, say.Chat(1, "k", "hi"))} == {"unknown-room"}
    assert table.after(Ms(10**10)) == [] and decide.next_due(table.room, table.progress) is None


def test_an_operator_unlists_and_closes_a_room_once_with_a_clean_reason() -> None:
    table = lobby(1)
    assert refusal(close, table, "x" * 10_000) == "bad-reason"
    for reason in (" \u202eNames.\x00 ", "Again."):
        if not table.room.closed:
            unlist(table)
            unlist(table)
        close(table, reason)
    assert [event for _, event in table.log[2:]] == [events.Unlisted(True), events.RoomClosed("Names.")]
    assert evolve.replay([(at, events.decode(events.encode(event))) for at, event in table.log]) == table.room
