"""The cost of a move in rooms of ten, a hundred and a thousand racers, at the same rate."""

import contextlib

from tests.bench import games
from tests.bench.figures import Found, Row, Run
from tests.bench.players import Player, at_pace, hang_up, of_all, room, rooms_of_four
from tests.bench.processes import Program, program, redis

#: A thousand racers make a move a second each.
FEW, SOME, ALL = 10, 100, 1_000
A_SECOND, SECONDS, ROUNDS, ENTRIES = 1_000, 3.0, 3, 2_000

TEN = f"{FEW} racers in one room, as many moves a second"

MOVE = f"server CPU per move at {A_SECOND:,} moves/s"

ROWS = [
    Row("some", f"{MOVE}, {SOME} racers in one room", "us", TEN, "ratio", 1.3),
    Row("all", f"{MOVE}, {ALL:,} racers in one room", "us", TEN, "ratio", 1.3),
    Row("fours", f"{MOVE}, {ALL:,} racers in rooms of 4", "us", TEN, "ratio", 1.3),
]


async def measure(run: Run) -> dict[str, Found]:
    seconds, a_second = run.seconds(SECONDS), run.many(A_SECOND)
    walks = games.played(ENTRIES)["forty-thieves"]
    async with contextlib.AsyncExitStack() as stack:
        stored = await stack.enter_async_context(redis())
        playing: dict[str, tuple[Program, list[Player]]] = {}
        for name, size in (("few", FEW), ("some", run.many(SOME)), ("all", run.many(ALL)), ("fours", run.many(ALL))):
            # Separate processes, so that no server works for the others.
            server = await stack.enter_async_context(program(stored.url))
            if name == "fours":
                players = of_all(await rooms_of_four(server.address, size, ENTRIES))
            else:
                players = (await room(server.address, "forty-thieves", size, walks)).players
            playing[name] = server, players
        costs: dict[str, list[float]] = {name: [] for name in playing}
        for _ in run.rounds(ROUNDS):
            for name, (server, players) in playing.items():
                made, before = sum(player.sent for player in players), server.cpu()
                await at_pace(players, a_second, seconds)
                made = sum(player.sent for player in players) - made
                costs[name].append((server.cpu() - before) / made * 1e6)
        for _, players in playing.values():
            hang_up(players)
    return {name: Found(costs[name], costs["few"]) for name in ("some", "all", "fours")}
