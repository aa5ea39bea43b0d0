"""A proxy with the faults of bad connections: cuts, delays, silence and repeats, at random with a fixed seed.

A test can also break and mend all its connections, as tunnels, sleep and bad routers do.
"""

import asyncio
import contextlib
import random
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field

#: The first pieces of a connection, which must not be repeated: the upgrade, hello, join.
GREETING = 4

Ends = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@dataclass
class Faults:
    """The probability of each fault for one piece of data."""

    #: The connection breaks after half of the piece.
    cut: float = 0.0
    #: The piece and all later ones are delayed.
    delay: float = 0.0
    #: Nothing passes in this direction, until the connection breaks.
    deaf: float = 0.0
    #: The piece is repeated; only for data with frames, and only towards the server.
    twice: float = 0.0
    #: Seconds of a delay and of silence.
    delays: float = 0.2
    deafness: float = 1.5
    happened: Counter[str] = field(default_factory=Counter)


class Proxy:
    """Forwards data, with faults while it is switched on."""

    def __init__(self, reach: Callable[[], Awaitable[Ends]], faults: Faults, seed: str) -> None:
        self.port = 0
        self.on = False
        #: Whether data from the server is dropped, so that the client receives nothing but the server does.
        self.deaf = False
        self._up = True
        self._reach = reach
        self._faults = faults
        self._dice = random.Random(seed)
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
            pieces = 0
            while data := await reader.read(1 << 16):
                pieces += 1
                fault = self._fault(out and pieces > GREETING)
                if fault == "cut":
                    writer.write(data[: len(data) // 2])
                    await writer.drain()
                    return
                if fault == "deaf":
                    await asyncio.sleep(self._faults.deafness)
                    return
                if fault == "delay":
                    await asyncio.sleep(self._dice.random() * self._faults.delays)
                if out or not self.deaf:
                    writer.write(data + data if fault == "twice" else data)
                    await writer.drain()

    def _fault(self, may_come_twice: bool) -> str:
        if not self.on:
            return ""
        faults, dice = self._faults, self._dice.random()
        for name in ("cut", "delay", "deaf", "twice"):
            likely: float = getattr(faults, name)
            if dice < likely and (may_come_twice or name != "twice"):
                faults.happened[name] += 1
                return name
            dice -= likely
        return ""


@contextlib.asynccontextmanager
async def proxy(reach: Callable[[], Awaitable[Ends]], faults: Faults, seed: str) -> AsyncIterator[Proxy]:
    """A proxy on a free port; its faults begin when it is switched on."""
    running = Proxy(reach, faults, seed)
    async with await asyncio.start_server(running.serve, "127.0.0.1", 0) as server:
        running.port = server.sockets[0].getsockname()[1]
        yield running
