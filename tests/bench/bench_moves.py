"""Measure what a move costs: durable, validated, acknowledged.

    python -m tests.bench.bench_moves [--profile]

A server in a process of its own, its Redis with ``appendfsync always`` in another, and 200 racers in this one, each of
whom sends the next move of a real game as soon as the last one is acknowledged. The games are random walks by the
rules, all nine mixed, in rooms of four; then all 200 race in one room. Beside it, in the same run: a bare aiohttp
server on uvloop that reads MessagePack and echoes it, to the same clients; and bare pipelined commits, each by a script
that checks the place in a log, appends to it, and writes the progress down, as a server does.
"""

import argparse
import asyncio
import cProfile
import json
import multiprocessing
import pstats
import random
import secrets
import sys
import tempfile
import time
from collections.abc import Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple

import msgpack
import uvloop
from aiohttp import WSMsgType, web

from fortythieves.deal import deck_of_number
from fortythieves.games import GAMES
from fortythieves_server.clock import Clock
from fortythieves_server.embedded import EmbeddedRedis
from fortythieves_server.store import Store
from fortythieves_server.track import UNDO, Track
from tests.bench.bench_watchers import Server, ask, child, cpu
from tests.bench.lines import Line, connect, framed
from tests.serving import serving

RACERS, SECONDS, ENTRIES = 200, 8.0, 1_200
NUMBER = 32001
PROFILED = "FORTY_THIEVES_BENCH_PROFILE"


class Figures(NamedTuple):
    """What came of some seconds of work."""

    messages: int
    seconds: float
    #: CPU seconds: of the server, and of the clients.
    server: float
    clients: float
    #: Of each message, in ms, sorted.
    latencies: list[float]

    @property
    def cost(self) -> float:
        """CPU time of the server for one message, in us."""
        return self.server / self.messages * 1e6

    def say(self, name: str) -> None:
        rate = self.messages / self.seconds
        p50, p99 = (self.latencies[int(len(self.latencies) * part)] for part in (0.5, 0.99))
        print(
            f"{name:32} {self.cost:6.1f} us CPU each, {rate:8,.0f}/s, p50 {p50:5.1f} ms, p99 {p99:5.1f} ms;"
            f" server {self.server / self.seconds:.0%} of a core, clients {self.clients / self.seconds:.0%}"
        )


def serve(pipe: Connection, profile: bool) -> None:
    """In a process of its own: a server that answers how much CPU time it has had, until it is told to end."""
    uvloop.run(_serve(pipe, profile))


async def _serve(pipe: Connection, profile: bool) -> None:
    with tempfile.TemporaryDirectory() as directory:
        async with serving(Path(directory)) as address:
            pipe.send(Server(0, address))
            profiler = cProfile.Profile() if profile else None
            if profiler:
                profiler.enable()
            loop = asyncio.get_running_loop()
            while await loop.run_in_executor(None, pipe.recv):
                pipe.send(cpu())
            if profiler:
                profiler.disable()
                pstats.Stats(profiler, stream=sys.stderr).sort_stats("tottime").print_stats(45)


def echo(pipe: Connection) -> None:
    """In a process of its own: a bare aiohttp server on uvloop that reads MessagePack and says it again."""
    uvloop.run(_echo(pipe))


async def _echo(pipe: Connection) -> None:
    async def ws(request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse(compress=False, max_msg_size=16384)
        await socket.prepare(request)
        async for message in socket:
            if message.type is WSMsgType.BINARY:
                await socket.send_bytes(msgpack.packb(msgpack.unpackb(message.data)))
        return socket

    app = web.Application()
    app.add_routes([web.get("/ws", ws)])
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    pipe.send(Server(0, f"http://127.0.0.1:{runner.addresses[0][1]}"))
    loop = asyncio.get_running_loop()
    while await loop.run_in_executor(None, pipe.recv):
        pipe.send(cpu())
    await runner.cleanup()


def walk(key: str, seed: int) -> list[str]:
    """Entries of a log by the rules: moves at random, and an undo where none is left or now and then."""
    rng = random.Random(seed)
    track = Track(GAMES[key], deck_of_number(NUMBER), "free", 0)
    for _ in range(ENTRIES):
        moves = list(track.board.legal_moves)
        back = track.board.moves_made and (not moves or rng.random() < 0.1)
        track.play(UNDO if back else str(rng.choice(moves)))
    return [text for text, _ in track.entries]


class Player:
    """Sends one message after the other, each when the last one was answered."""

    def __init__(self, frames: Sequence[bytes], answer: bytes) -> None:
        self._frames = frames
        self._answer = answer
        self.n = 0
        self.latencies: list[float] = []
        self.line: Line | None = None
        self.playing = False
        self._sent = 0.0

    def play(self) -> None:
        self.playing = True
        self._send()

    def _send(self) -> None:
        assert self.line is not None
        self._sent = time.perf_counter()
        self.line.send(self._frames[self.n])

    def hear(self, payload: bytes) -> None:
        if not payload.startswith(self._answer):
            assert payload[2:9] != b"unmoved", msgpack.unpackb(payload)
            return
        self.latencies.append((time.perf_counter() - self._sent) * 1000)
        self.n += 1
        if self.playing and self.n < len(self._frames):
            self._send()


async def measure(pipe: Connection, players: Sequence[Player], seconds: float = SECONDS) -> Figures:
    """Have everybody play for so long."""
    for player in players:
        player.latencies.clear()
    before, own, began = await ask(pipe), cpu(), time.perf_counter()
    for player in players:
        player.play()
    await asyncio.sleep(seconds)
    for player in players:
        player.playing = False
    took, used, clients = time.perf_counter() - began, await ask(pipe) - before, cpu() - own
    latencies = sorted(latency for player in players for latency in player.latencies)
    return Figures(len(latencies), took, used, clients, latencies)


class Voice:
    """A line that commands are said over, and answers heard."""

    def __init__(self) -> None:
        self.heard: asyncio.Queue[list[Any]] = asyncio.Queue()
        self.line: Line | None = None

    def hear(self, payload: bytes) -> None:
        self.heard.put_nowait(msgpack.unpackb(payload))

    async def say(self, *message: Any, until: str = "ok") -> list[Any]:
        assert self.line is not None
        self.line.send(framed(msgpack.packb(message)))
        return await self.until(until)

    async def until(self, tag: str) -> list[Any]:
        while True:
            message = await self.heard.get()
            assert message[0] not in {"refused", "notice"}, message
            if message[0] == tag:
                return message


async def room(address: str, key: str, size: int, walks: Sequence[Sequence[bytes]]) -> list[Player]:
    """A race of so many, which has just begun."""
    voices = []
    code = ""
    for n in range(size):
        voice = Voice()
        voice.line = await connect(address, voice.hear)
        voices.append(voice)
        await voice.say("hello", 1, None, until="welcome")
        if n == 0:
            rules = {
                "game": key,
                "deal": str(NUMBER),
                "undo": "free",
                "seats": size,
                "auto_start": False,
                "countdown": 3,
            }
            voice.line.send(framed(msgpack.packb(["create", 1, "Ann", {**rules, "time_limit": 14400}])))
            code = (await voice.until("room"))[4]["code"]
        else:
            await voice.say("join", 1, code, f"Guest {n}", None)
    await voices[0].say("start", 2)
    players = []
    for n, voice in enumerate(voices):
        await voice.until("board")
        player = Player(walks[n % len(walks)], b"\x95\xa5moved")
        player.line = voice.line
        assert player.line is not None
        player.line.hear = player.hear
        players.append(player)
    return players


def frames_of(key: str) -> list[list[bytes]]:
    """The moves of four racers of a game, ready to be sent."""
    return [
        [framed(msgpack.packb(["move", 1, n, text])) for n, text in enumerate(walk(key, seed))] for seed in range(4)
    ]


async def measure_server(
    profile: bool, rooms: Sequence[tuple[str, int]], walks: dict[str, list[list[bytes]]]
) -> Figures:
    """Races of these games, with so many racers each."""
    async with child(serve, profile) as pipe:
        address = pipe.recv().address
        begun = await asyncio.gather(*(room(address, key, size, walks[key]) for key, size in rooms))
        players = [player for racers in begun for player in racers]
        found = await measure(pipe, players)
        for player in players:
            assert player.line is not None
            player.line.close()
        return found


async def measure_echo(walks: dict[str, list[list[bytes]]]) -> Figures:
    async with child(echo) as pipe:
        address = pipe.recv().address
        players = []
        for n in range(RACERS):
            player = Player(list(walks.values())[n % 9][n % 4], b"\x94\xa4move")
            player.line = await connect(address, player.hear)
            players.append(player)
        found = await measure(pipe, players)
        for player in players:
            assert player.line is not None
            player.line.close()
        return found


async def bare_commits() -> float:
    """How many commits of moves a second one process gets done that does nothing else."""
    with tempfile.TemporaryDirectory() as directory:
        redis = EmbeddedRedis(Path(directory))
        store = Store(await redis.start(), secrets.token_hex(4), Clock())
        await store.open()
        try:
            return await _bare_commits(store)
        finally:
            await store.close()
            await redis.stop()


async def _bare_commits(store: Store) -> float:
    client = store._redis
    script = """
    local n = redis.call('LLEN', KEYS[1])
    if n ~= tonumber(ARGV[1]) then return {'behind'} end
    local time = redis.call('TIME')
    local at = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000))
    redis.call('RPUSH', KEYS[1], at .. ' ' .. ARGV[2])
    redis.call('HSET', KEYS[2], ARGV[3], ARGV[4] .. ' ' .. at)
    return {'ok', at}
    """
    sha = await client.script_load(script)
    done, n, began = 0, 0, time.perf_counter()
    while time.perf_counter() < began + SECONDS / 2:
        pipeline = client.pipeline(transaction=False)
        for seat in range(RACERS):
            keys = f"bench:{{BCDFGH}}:{seat}", "bench:{BCDFGH}:progress"
            pipeline.execute_command("EVALSHA", sha, 2, *keys, n, "draw", seat, f"{n + 1} 0 1 60 -")
        answers = await pipeline.execute()
        assert all(answer[0] == b"ok" for answer in answers), answers[0]
        done += len(answers)
        n += 1
    return done / (time.perf_counter() - began)


async def main(profile: bool) -> None:
    """Measure, and print."""
    walks = {key: frames_of(key) for key in GAMES}
    games = list(GAMES)
    bare = await measure_echo(walks)
    bare.say("bare echo, 200 clients")
    rooms = await measure_server(profile, [(games[n % 9], 4) for n in range(RACERS // 4)], walks)
    rooms.say("moves, 50 rooms of 4")
    one = await measure_server(profile, [("forty-thieves", RACERS)], walks)
    one.say("moves, one room of 200")
    commits = await bare_commits()
    print(f"bare pipelined commits: {commits:,.0f}/s")
    figures = {
        "cpu_per_move_to_echo": rooms.cost / bare.cost,
        "cpu_per_move_one_room_to_echo": one.cost / bare.cost,
        "moves_a_second_to_bare_commits": rooms.messages / rooms.seconds / commits,
    }
    print(json.dumps({name: round(value, 2) for name, value in figures.items()}))


if __name__ == "__main__":
    multiprocessing.set_start_method("spawn")
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--profile", action="store_true", help="where the server's time goes, on standard error")
    uvloop.run(main(parser.parse_args().profile))
