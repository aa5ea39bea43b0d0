"""The connection to servers that are not what they should be: each is a real socket, and does what its test says."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import msgpack
import msgspec
import pytest
from websockets.asyncio.server import ServerConnection, serve

from fortythieves.errors import Refused
from fortythieves.protocol.to_client import Close
from fortythieves.rules.board import Board
from fortythieves.rules.cards import names
from fortythieves.rules.deal import deck_of_number
from fortythieves.rules.games import game
from fortythieves.rules.moves import DRAW
from fortythieves_client.client import Client
from fortythieves_client.reconnecting import FIRST_DELAY, LAST_DELAY, SPREAD, Closed, backoff

VIEW = {
    "code": "KQXWVD",
    "host": 1,
    "settings": {},
    "people": {"1": {"name": "Ann"}},
    "race": {"number": 1, "game": "lucas"},
}


class Visit:
    """One connection to a server of the test's own making."""

    def __init__(self, socket: ServerConnection) -> None:
        self.socket = socket

    async def hear(self) -> list[Any]:
        message: list[Any] = msgpack.unpackb(await self.socket.recv())
        return message

    async def say(self, *message: Any) -> None:
        await self.socket.send(msgpack.packb(message))

    async def greet(self) -> None:
        """Hello, and who creates a room or joins one sits at its first seat."""
        assert (await self.hear())[0] == "hello"
        await self.say("welcome", 1, "pass", 1_000, "test")

    async def wait(self) -> None:
        """Say nothing more until the visitor has gone."""
        await self.socket.wait_closed()

    async def seat(self) -> None:
        await self.greet()
        tag, c, *_ = await self.hear()
        assert tag in {"create", "join"}
        await self.say("room", "epoch", 1, 1, VIEW)
        await self.say("ok", c)


@asynccontextmanager
async def server(*visits: Callable[[Visit], Awaitable[None]]) -> AsyncIterator[str]:
    """A server that treats the first visitor in the first way, and so on; all later ones in the last."""
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
    """Meet a bug at the first command."""
    await visit.seat()
    await visit.hear()
    await visit.socket.close(Close.BUG)


async def test_a_server_that_fails_at_what_it_is_asked_is_not_asked_for_ever() -> None:
    async with server(fail) as address, Client(address, reconnect_timeout=0.5) as client:
        await client.create("Ann")
        with pytest.raises(Closed, match="did not come back"):
            await client.ready()


async def test_a_server_that_failed_once_is_asked_again() -> None:
    async with server(fail, stay) as address, Client(address) as client:
        await client.create("Ann")
        await client.ready()


async def test_a_server_that_restarts_is_found_again() -> None:
    async def restart(visit: Visit) -> None:
        await visit.seat()
        await visit.socket.close(Close.GOING_AWAY)

    async with server(restart, stay) as address, Client(address, reconnect_timeout=2 * SPREAD) as client:
        await client.create("Ann")
        await client.ready()


async def test_whom_a_server_sends_away_does_not_come_back_together_with_all_others() -> None:
    pauses = [backoff(0) for _ in range(200)]
    assert min(pauses) < SPREAD / 4 < 3 * SPREAD / 4 < max(pauses) <= SPREAD


async def test_pauses_grow_and_end_growing() -> None:
    for tries, longest in ((1, FIRST_DELAY), (2, 2 * FIRST_DELAY), (3, 4 * FIRST_DELAY), (50, LAST_DELAY)):
        assert all(longest / 2 <= backoff(tries) <= longest for _ in range(50))


@pytest.mark.parametrize(("code", "ended"), [("store-down", False), ("too-fast", False), ("unknown-room", True)])
async def test_only_a_refusal_that_lasts_keeps_us_from_coming_back(code: str, ended: bool) -> None:
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


async def test_a_gap_in_the_log_is_filled_by_coming_back() -> None:
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
        assert resuming == ["epoch", 1, 0]
        await visit.say("room", "epoch", 1, 1, VIEW)
        for n, cards in enumerate(turned, start=1):
            await visit.say("moved", 1, n, "draw", cards)
        await visit.say("ok", c)
        await visit.wait()

    async with server(leave_one_out, resume) as address, Client(address) as client:
        await client.create("Ann")
        await client.until(lambda: client.race is not None and len(client.race.log) == 2)
        assert client.race is not None and client.race.board.waste == board.waste


async def test_what_a_newer_server_says_and_we_cannot_read_is_said_to_whoever_waits() -> None:
    async def speak_in_tongues(visit: Visit) -> None:
        await visit.seat()
        await visit.say("prophecy", 1)
        await visit.wait()

    async with server(speak_in_tongues) as address:
        client = Client(address)
        await client.__aenter__()
        await client.create("Ann")
        with pytest.raises(msgspec.ValidationError, match="prophecy"):
            await client.until(lambda: False)
        await client.close()


async def test_where_something_else_answers_that_is_said() -> None:
    async def hang_up(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
        await writer.drain()
        writer.close()

    other = await asyncio.start_server(hang_up, "127.0.0.1", 0)
    port = other.sockets[0].getsockname()[1]
    async with other:
        with pytest.raises(Closed, match="404"):
            async with Client(f"http://127.0.0.1:{port}"):
                pass
