"""A proxy that a test can break and mend with all its connections, as tunnels, sleep and bad routers do."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable

Ends = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Proxy:
    def __init__(self, reach: Callable[[], Awaitable[Ends]]) -> None:
        self.port = 0
        #: Whether data from the server is dropped, so that the client receives nothing but the server does.
        self.deaf = False
        self._up = True
        self._reach = reach
        self._writers: set[asyncio.StreamWriter] = set()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def cut(self) -> None:
        """Break all connections and take no new ones."""
        self._up = False
        for writer in self._writers:
            writer.transport.abort()

    def mend(self) -> None:
        self._up, self.deaf = True, False

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        there_writer = None
        with contextlib.suppress(OSError):
            if self._up:
                there_reader, there_writer = await self._reach()
                directions = [
                    asyncio.create_task(self._hand_on(reader, there_writer, out=True)),
                    asyncio.create_task(self._hand_on(there_reader, writer, out=False)),
                ]
                _, pending = await asyncio.wait(directions, return_when=asyncio.FIRST_COMPLETED)
                for direction in pending:
                    direction.cancel()
                await asyncio.gather(*directions, return_exceptions=True)
        self._writers.discard(writer)
        for end in (writer, there_writer):
            if end is not None:
                end.transport.abort()

    async def _hand_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, out: bool) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(1 << 16):
                if out or not self.deaf:
                    writer.write(data)
                    await writer.drain()


@contextlib.asynccontextmanager
async def proxy(reach: Callable[[], Awaitable[Ends]]) -> AsyncIterator[Proxy]:
    running = Proxy(reach)
    async with await asyncio.start_server(running.serve, "127.0.0.1", 0) as server:
        running.port = server.sockets[0].getsockname()[1]
        yield running
