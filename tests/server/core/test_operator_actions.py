"""What operators may do to a room, and what is left of it."""

from collections.abc import Callable

import pytest

from fortythieves.errors import Refused
from fortythieves.protocol.to_server import Chat, Join, Watch
from fortythieves.times import Ms
from fortythieves_server.core import decide, decide_lobby, events, evolve, hosts
from tests.refusals import refusal
from tests.server.tables import CODE, Table, in_round, lobby, racing


def close(table: Table, reason: str = "") -> None:
    table.ask(lambda room, context: hosts.closed(room, reason))


ASKED: dict[str, Callable[[Table], object]] = {
    "to come": lambda table: table.join("zoe"),
    "to come back": lambda table: table.join("ann"),
    "to watch": lambda table: decide.watch(table.room, "wanda", Watch(1, CODE, "Wanda")),
    "to say something": lambda table: table.do(1, Chat(1, "k", "hi")),
    "to list it": lambda table: table.ask(lambda room, context: hosts.unlisted(room, unlisted=True)),
}


@pytest.mark.parametrize("what", ASKED)
def test_a_closed_room_is_no_room(what: str) -> None:
    table = lobby(2)
    close(table)
    assert refusal(ASKED[what], table) == "unknown-room"


def test_nobody_is_in_a_closed_room_and_the_clock_does_nothing_there() -> None:
    for table in (lobby(2), racing(2), in_round(2)):
        close(table)
        assert not any(person.here for person in table.room.people.values())
        table.wait(Ms(10**10))
        assert table.tick() == [] and decide.next_due(table.room, table.progress) is None


def test_what_is_done_twice_happens_once() -> None:
    table = lobby(1)
    for _ in range(2):
        table.ask(lambda room, context: hosts.unlisted(room, unlisted=True))
    for reason in ("Names.", "Again."):
        close(table, reason)
    assert [event for _, event in table.log[2:]] == [events.Unlisted(True), events.RoomClosed("Names.")]


def test_a_reason_is_cleaned_like_any_text() -> None:
    table = lobby(1)
    close(table, " \u202eNames.\x00 ")
    assert table.log[-1][1] == events.RoomClosed("Names.")
    assert refusal(close, lobby(1), "x" * 10_000) == "bad-reason"


def test_a_room_that_an_operator_has_touched_is_replayed_as_it_was() -> None:
    table = lobby(2)
    table.ask(lambda room, context: hosts.unlisted(room, unlisted=True))
    close(table)
    assert evolve.replay([(at, events.decode(events.encode(event))) for at, event in table.log]) == table.room


def test_somebody_who_comes_while_the_room_is_being_closed_does_not_come_in() -> None:
    table = lobby(1)
    table.happen(events.RoomClosed())
    with pytest.raises(Refused):
        decide_lobby.join(table.room, "zoe", Join(1, CODE, "Zoe", None), "here/9", table.context)
