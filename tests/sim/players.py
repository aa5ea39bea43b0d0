"""The players of a simulation: real Python clients that do what people do, and some that do not."""

import asyncio
import contextlib
import random
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from contextvars import ContextVar
from itertools import islice
from typing import Any, Protocol
from unittest.mock import patch

from fortythieves.errors import Refused
from fortythieves.protocol import to_client, to_server
from fortythieves_client import reconnecting
from fortythieves_client.address import parse_address
from fortythieves_client.client import Client
from fortythieves_client.reconnecting import Handler, ReconnectingConnection
from fortythieves_client.room import Room
from tests.sim.history import History

#: Seconds for which a client tries to reconnect: longer than any simulation.
ALWAYS = 1e6
#: The connection whose task runs.
CONNECTION: ContextVar[str] = ContextVar("connection", default="")
#: The chat messages of players.
TEXTS = ("good luck", "well played", "one more?")


class Stage(Protocol):
    """What players need to know of their world."""

    history: History
    seed: int
    #: The rooms that were opened.
    codes: list[str]
    #: Whether players begin something new. Otherwise they only end their race.
    lively: bool

    def goes_on(self) -> bool: ...
    def url(self, name: str) -> str: ...
    def told(self, connection: str, frame: bytes) -> None: ...
    def spawn(self, work: Coroutine[Any, Any, None], name: str) -> None: ...


@contextlib.contextmanager
def observed(stage: Stage) -> Iterator[None]:
    """Show the history every frame that a client gets or sends."""
    decode, frames = reconnecting.decode, reconnecting.frames

    def told(frame: bytes | str) -> to_client.Message:
        assert isinstance(frame, bytes)
        stage.told(CONNECTION.get(), frame)
        return decode(frame)

    def asked(message: to_server.Message) -> Iterator[bytes]:
        if isinstance(message, to_server.Move):
            stage.history.asked(CONNECTION.get(), message.race, message.n, message.text)
        return frames(message)

    with patch.object(reconnecting, "decode", told), patch.object(reconnecting, "frames", asked):
        yield


class Device(Client):
    """A client that reports when its connection breaks."""

    stage: Stage
    name: str
    is_closed = False

    def disconnected(self) -> None:
        self.stage.history.disconnected(self.name)

    def closed(self, error: Exception) -> None:
        self.is_closed = True
        self.stage.history.disconnected(self.name)
        super().closed(error)


class Player:
    """A person with a seat. ``create``: opens a room with these arguments; otherwise it joins the room ``code``."""

    def __init__(
        self, name: str, stage: Stage, code: str = "", create: dict[str, Any] | None = None, *, pace: float = 0.4
    ) -> None:
        self.name = name
        self.stage = stage
        self.code = code
        self.create = create
        self.token: str | None = None
        #: The room of the arena, while it races in the room of a heat.
        self.arena = ""
        self._pace = pace
        self._dice = random.Random(f"{stage.seed} {name}")
        self._devices = 0

    async def live(self) -> None:
        """Take part until the end, with a new connection whenever one is closed for good."""
        while self.stage.goes_on():
            await self.connect(ALWAYS)
            await asyncio.sleep(0.5)

    async def connect(self, seconds: float) -> None:
        """Enter the room from a new device, for some time or until another device takes over."""
        self._devices += 1
        name = f"{self.name}/{self._devices}"
        CONNECTION.set(name)
        client = Device(self.stage.url(self.name), code=self.code, token=self.token, reconnect_timeout=ALWAYS)
        client.stage, client.name = self.stage, name
        with contextlib.suppress(Refused, OSError, TimeoutError):
            try:
                async with asyncio.timeout(seconds), client:
                    self.token = client.token or self.token
                    await self._enter(client)
                    await self._stay(client)
            finally:
                self.stage.history.disconnected(name)

    async def _enter(self, client: Device) -> None:
        if self.code:
            await client.join(self.name.title(), self.code)
        else:
            room = await client.create(self.name.title(), **(self.create or {}))
            self.code = room.code
            self.stage.codes.append(room.code)
        if client.room is not None and client.room.tournament is not None:
            await client.enter(True)

    async def _stay(self, client: Device) -> None:
        while self.stage.goes_on() and not client.is_closed:
            await asyncio.sleep(self._dice.expovariate(1 / self._pace))
            with contextlib.suppress(Refused):
                await self._act(client)

    async def _act(self, client: Device) -> None:
        room, dice = client.room, self._dice
        if room is None or room.me is None:
            raise TimeoutError  # it was removed, and begins anew
        self._follow_heat(room)
        mine, lively = room.my_race, self.stage.lively
        if dice.random() < 0.02 and lively:
            await dice.choice(self._whims)(self, client)
        elif room.over and lively and room.tournament is None:
            await client.rematch()
        elif room.race.get("starts_at") is None:
            await self._prepare(client)
        elif mine is not None and mine["state"] == "racing" and client.race is not None:
            if mine.get("gave_up_at") is not None:
                if lively and dice.random() < 0.3:
                    await client.take_back()
            elif not lively or dice.random() < 0.002:
                await client.give_up()
            else:
                await self._move(client)

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

    async def _prepare(self, client: Device) -> None:
        room = client.room
        assert room is not None and room.me is not None
        if not self.stage.lively:
            return
        if room.tournament is not None:
            if room.host == room.seat and room.tournament["phase"] in {"entry", "pause"}:
                await client.round("start")
        elif not room.me["ready"]:
            await client.ready()

    async def _move(self, client: Device) -> None:
        """Make one move, or some without waiting for the answers."""
        race, dice = client.race, self._dice
        assert race is not None
        if dice.random() < 0.05:
            await client.undo()
        elif dice.random() < 0.05:
            await asyncio.gather(*(client.play("draw") for _ in range(3)))
        else:
            moves = [*islice(race.board.legal_moves, dice.randint(1, 4))]
            await (client.play(moves[-1]) if moves else client.undo())

    # What people do now and then

    async def _chat(self, client: Device) -> None:
        key = f"{self.name}{self._dice.getrandbits(32)}"
        await client.chat(self._dice.choice(TEXTS), key)

    async def _break(self, client: Device) -> None:
        client.interrupt()

    async def _other_device(self, client: Device) -> None:
        self.stage.spawn(self.connect(self._dice.uniform(1, 20)), f"{self.name}, other device")

    async def _rename(self, client: Device) -> None:
        await client.rename(f"{self.name.title()} {self._dice.randint(1, 9)}")

    async def _change(self, client: Device) -> None:
        """A host changes something: in the lobby the rules, during a race only who may watch."""
        watch = self._dice.choice(("progress", "frontier", "delayed", "open"))
        await client.change_settings(watch=watch, undo=self._dice.choice(("none", "turned", "free")))

    async def _narrow(self, client: Device) -> None:
        await client.change_settings(watch="frontier")

    async def _vote(self, client: Device) -> None:
        await (client.agree_to_end(True) if self._dice.random() < 0.3 else client.stand_aside(True))

    async def _unready(self, client: Device) -> None:
        await client.unready()

    async def _leave(self, client: Device) -> None:
        if self._dice.random() < 0.2 and self.create is None:
            await client.leave()

    async def _look(self, client: Device) -> None:
        await client.ping()

    _whims = (_chat, _chat, _break, _break, _other_device, _rename, _change, _narrow, _vote, _unready, _leave, _look)


class BadPlayer(Player):
    """Sends requests that are not allowed, and messages that do not exist."""

    async def _move(self, client: Device) -> None:
        race, dice, connection = client.race, self._dice, client
        assert race is not None
        if dice.random() < 0.5:
            await super()._move(client)
            return
        asked: list[Callable[[], Awaitable[Any]]] = [
            lambda: connection.play(dice.choice(("1-2", "9-0", "redeal", "x", "undo"))),
            lambda: connection.kick(1),
            lambda: connection.judge(2, True, "no"),
            connection.start,
            connection.end_race,
            lambda: connection.hand_over(2),
            lambda: connection.change_settings(watch="open"),
        ]
        await dice.choice(asked)()


class Spectator(Handler):
    """Watches a room, and reacts."""

    def __init__(self, name: str, stage: Stage, code: str) -> None:
        self.name = name
        self.code = code
        self._stage = stage
        self._dice = random.Random(f"{stage.seed} {name}")
        self._watches = False

    def room_code(self) -> str:
        return self.code

    def rejoin(self, c: int) -> to_server.Watch | None:
        return to_server.Watch(c, self.code, self.name.title()) if self._watches else None

    def disconnected(self) -> None:
        self._stage.history.disconnected(self.name)

    def closed(self, error: Exception) -> None:
        self._stage.history.disconnected(self.name)

    async def live(self) -> None:
        CONNECTION.set(self.name)
        while self._stage.goes_on():
            self._watches = False
            url = parse_address(self._stage.url(self.name)).socket
            connection = ReconnectingConnection(url, None, ALWAYS, self)
            with contextlib.suppress(Refused, OSError):
                await connection.open()
                await connection.request(lambda c: to_server.Watch(c, self.code, self.name.title()))
                self._watches = True
                while connection.error is None and self._stage.goes_on():
                    await asyncio.sleep(self._dice.uniform(0.5, 10))
                    with contextlib.suppress(Refused):
                        sign = self._dice.choice(to_server.SIGNS)
                        await connection.request(lambda c: to_server.React(c, sign))  # noqa: B023
            await connection.close()
            await asyncio.sleep(1)
