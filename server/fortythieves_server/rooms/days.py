"""The deals of the day: prepares the next ones, opens their rooms, and knows how the earlier ones ended.

The room of a day is a challenge without a challenger, and only the first room of a day is known. The process that fills
the pool prepares the days (`Filler`). Several may do so at the same time: a row replaces only the one that was read.
"""

import asyncio
import logging
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

import msgspec
from msgspec.structs import replace

from fortythieves.errors import Refused
from fortythieves.solver.day import DayProof, begins_at, day_of, game_of, secret_of
from fortythieves.solver.effort import Stars
from fortythieves.times import Ms, ms_of
from fortythieves_server.core import decide_challenge
from fortythieves_server.core.challenge import Challenge, shown
from fortythieves_server.core.decide_circle import AFTER
from fortythieves_server.core.view_types import TryRow
from fortythieves_server.rooms.registry import Registry
from fortythieves_server.rooms.sweeper import CHECK_AT_LEAST
from fortythieves_server.store.store import Store

log = logging.getLogger(__name__)

#: How many earlier days are shown.
ARCHIVE: Final = 30
#: How long the deal of a day is searched for after its beginning. Then it has no promise that it can be won.
PATIENCE: Final = ms_of(1800)
#: The most deals of a day that are searched. Each is won with a chance of 5 % or more (measured), so hardly
#: ever a day needs more.
MOST: Final = 300
#: Seconds for which the days are cached.
CACHED: Final = 2.0
#: Seconds until the next attempt to open a room, while the server is full.
FULL: Final = 300.0
#: The deal if none was found in time: the first one, without a promise.
_NOT_FOUND: Final[Mapping[str, Any]] = {"counter": 0, "stars": 0}

#: The key of a day, or None if the chain has none.
KeyOf = Callable[[int], bytes | None]


class Summary(msgspec.Struct, frozen=True):
    """How a day ended, for the archive: its room is deleted soon."""

    finished: int = 0
    winner: TryRow | None = None
    face: int = 0
    median: TryRow | None = None


class Row(msgspec.Struct, frozen=True):
    """A day as it is stored."""

    since: Ms  # when the search began
    counter: int = 0  # the deal that is searched next, or the one that was found
    stars: int | None = None  # None: the search has not ended
    summary: Summary | None = None


class Day(NamedTuple):
    row: Row
    code: str = ""  # its room; "": not opened yet
    stored: bytes = b""  # the row, if it is stored


class Search(NamedTuple):
    """A deal that the solver should search."""

    day: int
    game: str
    stars: Stars
    secret: bytes
    counter: int


class Days:
    """All days of a server. Every method raises `StoreDown` while Redis is away."""

    def __init__(self, store: Store, registry: Registry, key_of: KeyOf) -> None:
        self._store = store
        self._registry = registry
        self._key_of = key_of
        self._days: Mapping[int, Day] = {}
        self._read_at = float("-inf")
        self._open_at = float("-inf")
        self._has_keys = True

    async def next_search(self) -> Search | None:
        """Do everything that is due for the days. Returns the next deal to search, for today or tomorrow."""
        now = self._store.clock.now()
        today = day_of(now)
        days = await self._read()
        earlier = sorted(number for number in days if number < today)
        for number in earlier[:-ARCHIVE]:  # if the clock was ahead for a moment, the others are still there
            await self._store.directory.forget_day(number)
        for number in earlier[-ARCHIVE:]:
            if number < day_of(now - AFTER) and days[number].code and days[number].row.summary is None:
                await self._summarize(number, days[number])
        for number in (today, today + 1):
            key = self._key_of(number)
            if key is None:
                if self._has_keys:
                    log.error("there is no deal of the day: the clock is wrong, or was ahead when the keys were drawn")
                self._has_keys = False
                continue
            day = days.get(number, Day(Row(now)))
            is_late = now > max(begins_at(number), day.row.since) + PATIENCE
            if day.row.stars is None and (is_late or day.row.counter >= MOST):
                day = await self._keep(number, day, replace(day.row, **_NOT_FOUND))
            if day.row.stars is None:
                return Search(number, *game_of(number), secret_of(key, day.row.counter), day.row.counter)
            if not day.code and asyncio.get_running_loop().time() >= self._open_at:
                await self._open(DayProof(number, key.hex(), day.row.counter, day.row.stars))
        return None

    async def searched(self, search: Search, *, is_won: bool | None) -> None:
        """Store the result of a search, unless another process has stored it.

        ``is_won``: None if the search always fails. The deal of the day is the first one that is won, so without this
        result no later one can be proved.
        """
        day = (await self._read()).get(search.day, Day(Row(self._store.clock.now())))
        if day.row.stars is not None or day.row.counter != search.counter:
            return
        lost = _NOT_FOUND if is_won is None else {"counter": search.counter + 1}
        await self._keep(search.day, day, replace(day.row, **({"stars": search.stars} if is_won else lost)))

    async def today(self) -> dict[str, Any] | None:
        """The deal of this day for the front page, or None if there is none."""
        number = day_of(self._store.clock.now())
        day = (await self._read()).get(number)
        return None if day is None or not day.code else _shown(number, day)

    async def archive(self) -> list[dict[str, Any]]:
        """This day, the next one and the earlier ones, the latest first. Those with a summary have their key.

        So no key is published while a guest may still begin a try of its day.
        """
        today = day_of(self._store.clock.now())
        found = sorted((await self._read()).items(), reverse=True)
        return [
            {**_shown(number, day), **(self._over(number, day) if number < today and day.row.summary else {})}
            for number, day in found
            if day.code and number <= today + 1
        ]

    def _over(self, number: int, day: Day) -> dict[str, Any]:
        key = self._key_of(number)
        return {"key": key and key.hex(), "counter": day.row.counter, "summary": day.row.summary}

    async def _read(self) -> Mapping[int, Day]:
        now = asyncio.get_running_loop().time()
        if now >= self._read_at + CACHED:
            rows, codes = await self._store.directory.days()
            self._days = {number: Day(_decode(row), codes.get(number, ""), row) for number, row in rows.items()}
            self._read_at = now
        return self._days

    async def _keep(self, number: int, day: Day, row: Row) -> Day:
        """Replace the row of a day, unless another process was faster. Returns the day as it is now."""
        await self._store.directory.change_day(number, day.stored, msgspec.json.encode(row))
        self._read_at = float("-inf")
        return (await self._read())[number]

    async def _open(self, proof: DayProof) -> None:
        """Open the room of a day. If another process was faster, ours stays unknown, and is deleted when it is over."""
        try:
            created = await self._registry.open(decide_challenge.opened_day(proof), CHECK_AT_LEAST)
        except Refused as refused:
            if refused.code != "server-full":
                raise
            log.warning("the deal of day %d is not open yet, because the server is full", proof.day)
            self._open_at = asyncio.get_running_loop().time() + FULL
            return
        await self._store.directory.name_day(proof.day, created.code)
        self._read_at = float("-inf")

    async def _summarize(self, number: int, day: Day) -> None:
        live = await self._registry.find(day.code)
        challenge = None if live is None else live.room.challenge
        if live is not None and challenge is not None and not (challenge.closed or live.room.closed):
            return  # it will be closed soon
        await self._keep(number, day, replace(day.row, summary=_summary(challenge) if challenge else Summary()))


def _summary(challenge: Challenge) -> Summary:
    view = shown(challenge, None, blind=False)
    if not challenge.ranked:
        return Summary()
    _, first = challenge.ranked[0]
    return Summary(view["finished"], view["best"][str(first)], challenge.tries[first].face, view["median"])


def _shown(number: int, day: Day) -> dict[str, Any]:
    game, _ = game_of(number)
    times = {"opens_at": begins_at(number), "closes_at": begins_at(number + 1)}
    return {"day": number, "game": game, "stars": day.row.stars, "code": day.code, **times}


_decode = msgspec.json.Decoder(Row).decode
