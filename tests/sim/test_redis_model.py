"""A real Redis gives the same answers as the model to all commands of a simulation."""

import asyncio
import secrets
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

import pytest
from redis.asyncio.connection import DefaultParser
from redis.exceptions import RedisError

from fortythieves.errors import Refused
from fortythieves_server.store.clock import Clock
from fortythieves_server.store.redis_connection import RedisConnection
from fortythieves_server.store.store import Store
from fortythieves_server.store.winnable_pool import Deal
from tests.server import redises
from tests.sim.loop import Simulation
from tests.sim.network import Network
from tests.sim.redis_model import Node
from tests.sim.redis_scripts import Scripts
from tests.sim.redis_server import Server
from tests.sim.redis_values import flat
from tests.sim.scripts import Crowd, Script, Struck
from tests.sim.world import simulate

#: The milliseconds of the clock, the command, and the answer.
Asked = tuple[int, Sequence[bytes], Any]
#: Faults after which Redis still has everything.
FAULTS = ("cut", "crash", "stop", "pause", "redis_crash", "clock")
#: The answers to these depend on more than the stored values.
OTHERS = (b"INFO", b"CONFIG", b"PUBLISH", b"PUBSUB")


def asked_in(play: Callable[[], object]) -> list[Asked]:
    """Everything that a simulated Redis is asked, in the order in which it answers."""
    asked: list[Asked] = []
    execute = Node.execute

    def record(node: Node, words: Sequence[bytes], **how: bool) -> Any:
        answer = execute(node, words, **how)
        if words[0].upper() not in OTHERS and b"return redis.call('TIME')" not in words:
            asked.append((int((node.clock() + node.ahead) * 1_000_000) // 1000, words, answer))
        return answer

    with patch.object(Node, "execute", record):
        play()
    return asked


def a_world() -> None:
    dice = Random(1)
    faults = tuple(Struck(10.0 + 3 * k, dice.choice(FAULTS), dice.random()) for k in range(5))
    crowds = tuple(Crowd(4, 1, {"countdown": 3, "time_limit": 60, "deal": deal}) for deal in ("secret", "32001"))
    simulate(Script(1, "single", 3, crowds, 28.0, (*faults, Struck(26.0, "flush", 0.5))))


def a_pool() -> None:
    """Winnable deals, which a world does not prepare."""
    with Simulation(1) as simulation:
        process = (network := Network(simulation)).process("server")
        task = process.spawn(use_the_pool(Server(network, "redis", Scripts()).url))
        simulation.run(until=task.done)
        task.result()


async def use_the_pool(url: str) -> None:
    store = Store(url, "one", Clock(), fills_pool=True)
    await store.open()
    for k in range(40):
        await store.pool.add("forty-thieves", Deal(secrets.token_bytes(32), ("draw",), (1, 2, 3)[k % 3]), 20)
        try:
            await store.pool.claim(f"{k % 3}", "forty-thieves", k % 4, f"{k % 2}")
        except Refused:
            await store.pool.settle(f"{k % 3}", "forty-thieves", None if k % 3 else "00")
        await store.pool.unsettled(store.clock.now() - store.clock.now())
    await store.client_files.keep({"a": b"b"})
    await store.client_files.keep({"a": b"b"})
    await store.close()


def plain(answer: Any) -> Any:
    """An answer to compare: of an error, only the code."""
    if isinstance(answer, Exception):
        parse: Any = DefaultParser.parse_error
        error: Any = answer if isinstance(answer, RedisError) else parse(str(answer))
        code = str(error).partition(" ")[0]
        return type(error).__name__, code if code.isupper() else ""
    return [plain(each) for each in answer] if isinstance(answer, list) else flat(answer)


@pytest.mark.skipif(redises.LIBFAKETIME is None, reason="libfaketime has wheels for few machines")
@pytest.mark.parametrize("play", [a_world, a_pool])
def test_the_model_answers_like_a_real_redis(tmp_path: Path, play: Callable[[], object]) -> None:
    asyncio.run(compare(asked_in(play), tmp_path))


async def compare(asked: Sequence[Asked], folder: Path) -> None:
    setting = folder / "setting"
    setting.write_text("+0")
    fake = redises.clock(FAKETIME_TIMESTAMP_FILE=str(setting), FAKETIME_NO_CACHE="1", TZ="UTC")
    async with redises.Node(folder / "redis", {"save": "''"}, environment=fake) as node:
        real = await RedisConnection.open(node.redis)
        # libfaketime does not stop the clock: while Redis waits for the CPU, it may go on by a millisecond. Then
        # another answer differs each time. A fault of the model gives the same difference twice.
        before = ""
        while (different := await first_difference(asked, real, setting)) not in {None, before}:
            before = different
            await real.execute([("FLUSHALL",), ("SCRIPT", "FLUSH")])
        assert different is None, different
        real.close()


async def first_difference(asked: Sequence[Asked], real: RedisConnection, setting: Path) -> str | None:
    before, new = 0, setting.with_suffix(".new")
    for k, (ms, words, answer) in enumerate(asked):
        if ms != before:
            new.write_text(f"{datetime.fromtimestamp(ms / 1000 + 0.0001, UTC):%Y-%m-%d %H:%M:%S.%f}")
            new.replace(setting)
            await asyncio.sleep(0.001)
        before = ms
        [expected] = await real.execute([tuple(words)])
        if plain(answer) != plain(expected):
            return f"{k}, {ms}, {words[:1]}, {words[2:]}: {plain(answer)}, {plain(expected)}"
    return None
