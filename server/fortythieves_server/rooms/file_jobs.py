"""Files that are made from whole logs, and large draws, which take too long for the event loop. Pure; `file_process`
runs the jobs.

Logs come as stored, with entries joined by newlines. No entry contains one. Splitting them is part of the slow work.
"""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from fortythieves.errors import Refused
from fortythieves.record import race_record
from fortythieves.tournament.draw import draw
from fortythieves.tournament.export import Event, file_of, written
from fortythieves.tournament.plan import Plan
from fortythieves.tournament.rounds import Entrant, Round
from fortythieves.tournament.sheets import results_csv, standings_csv, teams_csv
from fortythieves_server.core import evolve
from fortythieves_server.core.finished_race import record_of
from fortythieves_server.core.room_state import Room
from fortythieves_server.core.tournament import Tournament
from fortythieves_server.store.schema import event_of, move_of

#: The most bytes of a record; see RECORD.md. A race of a thousand takes about half of it. Its JSON form is at most
#: twice as long, which readers accept.
LONGEST = race_record.SIZE_LIMIT // 2

#: The end of an export without records, which are its last field.
NO_RECORDS = b"{}}"


def record_file(code: str, number: int, log: bytes, moves: Mapping[int, bytes], seed: bytes, longest: int) -> bytes:
    """The signed record of a finished race. Raises `Refused` ("unknown-race", "huge-record")."""
    entries = [event_of(entry) for entry in log.split(b"\n")]
    room = evolve.replay(entries)
    found = room.race if number == room.race.number else room.past[number]
    logs = {seat: [move_of(entry) for entry in one.split(b"\n") if entry] for seat, one in moves.items()}
    made = record_of(code, found, entries, logs)
    packed = race_record.packed(race_record.sign(made, Ed25519PrivateKey.from_private_bytes(seed)))
    if len(packed) > longest:
        raise Refused("huge-record")
    return packed


def record_as_json(packed: bytes) -> bytes:
    return race_record.as_json(race_record.read(packed))


def record_picture(packed: bytes, language: str) -> bytes:
    # Only the process that makes pictures needs the library for them.
    from fortythieves_server.rooms import race_picture

    return race_picture.drawn(race_record.read(packed), language)


def tournament_file(kind: str, log: bytes, site: str) -> bytes:
    """A file of a tournament, chosen by the end of its name. For a bundle, the part before the records."""
    room = evolve.replay([event_of(entry) for entry in log.split(b"\n")])
    if room.tournament is None:
        raise Refused("not-tournament")
    event = _event(room, room.tournament, f"{site}/api/races")
    if kind in _TABLES:
        return _TABLES[kind](event).encode("utf-8-sig")  # the byte order mark makes spreadsheets read it as UTF-8
    if kind == ".bundle.json":
        return written(file_of(event, {})).removesuffix(NO_RECORDS)
    return written(file_of(event))


def round_drawn(inputs: bytes) -> bytes:
    """A draw, for the arguments of `draw.draw`, in MessagePack."""
    return msgspec.msgpack.encode(draw(*_DRAW.decode(inputs)))


def _event(room: Room, tournament: Tournament, races: str) -> Event:
    """``races``: our own address for records. Each race of an arena that is over is a round, with a room of its own."""
    common = room.code, tournament.plan, tournament.entrants
    if not tournament.is_arena:
        rounds = list(tournament.rounds.values())
        return Event(*common, rounds, tournament.races, tournament.starts, lambda n: f"{races}/{room.code}/{n}")
    heats = {heat.number: heat for heat in tournament.arena.heats() if heat.race}  # without those that never began
    return Event(
        *common,
        [heat.round for heat in heats.values()],
        {number: (number,) for number in heats},
        {number: heat.starts_at for number, heat in heats.items()},
        lambda number: f"{races}/{heats[number].code}/1",
        {number: heat.code for number, heat in heats.items()},
    )


_TABLES = {".csv": standings_csv, "-results.csv": results_csv, "-teams.csv": teams_csv}
_DRAW = msgspec.msgpack.Decoder(tuple[Plan, dict[int, Entrant], list[Round], str, list[int]])

JOBS: Mapping[str, Callable[..., bytes]] = {
    job.__name__: job for job in (record_file, record_as_json, record_picture, tournament_file, round_drawn)
}


def do(name: str, arguments: Any) -> bytes:
    return JOBS[name](*arguments)
