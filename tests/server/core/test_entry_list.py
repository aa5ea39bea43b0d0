"""The entry list of a tournament: one line, one entrant."""

from typing import Any

import pytest

from fortythieves.errors import Refused
from fortythieves.protocol import to_server
from fortythieves.protocol.to_server import (
    ChangePlan,
    CoHost,
    Enter,
    Judge,
    Kick,
    Leave,
    Release,
    Rename,
    ShowList,
    Watch,
)
from fortythieves_server.core import decide, decide_lobby, entrants, evolve
from fortythieves_server.core.entrants import rows
from tests.server.tables import CODE, Table, begin

ANN_CYRILLIC = "Аnn"
HOST = 1


def listed(*names: str, **plan: Any) -> Table:
    """A tournament of those on a list, with its host at seat 1."""
    table = Table({"entry": "list", "listed": names or ("Ann", "Bob", "Cleo"), **plan}, seats=100)
    table.join("host", name="Hilda")
    return table


def join(table: Table, guest: str, name: str = "", ticket: str = "") -> str:
    """Come in; the name that one has then, or the code of the refusal."""
    request = to_server.Join(1, CODE, name, None, ticket=ticket)
    via = f"here/{len(table.log)}"
    try:
        table.ask(lambda room, context: decide_lobby.join(room, guest, request, via, context))
    except Refused as refused:
        return refused.code
    seat = table.room.seat_of(guest)
    assert seat is not None
    assert table.room == evolve.replay(table.log)
    return table.person(seat).name


def tickets(table: Table) -> dict[str, str]:
    table.do(HOST, ShowList(1))
    return {name: ticket for name, _, ticket, _ in rows(table.room)}


def states(table: Table) -> dict[str, str]:
    """All entrants by name, and their states."""
    return {entrant.name: entrant.state for entrant in table.tournament.entrants.values()}


# --- lines ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("spelling", ["Ann", "ANN", " ann ", ANN_CYRILLIC, "A\u200bnn"])
def test_a_line_of_the_list_is_claimed_once_whatever_the_spelling(spelling: str) -> None:
    table = listed()
    assert join(table, "ann", spelling) == "Ann", "the name is as on the list"
    for other in ("Ann", "ann", ANN_CYRILLIC):
        assert join(table, "eve", other) == "name-taken"
    assert join(table, "eve", "Eve") == "not-listed"
    assert states(table) == {"Ann": "in"}


def test_whoever_is_on_the_list_keeps_that_name() -> None:
    table = listed()
    join(table, "eve", "Ann")
    assert table.refuses(2, Rename(1, "Mallory")) == "listed-name"
    table.do(2, Leave(1))
    assert join(table, "bob", "Ann") == "name-taken", "the line waits for who has left"
    assert join(table, "eve", "Bob") == "Ann", "and who has left has no other one"
    table.do(2, Enter(1, True))
    assert states(table) == {"Ann": "in"}


def test_nobody_else_is_called_like_a_line_of_the_list() -> None:
    table = listed()
    table.do(HOST, Rename(1, "Ann"))
    assert table.person(HOST).name == "Ann", "but the one who opened the room"
    table = listed()
    join(table, "ann", "Ann")
    watching = decide.watch(table.room, "eve", Watch(1, CODE, "Bob"))
    chat = to_server.Chat(1, "k", "It is me.")
    table.ask(lambda room, context: decide.spectator_chats(room, "eve", watching, chat))
    assert [line.name for line in table.room.chat.values()] == ["Bob 2"]


def test_names_that_look_alike_are_not_on_one_list() -> None:
    table = listed()
    assert table.refuses(HOST, ChangePlan(1, {"listed": ["Ann", ANN_CYRILLIC]})) == "bad-plan"
    assert table.refuses(HOST, ChangePlan(1, {"listed": ["Ann", "ann"]})) == "bad-plan"


def test_who_was_in_before_there_was_a_list_stays_in() -> None:
    table = Table(plan={}, seats=100)
    table.join("host", name="Hilda")
    assert join(table, "ann", "Ann") == "Ann"
    assert join(table, "zoe", "Zoe") == "Zoe"
    table.do(HOST, ChangePlan(1, {"entry": "list", "listed": ["Ann", "Bob"]}))
    assert join(table, "eve", "Ann") == "name-taken"
    assert table.refuses(2, Rename(1, "Anna")) == "listed-name"
    table.do(3, Rename(1, "Bob"))
    assert table.person(3).name == "Bob 2", "a line is not taken by renaming"
    assert join(table, "bob", "Bob") == "Bob"


# --- links ---------------------------------------------------------------------------------------------------------


def test_a_personal_link_works_for_one_guest() -> None:
    table = listed()
    ticket = tickets(table)["Bob"]
    assert join(table, "bob", ticket=ticket) == "Bob"
    assert join(table, "eve", ticket=ticket) == "link-used"
    assert join(table, "bob", ticket=ticket) == "Bob", "the same guest again is that entrant"
    table.do(2, Leave(1))
    assert join(table, "bob", ticket=ticket) == "Bob"
    assert join(table, "eve", ticket=ticket) == "link-used"
    assert states(table) == {"Bob": "withdrawn"}


def test_a_second_link_makes_nobody_somebody_else() -> None:
    table = listed()
    links = tickets(table)
    assert join(table, "eve", ticket=links["Ann"]) == "Ann"
    assert join(table, "eve", ticket=links["Bob"]) == "Ann"
    table.do(2, Leave(1))
    assert join(table, "eve", ticket=links["Bob"]) == "Ann"
    assert join(table, "bob", ticket=links["Bob"]) == "Bob"


def test_with_links_only_a_typed_name_claims_nothing() -> None:
    table = listed(links_only=True)
    assert join(table, "eve", "Ann") == "links-only"
    assert join(table, "ann", ticket=tickets(table)["Ann"]) == "Ann"
    assert join(table, "ann", "Whatever") == "Ann", "who has a line needs the link no more"


@pytest.mark.parametrize("ticket", ["x", "é", "0" * 22, "=" * 22])
def test_what_is_no_link_of_the_list_is_refused(ticket: str) -> None:
    table = listed()
    assert join(table, "eve", "Ann", ticket) == "wrong-link", "also before there are links"
    links = tickets(table)
    assert join(table, "eve", "Ann", ticket) == "wrong-link"
    assert len(set(links.values())) == 3
    assert all(len(ticket) == 22 for ticket in links.values())


def test_links_are_for_hosts_alone() -> None:
    table = listed()
    join(table, "ann", "Ann")
    assert table.refuses(2, ShowList(1)) == "not-host"
    assert table.refuses(2, Release(1, "Ann")) == "not-host"
    table.do(HOST, CoHost(1, 2, True))
    table.do(2, ShowList(1))
    assert [name for name, *_ in rows(table.room)] == ["Ann", "Bob", "Cleo"]
    open_to_all = Table(plan={}, seats=100)
    open_to_all.join("host")
    assert open_to_all.refuses(1, ShowList(1)) == "no-list"


# --- releasing -----------------------------------------------------------------------------------------------------


def test_a_released_line_has_another_link() -> None:
    table = listed()
    before = tickets(table)
    join(table, "eve", ticket=before["Ann"])
    table.do(HOST, Release(1, "ann"))
    after = tickets(table)
    assert [name for name in before if before[name] != after[name]] == ["Ann"]
    assert join(table, "zoe", ticket=before["Ann"]) == "wrong-link"
    assert join(table, "ann", ticket=after["Ann"]) == "Ann"
    assert states(table) == {"Ann (released)": "withdrawn", "Ann": "in"}
    assert [(deed.what, deed.about, deed.reason) for deed in table.tournament.desk] == [("released", 2, "Ann")]


def test_whoever_held_a_released_line_is_out_until_another_one_is_claimed() -> None:
    table = listed()
    join(table, "bob", "Ann")
    table.do(HOST, Release(1, "Ann"))
    assert table.refuses(2, Enter(1, True)) == "not-listed"
    assert table.person(2).name == "Ann (released)"
    table.do(2, Leave(1))
    assert join(table, "bob", "Ann (released)") == "not-listed"
    assert join(table, "bob", "Bob") == "Bob"
    assert states(table) == {"Bob": "in"}


def test_somebody_who_is_there_claims_another_line_by_its_link() -> None:
    table = listed()
    links = tickets(table)
    join(table, "bob", "Ann")
    table.do(HOST, Release(1, "Ann"))
    assert join(table, "bob", ticket=links["Bob"]) == "Bob"
    assert table.room.seat_of("bob") == 2
    assert states(table) == {"Bob": "in"}


def test_the_line_of_somebody_who_was_removed_can_be_released() -> None:
    table = listed()
    join(table, "eve", "Ann")
    table.do(HOST, Kick(1, 2))
    assert join(table, "ann", "Ann") == "name-taken"
    table.do(HOST, Release(1, "Ann"))
    assert join(table, "ann", "Ann") == "Ann"


def test_a_line_that_nobody_holds_gets_another_link() -> None:
    table = listed()
    before = tickets(table)
    table.do(HOST, Release(1, "Ann"))
    assert tickets(table)["Ann"] != before["Ann"]
    assert table.refuses(HOST, Release(1, "Zoe")) == "not-on-list"


def test_who_is_released_in_a_race_is_out_of_it() -> None:
    table = listed()
    for guest, name in (("ann", "Ann"), ("bob", "Bob"), ("cleo", "Cleo")):
        join(table, guest, name)
    table.do(HOST, to_server.Round(1, "start"))
    table.settle()
    begin(table)
    table.moves(2)
    table.do(HOST, Release(1, "Ann"))
    assert not table.race.is_racing(2)
    assert table.room == evolve.replay(table.log)


def test_a_co_host_does_not_release_the_creator() -> None:
    table = listed("Hilda", "Ann")
    table.do(HOST, Enter(1, True))
    assert join(table, "eve", "Hilda") == "name-taken"
    join(table, "ann", "Ann")
    table.do(HOST, CoHost(1, 2, True))
    assert table.refuses(2, Release(1, "Hilda")) == "creator"


def test_a_disqualification_stays_when_a_line_is_released() -> None:
    table = listed()
    join(table, "eve", "Ann")
    table.do(HOST, Judge(1, 2, True, "Two browsers."))
    table.do(HOST, Release(1, "Ann"))
    assert states(table) == {"Ann (released)": "disqualified"}
    assert join(table, "ann", "Ann") == "Ann"


def test_the_list_says_who_holds_what() -> None:
    table = listed()
    join(table, "bob", "Bob")
    tickets(table)
    assert [(name, seat) for name, seat, *_ in rows(table.room)] == [("Ann", None), ("Bob", 2), ("Cleo", None)]
    assert entrants.holder(table.room, "Bob") == "bob"


def test_whoever_is_disqualified_keeps_the_line_whatever_the_host_says_why() -> None:
    table = listed()
    join(table, "ann", "Ann")
    table.do(HOST, Judge(1, 2, True, "released"))
    assert table.refuses(2, Rename(1, "Eve")) == "listed-name"
    assert join(table, "eve", "Ann") == "name-taken"


@pytest.mark.parametrize("is_seated", [True, False])
def test_a_link_that_the_creator_tries_out_stays_another_ones(is_seated: bool) -> None:
    table = listed()
    ticket = tickets(table)["Ann"]
    if not is_seated:
        table.do(HOST, Leave(1))
    join(table, "host", "Hilda", ticket)
    assert states(table) == {}
    assert join(table, "ann", ticket=ticket) == "Ann"
