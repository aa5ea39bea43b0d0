"""A child process for what takes too long for the event loop: files, large draws and standings, and long plans.

A thread would not help: Python runs one thread at a time, so moves would wait during its work. The process starts with
the first job, and ends after it was idle for a while. It gets the logs as input, but neither a token nor the address of
Redis.
"""

import asyncio
import contextlib
import logging
import os
import struct
import sys
import time
import traceback
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, NoReturn

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from fortythieves.bot.par import par
from fortythieves.errors import Refused, refuse_if
from fortythieves.record import race_record
from fortythieves.rules.games import game
from fortythieves.tournament.draw import draw
from fortythieves.tournament.export import Event, file_of, written
from fortythieves.tournament.plan import Plan
from fortythieves.tournament.rounds import Entrant, Round
from fortythieves.tournament.sheets import results_csv, standings_csv, teams_csv
from fortythieves.tournament.standings import standings
from fortythieves.tournament.teams import table
from fortythieves_server.common import child_process
from fortythieves_server.common.child_process import Process, close_input, own_program
from fortythieves_server.common.fair_queue import Slots
from fortythieves_server.common.prices import NOBODY, Account
from fortythieves_server.core import decide_tournament, evolve
from fortythieves_server.core.brackets import course
from fortythieves_server.core.finished_race import record_of
from fortythieves_server.core.room_state import Race, Room
from fortythieves_server.core.rule_context import tournament_of
from fortythieves_server.core.tournament import Tournament
from fortythieves_server.store.schema import event_of, move_of

log = logging.getLogger(__name__)

#: Seconds without a job after which the process ends, which frees 50 MB (measured).
IDLE = 60.0
#: Seconds in which it must end by itself. It has nothing to do then.
_GRACE = 3.0
#: Seconds that a job may take. The largest record takes about five on a slow machine.
TIMEOUT = 60.0
#: The most waiting jobs. Each takes a fraction of a second.
WAITING = 200
#: If more addresses than this wait, nothing is done that nobody needs. A guess.
BUSY = 4

#: The header of a job: its length in bytes. The header of a result: its length, the seconds of CPU time it took, and
#: whether the job succeeded (0), was refused (1) or failed (2).
_JOB = struct.Struct(">Q")
_DONE = struct.Struct(">QdB")

#: The most bytes of a record; see RECORD.md. A race of a thousand takes about half of it. Its JSON form is at most
#: twice as long, which readers accept.
LONGEST = race_record.SIZE_LIMIT // 2

#: The end of an export without records, which are its last field.
NO_RECORDS = b"{}}"

Job = tuple[str, tuple[Any, ...]]


class FileProcess:
    def __init__(self, do: Callable[[bytes], Awaitable[tuple[int, bytes]]] | None = None) -> None:
        """``do`` does packed jobs instead of the child process, and returns what `done` returns."""
        self._do_here = do
        self.process: Process | None = None
        self._slots = Slots(1, waiting=WAITING)
        self._idle: asyncio.TimerHandle | None = None
        self._resting: asyncio.Task[None] | None = None
        #: Held by the job that writes to the process and reads from it.
        self._using = asyncio.Lock()

    async def do(self, job: Job | Callable[[], Awaitable[Job]], account: Account = NOBODY) -> bytes:
        """Do a job, and charge its CPU time. Addresses take turns, so none can block the others.

        A function collects the arguments when it is the job's turn, so only one job's arguments are in memory.
        Raises `Refused`: "too-fast" if too many jobs wait, or the process ended or cannot be started, or the refusal of
        the function or the job.
        """
        async with self._slots.turn(account.address):
            made = job if isinstance(job, tuple) else await job()
            async with self._using:
                return await self._do(made, account)

    async def _do(self, job: Job, account: Account) -> bytes:
        packed = msgspec.msgpack.encode(job)
        if self._do_here is not None:
            seconds, (state, body) = 0.0, await self._do_here(packed)
        else:
            seconds, state, body = await self._answer(packed, job[0])
        if state == 1:
            code, details = msgspec.msgpack.decode(body)
            raise Refused(code, **details)
        if state == 2:
            raise RuntimeError(f"{job[0]} failed: {body.decode()}")
        account.charge_work(seconds)
        return body

    async def _answer(self, packed: bytes, name: str) -> tuple[float, int, bytes]:
        """Let the process do a job. Returns the seconds that it took, and what `done` returns."""
        if self._idle is not None:
            self._idle.cancel()
        process = self.process
        if process is None or process.returncode is not None:
            try:
                process = self.process = await child_process.start_helper(*own_program(__name__))
            except OSError as error:  # no descriptor or no memory is left
                log.warning("the process for files cannot be started: %s", error)
                raise Refused("too-fast") from None
        requests, results = child_process.pipes(process)
        answered = False
        try:
            async with asyncio.timeout(TIMEOUT):
                requests.writelines((_JOB.pack(len(packed)), packed))
                await requests.drain()
                size, seconds, state = _DONE.unpack(await results.readexactly(_DONE.size))
                body = await results.readexactly(size)
            answered = True
        except (asyncio.IncompleteReadError, ConnectionError, TimeoutError) as error:
            log.warning("the process for files ended during %s: %r", name, error)
            raise Refused("too-fast") from None  # the caller can repeat the request
        finally:
            if not answered:  # the next caller must not get this result
                self.process = None
                await child_process.end(process)
        self._idle = asyncio.get_running_loop().call_later(IDLE, self.rest)
        return seconds, state, body

    async def par(self, race: Race, account: Account = NOBODY) -> bytes:
        """The par of the deal of a race, and the cards of each bot, as JSON. Raises `Refused` ("too-fast")."""
        return await self.do(("deal_par", (race.game.key, race.deck)), account)

    @property
    def is_busy(self) -> bool:
        """Whether several addresses wait."""
        return self._slots.waiting > BUSY

    def rest(self) -> None:
        """There was no job for a while: the process ends."""
        if not self._slots.count and self.process is not None:
            process, self.process = self.process, None
            self._resting = asyncio.create_task(child_process.end(process, ask=close_input, seconds=_GRACE))

    async def close(self) -> None:
        if self._idle is not None:
            self._idle.cancel()
        if self._resting is not None:
            await self._resting
        process, self.process = self.process, None
        if process is not None:
            child_process.kill(process)
            async with self._using:  # its job fails now
                await child_process.end(process)


# The jobs. Logs come as stored, with entries joined by newlines. No entry contains one


def record_file(code: str, number: int, log: bytes, moves: Mapping[int, bytes], seed: bytes, longest: int) -> bytes:
    """The signed record of a finished race. Raises `Refused` ("unknown-race", "huge-record")."""
    entries = [event_of(entry) for entry in log.split(b"\n")]
    room = evolve.replay(entries)
    found = room.race if number == room.race.number else room.past[number]
    logs = {seat: [move_of(entry) for entry in one.split(b"\n") if entry] for seat, one in moves.items()}
    made = record_of(code, found, entries, logs)
    packed = race_record.packed(race_record.sign(made, Ed25519PrivateKey.from_private_bytes(seed)))
    refuse_if(len(packed) > longest, "huge-record")
    return packed


def record_as_json(packed: bytes) -> bytes:
    return race_record.as_json(race_record.read(packed))


def record_picture(packed: bytes, language: str) -> bytes:
    # Only the process that makes pictures needs the library for them.
    from fortythieves_server.rooms import race_picture

    return race_picture.drawn(race_record.read(packed), language)


def deal_par(key: str, deck: list[int]) -> bytes:
    """What `par` finds for a deal, as JSON."""
    middle, bots = par(game(key), deck)
    return msgspec.json.encode({"par": middle, "bots": bots})


def tournament_file(kind: str, log: bytes, site: str) -> bytes:
    """A file of a tournament, chosen by the end of its name. For a bundle, the part before the records."""
    room = evolve.replay([event_of(entry) for entry in log.split(b"\n")])
    event = _event(room, tournament_of(room), f"{site}/api/races")
    if kind in _TABLES:
        return _TABLES[kind](event).encode("utf-8-sig")  # the byte order mark makes spreadsheets read it as UTF-8
    if kind == ".bundle.json":
        return written(file_of(event, {})).removesuffix(NO_RECORDS)
    return written(file_of(event))


def round_drawn(inputs: bytes) -> bytes:
    """A draw, for the arguments of `draw.draw`, in MessagePack."""
    return msgspec.msgpack.encode(draw(*_DRAW.decode(inputs)))


def standings_of(inputs: bytes) -> bytes:
    """What `Tournament.know` takes, for the arguments of `standings.standings`, in MessagePack."""
    arguments = _STANDINGS.decode(inputs)
    return msgspec.msgpack.encode((standings(*arguments), table(*arguments), course(*arguments)))


def plan_cleaned(changes: dict[str, Any]) -> bytes:
    """Changes to a plan with clean texts (`decide_tournament.cleaned`), in MessagePack."""
    return msgspec.msgpack.encode(decide_tournament.cleaned(changes))


def _event(room: Room, tournament: Tournament, races: str) -> Event:
    """``races``: our own address for records. Each race of an arena that is over is a round, with a room of its own."""
    common = room.code, tournament.plan, tournament.entrants
    if not tournament.is_arena:
        rounds = tournament.with_pars
        return Event(*common, rounds, tournament.races, tournament.starts, lambda n: f"{races}/{room.code}/{n}")
    heats = tournament.arena.heats()
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
_STANDINGS = msgspec.msgpack.Decoder(tuple[Plan, dict[int, Entrant], list[Round]])
_JOBS: Mapping[str, Callable[..., bytes]] = {
    job.__name__: job
    for job in (
        *(record_file, record_as_json, record_picture, deal_par, tournament_file),
        *(round_drawn, standings_of, plan_cleaned),
    )
}


def done(packed: bytes) -> tuple[int, bytes]:
    """Do a packed job. Returns whether it succeeded, as in the header of a result, and the result."""
    name, arguments = msgspec.msgpack.decode(packed)
    try:
        return 0, _JOBS[name](*arguments)
    except Refused as refused:
        return 1, msgspec.msgpack.encode((refused.code, refused.parameters))
    except Exception:  # noqa: BLE001 - the server logs it
        return 2, traceback.format_exc().encode()


def _serve() -> NoReturn:
    """Do the jobs on standard input, one after the other, until it closes."""
    with contextlib.suppress(OSError, AttributeError):
        os.nice(10)  # moves come first
    requests, results = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # nothing else may write between the results
    while len(head := requests.read(_JOB.size)) == _JOB.size:
        began = time.process_time()
        state, body = done(requests.read(*_JOB.unpack(head)))
        results.write(_DONE.pack(len(body), time.process_time() - began, state) + body)
        results.flush()
    sys.exit()


if __name__ == "__main__":
    _serve()
