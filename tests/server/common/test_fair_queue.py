"""Addresses take turns, so a request waits only for earlier requests of its own address."""

import asyncio
from contextlib import AsyncExitStack

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fortythieves.errors import Refused
from fortythieves_server.common.fair_queue import FairQueue, Slots


def order_of(addresses: list[str]) -> list[str]:
    async def admit_all() -> list[str]:
        queue = FairQueue()
        for address in addresses:
            queue.join(address)
        return [str(queue.admit()) for _ in addresses]

    return asyncio.run(admit_all())


@given(st.lists(st.sampled_from("abcdef"), max_size=30))
def test_a_request_waits_for_one_of_each_other_address_at_most(addresses: list[str]) -> None:
    order = order_of(addresses)
    assert sorted(order) == sorted(addresses)
    for address in set(addresses):
        mine = [index for index, one in enumerate(order) if one == address]
        for before, after in zip([-1, *mine], mine, strict=False):
            between = order[before + 1 : after]
            assert len(between) == len(set(between))


async def test_a_rejected_address_is_skipped() -> None:
    queue = FairQueue()
    turn, gone = queue.join("a"), queue.join("a")
    queue.join("b")
    for _ in range(2):
        queue.leave("a", gone)
    assert queue.admit(lambda address: address != "a") == "b"
    assert queue.admit(lambda address: address != "a") is None
    assert queue.admit() == "a" and turn.done() and not gone.done()
    assert (len(queue), queue.admit()) == (0, None)


async def test_a_cancelled_request_takes_no_turn() -> None:
    queue = FairQueue()
    cancelled, next_one = queue.join("a"), queue.join("b")
    cancelled.cancel()  # its task has not run since, so it has not left the queue
    assert queue.admit() == "b" and next_one.done()
    assert (len(queue), queue.admit()) == (0, None)


async def test_a_cancelled_request_can_be_refused() -> None:
    queue = FairQueue(most=3)
    queue.join("a"), queue.join("a")
    newest = queue.join("a")
    newest.cancel()
    queue.join("b")
    assert len(queue) == 3


async def test_the_longest_queue_loses_its_newest_request() -> None:
    queue = FairQueue(most=3)
    turns = [queue.join("a") for _ in range(3)]
    queue.join("b")
    assert [turn.done() for turn in turns] == [False, False, True]
    with pytest.raises(Refused) as refused:
        turns[2].result()
    assert (refused.value.code, len(queue)) == ("too-fast", 3)


async def test_a_full_queue_refuses_an_address_that_would_be_longest() -> None:
    queue = FairQueue(most=3)
    for address in ("a", "a", "b"):
        queue.join(address)
    with pytest.raises(Refused):
        queue.join("b")
    assert len(queue) == 3


async def take(slots: Slots, address: str, stack: AsyncExitStack) -> AsyncExitStack:
    one = await stack.enter_async_context(AsyncExitStack())
    await one.enter_async_context(slots.turn(address))
    return one


async def test_each_address_has_its_own_limit_of_slots() -> None:
    slots = Slots(100, of_address=2)
    async with AsyncExitStack() as stack:
        first = await take(slots, "a", stack)
        await take(slots, "a", stack)
        third = asyncio.create_task(take(slots, "a", stack))
        await take(slots, "b", stack)
        assert not third.done()
        await first.aclose()
        await third
    assert not slots.count


async def test_a_passed_on_slot_counts_as_taken() -> None:
    slots = Slots(1)
    async with AsyncExitStack() as stack:
        first = await take(slots, "a", stack)
        second = asyncio.create_task(take(slots, "b", stack))
        await asyncio.sleep(0)
        await first.aclose()
        # The second one has it, though its task has not run yet.
        third = asyncio.create_task(take(slots, "c", stack))
        holds_second = await second
        assert not third.done()
        await holds_second.aclose()
        await third


@pytest.mark.parametrize(("address", "is_admitted"), [("a", False), ("b", True)])
async def test_a_cancelled_request_keeps_no_slot(address: str, is_admitted: bool) -> None:
    slots = Slots(1)
    async with AsyncExitStack() as stack:
        first = await take(slots, "a", stack)
        gone = asyncio.create_task(take(slots, address, stack))
        await asyncio.sleep(0)
        if is_admitted:
            await first.aclose()
        gone.cancel()
        await asyncio.gather(gone, return_exceptions=True)
        await first.aclose()
        assert not slots.count
        await take(slots, "a", stack)


async def test_a_request_that_waits_too_long_is_refused() -> None:
    slots = Slots(1)
    async with slots.turn("a"):
        with pytest.raises(Refused) as refused:
            async with slots.turn("b", within=0.0):
                pass
    assert refused.value.code == "too-fast"
    async with slots.turn("b"):
        pass
    assert not slots.count
