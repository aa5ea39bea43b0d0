"""A house bot. It joins a room like a player, and has the knowledge and the rights of a player."""

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine

from fortythieves.bot.levels import LEVELS, Level, next_moves
from fortythieves.bot.search import Plan
from fortythieves.errors import Refused
from fortythieves.rules.board import Board
from fortythieves.times import Ms, seconds_of
from fortythieves_client.bot.levels import free_name, level_of
from fortythieves_client.client import Client
from fortythieves_client.reconnecting import Closed
from fortythieves_client.room import Room

#: Seconds without any person in the room after which a bot leaves. A guess.
ALONE = 60.0
#: The variation of the time between two moves: the sigma of a lognormal distribution. Players are seldom much faster
#: than usual, and sometimes much slower. A guess.
JITTER = 0.4
#: Seconds in which a stopped bot may still leave its room.
GOODBYE = 1.0
#: Seconds before a bot becomes ready, and before it repeats a refused request.
MOMENT = 1.0


#: Finds the next moves.
Think = Callable[[Board, Level, random.Random], Awaitable[Plan]]


async def _think_directly(board: Board, level: Level, rng: random.Random) -> Plan:
    return next_moves(board, level, rng.random)


async def run_bot(
    url: str,
    code: str,
    level: int | None,
    name: str | None = None,
    *,
    stays: bool = False,
    seconds: float | None = None,
    alone: float = ALONE,
    rng: random.Random | None = None,
    token: str | None = None,
    socket: str | None = None,
    think: Think = _think_directly,
) -> None:
    """Play in a room as a bot until it is no longer needed.

    ``level``: None for that of its name, if it returns to its seat. ``stays``: it keeps its seat when it is stopped.
    ``seconds``: the time per move, instead of that of the level. ``alone``: seconds without people after which it
    leaves. ``token``: its guest token, which brings back its seat. ``socket``: the server's socket for its bots.
    ``think`` finds the moves.

    Returns when the bot has left or was removed, or the room is gone. Raises `Refused` if it is not admitted, and
    `ConnectionError` if the server cannot be reached (any more).
    """
    rng = rng or random.Random()
    async with Client(url, code=code, token=token, socket=socket) as client, _goodbye(client, stays=stays):
        level = await _sit_down(client, level, name, rng)
        bot = _Bot(client, level, rng, LEVELS[level].seconds if seconds is None else seconds, think)
        try:
            await _first_of(bot.play_along(), bot.until_alone(alone))
            await client.leave()
        except Closed as closed:
            if not closed.for_good:
                raise
        except Refused:
            # The server was away, and the room does not take us back.
            return


async def _sit_down(client: Client, level: int | None, name: str | None, rng: random.Random) -> int:
    """Join with a free name. The names in a room are only visible inside. Returns the level."""
    wanted = name or free_name(level or 2, (), rng)
    room = await client.join(wanted, bot=True)
    if level is None:
        return level_of(room.me["name"] if room.me is not None else "")
    # A bot that returns to its seat already has a name.
    if name is None and room.me is not None and room.me["name"].startswith(f"{wanted} "):
        others = [person["name"] for seat, person in room.people.items() if seat != room.seat]
        with contextlib.suppress(Refused):  # not during a race; then it keeps the name from the server
            await client.rename(free_name(level, others, rng))
    return level


@contextlib.asynccontextmanager
async def _goodbye(client: Client, *, stays: bool) -> AsyncIterator[None]:
    """Leave the room if the bot is stopped, unless it stays."""
    try:
        yield
    except asyncio.CancelledError:
        if not stays:
            with contextlib.suppress(OSError, Refused):
                async with asyncio.timeout(GOODBYE):
                    await client.leave()
        raise


class _Bot:
    def __init__(self, client: Client, level: int, rng: random.Random, seconds: float, think: Think) -> None:
        self._client = client
        self._level = level
        self._rng = rng
        self._seconds = seconds
        self._think = think

    @property
    def _room(self) -> Room:
        room = self._client.room
        assert room is not None, "only `leave` ends that, and then the bot is finished"
        return room

    # Other people

    def _persons_here(self) -> list[int]:
        return [seat for seat, person in self._room.people.items() if person.get("here") and not person.get("bot")]

    async def until_alone(self, seconds: float) -> None:
        """Wait until no person has been here for ``seconds``."""
        while True:
            await self._client.until(lambda: not self._persons_here())
            try:
                async with asyncio.timeout(seconds):
                    await self._client.until(self._persons_here)
            except TimeoutError:
                return

    # Actions

    async def play_along(self) -> None:
        """Play all races, check in for a tournament, and hand over the host's role."""
        while True:
            await self._until_it_can_act()
            try:
                if self._is_racing():
                    await self._race()
                else:
                    await asyncio.sleep(self._rng.uniform(0.5, 1.5) * min(MOMENT, self._seconds))
                    if self._is_host():
                        await self._client.hand_over(min(self._persons_here()))
                    elif (opens := self._check_in_opens()) is not None and opens <= self._client.now():
                        await self._client.check_in(self._room.seat)
                    elif self._is_awaited():
                        await self._client.ready()
            except Refused:
                # The room has changed, or the server cannot save. `until` raises an error if that is final.
                await asyncio.sleep(MOMENT)

    async def _until_it_can_act(self) -> None:
        opens = self._check_in_opens()  # no message says that the time has come
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(None if opens is None else seconds_of(opens - self._client.now())):
                await self._client.until(
                    lambda: (
                        self._is_host() or self._is_awaited() or self._is_racing() or self._check_in_opens() != opens
                    )
                )

    def _is_host(self) -> bool:
        """Whether this bot became the host, although a person is here."""
        return self._room.host == self._room.seat and bool(self._persons_here())

    def _is_awaited(self) -> bool:
        """Whether a race is set up and this bot is not ready for it. Only people ask for a rematch."""
        me = self._room.me
        return self._room.race.get("starts_at") is None and me is not None and not me.get("ready")

    def _check_in_opens(self) -> Ms | None:
        """When this bot can check in for the tournament. None: it need not, is too late, or the time is unknown."""
        asked = (self._room.tournament or {}).get("check_in") or {}
        opens, ends = asked.get("opens"), asked.get("ends")
        if opens is None or ends is None or ends <= self._client.now() or str(self._room.seat) in asked["here"]:
            return None
        return Ms(opens)

    def _is_racing(self) -> bool:
        """Whether the cards are dealt and this bot still has to play."""
        racer = self._room.my_race
        return (
            self._client.race is not None
            and not self._room.over
            and racer is not None
            and racer["state"] == "racing"
            and racer.get("gave_up_at") is None
        )

    async def _race(self) -> None:
        while self._is_racing():
            assert self._client.race is not None
            moves = await self._think(self._client.race.board, LEVELS[self._level], self._rng)
            if not self._is_racing():
                return
            if not moves:
                await self._client.give_up()
                return
            for move in moves:
                await asyncio.sleep(self._pause())
                if not self._is_racing():
                    return
                await self._client.play(move)

    def _pause(self) -> float:
        return self._seconds * self._rng.lognormvariate(-JITTER * JITTER / 2, JITTER)


async def _first_of(*coroutines: Coroutine[object, object, None]) -> None:
    """Run coroutines until the first one ends. Its result or exception counts."""
    tasks = [asyncio.create_task(coroutine) for coroutine in coroutines]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
