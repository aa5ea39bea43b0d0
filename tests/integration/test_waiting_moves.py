"""Moves of one seat that arrive while Redis does not answer."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from fortythieves_server.rooms.seats import WAITING
from tests.integration.raw import RawClient, guest
from tests.server.redises import LASTING, Node
from tests.server.stores import SECONDS
from tests.serving import serving

#: Round trips of another client, after which the server has read all that it will read.
ROUND_TRIPS = 20
#: One move is being committed, and the others wait.
ACCEPTED = 1 + WAITING


@pytest.fixture
async def redis(tmp_path: Path) -> AsyncIterator[Node]:
    async with Node(tmp_path / "redis", LASTING) as node:
        yield node


async def test_too_many_waiting_moves_are_not_read_and_all_are_answered_in_order(tmp_path: Path, redis: Node) -> None:
    async with (
        serving(tmp_path, redis=f"redis://127.0.0.1:{redis.port}") as address,
        guest(address) as ann,
        guest(address) as bob,
        asyncio.timeout(SECONDS),
    ):
        assert await ann.ask("create", "Ann", {"seats": 1, "countdown": 3, "undo": "free"}) == "ok"
        await ann.send("ready", 99, "")
        await ann.receive("board")
        made = 0
        for count, locked in ((ACCEPTED, True), (ACCEPTED + 1, False), (3 * ACCEPTED, True)):
            first = len(ann.received)
            os.kill(redis.pid, signal.SIGSTOP)
            try:
                for n in range(made, made + count):
                    await ann.send("move", 1, n, "undo" if n % 2 else "draw")
                await ann.send("ping", 1)
                await ann.send("lock", 100 + count, locked)  # committed after the moves before it
                for k in range(ROUND_TRIPS):
                    await bob.send("ping", k)
                    await bob.receive("pong")
                while_paused = await _arrived(ann)
            finally:
                os.kill(redis.pid, signal.SIGCONT)
            assert await ann.receive("ok", "refused") == ["ok", 100 + count]
            answers = [one.message for one in ann.received[first:] if one.message[0] in {"moved", "unmoved"}]
            assert [answer[:3] for answer in answers] == [["moved", 1, made + k + 1] for k in range(count)]
            assert while_paused == (["pong"] if count <= ACCEPTED else [])
            made += count


async def _arrived(client: RawClient) -> list[str]:
    first = len(client.received)
    try:
        while True:
            async with asyncio.timeout(0):
                await client.receive()
    except TimeoutError:
        return [tag for one in client.received[first:] if (tag := one.message[0]) in {"pong", "moved", "unmoved"}]
