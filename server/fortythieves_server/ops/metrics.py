"""The metrics of a process, in the format of Prometheus.

Other modules count plain numbers, which costs players nothing. They get their names here, when Prometheus asks.
"""

import asyncio
import contextlib
from collections.abc import Iterator, Mapping

from prometheus_client import CollectorRegistry, ProcessCollector, generate_latest
from prometheus_client.metrics_core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    InfoMetricFamily,
    Metric,
)
from prometheus_client.registry import Collector

from fortythieves.protocol.to_client import Close
from fortythieves_server import __version__
from fortythieves_server.common.counters import Histogram
from fortythieves_server.common.tasks import end
from fortythieves_server.store.redis_errors import StoreDown
from fortythieves_server.web.gateway import Gateway

#: Seconds between two measurements of event-loop lag, and the bounds of its histogram.
TICK = 0.5
LAG = (0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0)

_CLOSE_CODES = {code: name.lower() for name, code in vars(Close).items() if name.isupper()}


class Metrics(Collector):
    """All metrics of one process. Prometheus adds up several processes."""

    def __init__(self, gateway: Gateway) -> None:
        self._gateway = gateway
        #: Event-loop lag in seconds.
        self.lag = Histogram(LAG)
        self._registry = CollectorRegistry()
        self._registry.register(self)
        ProcessCollector(registry=self._registry)
        #: How many winnable deals of each game are ready, with 1, 2 and 3 stars.
        self._ready: Mapping[str, tuple[int, int, int]] = {}
        self._ticker: asyncio.Task[None] | None = None

    async def open(self) -> None:
        self._ticker = asyncio.create_task(self._tick(), name="tick")

    async def close(self) -> None:
        await end([self._ticker])

    async def text(self) -> bytes:
        """All metrics as they are now, after a readiness probe."""
        await self._gateway.service.store.readiness_probe.returns()
        with contextlib.suppress(StoreDown):  # then the numbers of the last time
            self._ready = await self._gateway.service.store.pool.counts()
        return generate_latest(self._registry)

    def memory(self) -> int | None:
        """Bytes of memory of this process, if the system reports it."""
        size = self._registry.get_sample_value("process_resident_memory_bytes")
        return None if size is None else int(size)

    def collect(self) -> Iterator[Metric]:
        yield InfoMetricFamily("fortythieves", "The version of the server", value={"version": __version__})
        yield from self._of_connections()
        yield from self._of_rooms()
        yield from self._of_redis()
        yield from self._of_winnable_deals()
        yield _histogram("event_loop_late_seconds", "Event-loop lag, measured twice a second", self.lag)

    def _of_connections(self) -> Iterator[Metric]:
        gateway = self._gateway
        yield _gauge("connections", "WebSockets that are open", len(gateway.peers))
        yield _gauge("players", "WebSockets of players with a seat", sum(peer.seat > 0 for peer in gateway.peers))
        yield _counter("turned_away", "Connections that the limits of an address kept out", gateway.counts.turned_away)
        waiting = [peer.send_queue.waiting for peer in gateway.peers]
        yield _gauge("send_queue_bytes", "Bytes that wait to be sent, of all connections", sum(waiting))
        yield _gauge("send_queue_max_bytes", "Bytes that wait to be sent, of the slowest one", max(waiting, default=0))
        yield _counter("moves_acknowledged", "Acknowledged moves", gateway.counts.moves)
        yield _counters("refused", "Refused requests, by code", "code", gateway.counts.refused)
        closed = {why: gateway.counts.closed[number] for number, why in _CLOSE_CODES.items()}
        yield _counters("closed", "Connections closed by the server", "why", closed)

    def _of_rooms(self) -> Iterator[Metric]:
        seen = self._gateway.service.registry.seen()
        yield _gauge("rooms", "Rooms in memory", seen.rooms)
        yield _gauge("races", "Running races in these rooms; several processes may serve the same one", seen.races)
        yield _gauge("watchers", "Spectators connected to this process", seen.watchers)

    def _of_redis(self) -> Iterator[Metric]:
        store = self._gateway.service.store
        yield _gauge("redis_up", "1 if Redis works, 0 if commits wait", int(store.up))
        if (memory := store.memory.now) is not None:
            yield _gauge("redis_memory_bytes", "Memory that Redis uses; in a cluster, on the fullest node", memory.used)
            yield _gauge("redis_memory_limit_bytes", "The memory limit of Redis, 0 without a limit", memory.limit)
        back = store.readiness_probe.seconds
        yield _gauge("ready", "1 if the readiness probe succeeds, as in /readyz", int(back is not None))
        yield _gauge("notification_seconds", "From a commit to its notification, by the readiness probe", back)
        commits = store.commits
        yield _gauge("commits_waiting", "Commits that have not been sent to Redis yet", commits.waiting)
        yield _gauge("commits_oldest_seconds", "Seconds since the oldest unanswered commit was sent", commits.oldest)
        slowest = sum(seconds for _, seconds in store.moves.slow_rooms(1))
        yield _gauge("slowest_room_seconds", "Seconds of a move until it was on disk, in the slowest room", slowest)
        yield _histogram("commit_seconds", "Seconds until a pipeline of commits was on disk", commits.seconds)
        yield _histogram("commit_batch_size", "Commits in a pipeline; one may have many moves of a race", commits.sizes)

    def _of_winnable_deals(self) -> Iterator[Metric]:
        """Counts only: the deals are secret."""
        counters = self._gateway.service.store.pool.counters
        ready = GaugeMetricFamily(
            "fortythieves_winnable_ready",
            "Winnable deals that are ready in Redis, by game and stars",
            labels=["game", "stars"],
        )
        for game, counts in self._ready.items():
            for stars, count in enumerate(counts, 1):
                ready.add_metric([game, str(stars)], count)
        yield ready
        yield _counter("winnable_tried", "Deals that the child of this process has searched", counters.tried)
        yield _counter("winnable_added", "Deals that were won and added to the pool", counters.added)
        yield _counter("winnable_restarts", "Searches during which that child ended or hung", counters.restarts)
        yield _counter("winnable_claimed", "Winnable deals that races have claimed", counters.claimed)
        text = "Winnable deals that were thrown away: damaged in Redis (bad), or perhaps seen by a player (doubtful)"
        yield _counters("winnable_thrown_away", text, "why", {"bad": counters.bad, "doubtful": counters.doubtful})

    async def _tick(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            due = loop.time() + TICK
            await asyncio.sleep(TICK)
            self.lag.add(max(0.0, loop.time() - due))


def _gauge(name: str, text: str, value: float | None) -> Metric:
    return GaugeMetricFamily(f"fortythieves_{name}", text, value=value)


def _counter(name: str, text: str, value: float) -> Metric:
    return CounterMetricFamily(f"fortythieves_{name}", text, value=value)


def _counters(name: str, text: str, label: str, counts: Mapping[str, int]) -> Metric:
    found = CounterMetricFamily(f"fortythieves_{name}", text, labels=[label])
    for value, count in counts.items():
        found.add_metric([value], count)
    return found


def _histogram(name: str, text: str, seen: Histogram) -> Metric:
    return HistogramMetricFamily(f"fortythieves_{name}", text, buckets=list(seen.buckets()), sum_value=seen.total)
