"""Operators see the reports of all processes of a real server, and no other client does."""

import base64
from collections.abc import AsyncIterator
from pathlib import Path
from typing import NamedTuple

import pytest
from aiohttp import ClientSession
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from fortythieves.errors import Refused
from fortythieves.times import Ms
from fortythieves_client.client import Client
from fortythieves_server.ops.reports import merged
from fortythieves_server.ops.routes import has_token
from fortythieves_server.process.embedded_redis import EmbeddedRedis
from tests.server.ops.test_page import ROOM, WELL, Seen
from tests.server.redises import free_port
from tests.server.stores import until_it_is
from tests.serving import serving

TOKEN = "a-token-that-nobody-guesses"


def basic(password: str, name: str = "") -> str:
    return "Basic " + base64.b64encode(f"{name}:{password}".encode(errors="replace")).decode()


class Operated(NamedTuple):
    """A server and its dashboard."""

    address: str
    page: str

    async def get(self, authorization: str | None) -> tuple[int, str, dict[str, str]]:
        headers = {} if authorization is None else {"Authorization": authorization}
        async with ClientSession() as session, session.get(self.page, headers=headers) as answer:
            return answer.status, await answer.text(), dict(answer.headers)

    async def seen(self) -> Seen:
        status, text, _ = await self.get(basic(TOKEN))
        assert status == 200
        return Seen(text.encode())


@pytest.fixture
async def servers(url: str, tmp_path: Path) -> AsyncIterator[list[Operated]]:
    """Two processes on one Redis."""
    ports = [free_port(), free_port()]
    pages = [f"http://127.0.0.1:{port}/ops" for port in ports]
    async with (
        serving(tmp_path, redis=url, ops_port=ports[0], ops_token=TOKEN) as one,
        serving(tmp_path, redis=url, ops_port=ports[1], ops_token=TOKEN) as two,
    ):
        yield [Operated(one, pages[0]), Operated(two, pages[1])]


#: Headers without the token.
WRONG = [
    *(
        None,
        "",
        "Basic",
        "Basic ***",
        "Basic ü",
        basic(""),
        basic("x" * 1000),
        basic(TOKEN[:-1]),
        basic(TOKEN + "x"),
    ),
    *(basic("", name=TOKEN), f"Basic {TOKEN}", f"Bearer {TOKEN}", basic(TOKEN).replace("Basic", "Digest")),
]


async def test_a_client_without_the_token_gets_no_page(servers: list[Operated]) -> None:
    for authorization in WRONG:
        status, text, headers = await servers[0].get(authorization)
        assert (status, text) == (401, ""), authorization
        assert headers["WWW-Authenticate"].startswith("Basic ")


@given(st.text() | st.text().map(basic) | st.binary().map(lambda said: f"Basic {said.decode('latin-1')}"))
def test_no_other_header_has_the_token(authorization: str) -> None:
    assert not has_token(authorization, TOKEN)


async def test_a_token_in_the_address_is_not_accepted(servers: list[Operated]) -> None:
    at = servers[0]._replace(page=f"{servers[0].page}?token={TOKEN}&password={TOKEN}")
    assert (await at.get(None))[:2] == (401, "")


async def test_each_process_shows_the_rooms_of_all(servers: list[Operated]) -> None:
    one, two = servers
    async with Client(one.address) as ann, Client(two.address) as bob:
        room = await ann.create("<b>Ann</b>", game="lucas")
        await bob.join("Bob", room.code)
        with pytest.raises(Refused):
            await bob.kick(1)

        async def seen_by(server: Operated) -> bool:
            text = (await server.seen()).text
            return {room.code, "Lucas", "<b>Ann</b>", "2 of 2", "lobby", "not-host"} <= set(text) and any(
                line.startswith("Processes: 2. Players: 2.") for line in text
            )

        for server in servers:
            await until_it_is(lambda server=server: seen_by(server))  # type: ignore[misc]
            assert "b" not in (await server.seen()).tags


async def test_the_page_is_not_cached_and_runs_nothing(servers: list[Operated]) -> None:
    status, _, headers = await servers[0].get(basic(TOKEN, name="whoever"))
    assert status == 200
    assert headers["Cache-Control"] == "no-store"
    assert "default-src 'none'" in headers["Content-Security-Policy"]
    assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
    assert "script-src" not in headers["Content-Security-Policy"]
    assert "Set-Cookie" not in headers


async def test_the_players_port_has_no_dashboard(servers: list[Operated]) -> None:
    status, _, _ = await servers[0]._replace(page=f"{servers[0].address}/ops").get(basic(TOKEN))
    assert status == 404


async def test_a_stopped_process_leaves_the_dashboard(url: str, tmp_path: Path) -> None:
    ports = [free_port(), free_port()]
    async with serving(tmp_path, redis=url, ops_port=ports[0], ops_token=TOKEN) as address:
        here = Operated(address, f"http://127.0.0.1:{ports[0]}/ops")

        async def so_many(processes: str) -> bool:
            return any(line.startswith(processes) for line in (await here.seen()).text)

        async with serving(tmp_path, redis=url, ops_port=ports[1], ops_token=TOKEN):
            await until_it_is(lambda: so_many("Processes: 2."))
        assert await so_many("Processes: 1.")


async def test_a_server_with_an_embedded_redis_has_a_secret_token(tmp_path: Path) -> None:
    said = set[str]()
    for _ in range(2):
        port = free_port()
        async with serving(tmp_path, ops_port=port, hurry=False) as address:
            file = tmp_path / "ops-token"
            assert file.stat().st_mode & 0o777 == 0o600
            token = file.read_text().strip()
            assert len(token) >= 32
            status, _, _ = await Operated(address, f"http://127.0.0.1:{port}/ops").get(basic(token))
            assert status == 200
            said.add(token)
    assert len(said) == 1


async def test_without_a_token_there_is_no_page(own_redis: EmbeddedRedis, tmp_path: Path) -> None:
    port = free_port()
    async with serving(tmp_path / "other", redis=own_redis.url, ops_port=port) as address:
        status, _, _ = await Operated(address, f"http://127.0.0.1:{port}/ops").get(basic(""))
        assert status == 404


def test_a_room_on_several_processes_is_merged() -> None:
    later = replace(ROOM, at=ROOM.at + Ms(1), state="over", watchers=5)
    other = replace(ROOM, code="BCDFGH", at=ROOM.at - Ms(1))
    told = merged([replace(WELL, listed=[ROOM, other]), replace(WELL, process="two", listed=[later])])
    assert told == [replace(later, watchers=6), other]
