"""What the front page lists: rooms with people in them, and tournaments that are near and not forgotten."""

from typing import Any

import pytest

from fortythieves.protocol.to_server import CoHost, Lock, Timer
from fortythieves.times import Ms
from fortythieves_server.core import hosts
from fortythieves_server.core.room_list import ANNOUNCED_WITHIN, GOOD_FOR, HOST_SEEN_WITHIN, listing
from tests.server.tables import MINUTE, NOON, Table, entered, lobby, racing

DAY = 24 * 60 * MINUTE


def until(table: Table) -> Ms:
    """For how long from now on it is listed; 0: it is not."""
    row = listing(table.room, table.room.at, table.now)
    return row.until - table.now if row.until else Ms(0)


def announced(starts_in: Ms, people: int = 1, **plan: Any) -> Table:
    """A public tournament with its host at seat 1."""
    return entered(people, {"starts_at": NOON + starts_in, **plan}, public=True)


def test_a_room_with_somebody_in_it_is_listed_for_a_moment_at_a_time() -> None:
    assert until(lobby(1, public=True)) == GOOD_FOR
    assert until(racing(2, watching="everyone")) == GOOD_FOR


def test_a_room_is_not_listed_once_everybody_has_gone_or_is_a_bot() -> None:
    table = racing(2, watching="everyone")
    table.hang_up(1)
    assert until(table) == GOOD_FOR
    table.hang_up(2)
    assert until(table) == Ms(0)
    bots = lobby(1, public=True)
    bots.join("robot", bot=True)
    bots.hang_up(1)
    assert until(bots) == Ms(0)


def test_a_tournament_is_listed_until_it_starts_while_its_start_is_near() -> None:
    assert until(announced(60 * MINUTE)) == 60 * MINUTE
    assert until(announced(ANNOUNCED_WITHIN)) == HOST_SEEN_WITHIN
    for people in (1, 3):
        assert until(announced(ANNOUNCED_WITHIN + Ms(1), people)) == Ms(0)


def test_a_tournament_is_listed_a_day_after_its_last_host_was_there() -> None:
    table = announced(3 * DAY, people=2)
    table.do(1, CoHost(1, 2, True))
    table.hang_up(1)
    table.wait(60 * MINUTE)
    assert until(table) == HOST_SEEN_WITHIN, "a co-host is there"
    table.hang_up(2)
    table.wait(MINUTE)
    assert until(table) == HOST_SEEN_WITHIN - MINUTE
    table.wait(DAY)
    assert until(table) == Ms(0)
    table.join("ann")
    assert until(table) == Ms(0), "entrants alone keep no tournament on the list"
    table.join("host")
    assert until(table) == HOST_SEEN_WITHIN


def test_a_tournament_whose_start_has_passed_is_listed_like_any_room() -> None:
    table = announced(60 * MINUTE)
    table.do(1, Timer(1, None))
    assert until(table) == GOOD_FOR
    for seat in table.room.people:
        table.hang_up(seat)
    assert until(table) == Ms(0)


@pytest.mark.parametrize("settings", [{}, {"public": True, "seats": 1}])
def test_a_room_that_is_not_to_be_listed_is_not(settings: dict[str, Any]) -> None:
    assert until(lobby(1, **settings)) == Ms(0)


def test_a_locked_room_is_not_listed() -> None:
    table = lobby(1, public=True)
    table.do(1, Lock(1, True))
    assert until(table) == Ms(0)


def test_what_an_operator_has_taken_off_the_list_is_off_it() -> None:
    for table in (lobby(1, public=True), racing(2, watching="everyone"), announced(60 * MINUTE)):
        listed = until(table)
        table.ask(lambda room, context: hosts.unlisted(room, unlisted=True))
        assert until(table) == Ms(0)
        table.ask(lambda room, context: hosts.unlisted(room, unlisted=False))
        assert until(table) == listed
        table.ask(lambda room, context: hosts.closed(room, ""))
        assert until(table) == Ms(0)
