"""The limits: the least CPU that aiohttp, uvloop, msgpack and Redis need, each in a separate process."""

import asyncio
import time
from multiprocessing.connection import Connection
from typing import Any

import msgpack
import redis
import uvloop
from aiohttp import WSMsgType, web

from fortythieves_server.core.playthrough import NO_LOG
from fortythieves_server.store import scripts
from fortythieves_server.store.schema import of_room
from tests.bench.processes import cpu

#: Later than any time.
NEVER = 2**53


def echo(pipe: Connection) -> None:
    """A server that echoes MessagePack. It sends its address first."""
    uvloop.run(_echo(pipe))


async def _echo(pipe: Connection) -> None:
    async def ws(request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse(compress=False, max_msg_size=16384)
        await socket.prepare(request)
        async for message in socket:
            if message.type is WSMsgType.BINARY:
                await socket.send_bytes(msgpack.packb(msgpack.unpackb(message.data)))
        return socket

    runner, address = await _served(ws)
    pipe.send(address)
    await asyncio.to_thread(pipe.recv)
    await _end(runner)


def broadcast(pipe: Connection) -> None:
    """A server that sends frames to all connections when they are due, and returns its CPU time.

    A request is a list of (seconds since the first frame, frame).
    """
    uvloop.run(_broadcast(pipe))


async def _broadcast(pipe: Connection) -> None:
    sockets: list[web.WebSocketResponse] = []

    async def ws(request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse(compress=False)
        await socket.prepare(request)
        sockets.append(socket)
        async for _ in socket:
            pass
        return socket

    runner, address = await _served(ws)
    pipe.send(address)
    while frames := await asyncio.to_thread(pipe.recv):
        before, began = cpu(), time.perf_counter()
        for due, frame in frames:
            if (wait := began + due - time.perf_counter()) > 0.001:
                await asyncio.sleep(wait)
            for socket in sockets:
                await socket.send_bytes(frame)
        pipe.send(cpu() - before)
    await _end(runner)


async def _served(ws: Any) -> tuple[web.AppRunner, str]:
    app = web.Application()
    app.add_routes([web.get("/ws", ws)])
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0, backlog=4096).start()
    return runner, f"http://127.0.0.1:{runner.addresses[0][1]}"


async def _end(runner: web.AppRunner) -> None:
    """Close the server after all connections, because aiohttp fails on connections that break."""
    assert runner.server is not None
    async with asyncio.timeout(30):
        while runner.server.connections:  # noqa: ASYNC110 - aiohttp does not say when the last one is gone
            await asyncio.sleep(0.05)
    await runner.cleanup()


class Seat:
    """The log of one seat, and the arguments of its commits."""

    def __init__(self, code: str, seat: int) -> None:
        keys = of_room(code, "meta"), of_room(code, "progress", 1), of_room(code, "log")
        self._keys = *keys, of_room(code, "moves", 1, seat)
        self._common = f"epoch 0 {NEVER} 1 1 0 {of_room(code, 'notify')} 0 bare 0"
        self._seat = seat
        self._n = 0
        self._log_hash = NO_LOG

    def command(self, sha: str) -> tuple[str | int | bytes, ...]:
        """The script that the server commits moves with, for one move."""
        move = f"{self._seat} {self._n} {self._log_hash} draw {self._n + 1} 0 1 60 -"
        return "EVALSHA", sha, len(self._keys), *self._keys, self._common, move

    def take(self, answer: Any) -> None:
        _, self._log_hash = answer[0].decode().split(" ")
        self._n += 1


def open_room(client: Any, name: str) -> tuple[str, list[Seat]]:
    """Create a room with four seats. Returns the hash of the script, too."""
    pipeline = client.pipeline(transaction=False)
    pipeline.script_load(scripts.load()["moves"].plain.text)
    pipeline.hset(of_room(name, "meta"), "epoch", "epoch")
    pipeline.rpush(of_room(name, "log"), "0 the race")
    return pipeline.execute()[0], [Seat(name, seat) for seat in range(1, 5)]


def commits(pipe: Connection, url: str, racers: int) -> None:
    """Commit moves, in pipelines with one move for each racer.

    A request is a number of seconds, the answer the number of moves and the time.
    """
    client: Any = redis.Redis.from_url(url)
    rooms = [open_room(client, f"BARE{number}") for number in range(racers // 4)]
    sha, seats = rooms[0][0], [seat for _, seats in rooms for seat in seats]
    pipe.send("ready")
    while seconds := pipe.recv():
        done, began = 0, time.perf_counter()
        while time.perf_counter() < began + seconds:
            pipeline = client.pipeline(transaction=False)
            for seat in seats:
                pipeline.execute_command(*seat.command(sha))
            for seat, answer in zip(seats, pipeline.execute(), strict=True):
                seat.take(answer)
            done += len(seats)
        pipe.send((done, time.perf_counter() - began))
    client.close()
