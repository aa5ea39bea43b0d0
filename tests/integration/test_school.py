"""Thirty clients behind one address connect, play, reload, watch, and download records without meeting a limit."""

import asyncio
import re
from collections import defaultdict
from pathlib import Path
from typing import Any, ClassVar

import pytest
from aiohttp import ClientSession

from fortythieves.record import race_record
from fortythieves_server.common.limits import Limits
from fortythieves_server.common.prices import Accounts
from tests.integration.raw import RawClient, guest, raw_client
from tests.serving import serving

PLAYERS, DRAWS = 30, 3
#: The least time in which people do all of this: connect, race, and review the race.
LESSON = 60
#: One room is one of ten, for any number of people in it.
MACHINE = {"cpu", "rooms"}


class Counted(Accounts):
    taken: ClassVar[defaultdict[tuple[str, str], float]] = defaultdict(float)

    def charge(self, address: str, limit: str, n: float) -> None:
        super().charge(address, limit, n)
        self.taken[address, limit] += n


async def load_page(session: ClientSession, address: str, path: str) -> None:
    async with session.get(address + path) as answer:
        assert answer.status == 200
        page = await answer.text()
    for file in re.findall(r'(?:src|href)="(/[^"]+\.\w+)"', page):
        async with session.get(address + file) as answer:
            assert answer.status == 200
            await answer.read()


async def view_of(client: RawClient) -> dict[str, Any]:
    room = await client.receive("room")
    return {"epoch": room[1], "seat": room[3], **room[4]}


async def ask(client: RawClient, *command: Any) -> None:
    said = await client.ask(*command)
    assert said == "ok", command


class Pupil:
    def __init__(self, address: str, code: str, number: int, all_here: asyncio.Barrier) -> None:
        self.all_here = all_here
        self.address = address
        self.code = code
        self.name = f"Pupil {number}"
        self.session = ClientSession()
        self.token = ""

    async def race(self) -> None:
        await load_page(self.session, self.address, f"/r/{self.code}")
        async with guest(self.address) as client:
            self.token = client.token
            await client.send("join", 1, self.code, self.name)
            room = await view_of(client)
            await self.all_here.wait()
            await ask(client, "ready", "")
            await client.receive("board")
            for n in range(DRAWS):
                assert (await client.move(n))[0] == "moved"
        await load_page(self.session, self.address, f"/r/{self.code}")
        async with guest(self.address, self.token) as client:
            await client.send("join", 1, self.code, self.name, [room["epoch"], 1, DRAWS])
            await view_of(client)
            assert (await client.move(DRAWS))[0] == "moved"
            await ask(client, "chat", self.name, "Well played")
            await ask(client, "leave")

    async def watch(self) -> None:
        await load_page(self.session, self.address, f"/r/{self.code}/w")
        async with guest(self.address) as client:
            await ask(client, "watch", self.code, self.name)
            assert "gallery" in [one.message[0] for one in client.received]

    async def fetch(self) -> None:
        await load_page(self.session, self.address, f"/r/{self.code}/1")
        for path in ("1", "1.json"):
            async with self.session.get(f"{self.address}/api/races/{self.code}/{path}") as answer:
                assert answer.status == 200
                found = race_record.read(await answer.read())
                assert sorted(len(log) for _, log in found["logs"])[1:] == [DRAWS + 1] * PLAYERS


@pytest.mark.long
async def test_a_school_behind_one_address_never_meets_a_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fortythieves_server.web.gateway.Accounts", Counted)
    Counted.taken.clear()
    async with serving(tmp_path, limits=Limits()) as address, raw_client(address) as teacher:
        await teacher.hello()
        await teacher.send(
            *("create", 1, "Teacher"), {"seats": PLAYERS + 1, "watching": "link", "countdown": 3, "game": "lucas"}
        )
        code = (await view_of(teacher))["code"]
        all_here = asyncio.Barrier(PLAYERS + 1)
        pupils = [Pupil(address, code, number, all_here) for number in range(PLAYERS)]
        try:
            async with asyncio.TaskGroup() as school:
                for pupil in pupils:
                    school.create_task(pupil.race())
                await all_here.wait()
                await ask(teacher, "ready", "")
                await teacher.receive("board")
                for pupil in pupils:
                    school.create_task(pupil.watch())
            await ask(teacher, "leave")
            await asyncio.gather(*[pupil.fetch() for pupil in pupils])
        finally:
            await asyncio.gather(*[pupil.session.close() for pupil in pupils])
    # The limits allow a tournament of six hundred. The speed of the test does not matter, because people are slower.
    limits = Limits().of_address
    used = {
        (address, bucket): taken / (limits[bucket].burst + LESSON * limits[bucket].per_second)
        for (address, bucket), taken in Counted.taken.items()
        if bucket not in MACHINE
    }
    assert {key: part for key, part in used.items() if part > 0.05} == {}
