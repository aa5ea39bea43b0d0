"""Downloads of a tournament: its export, the bundle with all records, tables, and its calendar."""

import base64
from collections.abc import AsyncIterator, Mapping
from typing import NamedTuple

from fortythieves.errors import Refused
from fortythieves.tournament.ical import calendar
from fortythieves_server.common.prices import NOBODY, Account
from fortythieves_server.core.room_state import Room
from fortythieves_server.core.tournament import Tournament
from fortythieves_server.rooms.file_cache import FileCache
from fortythieves_server.rooms.file_jobs import tournament_file
from fortythieves_server.rooms.file_process import FileProcess, Job
from fortythieves_server.rooms.hub import Hub
from fortythieves_server.rooms.records import Records

BUNDLE = ".bundle.json"
_TYPES = {
    ".json": "application/json",
    BUNDLE: "application/json",
    **dict.fromkeys((".csv", "-results.csv", "-teams.csv"), "text/csv"),
}


class Download(NamedTuple):
    """A file for a browser to save."""

    name: str
    content_type: str
    body: bytes
    #: The rest, which is made while it is sent: a bundle may be too large for memory.
    more: AsyncIterator[bytes] | None = None


class Exports:
    """Makes the files of tournaments. ``account`` pays for them."""

    def __init__(self, hub: Hub, records: Records, file_process: FileProcess) -> None:
        self._hub = hub
        self._records = records
        self._file_process = file_process
        #: Files by room, its creation, the length of its log, kind and site.
        self._kept = FileCache()

    async def of(self, code: str, kind: str, site: str, account: Account = NOBODY, guest: str = "") -> Download:
        """The file of a tournament. ``kind``: the end of its name. ``site``: our own address, for links.

        Raises `Refused` ("unknown-room", "store-down", "too-fast", and for a bundle the refusals of records). A room
        that is not a tournament, or not open to this guest, is refused like an unknown one.
        """
        room = await self._hub.room_for(code, guest)
        live, held = await self._hub.registry.room(code), room.tournament
        if held is None:
            raise Refused("unknown-room", code=code)
        if kind == ".ics":
            return _calendar(room, held, site)
        races = _races(room, held)
        if kind == BUNDLE:
            for code_of_race, own in races.values():
                await self._records.check(code_of_race, own, guest)
        name = room.code, live.cached.epoch, room.n, kind, site

        async def job() -> Job:
            return tournament_file.__name__, (kind, await self._hub.store.logs.raw_log(room.code), site)

        body = await self._kept.get(name, lambda: self._file_process.do(job, account))
        more = self._with_records(races, account, guest) if kind == BUNDLE else None
        return Download(f"{room.code}{kind}", _TYPES[kind], body, more)

    async def _with_records(
        self, races: Mapping[int, tuple[str, int]], account: Account, guest: str
    ) -> AsyncIterator[bytes]:
        """The end of a bundle: the records of all races that count, from which the standings can be computed again."""
        before = "{"
        for number, (code, own) in sorted(races.items()):
            packed = await self._records.packed(code, own, account, guest)
            yield b'%s"%d":"%s"' % (before.encode(), number, base64.b64encode(packed))
            before = ","
        yield b"}}" if races else b"{}}"


def _races(room: Room, held: Tournament) -> dict[int, tuple[str, int]]:
    """The room of each race that counts, and its number there, by its number in the tournament."""
    if held.is_arena:
        return {heat.number: (heat.code, 1) for heat in held.arena.heats() if heat.race}
    return {number: (room.code, number) for counted in held.races.values() for number in counted}


def _calendar(room: Room, held: Tournament, site: str) -> Download:
    name = held.plan.name or f"Forty Thieves Race {room.code}"
    starts_at = held.at if held.timed else held.plan.starts_at
    text = calendar(f"{room.code}@forty-thieves-race", name, f"{site}/r/{room.code}", starts_at, room.at)
    return Download(f"{room.code}.ics", "text/calendar", text.encode())
