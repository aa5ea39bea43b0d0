"""The reports of all processes about themselves and their rooms. Each writes its own to Redis, and the others read it.

A report covers the last minute and is a few seconds old at most. A process without a new report is dead or hangs,
which operators want to see. Old reports are deleted.
"""

import asyncio
import contextlib
import logging
import os
import platform
from collections import Counter, deque
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec

from fortythieves.times import Ms, seconds_of
from fortythieves_server import __version__
from fortythieves_server.common.tasks import end
from fortythieves_server.ops.metrics import Metrics
from fortythieves_server.rooms.live_room import LiveRoom
from fortythieves_server.store.redis_errors import StoreDown
from fortythieves_server.web.gateway import Gateway

log = logging.getLogger(__name__)

#: Seconds between two reports of a process, and seconds over which its rates are counted.
EVERY, SPAN = 3, 60
#: The times without a report after which a process is shown as silent, and deleted.
SILENT, FORGOTTEN = Ms(12_000), Ms(300_000)
#: The most rooms in a report, and the most slow ones.
ROOMS, SLOW = 200, 10


class RoomReport(msgspec.Struct, frozen=True):
    """A room, as one process sees it."""

    code: str
    game: str
    #: The name of its tournament ("": it has none), if it is one, and the name of its host.
    tournament: str | None
    host: str
    #: The connected seats, and the spectators of this process.
    players: int
    seats: int
    watchers: int
    #: "closed", "racing", "countdown", "lobby", "over", or the phase of its tournament.
    state: str
    opened_at: Ms
    #: The time of its last event.
    at: Ms
    #: Whether an operator has taken it off the list of the front page.
    is_unlisted: bool = False


class Report(msgspec.Struct, frozen=True):
    """A process, as it sees itself."""

    process: str
    machine: str
    pid: int
    version: str
    began: Ms
    at: Ms
    redis_up: bool
    #: Bytes that Redis uses, and its limit (0: none). None: not known yet.
    redis_memory: tuple[int, int] | None
    connections: int
    players: int
    watchers: int
    rooms: int
    races: int
    #: In the last minute: moves per second, and refusals by code.
    moves: float
    refused: dict[str, int]
    #: In seconds. None: nothing was measured, or the notification did not arrive.
    commit_p50: float | None
    commit_p99: float | None
    loop_p99: float | None
    notification: float | None
    #: The seconds for which the oldest sent commit has waited, and the number of unsent ones.
    oldest: float
    waiting: int
    #: Bytes in the send queue of the slowest client.
    send_queue: int
    memory: int | None
    slow: list[tuple[str, float]]
    listed: list[RoomReport]

    def silent_for(self, now: Ms) -> Ms | None:
        """The time since its last report, if that is too long. Otherwise None."""
        return now - self.at if now - self.at > SILENT else None


class _Sample(NamedTuple):
    at: Ms
    moves: int
    refused: Counter[str]
    commits: Sequence[int]
    lag: Sequence[int]


class Reports:
    """The reports of all processes, and the writer of our own."""

    def __init__(self, gateway: Gateway, metrics: Metrics) -> None:
        self._gateway = gateway
        self._metrics = metrics
        self._clock = gateway.service.clock
        self._store = gateway.service.store
        self._began = gateway.service.clock.now()
        self._past = deque([self._counted()], maxlen=SPAN // EVERY + 1)
        self._writer: asyncio.Task[None] | None = None

    async def open(self) -> None:
        self._writer = asyncio.create_task(self._write(), name="report")

    async def close(self) -> None:
        """Stop writing, and delete our report. A stopped process is not silent but gone."""
        await end([self._writer])
        if self._store.up:  # otherwise stopping would wait for Redis
            with contextlib.suppress(StoreDown):
                await self._store.processes.unreport([self._store.process])

    def now(self) -> Ms:
        return self._clock.now()

    async def all(self) -> list[Report]:
        """The latest report of each process, and our own as of now. Without Redis, only our own."""
        await self._store.readiness_probe.returns()
        own = self._own()
        if not self._store.up:
            return [own]  # without a wait, because an operator looks for the problem
        try:
            found = await self._store.processes.reports()
            others = [report for text in found.values() if (report := _read(text)) and report.process != own.process]
            if old := [report.process for report in others if own.at - report.at > FORGOTTEN]:
                await self._store.processes.unreport(old)
        except StoreDown:
            return [own]
        known = [report for report in others if report.process not in old]
        return sorted([own, *known], key=lambda report: (report.machine, report.began))

    async def _write(self) -> None:
        while True:
            try:
                await self._store.readiness_probe.returns()
                await self._store.processes.report(msgspec.json.encode(self._own()))
            except StoreDown as error:
                log.debug("put off: %s", error.reason)
            except Exception:
                log.exception("a report failed")
            self._past.append(self._counted())
            await asyncio.sleep(EVERY)

    def _counted(self) -> _Sample:
        counts, commits = self._gateway.counts, self._store.commits.seconds
        return _Sample(self._clock.now(), counts.moves, counts.refused.copy(), commits.counts, self._metrics.lag.counts)

    def _own(self) -> Report:
        gateway, store, now, then = self._gateway, self._store, self._counted(), self._past[0]
        seen = gateway.service.registry.seen()
        latest = sorted(gateway.service.registry.rooms(), key=lambda live: live.room.at, reverse=True)
        commits, lag = store.commits.seconds, self._metrics.lag
        return Report(
            process=store.process,
            machine=platform.node(),
            pid=os.getpid(),
            version=__version__,
            began=self._began,
            at=now.at,
            redis_up=store.up,
            redis_memory=store.memory.now and store.memory.now[:2],
            connections=len(gateway.peers),
            players=sum(peer.seat > 0 for peer in gateway.peers),
            watchers=seen.watchers,
            rooms=seen.rooms,
            races=seen.races,
            moves=(now.moves - then.moves) / max(1.0, seconds_of(now.at - then.at)),
            refused=dict(now.refused - then.refused),
            commit_p50=commits.quantile(0.5, then.commits),
            commit_p99=commits.quantile(0.99, then.commits),
            loop_p99=lag.quantile(0.99, then.lag),
            notification=store.readiness_probe.seconds,
            oldest=store.commits.oldest,
            waiting=store.commits.waiting,
            send_queue=max((peer.send_queue.waiting for peer in gateway.peers), default=0),
            memory=self._metrics.memory(),
            slow=store.moves.slow_rooms(SLOW),
            listed=[report_of(room, now.at) for room in latest[:ROOMS]],
        )


def _read(text: bytes) -> Report | None:
    """The report of another process. None if its version writes another format."""
    with contextlib.suppress(msgspec.DecodeError):
        return msgspec.json.decode(text, type=Report)
    return None


def report_of(live: LiveRoom, now: Ms) -> RoomReport:
    room, tournament = live.room, live.room.tournament
    host = room.people.get(room.host) if room.host is not None else None
    return RoomReport(
        code=room.code,
        game=room.settings.game,
        tournament=tournament.plan.name if tournament else None,
        host=host.name if host else "",
        players=sum(person.here for person in room.people.values()),
        seats=len(room.people),
        watchers=len(live.peers.watchers),
        state="closed" if room.closed else _phase(live, now),
        opened_at=room.opened_at,
        at=room.at,
        is_unlisted=room.unlisted,
    )


def _phase(live: LiveRoom, now: Ms) -> str:
    race = live.room.race
    if race.on:
        return "racing" if race.has_started(now) else "countdown"
    if live.room.tournament is not None and live.room.tournament.phase != "racing":
        return live.room.tournament.phase
    return "lobby" if race.starts_at is None else "over"


def merged(reports: Iterable[Report]) -> list[RoomReport]:
    """Each room once, from the process with its latest event, with the spectators of all processes."""
    rooms: dict[str, RoomReport] = {}
    for room in (room for report in reports for room in report.listed):
        known = rooms.setdefault(room.code, room)
        if known is not room:
            newer = max(known, room, key=lambda one: one.at)
            rooms[room.code] = msgspec.structs.replace(newer, watchers=known.watchers + room.watchers)
    return sorted(rooms.values(), key=lambda room: room.at, reverse=True)
