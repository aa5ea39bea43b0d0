"""Addresses take turns, and whoever asks for a lot waits behind what he asked for."""

import asyncio
from contextlib import AsyncExitStack

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fortythieves.errors import Refused
from fortythieves_server.common.fair_queue import FairQueue, Slots


def order_of(addresses: list[str]) -> list[str]:
    """In which order those are let in who join a queue in this one."""

    async def let_in_all() -> list[str]:
        queue = FairQueue()
        for address in addresses:
            queue.join(address)
        return [str(queue.let_in()) for _ in addresses]

    return asyncio.run(let_in_all())


def test_addresses_take_turns() -> None:
    assert order_of(["a", "a", "a", "b", "b", "c"]) == ["a", "b", "c", "a", "b", "a"]


@given(st.lists(st.sampled_from("abcdef"), max_size=30))
def test_nobody_waits_for_more_than_one_of_each_other_address_per_own_request(addresses: list[str]) -> None:
    order = order_of(addresses)
    assert sorted(order) == sorted(addresses)
    for address in set(addresses):
        mine = [index for index, one in enumerate(order) if one == address]
        for before, after in zip([-1, *mine], mine, strict=False):
            between = order[before + 1 : after]
            assert len(between) == len(set(between))


async def test_who_is_let_in_is_told_and_an_empty_queue_lets_in_nobody() -> None:
    queue = FairQueue()
    turn = queue.join("a")
    assert (len(queue), turn.done()) == (1, False)
    assert queue.let_in() == "a" and turn.done()
    assert (len(queue), queue.let_in()) == (0, None)


async def test_who_may_not_now_is_passed_over() -> None:
    queue = FairQueue()
    queue.join("a")
    queue.join("b")
    assert queue.let_in(lambda address: address != "a") == "b"
    assert queue.let_in(lambda address: address != "a") is None
    assert queue.let_in() == "a"


async def test_a_request_that_was_cancelled_a_moment_ago_takes_no_turn() -> None:
    queue = FairQueue()
    cancelled, next_one = queue.join("a"), queue.join("b")
    cancelled.cancel()  # whoever waits for it has not run since, and so has not left the queue
    assert queue.let_in() == "b" and next_one.done()
    assert (len(queue), queue.let_in()) == (0, None)


async def test_a_request_that_was_cancelled_a_moment_ago_can_be_refused() -> None:
    queue = FairQueue(most=3)
    queue.join("a"), queue.join("a")
    newest = queue.join("a")
    newest.cancel()
    queue.join("b")
    assert len(queue) == 3


async def test_who_leaves_takes_no_turn() -> None:
    queue = FairQueue()
    gone = queue.join("a")
    queue.join("a")
    queue.leave("a", gone)
    queue.leave("a", gone)
    assert (len(queue), queue.let_in(), gone.done(), queue.let_in()) == (1, "a", False, None)


async def test_whoever_fills_a_queue_makes_way_for_others() -> None:
    queue = FairQueue(most=3)
    turns = [queue.join("a") for _ in range(3)]
    queue.join("b")
    assert [turn.done() for turn in turns] == [False, False, True]
    with pytest.raises(Refused) as refused:
        turns[2].result()
    assert (refused.value.code, len(queue)) == ("too-fast", 3)


async def test_who_would_have_the_longest_queue_does_not_join_a_full_one() -> None:
    queue = FairQueue(most=3)
    for address in ("a", "a", "b"):
        queue.join(address)
    with pytest.raises(Refused):
        queue.join("b")
    assert len(queue) == 3


# --- so many at a time -------------------------------------------------------------------------------------------


async def held(slots: Slots, address: str, stack: AsyncExitStack) -> AsyncExitStack:
    """What holds a slot until it is closed."""
    one = await stack.enter_async_context(AsyncExitStack())
    await one.enter_async_context(slots.turn(address))
    return one


async def test_an_address_has_so_many_slots_and_others_have_theirs() -> None:
    slots = Slots(100, of_address=2)
    async with AsyncExitStack() as stack:
        first = await held(slots, "a", stack)
        await held(slots, "a", stack)
        third = asyncio.create_task(held(slots, "a", stack))
        await held(slots, "b", stack)
        assert not third.done()
        await first.aclose()
        await third
    assert slots.are_free


async def test_a_slot_that_is_given_on_is_not_taken_by_anybody_else() -> None:
    slots = Slots(1)
    async with AsyncExitStack() as stack:
        first = await held(slots, "a", stack)
        second = asyncio.create_task(held(slots, "b", stack))
        await asyncio.sleep(0)
        await first.aclose()
        # The second one has it, though its task has not run yet.
        third = asyncio.create_task(held(slots, "c", stack))
        holds_second = await second
        assert not third.done()
        await holds_second.aclose()
        await third


@pytest.mark.parametrize(("address", "it_is_his_turn"), [("a", False), ("b", True)])
async def test_who_goes_away_while_waiting_or_in_the_moment_of_his_turn_takes_no_slot(
    address: str, it_is_his_turn: bool
) -> None:
    slots = Slots(1)
    async with AsyncExitStack() as stack:
        first = await held(slots, "a", stack)
        gone = asyncio.create_task(held(slots, address, stack))
        await asyncio.sleep(0)
        if it_is_his_turn:
            await first.aclose()
        gone.cancel()
        await asyncio.gather(gone, return_exceptions=True)
        await first.aclose()
        assert slots.are_free
        await held(slots, "a", stack)


async def test_a_request_that_waits_too_long_is_refused() -> None:
    slots = Slots(1)
    async with slots.turn("a"):
        with pytest.raises(Refused) as refused:
            async with slots.turn("b", within=0.0):
                pass
    assert refused.value.code == "too-fast"
    async with slots.turn("b"):
        pass
    assert slots.are_free
