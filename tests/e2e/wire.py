"""A connection between browsers and a server that a test can break, as tunnels, sleep and bad routers do."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress


class Wire:
    """Passes bytes both ways between its own port and the server's."""

    def __init__(self, port: int) -> None:
        self._server_port = port
        self._up = True
        self._deaf = False
        self._open: set[asyncio.StreamWriter] = set()
        self._passing: set[asyncio.Task[None]] = set()
        self.port = 0

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def deafen(self) -> None:
        """From now on the browser hears nothing, but the server does."""
        self._deaf = True

    def cut(self) -> None:
        """Break all connections and take no new ones."""
        self._up = False
        for writer in self._open:
            writer.transport.abort()

    def mend(self) -> None:
        self._up = True
        self._deaf = False

    async def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if not self._up:
            writer.transport.abort()
            return
        their_reader, their_writer = await asyncio.open_connection("127.0.0.1", self._server_port)
        self._open |= {writer, their_writer}
        try:
            await asyncio.gather(self._pass(reader, their_writer), self._pass(their_reader, writer, to_browser=True))
        finally:
            for end in (writer, their_writer):
                self._open.discard(end)
                end.close()

    async def _pass(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, to_browser: bool = False
    ) -> None:
        with suppress(ConnectionError):
            while data := await reader.read(65_536):
                if not (to_browser and self._deaf):
                    writer.write(data)
                    await writer.drain()
            writer.write_eof()


@asynccontextmanager
async def wire_to(port: int) -> AsyncIterator[Wire]:
    wire = Wire(port)
    async with await asyncio.start_server(wire.accept, "127.0.0.1", 0) as listening:
        wire.port = listening.sockets[0].getsockname()[1]
        yield wire
        wire.cut()
