"""Hold a tournament of each format in which everything goes wrong that can, and work its standings out again.

    python -m tests.bench.trouble [points=60 knockout=37 double=23 swiss=34 roundrobin=23 arena=30 teams=24 boards=26]
        [--seed 1]

``teams`` is Points, and ``boards`` a Swiss, in which entrants are in teams.

Entrants do not come, come late, do nothing, withdraw, are disqualified and reinstated, and the server is killed in
mid-round. At the end the standings of the host's page, of the file, of its tables, of the program, of the page in a
browser, and of a second implementation of the rules must agree, and every acknowledged move must be in the records.
Prints what differs, and exits with 1 if anything does.
"""

import argparse
import asyncio
import csv
import io
import json
import random
import sys
from collections import Counter
from contextlib import AsyncExitStack
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlsplit

import aiohttp
from playwright.async_api import async_playwright, expect

from fortythieves.errors import Refused
from fortythieves.record import race_record
from fortythieves.tournament.export import File, read
from fortythieves.tournament.rounds import Round
from fortythieves_client.client import Client
from fortythieves_client.reconnecting import Closed
from tests.bench.processes import Program, many_files, program, redis
from tests.e2e import browser
from tests.e2e.conftest import FLAGS
from tests.e2e.prepared import WINS
from tests.server.programs import run
from tests.server.stores import until
from tests.shared.tournament import naive, naive_double
from tests.shared.tournament.bundles import results

SIZES = {
    "points": 60,
    "knockout": 37,
    "double": 23,
    "swiss": 34,
    "roundrobin": 23,
    "arena": 30,
    "teams": 24,
    "boards": 26,
}
ROUNDS = {"points": 4, "knockout": 12, "double": 18, "swiss": 5, "roundrobin": 12, "teams": 4, "boards": 5}
#: Formats with teams, and how many of a team count.
TEAMS = {"teams": ("points", 3), "boards": ("swiss", 3)}
#: So many entrants are in a team, about.
IN_A_TEAM = 4
#: In these, all rounds follow from the first draw.
SCHEDULED = {"knockout", "double", "roundrobin"}
WIN = WINS["lucas"]
#: How often entrants do what in a round, of a hundred.
HABITS = {"wins": 12, "plays": 60, "idles": 8, "is absent": 12, "withdraws": 4, "leaves": 4}
#: After so many acknowledged moves the server is killed, and started again.
KILL_AFTER = 300
#: How often somebody tries to come to another room.
TRIES = 60
#: Seconds for which races of the arena begin, and between two deeds of its host.
ARENA_OPEN, ARENA_DEEDS = 90, 15


class Entrant:
    """Somebody who enters, and then has a habit of a different kind in each round."""

    def __init__(self, address: str, code: str, name: str, seed: object) -> None:
        self.name = name
        self.dice = random.Random(repr(seed))
        self._address = address
        self.client = Client(address)
        self.code = code
        #: The moves that the server acknowledged, by race.
        self.acknowledged: Counter[int] = Counter()
        self.did: Counter[str] = Counter()
        #: In the tournament, also while the client is somewhere else.
        self.seat = 0
        self._raced = 0

    async def enter(self) -> None:
        await self.client.__aenter__()
        room = await self.client.join(self.name, self.code)
        self.seat = self.seat or room.seat

    def _phase(self) -> str:
        room = self.client.room
        return str(room.tournament["phase"]) if room is not None and room.tournament is not None else ""

    def _race_to_run(self) -> int | None:
        """The number of a race that has begun for us, and in which we have done nothing yet."""
        race, room = self.client.race, self.client.room
        if race is None or room is None or race.number == self._raced or room.my_race is None:
            return None
        return race.number if room.my_race["state"] == "racing" else None

    async def take_part(self) -> None:
        while True:
            number = await self.client.until(lambda: self._race_to_run() or (self._phase() == "over" and -1))
            if number == -1:
                return
            self._raced = number
            [habit] = self.dice.choices([*HABITS], [*HABITS.values()])
            self.did[habit] += 1
            try:
                await self._behave(habit, number)
            except Refused as refused:  # by the end of the race, or by the host
                self.did[refused.code] += 1

    async def _behave(self, habit: str, race: int) -> None:
        match habit:
            case "is absent":
                await self._be_away()
            case "wins":
                await self._play(race, WIN["moves"])
            case "plays":
                await self._play(race, ["draw"] * self.dice.randint(1, 12))
                await self._give_up()
            case "idles":
                await self._give_up()
            case "withdraws":
                await self._play(race, ["draw"] * self.dice.randint(0, 3))
                await self.client.enter(False)
                await self._come_back(race)
            case "leaves":
                await self._play(race, ["draw"])
                await self._give_up()
                await self.client.enter(False)

    async def _be_away(self) -> None:
        """Long enough to be a no-show, if nothing was moved."""
        token = self.client.token
        await self.client.close()
        await asyncio.sleep(35)
        self.client = Client(self._address, token=token)
        await self.enter()
        await self.client.enter()

    async def _come_back(self, race: int) -> None:
        await self.client.until(lambda: self._phase() not in {"racing", "drawn"})
        if self._phase() != "over":
            await self.client.enter()

    async def _play(self, race: int, moves: list[str]) -> None:
        for move in moves:
            await asyncio.sleep(self.dice.random() * 0.05)
            await self.client.play(move)
            self.acknowledged[race] += 1

    async def _give_up(self) -> None:
        while True:
            try:
                return await self.client.give_up()
            except Refused as refused:
                if refused.code != "too-early":
                    raise
                await asyncio.sleep(0.5)


class Held:
    """One tournament, with a host who plays no part."""

    def __init__(self, address: str, form: str, size: int, seed: int) -> None:
        self.form = form
        self.size = size
        self.dice = random.Random(f"{form} {seed}")
        self.host = Client(address)
        self.address = address
        self.seed = seed
        self.entrants: list[Entrant] = []
        self.tasks: list[asyncio.Task[None]] = []
        #: What ended an entrant who was to go on.
        self.faults: list[str] = []

    @property
    def shown(self) -> dict[str, Any]:
        assert self.host.room is not None and self.host.room.tournament is not None
        return self.host.room.tournament

    @property
    def code(self) -> str:
        assert self.host.room is not None
        return self.host.room.code

    @property
    def acknowledged(self) -> int:
        return sum(sum(one.acknowledged.values()) for one in self.entrants)

    async def come(self, count: int) -> None:
        for _ in range(count):
            n = len(self.entrants)
            one = Entrant(self.address, self.code, f"{self.form} {n}", (self.form, n, self.seed))
            self.entrants.append(one)
            await one.enter()
            # A few have no team, and wait.
            if self.form in TEAMS and n % 13 != 12:
                await one.client.team(one.seat, f"Team {n % max(2, self.size // IN_A_TEAM)}")
            self.tasks.append(asyncio.create_task(one.take_part()))

    async def hold(self) -> None:
        await self.host.__aenter__()
        ladder = [{"game": "lucas", "deal": str(WIN["number"])}]
        plan = {"format": self.form, "by_timer": False, "ladder": ladder, "no_show": 10, "late": 2}
        if self.form not in SCHEDULED:
            plan["rounds"] = ROUNDS[self.form]
        if self.form in TEAMS:
            plan["format"], plan["team_size"] = TEAMS[self.form]
        if self.form == "roundrobin":
            plan |= {"groups": 4, "advance": 2}
        await self.host.create("Host", plan=plan, seats=600, countdown=3, time_limit=120)
        late = 0 if self.form in SCHEDULED else self.size // 10
        await self.come(self.size - late)
        out: list[int] = []
        for number in range(1, ROUNDS[self.form] + 1):
            if number == 2:
                await self.come(late)
            if not await self._start():
                break
            await self.host.until(lambda: self.shown["phase"] not in {"racing", "drawn"})
            if number < 4:
                await self._judge(out)
        await self.host.until(lambda: self.shown["phase"] == "over")
        for task in self.tasks:
            task.cancel()
        ended = await asyncio.gather(*self.tasks, return_exceptions=True)
        self.faults = [repr(error) for error in ended if isinstance(error, Exception)]

    async def _start(self) -> bool:
        if self.shown["phase"] == "over":
            return False
        try:
            await self.host.round("start")
        except Refused as refused:
            assert refused.code in {"no-round", "too-few"}, refused
            return False
        await self.host.until(lambda: self.shown["phase"] in {"racing", "over"})
        return str(self.shown["phase"]) == "racing"

    async def _judge(self, out: list[int]) -> None:
        if self.shown["phase"] == "over":
            return
        if out:
            await self.host.judge(out.pop(), False, "It was a mistake")
        for one in self.dice.sample(self.entrants, 2):
            await self.host.judge(one.seat, True, "Two accounts")
            out.append(one.seat)


class Roamer(Entrant):
    """Somebody in an arena: is called to one race after the other, and has another habit in each."""

    def __init__(self, address: str, code: str, name: str, seed: object) -> None:
        super().__init__(address, code, name, seed)
        #: The rooms of the races, by the number that `acknowledged` has of them.
        self.rooms: dict[int, str] = {}

    async def _move_to(self, code: str) -> None:
        """Go on in another room, as a page does: on a new connection."""
        token = self.client.token
        await self.client.close()
        for _ in range(TRIES):
            self.client = Client(self._address, token=token)
            try:
                await self.client.__aenter__()
                await self.client.join(self.name, code)
            except (OSError, Closed):  # the server is being started again
                await self.client.close()
                await asyncio.sleep(1)
            else:
                return
        raise TimeoutError("the server did not come back")

    def _called(self) -> str | None:
        room = self.client.room
        held = (room.tournament if room is not None else None) or {}
        arena = held.get("arena") or {}
        if held.get("phase") == "over":
            return "over"
        number = (arena.get("racing") or {}).get(str(self.seat))
        heat = (arena.get("under_way") or {}).get(str(number))
        return str(heat[0]) if heat is not None and heat[0] not in self.rooms.values() else None

    async def take_part(self) -> None:
        while True:
            code = await self.client.until(self._called)
            if code == "over":
                return
            number = len(self.rooms) + 1
            self.rooms[number] = code
            [habit] = self.dice.choices([*HABITS], [*HABITS.values()])
            self.did[habit] += 1
            try:
                await self._race(habit, number, code)
            except Refused as refused:  # by the end of the race, or by the host
                self.did[refused.code] += 1
            await self._move_to(self.code)
            if habit in {"withdraws", "is absent", "idles"}:
                await asyncio.sleep(self.dice.random() * 5)
                try:
                    await self.client.enter()
                except Refused as refused:
                    self.did[refused.code] += 1

    async def _race(self, habit: str, number: int, code: str) -> None:
        if habit == "is absent":
            await asyncio.sleep(25)
            return
        await self._move_to(code)
        await self.client.ready()
        await self.client.until(lambda: self.client.race)
        if habit != "idles":
            await self._play(number, ["draw"] * self.dice.randint(1, 12))
        if habit == "withdraws":
            await self._move_to(self.code)
            await self.client.enter(False)
            return
        await self._give_up()
        await self.client.until(lambda: self.client.room and self.client.room.over)


class HeldArena(Held):
    """An arena, whose entrants roam from race to race."""

    async def hold(self) -> None:
        await self.host.__aenter__()
        plan = {"format": self.form, "minutes": 5, "no_show": 10, "points": [2, 1], "deadly": True}
        await self.host.create("Host", plan=plan, seats=600, countdown=3, time_limit=60, game="lucas")
        await self.come(self.size * 2 // 3)
        await self.host.round("start")
        out: list[int] = []
        for n in range(ARENA_OPEN // ARENA_DEEDS):
            await asyncio.sleep(ARENA_DEEDS)
            await self._judge(out)
            if n == 1:
                await self.come(self.size - len(self.entrants))
            ended = (self.shown["arena"].get("ended") or {}) if n > 1 else {}
            if ended:
                await self.host.round("skip", "The wrong deck", int(self.dice.choice(sorted(ended))))
        await self.host.round("end", "Lunch")
        await self.host.until(lambda: self.shown["phase"] == "over")
        for task in self.tasks:
            task.cancel()
        ended = await asyncio.gather(*self.tasks, return_exceptions=True)
        self.faults = [repr(error) for error in ended if isinstance(error, Exception)]

    async def come(self, count: int) -> None:
        for _ in range(count):
            n = len(self.entrants)
            one = Roamer(self.address, self.code, f"{self.form} {n}", (self.form, n, self.seed))
            self.entrants.append(one)
            await one.enter()
            self.tasks.append(asyncio.create_task(one.take_part()))


def shown_standings(held: Held) -> dict[int, tuple[int | None, float]]:
    """What the host's page has: of an arena it makes the table itself, of what each entrant has got."""
    if held.form != "arena":
        return {seat: (place, score) for place, seat, score, _ in held.shown["standings"]}
    sheets, entrants = held.shown["arena"].get("sheets") or {}, held.shown["entrants"]
    rows = {
        int(seat): tuple((sheets.get(seat) or [0] * 7)[at] for at in (0, 2, 4, 5))
        for seat, entrant in entrants.items()
        if entrant["state"] == "in" or (entrant["state"] == "withdrawn" and seat in sheets)
    }
    places = {seat: 1 + sum(other > row for other in rows.values()) for seat, row in rows.items()}
    out = {int(seat): (None, 0.0) for seat, entrant in entrants.items() if entrant["state"] == "disqualified"}
    return {**out, **{seat: (place, float(rows[seat][0])) for seat, place in places.items()}}


async def kill_once(tournaments: list[Held], first: Program, start: Any) -> None:
    await until(lambda: sum(one.acknowledged for one in tournaments) > KILL_AFTER, seconds=300)
    await first.kill()
    await start()


# What must agree


async def differences(held: Held) -> list[str]:
    wrong: list[str] = []
    site = f"{held.address}/api/tournaments/{held.code}"
    async with aiohttp.ClientSession() as session:

        async def get(kind: str) -> bytes:
            async with session.get(site + kind) as answer:
                assert answer.status == 200, (answer.status, kind)
                return await answer.read()

        packed, table = await get(".bundle.json"), (await get(".csv")).decode("utf-8-sig")
    file = read(packed)
    stated = {row.seat: (row.place, row.score) for row in file.standings}
    shown = shown_standings(held)
    if stated != shown:
        wrong.append(f"the host's page and the file: {_apart(stated, shown)}")
    names = {entrant.name: seat for seat, entrant in file.entrants.items()}
    rows = list(csv.DictReader(io.StringIO(table)))
    by_table = {names[row["name"]]: (int(row["place"]) if row["place"] else None, float(row["score"])) for row in rows}
    rounded = {seat: (place, round(score, 4)) for seat, (place, score) in stated.items()}  # as it is shown
    if by_table != rounded:
        wrong.append(f"the table and the file: {_apart(rounded, by_table)}")
    teams = [(row.team, row.place, row.score) for row in file.teams]
    shown_teams = [(team, place, score) for place, team, score, _ in held.shown.get("teams") or []]
    if teams != shown_teams:
        wrong.append(f"the teams on the host's page and in the file: {teams} {shown_teams}")
    again = teams_again(file)
    if again != {row.team: (row.score, *row.tiebreaks) for row in file.teams if row.place is not None}:
        wrong.append(f"the teams of the second implementation: {again}")
    done = await run("standings", f"{held.address}/r/{held.code}")
    if done.code != 0:
        wrong.append(f"the program: {done.out[-2000:]}{done.errors}")
    second = places_again(file)
    placed = {seat: place for seat, (place, _) in stated.items() if place is not None}
    if second != placed:
        wrong.append(f"the second implementation: {_apart(placed, second)}")
    return [*wrong, *lost_moves(held, file), *held.faults]


def _apart(one: dict[int, Any], other: dict[int, Any]) -> dict[int, Any]:
    return {
        seat: (one.get(seat), other.get(seat)) for seat in one.keys() | other.keys() if one.get(seat) != other.get(seat)
    }


def places_again(file: File) -> dict[int, int]:
    """By the second implementation."""
    event = event_of(file)
    if file.plan.format == "roundrobin":
        return naive.last_places(event)
    if file.plan.format == "knockout":
        return {seat: place for seat, (place, _, _) in naive.knockout(event).items()}
    if file.plan.format == "double":
        found, vacant = naive_double.double(event)
        return {seat: 1 + vacant + sum(other > row for other in found.values()) for seat, row in found.items()}
    again = {"points": naive.points, "swiss": naive.swiss, "arena": naive.arena}[file.plan.format]
    rows: dict[int, Any] = again(event)
    shown = {row.seat for row in file.standings}
    # Of an arena, the points of each race come after the score.
    plain = {seat: (row[0], *row[2:]) if file.plan.format == "arena" else row for seat, row in rows.items()}
    order = {seat: row for seat, row in plain.items() if seat in shown}
    return {seat: 1 + sum(other > row for other in order.values()) for seat, row in order.items()}


def event_of(file: File) -> Any:
    """What the second implementation reads."""
    assert file.records is not None
    raced = {number: results(race_record.read(packed)) for number, packed in file.records.items()}
    rounds = [
        Round(
            *(
                d.number,
                d.seats,
                d.pairs,
                d.byes,
                tuple(raced[n] for n in d.races),
                d.skipped,
                d.confirmed,
                d.half_byes,
            ),
            lost=d.lost,
        )
        for d in file.rounds
    ]
    return SimpleNamespace(plan=file.plan, entrants=file.entrants, rounds=rounds)


def teams_again(file: File) -> dict[str, tuple[float, ...]]:
    """Scores and tie-breaks of the teams by the second implementation."""
    if not file.plan.team_size:
        return {}
    return {team: tuple(map(float, row)) for team, row in naive.teams(event_of(file)).items()}


def lost_moves(held: Held, file: File) -> list[str]:
    assert file.records is not None
    made: Counter[tuple[int, int]] = Counter()
    for number, packed in file.records.items():
        for seat, entries in race_record.read(packed)["logs"]:
            made[number, seat] = len(entries)
    by_room = {drawn.room: drawn.number for drawn in file.rounds if drawn.room}
    lost = []
    for one in held.entrants:
        for nth, count in one.acknowledged.items():
            race = by_room.get(one.rooms[nth], -1) if isinstance(one, Roamer) else nth
            if race in file.records and made[race, one.seat] < count:
                lost.append(f"race {race} of {one.name}: {count} acknowledged, {made[race, one.seat]} in the record")
            if race == -1:
                lost.append(f"a race of {one.name} in {held.code} is not in the file")
    return lost


async def page_agrees(address: str, codes: list[str]) -> list[str]:
    wrong = []
    async with async_playwright() as playwright:
        chromium = await playwright.chromium.launch(executable_path=browser.find(), args=FLAGS)
        for code in codes:
            page = await chromium.new_page(base_url=address)
            await page.goto(f"/r/{code}/s")
            try:
                await expect(page.locator("[data-check=all]")).to_have_attribute("data-ok", "true", timeout=120_000)
            except AssertionError:
                wrong.append(f"the page of {code}: {await page.locator('main').inner_text()}")
            await page.close()
        await chromium.close()
    return wrong


async def main(sizes: dict[str, int], seed: int) -> int:
    async with AsyncExitStack() as stack:
        stored = await stack.enter_async_context(redis())
        first = await stack.enter_async_context(program(stored.url))
        kinds = {"arena": HeldArena}
        tournaments = [kinds.get(form, Held)(first.address, form, size, seed) for form, size in sizes.items()]

        async def again() -> None:
            await stack.enter_async_context(program(stored.url, port=urlsplit(first.address).port or 0))

        killing = asyncio.create_task(kill_once(tournaments, first, again))
        async with asyncio.TaskGroup() as group:
            for one in tournaments:
                group.create_task(one.hold())
        await killing
        wrong = {one.form: await differences(one) for one in tournaments}
        wrong["pages"] = await page_agrees(first.address, [one.code for one in tournaments])
        habits: Counter[str] = Counter()
        for one in tournaments:
            for entrant in one.entrants:
                habits += entrant.did
        print(
            json.dumps(
                {
                    "entrants": sizes,
                    "acknowledged": {one.form: one.acknowledged for one in tournaments},
                    "rounds": {one.form: len(one.shown.get("rounds") or {}) for one in tournaments},
                    "habits": habits,
                    "differences": wrong,
                },
                indent=2,
            )
        )
        for one in tournaments:
            for client in (one.host, *(entrant.client for entrant in one.entrants)):
                await client.close()
    return int(any(wrong.values()))


if __name__ == "__main__":
    many_files()
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("sizes", nargs="*", metavar="FORMAT=ENTRANTS")
    options.add_argument("--seed", type=int, default=1)
    given = options.parse_args()
    asked = {form: int(size) for form, _, size in (one.partition("=") for one in given.sizes)} or SIZES
    sys.exit(asyncio.run(main(asked, given.seed)))
