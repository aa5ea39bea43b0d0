"""The rooms on the front page."""

import asyncio
from collections.abc import Iterable
from typing import Any

from fortythieves_server.core import room_state
from fortythieves_server.core.room_list import listing
from fortythieves_server.rooms.live_room import LiveRoom
from fortythieves_server.store.store import Store


class FrontPage:
    """Stores which rooms of this process are listed, and reads the list of all processes."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.clock = store.clock
        #: By code: the room when it was last stored, and whether it is listed.
        self.listed: dict[str, tuple[room_state.Room, bool]] = {}
        self._public: tuple[float, list[dict[str, Any]]] = (0.0, [])

    def lists(self, room: LiveRoom) -> bool:
        return self.listed.get(room.room.code, (None, False))[1]

    def has_news(self, room: LiveRoom) -> bool:
        """Whether a room has changed since this process last stored it."""
        return self.listed.get(room.room.code, (None,))[0] is not room.room

    async def publish(self, rooms: Iterable[LiveRoom]) -> None:
        """Store which of these rooms are listed. Raises `StoreDown`."""
        now, rows = self.clock.now(), []
        for live in rooms:
            room = live.room
            row = listing(room, live.cached.active_at, now)
            # A room that was just read may have been listed by another process.
            _, was_listed = self.listed.get(room.code, (None, room.settings.public))
            if row.until or was_listed:
                rows.append(row)
            self.listed[room.code] = room, bool(row.until)
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
