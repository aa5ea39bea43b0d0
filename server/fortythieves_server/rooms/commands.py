"""The commands of one room: decide, commit, apply. If the log has changed meanwhile, decide again."""

import logging
import secrets
from collections.abc import Callable
from dataclasses import dataclass

from fortythieves.errors import Refused
from fortythieves.times import Ms
from fortythieves_server.common.logs import about
from fortythieves_server.core import decide, events, evolve, room_list
from fortythieves_server.core.room_state import Room
from fortythieves_server.core.rule_context import Context, Events, NeedsClaim, Sign
from fortythieves_server.rooms.cached_room import CachedRoom
from fortythieves_server.rooms.catch_up import CatchUp
from fortythieves_server.rooms.claims import Claims
from fortythieves_server.rooms.people import People
from fortythieves_server.store.redis_errors import Behind, Lost, StoreDown
from fortythieves_server.store.store import Store

log = logging.getLogger(__name__)

#: The most commands that are decided together. A guess.
TOGETHER = 200

Rule = Callable[[Room, Context], Events]


@dataclass(slots=True, eq=False)
class _Command:
    rule: Rule
    done: bool = False
    error: Exception | None = None


class Commands:
    def __init__(
        self,
        cached: CachedRoom,
        people: People,
        catch_up: CatchUp,
        store: Store,
        sign: Sign,
        is_watched: Callable[[], bool],
    ) -> None:
        self._cached = cached
        self._people = people
        self._catch_up = catch_up
        self._store = store
        self._sign = sign
        self._is_watched = is_watched
        self._claims = Claims(cached, store.pool)
        self._waiting: list[_Command] = []

    async def decide(self, rule: Rule) -> None:
        """Decide, commit, apply. Raises `Refused`; then nothing happened.

        Commands that arrive during a commit are decided together in the next one, in their order. If a thousand people
        return at once, that makes a few commits and a few broadcasts.
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
                        await self._catch_up.recovery.recover()
                    except NeedsClaim as needs:
                        await self._claims.fetch(needs)
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
        """Decide and commit all commands. If the log has changed, read it instead.

        Raises `Lost`, `StoreDown`, and `NeedsClaim` if winnable deals have to be claimed first.
        """
        await self._catch_up.read()
        answered, decided, after = self._decided(self._store.clock.now())
        before = self._cached.room
        if decided:
            at = await self._commit(decided, after)
            if at is None:
                return
            _log(self._cached.room.code, decided)
            self._people.apply([(at, event) for event in decided])
        self._claims.settle(before)
        for command in answered:
            command.done = True
        # Callers that were cancelled meanwhile no longer wait.
        self._waiting = [command for command in self._waiting if not command.done]

    def _decided(self, now: Ms) -> tuple[list[_Command], Events, Room]:
        """The commands that have a result or an error now, their events, and the room after them."""
        answered: list[_Command] = []
        events_of_all: Events = []
        before = after = self._cached.room
        for command in self._waiting[:TOGETHER]:
            context = Context(
                now,
                secrets.token_hex(32),
                self._cached.progress,
                watched=self._is_watched(),
                sign=self._sign,
                claim=self._claims.claim,
                has_winnable=self._store.pool.is_filled,
            )
            answered.append(command)
            command.error = None  # that of a decision that could not be committed
            try:
                decided = command.rule(after, context)
            except NeedsClaim:
                raise  # all is decided again with the deals
            except Exception as error:  # noqa: BLE001 - a refusal or a bug; either is for the caller
                command.error = error
                continue
            events_of_all += decided
            for event in decided:
                after = evolve.evolve(after, now, event)
            if after.race.number != before.race.number:
                break  # the boards of the new race are only known after the commit
        return answered, events_of_all, after

    async def _commit(self, decided: Events, after: Room) -> Ms | None:
        """The time when all is on disk. None: the log had changed, and was read. Raises `Lost`, `StoreDown`."""
        cached = self._cached
        before, sealed, summary = cached.room, decide.sealed(decided), room_list.summary(after)
        try:
            return await self._store.logs.commit(
                before.code, cached.epoch, before.n, before.at, before.race.number, decided, sealed, summary
            )
        except Behind:
            cached.stale = True
            await self._catch_up.read()
            if cached.room.n == before.n and all(cached.moves_of(seat) == moves for seat, moves in sealed.items()):
                raise Lost from None  # no entry was missed, so the logs contradict each other
            return None


def _log(code: str, happened: list[events.Event]) -> None:
    """Log the kinds of events in a room, but never chat messages or anything secret."""
    if log.isEnabledFor(logging.INFO):
        for event in happened:
            seat = getattr(event, "seat", None)
            log.info("room %s, seat %s: %s", code, seat, event.__struct_config__.tag, extra=about(code, seat))
