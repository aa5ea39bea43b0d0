"""Reads of a few keys: how many at once, and what is said when Redis is away."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any

from redis.exceptions import ResponseError

from fortythieves_server.store.redis_errors import LOST_CONNECTION, StoreDown, is_passing, reason

#: How many read at the same time; whoever comes later waits, so many seconds at most.
READERS, READ_WITHIN = 16, 10.0


class Reader:
    """A client of redis-py that only so many use at once."""

    def __init__(self, redis: Any) -> None:
        self.redis = redis
        self._readers = asyncio.Semaphore(READERS)

    @contextlib.asynccontextmanager
    async def reading(self) -> AsyncIterator[None]:
        """For the time of a read. Raises `StoreDown`."""
        try:
            async with asyncio.timeout(READ_WITHIN):
                await self._readers.acquire()
        except TimeoutError:
            raise StoreDown("too many wait for Redis") from None
        try:
            yield
        except LOST_CONNECTION as error:
            raise StoreDown(reason(error)) from error
        except ResponseError as error:
            if is_passing(error):
                raise StoreDown(str(error)) from error
            raise
        finally:
            self._readers.release()
