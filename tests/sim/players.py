"""The people of a simulation: real Python clients that do everything that people do, and some things that they do not.

All choices of a person come from the seed and the name of the person.
"""

import asyncio
import contextlib
import random
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

from fortythieves.errors import Refused
from fortythieves.protocol import to_client, to_server
from fortythieves.rules.board import Board
from fortythieves_client import reconnecting
from fortythieves_client.address import parse_address
from fortythieves_client.client import Client
from fortythieves_client.reconnecting import RETRYABLE, Handler, ReconnectingConnection
from fortythieves_client.room import Room
from tests.shared.vectors import read

if TYPE_CHECKING:
    from tests.sim.scripts import Crowd
    from tests.sim.world import World

#: Seconds for which a client tries to reconnect: longer than any simulation.
ALWAYS = 1e6
#: The device whose task runs.
DEVICE: ContextVar[str] = ContextVar("device", default="")
#: By deal number: the moves that win a deal.
WINS = {str(win["number"]): win["moves"] for win in read("wins")}
#: The right password of tournaments, and a wrong one.
PASSWORDS = ("open sesame", "open sesame", "open sesame", "sesame")
TEXTS = ("good luck", "well played", "one more?")
#: Moves that are not allowed, or do not exist.
NONSENSE = ("1-2", "9-0", "redeal", "x", "undo")

# The requests of people


def _seat(room: Room, dice: random.Random) -> int:
    entrants = (room.tournament or {}).get("entrants", {})
    return dice.choice([room.seat, *room.people, *map(int, entrants), 99])


def _some(name: str) -> Callable[[Room, random.Random], int]:
    """The number of a chat message or of a removed person that is in the view."""
    return lambda room, dice: dice.choice([*map(int, room.view.get(name) or {}), 1])


def _one_of(*values: Any) -> Callable[[Room, random.Random], Any]:
    return lambda room, dice: dice.choice(values)


#: How the fields of requests are drawn. Other fields have their defaults.
FIELDS: dict[str, Callable[[Room, random.Random], Any]] = {
    **dict.fromkeys(("seat", "one", "other"), _seat),
    **dict.fromkeys(("on", "open", "locked"), _one_of(True, False, True)),
    **dict.fromkeys(("hold", "out"), _one_of(True, False, False)),
    **dict.fromkeys(("text", "reason"), _one_of(*TEXTS)),
    **dict.fromkeys(("race", "round"), _one_of(1, 2, 3)),
    **dict.fromkeys(("level", "board"), _one_of(1)),
    "against": lambda room, dice: dice.choice((0, _seat(room, dice))),
    "line": _some("chat"),
    "number": _some("removed"),
    "name": lambda room, dice: dice.choice((f"Name {dice.randint(1, 9)}", "Host 0", "Player 0 1")),
    "team": _one_of("", "Red", "Blue", "red"),
    "do": _one_of("start", "pause", "resume", "end", "skip", "replay", "replay_unfinished", "confirm"),
    "at": lambda room, dice: dice.choice((room.view["race"].get("starts_at"), 1, 2**50)) or 1,
    "given": lambda room, dice: ((_seat(room, dice), dice.choice((0.0, 0.5, 1.0, None))),),
    "sign": _one_of(*to_server.SIGNS),
    "key": lambda room, dice: f"{dice.random()}",
    "commitment": _one_of(""),
    "nonce": _one_of("00" * 16),
    "settings": lambda room, dice: {
        "watch": dice.choice(("progress", "frontier", "delayed", "open")),
        **dice.choice(({}, {"undo": "none"}, {"undo": "free"}, {"watching": "nobody"}, {"public": True})),
    },
    "plan": _one_of({"name": "Cup"}, {"rounds": 3}, {"by_timer": True}, {"entry_closes": 5}, {"late": 2}),
    "password": _one_of(PASSWORDS[0]),
}
#: All requests in a room, except one that ends a race for the player.
REQUESTS = {
    kind.__name__: kind
    for kind in to_server.MESSAGES
    if issubclass(kind, to_server.Command) and kind is not to_server.GiveUp
}
OF_TOURNAMENTS = tuple(name for name in REQUESTS if name in [*REQUESTS][[*REQUESTS].index("Enter") :])
#: Everything else that a person may do besides racing.
OFTEN = ("think", "other device", "break")
HABITS = (*OFTEN, "web", *REQUESTS)
OF_CHALLENGES = ("challenge",) * 8
#: The addresses that people visit in the browser.
PAGES = (
    *("/", "/r/{code}", "/r/{code}/{race}", "/readyz?room={code}", "/api/rooms", "/api/rooms/{code}", "/api/winnable"),
    *(f"/api/races/{{code}}/{{race}}{kind}" for kind in ("", ".json", ".png", ".par")),
    *(f"/api/tournaments/{{code}}{kind}" for kind in (".json", ".bundle.json", ".csv", "-results.csv", "-teams.csv")),
    "/api/tournaments/{code}.ics",
)


@contextlib.contextmanager
def observed(stage: "World") -> Iterator[None]:
    """Show the world every frame that a client gets or sends."""
    decode, frames = reconnecting.decode, reconnecting.frames

    def heard(frame: bytes | str) -> to_client.Message:
        assert isinstance(frame, bytes)
        message = decode(frame)
        stage.heard(DEVICE.get(), frame, message)
        return message

    def asked(message: to_server.Message) -> Iterator[bytes]:
        stage.asked(DEVICE.get(), message)
        return frames(message)

    with patch.object(reconnecting, "decode", heard), patch.object(reconnecting, "frames", asked):
        yield


class Device(Client):
    """A client that reports when its connection breaks."""

    player: "Player"
    name: str
    is_closed = False

    def disconnected(self) -> None:
        self.player.stage.history.disconnected(self.name)
        self.player.use_other_device(0.2)  # while this one reconnects

    def closed(self, error: Exception) -> None:
        self.is_closed = True
        self.player.stage.history.disconnected(self.name)
        if isinstance(error, reconnecting.Closed) and error.code == to_client.Close.TAKEN_OVER:
            self.player.stage.taken_over(self.name)
        super().closed(error)

    async def ask(self, kind: type[to_server.Command], room: Room, dice: random.Random) -> None:
        """Send a request with fields drawn by chance."""
        fields = {name: FIELDS[name](room, dice) for name in kind.__struct_fields__ if name in FIELDS}
        await self._connection.request(partial(kind, **fields))


class Player:
    """A person with a seat. ``create``: opens a room with these arguments; otherwise it joins the room ``code``."""

    def __init__(
        self, name: str, stage: "World", crowd: "Crowd", code: str = "", create: dict[str, Any] | None = None
    ) -> None:
        self.name = name
        self.stage = stage
        self.code = code
        self.create = create
        self.token: str | None = None
        #: The room of the arena, while it races in the room of a heat.
        self.arena = ""
        #: Why it may not enter, if that is so.
        self.refused = ""
        self._thinks_until = self._elsewhere_until = 0.0
        self._crowd = crowd
        self._dice = random.Random(f"{stage.seed} {name}")
        #: Whether it wins every deal of `WINS`, and whether it sends nonsense.
        self._is_wise, self._is_bad = self._dice.random() < 0.6, self._dice.random() < 0.15
        #: Whether it uses one device at a time. Others play with two, and take their seat back.
        self._is_orderly = self._dice.random() < 0.5
        self._habits = [habit for habit in crowd.habits if habit in OFTEN or self._dice.random() < 0.5]
        self._devices = 0

    async def live(self) -> None:
        """Take part until the end, with a new connection whenever one is closed for good."""
        while self.stage.goes_on:
            await self.connect(ALWAYS)
            pause = 0.5 if self.refused in {"", *RETRYABLE} else 5.0
            if self._is_orderly:
                pause = max(pause, self._elsewhere_until - self.stage.simulation.now)
            await asyncio.sleep(pause)

    async def connect(self, seconds: float, pause: float = 0.0) -> None:
        """Enter the room from a new device, for some time or until another device takes over."""
        await asyncio.sleep(pause)
        self._devices += 1
        name = f"{self.name}/{self._devices}"
        DEVICE.set(name)
        client = Device(self.stage.url(self.name), code=self.code, token=self.token, reconnect_timeout=ALWAYS)
        client.player, client.name = self, name
        with contextlib.suppress(OSError, TimeoutError):
            try:
                async with asyncio.timeout(seconds), client:
                    self.token = client.token or self.token
                    await self._enter(client)
                    self.refused = ""
                    await self._stay(client)
            except Refused as refused:
                self.refused = refused.code
                if self.create and refused.code in {"bad-plan", "bad-settings"}:
                    self.create = {}
            finally:
                self.stage.left(name)

    def use_other_device(self, often: float) -> None:
        """Perhaps, and for some time. A person needs a moment to take it."""
        if "other device" in self._habits and self._dice.random() < often:
            seconds, pause = self._dice.uniform(1, 20), self._dice.uniform(0, 2)
            self._elsewhere_until = self.stage.simulation.now + pause + seconds
            self.stage.spawn(self.connect(seconds, pause))

    async def _enter(self, client: Device) -> None:
        if self.code:
            await client.join(self.name.title(), self.code, password=self._dice.choice(PASSWORDS))
        else:
            room = await client.create(self.name.title(), **(self.create or {}))
            self.code = room.code
            self.stage.codes.append(room.code)
        if client.room is not None and client.room.tournament is not None:
            await client.enter(True)

    async def _stay(self, client: Device) -> None:
        while self.stage.goes_on and not client.is_closed:
            await asyncio.sleep(self._dice.expovariate(1 / self._crowd.pace))
            with contextlib.suppress(Refused):
                await self._act(client)

    async def _act(self, client: Device) -> None:
        room, dice = client.room, self._dice
        if room is None or room.me is None:
            raise TimeoutError  # it was removed, and begins anew
        self._follow_heat(room)
        mine, lively = room.my_race, self.stage.lively
        is_elsewhere = self._is_orderly and client.name != f"{self.name}/{self._devices}"
        if lively and self.stage.simulation.now < max(self._thinks_until, is_elsewhere * self._elsewhere_until):
            return
        if lively and self._habits and dice.random() < self._crowd.whim:
            await self._do(dice.choice(self._habits), client, room)
        elif room.over and lively and room.tournament is None:
            challenges = self._crowd.guests > 0 and dice.random() < 0.2
            await (self._do("challenge", client, room) if challenges else client.rematch())
        elif room.over or room.race.get("starts_at") is None:
            await self._prepare(client, room)
        elif mine is not None and mine["state"] == "racing" and client.race is not None:
            if mine.get("gave_up_at") is not None:
                if lively and dice.random() < 0.3:
                    await client.take_back()
            elif self.stage.is_late or dice.random() < 0.002:
                await client.give_up()
            else:
                await self._move(client)
        elif lively and dice.random() < 0.1:
            await client.ask(to_server.Look, room, dice)

    async def _do(self, habit: str, client: Device, room: Room) -> None:
        """Do something else for once."""
        dice = self._dice
        match habit:
            case "break":
                client.interrupt()
            case "other device":
                self.use_other_device(1.0)
            case "think":
                if room.race.get("starts_at"):  # nobody waits for the race because of that
                    self._thinks_until = self.stage.simulation.now + dice.uniform(20, 60)
            case "web":
                await self.stage.visit(dice.choice(PAGES).format(code=room.code, race=dice.randint(1, 3)), client.token)
            case "challenge":
                code = await client.challenge(dice.randint(1, room.race["number"]), 1)
                self.stage.challenged(code, self._crowd.guests, client.token)
            case "Leave":
                await client.leave()
            case _:
                await client.ask(REQUESTS[habit], room, dice)

    def _follow_heat(self, room: Room) -> None:
        """Go to the room of the race to which an arena has called, and back."""
        arena = (room.tournament or {}).get("arena") or {}
        heat = arena.get("racing", {}).get(str(room.seat))
        if heat is not None:
            self.arena, self.code = self.code, arena["under_way"][str(heat)][0]
        elif self.arena and self.code != self.arena and room.over:
            self.code, self.arena = self.arena, ""
        else:
            return
        raise TimeoutError  # it enters the other room

    async def _prepare(self, client: Device, room: Room) -> None:
        tournament = room.tournament
        if tournament is not None:
            phases = {"entry", "pause"} if self.stage.lively else {"entry", "pause", "drawn"}
            if self.stage.lively and self._habits and self._dice.random() < 0.3:
                await self._do(self._dice.choice(self._habits), client, room)
            elif room.host == room.seat and tournament["phase"] in phases:
                await client.round("resume" if tournament["paused"] else "start")
        elif self.stage.lively and room.me is not None and not room.me["ready"]:
            await client.ready()
        elif self.stage.lively and room.host == room.seat and (len(room.people) == 1 or self._dice.random() < 0.02):
            await client.start()  # one player is not enough for a start by itself

    async def _move(self, client: Device) -> None:
        """Make one move, or some without waiting for the answers. Sometimes the connection breaks meanwhile."""
        race, dice = client.race, self._dice
        assert race is not None and client.room is not None
        win = WINS.get(client.room.view["settings"]["deal"], ())
        n, most = len(race.log), dice.choice((1, 1, 1, 2, 4, 8))
        if self._is_bad and dice.random() < 0.5:
            moves = [dice.choice(NONSENSE)]
        elif self._is_wise and win[n:] and list(win[:n]) == [entry.text for entry in race.log]:
            moves = list(win[n : n + most])
        else:
            moves = [] if dice.random() < 0.05 else _some_moves(race.board, dice, most)
        if len(moves) > 1 and dice.random() < self._crowd.whim:
            if "break" in self._habits:
                asyncio.get_running_loop().call_later(dice.expovariate(30), client.interrupt)
            self.use_other_device(1.0)
        await (asyncio.gather(*map(client.play, moves)) if moves else client.undo())


def _some_moves(board: Board, dice: random.Random, most: int) -> list[str]:
    """Moves that can follow each other. The last one may reveal a card."""
    if board.stock_count >= most > 1 and dice.random() < 0.5:
        return ["draw"] * most
    board, moves = board.copy(), list[str]()
    while len(moves) < most and (legal := [*islice(board.legal_moves, dice.randint(1, 4))]):
        moves.append(str(legal[-1]))
        with contextlib.suppress(ValueError):  # it reveals a card that is not known
            if not board.play(legal[-1]):
                continue
        break
    return moves


class Racer(Player):
    """Has a try of a challenge, in the room of that try."""

    async def _act(self, client: Device) -> None:
        if client.room is not None and client.room.over:
            raise TimeoutError
        await (client.give_up() if self._dice.random() < 0.02 else super()._act(client))


class Spectator(Handler):
    """Watches a room, and reacts."""

    def __init__(self, name: str, stage: "World", code: str, token: str | None = None) -> None:
        self.name = name
        self.code = code
        self.token = token
        self.refused = ""
        self._stage = stage
        self._dice = random.Random(f"{stage.seed} {name}")
        self._watches = self._is_done = False

    def room_code(self) -> str:
        return self.code

    def rejoin(self, c: int) -> to_server.Watch | None:
        return to_server.Watch(c, self.code, self.name.title(), PASSWORDS[0]) if self._watches else None

    def disconnected(self) -> None:
        self._stage.history.disconnected(self.name)

    def closed(self, error: Exception) -> None:
        self._stage.history.disconnected(self.name)

    async def live(self) -> None:
        DEVICE.set(self.name)
        while self._stage.goes_on and not self._is_done:
            self._watches = False
            url = parse_address(self._stage.url(self.name)).socket
            connection = ReconnectingConnection(url, self.token, ALWAYS, self)
            with contextlib.suppress(OSError):
                try:
                    await connection.open()
                    await connection.request(lambda c: to_server.Watch(c, self.code, self.name.title(), PASSWORDS[0]))
                    self._watches, self.refused, self.token = True, "", connection.token
                    await self._act(connection)
                except Refused as refused:
                    self.refused = refused.code
            await connection.close()
            await asyncio.sleep(1)

    async def _act(self, connection: ReconnectingConnection) -> None:
        while connection.error is None and self._stage.goes_on:
            await asyncio.sleep(self._dice.uniform(0.5, 10))
            with contextlib.suppress(Refused):
                await connection.request(self._request())

    def _request(self) -> Callable[[int], to_server.Message]:
        return partial(to_server.React, sign=self._dice.choice(to_server.SIGNS))


class Owner(Spectator):
    """Watches the own challenge, removes results, and at last closes it."""

    def _request(self) -> Callable[[int], to_server.Message]:
        ends, number = self._dice.random() < 0.003, self._dice.randint(1, 5)
        return partial(to_server.ChangeChallenge, days=0) if ends else partial(to_server.RemoveTry, number=number)


class Entrant(Spectator):
    """Watches a challenge, and has a try. ``twin``: another device of the same guest, which asks at the same moment."""

    def __init__(self, name: str, stage: "World", code: str, racer: Racer, twin: "Entrant | None" = None) -> None:
        super().__init__(name, stage, code, racer.token)
        self._racer = racer
        self._twin = twin

    def handle(self, message: to_client.Message) -> None:
        if isinstance(message, to_client.OwnTry) and self._racer.code != message.code:
            self._racer.code, self._racer.token = message.code, self.token
            for seconds in self._dice.sample((1, 5, 20, ALWAYS), self._dice.randint(0, 2)):
                self._stage.spawn(self._racer.connect(seconds))

    async def _act(self, connection: ReconnectingConnection) -> None:
        if self._twin is not None and self._twin.token is None:
            self._twin.token = self.token
            self._stage.spawn(self._twin.live())
        for _ in range(self._dice.randint(1, 8)):
            with contextlib.suppress(Refused):
                if self._stage.lively:
                    await connection.request(lambda c: to_server.Try(c, self.name.title()))
            await asyncio.sleep(self._dice.choice((0.0, 1.0, 10.0)))
            await self._stage.peep(self.code, self.token)
        self._is_done = True
