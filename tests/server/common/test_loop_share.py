"""During races, all other work has a share of the time, and addresses take turns."""

import asyncio
import time
from itertools import count
from typing import Any

import pytest

from fortythieves_server.common.limits import Limits
from fortythieves_server.common.loop_share import IN_A_ROW, LONGEST_DEBT, QUIET, SHARE, SHORTEST, LoopShare, metered
from fortythieves_server.common.prices import Account, Accounts, price

#: The CPU seconds of the work here.
WORK = 0.002


def account(address: str) -> Account:
    return Accounts(Limits()).of(address)


def in_a_race() -> LoopShare:
    return LoopShare(count(1).__next__)


def spend(seconds: float) -> None:
    until = time.thread_time() + seconds
    while time.thread_time() < until:
        pass


async def work() -> float:
    began = asyncio.get_running_loop().time()
    spend(WORK)
    return began


async def done(share: LoopShare, address: str) -> float:
    await share.turn(address)
    return await share.do(account(address), work())


async def test_a_hundred_addresses_together_get_no_more_than_the_share() -> None:
    share = in_a_race()
    loop = asyncio.get_running_loop()
    started = loop.time()
    begun = sorted(await asyncio.gather(*(done(share, str(n)) for n in range(100))))
    for number, at in enumerate(begun):
        allowed = IN_A_ROW + SHARE * (at - started)
        assert (number - 1) * WORK <= allowed


async def test_a_short_wait_does_not_keep_the_loop_busy(monkeypatch: pytest.MonkeyPatch) -> None:
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
    turn = share.turn(address)
    try:
        turn.send(None)
    except StopIteration:
        return False
    turn.close()
    return True


async def test_without_races_no_request_waits() -> None:
    share = LoopShare(lambda: 0)
    for n in range(100):
        assert not waits(share, str(n))
        share.spend(WORK)


async def test_some_time_after_the_last_move_no_request_waits() -> None:
    moves, now = [0], [100.0]
    share = LoopShare(lambda: moves[0], lambda: now[0])
    moves[0] += 1
    assert not waits(share)
    share.spend(WORK)
    assert waits(share)
    share.spend(1.0)
    now[0] += QUIET + 0.001
    assert not waits(share)


async def test_after_slow_work_others_wait_a_quarter_of_a_second_at_most() -> None:
    now = [100.0]
    share = LoopShare(count(1).__next__, lambda: now[0])
    assert not waits(share)
    share.spend(1000.0)
    assert waits(share)
    now[0] += LONGEST_DEBT / SHARE - 0.001
    assert waits(share)
    now[0] += 0.002
    assert not waits(share)


async def test_many_requests_of_one_address_do_not_delay_another() -> None:
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


async def test_work_is_charged_to_its_address() -> None:
    accounts = Accounts(Limits())
    await in_a_race().do(accounts.of("a"), work())
    assert accounts.of("a").pay(price(cpu=Limits().cpu.burst)) > 0


async def test_only_the_steps_of_the_work_are_charged() -> None:
    charged: list[float] = []
    others = asyncio.Event()

    async def work() -> str:
        spend(0.02)
        await others.wait()
        spend(0.02)
        return "done"

    async def other() -> None:
        spend(0.2)
        others.set()

    answer, _ = await asyncio.gather(metered(work(), charged.append), other())
    assert answer == "done"
    assert len(charged) == 2 and 0.04 <= sum(charged) < 0.2


async def test_cancelled_work_is_charged() -> None:
    charged: list[float] = []
    heard: list[str] = []

    async def work() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            heard.append("interrupted")

    async def awaiting() -> None:
        await metered(work(), charged.append)

    task = asyncio.create_task(awaiting())
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert heard == ["interrupted"] and len(charged) == 2
