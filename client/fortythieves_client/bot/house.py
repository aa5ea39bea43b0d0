"""A house bot: it joins a room by the door like anybody, and sees, knows and may do what a player does."""

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator, Coroutine

from fortythieves.errors import Refused
from fortythieves_client.bot.levels import LEVELS
from fortythieves_client.bot.names import free_name
from fortythieves_client.bot.thinker import Think, at_once
from fortythieves_client.connection import Client
from fortythieves_client.line import Closed
from fortythieves_client.room import Room

#: Seconds without any person in the room after which a bot goes home.
ALONE = 60.0
#: How much the time between two moves varies (the sigma of a lognormal distribution: people are seldom much faster
#: than usual, and sometimes much slower).
JITTER = 0.4
#: Seconds to say goodbye when somebody stops the bot.
GOODBYE = 1.0
#: Seconds before a bot is ready, or tries again what was refused.
MOMENT = 1.0


async def run_bot(
    url: str,
    code: str,
    level: int,
    name: str | None = None,
    *,
    seconds: float | None = None,
    alone: float = ALONE,
    rng: random.Random | None = None,
    token: str | None = None,
    ticket: str | None = None,
    socket: str | None = None,
    think: Think = at_once,
) -> None:
    """Play along in a room until nobody needs us there any more.

    ``seconds`` per move instead of those of the level. ``token``: the guest pass; a seat that it has is taken again.
    ``ticket``: how a server knows its own bots, who connect to a ``socket`` of their own. ``think`` finds the moves.

    Returns when the bot has gone home, was removed, or the room is gone; raises `Refused` when it may not come in, and
    `ConnectionError` when the server is not there (any more).
    """
    rng = rng or random.Random()
    async with Client(url, token=token, ticket=ticket, socket=socket) as client, _goodbye(client):
        await _sit_down(client, code, level, name, rng)
        bot = _Bot(client, level, rng, LEVELS[level].seconds if seconds is None else seconds, think)
        try:
            await _first_of(bot.play_along(), bot.until_alone(alone))
            await client.leave()
        except Closed as closed:
            if not closed.for_good:
                raise
        except Refused:
            # The room did not take us back, after the server was away.
            return


async def _sit_down(client: Client, code: str, level: int, name: str | None, rng: random.Random) -> None:
    """Join, under a name that nobody else has: who is in there, and how they are called, shows only inside."""
    wanted = name or free_name(level, (), rng)
    room = await client.join(wanted, code, bot=True)
    # Whoever comes back to a seat has its name already.
    if name is None and room.me is not None and room.me["name"].startswith(f"{wanted} "):
        others = [person["name"] for seat, person in room.people.items() if seat != room.seat]
        with contextlib.suppress(Refused):  # Not during a race; then the number that the server gave will do.
            await client.rename(free_name(level, others, rng))


@contextlib.asynccontextmanager
async def _goodbye(client: Client) -> AsyncIterator[None]:
    """Leave the room if somebody stops the bot."""
    try:
        yield
    except asyncio.CancelledError:
        with contextlib.suppress(OSError, Refused):
            async with asyncio.timeout(GOODBYE):
                await client.leave()
        raise


class _Bot:
    """One seat in one room."""

    def __init__(self, client: Client, level: int, rng: random.Random, seconds: float, think: Think) -> None:
        self._client = client
        self._level = level
        self._rng = rng
        self._seconds = seconds
        self._think = think

    @property
    def _room(self) -> Room:
        room = self._client.room
        assert room is not None, "only `leave` ends that, and then the bot is done"
        return room

    # company

    def _persons_here(self) -> list[int]:
        return [seat for seat, person in self._room.people.items() if person.get("here") and not person.get("bot")]

    async def until_alone(self, seconds: float) -> None:
        """Wait until no person has been here for so long."""
        while True:
            await self._client.until(lambda: not self._persons_here())
            try:
                async with asyncio.timeout(seconds):
                    await self._client.until(self._persons_here)
            except TimeoutError:
                return

    # what to do

    async def play_along(self) -> None:
        """Do whatever it is time for, for ever."""
        while True:
            await self._client.until(lambda: self._is_host() or self._is_awaited() or self._is_racing())
            try:
                if self._is_racing():
                    await self._race()
                else:
                    await asyncio.sleep(self._rng.uniform(0.5, 1.5) * min(MOMENT, self._seconds))
                    if self._is_host():
                        await self._client.hand_over(min(self._persons_here()))
                    elif self._is_awaited():
                        await self._client.ready()
            except Refused:
                # The room has moved on meanwhile, or the store is down; `until` knows when it is for good.
                await asyncio.sleep(MOMENT)

    def _is_host(self) -> bool:
        """Whether the room fell to us, which should be in somebody's hands."""
        return self._room.host == self._room.seat and bool(self._persons_here())

    def _is_awaited(self) -> bool:
        """Whether a race is set up and we are not ready for it. A rematch is for a person to ask for."""
        me = self._room.me
        return self._room.race.get("starts_at") is None and me is not None and not me.get("ready")

    def _is_racing(self) -> bool:
        """Whether our cards are dealt and it is still on us to play them."""
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
        """Seconds until the next move: the level's in the mean."""
        return self._seconds * self._rng.lognormvariate(-JITTER * JITTER / 2, JITTER)


async def _first_of(*coroutines: Coroutine[object, object, None]) -> None:
    """Run some coroutines until one of them ends, as that one ends."""
    tasks = [asyncio.create_task(coroutine) for coroutine in coroutines]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
