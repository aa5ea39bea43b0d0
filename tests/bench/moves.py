"""Moves at full speed: the cost of one, and how many a second."""

import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from fortythieves.rules.games import GAMES
from tests.bench import bare, games
from tests.bench.figures import Found, Row, Run
from tests.bench.players import ECHOED, Player, all_out, hang_up, of_all, room, rooms_of_four
from tests.bench.processes import child, program, redis
from tests.bench.websocket import connect

RACERS, ENTRIES, SECONDS, ROUNDS = 200, 2_000, 2.0, 5
#: How often each echo client can repeat its entries.
ECHO_LAPS = 10

ECHO = "a bare aiohttp + uvloop + msgpack echo, CPU per message"
COMMITS = "bare pipelined commits from one process, the same script, one move a call"

ROWS = [
    Row("rooms_of_four", f"server CPU per move, {RACERS} racers in rooms of 4", "us", ECHO, "ratio", 5),
    Row("one_room", f"server CPU per move, {RACERS} racers in one room", "us", ECHO, "ratio", 5),
    Row("throughput", "durable moves a second, one process, all out", "/s", COMMITS, "ratio", 0.5, more=True),
]


class Spell(NamedTuple):
    """The result of some seconds at full speed."""

    messages: int
    seconds: float
    cpu: float

    @property
    def cost(self) -> float:
        return self.cpu / self.messages * 1e6

    @property
    def rate(self) -> float:
        return self.messages / self.seconds


async def measure(run: Run) -> dict[str, Found]:
    racers, seconds = run.many(RACERS), run.seconds(SECONDS)
    walks = games.played(ENTRIES)
    async with (
        redis() as stored,
        program(stored.url) as server,
        child(bare.echo) as (echo, echo_address),
        child(bare.commits, stored.url, racers) as (commits, _),
    ):
        four = of_all(await rooms_of_four(server.address, racers, ENTRIES))
        one = (await room(server.address, "forty-thieves", racers, walks["forty-thieves"])).players
        echoes = [await echoing(echo_address, n, ENTRIES) for n in range(racers)]
        spells: dict[str, list[Spell]] = {"echo": [], "four": [], "one": []}
        bare_rates: list[float] = []
        for _ in run.rounds(ROUNDS):
            spells["echo"].append(await spell(echoes, seconds, echo.cpu))
            spells["four"].append(await spell(four, seconds, server.cpu))
            spells["one"].append(await spell(one, seconds, server.cpu))
            done, took = await commits.ask(seconds / 2)
            bare_rates.append(done / took)
        hang_up([*four, *one, *echoes])
    costs = {name: [each.cost for each in found] for name, found in spells.items()}
    return {
        "rooms_of_four": Found(costs["four"], costs["echo"]),
        "one_room": Found(costs["one"], costs["echo"]),
        "throughput": Found([each.rate for each in spells["four"]], bare_rates),
    }


async def spell(players: Sequence[Player], seconds: float, server: Callable[[], float]) -> Spell:
    before, began, answers = server(), time.perf_counter(), sum(player.answered for player in players)
    await all_out(players, seconds)
    answers = sum(player.answered for player in players) - answers
    return Spell(answers, time.perf_counter() - began, server() - before)


async def echoing(address: str, n: int, entries: int) -> Player:
    """The n-th echo client, which sends the frames of a player."""
    walks = list(games.played(entries).values())
    websocket = await connect(address, lambda payload: None)
    # An echo is faster than the server and does not read the moves.
    return Player(websocket, [*walks[n % len(GAMES)][n % games.WALKS]] * ECHO_LAPS, ECHOED)
