"""Processes without sockets, and the clients that they serve."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Iterable
from functools import partial
from typing import Any, Self, TypeVar

import msgspec

from fortythieves.protocol import to_client, to_server
from fortythieves.times import Ms
from fortythieves_client.reconnecting import decode
from fortythieves_server.common.limits import Limits
from fortythieves_server.core import events, evolve, room_state, views
from fortythieves_server.core.rule_context import promise_deal
from fortythieves_server.rooms.file_process import FileProcess
from fortythieves_server.rooms.live_room import HOUR, Keep, LiveRoom
from fortythieves_server.rooms.passwords import Passwords
from fortythieves_server.rooms.peer import SendQueue
from fortythieves_server.rooms.room_service import RoomService
from fortythieves_server.rooms.sweeper import LINGER
from fortythieves_server.store.clock import Clock
from fortythieves_server.store.store import Store
from tests.refusals import refusal_of
from tests.server.merging import merged
from tests.server.stores import SECONDS, Admin, key, until_it_is
from tests.server.tables import CODE, Table, sign

Said = TypeVar("Said", bound=to_client.Message)

LIMITS = Limits()
#: Seconds: longer than any test.
NEVER = 1e6
KEEP = Keep(unplayed=24 * HOUR, played=7 * 24 * HOUR)


@contextlib.asynccontextmanager
async def process(
    url: str,
    name: str,
    keep: Keep = KEEP,
    limits: Limits = LIMITS,
    linger: float = LINGER,
    is_here: Callable[[str], bool] = lambda code: True,
) -> AsyncIterator[RoomService]:
    """A process that serves rooms. It sweeps only when a test calls it."""
    store = Store(url, name, Clock())
    await store.open()
    passwords = Passwords(limits)
    files = FileProcess()
    service = RoomService(store, keep, passwords, files, sign, linger, is_here)
    service.open(sweep_every=NEVER, check_every=NEVER)
    try:
        yield service
    finally:
        await service.close()
        await files.close()
        await passwords.close()
        await store.close()


class Client:
    def __init__(self, service: RoomService, guest: str, address: str = "192.0.2.1") -> None:
        self.service = service
        self.guest = guest
        self.messages: list[to_client.Message] = []
        self.closed: tuple[int, str] | None = None
        #: The view as a client keeps it, and how many events led to it.
        self.view: dict[str, Any] = {}
        self.n = 0
        self.epoch = ""
        #: The acknowledged entries of its log; None before there is a board.
        self.entries: list[tuple[str, str]] | None = None
        self.start: list[str] = []
        #: When the board came, by the clock of the process.
        self.dealt_at = Ms(0)
        #: By seat: entries, cards home, stock.
        self.progress: dict[int, tuple[int, int, int]] = {}
        self.live: LiveRoom | None = None
        self._send_queue = SendQueue()
        #: The conditions for which tests wait.
        self._waiting: list[tuple[Callable[[], object], asyncio.Future[None]]] = []
        self.peer = service.peer(self._send_queue, address)
        self._draining = asyncio.create_task(self._drain())

    async def _drain(self) -> None:
        self.closed = await self._send_queue.drain(self._take)
        self._check()

    def _check(self) -> None:
        for condition, so in self._waiting:
            if not so.done() and condition():
                so.set_result(None)

    async def _take(self, frame: bytes) -> None:
        message = decode(frame)
        self.messages.append(message)
        match message:
            case to_client.RoomState(epoch, n, _, view):
                self.epoch, self.n, self.view = epoch, n, merged({}, view)
            case to_client.Patch(n, patch):
                assert n > self.n, "patches come in order"
                self.n, self.view = n, merged(self.view, patch)
            case to_client.OwnBoard(_, start, moves):
                self.start, self.entries = list(start), [(text, turned) for text, turned in moves]
                self.dealt_at = self.service.clock.now()
            case to_client.Moved(_, n, text, turned):
                assert self.entries is not None and n <= len(self.entries) + 1, "moves come without a gap"
                if n == len(self.entries) + 1:
                    self.entries.append((text, turned))
            case to_client.ProgressRows(_, rows):
                self.progress.update({row[0]: row[1:] for row in rows})
        self._check()

    # Its requests

    async def create(self, plan: dict[str, Any] | None = None, password: str = "", **settings: Any) -> str:
        request = to_server.Create(1, self.guest.title(), settings, plan=plan, password=password)
        self.live = await self.service.create(self.peer, self.guest, request)
        await self.until(lambda: self.view)
        return self.live.room.code

    async def join(
        self, code: str = CODE, resume: to_server.Resume | None = None, *, bot: bool = False, password: str = ""
    ) -> Self:
        request = to_server.Join(1, code, self.guest.title(), resume, bot, password)
        told = len(self.received(to_client.RoomState))
        self.live = await self.service.join(self.peer, self.guest, request)
        await self.until(lambda: len(self.received(to_client.RoomState)) > told)
        return self

    async def do(self, request: to_server.Command) -> None:
        assert self.live is not None
        await self.service.command(self.live, self.peer, request)

    async def refused(self, request: to_server.Command) -> str:
        return await refusal_of(self.do(request))

    async def ready(self) -> None:
        await self.do(to_server.Ready(1, ""))

    async def move(self, text: str, n: int | None = None, race: int = 1) -> None:
        assert self.live is not None
        at = len(self.entries or ()) if n is None else n
        self.live.seats.move(self.peer, to_server.Move(race, at, text))

    async def draw(self, times: int) -> None:
        await self.until(lambda: self.entries is not None)
        for _ in range(times):
            n = len(self.entries or ())
            await self.move("draw", n)
            await self.until_moved(n + 1)

    async def hang_up(self) -> None:
        assert self.live is not None
        await self.service.hang_up(self.live, self.peer)

    # Its state

    @property
    def seat(self) -> int:
        return self.peer.seat

    @property
    def race(self) -> dict[str, Any]:
        found: dict[str, Any] = self.view.get("race", {})
        return found

    def person(self, seat: int) -> dict[str, Any]:
        found: dict[str, Any] = self.view.get("people", {}).get(str(seat), {})
        return found

    def racer(self, seat: int) -> dict[str, Any]:
        found: dict[str, Any] = self.race.get("racers", {}).get(str(seat), {})
        return found

    def received(self, kind: type[Said]) -> list[Said]:
        return [message for message in self.messages if isinstance(message, kind)]

    def notices(self) -> list[str]:
        return [notice.code for notice in self.received(to_client.Notice)]

    async def until(self, condition: Callable[[], object]) -> None:
        """Wait until a message makes this so, even if the next one makes it otherwise."""
        if not condition():
            waiting = condition, asyncio.get_running_loop().create_future()
            self._waiting.append(waiting)
            try:
                async with asyncio.timeout(SECONDS):
                    await waiting[1]
            finally:
                self._waiting.remove(waiting)

    async def until_moved(self, entries: int) -> None:
        await self.until(lambda: self.entries is not None and len(self.entries) == entries)

    async def until_closed(self) -> int:
        await self.until(lambda: self.closed is not None)
        assert self.closed is not None
        return self.closed[0]


async def ann_and_bob(one: RoomService, two: RoomService) -> tuple[Client, Client]:
    return await Client(one, "ann").join(), await Client(two, "bob").join()


async def until_each(clients: Iterable[Client], condition: Callable[[Client], object]) -> None:
    for client in clients:
        await client.until(partial(condition, client))


async def store_of(admin: Admin, table: Table, *, ago: Ms = Ms(0), epoch: str = "before") -> None:
    """Store the log of a table, as if by a process that died. The present of the table was ``ago`` ms ago."""
    shift = await now(admin) - ago - table.now
    entries = []
    number = 1
    for at, event in table.log:
        number += isinstance(event, events.SetUp)
        then = _promised(_shifted(event, shift), table.room.code, number, at + shift)
        entries.append(b"%d x %s" % (int(at + shift), events.encode(then)))
    meta = {"epoch": epoch, "last": table.log[-1][0] + shift}
    await admin.redis.hset(key("meta", code=table.room.code), mapping=meta)
    await admin.redis.rpush(key("log", code=table.room.code), *entries)


def _promised(event: events.Event, code: str, race: int, at: Ms) -> events.Event:
    """A promise has its time under the signature."""
    if isinstance(event, events.Created | events.SetUp) and event.promise is not None:
        return msgspec.structs.replace(event, promise=promise_deal(sign, code, race, event.secret, at))
    return event


def _shifted(event: events.Event, shift: Ms) -> events.Event:
    if isinstance(event, events.Finished):
        return msgspec.structs.replace(event, when=event.when + shift, reached_at=event.reached_at + shift)
    if isinstance(event, events.Created) and event.plan is not None and event.plan.starts_at is not None:
        plan = msgspec.structs.replace(event.plan, starts_at=event.plan.starts_at + shift)
        return msgspec.structs.replace(event, plan=plan)
    if isinstance(event, events.Timed) and event.at is not None:
        return msgspec.structs.replace(event, at=event.at + shift)
    return event


async def stored(admin: Admin, code: str = CODE) -> room_state.Room:
    log = []
    for entry in await admin.list("log", code=code):
        at, _, event = entry.split(b" ", 2)
        log.append((Ms(at), events.decode(event)))
    return evolve.replay(log)


async def seen_by_all(admin: Admin, *clients: Client, code: str = CODE) -> None:
    async def is_seen() -> bool:
        room = await stored(admin, code)
        view = merged({}, msgspec.msgpack.decode(msgspec.msgpack.encode(views.Views().of(room)[False])))
        return all(client.view == view and client.n == room.n for client in clients)

    await until_it_is(is_seen)


def happened(room_log: list[bytes], kind: str) -> int:
    return sum(f'"event":"{kind}"'.encode() in entry for entry in room_log)


async def now(admin: Admin) -> Ms:
    seconds, microseconds = await admin.redis.time()
    return Ms(seconds * 1000 + microseconds // 1000)


async def front(service: RoomService) -> list[str]:
    return [room["code"] for room in await service.front_page.read()]


class Later(Clock):
    def __init__(self, clock: Clock, ms: Ms) -> None:
        super().__init__()
        self._clock = clock
        self._ms = ms

    def now(self, offset: float = 0) -> Ms:
        return self._clock.now(offset) + self._ms
