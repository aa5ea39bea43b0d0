"""Clients that mean no good, from an address of their own: ``python -m tests.faults.hostile URL CODE SECONDS``.

CODE is a room with a race in it that may be watched. They stop by themselves, and say as JSON what became of them.
"""

import asyncio
import contextlib
import dataclasses
import json
import os
import random
import socket
import sys
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable

import msgpack
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidMessage, InvalidStatus

from tests.server.stores import until

#: Where they come from. All of 127/8 is this machine on Linux; elsewhere they share the address of everybody here.
ADDRESS = "127.0.0.2" if sys.platform == "linux" else "127.0.0.1"

#: Frames a second that a flood tries, and sockets that are opened for nothing.
FLOOD, SOCKETS = 10_000, 1000

#: What became of them.
Fates = Counter[str]

#: So much of this has to come of them before they stop: floods that are ended, and codes that are guessed in vain.
ENOUGH = {"closed 4009": 3, "told unknown-room": 6}

#: Seconds after which none is waited for that has neither got in nor been turned away.
PATIENCE = 120


@dataclasses.dataclass
class Stranger:
    """One of them: what it attacks, and what becomes of it."""

    url: str
    code: str
    fates: Fates
    #: Whether it has got in once, or been turned away.
    answered: asyncio.Event = dataclasses.field(default_factory=asyncio.Event)

    @contextlib.asynccontextmanager
    async def line(self) -> AsyncIterator[ClientConnection]:
        """A connection that has said hello."""
        async with connect(
            self.url, compression=None, max_size=None, max_queue=None, ping_interval=None, local_addr=(ADDRESS, 0)
        ) as line:
            await line.send(msgpack.packb(["hello", 1, None]))
            await line.recv()
            self.answered.set()
            yield line

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
    async with me.line() as line:
        while True:
            for _ in range(FLOOD // 100):
                await line.send(frames[random.getrandbits(1)])
            await asyncio.sleep(0.01)


async def guess(me: Stranger) -> None:
    """Joins as many rooms as there may be."""
    async with me.line() as line:
        for c in range(1, 50):
            guessed = "".join(random.choices("BCDFGHJKLMNPQRSTVWXZ", k=6))
            await line.send(msgpack.packb(["join", c, guessed, "Eve", None]))
            answer = msgpack.unpackb(await line.recv())
            me.fates[f"told {answer[2]}"] += 1
            await asyncio.sleep(0.05)


async def deaf(me: Stranger) -> None:
    """Watches a race, and never reads."""
    async with me.line() as line:
        await line.send(msgpack.packb(["watch", 1, me.code, ""]))
        line.transport.pause_reading()
        await asyncio.sleep(3600)


async def slow(me: Stranger) -> None:
    """Watches a race, and reads a byte a second."""
    async with me.line() as line:
        await line.send(msgpack.packb(["watch", 1, me.code, ""]))
        line.transport.pause_reading()
        with socket.socket(fileno=os.dup(line.transport.get_extra_info("socket").fileno())) as bytes_of:
            while True:
                await asyncio.sleep(1)
                with contextlib.suppress(BlockingIOError):
                    bytes_of.recv(1)


async def idle(me: Stranger) -> None:
    """One more socket, for nothing."""
    async with me.line() as line:
        await line.wait_closed()


#: How many of each at the same time; whoever is sent away comes again, at least so many seconds later.
CROWD: dict[Callable[[Stranger], Awaitable[None]], tuple[int, float]] = {
    flood: (2, 0.2),
    guess: (2, 0.5),
    deaf: (5, 1),
    slow: (5, 1),
    idle: (SOCKETS, 3600),
}


async def attack(url: str, code: str, seconds: float) -> Fates:
    """All of them, for so long, and until each has got in once or been turned away, and enough has come of it."""
    fates: Fates = Counter()
    turn = asyncio.Semaphore(20)

    async def one(act: Callable[[Stranger], Awaitable[None]], pause: float) -> None:
        stranger = Stranger(url, code, fates)
        async with turn:
            await asyncio.sleep(0.05)
        acting.append(asyncio.create_task(stranger.again_and_again(act, pause)))
        await stranger.answered.wait()

    acting: list[asyncio.Task[None]] = []
    coming = (one(act, pause) for act, (count, pause) in CROWD.items() for _ in range(count))
    await asyncio.gather(asyncio.sleep(seconds), asyncio.wait_for(asyncio.gather(*coming), PATIENCE))
    with contextlib.suppress(TimeoutError):
        await until(lambda: all(fates[fate] >= count for fate, count in ENOUGH.items()), PATIENCE)
    for task in acting:
        task.cancel()
    await asyncio.gather(*acting, return_exceptions=True)
    return fates


@contextlib.asynccontextmanager
async def attacked(url: str, code: str, seconds: float) -> AsyncIterator[Callable[[], Awaitable[Fates]]]:
    """They are in a process of their own, which gets the time that is left; waiting for it gives their fates."""
    process = await asyncio.create_subprocess_exec(
        *("nice", sys.executable, "-m", "tests.faults.hostile", url, code, str(seconds)), stdout=asyncio.subprocess.PIPE
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
    print(json.dumps(asyncio.run(attack(sys.argv[1], sys.argv[2], float(sys.argv[3])))))
