"""Acknowledged moves survive a killed server."""

import asyncio
import contextlib
import random
from pathlib import Path

import pytest

from fortythieves.errors import Refused
from fortythieves.rules.cards import names
from fortythieves_client.bot.levels import LEVELS, next_moves
from fortythieves_client.client import Client
from tests.e2e.server import Server

KILLS = 4


async def play(client: Client, seed: int, acknowledged: list[tuple[str, str]]) -> None:
    """Race to the end, and keep the acknowledged moves."""
    dice = random.Random(seed)
    race = await client.until(lambda: client.race)
    while moves := next_moves(race.board, LEVELS[1], dice):
        text = str(moves[0])
        try:
            acknowledged.append((text, names(await client.play(text))))
        except Refused as refused:
            # The server knows the stock, so it detects a stuck board first.
            assert refused.code == "finished"
            return
        race = await client.until(lambda: client.race)


async def some_more(client: Client, log: list[tuple[str, str]], racing: asyncio.Task[None]) -> None:
    """Let the race go on for a while."""
    enough = len(log) + 5
    await client.until(lambda: racing.done() or len(log) >= enough)


async def log_of(client: Client, address: str, code: str) -> list[tuple[str, str]]:
    """The moves that a new device with the client's guest token gets."""
    async with Client(address, token=client.token) as again:
        await again.join("Ann", code)
        race = await again.until(lambda: again.race)
        return [(text, names(turned)) for text, turned in race.log]


@pytest.mark.long
async def test_acknowledged_moves_survive_a_killed_server(tmp_path: Path) -> None:
    server = Server(tmp_path)
    server.start()
    try:
        async with contextlib.AsyncExitStack() as stack:
            clients = [await stack.enter_async_context(Client(server.address)) for _ in range(5)]
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
            for _ in range(KILLS):
                await some_more(host, logs[0], racing[0])
                server.kill()
                server.start()
            await asyncio.gather(*racing)
            for client, log in zip(clients, logs, strict=True):
                assert await log_of(client, server.address, room.code) == log
    finally:
        server.kill()
