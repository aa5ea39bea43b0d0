"""A tournament as a file: what its standings are computed from, and what they came to. TOURNAMENTS.md has the fields.

With the signed records of its races in it, the file is a *bundle*, from which `audit` computes the standings again.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from fortythieves.errors import Refused
from fortythieves.tournament.plan import Plan
from fortythieves.tournament.results import field
from fortythieves.tournament.rounds import Entrant, Round
from fortythieves.tournament.standings import TIEBREAKS, Row, standings

FORMAT, VERSION = "forty-thieves-tournament", 1

#: In bytes. Thirty rounds of five hundred, with every move, are less.
SIZE_LIMIT = 256_000_000

Plain = dict[str, Any]


class Event(NamedTuple):
    """All of a tournament that is exported."""

    code: str
    plan: Plan
    entrants: Mapping[int, Entrant]
    rounds: Sequence[Round]
    #: The numbers of the races that count, by round, in the order of `Round.races`.
    races: Mapping[int, Sequence[int]]
    #: When each race started (ms), by number.
    starts: Mapping[int, int]
    #: Where the record of a race is, by number.
    link: Callable[[int], str]


class Result(msgspec.Struct, frozen=True):
    """How a race went for a seat."""

    round: int
    race: int
    seat: int
    name: str
    #: In the field; None: did not start, or is disqualified.
    place: int | None
    state: str
    home: int
    moves: int
    #: From the start of the race to the end of it for this seat.
    ms: int
    #: What the round gave, or None.
    points: float | None
    #: The address of the record.
    record: str


class Drawn(msgspec.Struct, frozen=True):
    """A round, with the numbers of its races."""

    number: int
    seats: tuple[int, ...]
    pairs: tuple[tuple[int, int], ...]
    byes: tuple[int, ...]
    races: tuple[int, ...]
    skipped: bool
    confirmed: bool
    results: tuple[Result, ...] = ()


class File(msgspec.Struct, frozen=True):
    """The file. Seats and numbers of races are texts where they are keys."""

    format: str
    version: int
    code: str
    plan: Plan
    entrants: dict[int, Entrant]
    rounds: tuple[Drawn, ...]
    tiebreaks: tuple[str, ...]
    standings: tuple[Row, ...]
    #: MessagePack, as `race_record.packed` writes it; base64 in JSON. None: the file has no records in it.
    records: dict[int, bytes] | None = None


def file_of(event: Event, records: Mapping[int, bytes] | None = None) -> File:
    """The export of a tournament; with the records of its races by number, the bundle."""
    rows = standings(event.plan, event.entrants, event.rounds)
    return File(
        format=FORMAT,
        version=VERSION,
        code=event.code,
        # Who was let in is nobody's affair, and the seeds are seen from the first round.
        plan=replace(event.plan, listed=()),
        entrants=dict(sorted(event.entrants.items())),
        rounds=tuple(_drawn(event, rows, done) for done in event.rounds),
        tiebreaks=TIEBREAKS[event.plan.format],
        standings=rows,
        records=None if records is None else dict(sorted(records.items())),
    )


def _drawn(event: Event, rows: Sequence[Row], done: Round) -> Drawn:
    races = tuple(event.races.get(done.number, ()))
    results = tuple(_results_in(event, done, _cells(rows, done)))
    return Drawn(done.number, done.seats, done.pairs, done.byes, races, done.skipped, done.confirmed, results)


def results_of(event: Event) -> Iterator[Result]:
    """Every result of every race that counts, in order."""
    rows = standings(event.plan, event.entrants, event.rounds)
    for done in event.rounds:
        yield from _results_in(event, done, _cells(rows, done))


def _cells(rows: Sequence[Row], done: Round) -> dict[int, float | None]:
    return {row.seat: row.rounds[done.number - 1] for row in rows}


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
                home=played.result.home,
                moves=played.result.moves,
                ms=max(0, played.result.when - event.starts[number]),
                points=cells.get(seat),
                record=event.link(number),
            )


def written(file: File) -> bytes:
    """The file as JSON."""
    return msgspec.json.encode(file)


def read(data: bytes) -> File:
    """The file of these bytes. For any that are none, `Refused`, and nothing else."""
    if len(data) > SIZE_LIMIT:
        raise Refused("not-a-tournament", detail="it has more than 256 MB")
    try:
        file = msgspec.json.decode(data, type=File)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Refused("not-a-tournament", detail=str(error)) from None
    if (file.format, file.version) != (FORMAT, VERSION):
        raise Refused("not-a-tournament", detail=f"its format is not {FORMAT}, version {VERSION}")
    return file
