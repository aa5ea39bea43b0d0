"""A cache of files in memory, with a limit for their total size."""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable

from fortythieves.errors import Refused

#: Bytes of all cached files. The record of a race of four has 10 kB, that of a race of 600 has 1 MB.
BYTES = 32_000_000
#: The size counted for a refusal. Refusals are cached, because finding them takes as long.
_REFUSAL = 1000


class FileCache:
    """Files by name. If a file is being made, all callers wait for the same one."""

    def __init__(self, most: int = BYTES) -> None:
        self._most = most
        self._bytes = 0
        self._files: OrderedDict[Hashable, bytes | Refused] = OrderedDict()
        self._making: dict[Hashable, asyncio.Task[bytes]] = {}

    async def get(self, name: Hashable, make: Callable[[], Awaitable[bytes]]) -> bytes:
        """The file, which is made if need be. Raises what ``make`` raises; a "huge-record" is cached, too."""
        found = self._files.get(name)
        if found is not None:
            self._files.move_to_end(name)
        elif (task := self._making.get(name)) is not None:
            return await asyncio.shield(task)
        else:
            # If one caller is cancelled, the others still get the file.
            task = self._making[name] = asyncio.ensure_future(self._make(name, make))
            task.add_done_callback(lambda _: self._making.pop(name))
            return await asyncio.shield(task)
        if isinstance(found, Refused):
            raise Refused(found.code)
        return found

    async def _make(self, name: Hashable, make: Callable[[], Awaitable[bytes]]) -> bytes:
        try:
            file = await make()
        except Refused as refused:
            if refused.code == "huge-record":
                self._keep(name, refused)
            raise
        self._keep(name, file)
        return file

    def _keep(self, name: Hashable, file: bytes | Refused) -> None:
        self._files[name] = file
        self._bytes += _size(file)
        while self._bytes > self._most:
            _, oldest = self._files.popitem(last=False)
            self._bytes -= _size(oldest)


def _size(file: bytes | Refused) -> int:
    return _REFUSAL if isinstance(file, Refused) else len(file) + _REFUSAL
