"""The reactions of those who look on: a few signs, sent together, kept nowhere.

They are never sent to anybody who still races: somebody who watches may know more than a racer, and six signs are
enough to tell it. Like progress, they are collected for an interval. A client for whom other frames wait misses some.
"""

import asyncio
import contextlib
from collections.abc import Sequence

from fortythieves.protocol import to_client, to_server
from fortythieves.protocol.wire import encode
from fortythieves_server.common.limits import Bucket, Rate
from fortythieves_server.rooms.broadcast import Peers
from fortythieves_server.rooms.cached_room import CachedRoom
from fortythieves_server.rooms.pacing import Pacing
from fortythieves_server.store.directory import Directory
from fortythieves_server.store.redis_errors import StoreDown

#: What a room takes in one process. Nobody could see more on a page; the rest is dropped.
OF_ROOM = Rate(20, "s", 60)
#: The most of one sign in one frame.
MOST = 99


class Reactions:
    def __init__(
        self, cached: CachedRoom, peers: Peers, pacing: Pacing, directory: Directory, of_room: Rate = OF_ROOM
    ) -> None:
        self._cached = cached
        self._peers = peers
        self._pacing = pacing
        self._directory = directory
        self._room = Bucket.of(of_room)
        #: How many of each sign wait to be sent: all, and those of clients of this process.
        self._all = [0] * len(to_server.SIGNS)
        self._own = list(self._all)

    def add(self, sign: to_server.Sign) -> None:
        """Somebody here reacts."""
        if self._room.take(asyncio.get_running_loop().time()):
            counts = [int(one == sign) for one in to_server.SIGNS]
            self._own = _sum(self._own, counts)
            self._send_soon(counts)

    def hear(self, counts: Sequence[int]) -> None:
        """People at another process have reacted."""
        if self._room.take(asyncio.get_running_loop().time()):
            self._send_soon(counts)

    def _send_soon(self, counts: Sequence[int]) -> None:
        if not any(self._all):
            self._pacing.soon(len(self._peers), self._send)
        self._all = _sum(self._all, counts)

    def _send(self) -> None:
        frame, own = encode(to_client.Reactions(self._all)), self._own
        self._all = [0] * len(to_server.SIGNS)
        self._own = list(self._all)
        race = self._cached.room.race
        for peer in self._peers.everybody():
            if not race.is_racing(peer.seat):  # nobody who races is among the spectators, either
                peer.send_queue.put_if_free(frame)
        if any(own):
            self._cached.soon(self._tell_others(own))

    async def _tell_others(self, counts: Sequence[int]) -> None:
        with contextlib.suppress(StoreDown):
            await self._directory.tell_reactions(self._cached.room.code, counts)


def _sum(counts: Sequence[int], more: Sequence[int]) -> list[int]:
    return [min(MOST, one + other) for one, other in zip(counts, more, strict=True)]
