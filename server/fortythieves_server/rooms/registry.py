"""The rooms in the memory of this process, by code."""

import asyncio
import contextlib
import logging
from collections.abc import Collection, Iterator
from typing import NamedTuple

from fortythieves.errors import CODES, Refused
from fortythieves.protocol import to_client
from fortythieves.protocol.to_client import Close
from fortythieves_server.common.tasks import end
from fortythieves_server.core.affinity import LARGE
from fortythieves_server.core.rule_context import Sign
from fortythieves_server.rooms.heats import Heats
from fortythieves_server.rooms.large_draws import DecideDue
from fortythieves_server.rooms.live_room import LiveRoom
from fortythieves_server.rooms.pacing import Pacing
from fortythieves_server.rooms.room_codes import is_code
from fortythieves_server.rooms.schedule import Keep
from fortythieves_server.store.redis_errors import StoreDown
from fortythieves_server.store.schema import Notification
from fortythieves_server.store.store import Store

log = logging.getLogger(__name__)

#: Seconds between closing one room and the next on shutdown, and the most for all. A guess.
AWAY_EACH, AWAY_ALL = 0.01, 2.0


class Seen(NamedTuple):
    rooms: int
    races: int
    watchers: int


class Registry:
    """Opens stored rooms, and passes on what happens to them elsewhere. One per process."""

    def __init__(self, store: Store, keep: Keep, sign: Sign, decide_due: DecideDue) -> None:
        self.pacing = Pacing()
        self._store = store
        self._keep = keep
        self._sign = sign
        self._decide_due = decide_due
        self._heats = Heats(store, sign, self.room)
        self._rooms: dict[str, LiveRoom] = {}
        self._loading: dict[str, asyncio.Task[LiveRoom]] = {}
        store.on_up = self._say_up
        store.notifications.on_notification = self._notification
        store.notifications.on_gap = self._gap

    async def close(self) -> None:
        """Tell all clients to reconnect, and stop."""
        await end(self._loading.values())
        pause = min(AWAY_EACH, AWAY_ALL / max(1, len(self._rooms)))
        for room in list(self._rooms.values()):
            room.people.close(Close.GOING_AWAY, "The server is restarting")
            await asyncio.sleep(pause)  # otherwise all clients would reconnect to the next process at the same moment
        await end(task for room in self._rooms.values() for task in room.cached.tasks)
        self._rooms.clear()

    def __contains__(self, code: str) -> bool:
        return code in self._rooms

    def __len__(self) -> int:
        return len(self._rooms)

    def __iter__(self) -> Iterator[LiveRoom]:
        """All rooms in memory. Some may be gone."""
        return iter(list(self._rooms.values()))

    def is_large(self, code: str) -> bool:
        """Whether so many people are connected here to a room that others may serve it as well."""
        room = self._rooms.get(code)
        return room is not None and len(room.peers) >= LARGE

    def rooms(self) -> list[LiveRoom]:
        return [room for room in self if not room.cached.gone]

    def seen(self) -> Seen:
        now, rooms = self._store.clock.now(), self.rooms()
        return Seen(
            rooms=len(rooms),
            races=sum(room.room.race.running(now) for room in rooms),
            watchers=sum(len(room.peers.watchers) for room in rooms),
        )

    async def room(self, code: str) -> LiveRoom:
        """The room, read from the store if need be. Raises `Refused`."""
        room = await self.stored_room(code)
        if room.room.closed:
            raise Refused("unknown-room", code=code)
        return room

    async def stored_room(self, code: str) -> LiveRoom:
        """The room, even if an operator has closed it. Raises `Refused`."""
        if not is_code(code):
            raise Refused("unknown-room", code=code[:12])
        room = self._rooms.get(code)
        if room is not None and not room.cached.gone:
            return room
        task = self._loading.get(code)
        if task is None:
            task = self._loading[code] = asyncio.create_task(self._load(code))
            task.add_done_callback(lambda _: self._loading.pop(code, None))
        try:
            return await asyncio.shield(task)
        except StoreDown:
            raise Refused("store-down") from None

    async def _load(self, code: str) -> LiveRoom:
        # First of all, so that no notification is missed between reading and subscribing.
        await self._store.notifications.follow(code)
        try:
            room = self._rooms[code] = await LiveRoom.load(
                code, self._store, self._keep, self.pacing, self._sign, self._decide_due, self._heats
            )
        except BaseException:
            with contextlib.suppress(StoreDown):
                await self._store.notifications.unfollow(code)
            raise
        return room

    def is_loading(self, code: str) -> bool:
        """Whether a room is being read, and is already subscribed to again."""
        return code in self._loading

    async def let_go(self, room: LiveRoom) -> None:
        """Stop serving a room. Raises `StoreDown`."""
        room.people.close(Close.ROOM_GONE, "This room is no longer there")
        self._rooms.pop(room.room.code, None)
        await self._store.notifications.unfollow(room.room.code)

    def _say_up(self, up: bool) -> None:
        code = "store-back" if up else "store-down"
        for room in self._rooms.values():
            room.peers.send(to_client.Notice(code, CODES[code]))

    def _notification(self, notification: Notification) -> None:
        room = self._rooms.get(notification.code)
        if room is None:
            return
        if notification.reactions:
            room.reactions.hear(notification.reactions)
        elif notification.race is None or notification.seat is None or notification.progress is None:
            room.catch_up.hear_of_events()
        else:
            room.seats.hear(notification.race, notification.seat, notification.progress)

    def _gap(self, codes: Collection[str]) -> None:
        for code in codes:
            if (room := self._rooms.get(code)) is not None:
                room.catch_up.hear_of_events()
