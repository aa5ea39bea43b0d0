"""What can be taken home of a tournament: its file, tables for spreadsheets, and its start for calendars."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import NamedTuple

from fortythieves import record
from fortythieves.errors import Refused
from fortythieves.tournament.export import Event, file_of, written
from fortythieves.tournament.ical import calendar
from fortythieves.tournament.sheets import results_csv, standings_csv
from fortythieves_server.hub import Hub
from fortythieves_server.race import Room
from fortythieves_server.records import Records
from fortythieves_server.tournament import Tournament


class Download(NamedTuple):
    """A file for a browser to save."""

    name: str
    content_type: str
    body: bytes


class Exports:
    """Makes files of tournaments when somebody asks for them."""

    def __init__(self, hub: Hub, records: Records) -> None:
        self._hub = hub
        self._records = records
        self._makers: Mapping[str, Callable[[Room, Tournament, str], Awaitable[Download]]] = {
            ".json": self._file,
            ".bundle.json": self._bundle,
            ".csv": self._standings,
            "-results.csv": self._results,
            ".ics": self._calendar,
        }

    async def of(self, code: str, kind: str, site: str) -> Download:
        """The file of a tournament; ``kind`` as its name ends, ``site``: our own address, for links.

        Raises `Refused` ("unknown-room", "not-tournament", "store-down").
        """
        room = (await self._hub.room(code)).room
        if room.tournament is None:
            raise Refused("not-tournament")
        return await self._makers[kind](room, room.tournament, site)

    async def _file(self, room: Room, held: Tournament, site: str) -> Download:
        body = await asyncio.to_thread(lambda: written(file_of(_event(room, held, site))))
        return Download(f"{room.code}.json", "application/json", body)

    async def _bundle(self, room: Room, held: Tournament, site: str) -> Download:
        """The file with the records of all races that count: enough to work out the standings anew."""
        numbers = [number for counted in held.races.values() for number in counted]
        records = {number: await self._records.of(room.code, number) for number in numbers}

        def make() -> bytes:
            packed = {number: record.packed(one) for number, one in records.items()}
            return written(file_of(_event(room, held, site), packed))

        return Download(f"{room.code}.bundle.json", "application/json", await asyncio.to_thread(make))

    async def _standings(self, room: Room, held: Tournament, site: str) -> Download:
        return _csv(f"{room.code}.csv", standings_csv(_event(room, held, site)))

    async def _results(self, room: Room, held: Tournament, site: str) -> Download:
        return _csv(f"{room.code}-results.csv", results_csv(_event(room, held, site)))

    async def _calendar(self, room: Room, held: Tournament, site: str) -> Download:
        name = held.plan.name or f"Forty Thieves Race {room.code}"
        starts_at = held.at if held.timed else held.plan.starts_at
        text = calendar(f"{room.code}@forty-thieves-race", name, f"{site}/r/{room.code}", starts_at, room.at)
        return Download(f"{room.code}.ics", "text/calendar", text.encode())


def _csv(name: str, text: str) -> Download:
    # With the mark at its beginning spreadsheets read it as UTF-8.
    return Download(name, "text/csv", text.encode("utf-8-sig"))


def _event(room: Room, held: Tournament, site: str) -> Event:
    return Event(
        room.code,
        held.plan,
        held.entrants,
        list(held.rounds.values()),
        held.races,
        held.starts,
        lambda number: f"{site}/api/races/{room.code}/{number}",
    )
