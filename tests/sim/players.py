"""The players of a simulation: real Python clients that do what people do, and some that do not."""

import asyncio
import contextlib
import random
from collections.abc import Callable, Iterator, Sequence
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
    from tests.sim.world import Crowd, World

#: Seconds for which a client tries to reconnect: longer than any simulation.
ALWAYS = NEVER = 1e6
#: The connection whose task runs.
CONNECTION: ContextVar[str] = ContextVar("connection", default="")
#: By deal number: the moves that win a deal.
WINS = {str(win["number"]): win["moves"] for win in read("wins")}
#: The chat messages of players.
TEXTS = ("good luck", "well played", "one more?")


#: The right password of tournaments, and a wrong one.
PASSWORDS = ("open sesame", "open sesame", "open sesame", "sesame")


def _seat(room: Room, dice: random.Random) -> int:
    entrants = (room.tournament or {}).get("entrants", {})
    return dice.choice([room.seat, *room.people, *map(int, entrants), 99])


def _some(room: Room, dice: random.Random, name: str) -> int:
    """The number of a chat message or of a removed person that is in the view."""
    return dice.choice([*map(int, room.view.get(name) or {}), 1])


def _changes(dice: random.Random) -> dict[str, Any]:
    """Other settings of a race."""
    watch = {"watch": dice.choice(("progress", "frontier", "delayed", "open"))}
    undo = {"undo": dice.choice(("none", "turned", "free"))}
    return watch | dice.choice(({}, undo, {"watching": "nobody"}, {"public": True}))


_PLANS: dict[str, Any] = {"name": "Cup", "rounds": 3, "by_timer": True, "entry_closes": 5, "late": 2}
_PLANS["password"] = PASSWORDS[0]
_ROUND = "start", "pause", "resume", "end", "skip", "replay", "replay_unfinished", "confirm"
#: How the fields of requests are drawn.
FIELDS: dict[str, Callable[[Room, random.Random], Any]] = {
    **dict.fromkeys(("seat", "one", "other"), _seat),
    **dict.fromkeys(("on", "open", "locked"), lambda room, dice: dice.random() < 0.6),
    **dict.fromkeys(("hold", "out"), lambda room, dice: dice.random() < 0.3),
    **dict.fromkeys(("text", "reason"), lambda room, dice: dice.choice(TEXTS)),
    **dict.fromkeys(("race", "round"), lambda room, dice: dice.randint(1, 3)),
    **dict.fromkeys(("level", "board"), lambda room, dice: 1),
    "against": lambda room, dice: dice.choice((0, _seat(room, dice))),
    "line": lambda room, dice: _some(room, dice, "chat"),
    "number": lambda room, dice: _some(room, dice, "removed"),
    "name": lambda room, dice: dice.choice((f"Name {dice.randint(1, 9)}", "Host 0", "Player 0 1")),
    "team": lambda room, dice: dice.choice(("", "Red", "Blue", "red")),
    "do": lambda room, dice: dice.choice(_ROUND),
    "at": lambda room, dice: dice.choice((None, room.view["race"].get("starts_at"), 1, 2**50)),
    "given": lambda room, dice: ((_seat(room, dice), dice.choice((0.0, 0.5, 1.0, None))),),
    "action": lambda room, dice: (room.tournament or {}).get("undo") or 1,
}
#: Requests of people: methods of the client.
OF_RACES = (
    *("chat", "ping", "rename", "unready", "agree_to_end", "stand_aside", "change_settings", "leave", "start", "look"),
    *("end_race", "lock", "kick", "mute", "remove", "admit", "hand_over", "add_bot", "review", "predict"),
)
OF_TOURNAMENTS = (
    *("enter", "check_in", "registration", "half_bye", "team", "change_plan", "round", "timer", "judge", "withdraw"),
    *("rename_entrant", "correct", "replay_match", "swap", "announce", "undo_action", "entry_list", "release"),
    "co_host",
)
#: The fields of methods that are not named as their message.
OTHERS = {"chat": ("text",), "ping": (), "rename": ("name",), "entry_list": (), "undo_action": ("action",)}


def fields_of(method: str) -> Sequence[str]:
    """The names of the arguments of a method of the client."""
    if method in OTHERS:
        return OTHERS[method]
    fields: Sequence[str] = getattr(to_server, method.title().replace("_", "")).__struct_fields__[1:]
    return fields


#: The addresses that people visit in the browser.
PAGES = (
    *("/", "/r/{code}", "/r/{code}/{race}", "/nothing", "/assets/nothing.js", "/healthz", "/readyz?room={code}"),
    *("/api/rooms", "/api/rooms/{code}", "/api/address", "/api/winnable", "/api/key", "/api/openapi.json"),
    *(f"/api/races/{{code}}/{{race}}{kind}" for kind in ("", ".json", ".png")),
    *(f"/api/tournaments/{{code}}{kind}" for kind in (".json", ".bundle.json", ".csv", "-results.csv", "-teams.csv")),
    "/api/tournaments/{code}.ics",
)
_UPGRADE = b"GET /ws HTTP/1.1\r\nHost: x\r\n"
_WEBSOCKET = (
    _UPGRADE + b"Upgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
#: All other actions of a person.
OFTEN = ("think", "other device", "break")
HABITS = ("break", "other device", "think", "web", "rubbish", *OF_RACES, *OF_TOURNAMENTS)
OF_CHALLENGES = ("challenge",) * 8


@contextlib.contextmanager
def observed(stage: "World") -> Iterator[None]:
    """Show the history every frame that a client gets or sends."""
    decode, frames = reconnecting.decode, reconnecting.frames

    def told(frame: bytes | str) -> to_client.Message:
        assert isinstance(frame, bytes)
        stage.told(CONNECTION.get(), frame)
        return decode(frame)

    def asked(message: to_server.Message) -> Iterator[bytes]:
        if isinstance(message, to_server.Move):
            stage.history.asked(CONNECTION.get(), message.race, message.n, message.text)
        if isinstance(message, to_server.Create | to_server.Join):
            stage.arrived(CONNECTION.get())
        return frames(message)

    with patch.object(reconnecting, "decode", told), patch.object(reconnecting, "frames", asked):
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

    async def look(self, on: bool) -> None:
        """From a seat: ask for the boards, or no longer."""
        await self._connection.request(lambda c: to_server.Look(c, on))


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
        self._thinks_until = 0.0
        self._crowd = crowd
        self._dice = random.Random(f"{stage.seed} {name}")
        #: Whether it wins every deal of `WINS`.
        self._is_wise = self._dice.random() < 0.6
        self._habits = [habit for habit in crowd.habits if habit in OFTEN or self._dice.random() < 0.5]
        self._devices = 0

    async def live(self) -> None:
        """Take part until the end, with a new connection whenever one is closed for good."""
        while self.stage.goes_on:
            await self.connect(ALWAYS)
            await asyncio.sleep(0.5 if self.refused in {"", *RETRYABLE} else 5.0)

    async def connect(self, seconds: float, pause: float = 0.0) -> None:
        """Enter the room from a new device, for some time or until another device takes over."""
        await asyncio.sleep(pause)
        self._devices += 1
        name = f"{self.name}/{self._devices}"
        CONNECTION.set(name)
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
                self.stage.history.disconnected(name)

    def use_other_device(self, often: float) -> None:
        """Perhaps, and for some time. A person needs a moment to take it."""
        if "other device" in self._habits and self._dice.random() < often:
            seconds, pause = self._dice.uniform(1, 20), self._dice.uniform(0, 2)
            self.stage.spawn(self.connect(seconds, pause), f"{self.name}, other device")

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
        if lively and self.stage.simulation.now < self._thinks_until:
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
            await client.look(True)

    async def _do(self, habit: str, client: Device, room: Room) -> None:
        """Do something else for once."""
        dice = self._dice
        match habit:
            case "break":
                client.interrupt()
            case "other device":
                self.use_other_device(1.0)
            case "think":
                self._thinks_until = self.stage.simulation.now + dice.uniform(20, 60)
            case "rubbish":
                begin = dice.choice((b"", _UPGRADE, _WEBSOCKET))
                await self.stage.knock(begin + dice.randbytes(dice.choice((0, 3, 40, 20_000))))
            case "web":
                await self.stage.visit(dice.choice(PAGES).format(code=room.code, race=dice.randint(1, 3)), client.token)
            case "challenge":
                code = await client.challenge(dice.randint(1, room.race["number"]), 1)
                self.stage.challenged(code, self._crowd.guests, client.token)
            case "change_settings":
                await client.change_settings(**_changes(dice))
            case "change_plan":
                await client.change_plan(**{(name := dice.choice([*_PLANS])): _PLANS[name]})
            case _:
                await getattr(client, habit)(*(FIELDS[name](room, dice) for name in fields_of(habit)))

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

    async def _move(self, client: Device) -> None:
        """Make one move, or some without waiting for the answers. Sometimes the connection breaks meanwhile."""
        race, dice = client.race, self._dice
        assert race is not None and client.room is not None
        line = WINS.get(client.room.view["settings"]["deal"], ())[: len(race.log)]
        most = dice.choice((1, 1, 1, 2, 4, 8))
        if self._is_wise and line == [entry.text for entry in race.log]:
            moves = WINS[client.room.view["settings"]["deal"]][len(line) :][:most]
        elif dice.random() < 0.05:
            await client.undo()
            return
        else:
            moves = _some_moves(race.board, dice, most)
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


class BadPlayer(Player):
    """Sends moves that are not allowed, and those that do not exist."""

    async def _move(self, client: Device) -> None:
        if self._dice.random() < 0.5:
            await super()._move(client)
        else:
            await client.play(self._dice.choice(("1-2", "9-0", "redeal", "x", "undo")))


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
        CONNECTION.set(self.name)
        while self._stage.goes_on and not self._is_done:
            self._watches = False
            url = parse_address(self._stage.url(self.name)).socket
            connection = ReconnectingConnection(url, self.token, ALWAYS, self)
            with contextlib.suppress(OSError):
                try:
                    await connection.open()
                    await connection.request(lambda c: to_server.Watch(c, self.code, self.name.title(), PASSWORDS[0]))
                    self._watches, self.refused, self.token = True, "", connection.token
                    await self._react(connection)
                except Refused as refused:
                    self.refused = refused.code
            await connection.close()
            await asyncio.sleep(1)

    async def _react(self, connection: ReconnectingConnection) -> None:
        while connection.error is None and self._stage.goes_on:
            await asyncio.sleep(self._dice.uniform(0.5, 10))
            with contextlib.suppress(Refused):
                await connection.request(partial(to_server.React, sign=self._dice.choice(to_server.SIGNS)))


class Racer(Player):
    """Has a try of a challenge, in the room of that try."""

    async def _act(self, client: Device) -> None:
        if client.room is not None and client.room.over:
            raise TimeoutError
        await (client.give_up() if self._dice.random() < 0.02 else super()._act(client))


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
                self._stage.spawn(self._racer.connect(seconds), self._racer.name)

    async def _react(self, connection: ReconnectingConnection) -> None:
        if self._twin is not None and self._twin.token is None:
            self._twin.token = self.token
            self._stage.spawn(self._twin.live(), self._twin.name)
        for _ in range(self._dice.randint(1, 8)):
            with contextlib.suppress(Refused):
                if self._stage.lively:
                    await connection.request(lambda c: to_server.Try(c, self.name.title()))
            await asyncio.sleep(self._dice.choice((0.0, 1.0, 10.0)))
            await self._stage.peep(self.code, self.token)
        self._is_done = True


class Owner(Spectator):
    """Watches the own challenge, removes results, and at last closes it."""

    async def _react(self, connection: ReconnectingConnection) -> None:
        while connection.error is None and self._stage.goes_on:
            await asyncio.sleep(self._dice.uniform(5, 60))
            number, ends = self._dice.randint(1, 5), self._dice.random() < 0.02
            with contextlib.suppress(Refused):
                await connection.request(
                    lambda c: to_server.ChangeChallenge(c, 0) if ends else to_server.RemoveTry(c, number)  # noqa: B023
                )
