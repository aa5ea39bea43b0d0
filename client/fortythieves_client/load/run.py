"""Run one load test, from its first connection to its results."""

import asyncio
import contextlib
import os
import random
import re
import signal
import sys
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TextIO

import aiohttp

from fortythieves.errors import Refused
from fortythieves.protocol import to_server
from fortythieves.record.proof import verify
from fortythieves.record.race_record import read
from fortythieves.rules.race_rules import TAKE_BACK_WITHIN
from fortythieves.times import Ms
from fortythieves_client.address import parse_address
from fortythieves_client.bot.levels import NAMES
from fortythieves_client.load import play
from fortythieves_client.load.bots import Bot, Racer, Watcher
from fortythieves_client.load.results import Results, percentiles

#: Connections that are opened at the same time.
PARALLEL = 50
#: Seconds for which a bot tries to reconnect, and seconds in which races must end after all have given up: a racer can
#: give up after five seconds, and that is final after ten more.
RECONNECT_TIMEOUT, LAST_SECONDS = 60.0, 45.0
COUNTDOWN = 3
#: Seconds between two rounds of a tournament.
PAUSE = 20


class Load(NamedTuple):
    url: str
    rooms: int = 10
    players: int = 5
    watchers: int = 0
    #: If not 0, each room is a tournament of this many rounds.
    rounds: int = 0
    #: Moves per second of each player, on average.
    rate: float = 0.5
    #: The duration of each race in seconds.
    seconds: int = 30
    seed: int = 1
    #: Whether the rooms are public, and the bots play as well as house bots, with their names.
    show: bool = False
    #: A file with the ids of processes that may be killed, and the seconds between two kills.
    chaos: Path | None = None
    every: float = 5.0


class _Room(NamedTuple):
    number: int
    deal: str
    racers: list[Racer]
    watchers: list[Watcher]

    @property
    def bots(self) -> list[Bot]:
        return [*self.racers, *self.watchers]


async def run_load(
    load: Load,
    screen: TextIO = sys.stderr,
    results: Results | None = None,
    enough: Callable[[], bool] = lambda: True,
    *,
    leaving: bool = False,
) -> dict[str, Any]:
    """Run a load test. Returns the results as plain values; ``results`` has them during the test.

    Each race lasts for ``load.seconds``, and then until ``enough`` is true, which may take longer on a busy machine.
    With ``leaving``, all players then leave the room, which ends a race immediately. Giving
    up is final only after ten seconds. Use ``leaving`` without kills and without tournaments.

    Raises `OSError` if the server cannot be reached, and `Refused`.
    """
    results = results or Results()
    results.races += load.rooms * max(1, load.rounds)
    ways = play.ways(load.seed)
    rooms = [_room(load, number, results, ways) for number in range(load.rooms)]
    bots = [bot for room in rooms for bot in room.bots]
    drawing = asyncio.create_task(_draw(load, results, screen))
    try:
        await _a_few_at_a_time([partial(_sit_down, room, load) for room in rooms])
        own_cpu = await _play(rooms, load, results, enough, leaving)
    finally:
        drawing.cancel()
        await asyncio.gather(drawing, return_exceptions=True)
        for bot in bots:
            bot.leaving = True
        await _a_few_at_a_time([bot.connection.close for bot in bots])
    return {
        "asked": {**load._asdict(), "chaos": load.chaos and str(load.chaos)},
        **results.as_plain(),
        "moves_per_second": round(len(results.latency_ms) / (load.seconds * max(1, load.rounds)), 1),
        "own_cpu": {"cores": round(own_cpu, 2), "of": os.cpu_count()},
        "good": results.good,
    }


def _room(load: Load, number: int, results: Results, ways: dict[str, list[list[str]]]) -> _Room:
    deal = play.DEALS[(load.seed - 1 + number) % len(play.DEALS)]
    url = parse_address(load.url).socket
    racers = []
    for seat in range(load.players):
        name, way = f"Bot {seat + 1}", ways[deal][seat % play.WAYS]
        if load.show:
            level = (3, 2, 1, 2)[seat % 4]
            name, way = (
                NAMES[level][(load.seed + number + seat // 2) % len(NAMES[level])],
                play.good_game(deal, level, seat),
            )
        racers.append(Racer(url, name, results, RECONNECT_TIMEOUT, way))
    watchers = [Watcher(url, f"Eye {k + 1}", results, RECONNECT_TIMEOUT) for k in range(load.watchers)]
    return _Room(number, deal, racers, watchers)


async def _sit_down(room: _Room, load: Load) -> None:
    host, *others = room.racers
    settings = {
        "game": play.SHOWN if load.show else play.GAME,
        **({"public": True, "watching": "everyone", "watch": "open"} if load.show else {}),
        "deal": room.deal,
        "undo": "free",
        "countdown": COUNTDOWN,
        "time_limit": min(14_400, load.seconds + 120),
    }
    if load.rounds:
        plan = {"rounds": load.rounds, "pause": PAUSE, "format": "points"}
        code = await host.create(settings, plan)
    else:
        code = await host.create({**settings, "seats": load.players, "auto_start": False})
    await _a_few_at_a_time([partial(racer.join, code) for racer in others])
    await _a_few_at_a_time([partial(watcher.watch, code) for watcher in room.watchers])
    await host.connection.ping()


async def _play(
    rooms: Sequence[_Room], load: Load, results: Results, enough: Callable[[], bool], leaving: bool
) -> float:
    """Play all races to their ends. Returns how many CPU cores this process used."""
    began, spent = time.monotonic(), time.process_time()
    async with aiohttp.ClientSession() as session, asyncio.TaskGroup() as group:
        races = [group.create_task(_races(room, load, results, enough, leaving, session)) for room in rooms]
        if load.chaos is not None:
            dice = random.Random(f"{load.seed} chaos")
            chaos = group.create_task(kill_now_and_then(load.chaos, load.every, dice, results))
            await asyncio.wait(races)
            chaos.cancel()
    return (time.process_time() - spent) / (time.monotonic() - began)


async def _races(
    room: _Room, load: Load, results: Results, enough: Callable[[], bool], leaving: bool, session: aiohttp.ClientSession
) -> None:
    try:
        await room.racers[0].ask((lambda c: to_server.Round(c, "start")) if load.rounds else to_server.Start)
        for number in range(1, max(1, load.rounds) + 1):
            await _race(room, number, load, enough)
            async with asyncio.timeout(LAST_SECONDS):
                code = room.racers[0].code
                await asyncio.gather(*(racer.leave() if leaving else racer.give_up(number) for racer in room.racers))
                record = await _record(load.url, code, number, session)
                if load.rounds:
                    await asyncio.gather(*(racer.races[number].ranked.wait() for racer in room.racers))
            _compare(room, number, record, results)
    except (TimeoutError, OSError):
        return  # the race has not ended


async def _race(room: _Room, number: int, load: Load, enough: Callable[[], bool]) -> None:
    """Wait for the cards of a race, and play it. Raises `TimeoutError` if they do not come."""
    async with asyncio.timeout(PAUSE + LAST_SECONDS):
        await asyncio.gather(*(racer.races[number].dealt.wait() for racer in room.racers))
    until = asyncio.get_running_loop().time() + load.seconds
    racing = [
        racer.race(number, _pauses(load, f"{load.seed} {room.number} {seat} {number}"), until, enough)
        for seat, racer in enumerate(room.racers)
    ]
    for result in await asyncio.gather(*racing, return_exceptions=True):
        if isinstance(result, BaseException) and not isinstance(result, Refused | OSError):
            raise result  # refusals are counted instead


def _pauses(load: Load, seed: str) -> Iterator[float]:
    dice = random.Random(seed)
    while True:
        yield dice.expovariate(load.rate)


def _compare(room: _Room, number: int, record: dict[str, Any], results: Results) -> None:
    """Check the record of a race, and compare it with the lists of its racers."""
    results.races_ended += 1
    results.wrong.update(check.check for check in verify(record) if not check.ok)
    raced = [racer.races[number] for racer in room.racers]
    dealt = [one.dealt_at for one in raced if one.dealt_at is not None]
    if dealt:
        results.start_skew_ms.append(max(dealt) - min(dealt))
    last = max(map(_final_at, record["racers"]), default=Ms(0))
    results.standings_after_ms += [(one.standings_at - last) / Ms(1) for one in raced if one.standings_at is not None]
    logs = {seat: [text for _, text in entries] for seat, entries in record["logs"]}
    for racer in room.racers:
        known, unanswered = racer.races[number].acknowledged, racer.unanswered(number)
        lost, doubled = known.differences(logs.get(racer.seat, []), unanswered)
        results.lost += lost
        results.doubled += doubled


def _final_at(racer: dict[str, Any]) -> Ms:
    """The time from which a racer's result was final."""
    return Ms(racer["when"] or 0) + (TAKE_BACK_WITHIN if racer["state"] == "gave_up" else Ms(0))


async def _record(url: str, code: str, number: int, session: aiohttp.ClientSession) -> dict[str, Any]:
    while True:
        with contextlib.suppress(aiohttp.ClientError):
            async with session.get(f"{parse_address(url).site}/api/races/{code}/{number}.json") as answer:
                if answer.status == 200:
                    return read(await answer.read())
        await asyncio.sleep(0.5)


def processes(file: Path) -> list[int]:
    """The running processes in a file, one id per line. Never this process or its parent."""
    with contextlib.suppress(OSError):
        numbers = [int(line) for line in re.findall(r"^[0-9]{1,9}$", file.read_text("ascii", "replace"), re.MULTILINE)]
        return [number for number in numbers if number > 1 and number not in {os.getpid(), os.getppid()}]
    return []


async def kill_now_and_then(file: Path, every: float, dice: random.Random, results: Results) -> None:
    """Kill one of the processes in the file (SIGKILL), and the next one ``every`` seconds after all were there again.

    On a busy machine, a process needs longer to start than the time between two kills, and nobody would ever be served.
    """
    served, most = None, 0
    while True:
        most = max(most, there := len(processes(file)))
        if not there or there < most or served == (results.acknowledged, results.reconnects):
            await asyncio.sleep(0.1)
            continue
        await asyncio.sleep(every)
        if found := processes(file):
            served = results.acknowledged, results.reconnects
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(dice.choice(found), signal.SIGKILL)
                results.kills += 1


async def _a_few_at_a_time(calls: Sequence[Callable[[], Awaitable[None]]]) -> None:
    turn = asyncio.Semaphore(PARALLEL)

    async def one(call: Callable[[], Awaitable[None]]) -> None:
        async with turn:
            await call()

    async with asyncio.TaskGroup() as group:
        for call in calls:
            group.create_task(one(call))


async def _draw(load: Load, results: Results, screen: TextIO) -> None:
    """Show the progress: on a terminal a line that is redrawn, elsewhere a line from time to time."""
    began = time.monotonic()
    alive = screen.isatty()
    try:
        while True:
            await asyncio.sleep(0.5 if alive else 10)
            passed = time.monotonic() - began
            done = min(1.0, passed / (max(1, load.rounds) * (load.seconds + COUNTDOWN + 15 + (load.rounds and PAUSE))))
            bar = "#" * int(done * 20)
            p99 = percentiles(results.latency_ms[-2000:]).get("p99", 0)
            line = f"[{bar:<20}] {passed:4.0f} s  {results.acknowledged:,} moves  p99 {p99:.0f} ms"
            line += f"  {results.kills} kills" if load.chaos else ""
            screen.write(f"\r{line}" if alive else f"{line}\n")
            screen.flush()
    finally:
        if alive:
            screen.write("\r\033[K")
            screen.flush()
