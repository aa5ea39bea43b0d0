"""Whose room it is: a host's role passes on, is handed over, and returns; a tournament stays its creator's."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from fortythieves.errors import Refused
from fortythieves.protocol import to_server
from fortythieves.protocol.to_server import (
    AddBot,
    ChangeSettings,
    CoHost,
    Enter,
    HandOver,
    Judge,
    Kick,
    Leave,
    Lock,
    Start,
    Withdraw,
)
from fortythieves.times import Ms
from fortythieves_server.core import decide, decide_lobby, events, evolve
from fortythieves_server.core.event_limits import MOST, Kind
from fortythieves_server.core.hosts import HOST_AWAY
from tests.examples import examples
from tests.server.tables import CODE, MINUTE, NOON, Table, entered, lobby, racing, room_view


def away_for_long(table: Table, *seats: int) -> None:
    """The seats lose their connections, and so much time passes that others stand in."""
    for seat in seats:
        table.hang_up(seat)
    table.wait(HOST_AWAY)
    table.settle()


# Races among friends


@pytest.mark.parametrize("start", [lobby, racing])
def test_the_role_returns_to_the_creator_who_comes_back(start: Callable[[int], Table]) -> None:
    table = start(2)
    away_for_long(table, 1)
    assert table.room.host == 2
    table.join("ann")
    assert table.room.host == 1


def test_the_role_returns_to_the_creator_who_left_for_good_and_comes_again() -> None:
    table = lobby(2)
    table.do(1, Leave(1))
    assert table.room.host == 2
    assert table.join("ann") == 3
    assert table.room.host == 3


def test_a_room_that_all_have_left_is_still_its_creators() -> None:
    table = lobby(1)
    table.do(1, Leave(1))
    table.join("stranger")
    table.join("ann")
    assert table.room.host == 3


@pytest.mark.parametrize("people", [2, 3])
def test_who_stands_in_cannot_keep_the_creator_out(people: int) -> None:
    table = lobby(people, seats=people, auto_start=False, late="refuse")
    table.do(1, Leave(1))
    table.join("another", name="Another")
    table.do(2, Lock(1, True))
    table.do(2, Start(1))
    seat = table.join("ann")
    assert table.room.host == seat and len(table.room.people) == people + 1
    table.do(seat, Lock(1, False))


def test_a_room_with_one_too_many_can_still_be_set() -> None:
    table = lobby(2, seats=2)
    table.do(1, Leave(1))
    table.join("cem")
    seat = table.join("ann")
    table.do(seat, ChangeSettings(1, {"undo": "none"}))
    assert table.refuses(seat, ChangeSettings(1, {"seats": 1})) == "bad-settings"


def test_the_creator_comes_into_a_room_that_has_seen_too_much() -> None:
    table = lobby(2)
    table.do(1, Leave(1))
    table.room = replace(table.room, counts=tuple(MOST[kind] for kind in Kind))
    assert table.join("ann") == 3


def test_nobody_removes_the_creator() -> None:
    table = lobby(3)
    away_for_long(table, 1)
    assert table.refuses(2, Kick(1, 1)) == "creator"
    table.join("ann")
    table.do(1, HandOver(1, 2))
    assert table.refuses(2, Kick(1, 1)) == "creator"
    table.do(2, Kick(1, 3))


def test_a_role_that_was_handed_over_returns_to_who_got_it() -> None:
    table = lobby(3)
    table.do(1, HandOver(1, 2))
    away_for_long(table, 2)
    assert table.room.host == 1, "the creator stands in before anyone else"
    table.join("bob")
    assert table.room.host == 2


def test_a_role_that_was_handed_over_is_the_creators_again_once_the_other_one_has_left() -> None:
    table = lobby(3)
    table.do(1, HandOver(1, 3))
    table.do(3, Leave(1))
    assert table.room.host == 1
    table.join("cem")
    assert table.room.host == 1


def test_a_role_that_is_handed_back_is_as_it_was_at_first() -> None:
    table = lobby(3)
    table.do(1, HandOver(1, 2))
    table.do(2, HandOver(1, 1))
    away_for_long(table, 1, 2)
    assert table.room.host == 3
    table.join("bob")
    assert table.room.host == 3
    table.join("ann")
    assert table.room.host == 1


def test_who_stands_in_hands_over_only_what_is_his() -> None:
    table = lobby(3)
    away_for_long(table, 1)
    table.do(2, HandOver(1, 3))
    assert table.room.host == 3
    table.join("ann")
    assert table.room.host == 1


def test_who_got_the_role_can_hand_it_on() -> None:
    table = lobby(3)
    table.do(1, HandOver(1, 2))
    table.do(2, HandOver(1, 3))
    away_for_long(table, 3)
    table.join("cem")
    assert table.room.host == 3


def test_a_bot_that_opens_a_room_leaves_it_to_the_first_person() -> None:
    table = Table()
    table.join("robot", bot=True)
    table.join("ann")
    assert table.room.host == 2
    assert table.room.is_creator("ann")


# Tournaments


def test_nobody_becomes_the_host_of_a_tournament_whose_host_is_away() -> None:
    table = entered()
    away_for_long(table, 1)
    assert table.settle() == [] and decide.next_due(table.room, {}) is None
    table.join("stranger")
    table.settle()
    assert table.room.host == 1
    for request in (Kick(1, 1), Lock(1, True), CoHost(1, 2, True), to_server.Round(1, "start")):
        assert table.refuses(2, request) == "not-host"


def test_nobody_becomes_the_host_of_a_tournament_whose_host_has_left() -> None:
    table = entered()
    table.do(1, Leave(1))
    stranger = table.join("stranger")
    assert table.settle() == [] and table.room.host is None
    assert table.refuses(stranger, Lock(1, True)) == "not-host"
    assert room_view(table.room)["host"] is None
    assert table.join("host") == table.room.host


def test_a_tournament_without_its_host_goes_on_by_its_plan() -> None:
    table = entered(plan={"starts_at": NOON + 10 * MINUTE})
    table.do(1, Leave(1))
    table.now = NOON + 10 * MINUTE
    table.settle()
    assert table.tournament.phase == "drawn" and table.room.host is None


def test_a_co_host_who_comes_later_stands_in_at_once() -> None:
    table = entered()
    table.do(1, CoHost(1, 3, True))
    table.do(3, Leave(1))
    away_for_long(table, 1)
    assert table.room.host == 1
    table.join("guest 2")
    assert table.settle() == [events.Hosted(3)]
    table.do(3, Lock(1, True))


def test_one_co_host_follows_another() -> None:
    table = entered()
    for seat in (3, 4):
        table.do(1, CoHost(1, seat, True))
    away_for_long(table, 1)
    assert table.room.host == 3
    away_for_long(table, 3)
    assert table.room.host == 4
    table.do(4, Leave(1))
    assert table.room.host == 1, "it is nobody's but the creator's"


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        (Kick(1, 1), "creator"),
        (Judge(1, 1, True, "I want to be the host."), "creator"),
        (Withdraw(1, 1), "creator"),
        (CoHost(1, 1, False), "not-creator"),
        (CoHost(1, 4, False), "not-creator"),
        (CoHost(1, 2, True), "not-creator"),
        (HandOver(1, 2), "creators-tournament"),
        (Kick(1, 4), "not-creator"),
    ],
    ids=str,
)
def test_a_co_host_who_stands_in_takes_nothing_from_the_creator(request_: to_server.Command, code: str) -> None:
    table = entered()
    table.do(1, Enter(1, True))
    for seat in (3, 4):
        table.do(1, CoHost(1, seat, True))
    away_for_long(table, 1)
    assert table.refuses(3, request_) == code


def test_a_creator_who_has_left_is_not_judged_either() -> None:
    table = entered()
    table.do(1, Enter(1, True))
    table.do(1, CoHost(1, 3, True))
    table.do(1, Leave(1))
    assert table.refuses(3, Judge(1, 1, True, "Gone.")) == "creator"


def test_the_creator_judges_and_withdraws_himself() -> None:
    table = entered()
    table.do(1, Enter(1, True))
    table.do(1, Withdraw(1, 1))
    table.do(1, Judge(1, 1, True, "I have seen the deal."))
    assert table.tournament.entrants[1].state == "disqualified"


def test_the_creator_dismisses_a_co_host() -> None:
    table = entered()
    table.do(1, CoHost(1, 3, True))
    away_for_long(table, 1)
    table.join("host")
    table.do(1, CoHost(1, 3, False))
    assert table.refuses(3, to_server.Round(1, "pause")) == "not-host"
    away_for_long(table, 1)
    assert table.room.host == 1


@pytest.mark.parametrize("entry", ["list", "open"])
def test_the_creator_needs_to_be_on_no_list(entry: str) -> None:
    table = entered(people=2, plan={"entry": "open"})
    plan = {"entry": entry, "listed": ["Somebody"] if entry == "list" else []}
    table.do(1, to_server.ChangePlan(1, plan))
    table.do(1, Leave(1))
    seat = table.join("host")
    assert table.room.host == seat and seat not in table.tournament.entrants


def test_a_program_may_organise_a_tournament() -> None:
    table = Table({})
    table.join("robot", bot=True)
    table.join("ann")
    assert table.room.host == 1 and table.room.is_creator("robot")
    away_for_long(table, 1)
    assert table.room.host == 1


# Rooms that were stored before


def test_the_organiser_of_a_stored_tournament_is_let_in_and_is_the_host_again() -> None:
    """What was seen: a laptop slept, the next stranger became the host and removed the organiser."""
    table = entered()
    table.happen(events.Away(1), events.Hosted(3), events.Left(1, kicked=True))
    assert "host" in table.room.banned
    assert decide.watch(table.room, "host", to_server.Watch(1, CODE, "Host")) == "Host"
    seat = table.join("host")
    assert table.room.host == seat
    assert table.refuses(3, Lock(1, True)) == "not-host"


def test_a_creator_who_is_here_and_lost_the_role_by_the_rules_of_before_gets_it_back() -> None:
    table = lobby(2)
    table.happen(events.Away(1), events.Hosted(2), events.Here(1, "here/9"))
    assert decide.next_due(table.room, {}) == table.now
    assert table.settle() == [events.Hosted(1)]


def test_an_event_of_before_says_nothing_of_a_role_for_good() -> None:
    assert events.decode(b'{"event":"hosted","seat":3}') == events.Hosted(3, for_good=False)


# Whatever happens

GUESTS = ["host", "guest 1", "guest 2", "guest 3", "guest 4"]
CREATOR = GUESTS[0]


class Walk(Table):
    """People come and go, and each of them tries everything that could make them the host of a room."""

    def comes(self, who: int, what: int) -> None:
        request = to_server.Join(1, CODE, GUESTS[who].title(), None, bot=who == 4)
        self.asks_for(lambda: decide_lobby.join(self.room, GUESTS[who], request, f"here/{len(self.log)}", self.context))

    def goes(self, who: int, what: int) -> None:
        if seat := self.room.seat_of(GUESTS[who]):
            self.hang_up(seat)

    def waits(self, who: int, what: int) -> None:
        self.wait([Ms(1), HOST_AWAY, 30 * MINUTE][what % 3])
        self.settle()

    def tries(self, who: int, what: int) -> None:
        seat = self.room.seat_of(GUESTS[who])
        if seat is None:
            return
        other = 1 + what % (self.room.seats_given + 1)
        requests: list[to_server.Command] = [
            Leave(1),
            Kick(1, other),
            HandOver(1, other),
            CoHost(1, other, what % 3 > 0),
            Judge(1, other, what % 4 > 0, "Because."),
            Withdraw(1, other),
            Lock(1, what % 2 == 0),
            Enter(1, what % 2 == 0),
            AddBot(1, 1),
            ChangeSettings(1, {"seats": max(1, len(self.room.people))}),
            to_server.Round(1, "start"),
        ]
        self.asks_for(lambda: decide.decide(self.room, seat, requests[what % len(requests)], self.context))

    def asks_for(self, rule: Callable[[], list[events.Event]]) -> None:
        try:
            decided = rule()
        except Refused:
            return
        self.happen(*decided)

    @property
    def is_creator_here(self) -> bool:
        seat = self.room.seat_of(CREATOR)
        return seat is not None and self.person(seat).here


STEPS = ["comes", "comes", "goes", "tries", "tries", "tries", "waits"]
steps = st.lists(
    st.tuples(st.sampled_from(STEPS), st.integers(0, len(GUESTS) - 1), st.integers(0, 60)), min_size=20, max_size=80
)


@examples(60)
@given(steps)
def test_the_host_of_a_tournament_is_its_creator_or_a_co_host_whom_the_creator_appointed(walk: Any) -> None:
    table = Walk({})
    table.join(CREATOR)
    for name, who, what in walk:
        getattr(table, name)(who, what)
        host = table.room.host
        if table.is_creator_here:
            assert host == table.room.seat_of(CREATOR)
        elif host is not None:
            assert host in table.room.co_hosts or table.person(host).guest == CREATOR
        appointed = [event.by for _, event in table.log if isinstance(event, events.CoHosted)]
        assert all(table.room.guest_at(by) in (CREATOR, "") for by in appointed)
        assert table.room.creator == CREATOR and CREATOR not in table.room.banned
    assert evolve.replay(table.log) == table.room
    table.join(CREATOR)
    assert table.room.host == table.room.seat_of(CREATOR)


@examples(60)
@given(steps)
def test_the_host_of_a_race_is_its_creator_whenever_he_is_here_and_has_not_handed_it_over(walk: Any) -> None:
    table = Walk()
    table.join(CREATOR)
    for name, who, what in walk:
        getattr(table, name)(who, what)
        room = table.room
        assert room.host in room.people if room.people else room.host is None
        if table.is_creator_here and not room.handed_to:
            assert room.host == room.seat_of(CREATOR)
        assert CREATOR not in room.banned
        assert room.handed_to == "" or room.seat_of(room.handed_to) is not None
    assert evolve.replay(table.log) == table.room
    table.join(CREATOR)


def test_a_co_host_who_has_left_is_dismissed_by_the_creator() -> None:
    table = entered(2)
    table.do(1, CoHost(1, 2, True))
    table.do(2, Leave(1))
    table.do(1, CoHost(1, 2, False))
    assert table.room.co_hosts == frozenset()
    assert table.refuses(1, CoHost(1, 2, True)) == "unknown-seat"


def test_who_stands_in_cannot_remove_whom_the_room_was_handed_to() -> None:
    table = lobby(3)
    table.do(1, HandOver(1, 2))
    table.do(1, Leave(1))
    away_for_long(table, 2)
    assert table.room.host == 3
    assert table.refuses(3, Kick(1, 2)) == "creator"
