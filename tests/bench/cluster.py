"""How many more moves a Redis Cluster of two nodes commits than one node."""

import tempfile
from contextlib import AsyncExitStack
from pathlib import Path

from tests.bench import bare
from tests.bench.figures import Found, Row, Run
from tests.bench.processes import Child, child, cpu
from tests.server.redises import LASTING, Cluster, a_cluster

RACERS, SECONDS, ROUNDS = 400, 2.0, 5

ROWS = [Row("second", "two nodes of a cluster against one: moves a second at equal CPU", "x", "1", "ratio", 1.8, True)]


async def measure(run: Run) -> dict[str, Found]:
    racers, seconds = run.many(RACERS, 8), run.seconds(SECONDS)
    costs: dict[int, list[float]] = {1: [], 2: []}
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        measured: list[tuple[list[float], Cluster, Child]] = []
        for nodes, found in costs.items():
            cluster = await stack.enter_async_context(a_cluster(folder / f"{nodes}", nodes, 0, LASTING))
            urls = [f"redis://127.0.0.1:{node.port}" for node in cluster.nodes]
            committer, _ = await stack.enter_async_context(child(bare.commits, urls, racers))
            measured.append((found, cluster, committer))
        for _ in run.rounds(ROUNDS):
            for found, cluster, committer in measured:
                before = spent(cluster)
                done, _ = await committer.ask(seconds)
                found.append((spent(cluster) - before) / done * 1e6)
    gains = [2 * alone / together for alone, together in zip(costs[1], costs[2], strict=True)]
    return {"second": Found(gains, [1.0] * len(gains))}


def spent(cluster: Cluster) -> float:
    return sum(cpu(node.pid) for node in cluster.nodes)
