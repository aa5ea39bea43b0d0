"""The files of the web client, of all builds, which all processes share.

During a rolling update, a page and its files come from processes with different builds. A page that was opened before
an update still loads parts of its own build.
"""

from collections.abc import Iterable, Mapping
from typing import cast

from fortythieves_server.store.access import RedisAccess
from fortythieves_server.store.schema import of_client_file

#: Seconds for which a file is kept. Processes with its build renew it every day, so it stays for seven more.
TTL = 8 * 86_400


class ClientFiles:
    """Every method raises `StoreDown` while Redis is away."""

    def __init__(self, redis: RedisAccess) -> None:
        self._redis = redis

    async def keep(self, files: Mapping[str, bytes]) -> None:
        """Store files by name. A name contains a hash of the content, so a stored file is not written again."""
        missing = await self.renew(files)
        await self._redis.read_many([("SET", of_client_file(name), files[name], "EX", TTL) for name in missing])

    async def renew(self, names: Iterable[str]) -> list[str]:
        """Keep stored files for as long again. Returns the names without one."""
        names = list(names)
        found = await self._redis.read_many([("EXPIRE", of_client_file(name), TTL) for name in names])
        return [name for name, is_stored in zip(names, found, strict=True) if is_stored != 1]

    async def get(self, name: str) -> bytes | None:
        return cast("bytes | None", await self._redis.do("GET", of_client_file(name)))
