"""The rooms in the memory of this process, by code; and the rooms on the front page."""

import asyncio
import contextlib
import secrets
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from fortythieves.errors import CODES, Refused, refuse_if
from fortythieves.protocol import to_client
from fortythieves.protocol.to_client import Close
from fortythieves.times import Ms
from fortythieves_server.common.loop_share import metered
from fortythieves_server.common.prices import NOBODY, Account
from fortythieves_server.common.tasks import end
from fortythieves_server.core import events
from fortythieves_server.core.room_list import listing
from fortythieves_server.core.room_state import Race
from fortythieves_server.core.rule_context import Sign, promise_deal
from fortythieves_server.rooms.cached_room import CachedRoom, read_room
from fortythieves_server.rooms.decision_inputs import compute_standings
from fortythieves_server.rooms.file_process import FileProcess
from fortythieves_server.rooms.live_room import Keep, LiveRoom
from fortythieves_server.rooms.pacing import Pacing
from fortythieves_server.store.redis_errors import StoreDown
from fortythieves_server.store.room_logs import Full, Taken
from fortythieves_server.store.schema import Notification
from fortythieves_server.store.store import Store

#: Codes have consonants only, none of which looks like a digit. They make no words, and there are 64 million codes.
LETTERS = "BCDFGHJKLMNPQRSTVWXZ"
LENGTH = 6
#: A room with at least so many people may be spread over several processes. Measured with 500 racers in one room, each
#: with a move every 2.5 seconds: they take 7 % of a core in one process, and 12 % spread over two. So 2,000 take about
#: a third of a core, and leave the rest for the moment when all of them come, or get their cards.
LARGE = 2000
#: Seconds between closing one room and the next on shutdown, and the most for all. A guess.
AWAY_EACH, AWAY_ALL = 0.01, 2.0


class Seen(NamedTuple):
    rooms: int
    races: int
    watchers: int


class Registry:
    """Loads stored rooms, and passes on notifications about them. One per process."""

    def __init__(self, store: Store, keep: Keep, sign: Sign, file_process: FileProcess) -> None:
        self.pacing = Pacing()
        #: The codes of rooms that must act now.
        self.due = asyncio.Queue[str]()
        self._store = store
        self._keep = keep
        self._sign = sign
        self._file_process = file_process
        self._rooms: dict[str, LiveRoom] = {}
        self._loading: dict[str, asyncio.Task[LiveRoom]] = {}
        store.on_change = self._announce_store
        store.notifications.on_notification = self._pass_on
        store.notifications.on_gap = self._note_gap

    async def close(self) -> None:
        """Tell all clients to reconnect, and stop."""
        await end(self._loading.values())
        pause = min(AWAY_EACH, AWAY_ALL / max(1, len(self._rooms)))
        for room in list(self._rooms.values()):
            room.close(Close.GOING_AWAY, "The server is restarting")
            await asyncio.sleep(pause)  # otherwise all clients would reconnect to the next process at the same moment
        await asyncio.gather(*(room.cached.stop() for room in self._rooms.values()))
        self._rooms.clear()

    def __contains__(self, code: str) -> bool:
        return code in self._rooms

    def __len__(self) -> int:
        return len(self._rooms)

    def __iter__(self) -> Iterator[LiveRoom]:
        """All rooms in memory. Some may be gone."""
        return iter(list(self._rooms.values()))

    def get(self, code: str) -> LiveRoom | None:
        return self._rooms.get(code)

    def is_large(self, code: str) -> bool:
        """Whether a room has so many people here that other processes may serve it as well."""
        room = self._rooms.get(code)
        return room is not None and len(room.peers) >= LARGE

    def rooms(self) -> list[LiveRoom]:
        return [room for room in self if not room.cached.gone]

    def seen(self) -> Seen:
        rooms = self.rooms()
        races = sum(room.room.race.running(room.cached.now()) for room in rooms)
        return Seen(len(rooms), races, sum(len(room.peers.watchers) for room in rooms))

    async def room(self, code: str, account: Account = NOBODY) -> LiveRoom:
        """The room, read from the store if necessary. ``account`` pays for that. Raises `Refused`."""
        room = await self.stored_room(code, account)
        refuse_if(room.room.closed, "unknown-room", code=code)
        return room

    async def stored_room(self, code: str, account: Account = NOBODY) -> LiveRoom:
        """The room, even if an operator has closed it. Raises `Refused`."""
        refuse_if(not is_code(code), "unknown-room", code=code[:12])
        room = self._rooms.get(code)
        if room is not None and not room.cached.gone:
            # Whoever enters must not see less than at another process.
            room.cached.stale = room.cached.stale or not self._store.notifications.hears(code)
            return room
        task = self._loading.get(code)
        if task is None:
            task = self._loading[code] = asyncio.create_task(self._load(code, account))
            task.add_done_callback(lambda _: self._loading.pop(code, None))
        return await asyncio.shield(task)

    async def open(
        self, created: events.Created, check_within: Ms, codes: Callable[[], str] | None = None
    ) -> events.Created:
        """Open a room with a free code, and with a secret of its own unless it has a deal. Returns it with both.

        ``check_within``: when some process checks it, even if this one dies. Raises `Refused` ("server-full").
        """
        while True:
            code, now = (codes or new_code)(), self._store.clock.now()
            if created.given is None:
                secret = created.secret or secrets.token_hex(32)
                created = replace(created, secret=secret, promise=promise_deal(self._sign, code, 1, secret, now))
            created = replace(created, code=code)
            # Before all else, so that another process finds the room if this one dies a moment later.
            with contextlib.suppress(StoreDown):
                await self._store.directory.schedule({code: now + check_within})
            try:
                await self._store.logs.create(code, created)
            except Taken:
                continue
            except Full:
                with contextlib.suppress(StoreDown):
                    await self._store.directory.unschedule(code)
                raise Refused("server-full") from None
            return created

    async def find(self, code: str) -> LiveRoom | None:
        """The same, or None if there is no such room. Raises `Refused` ("store-down")."""
        try:
            return await self.stored_room(code)
        except Refused as refused:
            if refused.code != "unknown-room":
                raise
        return None

    async def par(self, race: Race) -> int:
        """The par of the deal of a race. Raises `Refused` ("too-fast")."""
        return int(msgspec.json.decode(await self._file_process.par(race))["par"])

    async def code_of_day(self, day: int) -> str | None:
        """The room of a day, or None if there is none. Raises `Refused` ("store-down")."""
        _, codes = await self._store.directory.days()
        return codes.get(day)

    async def _load(self, code: str, account: Account) -> LiveRoom:
        """Load a room in a task of its own, because the guest who asked may leave while others wait for it."""
        return await metered(self._read(code), account.charge_work)

    async def _read(self, code: str) -> LiveRoom:
        # Subscribe first, so that no notification is missed between reading and subscribing.
        await self._store.notifications.subscribe(code)
        try:
            room, epoch, last, progress = await read_room(code, self._store)
            await compute_standings(room.tournament, self._file_process)
            cached = CachedRoom(room, epoch, last, progress, self._store, self.due)
            live = self._rooms[code] = LiveRoom(cached, self._keep, self.pacing, self._sign, self._file_process)
            return live
        except BaseException:
            with contextlib.suppress(StoreDown):
                await self._store.notifications.unsubscribe(code)
            raise

    def is_loading(self, code: str) -> bool:
        return code in self._loading

    async def drop(self, room: LiveRoom) -> None:
        room.close(Close.ROOM_GONE, "This room is no longer there")
        self._rooms.pop(room.room.code, None)
        await self._store.notifications.unsubscribe(room.room.code)

    def _announce_store(self) -> None:
        """Tell each room that its Redis has failed, or is back."""
        for code, room in self._rooms.items():
            if (up := self._store.serves(code)) != room.is_saved:
                room.is_saved, notice = up, "store-back" if up else "store-down"
                room.peers.send(to_client.Notice(notice, CODES[notice]))

    def _pass_on(self, notification: Notification) -> None:
        room = self._rooms.get(notification.code)
        if room is None:
            return
        if notification.reactions:
            room.reactions.add_from_elsewhere(notification.reactions, notification.of_racers)
        elif notification.race is None or notification.seat is None or notification.progress is None:
            room.cached.note_stale()
        else:
            room.seats.add_from_elsewhere(notification.race, notification.seat, notification.progress)

    def _note_gap(self, code: str) -> None:
        """Notifications about a room may be lost."""
        if (room := self._rooms.get(code)) is not None:
            room.cached.note_stale()


class FrontPage:
    """Stores which rooms of this process are listed, and reads the list of all processes."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.clock = store.clock
        self._public: tuple[float, list[dict[str, Any]]] = (0.0, [])

    async def publish(self, rooms: Iterable[LiveRoom]) -> None:
        """Store which of these rooms are listed. Raises `StoreDown`."""
        now, rows = self.clock.now(), []
        for live in rooms:
            room = live.room
            row = listing(room, live.cached.active_at, now)
            # A room that was just read may have been listed by another process.
            if row.until or (room.settings.public if live.published is None else live.is_listed):
                rows.append(row)
            live.published, live.is_listed = room, bool(row.until)
        if rows:
            await self._store.directory.publish(rows, now)

    async def rooms(self) -> list[dict[str, Any]]:
        """The listed rooms, read from the store at most once a second. Raises `StoreDown`."""
        now = asyncio.get_running_loop().time()
        if now >= self._public[0] + 1:
            self._public = now, await self.read()
        return self._public[1]

    async def read(self) -> list[dict[str, Any]]:
        rooms = await self._store.directory.public(self.clock.now())
        return [room for room in rooms if room["open"] or room["watchable"]]


def new_code() -> str:
    """A random room code, which may be taken."""
    return "".join(secrets.choice(LETTERS) for _ in range(LENGTH))


def is_code(text: str) -> bool:
    """Whether a room could have this code."""
    return len(text) == LENGTH and set(text) <= set(LETTERS)
