"""The logs of rooms: the events of each room, and the moves of each seat. They are the only truth.

The keys are described in `schema`, and the atomic operations in `scripts`.
"""

import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from fortythieves.times import Ms
from fortythieves_server.core import events
from fortythieves_server.core.playthrough import Progress
from fortythieves_server.store import schema
from fortythieves_server.store.access import RedisAccess
from fortythieves_server.store.memory_limit import OPEN_UP_TO
from fortythieves_server.store.redis_errors import Behind, Lost
from fortythieves_server.store.schema import DUE, of_room

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
    #: The time and id of the first and of the last of these entries (`schema.place_of`).
    first: str
    last: str


class Head(NamedTuple):
    """The state of a stored room: the length of its log, and the number of all moves in a race."""

    epoch: str
    n: int
    moves: int


class RoomLogs:
    """Appends to the logs, and reads them. Every method raises `StoreDown` while Redis is away."""

    def __init__(self, redis: RedisAccess) -> None:
        self._redis = redis

    async def create(self, code: str, event: events.Created) -> tuple[str, Ms]:
        """Open a room. Returns its epoch and the time. Raises `Taken`, `Full`, `StoreDown`."""
        epoch = secrets.token_hex(6)
        names = (of_room(code, "meta"), of_room(code, "log"))
        id_ = secrets.token_hex(6)
        answer = await self._redis.commit("create", names, epoch, id_, events.encode(event), str(OPEN_UP_TO))
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
        last: str,
        now: Ms,
        race: int,
        decided: Sequence[events.Event],
        sealed: Mapping[int, int],
        is_wanted: Callable[[], bool] = lambda: True,
    ) -> tuple[Ms, str]:
        """Append events to the room log if its length is ``n``, and seal the move logs of seats of ``race``.

        ``last``: the time and id of the last of these ``n`` entries. ``now``: the time of the room at this process.
        ``sealed``: seat -> the length that its log must have. ``is_wanted``: asked for each attempt.
        Returns the time of the events, with the id. Raises `Behind`, `Lost`, `StoreDown`.
        """
        names = [of_room(code, "meta"), of_room(code, "log")]
        checks: list[str | int] = []
        for seat, moves in sealed.items():
            names.append(of_room(code, "moves", race, seat))
            checks += [moves, f"sealed:{race}:{seat}"]
        encoded = [events.encode(event) for event in decided]
        channel, news = of_room(code, "notify"), f"{self._redis.process} room"
        is_late = self._redis.commits.waits_for_replicas
        id_ = secrets.token_hex(6)
        commit = epoch, n, last, int(now), id_, channel, "" if is_late else news
        answer = await self._redis.commits.make(
            self._redis.scripts["commit"],
            names,
            lambda: [*commit, len(encoded), *encoded, *checks] if is_wanted() else [*commit, 0],
        )
        at = _time_of(answer)
        if is_late:
            self._redis.commits.publish(channel, news)
        return at, f"{at} {id_}"

    async def read(self, code: str, start: int = 0) -> RoomLog | None:
        """The room log from position ``start`` on, or None if there is no such room."""
        known, first, last, happened = None, "", "", list[tuple[Ms, events.Event]]()
        while True:
            n = start + len(happened)
            async with self._redis.reading() as redis:
                pipeline = redis.pipeline(transaction=False)
                pipeline.hget(of_room(code, "meta"), "epoch")
                pipeline.lrange(of_room(code, "log"), n, n + PAGE - 1)
                pipeline.llen(of_room(code, "log"))
                epoch, entries, length = await pipeline.execute()
            # In this order, an entry that is appended between is counted but missing, which does no harm.
            if epoch is None:
                return None
            if known not in (None, epoch):
                # Data was lost between two reads, or it is another room.
                known, first, last, happened = None, "", "", []
                continue
            known = epoch
            happened += map(schema.event_of, entries)
            if entries:
                first, last = first or schema.place_of(entries[0]), schema.place_of(entries[-1])
            if len(entries) < PAGE:
                return RoomLog(epoch.decode(), length, happened, first, last)

    async def heads(self, races: Sequence[tuple[str, int]]) -> list[Head | None]:
        """The state of each room, given with the number of a race. None if it does not exist or cannot be read."""
        ends = [("HMGET", of_room(code, "meta"), "epoch", f"moves:{race}") for code, race in races]
        lengths = [("LLEN", of_room(code, "log")) for code, _ in races]
        found = await self._redis.read_many([*ends, *lengths])
        return [_head(meta, n) for meta, n in zip(found[: len(races)], found[len(races) :], strict=True)]

    async def progress(self, code: str, race: int) -> dict[int, Progress]:
        """The progress of each seat of a race. Seats without a move are missing. Replicas have it, if they must."""
        rows = await self._redis.do("HGETALL", of_room(code, "progress", race))
        await self._redis.confirm(of_room(code, "meta"))
        return {int(seat): schema.progress_of(row) for seat, row in rows.items()}

    async def lengths(self, code: str, race: int, seats: Iterable[int]) -> dict[int, int]:
        names = {seat: of_room(code, "moves", race, seat) for seat in seats}
        async with self._redis.reading() as redis:
            pipeline = redis.pipeline(transaction=False)
            for name in names.values():
                pipeline.llen(name)
            return dict(zip(names, await pipeline.execute(), strict=True))

    async def raw_log(self, code: str) -> bytes:
        """The whole log of a room as stored, entries joined by newlines. Empty if there is no such room."""
        name = of_room(code, "log")
        return await self._raw(name, await self._redis.do("LLEN", name))

    async def raw_moves(self, code: str, race: int, lengths: Mapping[int, int]) -> dict[int, bytes]:
        """The first entries (``lengths``) of the move logs of these seats as stored, joined by newlines."""
        return {seat: await self._raw(of_room(code, "moves", race, seat), n) for seat, n in lengths.items()}

    async def _raw(self, name: str, length: int) -> bytes:
        """The first entries of a list, read in parts that do not block other tasks for long."""
        starts, last = range(0, length, WINDOW), length - 1
        parts = [b"\n".join(await self._redis.do("LRANGE", name, n, min(last, n + WINDOW - 1))) for n in starts]
        return b"\n".join(parts)

    async def moves(self, code: str, race: int, seat: int, start: int = 0) -> list[tuple[Ms, str]]:
        """A seat's move log from an entry on: (time, text)."""
        entries = await self._redis.do("LRANGE", of_room(code, "moves", race, seat), start, -1)
        return [schema.move_of(entry) for entry in entries]

    async def seat_log(self, code: str, race: int, seat: int, start: int) -> tuple[list[tuple[Ms, str]], str]:
        """A seat's move log from an entry on, and the hash of the whole log. Replicas have it, if they must."""
        names = of_room(code, "moves", race, seat), of_room(code, "progress", race)
        entries, row = await self._redis.run("seat_log", names, start, seat)
        await self._redis.confirm(names[0])
        return [schema.move_of(entry) for entry in entries], row.rpartition(b" ")[2].decode()

    async def renew(
        self, code: str, epoch: str, n: int, last: str, race: int, progress: Mapping[int, Progress]
    ) -> bool:
        """Give a room that lost data a new epoch, once, so that every process notices.

        Returns False if nothing is lost: the logs begin with the ``n`` events, the last one at ``last``, and with the
        moves of ``progress``. Then they were read from a server that is no longer the master.
        """
        names = [of_room(code, "meta"), of_room(code, "log"), of_room(code, "progress", race)]
        names += [of_room(code, "moves", race, seat) for seat in progress]
        seats = [part for seat, row in progress.items() for part in (seat, row.moves, row.log_hash)]
        return await self._redis.commit("renew", names, epoch, secrets.token_hex(6), n, last, *seats) != [b"kept"]

    async def mend(self, code: str, epoch: str, race: int, progress: Mapping[int, Progress]) -> None:
        """Store the progress that follows from the logs of the seats."""
        names = [of_room(code, "meta"), of_room(code, "progress", race)]
        names += [of_room(code, "moves", race, seat) for seat in progress]
        seats = [
            part
            for seat, row in progress.items()
            for part in (seat, row.moves, f"{schema.row_of(row)} {row.at} {row.log_hash}")
        ]
        await self._redis.commit("mend", names, epoch, race, *seats)

    async def delete(self, code: str, epoch: str, n: int, last: str, races: Mapping[int, Iterable[int]]) -> None:
        """Delete everything of a room if its log has length ``n``. ``races``: the seats of each race by its number.

        Raises `Behind` (if a player has joined), `Lost`, `StoreDown`.
        """
        names = [of_room(code, what) for what in ("meta", "log", "watchers", "let-in")]
        for race, seats in races.items():
            names += [of_room(code, "progress", race), *(of_room(code, "moves", race, seat) for seat in seats)]
        answer = await self._redis.commit("delete", names, epoch, n, last, 0)
        if answer != [b"gone"]:
            _time_of(answer)
        await self._redis.do("ZREM", DUE, code)


def _time_of(answer: list[bytes]) -> Ms:
    """The time in the answer of a commit. Raises `Behind` or `Lost`."""
    match answer:
        case [b"ok", at]:
            return Ms(at)
        case [b"behind"]:
            raise Behind
    raise Lost


def _head(meta: object, n: object) -> Head | None:
    match meta, n:
        case [bytes(epoch), bytes() | None as moves], int(n):
            return Head(epoch.decode(), n, int(moves or 0))
    return None
