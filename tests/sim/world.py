"""A world of server processes, a Redis and people, in which everything can fail. One seed gives one timeline."""

import asyncio
import contextlib
import logging
import math
import random
import re
from collections import deque
from collections.abc import Callable, Coroutine, Iterable
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

import aiohttp
import msgspec

from fortythieves.protocol import to_client, to_server
from fortythieves.record import race_record
from fortythieves.record.proof import verify
from fortythieves.times import Ms
from fortythieves_client.reconnecting import RETRYABLE
from fortythieves_server.config import Config
from tests.serving import GENEROUS
from tests.sim.faults import FAULTS
from tests.sim.history import History, Violation
from tests.sim.loop import BEGIN, Simulation
from tests.sim.network import Network, NetworkLoop
from tests.sim.players import ALWAYS, PAGES, PASSWORDS, Entrant, Owner, Player, Racer, Spectator, observed
from tests.sim.process import PORT, ServerProcess
from tests.sim.redis_server import deployed
from tests.sim.scripts import Crowd, Script, Struck

#: The name under which people find some living server process, or with a number that one as long as it lives.
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
#: Of each server process, except its Redis.
CONFIG = Config(port=PORT, data=Path("/nowhere"), bots=False, winnable=0, limits=GENEROUS)
TIMEOUT = aiohttp.ClientTimeout(total=20)
#: The people who accept a challenge.
ENTRANTS = Crowd(1, 0, {}, pace=0.3, habits=("break", "other device"), whim=0.05)
#: How many messages and other lines a story has at most.
LINES = 3000


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
        self.history = History(self.redis, lambda: simulation.now)
        config = replace(CONFIG, redis=self.redis.url, day=script.has_days, workers=script.processes)
        self.servers = [ServerProcess(self.network, f"server{k}", config, k) for k in range(script.processes)]
        #: Those who must be in their rooms when all faults have ended, and the processes of all.
        self.people: list[Player | Spectator] = []
        self.loops: list[NetworkLoop] = []
        self.codes: list[str] = []
        self.challenges: list[str] = []
        #: The tries of days with records that were checked.
        self.proved: set[str] = set()
        self.violation: BaseException | None = None
        #: The latest messages, faults and lines of logs: each with its time, and the name of a device or a process.
        self.story: deque[tuple[float, str, object]] = deque(maxlen=LINES)
        #: Whether people still do everything that they do, and whether the world goes on at all.
        self.lively = self.goes_on = True
        #: Until when faults last that may keep a frame of a player from a server.
        self.reached_at = 0.0
        #: The most seconds that a clock of Redis was ahead so far.
        self._most_ahead = 0.0
        #: When each device asked for its seat last, and until when it was used.
        self._devices: dict[str, tuple[float, float]] = {}
        #: For each lock, and the length of its log: since when it is held.
        self._held: dict[tuple[object, ...], float] = {}

    def redis_time(self) -> Ms:
        """The latest time that a clock of Redis may have shown to somebody."""
        self._most_ahead = max(self._most_ahead, *(server.machine.ahead for server in self.redis.servers), 0.0)
        return Ms(int(1000 * (BEGIN + self.simulation.now + self._most_ahead)))

    def tell(self, name: str, event: object) -> None:
        self.story.append((self.simulation.now, name, event))

    def found(self, violation: BaseException | str) -> None:
        """Only the first violation counts."""
        self.violation = self.violation or (Violation(violation) if isinstance(violation, str) else violation)

    def run(self) -> None:
        """Let the script happen. Raises the first violation."""
        with ExitStack() as stack:
            for replaced in (
                patch("fortythieves.solver.day.DAY", Ms(int(1000 * self.script.open_for))),
                patch("fortythieves.solver.day.is_won", lambda key, stars, secret: secret[0] < 32),
                patch("fortythieves_server.core.decide_challenge.DAY_LIMIT", 120),
                patch("fortythieves_server.web.routes.CLIENT", Path("/nowhere")),
            ):
                stack.enter_context(replaced)
            stack.enter_context(observed(self))
            logging.getLogger().addHandler(listener := Listener(self))
            stack.callback(logging.getLogger().removeHandler, listener)
            for server in self.servers:
                server.start()
            for crowd in self.script.crowds:
                self._let_come(crowd)
            if self.script.has_days:
                self.spawn(self._follow_days(), self.network.process("home of the follower"))
            begin = self.simulation.now
            for fault in self.script.faults:
                self.simulation.at(begin + fault.at, self._strike, fault)
            self.later(CHECKED, self._check)
            self._pass(self.script.seconds)
            self._end_well()

    # People

    def url(self, name: str) -> str:
        """The players of a room come to the same process, or to any."""
        wanted = int(name.split()[1]) % len(self.servers) if self.script.near and name[-1].isdigit() else ""
        return f"http://{SITE}{wanted}:{PORT}"

    @property
    def is_late(self) -> bool:
        """Whether racers should give up."""
        return not self.lively and self.simulation.now > self.history.calm_since + RACES_ON

    def _let_come(self, crowd: Crowd) -> None:
        number = len(self.people)
        create = {**crowd.settings, "plan": crowd.plan, "password": PASSWORDS[0]} if crowd.plan else crowd.settings
        host = Player(f"host {number}", self, crowd, create=create)
        self._add(host)

        def others() -> None:
            if not host.code:
                self.later(0.5, others)
                return
            for k in range(1, crowd.players):
                self._add(Player(f"player {number} {k}", self, crowd, host.code))
            for k in range(crowd.spectators):
                self._add(Spectator(f"eye {number} {k}", self, host.code))

        self.later(0.5, others)

    def _add(self, person: Player | Spectator, *, is_needed: bool = True) -> None:
        """``is_needed``: whether this person must be in the room when all faults have ended."""
        loop = self.network.process(f"home of {person.name}")
        self.people += [person] * is_needed
        self.loops.append(loop)
        self.spawn(person.live(), loop)

    def spawn(self, work: Coroutine[Any, Any, None], loop: NetworkLoop | None = None) -> None:
        """Begin a task in this process or another one."""
        task = asyncio.get_running_loop().create_task(work) if loop is None else loop.spawn(work)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and (error := task.exception()) is not None:
            self.found(error)

    def heard(self, device: str, frame: bytes, message: to_client.Message) -> None:
        """A device gets a message."""
        self.tell(device, message)
        try:
            self.history.heard(device, frame, self.redis_time())
        except Exception as violation:
            self.found(violation)
            raise

    def asked(self, device: str, message: to_server.Message) -> None:
        """A device sends a message."""
        self.tell(device, message)
        if isinstance(message, to_server.Move):
            self.history.asked(device, message)
        if isinstance(message, to_server.Create | to_server.Join):
            self._devices[device] = self.simulation.now, ALWAYS

    def left(self, device: str) -> None:
        """A person has put a device away."""
        self.history.disconnected(device)
        self._devices[device] = self._devices.get(device, (0.0, 0.0))[0], self.simulation.now

    def taken_over(self, device: str) -> None:
        """A device hears that another one took its seat: one that asked for it later, and is still used."""
        now, (mine, _), person = self.simulation.now, self._devices[device], device.partition("/")[0]
        others = [used for name, used in self._devices.items() if name.startswith(f"{person}/") and name != device]
        if now > self.reached_at and not any(asked > mine - SOON and until > now - SOON for asked, until in others):
            self.found(f"{device} lost its seat, and no other device asked for it: {mine}, {others}")

    async def visit(self, path: str, token: str | None = None) -> tuple[int, bytes]:
        """A player opens an address in a browser. An error of the server is a violation. Returns the status, or 0."""
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        connector = aiohttp.UnixConnector(f"{SITE}:{PORT}")
        async with aiohttp.ClientSession(connector=connector, timeout=TIMEOUT) as session:
            with contextlib.suppress(aiohttp.ClientError):
                async with session.get(f"http://{SITE}{path}", headers=headers) as answer:
                    body = await answer.read()
                    found = re.match(r"/api/races/(\w+)/(\d+)", path)
                    is_early = found and answer.status == 200 and self.history.is_on(found[1], int(found[2]))
                    if answer.status == 500 or is_early:
                        self.found(f"{path} was answered with {answer.status}")
                    return answer.status, body
        return 0, b""

    # Challenges and days

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
            self.later(self.dice.random() * last, partial(self._add, entrant, is_needed=False))

    async def peep(self, code: str, token: str | None) -> None:
        """A guest opens the records of some other tries of a challenge in a browser."""
        tries = self.history.tries(code)
        for one in self.dice.sample(tries, min(3, len(tries))):
            status, _ = await self.visit(f"/api/races/{one.code}/1", token)
            if status == 200 and not self.history.may_know(code, token):
                self.found(f"a guest of {code} sees the record of {one.code}")

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

    # The timeline

    def _pass(self, seconds: float, until: Callable[[], bool] = lambda: False) -> bool:
        """Let time pass until a violation, or until a condition is true. Returns whether it is."""
        end = self.simulation.now + seconds
        while not (is_true := until()) and self.simulation.now < end:
            self.simulation.run(min(CHECKED, end - self.simulation.now))
            if self.violation is not None:
                raise self.violation
        return is_true

    def _strike(self, struck: Struck) -> None:
        dice, fault = random.Random(struck.x), FAULTS[struck.kind]
        seconds = min(dice.expovariate(1 / struck.lasts), 40.0)
        until = self.simulation.now + seconds
        strike = fault.strike(self, dice)
        if (what := next(strike, None)) is None:
            return
        self.later(seconds, lambda: next(strike, None))
        if not fault.is_mild:
            self.history.calm_since = max(self.history.calm_since, until + 10)
        if fault.where in {"lossy", "single"}:
            self.history.may_lose = True
        if fault.is_between and not {*what.split()} & {*self.redis.machines}:
            self.reached_at = max(self.reached_at, until + 10)
        self.tell(struck.kind, f"{what}, {seconds:.1f} s")
        self.redis_time()
        self.history.check_all()

    def restart(self, server: ServerProcess) -> None:
        """Start a process, once it has ended and its machine has power."""
        if server.loop is not None or self.network.is_down(server.machine):
            if self.goes_on:
                self.later(1.0, lambda: self.restart(server))
        else:
            server.start()

    def _check(self) -> None:
        try:
            self.history.check_clients()
            self._check_servers()
        except Violation as violation:
            self.found(violation)
        for loop, context in self.simulation.errors:
            self.found(f"{loop.machine.name}: {context}")
        self.later(CHECKED_IN_DAYS if self.script.has_days else CHECKED, self._check)

    def _check_servers(self) -> None:
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
                    held[key] = self._held.get(key, now)
                    if now > max(held[key], self.history.calm_since) + FREE_WITHIN:
                        raise Violation(f"a lock of seat {seat} of {live.room.code} is not free at {server.machine}")
        self._held = held

    # The end

    def _end_well(self) -> None:
        """Faults have ended. Raises `Violation` if not everything is well a minute later."""
        history = self.history
        self.lively = False
        self.tell("world", "all faults end")
        self.network.heal()
        self.redis.end_moves()
        self._pass(max(0.0, history.calm_since - self.simulation.now))
        for code in filter(history.epoch, [*self.codes]):
            self._add(Spectator(f"late {code}", self, code))
        history.calm_since = self.simulation.now
        self._expect("to be well", WELL_WITHIN, self._unwell)
        self._expect("tournaments to end", ALL_ROUNDS, self._unfinished)
        self._expect("tries to end", TRIED_WITHIN, history.open_tries)
        visits = self.loops[0].spawn(self._visit_all())
        self._pass(60.0, visits.done)
        self.goes_on = False
        self._pass(11.0)  # the longest that a client pauses
        loops = {server: server.loop for server in self.servers}
        for server in self.servers:
            server.stop()
        self._expect("all to stop", 20.0, lambda: [server.machine for server in self.servers if server.loop])
        for server, loop in loops.items():
            if loop is not None and (left := asyncio.all_tasks(loop)):
                raise Violation(f"{server.machine} has stopped, but not {left}")

    def _expect(self, what: str, seconds: float, why_not: Callable[[], object]) -> None:
        if not self._pass(seconds, lambda: not why_not()):
            raise Violation(f"{seconds:.0f} s are not enough for {what}: {why_not()}")

    async def _visit_all(self) -> None:
        """Visit all pages after the end."""
        for person in self.people:
            if isinstance(person, Player) and person.create is not None and person.code:
                for path in PAGES:
                    await self.visit(path.format(code=person.code, race=1), person.token)

    def _unwell(self) -> str:
        for code, log in self.history.rooms.items():
            if (room := log.room) is None or not room.race.on:
                continue
            if room.of_arena is not None and room.of_arena.arena in self.challenges:
                continue  # a try ends by itself
            race, now = room.race, self.redis_time()
            if log.began.get(race.number, ALWAYS) <= self.history.calm_since:  # an arena may call to a new one
                return f"the race of room {code} goes on at {now}: {race.starts_at} to {race.ends_at}, room {room.at}"
        for person in self.people:
            may_enter = person.refused in {"", *RETRYABLE} and (not person.code or self.history.epoch(person.code))
            if may_enter and not self.history.is_in(person.name):
                return f"{person.name} is not in room {person.code}"
        for server in self.servers:
            if server.service is None:
                return f"{server.machine} does not serve"
        return f"some locks are not free: {list(self._held)}" if self._held else self.history.unsettled()

    def _unfinished(self) -> list[str]:
        """The tournaments that go on, though a host is there to start each round."""
        rooms: Iterable[Any] = (log.room for log in self.history.rooms.values() if log.room is not None)
        return [
            room.code
            for room in rooms
            if room.tournament is not None and room.tournament.begun and not room.tournament.is_arena
            if not room.tournament.over and room.host is not None and room.people[room.host].here
        ]


class Listener(logging.Handler):
    """Adds the logs of all processes to the story. A traceback is a violation."""

    def __init__(self, world: World) -> None:
        super().__init__(logging.INFO)
        self._world = world

    def emit(self, record: logging.LogRecord) -> None:
        loop = self._world.simulation.current
        self._world.tell(loop.machine.name if loop else "", record.getMessage())
        if record.exc_info and record.levelno >= logging.ERROR and record.name.startswith("fortythieves"):
            self._world.found(record.exc_info[1] or "")


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
