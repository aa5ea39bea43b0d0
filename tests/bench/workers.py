"""How many more moves two processes make than one of the same CPU, and which process serves a room."""

import asyncio
import contextlib
import os
import random
import signal
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from statistics import quantiles
from typing import NamedTuple

from aiohttp import ClientSession

from tests.bench import bare
from tests.bench.figures import Found, Row, Run
from tests.bench.moves import ENTRIES, RACERS, Spell, echoing, spell
from tests.bench.pace import cost_at_pace
from tests.bench.players import CommandClient, Player, Room, hang_up, of_all, rooms_of_four
from tests.bench.processes import Child, Program, child, program, redis
from tests.bench.websocket import connect
from tests.integration.balancer import balanced
from tests.server.redises import free_port

#: Many short rounds, because other load changes the speed by up to a third. Each racer has `ENTRIES` moves.
SECONDS, PACED, ROUNDS = 0.5, 0.7, 14
#: Moves a second of each process: half of full speed, so that no process waits for a core.
PACE = 10_000
#: Rounds of new connections.
SET_UP_ROUNDS = 4
#: Rooms of four for counting the processes of each room.
ROOMS = 200
#: Seconds after a worker was killed, and after it is back, until the rooms are counted.
KILLED, BACK = 5.0, 60.0
#: New connections in a round.
SET_UP = 400

ONE = "as many rooms"
#: The gain of a second process that shares only the machine.
ECHOES = "two bare aiohttp + uvloop + msgpack echoes against one"
EACH = f"at equal CPU, each with {RACERS} people and {PACE:,} moves/s"
ALL_OUT = f"at equal CPU, all out, {RACERS} people in all"
ROWS = [
    Row("two", f"two processes against one {EACH}", "x", ECHOES, "value", 1.8, more=True),
    Row("proxied", f"two servers behind haproxy against one {EACH}", "x", ECHOES, "value", 1.8, more=True),
    Row("two_all_out", f"two processes against one {ALL_OUT}", "x", ECHOES, "value", 1.8, more=True),
    Row("proxied_all_out", f"two servers behind haproxy against one {ALL_OUT}", "x", ECHOES, "value", 1.8, more=True),
    Row("together", "rooms of 4 that one of two workers serves alone", "%", ONE, "value", 100, more=True),
    Row("killed", f"the same, {KILLED:g} s after a worker was killed", "%", ONE, "value", 100, more=True),
    Row("back", f"the same, {BACK:g} s after it is back", "%", ONE, "value", 95, more=True),
    Row("set_up_p50", "setting up a connection for a room, p50", "ms", "without affinity", "excess", 1),
    Row("set_up_p99", "setting up a connection for a room, p99", "ms", "without affinity", "excess", 5),
]


class Contender(NamedTuple):
    """Some processes and their players: `RACERS` for each process."""

    processes: int
    players: list[Player]
    cpu: Callable[[], float]


async def measure(run: Run) -> dict[str, Found]:
    return {**await _at_equal_cpu(run), **await _together(run), **await _set_up(run)}


async def _at_equal_cpu(run: Run) -> dict[str, Found]:
    """Measure one process and two of each kind alternately.

    Servers behind the load balancer of deploy/ do not know each other.
    """
    proxied = ("--proxies", "127.0.0.1")
    racers = run.many(RACERS)
    async with (
        redis() as stored,
        program(stored.url) as one,
        program(stored.url, workers=2) as two,
        program(stored.url, *proxied) as server,
        program(stored.url, *proxied) as first,
        program(stored.url, *proxied) as second,
        balanced([server.address, server.address]) as to_one,
        balanced([first.address, second.address]) as to_two,
        child(bare.echo) as (echo, echo_address),
        child(bare.echo) as (left, left_address),
        child(bare.echo) as (right, right_address),
    ):

        async def racing(address: str, *programs: Program) -> Contender:
            processes = sum(len(each.pids) for each in programs)
            players = of_all(await rooms_of_four(address, processes * racers, ENTRIES))
            return Contender(processes, players, lambda: sum(each.cpu() for each in programs))

        async def echoed(addresses: Sequence[str], *echoes: Child) -> Contender:
            count = len(echoes)
            players = [await echoing(addresses[n % count], n, ENTRIES) for n in range(count * racers)]
            return Contender(count, players, lambda: sum(each.cpu() for each in echoes))

        contenders = {
            "one": await racing(one.address, one),
            "two": await racing(two.address, two),
            "to_one": await racing(to_one, server),
            "to_two": await racing(to_two, first, second),
            "echo": await echoed([echo_address], echo),
            "echoes": await echoed([left_address, right_address], left, right),
        }
        paced: dict[str, list[float]] = {name: [] for name in contenders}
        spells: dict[str, list[Spell]] = {name: [] for name in contenders}
        for _ in run.rounds(ROUNDS):
            for name, (processes, players, spent) in contenders.items():
                pace = processes * PACE * run.part
                paced[name].append(await cost_at_pace(players, pace, run.seconds(PACED), spent))
            for name, (_, players, spent) in contenders.items():
                spells[name].append(await spell(players[:racers], run.seconds(SECONDS), spent))
        for _, players, _ in contenders.values():
            hang_up(players)

    def worth(costs: Mapping[str, Sequence[float]], alone: str, both: str) -> list[float]:
        return [2 * less / more for less, more in zip(costs[alone], costs[both], strict=True)]

    def found(costs: Mapping[str, Sequence[float]], alone: str, both: str) -> Found:
        return Found(worth(costs, alone, both), worth(costs, "echo", "echoes"))

    all_out = {name: [each.cost for each in of] for name, of in spells.items()}
    return {
        "two": found(paced, "one", "two"),
        "proxied": found(paced, "to_one", "to_two"),
        "two_all_out": found(all_out, "one", "two"),
        "proxied_all_out": found(all_out, "to_one", "to_two"),
    }


async def _together(run: Run) -> dict[str, Found]:
    first = free_port()
    ports = [first, first + 1]
    async with redis() as stored, program(stored.url, "--ops-port", str(ports[0]), workers=2) as server:
        rooms = await rooms_of_four(server.address, run.many(4 * ROOMS), 1)
        async with _staying(server.address, rooms):
            steady = await _alone(ports, len(rooms))
            began = time.monotonic()
            os.kill(server.pids[0], signal.SIGKILL)
            await asyncio.sleep(KILLED - (time.monotonic() - began))
            # The new worker may already serve some rooms.
            killed = await _alone(ports, len(rooms))
            back, took = 0.0, 0.0
            while back < 100 and took < KILLED + BACK:
                await asyncio.sleep(1)
                # While it serves no room, all players are still on the other one.
                back = await _alone(ports, len(rooms)) if await _rooms_at(ports[0]) else 0.0
                took = time.monotonic() - began
    return {"together": Found([steady], [100.0]), "killed": Found([killed], [100.0]), "back": Found([back], [100.0])}


@contextlib.asynccontextmanager
async def _staying(address: str, rooms: Sequence[Room]) -> AsyncIterator[None]:
    dice = random.Random(1)
    websockets = []

    async def stay(room: Room, n: int) -> None:
        websocket = room.players[n].websocket
        while True:
            await websocket.closed
            await asyncio.sleep(dice.random())
            with contextlib.suppress(OSError, AssertionError):
                client = await CommandClient.of(address, room.tokens[n], code=room.code)
                await client.ask("join", 1, room.code, "", None)
                websocket = client.websocket
                websockets.append(websocket)

    tasks = [asyncio.create_task(stay(room, n)) for room in rooms for n in range(len(room.players))]
    yield
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    hang_up(of_all(rooms))
    for websocket in websockets:
        websocket.close()


async def _alone(ports: Sequence[int], rooms: int) -> float:
    """The share of rooms with one process only, in percent, by the metrics."""
    served = sum([await _rooms_at(port) for port in ports])
    return 100 * max(0, 2 * rooms - served) / rooms if served >= rooms else 100 * served / rooms


async def _rooms_at(port: int) -> int:
    """The number of rooms of a process; 0 if it does not answer."""
    with contextlib.suppress(OSError):
        async with ClientSession() as session, session.get(f"http://127.0.0.1:{port}/metrics") as answer:
            lines = (await answer.text()).splitlines()
            return int(float(next(line.split()[1] for line in lines if line.startswith("fortythieves_rooms "))))
    return 0


async def _set_up(run: Run) -> dict[str, Found]:
    """Connections for rooms of either worker, with affinity and without, in turns."""
    times: dict[str, list[list[float]]] = {"on": [], "off": []}
    async with (
        redis() as stored,
        program(stored.url, workers=2) as with_affinity,
        program(stored.url, workers=2, started=("tests.faults.scattered",)) as without,
    ):
        rooms = await rooms_of_four(with_affinity.address, 4 * 8, 1)
        for _ in run.rounds(SET_UP_ROUNDS):
            for each in times.values():
                each.append([])
            for n in range(run.many(SET_UP)):
                for name, server in (("on", with_affinity), ("off", without)):
                    began = time.perf_counter()
                    websocket = await connect(server.address, lambda payload: None, code=rooms[n % len(rooms)].code)
                    times[name][-1].append((time.perf_counter() - began) * 1000)
                    websocket.close()
        hang_up(of_all(rooms))
    found = {name: [quantiles(each, n=100) for each in rounds] for name, rounds in times.items()}
    return {
        f"set_up_p{percent}": Found(
            [each[percent - 1] for each in found["on"]], [each[percent - 1] for each in found["off"]]
        )
        for percent in (50, 99)
    }
