"""Two processes against one: how many moves a second they make of the same CPU."""

from tests.bench.figures import Found, Row
from tests.bench.moves import ENTRIES, RACERS, Spell, middle_of, spell
from tests.bench.players import hang_up, of_all, rooms_of_four
from tests.bench.processes import program, redis
from tests.bench.run import Run

SECONDS, ROUNDS = 2.0, 4

ROWS = [
    Row("two", "two processes against one: moves a second at equal CPU", "x", "2", "ratio", more=True),
    Row("wall", "two processes against one: moves a second on this machine", "x", "2", "ratio", more=True),
]


async def measure(run: Run) -> dict[str, Found]:
    """Racers of one room are served by either process, as they come."""
    racers, seconds = run.many(RACERS), run.seconds(SECONDS)
    ones: list[Spell] = []
    twos: list[Spell] = []
    async with redis() as stored, program(stored.url) as one, program(stored.url, workers=2) as two:
        by_one = of_all(await rooms_of_four(one.address, racers, ENTRIES))
        by_two = of_all(await rooms_of_four(two.address, racers, ENTRIES))
        for _ in run.rounds(ROUNDS):
            ones.append(await spell(by_one, seconds, one.cpu, stored.pid))
            twos.append(await spell(by_two, seconds, two.cpu, stored.pid))
        hang_up([*by_one, *by_two])
    pairs = list(zip(ones, twos, strict=True))
    note = (
        f"rooms of 4 whose racers are served by either; two processes: {middle_of(twos)}; one: {middle_of(ones)}."
        " Two cores are shared by the server's processes, Redis and the load client, so that on this machine"
        " two processes cannot make twice as many; at equal CPU they are judged by what a move costs"
    )
    return {
        "two": Found([2 * one.cost / two.cost for one, two in pairs], [2.0] * len(pairs), note),
        "wall": Found([two.rate / one.rate for one, two in pairs], [2.0] * len(pairs)),
    }
