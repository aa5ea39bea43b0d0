"""The pool of winnable deals: no deal is used twice, and every entry of Redis is checked."""

import asyncio
import random
from collections import Counter
from collections.abc import Sequence

import pytest

from fortythieves.errors import Refused
from fortythieves.solver.effort import Stars
from fortythieves.times import Ms
from fortythieves_server.store.schema import of_pool, of_quota
from fortythieves_server.store.store import Store
from fortythieves_server.store.winnable_pool import LONGEST_LINE, NEEDED, Deal, read
from tests.refusals import refusal_of
from tests.server.stores import Admin
from tests.server.winnable import GAME, NUMBERS, ready, solved

#: On one server and on a cluster. Together, the tests with this run all scripts.
ON_BOTH = pytest.mark.parametrize("redis_of_the_session", ["single", "cluster"], indirect=True)
#: More than any test adds.
MANY = 10_000
#: The secret of no deal here.
NONE = "00" * 32


def deals(count: int) -> tuple[Deal, ...]:
    return tuple(map(solved, NUMBERS[:count]))


def of_stars(stars: Stars, some: Sequence[Deal]) -> list[Deal]:
    return [deal._replace(stars=stars) for deal in some]


def entry(deal: Deal) -> bytes:
    return f"{deal.secret.hex()} {deal.stars} {','.join(deal.line)}".encode()


async def fill(store: Store, some: Sequence[Deal]) -> None:
    for deal in some:
        assert await store.pool.add(GAME, deal, MANY)


async def claimed(store: Store, owner: str, stars: int = 0, address: str = "somewhere") -> tuple[Deal, ...]:
    return await store.pool.claim(owner, GAME, stars, address)


async def missing(store: Store, owner: str, stars: int = 0) -> int:
    with pytest.raises(Refused) as refused:
        await claimed(store, owner, stars)
    assert refused.value.code == "winnable-preparing" and refused.value.parameters["needed"] == NEEDED
    return int(refused.value.parameters["ready"])


async def test_a_race_gets_different_deals_and_the_same_ones_again(store: Store, two: Store) -> None:
    await fill(store, deals(20))
    claims = await asyncio.gather(*(claimed(by, "ROOM/1") for by in (store, two, store, two)))
    [claim] = set(claims)
    assert len({deal.secret for deal in claim}) == NEEDED
    assert set(claim) <= set(deals(20))
    assert await ready(store.pool) == 4


async def test_no_two_claims_of_two_processes_share_a_deal(store: Store, two: Store) -> None:
    await fill(store, deals(2 * NEEDED))
    owners = [f"ROOM/{n}" for n in range(20)]
    dealt = Counter[bytes]()
    pick = random.Random(1)
    while True:
        asked = [(by, owner) for owner in owners for by in (store, two)]
        answers = await asyncio.gather(*(claimed(by, owner) for by, owner in asked), return_exceptions=True)
        assert {type(answer) for answer in answers} <= {tuple, Refused}
        claims = {owner: answer for (_, owner), answer in zip(asked, answers, strict=True) if isinstance(answer, tuple)}
        if not claims:
            break
        claimed_now = Counter(deal.secret for claim in claims.values() for deal in claim)
        assert set(claimed_now.values()) == {1}
        for owner, claim in claims.items():
            used = pick.choice(claim).secret
            dealt[used] += 1
            await asyncio.gather(*(by.pool.settle(owner, GAME, used.hex()) for by in (store, two)))
            owners.remove(owner)
    assert set(dealt.values()) == {1}
    assert await ready(store.pool) == NEEDED - 1


async def test_a_claim_of_too_few_deals_takes_none_and_does_not_use_the_quota(store: Store) -> None:
    store.pool.quota = 1
    await fill(store, deals(15))
    assert [await missing(store, f"ROOM/{n}") for n in range(3)] == [15] * 3
    assert await ready(store.pool) == 15
    assert await store.pool.unsettled(Ms(0)) == []


async def test_a_claim_gets_the_requested_stars(store: Store) -> None:
    await fill(store, [*of_stars(1, deals(NEEDED)), *of_stars(2, deals(20)[NEEDED:])])
    assert await missing(store, "ROOM/1", 2) == 4
    assert {deal.stars for deal in (await claimed(store, "ROOM/2", 1))} == {1}


async def test_a_claim_with_other_stars_never_returns_the_earlier_deals(store: Store) -> None:
    await fill(store, of_stars(1, deals(2 * NEEDED)))
    first, second = await claimed(store, "ROOM/1"), await claimed(store, "ROOM/1", 1)
    assert not set(first) & set(second)
    assert await ready(store.pool) == 0


@ON_BOTH
async def test_unused_deals_return_to_the_pool(store: Store) -> None:
    await fill(store, deals(NEEDED))
    claim = await claimed(store, "ROOM/1")
    await store.pool.settle("ROOM/1", GAME, claim[3].secret.hex())
    await store.pool.settle("ROOM/1", GAME, claim[3].secret.hex())
    assert await ready(store.pool) == NEEDED - 1
    assert await missing(store, "ROOM/2") == NEEDED - 1
    assert not await store.pool.add(GAME, claim[3], MANY)
    await fill(store, deals(NEEDED + 1)[NEEDED:])
    assert claim[3] not in (await claimed(store, "ROOM/2"))


async def test_all_deals_return_if_the_race_used_one_of_another_claim(store: Store) -> None:
    await fill(store, deals(2 * NEEDED))
    used = (await claimed(store, "ROOM/1"))[0].secret.hex()
    await store.pool.settle("ROOM/1", GAME, used)
    await claimed(store, "ROOM/1")
    await store.pool.settle("ROOM/1", GAME, used)
    assert await ready(store.pool) == 2 * NEEDED - 1


async def test_doubtful_deals_are_thrown_away(store: Store) -> None:
    await fill(store, deals(NEEDED))
    await claimed(store, "ROOM/1")
    await store.pool.settle("ROOM/1", GAME, None)
    await store.pool.settle("ROOM/1", GAME, NONE)
    assert await ready(store.pool) == 0
    assert store.pool.counters.doubtful == NEEDED


async def test_a_deal_is_added_once_and_only_up_to_the_maximum(store: Store, two: Store) -> None:
    first, second = of_stars(1, deals(2))
    assert not await store.pool.add(GAME, first._replace(line=("draw",) * (LONGEST_LINE // 5 + 1)), MANY)
    assert await store.pool.add(GAME, first, 1)
    assert not await two.pool.add(GAME, first, 2)
    assert not await two.pool.add(GAME, second, 1)
    assert await ready(store.pool) == 1


@ON_BOTH
async def test_old_claims_are_found(store: Store, admin: Admin) -> None:
    await fill(store, deals(NEEDED))
    await claimed(store, "ROOM/1")
    assert await store.pool.unsettled(Ms(60_000)) == []
    assert await store.pool.unsettled(Ms(0)) == [("ROOM/1", GAME)]
    await admin.redis.zadd(of_pool(GAME, "claimed"), {"ROOM/1": 1})
    assert await store.pool.unsettled(Ms(60_000)) == [("ROOM/1", GAME)]
    await admin.redis.delete(of_pool(GAME, "claimed"))
    assert await store.pool.unsettled(Ms(60_000)) == []
    assert await store.pool.unsettled(Ms(0)) == [("ROOM/1", GAME)]


async def test_an_address_has_a_quota_of_races_each_hour(store: Store, admin: Admin) -> None:
    await fill(store, deals(20))
    store.pool.quota = 2
    for owner in ("ROOM/1", "ROOM/2"):
        await claimed(store, owner)
        await claimed(store, owner)
        await store.pool.settle(owner, GAME, NONE)
    assert await refusal_of(claimed(store, "ROOM/3")) == "winnable-quota"
    await claimed(store, "ROOM/4", address="elsewhere")
    await store.pool.settle("ROOM/4", GAME, NONE)
    await admin.redis.zadd(of_quota("somewhere"), {"ROOM/1": 1})
    await claimed(store, "ROOM/3")


@pytest.mark.parametrize("what", ["cut", "line", "stars", "secret", "empty", "twice", "bytes"])
async def test_a_damaged_or_forged_deal_is_thrown_away(store: Store, admin: Admin, what: str) -> None:
    some = of_stars(1, deals(NEEDED + 1))
    good = entry(some[0])
    forged = {
        "cut": good[:-3],
        "line": good.replace(b"draw", b"1-2", 1),
        "stars": good.replace(b" 1 ", b" 4 ", 1),
        "secret": bytes(reversed(good[:64])) + good[64:],
        "empty": b"",
        "twice": entry(some[1]),
        "bytes": b"\xff\x00\n\xfe",
    }[what]
    await admin.redis.rpush(of_pool(GAME, "ready:1"), forged)
    await fill(store, some[1:])
    if what == "twice":
        assert await missing(store, "ROOM/1", 1) == NEEDED - 1  # It is unknown which of the two is the original.
    else:
        assert set(await claimed(store, "ROOM/1", 1)) == set(some[1:])
    assert store.pool.counters.bad >= 1


@pytest.mark.parametrize("what", ["claims", "claimed", "ready:1", "ready:2", "ready:3"])
@pytest.mark.parametrize("hurt", ["deleted", "another type"])
async def test_a_damaged_pool_continues_with_the_rest(store: Store, admin: Admin, what: str, hurt: str) -> None:
    await fill(store, deals(NEEDED))
    first = await claimed(store, "ROOM/1")
    key = of_pool(GAME, what)
    await admin.redis.delete(key)
    if hurt == "another type":
        await (admin.redis.set(key, "x") if what != "ready:1" else admin.redis.hset(key, "x", "y"))
    assert await ready(store.pool) == 0
    assert isinstance(await store.pool.unsettled(Ms(0)), list)
    await store.pool.settle("ROOM/1", GAME, first[0].secret.hex())
    fresh = deals(2 * NEEDED)[NEEDED:]
    await fill(store, fresh)
    second = await claimed(store, "ROOM/2")
    assert first[0] not in second
    await store.pool.settle("ROOM/2", GAME, NONE)
    assert await store.pool.unsettled(Ms(0)) == []


async def test_only_valid_deals_of_a_damaged_claim_return(store: Store, admin: Admin) -> None:
    await fill(store, deals(NEEDED))
    claim = await claimed(store, "ROOM/1")
    key = of_pool(GAME, "claims")
    whole = await admin.redis.hget(key, "ROOM/1")
    await admin.redis.hset(key, "ROOM/1", whole[: whole.index(b"\n", 100) + 200])
    await store.pool.settle("ROOM/1", GAME, NONE)
    await fill(store, deals(2 * NEEDED)[NEEDED:])
    assert set(await claimed(store, "ROOM/2")) <= {claim[0], *deals(2 * NEEDED)[NEEDED:]}


def test_an_entry_round_trips() -> None:
    [deal] = deals(1)
    assert read(GAME, 0, entry(deal)) == read(GAME, deal.stars, entry(deal)) == deal
    other: Stars = 3
    assert read(GAME, other, entry(deal)) is None
    assert read("maria", 0, entry(deal)) is None


def test_no_repr_contains_a_deal() -> None:
    [deal] = deals(1)
    shown = repr((deal,))
    assert deal.secret.hex() not in shown
    assert repr(deal.secret) not in shown
    assert deal.line[0] not in shown
