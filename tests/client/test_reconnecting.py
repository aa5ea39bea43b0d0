"""Connections to faulty servers, each a real socket."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import msgpack
import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from websockets.asyncio.server import ServerConnection, serve

from fortythieves.errors import Refused
from fortythieves.protocol.to_client import Close
from fortythieves.rules.board import Board
from fortythieves.rules.cards import names
from fortythieves.rules.deal import deck_of_number
from fortythieves.rules.games import game
from fortythieves.rules.move_notation import DRAW
from fortythieves.times import Ms, Seconds, ms_of
from fortythieves_client.client import Client
from fortythieves_client.reconnecting import FIRST_DELAY, LAST_DELAY, SPREAD, Closed, ServerClock, backoff

VIEW = {
    "code": "KQXWVD",
    "host": 1,
    "settings": {},
    "people": {"1": {"name": "Ann"}},
    "race": {"number": 1, "game": "lucas"},
}


class Visit:
    def __init__(self, socket: ServerConnection) -> None:
        self.socket = socket

    async def hear(self) -> list[Any]:
        message: list[Any] = msgpack.unpackb(await self.socket.recv())
        return message

    async def say(self, *message: Any) -> None:
        await self.socket.send(msgpack.packb(message))

    async def greet(self) -> None:
        """Answer hello, and the first create or join."""
        assert (await self.hear())[0] == "hello"
        await self.say("welcome", 1, "pass", 1_000, "test")

    async def wait(self) -> None:
        """Send nothing until the client has left."""
        await self.socket.wait_closed()

    async def seat(self) -> None:
        await self.greet()
        tag, c, *_ = await self.hear()
        assert tag in {"create", "join"}
        await self.say("room", "epoch", 1, 1, VIEW, 0)
        await self.say("ok", c)


@asynccontextmanager
async def server(*visits: Callable[[Visit], Awaitable[None]]) -> AsyncIterator[str]:
    """A server with one behaviour for each client in turn; the last is for all later ones."""
    count = 0

    async def visited(socket: ServerConnection) -> None:
        nonlocal count
        count += 1
        await visits[min(count, len(visits)) - 1](Visit(socket))

    async with serve(visited, "127.0.0.1", 0) as serving:
        port = next(iter(serving.sockets)).getsockname()[1]
        yield f"http://127.0.0.1:{port}"


async def stay(visit: Visit) -> None:
    """Answer every command with ok."""
    await visit.seat()
    async for frame in visit.socket:
        _, c, *_ = msgpack.unpackb(frame)
        await visit.say("ok", c)


async def fail(visit: Visit) -> None:
    """Fail at the first command."""
    await visit.seat()
    await visit.hear()
    await visit.socket.close(Close.BUG)


async def restart(visit: Visit) -> None:
    await visit.seat()
    await visit.socket.close(Close.GOING_AWAY)


async def test_a_command_that_always_breaks_the_connection_fails() -> None:
    async with server(fail) as address, Client(address, reconnect_timeout=0.5) as client:
        await client.create("Ann")
        with pytest.raises(Closed, match="did not come back"):
            await client.ready()


@pytest.mark.parametrize("visit", [fail, restart])
async def test_a_command_is_repeated_after_one_failure(visit: Callable[[Visit], Awaitable[None]]) -> None:
    async with server(visit, stay) as address, Client(address, reconnect_timeout=2 * SPREAD) as client:
        await client.create("Ann")
        await client.ready()


def test_pauses_are_spread_after_a_restart_and_grow_after_failures() -> None:
    pauses = [backoff(0) for _ in range(200)]
    assert min(pauses) < SPREAD / 4 < 3 * SPREAD / 4 < max(pauses) <= SPREAD
    for tries, longest in ((1, FIRST_DELAY), (2, 2 * FIRST_DELAY), (3, 4 * FIRST_DELAY), (50, LAST_DELAY)):
        assert all(longest / 2 <= backoff(tries) <= longest for _ in range(50))


@pytest.mark.parametrize(("code", "ended"), [("store-down", False), ("too-fast", False), ("unknown-room", True)])
async def test_only_a_lasting_refusal_ends_reconnecting(code: str, ended: bool) -> None:
    async def seat_and_break(visit: Visit) -> None:
        await visit.seat()
        visit.socket.transport.abort()

    async def refuse(visit: Visit) -> None:
        await visit.greet()
        _, c, *_ = await visit.hear()
        await visit.say("refused", c, code, "Not now, or never.")
        await visit.wait()

    async with server(seat_and_break, refuse, stay) as address, Client(address) as client:
        await client.create("Ann")
        if ended:
            with pytest.raises(Refused, match="Not now, or never"):
                await client.until(lambda: False)
        else:
            await client.ready()


async def test_a_gap_is_filled_by_reconnecting() -> None:
    board = Board.deal(game("lucas"), deck_of_number(32_001))
    start = [names(column) for column in board.start()]
    turned = [names(board.play(DRAW)) for _ in range(2)]

    async def leave_one_out(visit: Visit) -> None:
        await visit.seat()
        await visit.say("board", 1, start, [])
        await visit.say("moved", 1, 2, "draw", turned[1])
        await visit.wait()

    async def resume(visit: Visit) -> None:
        await visit.greet()
        _, c, _, _, resuming, *_ = await visit.hear()
        assert resuming == ["epoch", 1, 0, 1]
        await visit.say("room", "epoch", 1, 1, VIEW, 0)
        for n, cards in enumerate(turned, start=1):
            await visit.say("moved", 1, n, "draw", cards)
        await visit.say("ok", c)
        await visit.wait()

    async with server(leave_one_out, resume) as address, Client(address) as client:
        await client.create("Ann")
        await client.until(lambda: client.race is not None and len(client.race.log) == 2)
        assert client.race is not None and client.race.board.waste == board.waste


@pytest.mark.parametrize("frame", [msgpack.packb(["prophecy", 1]), b"\xc1", b"", "hello"])
async def test_an_unreadable_message_is_an_error_of_pending_calls(frame: bytes | str) -> None:
    async def speak_in_tongues(visit: Visit) -> None:
        await visit.seat()
        await visit.socket.send(frame)
        await visit.wait()

    async with server(speak_in_tongues) as address, Client(address) as client:
        await client.create("Ann")
        with pytest.raises(Closed, match="an invalid message"):
            await client.until(lambda: False)


async def test_another_kind_of_server_is_an_error() -> None:
    async with TestServer(web.Application()) as other:
        with pytest.raises(Closed, match="404"):
            async with Client(str(other.make_url(""))):
                pass


@pytest.mark.parametrize(
    ("samples", "ahead"),
    [
        ([(0.1, 5_150, 0.2)], 5_000),  # the middle of the round trip
        ([*((sent, sent * 1000 + 70_010, sent + 0.02) for sent in (0.0, 1.0, 2.0)), (3.0, 73_010, 9.0)], 70_000),
    ],
    ids=["one ping", "a late packet"],
)
def test_the_servers_time_is_the_middle_of_most_round_trips(
    samples: list[tuple[Seconds, float, Seconds]], ahead: float
) -> None:
    clock = ServerClock(lambda: 100.0)
    with pytest.raises(ValueError, match="No ping"):
        clock.now()
    for sent, server, received in samples:
        clock.sample(sent, Ms(server), received)
    assert clock.now() == pytest.approx(ms_of(100.0) + Ms(ahead))
