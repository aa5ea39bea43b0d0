"""The keys that all processes sign with, and their history."""

import secrets

from fortythieves_server.store.group_commit import Commits
from fortythieves_server.store.reader import Reader
from fortythieves_server.store.schema import KEY, KEY_RING, RECORD_KEY
from fortythieves_server.store.scripts import Script


class Keys:
    """Keys, each drawn once for all processes. Every verb raises `StoreDown` while Redis is away."""

    def __init__(self, reader: Reader, commits: Commits, swap: Script) -> None:
        self._reader = reader
        self._commits = commits
        self._swap = swap

    async def signing_key(self) -> bytes:
        """What guest passes were first signed with."""
        return await self._drawn_once(KEY)

    async def record_key(self) -> bytes:
        """The seed of the key that records were first signed with."""
        return await self._drawn_once(RECORD_KEY)

    async def _drawn_once(self, name: str) -> bytes:
        """32 bytes from a cryptographic generator, the same for every process and after a restart."""
        return await self._first(name, secrets.token_bytes(32))

    async def _first(self, name: str, value: bytes) -> bytes:
        """What was stored first under a name: this, if nothing was."""
        async with self._reader.reading():
            await self._reader.redis.set(name, value, nx=True)
            stored: bytes = await self._reader.redis.get(name)
        return stored

    async def key_ring(self, name: str, first: bytes) -> bytes:
        """A ring of keys (`key_history`), which begins as ``first``."""
        return await self._first(KEY_RING + name, first)

    async def change_key_ring(self, name: str, before: bytes, after: bytes) -> bool:
        """Put another ring in the place of one; whether it was still there."""
        return await self._commits.make(self._swap, (KEY_RING + name,), (before, after)) == [b"ok"]
