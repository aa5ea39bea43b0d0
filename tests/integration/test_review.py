"""Only the host sees which seats drew the stock or shared an address. No address leaves the server."""

from typing import Any

import aiohttp
import pytest

from fortythieves.rules.games import game
from tests.integration.raw import RawClient, guest

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def heard(client: RawClient, words: str) -> None:
    while words not in repr(await client.receive("patch")):
        pass


async def test_only_the_host_sees_which_seats_only_drew_or_share_an_address(address: str) -> None:
    async with guest(address) as host, guest(address) as scout, guest(address) as friend:
        plan = {"by_timer": False, "entry": "password"}
        code = await host.create(False, plan, "secret", game="lucas", deal="32001", countdown=3)
        assert await scout.ask("join", code, "Scout", None, False, "secret") == "ok"
        assert await friend.ask("join", code, "Friend", None, False, "secret") == "ok"
        assert await host.ask("round", "start") == "ok"
        await heard(host, "'drawn'")
        assert await host.ask("round", "start") == "ok"
        await scout.receive("board")
        assert await host.ask("review", 1) == "not-over-yet"
        draws = game("lucas").stock
        for n in range(draws):
            await scout.send("move", 1, n, "draw")
        while (await scout.receive("moved", "unmoved"))[2] < draws:
            pass
        assert (await friend.move(0))[0] == "moved"
        assert await scout.ask("leave") == "ok"
        assert await friend.ask("leave") == "ok"
        await heard(host, "'over_at'")
        for _ in range(2):
            await host.send("review", 99, 1)
            assert (await host.receive("reviewed", "refused"))[1:] == [1, [[2, 3]], [2]]
        assert await host.ask("review", 2) == "unknown-race"
        async with guest(address) as watcher:
            assert await watcher.ask("watch", code, "Wanda", "secret") == "ok"
            assert await watcher.ask("review", 1) == "watching"
        assert await friend.ask("join", code, "Friend", None, False, "secret") == "ok"
        assert await friend.ask("review", 1) == "not-host"
        async with aiohttp.ClientSession() as http, http.get(f"{address}/api/races/{code}/1.json") as answer:
            record: dict[str, Any] = await answer.json()
        # Every client gets the same record.
        assert {"shared", "only_drew", "address", "addresses"}.isdisjoint(words_of(record))


def words_of(told: Any) -> set[str]:
    if isinstance(told, dict):
        return set(told).union(*map(words_of, told.values()))
    return set().union(*map(words_of, told)) if isinstance(told, list) else set()
