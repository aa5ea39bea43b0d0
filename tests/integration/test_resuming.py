"""Coming back while one's moves are still being made: whatever is in flight, a client is told of its log in order."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from fortythieves_server.process.embedded_redis import EmbeddedRedis
from tests.integration.raw import RawClient, guest
from tests.server.stores import SECONDS
from tests.serving import serving

#: In so many of as many tries the order was wrong once.
TRIES = 40
#: Moves that are in flight when the next connection comes.
IN_FLIGHT = 8


#: How many of so many entries the next connection knows, in turn: all, all but some, none.
KNOWN: tuple[Callable[[int], int], ...] = (lambda n: n, lambda n: max(0, n - 3), lambda n: 0)
#: A move of columns that deal 32001 begins with.
PROBE = "2-4"


class Seat(NamedTuple):
    """A seat in a race, and how many entries its log has."""

    code: str
    epoch: str
    length: int


@pytest.fixture
async def own_redis(tmp_path: Path) -> AsyncIterator[EmbeddedRedis]:
    async with EmbeddedRedis(tmp_path / "redis") as embedded:
        yield embedded


@pytest.mark.parametrize("processes", [1, 2])
async def test_who_comes_back_while_moves_are_in_flight_is_told_of_them_in_order_and_once(
    tmp_path: Path, own_redis: EmbeddedRedis, processes: int
) -> None:
    async with AsyncExitStack() as stack:
        addresses = [
            await stack.enter_async_context(serving(tmp_path / f"{k}", redis=own_redis.url)) for k in range(processes)
        ]
        old = await stack.enter_async_context(guest(addresses[0]))
        settings = {"seats": 1, "countdown": 3, "undo": "free", "deal": "32001"}
        assert await old.ask("create", "Ann", settings) == "ok"
        room = next(heard.message for heard in old.heard if heard.message[0] == "room")
        await old.say("ready", 99, "00" * 16)
        await old.hear("board")
        seat = Seat(room[4]["code"], room[1], 0)
        for attempt in range(TRIES):
            address, known = addresses[attempt % processes], KNOWN[attempt % len(KNOWN)](seat.length)
            async with asyncio.timeout(SECONDS):
                old, seat = await _taken_over(stack, address, old, seat, known)


async def _taken_over(
    stack: AsyncExitStack, address: str, old: RawClient, seat: Seat, known: int
) -> tuple[RawClient, Seat]:
    """Have another connection take the seat while moves of the old one are in flight."""
    new = await stack.enter_async_context(guest(address, old.token))
    resume = [seat.epoch, 1, known] if known else None
    moves = [old.say("move", 1, n, "undo" if n % 2 else "draw") for n in range(seat.length, seat.length + IN_FLIGHT)]
    await asyncio.gather(*moves, new.say("join", 1, seat.code, "Ann", resume))
    await old.closed()
    while (answer := await new.hear("ok", "refused"))[1] != 1:
        pass
    assert answer[0] == "ok"
    # A move that the old one never makes is only made once the log is known to its end; then it is taken back. Moves of
    # the old one that are made in between, on the other process, are taken back before it.
    made = length = await _made(new, PROBE, _length(new, known), known)
    while _moves_on_top(new, made):
        length = await _made(new, "undo", length, known)
    _check(new, known)
    return new, seat._replace(length=length)


async def _made(client: RawClient, text: str, n: int, known: int) -> int:
    """Make a move, with whatever number it takes; how long the log is then."""
    while True:
        await client.say("move", 1, n, text)
        while True:
            answer = await client.hear("moved", "unmoved", "board")
            if answer[0] == "unmoved":
                assert answer[4] != "illegal-move", answer
                n = answer[3]
                while _length(client, known) < n:
                    await client.hear("moved", "board")
                break
            if answer[0] == "moved" and answer[3] == text and answer[2] == n + 1:
                return n + 1


def _told(client: RawClient) -> list[list[Any]]:
    told = [heard.message for heard in client.heard]
    return [message for message in told if message[0] in {"room", "board", "moved"}]


def _length(client: RawClient, known: int) -> int:
    """How many entries the client has been told of last. Where it knew all of them, it is told of none."""
    match _told(client)[-1]:
        case ["board", _, _, moves]:
            return len(moves)
        case ["moved", _, int(n), *_]:
            return n
    return known


def _moves_on_top(client: RawClient, made: int) -> int:
    """How many moves must be taken back until that with the number ``made`` is taken back, too."""
    later = [message[3] for message in _told(client) if message[0] == "moved" and message[2] > made]
    return 1 + sum(-1 if text == "undo" else 1 for text in later)


def _check(client: RawClient, known: int) -> None:
    """First the room, then exactly what was missed or the whole board, then what came later, each once."""
    room, *others = _told(client)
    assert room[0] == "room"
    if not known:
        board, *others = others
        assert board[0] == "board"
        known = len(board[3])
    assert [message[:3] for message in others] == [["moved", 1, known + k + 1] for k in range(len(others))]
