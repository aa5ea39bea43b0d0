"""The directory of rooms: which are due, which the front page lists, their spectators, and the rooms of the days."""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

import msgspec

from fortythieves.times import Ms
from fortythieves_server.core.room_list import OF_ONE_ADDRESS, Listing
from fortythieves_server.store.access import RedisAccess
from fortythieves_server.store.redis_connection import Command
from fortythieves_server.store.schema import CARRIED, DAYS, DUE, PUBLIC, of_room

#: Seconds for which the number of spectators is kept after its last update.
WATCHERS_TTL = 600
#: Seconds for which guests who gave a password are kept after the last one: seven days, like results.
LET_IN_TTL = 7 * 86_400
#: Seconds in which a guest opens the link on another device.
CARRIED_TTL = 600


class Directory:
    """The stored lists of rooms. Every method raises `StoreDown` while Redis is away."""

    def __init__(self, redis: RedisAccess) -> None:
        self._redis = redis

    async def schedule(self, rooms: Mapping[str, Ms], *, sooner: bool = False) -> None:
        """Schedule a check of each room at its time. ``sooner``: only if no earlier check is scheduled."""
        async with self._redis.reading() as redis:
            await redis.zadd(DUE, dict(rooms), lt=sooner)

    async def unschedule(self, code: str) -> None:
        """Cancel the checks of a room that no longer exists."""
        await self._redis.do("ZREM", DUE, code)

    async def due(self, now: Ms, limit: int = 100) -> list[tuple[str, Ms]]:
        """The rooms that are due for a check at ``now``, and when each was due. Ordered by that time."""
        async with self._redis.reading() as redis:
            found = await redis.zrangebyscore(DUE, "-inf", now, start=0, num=limit, withscores=True)
        return [(code.decode(), Ms(int(at))) for code, at in found]

    async def publish(self, listings: Sequence[Listing], now: Ms) -> None:
        """Update which rooms the front page lists, only a few of each address."""
        rows: list[str | bytes | int] = []
        for row in listings:
            rows += [row.address, row.code, int(row.active_at), int(row.until), msgspec.json.encode(row.summary)]
        await self._redis.run("list", PUBLIC, int(now), OF_ONE_ADDRESS, *rows)

    async def public(self, now: Ms, limit: int = 50) -> list[dict[str, Any]]:
        """The summaries of the listed rooms, the most recently active first."""
        found = await self._redis.run("listed", PUBLIC, int(now), limit)
        latest = sorted(((int(active_at), summary) for active_at, summary in found), reverse=True)[:limit]
        return [msgspec.json.decode(summary) for _, summary in latest if summary]

    async def days(self) -> tuple[dict[int, bytes], dict[int, str]]:
        """The stored rows of the days, and the codes of their rooms, by day."""
        rows, codes = [await self._redis.do("HGETALL", key) for key in DAYS]
        return {int(day): row for day, row in rows.items()}, {int(day): code.decode() for day, code in codes.items()}

    async def change_day(self, day: int, before: bytes, after: bytes) -> None:
        """Replace the row of a day, if it is still ``before``. b"": it has none."""
        await self._redis.run("swap_in", [DAYS[0]], day, before, after)

    async def name_day(self, day: int, code: str) -> None:
        """Store the room of a day, unless it has one."""
        await self._redis.do("HSETNX", DAYS[1], day, code)

    async def forget_day(self, day: int) -> None:
        for key in DAYS:
            await self._redis.do("HDEL", key, day)

    async def watched(self, here: Mapping[str, int]) -> dict[str, dict[str, int]]:
        """Store how many spectators each room has on this process. Returns the numbers of all processes for each."""
        own, keys_of = self._redis.process, {code: of_room(code, "watchers") for code in here}
        commands: list[Command] = []
        for code, count in here.items():
            if count:
                commands.append(("HSET", keys_of[code], own, count))
                commands.append(("EXPIRE", keys_of[code], WATCHERS_TTL))
        first = len(commands)
        commands.extend(("HGETALL", key) for key in keys_of.values())
        answers = (await self._redis.read_many(commands))[first:]
        found = {code: _counts(row) for code, row in zip(here, answers, strict=True)}
        for code, count in here.items():
            if not count and found[code].pop(own, 0):  # the last one has just left
                await self._redis.do("HDEL", keys_of[code], own)
        return found

    async def publish_reactions(self, code: str, counts: Sequence[int], of_racers: Sequence[tuple[int, int]]) -> None:
        """Tell the other processes how many guests here have shown each sign, and which racers."""
        signs = "\n".join([" ".join(map(str, counts)), *(f"{seat} {sign}" for seat, sign in of_racers)])
        await self._redis.run("publish", [of_room(code, "notify")], f"{self._redis.process} reactions {signs}")

    async def let_in(self, code: str, guest: str) -> None:
        """Remember that a guest gave the room's password. It is kept for seven days after the last guest."""
        await self._redis.do("SADD", of_room(code, "let-in"), guest)
        await self._redis.do("EXPIRE", of_room(code, "let-in"), LET_IN_TTL)

    async def is_let_in(self, code: str, guest: str) -> bool:
        return bool(await self._redis.do("SISMEMBER", of_room(code, "let-in"), guest))

    async def carry(self, code: str, guest: str, data: bytes) -> None:
        """Store a guest and their data for another device, which has the code. Redis has only the hash of the code."""
        await self._redis.do("SET", _carried(code), guest.encode() + b" " + data, "EX", CARRIED_TTL)

    async def take_carried(self, code: str) -> tuple[str, bytes] | None:
        """The guest and the data of a code, which works once. None: it is wrong, used or too old."""
        found: bytes | None = await self._redis.do("GETDEL", _carried(code))
        guest, _, data = (found or b"").partition(b" ")
        return None if found is None else (guest.decode(), data)


def _carried(code: str) -> str:
    return CARRIED + sha256(code.encode()).hexdigest()


def _counts(row: object) -> dict[str, int]:
    """The number of spectators by process. Empty if it cannot be read."""
    if not isinstance(row, list):
        return {}
    return {process.decode(): int(n) for process, n in zip(row[::2], row[1::2], strict=True)}
