"""Who may not see boards gets none on any connection. The simulation compares frames with what the policy allows."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from tests.integration.raw import RawClient, guest

pytestmark = pytest.mark.asyncio(loop_scope="module")

#: The messages with boards of others.
BOARDS = ("gallery", "shown", "hidden")


@asynccontextmanager
async def two_players(address: str) -> AsyncIterator[tuple[RawClient, RawClient]]:
    """Ann and Bob in a lobby. Spectators of their race see all."""
    async with guest(address) as ann, guest(address) as bob:
        await ann.create(countdown=3, auto_start=False, watch="open")
        assert await bob.ask("join", ann.code, "Bob", None) == "ok"
        yield ann, bob


async def race(ann: RawClient) -> None:
    assert await ann.ask("start") == "ok"
    await ann.receive("board")
    for n in range(5):
        await ann.move(n)


async def test_a_racer_that_watched_before_the_race_sees_only_its_own_board(address: str) -> None:
    async with two_players(address) as (ann, bob), guest(address, bob.token) as again:
        assert await bob.ask("look", True) == "ok"
        assert await again.ask("watch", ann.code, "Bob") == "ok"
        await race(ann)
        assert await again.closed() == 4001
        assert await bob.ask("look", True) == "racing"
        assert await bob.ask("chat", "k", "hi") == "ok"
        assert not bob.messages(*BOARDS) and not again.messages(*BOARDS)


async def test_a_player_outside_the_room_sees_no_boards(address: str) -> None:
    async with two_players(address) as (ann, bob):
        assert await bob.ask("look", True) == "ok"
        assert await ann.ask("start") == "ok"
        await bob.receive("board")
        assert await bob.ask("leave") == "ok"
        assert await bob.ask("look", True) == "not-in-room"
        await ann.receive("board")
        await ann.move(0)
        assert await bob.ask("look", True) == "not-in-room"
        assert not bob.messages(*BOARDS)


async def test_spectators_are_disconnected_when_the_host_allows_none(address: str) -> None:
    async with two_players(address) as (ann, _), guest(address) as watcher:
        assert await watcher.ask("watch", ann.code, "Wanda") == "ok"
        assert await ann.ask("settings", {"watching": "nobody"}) == "ok"
        assert await watcher.closed() == 4002


async def test_a_kicked_player_cannot_watch_on_any_connection(address: str) -> None:
    async with two_players(address) as (ann, bob), guest(address, bob.token) as again:
        assert await again.ask("watch", ann.code, "Robert") == "ok"
        assert await ann.ask("kick", 2) == "ok"
        assert await again.closed() == await bob.closed() == 4002
        async with guest(address, bob.token) as once_more:
            assert await once_more.ask("watch", ann.code, "Robert") == "kicked"
