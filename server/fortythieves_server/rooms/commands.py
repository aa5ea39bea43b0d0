"""The commands of one room: decide, commit, apply; again from the start if the log has moved on in between."""

import logging
import secrets
from collections.abc import Callable

from fortythieves.errors import Refused
from fortythieves_server.common.logs import about
from fortythieves_server.core import decide, events, room_state, views
from fortythieves_server.core.room_state import Room
from fortythieves_server.core.rule_types import Events, Given, Sign
from fortythieves_server.rooms.cached_room import CachedRoom
from fortythieves_server.rooms.catch_up import CatchUp
from fortythieves_server.rooms.people import People
from fortythieves_server.store.clock import Clock
from fortythieves_server.store.redis_errors import Behind, Lost, StoreDown
from fortythieves_server.store.store import Store

log = logging.getLogger(__name__)

#: The most commands that are decided together (a guess).
TOGETHER = 200

Rule = Callable[[Room, Given], Events]


class _Command:
    """Something that is asked of a room, and what came of it."""

    __slots__ = ("done", "error", "rule")

    def __init__(self, rule: Rule) -> None:
        self.rule = rule
        self.done = False
        self.error: Exception | None = None


class Commands:
    """Decides on what is asked of a room, one commit after the other."""

    def __init__(
        self, cached: CachedRoom, people: People, catch_up: CatchUp, store: Store, clock: Clock, sign: Sign
    ) -> None:
        self._cached = cached
        self._people = people
        self._catch_up = catch_up
        self._store = store
        self._clock = clock
        self._sign = sign
        #: Those that are not answered yet.
        self._waiting: list[_Command] = []

    async def decide(self, rule: Rule) -> None:
        """Decide, commit, apply. Raises `Refused`; then nothing happened.

        Whatever else is asked meanwhile goes into the next commit together, in the order in which it was asked: when
        a thousand come back at once, that is a few commits, and everybody is told a few times of all who came.
        """
        cached = self._cached
        command = _Command(rule)
        self._waiting.append(command)
        try:
            async with cached.lock:
                while not command.done and not cached.gone:
                    try:
                        await self._carry_out()
                    except Lost:
                        await self._catch_up.recover()
        except StoreDown:
            raise Refused("store-down") from None
        finally:
            if not command.done:
                self._waiting.remove(command)
        if not command.done:
            raise Refused("unknown-room", code=cached.room.code)
        if command.error is not None:
            raise command.error

    async def _carry_out(self) -> None:
        """Decide and commit what is asked; if the log had moved on, read it instead. Raises `Lost`, `StoreDown`."""
        await self._catch_up.read()
        answers, decided, after = self._decided(self._clock.now())
        if decided:
            at = await self._commit(decided, after)
            if at is None:
                return
            _log(self._cached.room.code, decided)
            self._people.apply([(at, event) for event in decided])
        for command, error in answers:
            command.done, command.error = True, error
        # Whoever has stopped waiting meanwhile is not among them any more.
        self._waiting = [command for command in self._waiting if not command.done]

    def _decided(self, now: int) -> tuple[list[tuple[_Command, Exception | None]], Events, Room]:
        """What comes of what is asked: of each whether it is refused, all events, and the room after them."""
        answers: list[tuple[_Command, Exception | None]] = []
        events_of_all: Events = []
        before = after = self._cached.room
        for command in self._waiting[:TOGETHER]:
            given = Given(now, secrets.token_hex(32), self._cached.progress, sign=self._sign)
            try:
                decided = command.rule(after, given)
            except Exception as error:  # noqa: BLE001 - refused, or a bug: in any case it is for whoever asked.
                answers.append((command, error))
                continue
            answers.append((command, None))
            events_of_all += decided
            for event in decided:
                after = room_state.evolve(after, now, event)
            if after.race.number != before.race.number:
                break  # How far the boards of the new race are is known only after the commit.
        return answers, events_of_all, after

    async def _commit(self, decided: Events, after: Room) -> int | None:
        """The time at which all of it is on disk, or None: the log had moved on, and was read.

        Raises `Lost`, `StoreDown`.
        """
        cached = self._cached
        before, sealed = cached.room, decide.sealed(decided)
        try:
            return await self._store.logs.commit(
                before.code,
                cached.epoch,
                before.n,
                before.at,
                before.race.number,
                decided,
                sealed,
                views.summary(after),
            )
        except Behind:
            cached.stale = True
            await self._catch_up.read()
            if cached.room.n == before.n and all(cached.moves_of(seat) == moves for seat, moves in sealed.items()):
                raise Lost from None  # There is nothing that it could be behind of: the logs contradict each other.
            return None


def _log(code: str, happened: list[events.Event]) -> None:
    """Tell operators who want to know what kinds of events happen in a room; never what was said or drawn by lot."""
    if log.isEnabledFor(logging.INFO):
        for event in happened:
            seat = getattr(event, "seat", None)
            log.info("room %s, seat %s: %s", code, seat, event.__struct_config__.tag, extra=about(code, seat))
