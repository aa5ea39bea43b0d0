"""Measure how dear watchers are.

    python -m tests.bench.bench_watchers [watchers ...]

A server in a process of its own, a room in it with four who race, and 10, 100, 1000 who watch from another process
still. The racers play the same moves each at the same pace. What is measured for so many seconds: the CPU time of the
server in all, without watchers and with them; the microseconds that one frame to one watcher costs; how long after the
move was sent a watcher has it. In the end as many bare aiohttp WebSockets are sent the same bytes one after the other:
that is the least that a frame can cost, and `ratio` is how many times that it costs here.
"""

import asyncio
import contextlib
import multiprocessing
import os
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple

import msgpack
from aiohttp import ClientSession, ClientWebSocketResponse, TCPConnector, WSMsgType, web

from tests.serving import serving

COUNTS = (10, 100, 1000)
RACERS, SECONDS, MOVES_A_SECOND = 4, 10.0, 2.0
DEAL = {"deal": "32001", "undo": "free", "countdown": 3, "auto_start": False, "watch": "frontier"}


class Server(NamedTuple):
    """What the process of the server says of itself."""

    pid: int
    address: str


def cpu() -> float:
    """The CPU seconds that this process has had."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def serve(pipe: Connection) -> None:
    """In a process of its own: a server that answers how much CPU time it has had, until it is told to end."""
    asyncio.run(_serve(pipe))


async def _serve(pipe: Connection) -> None:
    with tempfile.TemporaryDirectory() as directory:
        async with serving(Path(directory)) as address:
            pipe.send(Server(os.getpid(), address))
            await _answer(pipe)


async def _answer(pipe: Connection) -> None:
    loop = asyncio.get_running_loop()
    while await loop.run_in_executor(None, pipe.recv):
        pipe.send(cpu())


def broadcast(pipe: Connection) -> None:
    """In a process of its own: a bare aiohttp server that sends the frames it is given to all that are connected."""
    asyncio.run(_broadcast(pipe))


async def _broadcast(pipe: Connection) -> None:
    sockets: list[web.WebSocketResponse] = []

    async def ws(request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse(compress=False)
        await socket.prepare(request)
        sockets.append(socket)
        async for _ in socket:
            pass
        return socket

    app = web.Application()
    app.add_routes([web.get("/ws", ws)])
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    pipe.send(Server(os.getpid(), f"http://127.0.0.1:{runner.addresses[0][1]}"))
    loop = asyncio.get_running_loop()
    while frames := await loop.run_in_executor(None, pipe.recv):
        before = cpu()
        for frame in frames:
            for socket in sockets:
                await socket.send_bytes(frame)
        pipe.send(cpu() - before)
    for socket in sockets:
        await socket.close()
    await runner.cleanup()


class Watchers:
    """Those who watch, all in this process: how many frames they got, and when each move was first and last seen."""

    def __init__(self) -> None:
        self.frames = 0
        #: Of one of them, every frame.
        self.kept: list[bytes] = []
        #: By seat and number of the entry, at what times it came to each of them.
        self.seen: dict[tuple[int, int], list[float]] = {}

    async def read(self, socket: ClientWebSocketResponse, first: bool) -> None:
        async for message in socket:
            if message.type is not WSMsgType.BINARY:
                return
            self.frames += 1
            if first:
                self.kept.append(message.data)
            if message.data[1:7] == b"\xa5shown":
                now = time.time()
                for seat, n, entries in msgpack.unpackb(message.data)[2]:
                    for at in range(n, n + len(entries)):
                        self.seen.setdefault((seat, at), []).append(now)


def watch(pipe: Connection, address: str, code: str, count: int) -> None:
    """In a process of its own: so many who watch, from when they have come until they are told to end."""
    asyncio.run(_watch(pipe, address, code, count))


async def _watch(pipe: Connection, address: str, code: str, count: int) -> None:
    watchers = Watchers()
    async with ClientSession(connector=TCPConnector(limit=0)) as session:
        sockets = []
        for _ in range(count):
            socket = await session.ws_connect(f"{address}/ws", max_msg_size=0)
            if code:
                await say(socket, "hello", 1, None)
                await say(socket, "watch", 1, code, "Wanda")
                await hear(socket, "ok")
            sockets.append(socket)
        reading = [asyncio.create_task(watchers.read(socket, n == 0)) for n, socket in enumerate(sockets)]
        pipe.send("here")
        loop = asyncio.get_running_loop()
        while await loop.run_in_executor(None, pipe.recv):
            pipe.send((watchers.frames, watchers.kept, watchers.seen))
            watchers.frames, watchers.kept, watchers.seen = 0, [], {}
        for task in reading:
            task.cancel()
        await asyncio.gather(*reading, return_exceptions=True)
        await asyncio.gather(*(socket.close() for socket in sockets))


async def say(socket: ClientWebSocketResponse, *message: Any) -> None:
    await socket.send_bytes(msgpack.packb(message))


async def hear(socket: ClientWebSocketResponse, *tags: str) -> list[Any]:
    while True:
        message: list[Any] = msgpack.unpackb(await socket.receive_bytes())
        if message[0] in tags:
            return message


class Racer:
    """Draws and takes it back, at an even pace, and remembers when each entry was sent."""

    def __init__(self, socket: ClientWebSocketResponse) -> None:
        self.socket = socket
        self.seat = 0
        self.sent: dict[tuple[int, int], float] = {}
        self.n = 0

    async def play(self, until: float) -> None:
        while time.time() < until:
            self.sent[self.seat, self.n] = time.time()
            await say(self.socket, "move", 1, self.n, "undo" if self.n % 2 else "draw")
            await hear(self.socket, "moved")
            self.n += 1
            await asyncio.sleep(1 / MOVES_A_SECOND)


@contextlib.asynccontextmanager
async def child(work: Any, *arguments: Any) -> AsyncIterator[Connection]:
    """A process, and the pipe to it; it is told to end."""
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    process = context.Process(target=work, args=(there, *arguments))
    process.start()
    try:
        yield here
    finally:
        here.send(None)
        await asyncio.to_thread(process.join)


async def ask(pipe: Connection, question: object = "how are you") -> Any:
    pipe.send(question)
    return await asyncio.to_thread(pipe.recv)


async def race(session: ClientSession, address: str) -> tuple[str, list[Racer]]:
    """A room whose race has begun."""
    racers = [Racer(await session.ws_connect(f"{address}/ws", max_msg_size=0)) for _ in range(RACERS)]
    code = ""
    for racer in racers:
        await say(racer.socket, "hello", 1, None)
        if code:
            await say(racer.socket, "join", 1, code, "Bob", None)
        else:
            await say(racer.socket, "create", 1, "Ann", DEAL)
        room = await hear(racer.socket, "room")
        code, racer.seat = room[4]["code"], room[3]
        await hear(racer.socket, "ok")
    await say(racers[0].socket, "start", 2)
    for racer in racers:
        await hear(racer.socket, "board")
    return code, racers


async def bare(count: int, frames: list[bytes]) -> float:
    """The CPU seconds for one frame to one of so many bare WebSockets."""
    async with child(broadcast) as server:
        found: Server = await asyncio.to_thread(server.recv)
        async with child(watch, found.address, "", count) as watchers:
            await asyncio.to_thread(watchers.recv)
            spent: float = await ask(server, frames)
    return spent / (len(frames) * count)


async def measure(count: int) -> str:
    """A line of the table."""
    async with child(serve) as server:
        found: Server = await asyncio.to_thread(server.recv)
        async with ClientSession() as session:
            code, racers = await race(session, found.address)
            alone = await spell(server, racers)
            async with child(watch, found.address, code, count) as watchers:
                await asyncio.to_thread(watchers.recv)
                await ask(watchers)
                spent = await spell(server, racers)
                frames, kept, seen = await ask(watchers)
            sent = {entry: at for racer in racers for entry, at in racer.sent.items()}
            for racer in racers:
                await racer.socket.close()
    late = sorted((at - sent[entry]) * 1000 for entry, ats in seen.items() if entry in sent for at in ats)
    a_frame = (spent - alone) / frames
    least = await bare(count, kept)
    tenths = statistics.quantiles(late, n=100)
    return (
        f"{count:8} {frames:8} {alone / SECONDS:8.1%} {spent / SECONDS:8.1%} {a_frame * 1e6:9.1f} "
        f"{least * 1e6:9.1f} {a_frame / least:6.1f} {statistics.median(late):8.0f} {tenths[98]:8.0f} {late[-1]:8.0f}"
    )


async def spell(server: Connection, racers: list[Racer]) -> float:
    """Race on for some seconds; the CPU seconds of the server."""
    before: float = await ask(server)
    until = time.time() + SECONDS
    await asyncio.gather(*(racer.play(until) for racer in racers))
    after: float = await ask(server)
    return after - before


def main() -> None:
    counts = [int(word) for word in sys.argv[1:]] or COUNTS
    print(f"{RACERS} racers, {MOVES_A_SECOND:g} moves a second each, {SECONDS:g} seconds; CPU of the server's process")
    print(
        f"{'watchers':>8} {'frames':>8} {'alone':>8} {'watched':>8} {'us/frame':>9} {'us/bare':>9} {'ratio':>6} "
        f"{'ms p50':>8} {'ms p99':>8} {'ms max':>8}"
    )
    for count in counts:
        print(asyncio.run(measure(count)), flush=True)


if __name__ == "__main__":
    main()
