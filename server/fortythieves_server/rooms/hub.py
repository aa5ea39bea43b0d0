"""What people and operators ask for: to open a room, come in, watch, and see what was."""

import contextlib
import itertools
import logging
import secrets

from msgspec.structs import replace

from fortythieves.errors import Refused
from fortythieves.protocol import to_server
from fortythieves.rules.settings import Settings
from fortythieves.tournament.plan import Plan
from fortythieves_server.common.counters import Counters
from fortythieves_server.common.logs import about
from fortythieves_server.common.prices import Account
from fortythieves_server.core import (
    decide,
    decide_tournament,
    events,
    operator_actions,
    record_access,
    room_state,
    views,
)
from fortythieves_server.core.rule_types import Given, Sign, unsigned
from fortythieves_server.rooms.front_page import FrontPage
from fortythieves_server.rooms.live_room import LiveRoom
from fortythieves_server.rooms.passwords import Passwords
from fortythieves_server.rooms.peer import Peer
from fortythieves_server.rooms.registry import Registry
from fortythieves_server.rooms.schedule import HOUR, Keep
from fortythieves_server.rooms.send_queue import SendQueue
from fortythieves_server.rooms.sweeper import LINGER, LOOK_AT_LEAST, PRESENCE, SWEEP, Sweeper
from fortythieves_server.store.clock import Clock
from fortythieves_server.store.redis_errors import StoreDown
from fortythieves_server.store.room_logs import Full, Taken
from fortythieves_server.store.store import Store

log = logging.getLogger(__name__)

#: What a tournament room takes where its host says nothing.
TOURNAMENT_SEATS = 600


class Hub:
    """The rooms of one process, and the way into them."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        keep: Keep,
        passwords: Passwords,
        sign: Sign = unsigned,
        linger: float = LINGER,
    ) -> None:
        self.store = store
        self.clock = clock
        self.counts = Counters()
        self.registry = Registry(store, clock, keep, sign)
        self.front_page = FrontPage(store, clock)
        self.sweeper = Sweeper(self.registry, self.front_page, store, clock, linger)
        self._keep = keep
        self._sign = sign
        self._passwords = passwords
        self._numbers = itertools.count(1)

    def open(self, sweep_every: float = SWEEP, check_every: float = PRESENCE) -> None:
        """Begin to look after rooms: every so many seconds."""
        self.sweeper.open(sweep_every, check_every)

    async def close(self) -> None:
        """Tell everybody to come back, and serve nobody any more."""
        await self.sweeper.close()
        await self.registry.close()

    def peer(self, send_queue: SendQueue, address: str = "", account: Account | None = None) -> Peer:
        """A connection from an address (its hash), by a name that no other one has.

        ``account``: who pays for what it is sent.
        """
        return Peer(f"{self.store.process}/{next(self._numbers)}", send_queue, self.counts, address, account)

    async def create(self, peer: Peer, guest: str, request: to_server.Create) -> LiveRoom:
        """Open a room and seat its host. Raises `Refused`; then there is no room."""
        plan = self._plan(request)
        defaults = Settings() if plan is None else Settings(seats=TOURNAMENT_SEATS, auto_start=False)
        settings, revealed = await self._revealed(defaults.changed(request.settings), guest)
        if plan is not None and settings.practice is not None:
            raise Refused("bad-plan", detail="a deal that was played before is for practice")
        password = await self._new_password(peer, request.password) if plan is not None else ""
        while True:
            code = self.registry.new_code()
            secret = secrets.token_hex(32)
            promise = self._sign(code, 1, secret, self.clock.now())
            created = events.Created(code, settings, secret, revealed, plan, password, peer.address, promise)
            join = to_server.Join(request.c, code, request.name, None, request.bot)
            # Whoever cannot sit down leaves no empty room behind.
            room = room_state.begin(self.clock.now(), created)
            decide.join(room, guest, join, peer.via, Given(room.at, "", {}))
            # First, so that somebody clears it away if this process dies a moment later.
            with contextlib.suppress(StoreDown):
                await self.store.directory.look_at({code: room.at + LOOK_AT_LEAST})
            try:
                await self.store.logs.create(code, created, views.summary(room))
            except Taken:
                continue
            except Full:
                with contextlib.suppress(StoreDown):
                    await self.store.directory.forget(code)
                raise Refused("server-full") from None
            except StoreDown:
                raise Refused("store-down") from None
            return await self.join(peer, guest, join)

    def _plan(self, request: to_server.Create) -> Plan | None:
        if request.plan is None:
            return None
        plan = decide_tournament.changed(Plan(), request.plan)
        decide_tournament.check_start(plan.starts_at, self.clock.now())
        if plan.entry == "password" and not request.password:
            raise Refused("bad-plan", detail="entry by password needs a password")
        return plan

    async def _revealed(self, settings: Settings, guest: str) -> tuple[Settings, events.Revealed | None]:
        """For practice: the deal of the race that is played again. Raises `Refused`."""
        if settings.practice is None:
            return settings, None
        past = await self.finished_race(*settings.practice, guest)
        if past.settings.practice is not None and past.revealed is not None:
            return settings, replace(past.revealed, deal=settings.deal)
        if not past.is_secret:
            return settings.changed({"deal": past.settings.deal}), None
        return settings, events.Revealed(settings.deal, past.secret, dict(past.nonces))

    async def join(self, peer: Peer, guest: str, request: to_server.Join) -> LiveRoom:
        """Seat a guest in a room. Raises `Refused`."""
        room = await self.registry.room(request.code.strip().upper())
        await self._check_password(room.room, peer, guest, request.password)
        await room.join(peer, guest, request)
        return room

    async def command(self, room: LiveRoom, peer: Peer, request: to_server.Command) -> None:
        """Carry out what a seat asks for. Raises `Refused`; then nothing happened."""
        password = ""
        # Who may not change the plan is told so by its rule, and costs no hash.
        if isinstance(request, to_server.ChangePlan) and room.room.is_led_by(peer.seat):
            password = await self._new_password(peer, request.password)
        await room.command(peer, request, password)

    async def watch(self, peer: Peer, guest: str, request: to_server.Watch) -> LiveRoom:
        """Let a guest watch a room. Raises `Refused`."""
        room = await self.registry.room(request.code.strip().upper())
        if record_access.asks_watchers(room.room) and not await self._is_let_in(room.room, guest):
            await self._check_password(room.room, peer, guest, request.password)
            with contextlib.suppress(StoreDown):  # Then whoever comes again is asked again.
                await self.store.directory.let_in(room.room.code, guest)
        await room.watch(peer, guest, request)
        return room

    async def _new_password(self, peer: Peer, password: str) -> str:
        """The hash of a password that is set, "" if there is none. Raises `Refused`."""
        return await self._passwords.new(peer.address, password) if password else ""

    async def _check_password(self, room: room_state.Room, peer: Peer, guest: str, password: str) -> None:
        """Raise `Refused` for somebody new to a tournament who does not know its password."""
        held = room.tournament
        if held is None or held.plan.entry != "password" or not room.creator or room.is_creator(guest):
            return
        if room.seat_of(guest) is not None or held.seat_of(guest) is not None:
            return
        if peer.account is not None and peer.account.is_house:
            return  # A host has asked for it.
        await self._passwords.check(peer.address, password, held.password)

    async def room_for(self, code: str, guest: str) -> room_state.Room:
        """A room for a guest who wants to see what was, without coming in. Raises `Refused`."""
        room = (await self.registry.room(code)).room
        if record_access.asks_watchers(room) and not await self._is_let_in(room, guest):
            raise Refused("unknown-room", code=code)
        return room

    async def _is_let_in(self, room: room_state.Room, guest: str) -> bool:
        """Whether a guest belongs to a room that asks for a password, or has said it at any process."""
        if record_access.is_of(room, guest):
            return True
        try:
            return bool(guest) and await self.store.directory.is_let_in(room.code, guest)
        except StoreDown:
            raise Refused("store-down") from None

    async def finished_race(self, code: str, number: int, guest: str = "") -> room_state.Race:
        """A race that is over, for a guest. Raises `Refused` ("unknown-race", "not-over-yet", "store-down").

        That a race is not for this guest is not told apart from there being none.
        """
        try:
            room = await self.room_for(code, guest)
        except Refused as refused:
            if refused.code != "unknown-room":
                raise
            raise self._unknown_race(code, number) from None
        return self._finished(room, number, guest)

    def _finished(self, room: room_state.Room, number: int, guest: str | None = None) -> room_state.Race:
        """The same of a room that is at hand; without a guest it is for the room's host."""
        code = room.code
        found = room.race if number == room.race.number else room.past.get(number)
        if found is None or found.starts_at is None:
            raise self._unknown_race(code, number)
        if guest is not None and record_access.is_for_racers(found) and not record_access.may_have(room, found, guest):
            raise self._unknown_race(code, number)
        if found.over_at is None:
            raise Refused("not-over-yet", code=code, race=number)
        return found

    def _unknown_race(self, code: str, number: int) -> Refused:
        return Refused("unknown-race", code=code[:12], race=number, days=f"{self._keep.played / 24 / HOUR:g}")

    async def review(self, room: LiveRoom, peer: Peer, number: int) -> None:
        """Tell the host what stands out in a race that is over. Raises `Refused`."""
        decide.may_review(room.room, peer.seat)
        peer.send(await room.reviews.of(self._finished(room.room, number)))

    async def unlist(self, code: str, *, unlisted: bool) -> None:
        """An operator takes a room off the front page, or lets it be listed again. Raises `Refused`."""
        room = await self.registry.room(code)
        await room.commands.decide(lambda room, given: operator_actions.unlisted(room, unlisted=unlisted))
        done = f"taken room {code} off the list" if unlisted else f"let room {code} be listed"
        log.warning("an operator has %s", done, extra=about(code))
        await self._publish_soon(room)

    async def close_room(self, code: str, reason: str) -> None:
        """An operator closes a room for good, and everybody in it is told. Raises `Refused`."""
        room = await self.registry.room(code)
        await room.commands.decide(lambda room, given: operator_actions.closed(room, reason))
        log.warning("an operator has closed room %s", code, extra=about(code))
        await self._publish_soon(room)

    async def _publish_soon(self, room: LiveRoom) -> None:
        """Tell the front page of a room now, and if that cannot be, with all others."""
        with contextlib.suppress(StoreDown):
            await self.front_page.publish([room])
