"""While people race, all that is not a move has a share of the time, for which addresses take turns."""

import asyncio
import time
from itertools import count
from typing import Any

import pytest

from fortythieves_server.common.limits import Limits
from fortythieves_server.common.loop_share import IN_A_ROW, LONGEST_DEBT, QUIET, SHARE, SHORTEST, LoopShare
from fortythieves_server.common.prices import Account, Accounts, price

#: Seconds of the processor that the work here takes.
WORK = 0.002


def account(address: str) -> Account:
    return Accounts(Limits()).of(address)


def in_a_race() -> LoopShare:
    """That of a process in which there is always one more move than before."""
    return LoopShare(count(1).__next__)


async def work() -> float:
    """Work for a while; returns when it began."""
    began = asyncio.get_running_loop().time()
    until = time.thread_time() + WORK
    while time.thread_time() < until:
        pass
    return began


async def done(share: LoopShare, address: str) -> float:
    """Have some work done when it is one's turn; when that was."""
    await share.turn(address)
    return await share.do(account(address), work())


async def test_a_hundred_addresses_together_get_no_more_than_the_share() -> None:
    share = in_a_race()
    loop = asyncio.get_running_loop()
    started = loop.time()
    begun = sorted(await asyncio.gather(*(done(share, str(n)) for n in range(100))))
    for number, at in enumerate(begun):
        # The first one begins with what there is in a row; each takes what it takes, though less be left.
        allowed = IN_A_ROW + SHARE * (at - started)
        assert (number - 1) * WORK <= allowed


async def test_who_waits_for_a_moment_does_not_keep_the_loop_busy(monkeypatch: pytest.MonkeyPatch) -> None:
    loop, waited = asyncio.get_running_loop(), list[float]()
    call_later = loop.call_later

    def wait(seconds: float, *what: Any) -> asyncio.TimerHandle:
        waited.append(seconds)
        return call_later(seconds, *what)

    monkeypatch.setattr(loop, "call_later", wait)
    share = in_a_race()
    share.spend(IN_A_ROW + 0.00002)
    await share.turn("a")
    assert waited and min(waited) >= SHORTEST


def waits(share: LoopShare, address: str = "a") -> bool:
    """Whether somebody who asks now has to wait; he gives up at once."""
    turn = share.turn(address)
    try:
        turn.send(None)
    except StopIteration:
        return False
    turn.close()
    return True


async def test_where_nobody_races_nobody_waits() -> None:
    share = LoopShare(lambda: 0)
    for n in range(100):
        assert not waits(share, str(n))
        share.spend(WORK)


async def test_a_while_after_the_last_move_nobody_waits_any_more() -> None:
    moves, now = [0], [100.0]
    share = LoopShare(lambda: moves[0], lambda: now[0])
    moves[0] += 1
    assert not waits(share)
    share.spend(WORK)
    assert waits(share)
    share.spend(1.0)
    now[0] += QUIET + 0.001
    assert not waits(share)


async def test_after_something_that_took_long_others_wait_for_a_quarter_of_a_second() -> None:
    now = [100.0]
    share = LoopShare(count(1).__next__, lambda: now[0])
    assert not waits(share)
    share.spend(1000.0)
    assert waits(share)
    now[0] += LONGEST_DEBT / SHARE - 0.001
    assert waits(share)
    now[0] += 0.002
    assert not waits(share)


async def test_whoever_asks_for_a_lot_does_not_keep_others_waiting() -> None:
    share = in_a_race()
    order: list[str] = []

    async def ask(address: str) -> None:
        await done(share, address)
        order.append(address)

    share.spend(1.0)
    async with asyncio.TaskGroup() as tasks:
        for address in "a" * 50 + "b":
            tasks.create_task(ask(address))
    assert order.index("b") <= 1


async def test_those_who_go_while_they_wait_hold_up_nobody() -> None:
    share = in_a_race()
    share.spend(1.0)
    gone = [asyncio.create_task(share.turn("a")) for _ in range(10)]
    await asyncio.sleep(0)
    for task in gone:
        task.cancel()
    await asyncio.gather(*gone, return_exceptions=True)
    await share.turn("b")


async def test_what_is_done_is_charged_to_its_address_too() -> None:
    accounts = Accounts(Limits())
    await in_a_race().do(accounts.of("a"), work())
    assert accounts.of("a").pay(price(cpu=Limits().cpu.burst)) > 0
