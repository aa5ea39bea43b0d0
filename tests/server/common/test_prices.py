"""Every request has a price, and no address gets more than its limits allow."""

from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from fortythieves.protocol import to_server
from fortythieves_server.common.limits import Limits, Rate
from fortythieves_server.common.prices import (
    ARRIVAL,
    FREE,
    IN_ROOM,
    JOINS_CIRCLE,
    KEPT,
    LONGEST_DEBT,
    MESSAGE,
    MESSAGES,
    NEW_PASSWORD,
    PART,
    PASSWORD,
    RESERVE,
    RESUME,
    ROUTES,
    SPECTATOR_TALK,
    Accounts,
    price,
)
from fortythieves_server.web.routes import CLIENT, routes

ALL = [
    *(*MESSAGES.values(), *ROUTES.values(), RESUME, PASSWORD, NEW_PASSWORD, MESSAGE, KEPT, PART, ARRIVAL),
    *(price for pair in (*IN_ROOM.values(), JOINS_CIRCLE, SPECTATOR_TALK) for price in (pair.guest, pair.address)),
]
LIMITS = Limits()._replace(guesses=Rate(2, "s", 5), rooms=Rate(1, "s", 3), bytes=Rate(100, "s", 1000))
GUESS, BIG = price(guesses=1), price(guesses=1, needs=("bytes",))


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def accounts(clock: Clock) -> Accounts:
    return Accounts(LIMITS, clock)


def paths_of(served: list[web.RouteDef]) -> set[str]:
    app = web.Application()
    app.add_routes(served)
    return {resource.canonical for resource in app.router.resources()}


def test_every_message_has_a_price() -> None:
    assert set(MESSAGES) == set(to_server.MESSAGES)


def test_every_route_has_a_price_and_files_of_the_client_share_one() -> None:
    nobody: Any = None
    files = {f"/{path.relative_to(CLIENT).as_posix()}" for path in Path(CLIENT).rglob("*") if path.is_file()}
    served = paths_of(routes(nobody, nobody, nobody, nobody, list, None, nobody, None))
    assert served - files | {"/ws"} == set(ROUTES), "the WebSocket server pays for its own route"


def test_prices_use_exactly_the_limits_of_an_address() -> None:
    assert {limit for price in ALL for limit in (*price.costs, *price.needs)} == set(Limits().of_address)


def test_only_messages_that_are_answered_from_memory_are_free() -> None:
    free = {kind for kind, price in MESSAGES.items() if price == FREE}
    assert free == {to_server.Hello, to_server.Ping, to_server.Move}
    assert FREE not in ROUTES.values()


def test_an_account_gives_its_burst_and_then_its_rate(accounts: Accounts, clock: Clock) -> None:
    ann = accounts.of("a")
    assert [ann.pay(GUESS) for _ in range(6)] == [0.0] * 5 + [pytest.approx(0.5)]
    assert accounts.of("a").pay(GUESS) == pytest.approx(0.5), "the account belongs to the address"
    assert accounts.of("b").pay(GUESS) == 0.0
    clock.now = 0.4
    assert ann.pay(GUESS) == pytest.approx(0.1)
    clock.now = 0.5
    assert ann.pay(GUESS) == 0.0
    clock.now = 0.2
    assert ann.pay(GUESS) > 0, "nothing is added when time goes back"


def test_a_price_is_paid_as_a_whole_or_not_at_all(accounts: Accounts) -> None:
    both = price(guesses=1, rooms=1)
    assert [accounts.of("a").pay(both) for _ in range(4)] == [0.0] * 3 + [pytest.approx(1.0)]
    assert [accounts.of("a").pay(GUESS) for _ in range(3)] == [0.0, 0.0, pytest.approx(0.5)]


def test_points_are_kept_for_messages_and_moves(accounts: Accounts) -> None:
    ann, request = accounts.of("a"), price(1000)
    paid = sum(not ann.pay(request) for _ in range(10_000))
    assert paid == LIMITS.points.burst * (1 - RESERVE) / 1000
    assert ann.pay(MESSAGE, 32) == 0.0


def test_a_price_above_its_limit_can_be_paid_from_a_full_account(clock: Clock) -> None:
    few = Accounts(Limits()._replace(points=Rate(1, "s", 10)), clock)
    assert few.of("a").pay(PART) == 0.0
    assert few.of("a").pay(PART) > 0.0


def test_an_address_in_debt_waits_until_it_is_paid(accounts: Accounts, clock: Clock) -> None:
    ann = accounts.of("a")
    ann.charge("bytes", 3000)
    assert ann.pay(BIG) == pytest.approx(20.01)
    assert ann.pay(GUESS) == 0.0, "a request that needs no bytes is not refused"
    clock.now = 20.02
    assert ann.pay(BIG) == 0.0
    ann.charge_work(10**12)
    assert ann.pay(price(needs=("cpu",))) < LONGEST_DEBT + 1


def test_a_school_races_in_an_arena_for_long_and_nobody_is_refused(clock: Clock) -> None:
    """600 guests go to a race and back to the arena each minute, and make a move a second."""
    accounts, in_room = Accounts(Limits(), clock), Accounts(Limits(), clock)
    entry, school, guests = IN_ROOM[to_server.Join], accounts.of("school"), 600
    for step in range(15 * guests):
        clock.now, guest = step * 60 / guests, step % guests
        assert school.pay(MESSAGE, 60) == 0
        for room, size in ((f"RACE{step // 2}", 3_000), ("ARENA", 100_000)):
            assert school.pay(ARRIVAL) == school.pay(ROUTES["/ws"]) == school.pay(MESSAGES[to_server.Join]) == 0
            assert in_room.of(f"{room} {guest}").pay(entry.guest) == 0
            assert in_room.of(f"{room} school").pay(entry.address) == 0
            school.charge("bytes", size)
            school.charge_work(0.003)
    stranger = in_room.of("ARENA stranger")
    assert sum(not stranger.pay(entry.address) for _ in range(4_000)) == Limits().address_in_room.burst


def test_idle_addresses_are_forgotten_but_not_one_in_debt(accounts: Accounts, clock: Clock) -> None:
    for k in range(1000):
        clock.now = float(k)
        accounts.of(str(k)).pay(GUESS)
    assert len(accounts) <= 3
    accounts.of("a").charge("bytes", 3000)
    clock.now += 5
    for k in range(100):
        accounts.of(str(k)).pay(GUESS)
    assert accounts.of("a").pay(BIG) > 0


def test_accounts_take_bounded_memory_and_one_in_use_is_kept(
    accounts: Accounts, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fortythieves_server.common.prices.MOST", 100)
    for k in range(1000):
        accounts.of(str(k)).pay(GUESS)
        accounts.of("a").charge("guesses", 1)
    assert len(accounts) == 100
    assert accounts.of("a").pay(GUESS) > 0
