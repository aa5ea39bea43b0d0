"""The clock of Redis jumps during races."""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from fortythieves.times import Ms, seconds_of
from fortythieves_client import Client
from tests.server.redises import LASTING, LIBFAKETIME, Node, clock
from tests.serving import serving

pytestmark = pytest.mark.skipif(LIBFAKETIME is None, reason="libfaketime has wheels for few machines")

#: Seconds within which a room goes on, even on a busy machine. A room that stands still does so for an hour.
SOON = 30

#: The most seconds by which a clock that follows another one differs from it.
FOLLOWED = 2

#: The difference between two readings of one clock, s.
CLOCKS = 0.01


class Wound:
    """A Redis with an adjustable clock."""

    def __init__(self, folder: Path) -> None:
        self._setting = folder / "setting"
        told = clock(FAKETIME_TIMESTAMP_FILE=str(self._setting), FAKETIME_NO_CACHE="1")
        self.node = Node(folder / "redis", LASTING, environment=told)
        self.set(0)

    def set(self, seconds: int) -> None:
        self._setting.write_text(f"{seconds:+}")

    async def is_ahead(self, seconds: int) -> bool:
        earliest = time.time()
        told, micros = await self.node.ask("TIME")
        return bool(earliest - CLOCKS <= told + micros / 1e6 - seconds <= time.time() + CLOCKS)


@pytest.fixture
async def wound(tmp_path: Path) -> AsyncIterator[Wound]:
    wound = Wound(tmp_path)
    async with wound.node:
        yield wound


async def test_rooms_of_two_processes_go_on_after_a_clock_that_was_an_hour_ahead(wound: Wound, tmp_path: Path) -> None:
    url = f"redis://127.0.0.1:{wound.node.port}"
    async with contextlib.AsyncExitStack() as stack:
        addresses = [await stack.enter_async_context(serving(tmp_path / name, redis=url)) for name in "ab"]

        async def client(server: int, code: str | None = None) -> Client:
            return await stack.enter_async_context(Client(addresses[server], code=code))

        async def room() -> tuple[Client, Client]:
            host = await client(0)
            guest = await client(1, (await host.create("Ann", seats=2, countdown=3)).code)
            await guest.join("Bob")
            return host, guest

        async def set_to(seconds: int) -> None:
            wound.set(seconds)
            for server in range(2):
                while True:
                    async with Client(addresses[server]) as probe:
                        if abs(seconds_of(probe.now()) - time.time() - seconds) < FOLLOWED:
                            break
                    await asyncio.sleep(0.1)

        async def goes_on(host: Client, guest: Client) -> None:
            await guest.chat("Hello?")
            for player in (host, guest):
                await player.ready("")
            async with asyncio.timeout(3 + SOON):
                for player in (host, guest):
                    await player.until(lambda player=player: player.race)  # type: ignore[misc]
                    await player.play("draw")
                    assert player.room is not None
                    # Its estimate is late by as much as a message took. The clock of the processes is an hour behind.
                    early = Ms(player.room.race["starts_at"]) - player.now()
                    assert seconds_of(early) < FOLLOWED, "the client's clock is the room's"
                await host.end_race()
                for player in (host, guest):
                    await player.rematch("")
                # The guest's process began the countdown. Until the host's one knows it, there is nothing to call off.
                await host.until(
                    lambda: host.room and host.room.race.get("starts_at") and host.room.race["number"] == 2
                )
                await host.end_race()
                await guest.until(lambda: guest.room and guest.room.race["number"] == 3)

        await set_to(3600)
        rooms = [await room() for _ in range(3)]
        for player in rooms[0]:
            await player.ready("")
        await set_to(0)
        host, guest = rooms.pop(0)
        async with asyncio.timeout(SOON):
            for player in (host, guest):
                await player.until(lambda player=player: player.race)  # type: ignore[misc]
        await host.end_race()
        await asyncio.gather(*(goes_on(*room) for room in rooms))
