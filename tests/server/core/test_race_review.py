"""Hints for the host about a race that is over."""

from itertools import chain, repeat

import pytest

from fortythieves.protocol import to_server
from fortythieves.rules.games import GAMES, game
from fortythieves.times import Ms
from fortythieves_server.core import decide, decide_lobby, events, evolve
from fortythieves_server.core.finished_race import HARDLY_ANY, of_one_address, only_drew, read_up_to
from tests.refusals import refusal
from tests.server.tables import CODE, Table

#: Hashes of addresses.
SCHOOL, HOME, CAFE = "5c", "40", "ca"
LUCAS = game("lucas")


def started(*addresses: str, bots: tuple[int, ...] = ()) -> Table:
    """A race of people at these addresses."""
    table = Table(auto_start=False, late="join")
    for seat, address in enumerate(addresses, start=1):
        come(table, f"guest {seat}", address, bot=seat in bots)
    table.do(1, to_server.Start(1))
    table.now = table.race.starts_at or Ms(0)
    return table


def come(table: Table, guest: str, address: str, *, bot: bool = False) -> None:
    request = to_server.Join(1, CODE, guest, None, bot)
    via = f"here/{len(table.log)}"
    table.ask(lambda room, context: decide_lobby.join(room, guest, request, via, context, address))


def test_seats_of_one_address_are_named_together() -> None:
    table = started(SCHOOL, HOME, SCHOOL, CAFE, HOME, SCHOOL)
    assert of_one_address(table.race) == [(1, 3, 6), (2, 5)]


def test_an_address_counts_that_was_used_for_a_part_of_the_race() -> None:
    table = started(SCHOOL, HOME)
    table.hang_up(2)
    come(table, "guest 2", SCHOOL)
    come(table, "guest 2", CAFE)
    come(table, "late", CAFE)
    assert of_one_address(table.race) == [(1, 2), (2, 3)]


def test_who_only_stays_in_the_room_is_not_compared() -> None:
    table = started(SCHOOL, HOME)
    table.run_out()
    come(table, "guest 2", SCHOOL)
    assert of_one_address(table.race) == []


def test_house_bots_and_seats_of_before_have_no_address() -> None:
    assert of_one_address(started(SCHOOL, "", "", bots=(3,)).race) == []


def test_a_seat_that_says_it_is_a_bot_is_compared_all_the_same() -> None:
    assert of_one_address(started(SCHOOL, SCHOOL, bots=(2,)).race) == [(1, 2)]


def test_the_addresses_of_a_race_are_read_from_its_log() -> None:
    table = started(SCHOOL, SCHOOL)
    again = evolve.replay([(at, events.decode(events.encode(event))) for at, event in table.log])
    assert of_one_address(again.race) == [(1, 2)]


DRAWS = ["draw"] * LUCAS.stock


@pytest.mark.parametrize(
    ("entries", "stands_out"),
    [
        (DRAWS, True),
        (DRAWS[1:], False),
        (["W-F"] * HARDLY_ANY + DRAWS, True),
        (["W-F"] * (HARDLY_ANY + 1) + DRAWS, False),
        ([*DRAWS[1:], *["1-2"] * (HARDLY_ANY + 1), "draw"], False),
        ([*DRAWS, *["1-2"] * 100], True),
        (["draw", "undo"] * LUCAS.stock, False),
        ([*chain(*repeat(["draw", "undo"], 3)), *DRAWS], True),
        (["1-2", "undo"] * (HARDLY_ANY + 1) + DRAWS, False),
        (["undo"], False),
        ([], False),
    ],
)
def test_who_drew_the_whole_stock_and_hardly_moved_a_card_before_stands_out(
    entries: list[str], stands_out: bool
) -> None:
    assert only_drew(entries, LUCAS) == stands_out


@pytest.mark.parametrize("key", GAMES)
def test_what_is_read_of_a_log_is_enough_in_every_game(key: str) -> None:
    one = game(key)
    draws = ["draw"] * (-(-one.stock // one.draw))
    entries = [*["1-2"] * HARDLY_ANY, *draws, "redeal", *draws]
    assert only_drew(entries[: read_up_to(one)], one)


def test_only_the_host_is_told() -> None:
    table = started(SCHOOL, HOME)
    decide.check_may_review(table.room, 1)
    assert refusal(decide.check_may_review, table.room, 2) == "not-host"
