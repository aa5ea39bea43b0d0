"""Malicious clients: ``python -m tests.faults.hostile URL CODE SECONDS CROWD ADDRESSES``.

CODE is a room with a public race; after a comma, a room with a finished race may follow. The clients use one address or
several, stop by themselves, and print their results as JSON.
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
from typing import Any
from urllib.parse import urlsplit

import msgpack
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidMessage, InvalidStatus

from fortythieves.protocol.wire import PART
from tests.server.stores import until

#: Their address. All of 127/8 is this machine on Linux; elsewhere all clients share one address.
LINUX = sys.platform == "linux"
ADDRESS = "127.0.0.2" if LINUX else "127.0.0.1"

#: Frames a second of a flood, and idle sockets.
FLOOD, SOCKETS = 10_000, 500

#: How often each result happened.
Fates = Counter[str]
#: The number of clients of each kind, and the seconds until they reconnect.
Crowd = dict[Callable[["Stranger"], Awaitable[None]], tuple[int, float]]

#: The results that must happen before they stop: closed floods and wrong codes.
ENOUGH = {"closed 4009": 3, "unknown-room": 6}

#: The longest wait for a first answer, s.
TIMEOUT = 300


@dataclasses.dataclass
class Stranger:
    url: str
    code: str
    fates: Fates
    address: str = ADDRESS
    over: str = ""
    #: The guest token of its last connection.
    token: str | None = None
    #: Whether it was accepted or refused once.
    answered: asyncio.Event = dataclasses.field(default_factory=asyncio.Event)

    @contextlib.asynccontextmanager
    async def connection(self, token: str | None = None) -> AsyncIterator[ClientConnection]:
        async with connect(
            self.url, compression=None, max_size=None, max_queue=None, ping_interval=None, local_addr=(self.address, 0)
        ) as connection:
            await connection.send(msgpack.packb(["hello", 1, token]))
            self.token = msgpack.unpackb(await connection.recv())[2]
            self.answered.set()
            yield connection

    @contextlib.asynccontextmanager
    async def plain(self) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
        at = urlsplit(self.url)
        reader, writer = await asyncio.open_connection(at.hostname, at.port, local_addr=(self.address, 0))
        self.answered.set()
        try:
            yield reader, writer
        finally:
            writer.transport.abort()

    async def ask(self, connection: ClientConnection, *message: object) -> str:
        """Send a message, in parts if it is long. Returns "ok" or the code of the refusal."""
        packed = msgpack.packb(message)
        parts = [packed[at : at + PART] for at in range(0, len(packed), PART)]
        for frame in [packed] if len(parts) == 1 else map(msgpack.packb, (*parts, b"")):
            await connection.send(frame)
        while True:
            heard = msgpack.unpackb(await connection.recv())
            if heard[0] in {"ok", "refused"} and heard[1] == message[1]:
                self.fates[told := heard[2] if heard[0] == "refused" else "ok"] += 1
                return str(told)

    async def enter(self, connection: ClientConnection, *message: object) -> tuple[int, Any]:
        """Open or join a room. Returns the seat and the view, after a pause as often as it is refused."""
        while True:
            await connection.send(msgpack.packb(message))
            while (heard := msgpack.unpackb(await connection.recv()))[0] not in {"room", "refused"}:
                pass
            if heard[0] == "room":
                return heard[3], heard[4]
            self.fates[heard[2]] += 1
            await asyncio.sleep(1)

    async def repeat(
        self, connection: ClientConnection, *messages: Callable[[int], tuple[object, ...]], pause: float = 0.02
    ) -> None:
        """Send these commands in turns, by default as fast as a connection may. Each is made from its number."""
        for c in itertools.count(10):
            what, *fields = messages[c % len(messages)](c)
            await self.ask(connection, what, c, *fields)
            await asyncio.sleep(pause)

    async def again_and_again(self, act: Callable[["Stranger"], Awaitable[None]], pause: float) -> None:
        """Attack repeatedly; after a disconnection, reconnect after a pause."""
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
    """Send ten thousand frames a second, half of them old moves."""
    frames = [msgpack.packb(["ping", 1.0]), msgpack.packb(["move", 1, 0, "draw"])]
    async with me.connection() as connection:
        while True:
            for _ in range(FLOOD // 100):
                await connection.send(frames[random.getrandbits(1)])
            await asyncio.sleep(0.01)


async def guess(me: Stranger) -> None:
    async with me.connection() as connection:
        for c in range(1, 50):
            guessed = "".join(random.choices("BCDFGHJKLMNPQRSTVWXZ", k=6))
            await me.ask(connection, "join", c, guessed, "Eve", None)
            await asyncio.sleep(0.05)


async def deaf(me: Stranger) -> None:
    """Watch a race and never read."""
    async with me.connection() as connection:
        await connection.send(msgpack.packb(["watch", 1, me.code, ""]))
        connection.transport.pause_reading()
        await asyncio.sleep(3600)


async def slow(me: Stranger) -> None:
    """Watch a race and read a byte a second."""
    async with me.connection() as connection:
        await connection.send(msgpack.packb(["watch", 1, me.code, ""]))
        connection.transport.pause_reading()
        with socket.socket(fileno=os.dup(connection.transport.get_extra_info("socket").fileno())) as bytes_of:
            while True:
                await asyncio.sleep(1)
                with contextlib.suppress(BlockingIOError):
                    bytes_of.recv(1)


async def idle(me: Stranger) -> None:
    async with me.connection() as connection:
        await connection.wait_closed()


async def silent(me: Stranger) -> None:
    async with me.plain() as (reader, _):
        await reader.read()
        me.fates["hung up on"] += 1


async def slow_head(me: Stranger) -> None:
    """Send a byte of a request each second."""
    async with me.plain() as (reader, writer):
        for byte in b"GET / HTTP/1.1\r\n" + b"X" * 3600:
            writer.write(bytes([byte]))
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(reader.read(1), 1)
                break
        me.fates["hung up on"] += 1


async def fetch(me: Stranger) -> None:
    """Request many records and tables, and read none."""
    async with me.plain() as (_, writer):
        for path in (f"/api/races/{me.over}/1", f"/api/races/{me.over}/1.json", "/", f"/api/tournaments/{me.over}.csv"):
            writer.write(f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode() * 25)
        await asyncio.sleep(5)


async def look(me: Stranger) -> None:
    """Start and stop looking fifty times a second."""
    async with me.connection() as connection:
        await me.ask(connection, "watch", 1, me.code, "Eve")
        for c in range(2, 1000):
            await me.ask(connection, "look", c, bool(c % 2))
            await asyncio.sleep(0.02)


async def storm(me: Stranger) -> None:
    """Watch and disconnect as often as possible."""
    async with me.connection() as connection:
        await me.ask(connection, "watch", 1, me.code, "Eve")


async def resume(me: Stranger) -> None:
    """Take a seat in the room of a race, and resume it repeatedly."""
    async with me.connection() as connection:
        await me.ask(connection, "join", 1, me.code, "Eve", ["", 1, 0])


async def talk(me: Stranger) -> None:
    """Open a room, and send all kinds of commands."""
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
    """Open a tournament with a password, and change it repeatedly."""
    async with me.connection() as connection:
        plan = {"entry": "password"}
        if await me.ask(connection, "create", 1, "Eve", {}, False, plan, "right") != "ok":
            await asyncio.sleep(1)
            return
        for c in range(2, 1000):
            await me.ask(connection, "plan", c, {}, f"another {c}")


#: Entrants of a tournament: so many that another process draws them.
ENTRANTS = 120
#: The texts that take the most work in a frame, and the most bytes where they are stored.
MARKS, WIDE = "a" + "\u0315\u0300" * 3_900, "\U0001f0a1" * 300


def full_plan(c: int) -> dict[str, Any]:
    """A plan with full lists, none of which equals those of the last number."""
    names = [f"क\u093cष{n:03}{c % 10}" + "ŵ" * 15 for n in range(1000)]
    teams = [f"é\u0323{n % 500:03}" + "ŵ" * 15 for n in range(1000)]
    apart = [names[n : n + 50] for n in range(0, 1000, 50)] * 5
    return {"listed": names, "listed_teams": teams, "apart": apart, "about": "é\u0323" * 1000}


async def draw(me: Stranger) -> None:
    """Host a Swiss, try to keep an entrant apart from hundreds under invisibly different names, and draw repeatedly."""
    apart = [["p" + "\u200b" * k + "1", *(f"p{n}" for n in range(2 + 49 * k, 51 + 49 * k))] for k in range(4)]
    plan = {"format": "swiss", "rounds": 30, "by_timer": False}
    async with me.connection() as host:
        assert await me.ask(host, "create", 1, "Eve", {}, False, {**plan, "apart": apart}) != "ok"
        _, view = await me.enter(host, "create", 2, "Eve", {}, False, {**plan, "apart": apart[:1]})
        for n in range(1, ENTRANTS + 1):
            async with me.connection() as puppet:
                await me.enter(puppet, "join", 1, view["code"], f"p{n}", None)
        again: list[tuple[object, ...]] = [("round", "start"), ("plan", {"apart": apart}), ("round", "skip")]
        drawing = me.repeat(host, *(lambda _, one=one: one for one in again), pause=0.2)  # 30 rounds take long enough
        await asyncio.gather(drawing, fill_lists(me))


async def fill_lists(me: Stranger) -> None:
    """Change a plan with full lists, which also keeps the process for draws busy."""
    async with me.connection() as host:
        await me.enter(host, "create", 1, "Eve", {}, False, {"entry": "list"})
        await me.repeat(host, lambda c: ("plan", full_plan(c)))


async def judge(me: Stranger) -> None:
    """Disqualify an entrant and take that back, with long reasons, beside chat and changes of the description."""
    async with me.connection() as host, me.connection() as puppet:
        _, view = await me.enter(host, "create", 1, "Eve", {}, False, {})
        await me.enter(puppet, "join", 1, view["code"], "Bob", None)
        await me.repeat(
            host,
            lambda _: ("judge", 2, True, WIDE[:200]),
            lambda c: ("chat", f"k{c}", WIDE),
            lambda _: ("judge", 2, False, WIDE[:200]),
            lambda c: ("plan", {"about": f"{c} {WIDE}"}),
        )


async def ready(me: Stranger) -> None:
    """Become ready and unready."""
    async with me.connection() as connection:
        await me.enter(connection, "create", 1, "Eve", {"auto_start": False})
        await me.repeat(connection, lambda _: ("ready", "0" * 64), lambda _: ("unready",))


async def arena(me: Stranger) -> None:
    """Host an arena whose entrants give up each race, to get a room for the next one."""
    async with me.connection() as host:
        _, view = await me.enter(host, "create", 1, "Eve", {"countdown": 3}, False, {"format": "arena", "minutes": 60})
        await me.ask(host, "round", 2, "start")
        await asyncio.gather(*(_race(dataclasses.replace(me, token=None), view["code"], f"p{n}") for n in range(10)))


async def _race(me: Stranger, code: str, name: str) -> None:
    while True:
        async with me.connection(me.token) as here:
            seat, view = await me.enter(here, "join", 1, code, name, None)
            await me.ask(here, "enter", 2, True)
            held = view["tournament"]["arena"]
            race = held["under_way"].get(str(held["racing"].get(str(seat))))
            await asyncio.sleep(0 if race else 1)
        if race:
            async with me.connection(me.token) as there:
                await me.enter(there, "join", 1, race[0], name, None)
                await me.ask(there, "ready", 2, "")
                for c in range(3, 20):
                    if await me.ask(there, "give_up", c) == "ok":
                        break
                    await asyncio.sleep(1)


async def marks(me: Stranger) -> None:
    """Send texts with thousands of combining marks."""
    async with me.connection() as host, me.connection() as guest:
        _, view = await me.enter(host, "create", 1, "Eve", {}, False, {})
        await me.ask(guest, "join", 1, view["code"], MARKS, None)
        await me.repeat(
            host,
            lambda c: ("chat", f"k{c}", MARKS),
            lambda _: ("rename", MARKS),
            lambda _: ("announce", MARKS),
            lambda _: ("plan", {"name": MARKS, "about": MARKS}),
        )


#: Floods start last, because they use all the time of this process.
CROWD: Crowd = {
    guess: (2, 0.5),
    deaf: (5, 1),
    slow: (5, 1),
    idle: (SOCKETS, 3600),
    flood: (2, 0.2),
}


#: All kinds together, from one address or many.
ALL: Crowd = {
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


#: By name, with five clients of each kind for five addresses.
CROWDS: dict[str, Crowd] = {
    "some": CROWD,
    "all": ALL,
    "draws": {draw: (5, 1)},
    "bytes": {judge: (5, 1), ready: (5, 1), arena: (5, 1), fill_lists: (5, 1)},
    "texts": {marks: (15, 1), fill_lists: (5, 1)},
}


async def attack(url: str, code: str, seconds: float, name: str, addresses: int) -> Fates:
    """Run all attacks of a crowd for this time, until each client has had an answer, and enough has happened."""
    fates: Fates = Counter()
    code, _, over = code.partition(",")
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
    coming = (one(act, pause) for act, (count, pause) in CROWDS[name].items() for _ in range(count))
    await asyncio.gather(asyncio.sleep(seconds), asyncio.wait_for(asyncio.gather(*coming), TIMEOUT))
    with contextlib.suppress(TimeoutError):
        if name == "some":
            await until(lambda: all(fates[fate] >= count for fate, count in ENOUGH.items()), TIMEOUT)
    for task in acting:
        task.cancel()
    await asyncio.gather(*acting, return_exceptions=True)
    return fates


@contextlib.asynccontextmanager
async def attacked(
    url: str, code: str, seconds: float, name: str = "some", addresses: int = 1
) -> AsyncIterator[Callable[[], Awaitable[Fates]]]:
    process = await asyncio.create_subprocess_exec(
        *("nice", sys.executable, "-m", "tests.faults.hostile", url, code, str(seconds), name, str(addresses)),
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
    print(json.dumps(asyncio.run(attack(sys.argv[1], sys.argv[2], float(sys.argv[3]), sys.argv[4], int(sys.argv[5])))))
