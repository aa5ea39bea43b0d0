"""Reads of a few keys. Limits how many run at once."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any

from redis.exceptions import ResponseError

from fortythieves_server.store.redis_errors import LOST_CONNECTION, StoreDown, is_passing, reason

#: How many reads run at the same time, and for how many seconds others wait.
READERS, READ_WITHIN = 16, 10.0


class Reader:
    """A client of redis-py with a limit of concurrent users."""

    def __init__(self, redis: Any) -> None:
        self.redis = redis
        self._readers = asyncio.Semaphore(READERS)

    @contextlib.asynccontextmanager
    async def reading(self) -> AsyncIterator[None]:
        """Use the client during this context. Raises `StoreDown`."""
        try:
            async with asyncio.timeout(READ_WITHIN):
                await self._readers.acquire()
        except TimeoutError:
            raise StoreDown("too many reads wait for Redis") from None
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
