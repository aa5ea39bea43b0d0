"""The keys with which all processes sign, and their history."""

import secrets

from fortythieves_server.store.group_commit import GroupCommit
from fortythieves_server.store.reads import Reader
from fortythieves_server.store.redis_errors import OtherSchema
from fortythieves_server.store.schema import KEY, KEY_RING, RECORD_KEY, SCHEMA, SCHEMA_KEY
from fortythieves_server.store.scripts import Script


class Keys:
    """Keys, each drawn once for all processes. Every method raises `StoreDown` while Redis is away."""

    def __init__(self, reader: Reader, commits: GroupCommit, swap: Script) -> None:
        self._reader = reader
        self._commits = commits
        self._swap = swap

    async def check_schema(self) -> None:
        """Note the schema of this server if it is the first here. Raises `OtherSchema` if the data has another one.

        Every server writes the schema first and then its keys. So keys without a schema are older.
        """
        async with self._reader.reading():
            is_used = any([await self._reader.redis.exists(name) for name in (KEY, RECORD_KEY)])
            if is_used and not await self._reader.redis.exists(SCHEMA_KEY):
                raise OtherSchema("unknown")
        found = (await self._first(SCHEMA_KEY, b"%d" % SCHEMA)).decode(errors="replace")
        if found != str(SCHEMA):
            raise OtherSchema(found)

    async def signing_key(self) -> bytes:
        """The first key of guest tokens."""
        return await self._first(KEY, secrets.token_bytes(32))

    async def record_key(self) -> bytes:
        """The seed of the first key of records."""
        return await self._first(RECORD_KEY, secrets.token_bytes(32))

    async def _first(self, name: str, value: bytes) -> bytes:
        """The stored value of a name. If there is none, ``value`` is stored."""
        async with self._reader.reading():
            await self._reader.redis.set(name, value, nx=True)
            stored: bytes = await self._reader.redis.get(name)
        return stored

    async def key_ring(self, name: str, first: bytes) -> bytes:
        """A ring of keys (`Rings`). If there is none, ``first`` is stored."""
        return await self._first(KEY_RING + name, first)

    async def change_key_ring(self, name: str, before: bytes, after: bytes) -> bool:
        """Replace a ring of keys. Returns False if it is no longer ``before``."""
        return await self._commits.make(self._swap, (KEY_RING + name,), (before, after)) == [b"ok"]
