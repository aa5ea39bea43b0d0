"""The rooms on the front page, and the preview of a room before joining."""

from collections.abc import Callable
from typing import Any

import pytest

from fortythieves.protocol import to_server as say
from fortythieves.times import Ms
from fortythieves_server.core import decide_hosts
from fortythieves_server.core.room_list import ANNOUNCED_WITHIN, GOOD_FOR, HOST_SEEN_WITHIN, listing, preview, summary
from tests.server.tables import CODE, MINUTE, NOON, Table, counting, drawn, entered, lobby, over, racing

DAY = 24 * 60 * MINUTE


def until(table: Table) -> Ms:
    row = listing(table.room, table.room.at, table.now)
    return row.until - table.now if row.until else Ms(0)


def announced(starts_in: Ms, people: int = 1, **plan: Any) -> Table:
    return entered(people, {"starts_at": NOON + starts_in, **plan}, public=True)


def after(table: Table, *steps: Callable[[Table], object]) -> Table:
    for step in steps:
        step(table)
    return table


def test_a_room_is_listed_while_a_person_is_in_it_if_it_may_be() -> None:
    assert until(lobby(1, public=True)) == GOOD_FOR
    table = racing(2, watching="everyone")
    for listed in (GOOD_FOR, Ms(0)):
        table.hang_up(1 if listed else 2)
        assert until(table) == listed
    assert until(lobby(1)) == until(lobby(1, public=True, seats=1)) == Ms(0)
    for table in (lobby(1, public=True), racing(2, watching="everyone"), announced(60 * MINUTE)):
        listed = until(table)
        table.ask(lambda room, context: decide_hosts.unlisted(room, unlisted=True))
        assert until(table) == Ms(0)
        table.ask(lambda room, context: decide_hosts.unlisted(room, unlisted=False))
        assert until(table) == listed
        table.ask(lambda room, context: decide_hosts.closed(room, ""))
        assert until(table) == Ms(0)


def test_a_tournament_is_listed_until_it_starts_while_that_and_its_hosts_are_near() -> None:
    assert until(announced(60 * MINUTE)) == 60 * MINUTE
    assert until(announced(ANNOUNCED_WITHIN)) == HOST_SEEN_WITHIN
    assert {until(announced(ANNOUNCED_WITHIN + Ms(1), people)) for people in (1, 3)} == {Ms(0)}
    table = announced(60 * MINUTE)
    table.do(1, say.Timer(1, None))
    assert until(table) == GOOD_FOR, "without a start it is like any room"
    table.hang_up(*table.room.people)
    assert until(table) == Ms(0)
    table = announced(3 * DAY, people=2)
    table.do(1, say.CoHost(1, 2, True))
    table.hang_up(1)
    table.wait(60 * MINUTE)
    assert until(table) == HOST_SEEN_WITHIN, "a co-host is present"
    table.hang_up(2)
    table.wait(MINUTE)
    assert until(table) == HOST_SEEN_WITHIN - MINUTE
    table.wait(DAY)
    table.join("ann")
    assert until(table) == Ms(0), "entrants alone do not count"
    table.join("host")
    assert until(table) == HOST_SEEN_WITHIN


def test_the_summary_of_a_public_room() -> None:
    table = lobby(2, public=True)
    table.hang_up(2)
    assert summary(table.room) == preview(table.room)
    names = ["code", "game", "host", "people", "seats", "phase", "watchable", "winnable", "stars", "open", "seeking"]
    names += ["starts_at", "closed_to", "faces", "tournament"]
    values = (
        CODE,
        "forty-thieves",
        "Ann",
        1,
        8,
        "lobby",
        False,
        False,
        None,
        True,
        False,
        None,
        None,
        [table.room.faces[1]],
        None,
    )
    assert summary(table.room) == dict(zip(names, values, strict=True))
    phases = [summary(start(2).room)["phase"] for start in (lobby, counting, racing, over)]
    assert phases == ["lobby", "racing", "racing", "over"]


def test_a_room_of_people_who_look_for_opponents_is_marked_until_its_first_race_is_over() -> None:
    marked = [summary(start(2, seeking=True).room)["seeking"] for start in (lobby, counting, racing, over)]
    assert marked == [True, True, True, False]
    assert not summary(entered(2, {}, seeking=True).room)["seeking"], "a tournament is for its entrants"
    table = lobby(1, seeking=True, public=True, seats=2)
    table.hang_up(1)
    assert not summary(table.room)["open"] and until(table) == Ms(0), "nobody is there any more"


def test_an_invitation_tells_why_there_is_no_seat_and_since_when_a_race_runs() -> None:
    table = lobby(2)
    table.do(1, say.Lock(1, True))
    assert (preview(table.room)["closed_to"], preview(table.room)["faces"]) == ("locked", [])
    assert preview(lobby(2, seats=2).room)["closed_to"] == "full"
    table = racing(2, late="refuse")
    assert (preview(table.room)["closed_to"], preview(table.room)["starts_at"]) == ("started", table.race.starts_at)
    assert preview(over(2, late="refuse").room)["starts_at"] is None


@pytest.mark.parametrize("entry", ["list", "password", "open"])
def test_the_faces_of_entrants_are_shown_only_if_anybody_may_enter(entry: str) -> None:
    table = Table({"entry": entry})
    table.join("host")
    assert bool(preview(table.room)["faces"]) is (entry == "open")


@pytest.mark.parametrize(
    ("table", "is_open"),
    [
        (lambda: racing(2, public=True, late="watch"), True),
        (lambda: racing(2, public=True, late="refuse"), False),
        (lambda: lobby(2), False),
        (lambda: lobby(2, public=True, seats=2), False),
        (lambda: after(lobby(2, public=True), lambda table: table.do(1, say.Lock(1, True))), False),
        (lambda: Table(public=True), False),
        (lambda: after(Table(public=True), lambda table: table.join("robot", bot=True)), False),
        (lambda: after(lobby(1, public=True), lambda table: table.hang_up(1)), False),
    ],
)
def test_a_room_is_open_if_a_visitor_could_race_there(table: Callable[[], Table], *, is_open: bool) -> None:
    assert summary(table().room)["open"] is is_open


def test_the_preview_of_a_tournament() -> None:
    ladder = [{"game": "maria"}, {}, {"game": "maria"}]
    plan = {"name": "Club night", "entry": "password", "about": "Bring pens.", "rounds": 3, "ladder": ladder}
    table = entered(3, plan, game="lucas")
    table.do(1, say.Withdraw(1, 4))
    shown = preview(table.room)
    assert shown["host"] == "Host"
    texts = {"name": "Club night", "format": "points", "entry": "password", "phase": "entry", "about": "Bring pens."}
    numbers = {"rounds": 3, "links_only": False, "entrants": 2, "may_enter": True, "team_size": 0}
    nothing = dict.fromkeys(("next_at", "closed", "closes_at", "most", "check_in"))
    assert shown["tournament"] == {**texts, **numbers, **nothing, "games": ["maria", "lucas"], "teams": []}


@pytest.mark.parametrize(("entry", "teams"), [("open", ["Red"]), ("list", [])])
def test_a_preview_has_the_teams_if_entry_is_open(entry: str, teams: list[str]) -> None:
    table = entered(1, {"team_size": 2})
    table.do(2, say.Team(1, 2, "Red"))
    table.do(1, say.ChangePlan(1, {"entry": entry, "listed": ["Ann"]}))
    shown = preview(table.room)["tournament"]
    assert (shown["team_size"], shown["teams"]) == (2, teams)


def test_a_preview_tells_whether_a_visitor_may_enter() -> None:
    locked = after(entered(2), lambda table: table.do(1, say.Lock(1, True)))
    tables = [drawn(4, {"format": "knockout"}), locked, *(entered(n, {"format": "roundrobin"}) for n in (30, 29))]
    assert [preview(table.room)["tournament"]["may_enter"] for table in tables] == [False, False, False, True]
    for form in ("knockout", "roundrobin"):
        rounds = preview(entered(4, {"format": form}).room)["tournament"]["rounds"]
        assert rounds is None, "with a schedule it depends on the entrants"
