"""How Redis is reached: the connections that a process has to it, each kind with a patience of its own."""

import contextlib
from typing import Any

import redis.asyncio
from redis.asyncio.client import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

#: Connections for reading; whoever finds all of them taken waits for one.
READERS = 16

_ONCE: dict[str, Any] = {"retry": Retry(NoBackoff(), 0), "socket_connect_timeout": 2, "socket_timeout": 10}
#: A connection that was idle may be closed when it is used again: what only reads tries another one.
_TWICE = {**_ONCE, "retry": Retry(NoBackoff(), 1), "socket_timeout": 2}
#: Left to itself redis-py would connect again, from whichever task finds the connection broken.
_NEVER = {**_ONCE, "retry": Retry(NoBackoff(), 0, supported_errors=()), "socket_timeout": None}


class Single:
    """One Redis server."""

    def __init__(self, url: str) -> None:
        pool = redis.asyncio.BlockingConnectionPool.from_url(url, max_connections=READERS, timeout=10, **_TWICE)
        #: What everything is read with. Any: redis-py types every answer as bytes or str, and ours are never decoded.
        self.reader: Any = redis.asyncio.Redis.from_pool(pool)
        # One pipeline after the other goes out, so its pool never has more than one connection.
        self.committer: Redis = redis.asyncio.from_url(url, **_ONCE)
        self.listener: Redis = redis.asyncio.from_url(url, **_NEVER)

    async def close(self) -> None:
        """Close all connections."""
        for client in (self.reader, self.committer, self.listener):
            with contextlib.suppress(RedisError, OSError):
                await client.aclose()
