"""Every request has its price, and no address gets more than its buckets hold and its budget allows."""

from pathlib import Path
from typing import Any, get_args

import pytest
from aiohttp import web
from hypothesis import given
from hypothesis import strategies as st

from fortythieves.protocol import to_server
from fortythieves_server.common.limits import Limits, Rate
from fortythieves_server.common.prices import (
    ARRIVAL,
    FILE,
    FREE,
    IN_ROOM,
    KEPT,
    LONGEST_DEBT,
    MESSAGES,
    NEW_PASSWORD,
    PART,
    PASSWORD,
    RESUME,
    ROUTES,
    SAID,
    WATCHER_TALK,
    Account,
    Accounts,
    Price,
    price_of,
)
from fortythieves_server.web.routes import CLIENT, routes

LIMITS = Limits()._replace(looks=Rate(2, "s", 5), joins=Rate(1, "s", 3), bytes=Rate(100, "s", 1000))
LOOK = Price(("looks",))
BIG = Price(("looks",), ("bytes",))
#: All that there are.
SHARES = [price for share in (*IN_ROOM.values(), WATCHER_TALK) for price in share]
ALL = [*MESSAGES.values(), *ROUTES.values(), RESUME, PASSWORD, NEW_PASSWORD, SAID, KEPT, PART, ARRIVAL, *SHARES]


def paths_of(served: list[web.RouteDef]) -> set[str]:
    app = web.Application()
    app.add_routes(served)
    return {resource.canonical for resource in app.router.resources()}


def test_every_message_has_a_price() -> None:
    assert set(MESSAGES) == set(get_args(to_server.Message))


def test_every_route_has_a_price_and_files_of_the_client_have_one_together() -> None:
    nobody: Any = None
    files = {f"/{path.relative_to(CLIENT).as_posix()}" for path in Path(CLIENT).rglob("*") if path.is_file()}
    assert paths_of(routes(nobody, nobody, nobody, nobody, nobody, list, None)) - files == set(ROUTES)


def test_a_price_is_of_limits_that_there_are() -> None:
    limits = {limit for price in ALL for limit in (*price.buckets, *price.needs)}
    assert limits <= set(Limits().of_address)


def test_only_what_is_answered_from_memory_is_free() -> None:
    free = {kind for kind, price in MESSAGES.items() if price.is_free}
    assert free == {to_server.Hello, to_server.Ping, to_server.Move}
    assert FREE not in ROUTES.values()


def test_every_limit_of_an_address_is_of_some_price() -> None:
    assert {name for price in ALL for name in (*price.buckets, *price.needs)} == set(Limits().of_address)


def test_a_join_that_resumes_has_a_price_of_its_own() -> None:
    assert price_of(to_server.Join(1, "KQXWVD", "Ann")) is MESSAGES[to_server.Join]
    assert price_of(to_server.Join(1, "KQXWVD", "Ann", to_server.Resume("e", 1, 0))) is RESUME


def test_a_full_bucket_gives_its_burst_at_once_and_then_its_rate() -> None:
    accounts = Accounts(LIMITS)
    assert [accounts.pay("a", LOOK, 100.0) for _ in range(6)] == [0.0] * 5 + [pytest.approx(0.5)]
    assert accounts.pay("a", LOOK, 100.4) == pytest.approx(0.1)
    assert accounts.pay("a", LOOK, 100.5) == 0.0
    assert accounts.pay("a", LOOK, 100.5) > 0


def test_one_address_does_not_empty_the_buckets_of_another() -> None:
    accounts = Accounts(LIMITS)
    while not accounts.pay("a", LOOK, 0.0):
        pass
    assert accounts.pay("b", LOOK, 0.0) == 0.0


def test_a_price_of_several_buckets_is_taken_from_all_or_from_none() -> None:
    accounts = Accounts(LIMITS)
    both = Price(("looks", "joins"))
    assert [accounts.pay("a", both, 0.0) for _ in range(4)] == [0.0] * 3 + [pytest.approx(1.0)]
    assert [accounts.pay("a", LOOK, 0.0) for _ in range(3)] == [0.0, 0.0, pytest.approx(0.5)]


def test_who_was_sent_more_than_the_budget_waits_until_it_is_paid() -> None:
    accounts = Accounts(LIMITS)
    assert accounts.pay("a", BIG, 0.0) == 0.0
    accounts.charge("a", "bytes", 0.0, 3000)
    assert accounts.pay("a", BIG, 0.0) == pytest.approx(20.01)
    assert accounts.pay("a", LOOK, 0.0) == 0.0, "what costs nothing of the budget is not refused for it"
    assert accounts.pay("a", BIG, 20.02) == 0.0


def test_a_school_behind_one_address_races_in_an_arena_for_an_hour_and_nobody_is_refused() -> None:
    """600 guests who go to a race and back to the arena each minute: what they pay, and what their answers cost."""
    accounts, shares = Accounts(Limits()), Accounts(Limits())
    come, of_room = MESSAGES[to_server.Join], IN_ROOM[to_server.Join]
    guests = 600
    for step in range(60 * guests):
        now, guest = step * 60 / guests, step % guests
        for room, size in ((f"RACE{step // 2}", 3_000), ("ARENA", 100_000)):
            assert accounts.pay("school", ARRIVAL, now) == accounts.pay("school", ROUTES["/ws"], now) == 0
            assert accounts.pay("school", come, now) == 0
            assert shares.pay(f"{room} {guest}", of_room.guest, now) == 0
            assert shares.pay(f"{room} school", of_room.address, now) == 0
            accounts.charge("school", "bytes", now, size)
            accounts.charge("school", "cpu", now, 3)
    # A stranger pays the same, and that is the end of it.
    assert sum(not shares.pay("ARENA stranger", of_room.address, 1.0) for _ in range(2_000)) < 2_000


def test_no_debt_lasts_longer_than_a_minute() -> None:
    accounts = Accounts(LIMITS)
    accounts.charge("a", "bytes", 0.0, 10**12)
    assert accounts.pay("a", BIG, 0.0) < LONGEST_DEBT + 1
    assert accounts.pay("a", BIG, LONGEST_DEBT + 1) == 0.0


def test_a_bucket_does_not_fill_when_time_stands_or_goes_back() -> None:
    accounts = Accounts(LIMITS)
    for _ in range(5):
        accounts.pay("a", LOOK, 10.0)
    assert accounts.pay("a", LOOK, 10.0) > 0
    assert accounts.pay("a", LOOK, 5.0) > 0
    assert accounts.pay("a", LOOK, 10.5) == 0.0


@given(
    rate=st.integers(1, 100),
    burst=st.integers(1, 100),
    pauses=st.lists(st.floats(0, 10), min_size=1, max_size=200),
)
def test_nobody_gets_more_than_burst_and_rate(rate: int, burst: int, pauses: list[float]) -> None:
    accounts = Accounts(Limits()._replace(looks=Rate(rate, "s", burst)))
    now, taken = 0.0, 0
    for pause in pauses:
        now += pause
        taken += not accounts.pay("a", LOOK, now)
    assert taken <= burst + rate * now + 1e-3


@given(rate=st.integers(1, 100), burst=st.integers(1, 100), pauses=st.lists(st.floats(0, 10), max_size=100))
def test_who_waits_as_long_as_is_said_is_served(rate: int, burst: int, pauses: list[float]) -> None:
    accounts = Accounts(Limits()._replace(looks=Rate(rate, "s", burst)))
    now = 0.0
    for pause in pauses:
        now += pause
        if wait := accounts.pay("a", LOOK, now):
            now += wait
            assert accounts.pay("a", LOOK, now) == 0.0


def test_addresses_that_are_idle_are_forgotten() -> None:
    accounts = Accounts(LIMITS)
    for k in range(1000):
        accounts.pay(str(k), LOOK, float(k))
    assert len(accounts) <= 3


def test_an_address_that_owes_is_not_forgotten_with_the_idle() -> None:
    accounts = Accounts(LIMITS)
    accounts.charge("a", "bytes", 0.0, 3000)
    for k in range(100):
        accounts.pay(str(k), LOOK, 5.0)
    assert accounts.pay("a", BIG, 6.0) > 0


def test_accounts_never_take_more_memory_than_agreed() -> None:
    accounts = Accounts(LIMITS, most=100)
    for k in range(1000):
        accounts.pay(str(k), LOOK, 0.0)
        accounts.charge("a", "looks", 0.0)
    assert len(accounts) == 100
    assert accounts.pay("a", LOOK, 0.0) > 0, "the one that is used all the time stays"


def test_an_account_is_that_of_its_address_at_the_time_that_it_is() -> None:
    accounts, now = Accounts(LIMITS), [0.0]
    ann = Account(accounts, "a", lambda: now[0])
    ann.charge("looks", 5)
    assert ann.pay(LOOK) == pytest.approx(0.5)
    assert accounts.pay("a", LOOK, 0.0) == pytest.approx(0.5)
    now[0] = 0.5
    assert ann.pay(LOOK) == 0.0
    ann.charge_work(1.5)
    assert accounts.wait("a", "cpu", 0.5, LIMITS.cpu.burst) == pytest.approx(15.0 - 0.5, abs=1)


def test_questions_of_players_do_not_empty_what_supervisors_ask_from() -> None:
    health = {bucket for path in ("/healthz", "/readyz") for bucket in ROUTES[path].buckets}
    others = [*MESSAGES.values(), *(price for path, price in ROUTES.items() if not path.endswith("z")), FILE]
    assert health.isdisjoint(bucket for price in others for bucket in price.buckets)
