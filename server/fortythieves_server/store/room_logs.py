"""The logs of rooms: the events of each room, and the moves of each seat. They are the only truth.

The keys are described in `schema`, and the atomic operations in `scripts`.
"""

import secrets
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from typing import NamedTuple

import msgspec

from fortythieves.times import Ms
from fortythieves_server.core import events
from fortythieves_server.core.playthrough import Progress
from fortythieves_server.store import schema
from fortythieves_server.store.group_commit import GroupCommit
from fortythieves_server.store.memory_limit import OPEN_UP_TO
from fortythieves_server.store.reads import BulkReader, Reader
from fortythieves_server.store.redis_errors import Behind, Lost, Newer
from fortythieves_server.store.schema import DUE, of_room
from fortythieves_server.store.scripts import Script

#: Events of a room in one read. Parsing them blocks the event loop for a millisecond or two (measured).
PAGE = 2_000
#: Entries of a whole log in one read, which blocks the event loop for about two milliseconds (measured).
WINDOW = 10_000


class Taken(Exception):
    """Another room has this code."""


class Full(Exception):
    """Redis is so near its memory limit that no new room is opened."""


class RoomLog(NamedTuple):
    """The stored log of a room, from some position on."""

    epoch: str
    #: The length of the whole log.
    length: int
    entries: list[tuple[Ms, events.Event]]


class Head(NamedTuple):
    """The state of a stored room: the length of its log, and the time of its last event or move."""

    epoch: str
    n: int
    last: Ms


class RoomLogs:
    """Appends to the logs, and reads them. Every method raises `StoreDown` while Redis is away."""

    def __init__(
        self,
        process: str,
        reader: Reader,
        commits: GroupCommit,
        bulk_reader: BulkReader,
        scripts: Mapping[str, Script],
        window: int = WINDOW,
    ) -> None:
        """``window``: the number of entries in one read of a whole log."""
        self._process = process
        self._reader = reader
        self._commits = commits
        self._bulk_reader = bulk_reader
        self._scripts = scripts
        self._window = window

    async def create(self, code: str, event: events.Created) -> tuple[str, Ms]:
        """Open a room. Returns its epoch and the time. Raises `Taken`, `Full`, `StoreDown`."""
        epoch = secrets.token_hex(6)
        names = (of_room(code, "meta"), of_room(code, "log"))
        arguments = (epoch, secrets.token_hex(6), events.encode(event), str(OPEN_UP_TO))
        answer = await self._commit("create", names, arguments)
        if answer[0] == b"taken":
            raise Taken
        if answer[0] == b"full":
            raise Full
        return epoch, Ms(answer[1])

    async def commit(
        self,
        code: str,
        epoch: str,
        n: int,
        last: Ms,
        race: int,
        decided: Sequence[events.Event],
        sealed: Mapping[int, int],
    ) -> Ms:
        """Append events to the room log if its length is ``n``, and seal the move logs of seats of ``race``.

        ``last``: the time of the last of these ``n`` entries.
        ``sealed``: seat -> the length that its log must have.
        Returns the time of the events. Raises `Behind`, `Lost`, `StoreDown`.
        """
        names = [of_room(code, "meta"), of_room(code, "log")]
        checks: list[str | int] = []
        for seat, moves in sealed.items():
            names.append(of_room(code, "moves", race, seat))
            checks += [moves, f"sealed:{race}:{seat}"]
        encoded = [events.encode(event) for event in decided]
        commit = secrets.token_hex(6), of_room(code, "notify"), f"{self._process} room", len(encoded)
        return self._stamp(await self._commit("commit", names, (epoch, n, int(last), *commit, *encoded, *checks)))

    def _stamp(self, answer: list[bytes]) -> Ms:
        match answer:
            case [b"ok", at]:
                return Ms(at)
            case [b"behind"]:
                raise Behind
        raise Lost

    async def _commit(self, name: str, names: Sequence[str], arguments: Sequence[str | bytes | int]) -> list[bytes]:
        return await self._commits.make(self._scripts[name], names, arguments)

    async def read(self, code: str, start: int = 0) -> RoomLog | None:
        """The room log from position ``start`` on, or None if there is no such room. Raises `Newer`."""
        known, happened = None, list[tuple[Ms, events.Event]]()
        while True:
            first = start + len(happened)
            async with self._reader.reading():
                pipeline = self._reader.redis.pipeline(transaction=False)
                pipeline.hget(of_room(code, "meta"), "epoch")
                pipeline.lrange(of_room(code, "log"), first, first + PAGE - 1)
                pipeline.llen(of_room(code, "log"))
                epoch, entries, length = await pipeline.execute()
            # In this order, an entry that is appended between is counted but missing, which does no harm.
            if epoch is None:
                return None
            if known not in (None, epoch):
                known, happened = None, []  # data was lost between two reads, or it is another room
                continue
            known = epoch
            try:
                happened += map(schema.event_of, entries)
            except msgspec.ValidationError:
                raise Newer(code) from None
            if len(entries) < PAGE:
                return RoomLog(epoch.decode(), length, happened)

    async def heads(self, codes: Sequence[str]) -> list[Head | None]:
        """The state of each of these rooms. None if it does not exist or cannot be read."""
        async with self._reader.reading():
            ends = [("HMGET", of_room(code, "meta"), "epoch", "last") for code in codes]
            lengths = [("LLEN", of_room(code, "log")) for code in codes]
            found = await self._bulk_reader.execute([*ends, *lengths])
        return [_head(meta, n) for meta, n in zip(found[: len(codes)], found[len(codes) :], strict=True)]

    async def progress(self, code: str, race: int) -> dict[int, Progress]:
        """The progress of each seat of a race. Seats without a move are missing."""
        async with self._reader.reading():
            rows: dict[bytes, bytes] = await self._reader.redis.hgetall(of_room(code, "progress", race))
        return {int(seat): schema.progress_of(row) for seat, row in rows.items()}

    async def lengths(self, code: str, race: int, seats: Iterable[int]) -> dict[int, int]:
        names = {seat: of_room(code, "moves", race, seat) for seat in seats}
        async with self._reader.reading():
            pipeline = self._reader.redis.pipeline(transaction=False)
            for name in names.values():
                pipeline.llen(name)
            return dict(zip(names, await pipeline.execute(), strict=True))

    async def raw_log(self, code: str) -> bytes:
        """The whole log of a room as stored, entries joined by newlines. Empty if there is no such room."""
        async with self._reader.reading():
            length = await self._reader.redis.llen(of_room(code, "log"))
        return b"\n".join([part async for part in self._raw([(of_room(code, "log"), length)])])

    async def raw_moves(self, code: str, race: int, lengths: Mapping[int, int]) -> dict[int, bytes]:
        """The first entries (``lengths``) of the move logs of these seats as stored, joined by newlines."""
        parts: dict[int, list[bytes]] = {seat: [] for seat in lengths}
        spans = [(of_room(code, "moves", race, seat), length) for seat, length in lengths.items()]
        seats = [seat for seat, length in lengths.items() for _ in range(0, length, self._window)]
        async for part in self._raw(spans):
            parts[seats.pop(0)].append(part)
        return {seat: b"\n".join(found) for seat, found in parts.items()}

    async def _raw(self, lists: Iterable[tuple[str, int]]) -> AsyncIterator[bytes]:
        """The first entries of lists with these lengths, in parts that do not block other tasks for long."""
        for name, length in lists:
            for start in range(0, length, self._window):
                last = min(length, start + self._window) - 1
                async with self._reader.reading():
                    entries: list[bytes] = await self._reader.redis.lrange(name, start, last)
                yield b"\n".join(entries)

    async def moves(self, code: str, race: int, seat: int, start: int = 0) -> list[tuple[Ms, str]]:
        """A seat's move log from an entry on: (time, text)."""
        async with self._reader.reading():
            entries: list[bytes] = await self._reader.redis.lrange(of_room(code, "moves", race, seat), start, -1)
        return [schema.move_of(entry) for entry in entries]

    async def renew(self, code: str, epoch: str) -> None:
        """Give a room that lost data a new epoch, once, so that every process notices."""
        await self._commit("renew", (of_room(code, "meta"),), (epoch, secrets.token_hex(6)))

    async def delete(self, code: str, epoch: str, n: int, last: Ms, races: Mapping[int, Iterable[int]]) -> None:
        """Delete everything of a room if its log has length ``n``. ``races``: the seats of each race by its number.

        Raises `Behind` (if a player has joined), `Lost`, `StoreDown`.
        """
        names = [of_room(code, what) for what in ("meta", "log", "watchers", "let-in")]
        for race, seats in races.items():
            names += [of_room(code, "progress", race), *(of_room(code, "moves", race, seat) for seat in seats)]
        answer = await self._commit("delete", names, (epoch, n, int(last)))
        if answer != [b"gone"]:
            self._stamp(answer)
        async with self._reader.reading():
            await self._reader.redis.zrem(DUE, code)


def _head(meta: object, n: object) -> Head | None:
    match meta, n:
        case [bytes(epoch), bytes(last)], int(n):
            return Head(epoch.decode(), n, Ms(last))
    return None
