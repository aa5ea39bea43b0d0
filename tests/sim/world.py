"""A world of server processes, a Redis and players, in which everything can fail. One seed gives one timeline."""

import asyncio
import contextlib
import logging
import math
import random
import re
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

import aiohttp
import msgspec

from fortythieves.record import race_record
from fortythieves.record.proof import verify
from fortythieves.times import Ms
from fortythieves_client.reconnecting import RETRYABLE
from fortythieves_server.config import Config
from fortythieves_server.store.schema import of_room
from tests.serving import GENEROUS
from tests.shared.vectors import read
from tests.sim.faults import FAULTS, REDISES, SENTINELS, deployed
from tests.sim.history import History, Violation
from tests.sim.loop import BEGIN, Simulation
from tests.sim.network import Network, NetworkLoop
from tests.sim.players import (
    HABITS,
    NEVER,
    OF_CHALLENGES,
    OF_TOURNAMENTS,
    OFTEN,
    PAGES,
    PASSWORDS,
    BadPlayer,
    Entrant,
    Owner,
    Player,
    Racer,
    Spectator,
    observed,
)
from tests.sim.process import PORT, ServerProcess

#: The name under which players find some living server process, or with a number that one as long as it lives.
SITE = "site"
#: Seconds between two checks of all rooms (in a long day), and in which all must be well after the last fault.
CHECKED, CHECKED_IN_DAYS, WELL_WITHIN = 0.25, 1.0, 60.0
#: Seconds for which racers go on when all faults have ended, so that everything that is stuck is found.
RACES_ON = 28.0
#: Seconds in which a lock is free when everything works, and for each tournament to end.
FREE_WITHIN, ALL_ROUNDS = 25.0, 240.0
#: Seconds within which a try ends: it begins, it lasts as long as a race of these scripts can, and is reported.
TRIED_WITHIN = 20.0 + 120.0 + 20.0
#: Seconds that a message may be on its way while the network works.
SOON = 2.0
#: The faults of a long day.
KILLS = ("crash", "stop", "power", "redis_crash", "redis_power", "disconnect", "cut", "pause")
#: Of each server process, except its Redis.
CONFIG = Config(port=PORT, data=Path("/nowhere"), bots=False, winnable=0, limits=GENEROUS)
#: Of an HTTP client.
PATIENCE = aiohttp.ClientTimeout(total=20)


#: Unusual settings of tournaments.
PLANS: dict[str, tuple[Any, ...]] = {
    "entry": ("password", "list"),
    "listed": (("Host 0", "Player 0 1", "Player 0 2", "Nobody"),),
    "spectators": ("open",),
    **dict.fromkeys(("links_only", "blind", "quiet", "deadly"), (True,)),
    **dict.fromkeys(("by_timer", "third_place", "second_final"), (False,)),
    "team_size": (1, 2),
    "check_in": (10,),
    "late": (0, 1),
    "groups": (2,),
    "advance": (0, 2),
    "no_show": (10,),
    "most": (2, 3),
    "ladder": (({"game": "lucas"}, {"game": "little-forty"}),),
    "apart": ((("Host 0", "Player 0 1"),),),
    "minutes": (5,),
    "race_size": (3,),
}


@dataclass(frozen=True)
class Struck:
    """A fault of some kind at some time; ``x`` (from 0 to 1) decides where and how long: ``lasts`` on average."""

    at: float
    kind: str
    x: float
    lasts: float = 3.0


@dataclass(frozen=True)
class Crowd:
    """The people of one room. ``plan``: of a tournament."""

    players: int
    spectators: int
    settings: dict[str, Any]
    plan: dict[str, Any] | None = None
    #: Seconds between two actions of a player, on average; its other actions, and how often it takes one.
    pace: float = 0.4
    habits: tuple[str, ...] = ()
    whim: float = 0.02
    #: How many guests accept each challenge of these people.
    guests: int = 0


#: Who accept a challenge.
ENTRANTS = Crowd(1, 0, {}, pace=0.3, habits=("break", "other device"), whim=0.05)


@dataclass(frozen=True)
class Script:
    """All that a seed decides beforehand, so that a failure can be made smaller (`shrink`)."""

    seed: int
    redis: str
    processes: int
    crowds: tuple[Crowd, ...]
    seconds: float
    faults: tuple[Struck, ...]
    #: Whether the clients of a room prefer one process.
    near: bool = True
    #: For how many seconds a challenge is open.
    open_for: float = 86_400.0
    #: Whether there are deals of days, of which each lasts as long.
    has_days: bool = False


def script_of(seed: int, kind: str = "", seconds: float = 50.0) -> Script:
    """What happens with a seed: a swarm of faults, each time of other kinds. ``kind``: of Redis.

    Most seeds have few kinds that strike again and again, because then the same two meet in many ways.
    """
    dice = random.Random(f"script {seed}")
    drawn = dice.choice(REDISES)
    redis = kind or drawn
    themes = ("server", "network", "redis", *2 * (redis.partition(" ")[0],), "lossy")
    names = [
        [name for name, fault in FAULTS.items() if fault.where == theme for _ in range(fault.often)] for theme in themes
    ]
    if quiet := dice.random() < 0.25:  # if nothing else fails, all must soon know of a move, although they missed it
        chosen = [name for name, fault in FAULTS.items() if fault.is_mild and fault.where in themes]
        gap = 10.0
    else:
        chosen = [dice.choice(dice.choice(names)) for _ in range(dice.choice((0, 1, 2, 2, 2, 2, 3, 8)))]
        gap = dice.choice((0.5, 2.0, 6.0))
    lasts = 30.0 if quiet else dice.choice((0.5, 3.0, 15.0))
    # Some seeds have time to notice missed messages, while people do all that they do.
    at, end = dice.choice((3.0, 15.0)), seconds * dice.choice((0.5, 1.0))
    most = dice.choice((1, 1, 3, 10))  # several at nearly the same time show more than one alone
    faults = []
    while chosen and (at := at + dice.expovariate(1 / gap) * (1 + most) / 2) < end:
        name, near = dice.choice(chosen), dice.choice((0.02, 0.3, 1.0))
        for _ in range(dice.randint(1, most)):
            faults.append(Struck(round(at, 3), name, dice.random(), lasts))
            at, name = at + dice.random() * near, dice.choice((name, *chosen))
    crowds = [_crowd(dice, quiet=quiet) for _ in range(dice.choice((1, 1, 2, 3)))]
    pace = dice.choice((0.04, 0.08, 0.2)) * sum(crowd.players for crowd in crowds)
    return Script(
        seed,
        redis,
        2 if quiet else dice.choice((1, 2, 2, 2, 3)),
        tuple(replace(crowd, pace=round(pace, 2)) for crowd in crowds),
        seconds,
        tuple(faults),
        dice.random() < 0.3 and not quiet,
        dice.choice((90.0, 120.0, 86_400.0)),
    )


def day_of(seed: int) -> Script:
    """Some hours in which two people challenge guests who come at any time, while processes and machines die."""
    dice, at, faults = random.Random(f"day {seed}"), 0.0, list[Struck]()
    while (at := at + dice.expovariate(1 / 200)) < 5400.0:
        faults.append(Struck(round(at, 3), dice.choice(KILLS), dice.random(), 5.0))
    settings = {"countdown": 3, "time_limit": dice.choice((60, 120)), "game": dice.choice(("lucas", "little-forty"))}
    crowd = Crowd(2, 1, settings, pace=10.0, habits=("break", *OF_CHALLENGES), whim=0.05, guests=30)
    redis = ("single", "sentinel safe")[seed % 2]
    return Script(seed, redis, 2, (crowd,), 5400.0, tuple(faults), near=False, open_for=3600.0, has_days=True)


def _crowd(dice: random.Random, *, quiet: bool) -> Crowd:
    settings = {
        "countdown": dice.randint(3, 5),
        "time_limit": dice.choice((60, 90)),
        "undo": dice.choice(("none", "turned", "turned", "free")),
        "watch": dice.choice(("progress", "frontier", "frontier", "delayed", "open")),
        "delay": dice.choice((10, 20)),
        "game": (win := dice.choice(read("wins")))["game"],
        "deal": dice.choice(("secret", str(win["number"]))),
        "after_win": dice.choice((0, 3)),
    }
    if settings["watch"] in {"progress", "frontier"}:
        settings["late"] = dice.choice(("refuse", "watch", "join"))
    plan = None
    if dice.random() < 0.3 and not quiet:
        plan = {
            "format": dice.choice(("points", "swiss", "knockout", "double", "roundrobin", "arena", "arena")),
            "pause": 20,
        }
        plan |= {
            "rounds": 2,
            **{key: dice.choice(PLANS[key]) for key in dice.sample(sorted(PLANS), dice.randint(0, 4))},
        }
        settings.pop("late", None)
        settings["time_limit"] = 60
    habits = tuple(name for name in HABITS if dice.random() < (0.6 if name in OFTEN else 0.4))
    if plan:
        habits += OF_TOURNAMENTS
    if quiet:  # other actions hide a lost notification
        habits = ("think",)
    whim = dice.choice((0.01, 0.03, 0.1))
    guests = 0 if quiet or plan else dice.choice((0, 0, 2, 5))
    habits += OF_CHALLENGES * (guests > 0)
    most = dice.choice((2, 3, 3, 4))
    return Crowd(most, dice.choice((0, 1, 1, 2)), settings, plan, habits=habits, whim=whim, guests=guests)


class Site(Network):
    """A network with a load balancer, which knows the server processes that listen."""

    def machine_of(self, host: str) -> Any:
        if host.startswith(SITE):
            listening = sorted(name for name, port in self.ports if port == PORT and not self.is_down(name))
            wanted = f"server{host.removeprefix(SITE)}"
            host = self.simulation.random.choice(listening or ["server0"]) if wanted not in listening else wanted
        return super().machine_of(host)


class World:
    """Everything that a script needs, and all checks."""

    def __init__(self, script: Script, simulation: Simulation) -> None:
        self.script = script
        self.seed = script.seed
        self.simulation, self.later = simulation, simulation.later
        self.network = Site(simulation)
        self.dice = simulation.random_for("world")
        self.redis = deployed(self.network, script.redis)
        self.history = History(self, lambda: simulation.now)
        self.history.may_lose = self.redis.may_lose
        self.codes: list[str] = []
        self.challenges: list[str] = []
        #: The tries of days whose records were checked.
        self.proved: set[str] = set()
        self.lively = True
        self.violation: BaseException | None = None
        #: What happened, each with its time.
        self.story: list[tuple[float, str]] = []
        #: Until when faults last that have begun.
        self.calm_at = 0.0
        #: Until when faults last that may keep a frame of a player from a server.
        self.reached_at = 0.0
        #: The most seconds that a clock of Redis was ahead so far.
        self.most_ahead = 0.0
        config = replace(CONFIG, redis=self.redis.url, day=script.has_days, workers=script.processes)
        self.servers = [ServerProcess(self.network, f"server{k}", config, k) for k in range(script.processes)]
        self.players: list[Player | Spectator] = []
        self.loops: list[NetworkLoop] = []
        #: When each device asked for its seat last, and until when it was used.
        self._devices: dict[str, tuple[float, float]] = {}
        #: For each lock whose log does not grow: since when it is held.
        self.held: dict[tuple[object, ...], float] = {}
        self.goes_on = True

    def url(self, name: str) -> str:
        """The players of a room come to the same process, or to any."""
        wanted = int(name.split()[1]) % len(self.servers) if self.script.near and name[-1].isdigit() else ""
        return f"http://{SITE}{wanted}:{PORT}"

    @property
    def is_late(self) -> bool:
        """Whether racers should give up."""
        return not self.lively and self.simulation.now > self.calm_at + RACES_ON

    def told(self, connection: str, frame: bytes) -> None:
        try:
            self.history.heard(connection, frame, self.redis_time())
        except Exception as violation:
            self.violation = self.violation or violation
            raise

    async def visit(self, path: str, token: str | None = None) -> tuple[int, bytes]:
        """A player opens an address in a browser. An error of the server is a violation. Returns the status, or 0."""
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        connector = aiohttp.UnixConnector(f"{SITE}:{PORT}")
        async with aiohttp.ClientSession(connector=connector, timeout=PATIENCE) as session:
            with contextlib.suppress(aiohttp.ClientError):
                async with session.get(f"http://{SITE}{path}", headers=headers) as answer:
                    body = await answer.read()
                    found = re.match(r"/api/races/(\w+)/(\d+)", path)
                    is_early = found and answer.status == 200 and self.history.is_on(found[1], int(found[2]))
                    if answer.status == 500 or is_early:
                        self.violation = self.violation or Violation(f"{path} was answered with {answer.status}")
                    return answer.status, body
        return 0, b""

    def challenged(self, code: str, guests: int, token: str | None) -> None:
        """A player has opened a challenge: guests come, some from two devices, until it closes or all faults end."""
        self.challenges.append(code)
        number, last = len(self.challenges), min(self.script.open_for, self.script.seconds - self.simulation.now)
        if token is not None:
            self._add(Owner(f"owner {number}", self, code, token), is_needed=False)
        for k in range(guests):
            racer = Racer(f"try {number} {k}", self, ENTRANTS, "none")
            twin = Entrant(f"twin {number} {k}", self, code, racer) if self.dice.random() < 0.5 else None
            entrant = Entrant(f"guest {number} {k}", self, code, racer, twin)
            self.simulation.later(self.dice.random() * last, partial(self._add, entrant, is_needed=False))

    async def peep(self, code: str, token: str | None) -> None:
        """A guest opens the records of some other tries of a challenge in a browser."""
        tries = self.history.tries(code)
        for one in self.dice.sample(tries, min(3, len(tries))):
            status, _ = await self.visit(f"/api/races/{one.code}/1", token)
            if status == 200 and not self.history.may_know(code, token):
                self.violation = self.violation or Violation(f"a guest of {code} sees the record of {one.code}")

    async def _follow_days(self) -> None:
        """Guests come on each day. It has one room, and the records of its tries prove its deal once it is over."""
        rooms = dict[int, str]()
        while self.goes_on and not self.history.may_lose:
            status, body = await self.visit("/api/days")
            found = msgspec.json.decode(body) if status == 200 else {"days": [], "links": {}}
            links = {int(day): key for day, key in found["links"].items()}
            for one in found["days"]:
                if rooms.setdefault(one["day"], one["code"]) != one["code"]:
                    raise Violation(f"a day has another room than {rooms[one['day']]}: {one}")
                if one["opens_at"] <= self.redis_time() and one["code"] not in self.challenges:
                    self.challenged(one["code"], 100, None)
                over = {done.code for done in self.history.tries(one["code"]) if "key" in one}
                for code in sorted(over - self.proved):
                    status, record = await self.visit(f"/api/races/{code}/1")
                    checks = verify(race_record.read(record), None, links) if status == 200 else []
                    if wrong := [check for check in checks if not check.ok]:
                        raise Violation(f"the record of the try {code} of a day is wrong: {wrong}")
                    self.proved |= {code} if checks else set()
            await asyncio.sleep(60)

    async def knock(self, rubbish: bytes) -> None:
        """A program that is no client connects, and leaves after a while."""
        with contextlib.suppress(OSError):
            reader, writer = await asyncio.open_connection(SITE, PORT)
            writer.write(rubbish)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(reader.read(), 5)
            writer.close()

    async def _visit_all(self) -> None:
        """Visit all pages after the end."""
        for player in self.players:
            if isinstance(player, Player) and player.create is not None and player.code:
                for path in PAGES:
                    await self.visit(path.format(code=player.code, race=1), player.token)

    def arrived(self, device: str) -> None:
        """A device asks for its seat."""
        self._devices[device] = self.simulation.now, NEVER

    def left(self, device: str) -> None:
        self._devices[device] = self._devices.get(device, (0.0, 0.0))[0], self.simulation.now

    def taken_over(self, device: str) -> None:
        """A device is told that another one took its seat: one that asked for it later, and is still used."""
        now, (mine, _), person = self.simulation.now, self._devices[device], device.partition("/")[0]
        others = {
            name: used for name, used in self._devices.items() if name.startswith(f"{person}/") and name != device
        }
        if any(asked > mine - SOON and until > now - SOON for asked, until in others.values()):
            return
        if now > self.reached_at:
            self.violation = self.violation or Violation(f"{device} lost its seat to nobody: {mine}, {others}")

    def spawn(self, work: Coroutine[Any, Any, None], name: str) -> None:
        """Begin a task in the process of a player."""
        self._watch(asyncio.get_running_loop().create_task(work, name=name))

    def _watch(self, task: asyncio.Task[None]) -> None:
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and (error := task.exception()) is not None:
            self.violation = self.violation or error

    # The truth for the history

    def redis_time(self) -> Ms:
        """The latest time that a clock of Redis may have shown to somebody."""
        self.most_ahead = max(self.most_ahead, *(server.machine.ahead for server in self.redis.servers))
        return Ms(int(1000 * (BEGIN + self.simulation.now + self.most_ahead)))

    def _value(self, code: str, *name: Any) -> Any:
        key = _key(code, *name)
        for node in self.redis.masters_of(key):
            if key in node.data.values:
                return node.data.values[key]
        return None

    def may_be_away(self) -> bool:
        return self.simulation.now <= self.calm_at

    def state(self) -> object:
        return [(node.history, node.offset) for node in self.redis.nodes]

    def epoch(self, code: str) -> str:
        found: bytes = (self._value(code, "meta") or {}).get(b"epoch", b"")
        return found.decode()

    def room(self, code: str) -> Sequence[bytes]:
        return self._value(code, "log") or ()

    def moves(self, code: str, race: int, seat: int) -> Sequence[bytes]:
        return self._value(code, "moves", race, seat) or ()

    # The timeline

    def tell(self, text: str) -> None:
        self.story.append((self.simulation.now, text))

    def run(self) -> None:
        """Let the script happen. Raises the first violation."""
        day = patch("fortythieves.solver.day.DAY", Ms(int(1000 * self.script.open_for)))
        won = patch("fortythieves.solver.day.is_won", lambda key, stars, secret: secret[0] < 32)
        limit = patch("fortythieves_server.core.decide_challenge.DAY_LIMIT", 120)
        with (
            observed(self),
            Listener(self),
            day,
            won,
            limit,
            patch("fortythieves_server.web.routes.CLIENT", Path("/nowhere")),
        ):
            for server in self.servers:
                server.start()
            for crowd in self.script.crowds:
                self._let_come(crowd)
            if self.script.has_days:
                self._watch(self.network.process("home of the follower").spawn(self._follow_days()))
            begin = self.simulation.now
            for fault in self.script.faults:
                self.simulation.at(begin + fault.at, self._strike, fault)
            self.simulation.later(CHECKED, self._check)
            self._pass(self.script.seconds)
            self._end_well()

    def _let_come(self, crowd: Crowd) -> None:
        number = len(self.players)
        create = {**crowd.settings, "plan": crowd.plan, "password": PASSWORDS[0]} if crowd.plan else crowd.settings
        host = Player(f"host {number}", self, crowd, create=create)
        self._add(host)

        def others() -> None:
            if not host.code:
                self.simulation.later(0.5, others)
                return
            for k in range(1, crowd.players):
                kind = BadPlayer if k == 3 else Player
                self._add(kind(f"player {number} {k}", self, crowd, host.code))
            for k in range(crowd.spectators):
                self._add(Spectator(f"eye {number} {k}", self, host.code))

        self.simulation.later(0.5, others)

    def _add(self, player: Player | Spectator, *, is_needed: bool = True) -> None:
        """``is_needed``: whether it must be in its room when all faults have ended."""
        loop = self.network.process(f"home of {player.name}")
        if is_needed:
            self.players.append(player)
        self.loops.append(loop)
        self._watch(loop.spawn(player.live()))

    def _pass(self, seconds: float, until: Callable[[], bool] = lambda: False) -> bool:
        """Let time pass until a violation, or until a condition is true. Returns whether it is."""
        end = self.simulation.now + seconds
        while not (is_true := until()) and self.simulation.now < end:
            self.simulation.run(min(CHECKED, end - self.simulation.now))
            if self.violation is not None:
                raise self.violation
        return is_true

    def _check(self) -> None:
        """Check all rooms."""
        try:
            self.history.check_all()
            self.history.check_announced(self.calm_at)
            self.history.check_known(self.calm_at - 10, self.redis.is_moving)
            self.history.check_answered(self.calm_at, self.redis.is_moving)
            self._check_locks()
        except Violation as violation:
            self.violation = self.violation or violation
        for loop, context in self.simulation.errors:
            self.violation = self.violation or Violation(f"{loop.machine.name}: {context}")
        self.simulation.later(CHECKED_IN_DAYS if self.script.has_days else CHECKED, self._check)

    def _check_locks(self) -> None:
        """Raise `Violation` if a lock is held for long, though everything works, or a task outlives its process."""
        now, held = self.simulation.now, dict[tuple[object, ...], float]()
        for server in self.servers:
            if server.left_over:
                raise Violation(f"{server.machine} has stopped, but not {server.left_over}")
            for live in server.service.registry.rooms() if server.service is not None else ():
                if self.redis.is_moving(live.room.code):  # the first move of a seat waits for its slot
                    continue
                cached, race = live.cached, live.room.race
                locked = [seat for seat in race.racers if cached.seat_log(seat).locked]
                for seat in [*locked, *[0] * cached.lock.locked()]:
                    key = server.loop, live, race.number, seat, cached.moves_of(seat) if seat else live.room.n
                    held[key] = self.held.get(key, now)
                    if now > max(held[key], self.calm_at) + FREE_WITHIN:
                        raise Violation(f"a lock of seat {seat} of {live.room.code} is not free at {server.machine}")
        self.held = held

    def _strike(self, struck: Struck) -> None:
        dice = random.Random(struck.x)
        seconds = min(dice.expovariate(1 / struck.lasts), 40.0)
        until = self.simulation.now + seconds + 10
        fault = FAULTS[struck.kind]
        self.calm_at = max(self.calm_at, until if not fault.is_mild else 0.0)
        what = fault.strike(self, dice, seconds)
        if fault.where in {"lossy", "single"} and what != "nothing":
            self.history.may_lose = True
        if fault.is_between and not {*what.split()} & {*self.redis.machines, *SENTINELS}:
            self.reached_at = max(self.reached_at, until)
        self.tell(f"{struck.kind} {what}, {seconds:.1f} s")
        self.redis_time()
        self.history.check_all()

    def restart(self, server: ServerProcess) -> None:
        """Start a process, once it has ended and its machine has power."""
        if server.loop is not None or self.network.is_down(server.machine):
            if self.goes_on:
                self.later(1.0, lambda: self.restart(server))
        else:
            server.start()

    # The end

    def _end_well(self) -> None:
        """Faults have ended. Raises `Violation` if not everything is well a minute later."""
        simulation = self.simulation
        self.lively = False
        self.tell("all faults end")
        self.network.heal()
        self.redis.end_moves()
        self._pass(max(0.0, self.calm_at - simulation.now))
        for code in filter(self.epoch, [*self.codes]):
            self._add(Spectator(f"late {code}", self, code))
        self.calm_at = simulation.now
        if not self._pass(WELL_WITHIN, lambda: not self._why_not_well()):
            raise Violation(f"not well after {WELL_WITHIN:.0f} s: {self._why_not_well()}")
        if not self._pass(ALL_ROUNDS, lambda: not self._unfinished()):
            raise Violation(f"tournament {self._unfinished()} does not end")
        if not self._pass(TRIED_WITHIN, lambda: not self.history.open_tries()):
            raise Violation(f"tries do not end: {self.history.open_tries()}")
        visits = self.loops[0].spawn(self._visit_all())
        self._pass(60.0, visits.done)
        self.goes_on = False
        self._pass(11.0)  # the longest that a client pauses
        loops = {server: server.loop for server in self.servers}
        for server in self.servers:
            server.stop()
        if not self._pass(20.0, lambda: all(server.loop is None for server in self.servers)):
            raise Violation("a server process did not stop")
        for server, loop in loops.items():
            if loop is not None and (left := asyncio.all_tasks(loop)):
                raise Violation(f"{server.machine} has stopped, but not {left}")

    def _why_not_well(self) -> str:
        for code, log in self.history.rooms.items():
            if (room := log.room) is None or not room.race.on:
                continue
            if room.of_arena is not None and room.of_arena.arena in self.challenges:
                continue  # a try ends by itself
            race, now = room.race, self.redis_time()
            if log.began.get(race.number, NEVER) <= self.calm_at:  # an arena may call to a new one
                return f"the race of room {code} goes on at {now}: {race.starts_at} to {race.ends_at}, room {room.at}"
        for player in self.players:
            may_enter = player.refused in {"", *RETRYABLE} and (not player.code or self.epoch(player.code))
            if may_enter and not self.history.is_in(player.name):
                return f"{player.name} is not in room {player.code}"
        for server in self.servers:
            if server.service is None:
                return f"{server.machine} does not serve"
        if self.held:
            return f"some locks are not free: {list(self.held)}"
        return self.history.unsettled()

    def _unfinished(self) -> list[str]:
        """The tournaments that go on, though a host is there to start each round."""
        rooms = [log.room for log in self.history.rooms.values() if log.room is not None]
        return [
            room.code
            for room in rooms
            if room.tournament is not None and room.tournament.begun and not room.tournament.is_arena
            if not room.tournament.over and room.host is not None and room.people[room.host].here
        ]


@cache
def _key(*names: Any) -> bytes:
    return of_room(*names).encode()


class Listener(logging.Handler):
    """Adds the logs of all processes to the story. A traceback is a violation."""

    def __init__(self, world: World) -> None:
        super().__init__(logging.INFO)
        self._world = world

    def __enter__(self) -> None:
        logging.getLogger().addHandler(self)

    def __exit__(self, *_: object) -> None:
        logging.getLogger().removeHandler(self)

    def emit(self, record: logging.LogRecord) -> None:
        loop = self._world.simulation.current
        self._world.tell(f"{loop.machine.name if loop else ''}: {record.getMessage()}")
        if record.exc_info and record.levelno >= logging.ERROR and record.name.startswith("fortythieves"):
            self._world.violation = self._world.violation or record.exc_info[1]


def simulate(script: Script, most: float = math.inf) -> World:
    """Run a script for at most some virtual seconds. Returns its world, with its violation, if there is one."""
    with Simulation(script.seed) as simulation:
        world = World(script, simulation)
        simulation.at(most, lambda _: setattr(world, "violation", TimeoutError()))
        try:
            world.run()
        except (Violation, Exception) as violation:  # noqa: BLE001 - whatever happens is a finding
            world.violation = violation
    return world
