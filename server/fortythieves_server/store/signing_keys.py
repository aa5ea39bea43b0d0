"""The keys with which all processes sign, and their history."""

import secrets

from fortythieves_server.store.access import RedisAccess
from fortythieves_server.store.redis_errors import OtherSchema
from fortythieves_server.store.schema import KEY, KEY_RING, RECORD_KEY, SCHEMA, SCHEMA_KEY


class Keys:
    """Keys, each drawn once for all processes. Every method raises `StoreDown` while Redis is away."""

    def __init__(self, redis: RedisAccess) -> None:
        self._redis = redis

    async def check_schema(self) -> None:
        """Note the schema of this server if it is the first here. Raises `OtherSchema` if the data has another one.

        Every server writes the schema first and then its keys. So keys without a schema are older.
        """
        is_used = any([await self._redis.do("EXISTS", name) for name in (KEY, RECORD_KEY)])
        if is_used and not await self._redis.do("EXISTS", SCHEMA_KEY):
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

    async def key_ring(self, name: str, first: bytes) -> bytes:
        """A ring of keys (`Rings`). If there is none, ``first`` is stored."""
        return await self._first(KEY_RING + name, first)

    async def _first(self, name: str, value: bytes) -> bytes:
        """The stored value of a name. If there is none, ``value`` is stored."""
        await self._redis.do("SET", name, value, "NX")
        stored: bytes = await self._redis.do("GET", name)
        return stored

    async def change_key_ring(self, name: str, before: bytes, after: bytes) -> bool:
        """Replace a ring of keys. Returns False if it is no longer ``before``."""
        return await self._redis.commit("swap", [KEY_RING + name], before, after) == [b"ok"]
