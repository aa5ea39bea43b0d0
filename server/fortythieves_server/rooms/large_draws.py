"""Large draws are made in the process for files: the event loop serves all rooms, and must not wait for one of them."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Sequence

import msgspec

from fortythieves.errors import Refused
from fortythieves.tournament.draw import Draw, draw
from fortythieves.tournament.formats import FORMATS
from fortythieves.tournament.plan import Plan
from fortythieves.tournament.results import Entrants
from fortythieves.tournament.rounds import Drawing, Round
from fortythieves_server.core import decide
from fortythieves_server.core.room_state import Room
from fortythieves_server.core.rule_context import Context, Events
from fortythieves_server.rooms.file_process import FileProcess

log = logging.getLogger(__name__)

#: From so many entrants on, a draw is large. One of a hundred takes about 10 ms, one of a thousand 200 ms (measured).
LARGE = 100
#: Seconds that a draw may take elsewhere, including the wait for files.
TIMEOUT = 10.0
#: How often a draw is made elsewhere: somebody may leave meanwhile, and then it is of no use.
TRIES = 3

Rule = Callable[[Room, Context], Events]
DecideDue = Callable[[Callable[[Rule], Awaitable[None]]], Awaitable[None]]

#: All but the randomness: a plan, the entrants, the rounds so far, and who asks for a half-point bye.
_Inputs = tuple[Plan, Entrants, Sequence[Round], Collection[int]]


class _ElsewhereFirst(Exception):
    """A large draw is due. ``inputs`` are its arguments."""

    def __init__(self, inputs: _Inputs, chance: str) -> None:
        super().__init__("a large draw is due")
        self.inputs = inputs
        self.chance = chance


class LargeDraws:
    def __init__(self, file_process: FileProcess) -> None:
        self._file_process = file_process

    async def due(self, decide_by: Callable[[Rule], Awaitable[None]]) -> None:
        """Let a room decide what is due. A large draw is made elsewhere before. Raises `Refused` and `StoreDown`."""
        drawn = _postponed(None, None)
        for _ in range(TRIES):
            try:
                await decide_by(_due(drawn))
            except _ElsewhereFirst as large:
                drawn = await self._made(large)
            else:
                return
        await decide_by(decide.due)

    async def _made(self, large: _ElsewhereFirst) -> Draw:
        packed = msgspec.msgpack.encode((*large.inputs[:3], large.chance, large.inputs[3]))

        async def job() -> tuple[str, tuple[bytes]]:
            return "round_drawn", (packed,)

        try:
            async with asyncio.timeout(TIMEOUT):
                made = await self._file_process.do(job)
        except (Refused, TimeoutError, RuntimeError) as error:
            log.warning("a large draw is made by this process, because the other one could not: %r", error)
            return draw
        return _postponed(large.inputs, msgspec.msgpack.decode(made, type=Drawing | None))


def _due(drawn: Draw) -> Rule:
    return lambda room, context: decide.due(room, context._replace(draw=drawn))


def _postponed(inputs: _Inputs | None, drawing: Drawing | None) -> Draw:
    """Makes small draws, knows the drawing of one large one, and raises `_ElsewhereFirst` for all others."""

    def draw_or_raise(
        plan: Plan, entrants: Entrants, rounds: Sequence[Round], chance: str, half: Collection[int]
    ) -> Drawing | None:
        if len(entrants) < LARGE or not FORMATS[plan.format].is_slow:
            return draw(plan, entrants, rounds, chance, half)
        if (plan, entrants, rounds, half) != inputs:
            raise _ElsewhereFirst((plan, entrants, rounds, half), chance)
        return drawing

    return draw_or_raise
