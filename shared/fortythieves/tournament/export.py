"""A tournament as a file. TOURNAMENTS.md lists the fields. With the signed records of its races, it is a *bundle*."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from fortythieves.errors import Refused, refuse_if
from fortythieves.times import Ms
from fortythieves.tournament import arena
from fortythieves.tournament.plan import Plan
from fortythieves.tournament.results import field
from fortythieves.tournament.rounds import Correction, Entrant, Round
from fortythieves.tournament.standings import Row, standings
from fortythieves.tournament.teams import TeamRow, table

FORMAT, VERSION = "forty-thieves-tournament", 1

#: In bytes. Thirty rounds of five hundred racers, with every move, are smaller.
SIZE_LIMIT = 256_000_000

Plain = dict[str, Any]


class Event(NamedTuple):
    """Everything of a tournament that is exported."""

    code: str
    plan: Plan
    entrants: Mapping[int, Entrant]
    rounds: Sequence[Round]
    #: The numbers of the races that count, by round, in the order of `Round.races`.
    races: Mapping[int, Sequence[int]]
    #: When each race started, by number.
    starts: Mapping[int, Ms]
    #: Gives the address of the record of a race, by number.
    link: Callable[[int], str]
    #: Arena: the room of each race, by its number.
    rooms: Mapping[int, str] = {}


class Result(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The result of a seat in a race."""

    round: int
    race: int
    seat: int
    name: str
    #: The place among all racers. None for a no-show or a disqualified entrant.
    place: int | None
    state: str
    home: int
    moves: int
    #: From the start of the race to its end for this seat.
    ms: Ms
    #: The points for the round, or None.
    points: float | None
    #: The address of the record.
    record: str


class Drawn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A round, with the numbers of its races."""

    number: int
    seats: tuple[int, ...]
    pairs: tuple[tuple[int, int], ...]
    byes: tuple[int, ...]
    races: tuple[int, ...]
    skipped: bool
    confirmed: bool
    half_byes: tuple[int, ...] = ()
    lost: tuple[int, ...] = ()
    corrections: tuple[Correction, ...] = ()
    replayed: dict[int, int] = {}
    early: tuple[int, ...] = ()
    #: Arena: the room of its race. "": the tournament's own.
    room: str = ""
    results: tuple[Result, ...] = ()


class File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The file. Seats and race numbers are texts where they are keys."""

    format: str
    version: int
    code: str
    plan: Plan
    entrants: dict[int, Entrant]
    rounds: tuple[Drawn, ...]
    tiebreaks: tuple[str, ...]
    standings: tuple[Row, ...]
    #: The standings of the teams, if the plan has teams.
    teams: tuple[TeamRow, ...] = ()
    #: Packed by `race_record.packed`, in JSON as base64. None if the file has no records.
    records: dict[int, bytes] | None = None


#: The fields of a round that a file has, too.
OF_A_ROUND = tuple(name for name in Round.__struct_fields__ if name in Drawn.__struct_fields__ and name != "races")


def file_of(event: Event, records: Mapping[int, bytes] | None = None) -> File:
    """The export of a tournament. With the records of its races by number, it is the bundle."""
    rows = standings(event.plan, event.entrants, event.rounds)
    cells = _cells(event, rows)
    return File(
        format=FORMAT,
        version=VERSION,
        code=event.code,
        # Names of absent entrants are private. The seeds can be read from the first round.
        plan=event.plan.with_lists_of(Plan()),
        entrants=dict(sorted(event.entrants.items())),
        rounds=tuple(_drawn(event, cells[done.number], done) for done in event.rounds),
        tiebreaks=event.plan.tiebreak_order,
        standings=rows,
        teams=table(event.plan, event.entrants, event.rounds),
        records=None if records is None else dict(sorted(records.items())),
    )


def _drawn(event: Event, cells: Mapping[int, float | None], done: Round) -> Drawn:
    return Drawn(
        **{name: getattr(done, name) for name in OF_A_ROUND},
        races=tuple(event.races.get(done.number, ())),
        room=event.rooms.get(done.number, ""),
        results=tuple(_results_in(event, done, cells)),
    )


def _cells(event: Event, rows: Sequence[Row]) -> Mapping[int, Mapping[int, float | None]]:
    """The points of each round, by its number and by seat."""
    if event.plan.format == "arena":
        return arena.cells(event.plan, event.entrants, event.rounds)
    return {done.number: {row.seat: row.rounds[done.number - 1] for row in rows} for done in event.rounds}


def _results_in(event: Event, done: Round, cells: Mapping[int, float | None]) -> Iterator[Result]:
    for number, race in zip(event.races.get(done.number, ()), done.races, strict=True):
        places = field(event.entrants, replace(done, races=(race,), skipped=False))
        for seat, played in sorted(race.items()):
            yield Result(
                round=done.number,
                race=number,
                seat=seat,
                name=event.entrants[seat].name,
                place=places.get(seat),
                state=played.state,
                home=played.home,
                moves=played.moves,
                ms=max(Ms(0), played.when - event.starts[number]),
                points=cells.get(seat),
                record=event.link(number),
            )


def written(file: File) -> bytes:
    """The file as JSON."""
    return msgspec.json.encode(file)


def read(data: bytes) -> File:
    """Read an export. Raises only `Refused`, whatever the bytes are."""
    refuse_if(len(data) > SIZE_LIMIT, "not-a-tournament", detail="it is larger than 256 MB")
    try:
        file = msgspec.json.decode(data, type=File)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Refused("not-a-tournament", detail=str(error)) from None
    if (file.format, file.version) != (FORMAT, VERSION):
        raise Refused("not-a-tournament", detail=f"its format is not {FORMAT}, version {VERSION}")
    return file
