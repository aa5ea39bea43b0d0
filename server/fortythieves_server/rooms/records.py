"""Finished races: access to them, their records and reviews, and the files of tournaments.

Records are made from the logs when a client asks for them, and signed.
"""

import asyncio
import base64
import re
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Coroutine, Hashable
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from fortythieves.errors import Refused, refuse_if
from fortythieves.protocol import to_client
from fortythieves.record.signature import Promise, promise
from fortythieves.times import Ms
from fortythieves.tournament.ical import calendar
from fortythieves_server.common.prices import NOBODY, Account
from fortythieves_server.core import finished_race
from fortythieves_server.core.playthrough import Playthrough
from fortythieves_server.core.room_state import Race, Room
from fortythieves_server.core.tournament import Tournament
from fortythieves_server.rooms.decision_inputs import race_of
from fortythieves_server.rooms.file_process import LONGEST, FileProcess, Job
from fortythieves_server.rooms.live_room import HOUR, Keep, LiveRoom
from fortythieves_server.rooms.registry import Registry
from fortythieves_server.store.store import Store

#: Bytes of all cached files. The record of a race of four has 10 kB, that of a race of 600 has 1 MB.
CACHED_BYTES = 32_000_000
#: The size counted for a refusal. Refusals are cached, because finding them takes as long.
_REFUSAL = 1000
#: The fewest bytes of a log entry in a record: an array of two, a time, and a text of three characters.
LEAST = 8
#: The most moves of a racer that a challenge follows: 30 ms of CPU time (an estimate). Few races have 500.
LONGEST_GHOST = 3_000
BUNDLE = ".bundle.json"
#: The names of the jobs that make other forms of a record.
AS_JSON, PICTURE, PAR = "record_as_json", "record_picture", "deal_par"


#: Of each race that counts, by its number in the tournament: its room, and its number there.
_Races = dict[int, tuple[str, int]]


class RecordKey:
    def __init__(self, seed: bytes) -> None:
        self.use(seed)

    def use(self, seed: bytes) -> None:
        self.seed = seed
        self._key = Ed25519PrivateKey.from_private_bytes(seed)

    @property
    def public(self) -> str:
        return self._key.public_key().public_bytes_raw().hex()

    def promise(self, code: str, race: int, commitment: str, at: Ms) -> Promise:
        """The promise that a race uses what this commits to (64 hex digits). ``at``: ms since the epoch."""
        return promise(self._key, code, race, commitment, at)


class FinishedRaces:
    """Finished races of stored rooms, for the guests who may see them."""

    def __init__(self, registry: Registry, store: Store, keep: Keep) -> None:
        self._registry = registry
        self.store = store
        self._keep = keep

    async def race(self, code: str, number: int, guest: str = "", account: Account = NOBODY) -> Race:
        """A finished race, for a guest. Raises `Refused` ("unknown-race", "not-over-yet", "store-down").

        ``account`` pays if its room has to be read. A race that this guest may not see is refused like an unknown one.
        """
        try:
            room = (await self.room_for(code, guest, account)).room
        except Refused as refused:
            if refused.code != "unknown-room":
                raise
            raise self._unknown_race(code, number) from None
        parent = await self._registry.find(room.of_arena.arena) if room.of_arena is not None else None
        challenge = parent.room.challenge if parent is not None else None
        # With its record, another guest could solve the deal of a day.
        is_secret = challenge is not None and challenge.opened.day is not None and not challenge.closed
        refuse_if(is_secret, "not-over-yet", code=code, race=number)
        is_open = challenge is not None and not challenge.hides_from(guest)
        return self._finished(room, number, None if is_open else guest)

    async def ghost(self, code: str, race: Race, seat: int) -> list[tuple[Ms, int]]:
        """When how many cards of a racer were home, in ms since the start. Raises `StoreDown`."""
        starts_at, racer = race.starts_at or Ms(0), race.racers[seat]
        if racer.result is None or racer.result.moves > LONGEST_GHOST:
            return []
        playthrough = Playthrough(race.game, race.deck, race.settings.undo, starts_at)
        playthrough.follow(await self.store.logs.moves(code, race.number, seat))
        steps = zip(playthrough.times, pairwise(playthrough.homes), strict=True)
        return [(at - starts_at, home) for at, (before, home) in steps if home != before]

    async def room_for(self, code: str, guest: str, account: Account = NOBODY) -> LiveRoom:
        """A room for a guest who wants to see results without joining. Raises `Refused`."""
        live = await self._registry.room(code, account)
        if finished_race.asks_watchers(live.room) and not await self.is_let_in(live.room, guest):
            raise Refused("unknown-room", code=code)
        return live

    async def is_let_in(self, room: Room, guest: str) -> bool:
        """Whether a guest belongs to a room with a password, or gave the password at any process."""
        if finished_race.is_of(room, guest):
            return True
        return bool(guest) and await self.store.directory.is_let_in(room.code, guest)

    def _finished(self, room: Room, number: int, guest: str | None = None) -> Race:
        """A finished race of a loaded room. Without ``guest``, it is for the room's host."""
        found = race_of(room, number)
        if found is None or found.starts_at is None:
            raise self._unknown_race(room.code, number)
        if guest is not None and finished_race.is_for_racers(found) and not finished_race.may_have(room, found, guest):
            raise self._unknown_race(room.code, number)
        refuse_if(found.over_at is None, "not-over-yet", code=room.code, race=number)
        return found

    def _unknown_race(self, code: str, number: int) -> Refused:
        return Refused("unknown-race", code=code[:12], race=number, days=f"{self._keep.played / (24 * HOUR):g}")

    async def review(self, live: LiveRoom, number: int, account: Account = NOBODY) -> to_client.Reviewed:
        """For the host: the racers that shared an address, and those that only drew cards. Raises `Refused`.

        ``number``: in an arena, that of one of its races, which has a room of its own.
        """
        tournament = live.room.tournament
        heat = tournament.arena.ended.get(number) if tournament is not None else None
        room = live.room if heat is None else (await self._registry.room(heat.code, account)).room
        race = self._finished(room, number if heat is None else 1)
        key = live.cached.epoch, number
        if key not in live.reviews:
            only_drew: list[int] = []
            for seat, racer in race.racers.items():
                length = racer.result.moves if racer.result else 0
                # One log at a time: hundreds of long ones do not fit into memory, and others run in between.
                logs = await self.store.logs.raw_moves(room.code, race.number, {seat: length})
                entries = re.findall(" (.+)", logs[seat].decode())  # 20,000 entries in 4 ms (measured)
                if finished_race.only_drew(entries, race.game):
                    only_drew.append(seat)
                await asyncio.sleep(0)  # a log without entries is not read
            same_address = finished_race.of_one_address(race)
            live.reviews[key] = to_client.Reviewed(number, same_address, sorted(only_drew))
        return live.reviews[key]


class FileCache:
    """Files by name. If a file is being made, all callers wait for the same one."""

    def __init__(self, most: int = CACHED_BYTES) -> None:
        self._most = most
        self._bytes = 0
        self._files: OrderedDict[Hashable, asyncio.Task[bytes]] = OrderedDict()

    async def get(self, name: Hashable, make: Callable[[], Coroutine[Any, Any, bytes]]) -> bytes:
        """The file, which is made if necessary. Raises the errors of ``make``; a "huge-record" is cached, too."""
        task = self._files.get(name)
        if task is None:
            task = self._files[name] = asyncio.create_task(make())
            task.add_done_callback(partial(self._made, name))
        self._files.move_to_end(name)
        return await asyncio.shield(task)  # if one caller is cancelled, the others still get the file

    def _made(self, name: Hashable, task: asyncio.Task[bytes]) -> None:
        if self._files.get(name) is not task:
            return  # there were too many other files
        self._bytes += _size(task)
        if not _size(task):
            del self._files[name]
        while self._bytes > self._most:
            self._bytes -= _size(self._files.popitem(last=False)[1])


def _size(task: asyncio.Task[bytes]) -> int:
    """How much a file counts. 0: it is not finished, or has failed in a way that is not cached."""
    if not task.done() or task.cancelled():
        return 0
    match task.exception():
        case None:
            return len(task.result()) + _REFUSAL
        case Refused(code="huge-record"):
            return _REFUSAL
    return 0


class Download(NamedTuple):
    name: str
    content_type: str
    body: bytes
    #: The rest, which is made while it is sent: a bundle may be too large for memory.
    more: AsyncIterator[bytes] | None = None


class Records:
    """Makes records of the races in the store, signed with a ``key``, and the files of tournaments.

    ``account`` pays for a file that has to be made. Only some guests may have some of them: ``guest``.
    """

    def __init__(self, finished: FinishedRaces, key: RecordKey, file_process: FileProcess) -> None:
        self.finished = finished
        self._logs = finished.store.logs
        self._key = key
        self._file_process = file_process
        #: Records by form, room, race and end of the race. The code of a deleted room may be used by a later room,
        #: with another first race. Files of tournaments by room, its creation, the length of its log, kind and site.
        self._kept = FileCache()

    @property
    def public_key(self) -> str:
        return self._key.public

    async def record(
        self, code: str, number: int, account: Account = NOBODY, guest: str = "", form: tuple[str, ...] = ()
    ) -> bytes:
        """The record of a race as MessagePack, or in another form.

        ``form``: `AS_JSON`, `PAR`, or `PICTURE` (as PNG) and one of `LANGUAGES`.
        Raises `Refused` ("unknown-race", "not-over-yet", "store-down", "huge-record", "too-fast").
        """
        race = await self.finished.race(code, number, guest, account)

        async def make() -> bytes:
            if not form:
                return await self._file_process.do(lambda: self._job(code, race), account)
            if form == (PAR,):
                refuse_if(self._file_process.is_busy, "too-fast")  # files come first
                return await self._file_process.par(race, account)
            packed = await self.record(code, number, account, guest)
            return await self._file_process.do((form[0], (packed, *form[1:])), account)

        return await self._kept.get((form, code, number, race.over_at), make)

    async def _lengths(self, code: str, race: Race) -> dict[int, int]:
        """How many entries each log of a race has. Raises `Refused` if they are too many for a record."""
        lengths = await self._logs.lengths(code, race.number, race.racers)
        refuse_if(sum(lengths.values()) * LEAST > LONGEST, "huge-record")
        return lengths

    async def _job(self, code: str, race: Race) -> Job:
        moves = await self._logs.raw_moves(code, race.number, await self._lengths(code, race))
        log = await self._logs.raw_log(code)
        return "record_file", (code, race.number, log, moves, self._key.seed, LONGEST)

    async def tournament(self, code: str, kind: str, site: str, account: Account = NOBODY, guest: str = "") -> Download:
        """The file of a tournament. ``kind``: the end of its name. ``site``: our own address, for links.

        Raises `Refused` ("unknown-room", "store-down", "too-fast", and for a bundle the refusals of records). A room
        that is not a tournament, or not open to this guest, is refused like an unknown one.
        """
        live = await self.finished.room_for(code, guest, account)
        room, tournament = live.room, live.room.tournament
        if tournament is None:
            raise Refused("unknown-room", code=code)
        if kind == ".ics":
            return _calendar(room, tournament, site)
        refuse_if(tournament.lacks_par is not None, "too-fast")  # in a moment the standings are right
        more = None
        if kind == BUNDLE:
            races = _races(room, tournament)
            for code_of_race, number in races.values():  # refuses early, before any log is read
                await self._lengths(code_of_race, await self.finished.race(code_of_race, number, guest, account))
            more = self._with_records(races, account, guest)

        async def job() -> Job:
            return "tournament_file", (kind, await self._logs.raw_log(room.code), site)

        name = room.code, live.cached.epoch, room.n, kind, site
        body = await self._kept.get(name, lambda: self._file_process.do(job, account))
        return Download(f"{room.code}{kind}", "text/csv" if kind.endswith(".csv") else "application/json", body, more)

    async def _with_records(self, races: _Races, account: Account, guest: str) -> AsyncIterator[bytes]:
        """The end of a bundle: the records of all races that count, from which the standings can be computed again."""
        before = "{"
        for number, (code, own) in sorted(races.items()):
            packed = await self.record(code, own, account, guest)
            yield b'%s"%d":"%s"' % (before.encode(), number, base64.b64encode(packed))
            before = ","
        yield b"}}" if races else b"{}}"


def _races(room: Room, tournament: Tournament) -> _Races:
    if tournament.is_arena:
        return {number: (heat.code, 1) for number, heat in tournament.arena.heats().items()}
    return {number: (room.code, number) for counted in tournament.races.values() for number in counted}


def _calendar(room: Room, tournament: Tournament, site: str) -> Download:
    name = tournament.plan.name or f"Forty Thieves Race {room.code}"
    starts_at = tournament.at if tournament.timed else tournament.plan.starts_at
    text = calendar(f"{room.code}@forty-thieves-race", name, f"{site}/r/{room.code}", starts_at, room.at)
    return Download(f"{room.code}.ics", "text/calendar", text.encode())
