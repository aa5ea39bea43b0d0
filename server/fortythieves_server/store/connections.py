"""Connections to Redis, each kind with its own timeouts."""

import contextlib
import random
from collections.abc import Callable
from typing import Any

from redis.asyncio import RedisCluster
from redis.asyncio.client import Redis
from redis.asyncio.cluster import ClusterNode
from redis.asyncio.retry import Retry
from redis.asyncio.sentinel import Sentinel
from redis.backoff import NoBackoff
from redis.driver_info import DriverInfo
from redis.exceptions import RedisClusterException, RedisError

from fortythieves_server.store import redis_url
from fortythieves_server.store.redis_errors import LOST_CONNECTION
from fortythieves_server.store.redis_url import RedisUrl

#: Redis may have closed an idle connection. Readers then try another one. The name and version of redis-py are read
#: once: for each connection, that would block the event loop for 4 ms (measured).
_TWICE: dict[str, Any] = {
    "retry": Retry(NoBackoff(), 1),
    "socket_connect_timeout": 2,
    "socket_timeout": 2,
    "driver_info": DriverInfo(),
}
#: By default redis-py would reconnect, from whichever task finds the connection broken.
_NEVER = {**_TWICE, "retry": Retry(NoBackoff(), 0, supported_errors=()), "socket_timeout": None}


class Connections:
    """All connections of one process, here to one Redis server."""

    #: Whether the number of subscribers that Redis reports is complete.
    counts_listeners = True
    #: Whether notifications of a key are published on its own node only.
    is_sharded = False

    def __init__(self, url: RedisUrl) -> None:
        #: How many replicas must have a commit before it is acknowledged.
        self.replicas = url.replicas
        #: The client for all reads, on any node. Its type is `Any`, because our answers are never decoded to `str`.
        self.reader: Any = self._client(url, _TWICE)
        self._alone = self._client(url, _NEVER)
        #: Called when another server is the master: all other connections of the process must reach it, too.
        self.on_moved: Callable[[], None] = lambda: None

    def _client(self, url: RedisUrl, timeouts: dict[str, Any]) -> Redis:
        client: Redis = Redis.from_url(url.address, **timeouts)
        return client

    async def open(self) -> None:
        """Find all nodes. Raises `RedisError` or `OSError`."""
        about = await self.reader.info("cluster")
        if about.get("cluster_enabled"):
            raise RedisError("it is a node of a cluster; its address must look like redis+cluster://host:port")

    def node_of(self, key: str) -> str:
        """The node on which a key is written. Commands for the same node can be sent together."""
        return ""

    def client(self, node: str) -> Redis:
        """A client for commits, bulk reads and pub/sub on a node, each with its own connection. "": any node."""
        return self._alone

    def nodes(self) -> list[str]:
        """The nodes that accept writes."""
        return [""]

    def reader_of(self, node: str) -> Any:
        """A client for questions to one node."""
        return self.reader

    async def refresh_nodes(self) -> None:
        """Read the list of nodes after a failure, because it may be out of date."""

    async def follow_master(self) -> None:
        """Let no connection stay with a server that is no longer the master, if that can be found out."""

    async def close(self) -> None:
        await _close(self.reader, self._alone)


class _Sentinel(Connections):
    """The Redis server that the sentinels call the master. Each new connection asks them.

    A master that was replaced may answer for ten more seconds. So when one connection finds another master, all move.
    """

    def __init__(self, url: RedisUrl) -> None:
        self._service = url.service
        self._fewest_replicas = url.replicas
        self._master: tuple[str, int] | None = None
        tls = {name: value for name, value in url.options.items() if name.startswith("ssl")}
        quick = {"socket_connect_timeout": 1, "socket_timeout": 1, "retry": Retry(NoBackoff(), 0)}
        self._sentinel = Sentinel(url.hosts, sentinel_kwargs={**quick, **tls, **url.sentinel})  # type: ignore[no-untyped-call]
        super().__init__(url)

    def _client(self, url: RedisUrl, timeouts: dict[str, Any]) -> Redis:
        master: Redis = self._sentinel.master_for(url.service, **url.options, **timeouts)
        return master

    async def open(self) -> None:
        await self.follow_master()
        await self.reader.ping()

    async def refresh_nodes(self) -> None:
        await self.follow_master()

    async def follow_master(self) -> None:
        with contextlib.suppress(RedisError, *LOST_CONNECTION):  # without sentinels, the known master goes on
            before, self._master = self._master, await self._sentinel.discover_master(self._service)
            if before not in (None, self._master):
                for client in (self.reader, self._alone):
                    await client.connection_pool.disconnect()
                self.on_moved()
            if self._fewest_replicas:
                # Any of them may be the next master. During a failover, the old master still has the others.
                replicas = await self._sentinel.discover_slaves(self._service)
                self.replicas = max(self._fewest_replicas, len(replicas))

    async def close(self) -> None:
        await super().close()
        await _close(self._sentinel)


#: The first version of Redis with sharded pub/sub.
_SHARDED_SINCE = 7


class _Cluster(Connections):
    """A cluster, in which each key has a node. Before Redis 7, every node publishes all notifications."""

    def __init__(self, url: RedisUrl) -> None:
        self.replicas = url.replicas
        self._options = url.options
        nodes = [ClusterNode(host, port) for host, port in url.hosts]
        self._cluster = RedisCluster(startup_nodes=nodes, require_full_coverage=False, **url.options, **_TWICE)
        self.reader: Any = self._cluster
        self.on_moved = lambda: None
        self._clients: dict[tuple[str, bool], Redis] = {}

    async def open(self) -> None:
        await self._cluster.initialize()
        servers = await self._cluster.execute_command("INFO", "server", target_nodes=RedisCluster.ALL_NODES)
        versions = [int(str(about["redis_version"]).partition(".")[0]) for about in servers.values()]
        # Otherwise each node only knows its own subscribers.
        self.is_sharded = self.counts_listeners = min(versions) >= _SHARDED_SINCE

    def node_of(self, key: str) -> str:
        found: ClusterNode | None = None
        with contextlib.suppress(RedisClusterException):
            found = self._cluster.get_node_from_key(key)
        # If no node is known, any node can name it, or say that there is none for now.
        return str((found or self._any()).name)

    def _any(self) -> ClusterNode:
        node: ClusterNode = random.choice(self._cluster.get_primaries() or self._cluster.get_nodes())
        return node

    def client(self, node: str) -> Redis:
        return self._client_of(node or str(self._any().name), again=False)

    def _client_of(self, node: str, *, again: bool) -> Redis:
        if (node, again) not in self._clients:
            host, _, port = node.rpartition(":")
            timeouts = _TWICE if again else _NEVER
            self._clients[node, again] = Redis(host=host, port=int(port), **self._options, **timeouts)
        return self._clients[node, again]

    def nodes(self) -> list[str]:
        return [str(node.name) for node in self._cluster.get_primaries()]

    def reader_of(self, node: str) -> Any:
        # RedisCluster would close its connections to all nodes if this one does not answer.
        return self._client_of(node, again=True)

    async def refresh_nodes(self) -> None:
        with contextlib.suppress(RedisError, *LOST_CONNECTION):
            await self._cluster.nodes_manager.initialize()

    async def close(self) -> None:
        await _close(self._cluster, *self._clients.values())


def connections(url: str) -> Connections:
    parsed = redis_url.parse(url)
    return {"single": Connections, "sentinel": _Sentinel, "cluster": _Cluster}[parsed.kind](parsed)


async def _close(*clients: Any) -> None:
    for client in clients:
        with contextlib.suppress(RedisError, *LOST_CONNECTION):
            await client.aclose()
