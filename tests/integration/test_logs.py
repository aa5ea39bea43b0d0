"""The logs of a real server name places and events, and contain no secrets."""

import asyncio
import base64
import contextlib
import json
import logging
import socket
import struct
from collections.abc import Iterator
from ipaddress import ip_network
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import pytest
from aiohttp import ClientSession

from fortythieves.errors import Refused
from fortythieves_client.client import Client
from fortythieves_client.reconnecting import Closed
from fortythieves_server.common.logs import AsJson
from tests.integration.raw import RawClient, guest, open_client
from tests.server.redises import PASSWORD, Node, free_port
from tests.server.stores import key, until
from tests.serving import serving

TOKEN = "a-token-that-nobody-guesses"
#: The address of a client behind a proxy.
AWAY = "198.51.100.77"


class Log(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.setFormatter(AsJson())
        self.lines: list[dict[str, Any]] = []

    def emit(self, record: logging.LogRecord) -> None:
        if not record.name.startswith("websockets"):  # Those are the clients.
            self.lines.append(json.loads(self.format(record)))

    def has(self, **fields: object) -> bool:
        return any(fields.items() <= line.items() for line in self.lines)


@pytest.fixture
def log() -> Iterator[Log]:
    root, log = logging.getLogger(), Log()
    level = root.level
    root.addHandler(log)
    root.setLevel(logging.DEBUG)
    yield log
    root.setLevel(level)
    root.removeHandler(log)


async def test_logs_name_the_room_and_the_seat_and_contain_no_secrets(log: Log, tmp_path: Path) -> None:
    gateway, chat = "a door's password", "between you and me"
    port = free_port()
    async with Node(tmp_path / "redis", {"requirepass": PASSWORD}, connect={"password": PASSWORD}) as redis:
        url = f"redis://:{quote(PASSWORD, safe='')}@127.0.0.1:{redis.port}/0"
        server = serving(tmp_path, redis=url, ops_port=port, ops_token=TOKEN, proxies=[ip_network("127.0.0.1")])
        async with server as address, Client(address) as ann, Client(address) as bob, guest(address, of=AWAY) as eve:
            room = await ann.create("Annabel", plan={"entry": "password"}, password=gateway)
            with pytest.raises(Refused):
                await bob.join("Robert", room.code, password="sesame, sesame")
            await bob.join("Robert", room.code, password=gateway)
            await bob.chat(chat)
            assert await eve.ask("watch", room.code, "Eve", "guess") == "wrong-password"
            assert await eve.ask("watch", room.code, "Eve", gateway) == "ok"
            await until(lambda: log.has(room=room.code, seat=2, message=f"room {room.code}, seat 2: joined"))
            with contextlib.suppress(Closed):
                async with Client(address, token=f"{ann.token}x", reconnect_timeout=0):
                    pass
            for password in (TOKEN, TOKEN[:-1]):
                await look_at(f"http://127.0.0.1:{port}/ops", password)
            await unreadable(address, f"GET /{ann.token} HTTP/1.1\r\nHost: x\r\nCookie\x00: {bob.token}\r\n\r\n")
            await until(lambda: any("could not be read" in line["message"] for line in log.lines))
            created = json.loads((await redis.redis.lindex(key("log", code=room.code), 0)).split(b" ", 2)[2])
            await redis.kill()
            await until(lambda: log.has(level="error"))
            await redis.start()
            await until(lambda: any("Redis is back" in line["message"] for line in log.lines))
            said = "\n".join(str(line) for line in log.lines)
            passes = [str(one.token) for one in (ann, bob)]
            guests = [token.partition(".")[0] for token in passes]
            kept = [PASSWORD, quote(PASSWORD, safe=""), gateway, "sesame, sesame", created["password"], TOKEN[:-1]]
            kept += [AWAY, created["secret"], chat, basic(TOKEN), basic(TOKEN[:-1]), *passes, *guests]
            assert [secret for secret in kept if secret in said] == []
            assert [name for name in ("Annabel", "Robert") if name in said] == []
            assert "Traceback" not in said


def basic(password: str) -> str:
    return base64.b64encode(f":{password}".encode()).decode()


async def look_at(page: str, password: str) -> None:
    async with ClientSession(headers={"Authorization": f"Basic {basic(password)}"}) as session:
        await session.get(page)


async def unreadable(address: str, request: str) -> None:
    at = urlsplit(address)
    reader, writer = await asyncio.open_connection(at.hostname, at.port)
    writer.write(request.encode())
    assert b" 400 " in await reader.readline()
    writer.close()
    await writer.wait_closed()


async def test_a_client_that_disconnects_without_an_answer_logs_no_error(log: Log, tmp_path: Path) -> None:
    async with serving(tmp_path) as address:
        for _ in range(20):
            ann = await open_client(address)
            await ann.hello()
            for _ in range(3):
                await ann.socket.ping()
            linger_for_nothing(ann)
            ann.socket.transport.abort()
        async with Client(address) as bob:
            await bob.create("Bob")
    assert [line for line in log.lines if line["level"] == "error"] == []


def linger_for_nothing(client: RawClient) -> None:
    """End the connection by a reset (RST) instead of a close (FIN)."""
    line = client.socket.transport.get_extra_info("socket")
    line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
