"""How many more moves a Redis Cluster of two nodes commits than one node."""

import tempfile
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import redis
from redis.crc import key_slot

from fortythieves_server.store.schema import of_room
from tests.bench import bare
from tests.bench.figures import Found, Row
from tests.bench.processes import Child, child, cpu
from tests.bench.run import Run
from tests.server.redises import LASTING, Cluster, a_cluster

RACERS, SECONDS, ROUNDS = 400, 2.0, 5

ROWS = [
    Row("second", "two nodes of a cluster against one: moves a second at equal CPU", "x", "1", "ratio", 1.8, True),
]


async def measure(run: Run) -> dict[str, Found]:
    racers, seconds = run.many(RACERS, 8), run.seconds(SECONDS)
    costs: dict[int, list[float]] = {1: [], 2: []}
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        measured: list[tuple[list[float], Cluster, Child]] = []
        for nodes, found in costs.items():
            cluster = await stack.enter_async_context(a_cluster(folder / f"{nodes}", nodes, 0, LASTING))
            ports = [node.port for node in cluster.nodes]
            committer, _ = await stack.enter_async_context(child(commits, ports, racers))
            measured.append((found, cluster, committer))
        for _ in run.rounds(ROUNDS):
            for found, cluster, committer in measured:
                before = spent(cluster)
                done = await committer.ask(seconds)
                found.append((spent(cluster) - before) / done * 1e6)
    gains = [2 * alone / together for alone, together in zip(costs[1], costs[2], strict=True)]
    return {"second": Found(gains, [1.0] * len(gains))}


def spent(cluster: Cluster) -> float:
    return sum(cpu(node.pid) for node in cluster.nodes)


def commits(pipe: Connection, ports: Sequence[int], racers: int) -> None:
    """Commit moves: for each node in turn, a pipeline with one move for each of its racers.

    A request is a number of seconds, the answer the number of moves.
    """
    clients = [redis.Redis(port=port) for port in ports]
    shares: list[list[bare.Seat]] = [[] for _ in ports]
    room = 0
    while any(len(share) < racers // len(ports) for share in shares):
        name = f"C{room}X"
        room += 1
        at = key_slot(of_room(f"{name}0", "meta").encode()) * len(ports) // 16384
        if len(shares[at]) < racers // len(ports):
            sha = bare.open_rooms(clients[at], 1, name).execute()[0]
            shares[at] += bare.seats(1, name)
    pipe.send("ready")
    while seconds := pipe.recv():
        done, began = 0, time.perf_counter()
        while time.perf_counter() < began + seconds:
            for client, share in zip(clients, shares, strict=True):
                pipeline: Any = client.pipeline(transaction=False)
                for log in share:
                    pipeline.execute_command(*log.command(sha))
                for log, answer in zip(share, pipeline.execute(), strict=True):
                    log.take(answer)
                done += len(share)
        pipe.send(done)
    for client in clients:
        client.close()
