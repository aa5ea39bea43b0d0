"""Silent connections at a server with few descriptors do not keep others out."""

import asyncio
import contextlib
import socket
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from fortythieves.protocol.to_client import Close
from tests.integration.raw import guest
from tests.server.programs import SECONDS, started

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only there all of 127/8 is this machine")

#: The descriptors of the server, and idle sockets.
FEW, MANY = 256, 400


def connected(address: str, here: str, stack: contextlib.ExitStack) -> socket.socket:
    at = urlsplit(address)
    assert at.hostname and at.port
    return stack.enter_context(socket.create_connection((at.hostname, at.port), 10, (here, 0)))


async def until_ended(silent: socket.socket) -> None:
    silent.setblocking(False)
    async with asyncio.timeout(SECONDS):
        with contextlib.suppress(ConnectionError):
            while await asyncio.get_running_loop().sock_recv(silent, 65536):
                pass


async def test_idle_connections_beyond_all_descriptors_keep_no_player_out(tmp_path: Path) -> None:
    async with started(tmp_path, descriptors=FEW) as server:
        await server.logged("256 files and connections")
        async with guest(server.address) as ann:
            with contextlib.ExitStack() as sockets:
                first = connected(server.address, "127.0.0.2", sockets)
                for k in range(MANY):
                    connected(server.address, f"127.0.1.{1 + k % 100}", sockets)
                    if k % 50 == 0:
                        assert await server.is_well()
                await until_ended(first)
                assert await server.is_well()
                code = await ann.create()
                async with guest(server.address) as bob:
                    await bob.send("ping", 1.0)
                    assert (await bob.receive("pong"))[1] == 1.0
            await server.logged("all descriptors are in use; 16 idle connections were closed")

            async with contextlib.AsyncExitStack() as guests:
                idle = await guests.enter_async_context(guest(server.address))
                for _ in range(FEW):
                    await guests.enter_async_context(guest(server.address))
                assert await server.is_well()
                assert await idle.closed() == Close.GOING_AWAY
                async with guest(server.address) as bob:
                    assert await bob.ask("join", code, "Bob") == "ok"
                assert await ann.ask("lock", True) == "ok"
