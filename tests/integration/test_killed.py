"""The server is killed, with no time to say anything, while people race: what it had acknowledged is there again."""

import asyncio
import contextlib
import random
import re
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path

from fortythieves.errors import Refused
from fortythieves.rules.cards import names
from fortythieves_client.bot.levels import LEVELS, next_moves
from fortythieves_client.connection import Client

KILLS = 3

#: Everybody here shares one address and is faster than people are.
LIMITS = "times=1000 messages=100000/s+100000"


@contextlib.asynccontextmanager
async def process(data: Path, port: int) -> AsyncIterator[tuple[str, asyncio.subprocess.Process]]:
    """A server as a program of its own, and its address; killed in the end if it still runs."""
    command = ("-m", "fortythieves_server", "serve", "--host", "127.0.0.1", "--port", str(port), "--data", str(data))
    server = await asyncio.create_subprocess_exec(
        sys.executable, *command, "--limits", LIMITS, stdout=asyncio.subprocess.PIPE
    )
    try:
        assert server.stdout is not None
        said = await server.stdout.readline()
        address = re.search(r"http://127\.0\.0\.1:\d+", said.decode())
        assert address, said
        yield address[0], server
    finally:
        with contextlib.suppress(ProcessLookupError):
            server.send_signal(signal.SIGKILL)
        await server.wait()


async def play(client: Client, seed: int, acknowledged: list[tuple[str, str]]) -> None:
    """Race to the end, and write down what the server says is done."""
    dice = random.Random(seed)
    race = await client.until(lambda: client.race)
    while moves := next_moves(race.board, LEVELS[1], dice):
        text = str(moves[0])
        try:
            acknowledged.append((text, names(await client.play(text))))
        except Refused as refused:
            # The server knows the stock, and so it knows first when nothing will ever fit again.
            assert refused.code == "finished"
            return
        race = await client.until(lambda: client.race)


async def some_more(client: Client, log: list[tuple[str, str]], racing: asyncio.Task[None]) -> None:
    """Let the race go on for a while."""
    enough = len(log) + 5
    await client.until(lambda: racing.done() or len(log) >= enough)


async def log_of(client: Client, address: str, code: str) -> list[tuple[str, str]]:
    """What a new device with the client's guest pass is told of its race."""
    async with Client(address, token=client.token) as again:
        await again.join("Ann", code)
        race = await again.until(lambda: again.race)
        return [(text, names(turned)) for text, turned in race.log]


async def test_what_was_acknowledged_outlives_a_server_that_is_killed(tmp_path: Path) -> None:
    async with contextlib.AsyncExitStack() as stack:
        async with process(tmp_path, 0) as (address, _):
            port = int(address.rpartition(":")[2])
            clients = [await stack.enter_async_context(Client(address)) for _ in range(5)]
            host, *others = clients
            room = await host.create("Ann", game="forty-thieves", undo="none", countdown=3, auto_start=False)
            for client in others:
                await client.join("Bob", room.code)
            await host.start()
            logs: list[list[tuple[str, str]]] = [[] for _ in clients]
            racing = [
                asyncio.create_task(play(client, seed, log))
                for seed, (client, log) in enumerate(zip(clients, logs, strict=True))
            ]
            await some_more(host, logs[0], racing[0])
        for _ in range(KILLS):
            async with process(tmp_path, port):
                await some_more(host, logs[0], racing[0])
        async with process(tmp_path, port):
            await asyncio.gather(*racing)
            for client, log in zip(clients, logs, strict=True):
                assert await log_of(client, address, room.code) == log
            await stack.aclose()
