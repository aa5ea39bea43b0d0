"""Files that are kept in memory for the next who ask, as long as all of them together are not too big."""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable

from fortythieves.errors import Refused

#: Bytes of all that is kept. The record of a race of four has ten thousand, that of a race of 600 a million.
BYTES = 32_000_000
#: Refusals that are kept, too: to find out took as long.
_REFUSAL = 1000


class FileCache:
    """Files by name. Who asks for one that is being made waits for the same one."""

    def __init__(self, most: int = BYTES) -> None:
        self._most = most
        self._bytes = 0
        self._files: OrderedDict[Hashable, bytes | Refused] = OrderedDict()
        self._making: dict[Hashable, asyncio.Task[bytes]] = {}

    async def get(self, name: Hashable, make: Callable[[], Awaitable[bytes]]) -> bytes:
        """The file, made if it has to be. Raises what making it raises; a "huge-record" stays one."""
        found = self._files.get(name)
        if found is not None:
            self._files.move_to_end(name)
        elif (task := self._making.get(name)) is not None:
            return await asyncio.shield(task)
        else:
            # One who goes away while it is made does not leave the others without.
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
