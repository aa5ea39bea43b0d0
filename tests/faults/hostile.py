"""Malicious clients: ``python -m tests.faults.hostile URL CODE SECONDS [ADDRESSES]``.

CODE is a room with a race in it that may be watched; after a comma there may be another one, whose first race is over.
They come from one address of their own, or from so many. They stop by themselves, and say as JSON what became of them.
"""

import asyncio
import contextlib
import dataclasses
import itertools
import json
import os
import random
import socket
import sys
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from urllib.parse import urlsplit

import msgpack
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidMessage, InvalidStatus

from tests.server.stores import until

#: Where they come from. All of 127/8 is this machine on Linux; elsewhere they share the address of everybody here.
LINUX = sys.platform == "linux"
ADDRESS = "127.0.0.2" if LINUX else "127.0.0.1"

#: Frames a second that a flood tries, and sockets that are opened for nothing.
FLOOD, SOCKETS = 10_000, 1000

#: What became of them.
Fates = Counter[str]

#: So much of this has to come of them before they stop: floods that are ended, and codes that are guessed in vain.
ENOUGH = {"closed 4009": 3, "told unknown-room": 6}

#: Seconds after which none is waited for that has neither got in nor been turned away.
TIMEOUT = 300


@dataclasses.dataclass
class Stranger:
    """One of them: what it attacks, and what becomes of it."""

    url: str
    code: str
    fates: Fates
    address: str = ADDRESS
    over: str = ""
    #: Whether it has got in once, or been turned away.
    answered: asyncio.Event = dataclasses.field(default_factory=asyncio.Event)

    @contextlib.asynccontextmanager
    async def connection(self) -> AsyncIterator[ClientConnection]:
        """A connection that has said hello."""
        async with connect(
            self.url, compression=None, max_size=None, max_queue=None, ping_interval=None, local_addr=(self.address, 0)
        ) as connection:
            await connection.send(msgpack.packb(["hello", 1, None]))
            await connection.recv()
            self.answered.set()
            yield connection

    @contextlib.asynccontextmanager
    async def plain(self) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
        """A connection that has said nothing."""
        at = urlsplit(self.url)
        reader, writer = await asyncio.open_connection(at.hostname, at.port, local_addr=(self.address, 0))
        self.answered.set()
        try:
            yield reader, writer
        finally:
            writer.transport.abort()

    async def ask(self, connection: ClientConnection, *message: object) -> str:
        """Say something and wait for its answer: "ok", or the code of a refusal."""
        await connection.send(msgpack.packb(message))
        while True:
            heard = msgpack.unpackb(await connection.recv())
            if heard[0] in {"ok", "refused"}:
                self.fates[told := heard[2] if heard[0] == "refused" else "ok"] += 1
                return str(told)

    async def again_and_again(self, act: Callable[["Stranger"], Awaitable[None]], pause: float) -> None:
        """Do one's worst; when sent away, come back so many seconds later."""
        while True:
            try:
                await act(self)
            except ConnectionClosed as closed:
                self.fates[f"closed {closed.rcvd.code if closed.rcvd else 'without a word'}"] += 1
            except InvalidStatus as refused:
                self.fates[f"refused {refused.response.status_code}"] += 1
            except (OSError, EOFError, TimeoutError, InvalidMessage):
                self.fates["lost"] += 1
            self.answered.set()
            await asyncio.sleep(pause)


async def flood(me: Stranger) -> None:
    """Ten thousand frames a second, half of them moves that were made long ago."""
    frames = [msgpack.packb(["ping", 1.0]), msgpack.packb(["move", 1, 0, "draw"])]
    async with me.connection() as connection:
        while True:
            for _ in range(FLOOD // 100):
                await connection.send(frames[random.getrandbits(1)])
            await asyncio.sleep(0.01)


async def guess(me: Stranger) -> None:
    """Joins as many rooms as there may be."""
    async with me.connection() as connection:
        for c in range(1, 50):
            guessed = "".join(random.choices("BCDFGHJKLMNPQRSTVWXZ", k=6))
            await connection.send(msgpack.packb(["join", c, guessed, "Eve", None]))
            answer = msgpack.unpackb(await connection.recv())
            me.fates[f"told {answer[2]}"] += 1
            await asyncio.sleep(0.05)


async def deaf(me: Stranger) -> None:
    """Watches a race, and never reads."""
    async with me.connection() as connection:
        await connection.send(msgpack.packb(["watch", 1, me.code, ""]))
        connection.transport.pause_reading()
        await asyncio.sleep(3600)


async def slow(me: Stranger) -> None:
    """Watches a race, and reads a byte a second."""
    async with me.connection() as connection:
        await connection.send(msgpack.packb(["watch", 1, me.code, ""]))
        connection.transport.pause_reading()
        with socket.socket(fileno=os.dup(connection.transport.get_extra_info("socket").fileno())) as bytes_of:
            while True:
                await asyncio.sleep(1)
                with contextlib.suppress(BlockingIOError):
                    bytes_of.recv(1)


async def idle(me: Stranger) -> None:
    """One more socket, for nothing."""
    async with me.connection() as connection:
        await connection.wait_closed()


async def silent(me: Stranger) -> None:
    """Connects, and says nothing."""
    async with me.plain() as (reader, _):
        await reader.read()
        me.fates["hung up on"] += 1


async def slow_head(me: Stranger) -> None:
    """Says a byte a second of a request."""
    async with me.plain() as (reader, writer):
        for byte in b"GET / HTTP/1.1\r\n" + b"X" * 3600:
            writer.write(bytes([byte]))
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(reader.read(1), 1)
                break
        me.fates["hung up on"] += 1


async def fetch(me: Stranger) -> None:
    """Asks for records and tables, many at once, and reads nothing of them."""
    async with me.plain() as (_, writer):
        for path in (f"/api/races/{me.over}/1", f"/api/races/{me.over}/1.json", "/", f"/api/tournaments/{me.over}.csv"):
            writer.write(f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode() * 25)
        await asyncio.sleep(5)


async def look(me: Stranger) -> None:
    """Looks and looks away, fifty times a second."""
    async with me.connection() as connection:
        await me.ask(connection, "watch", 1, me.code, "Eve")
        for c in range(2, 1000):
            await me.ask(connection, "look", c, bool(c % 2))
            await asyncio.sleep(0.02)


async def storm(me: Stranger) -> None:
    """Comes to watch and goes, as often as it can."""
    async with me.connection() as connection:
        await me.ask(connection, "watch", 1, me.code, "Eve")


async def resume(me: Stranger) -> None:
    """Takes a seat in the room of a race, and comes back to it again and again."""
    async with me.connection() as connection:
        await me.ask(connection, "join", 1, me.code, "Eve", ["", 1, 0])


async def talk(me: Stranger) -> None:
    """Opens a room, and has all happen in it that can."""
    async with me.connection() as connection:
        if await me.ask(connection, "create", 1, "Eve", {"public": True}) != "ok":
            await asyncio.sleep(1)
            return
        for c in range(2, 1000):
            for said in (
                ("chat", c, f"k{c}", "x" * 300),
                ("rename", c, f"Eve {c}"),
                ("settings", c, {"seats": 2 + c % 2}),
                ("bot", c, 1),
                ("ready", c, ""),
                ("unready", c),
            ):
                await me.ask(connection, *said)


async def password(me: Stranger) -> None:
    """Opens a tournament with a password, and tries others at its door."""
    async with me.connection() as connection:
        plan = {"entry": "password"}
        if await me.ask(connection, "create", 1, "Eve", {}, False, plan, "right") != "ok":
            await asyncio.sleep(1)
            return
        for c in range(2, 1000):
            await me.ask(connection, "plan", c, {}, f"another {c}")


#: How many of each at the same time, and after how many seconds one that was disconnected reconnects. They come in this
#: order: those who flood take all the time that this process gets, which is little on a busy machine.
CROWD: dict[Callable[[Stranger], Awaitable[None]], tuple[int, float]] = {
    guess: (2, 0.5),
    deaf: (5, 1),
    slow: (5, 1),
    idle: (SOCKETS, 3600),
    flood: (2, 0.2),
}


#: All that there is, at once: so many of each from one address, or shared out among many.
ALL: dict[Callable[[Stranger], Awaitable[None]], tuple[int, float]] = {
    **CROWD,
    idle: (300, 3600),
    silent: (600, 0.1),
    slow_head: (100, 0.1),
    fetch: (20, 0.1),
    look: (10, 0.5),
    storm: (10, 0.05),
    resume: (10, 0.05),
    talk: (5, 0.1),
    password: (5, 0.1),
}


async def attack(url: str, code: str, seconds: float, addresses: int = 0) -> Fates:
    """All of them, for so long, and until each has got in once or been turned away, and enough has come of it.

    ``addresses``: everything that there is, from so many addresses.
    """
    fates: Fates = Counter()
    code, _, over = code.partition(",")
    crowd = ALL if addresses else CROWD
    numbers = itertools.count()
    turn = asyncio.Semaphore(20)

    async def one(act: Callable[[Stranger], Awaitable[None]], pause: float) -> None:
        here = f"127.0.1.{1 + next(numbers) % addresses}" if LINUX and addresses > 1 else ADDRESS
        stranger = Stranger(url, code, fates, here, over or code)
        async with turn:
            await asyncio.sleep(0.05)
        acting.append(asyncio.create_task(stranger.again_and_again(act, pause)))
        await stranger.answered.wait()

    acting: list[asyncio.Task[None]] = []
    coming = (one(act, pause) for act, (count, pause) in crowd.items() for _ in range(count))
    await asyncio.gather(asyncio.sleep(seconds), asyncio.wait_for(asyncio.gather(*coming), TIMEOUT))
    with contextlib.suppress(TimeoutError):
        if not addresses:
            await until(lambda: all(fates[fate] >= count for fate, count in ENOUGH.items()), TIMEOUT)
    for task in acting:
        task.cancel()
    await asyncio.gather(*acting, return_exceptions=True)
    return fates


@contextlib.asynccontextmanager
async def attacked(
    url: str, code: str, seconds: float, addresses: int = 0
) -> AsyncIterator[Callable[[], Awaitable[Fates]]]:
    """They are in a process of their own, which gets the time that is left; waiting for it gives their fates."""
    process = await asyncio.create_subprocess_exec(
        *("nice", sys.executable, "-m", "tests.faults.hostile", url, code, str(seconds), str(addresses)),
        stdout=asyncio.subprocess.PIPE,
    )

    async def fates() -> Fates:
        out, _ = await process.communicate()
        return Counter(json.loads(out))

    try:
        assert process.stdout is not None
        assert await process.stdout.readline() == b"here\n"
        yield fates
    finally:
        if process.returncode is None:
            process.kill()
            await process.communicate()


if __name__ == "__main__":
    print("here", flush=True)
    print(json.dumps(asyncio.run(attack(sys.argv[1], sys.argv[2], float(sys.argv[3]), int(sys.argv[4])))))
