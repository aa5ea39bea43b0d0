"""A room in this process: it connects its parts, and lets people in and out.

The order is always: decide against the cached state, commit, apply, acknowledge, broadcast. Several processes may serve
a room at once, and none owns it. A process that decided on an old state reads what it missed and decides again.
"""

import contextlib
from collections.abc import Callable
from functools import partial

from fortythieves.errors import Refused
from fortythieves.protocol import to_client, to_server
from fortythieves.protocol.to_client import Close
from fortythieves.protocol.wire import encode
from fortythieves_server.core import decide, decide_lobby, entrants
from fortythieves_server.core.room_state import Room
from fortythieves_server.core.rule_context import Context, Events, Sign
from fortythieves_server.rooms.broadcast import Peers
from fortythieves_server.rooms.cached_room import CachedRoom
from fortythieves_server.rooms.catch_up import CatchUp
from fortythieves_server.rooms.commands import Commands
from fortythieves_server.rooms.heats import Heats
from fortythieves_server.rooms.large_draws import DecideDue
from fortythieves_server.rooms.pacing import Pacing
from fortythieves_server.rooms.peer import Peer
from fortythieves_server.rooms.people import People
from fortythieves_server.rooms.reactions import Reactions
from fortythieves_server.rooms.recovery import read_room
from fortythieves_server.rooms.reviews import Reviews
from fortythieves_server.rooms.schedule import Keep, Schedule
from fortythieves_server.rooms.seat import Seats
from fortythieves_server.rooms.spectators import Scene, Spectators
from fortythieves_server.store.redis_errors import StoreDown
from fortythieves_server.store.store import Store


class LiveRoom:
    def __init__(
        self,
        cached: CachedRoom,
        store: Store,
        keep: Keep,
        pacing: Pacing,
        sign: Sign,
        decide_due: DecideDue,
        heats: Heats,
    ) -> None:
        self.cached = cached
        self._clock = store.clock
        self.peers = Peers(cached, lambda: self.schedule.show_soon(), pacing)
        self.seats = Seats(
            cached,
            self.peers,
            store,
            on_finish=lambda: self.schedule.set(),
            on_trouble=lambda answer, epoch: self.catch_up.hear_of_trouble(answer, epoch),
        )
        self.spectators = Spectators(
            lambda: Scene(cached.room, cached.progress, store.clock.now()), self.seats.playthrough
        )
        self.schedule = Schedule(cached, self.seats, self.spectators, store.clock, keep, self._do_due)
        self._decide_due = decide_due
        self._heats = heats
        self.people = People(cached, self.peers, self.spectators, self.seats, self.schedule)
        self.catch_up = CatchUp(cached, self.people, self.seats, self.schedule, store)
        self.commands = Commands(cached, self.people, self.catch_up, store, sign, lambda: bool(self.spectators.viewers))
        self.reviews = Reviews(cached, store)
        self.reactions = Reactions(cached, self.peers, pacing, store.directory)
        #: The connections whose joining is being committed. They are alive, though they serve no seat yet.
        self._arriving: set[str] = set()
        self.schedule.start_over()

    @classmethod
    async def load(
        cls,
        code: str,
        store: Store,
        keep: Keep,
        pacing: Pacing,
        sign: Sign,
        decide_due: DecideDue,
        heats: Heats,
    ) -> "LiveRoom":
        """The room as stored. Raises `Refused` if there is none, and `StoreDown`."""
        return cls(CachedRoom(*await read_room(code, store)), store, keep, pacing, sign, decide_due, heats)

    @property
    def room(self) -> Room:
        """Its state, as far as its log was read."""
        return self.cached.room

    @property
    def in_use(self) -> bool:
        """Whether somebody is connected here, or about to be."""
        return len(self.peers) > 0 or bool(self._arriving) or self.cached.lock.locked()

    async def decide(self, rule: Callable[[Room, Context], Events]) -> None:
        """Decide, commit, apply. Raises `Refused`; then nothing happened."""
        await self.commands.decide(rule)

    async def _do_due(self) -> None:
        """Do what is due by the rules. Raises `Refused` and `StoreDown`."""
        await self._decide_due(self.commands.decide)
        await self._heats.tend(self)

    async def join(self, peer: Peer, guest: str, request: to_server.Join) -> None:
        """Seat a guest or let one return, and send the whole state. Raises `Refused`."""
        address = peer.address_in(self.room.code)
        self._arriving.add(peer.via)
        try:
            await self.commands.decide(
                lambda room, context: decide_lobby.join(room, guest, request, peer.via, context, address)
            )
        finally:
            self._arriving.discard(peer.via)
        seat = self.room.seat_of(guest)
        if seat is None or self.room.people[seat].via != peer.via:
            return  # disconnected, or replaced by another connection, during the commit
        peer.seat, peer.guest, peer.entries_sent = seat, guest, None
        self.peers.seated[seat] = peer
        self.peers.welcome(peer)
        resume = request.resume
        if resume and (resume.epoch, resume.race) == (self.cached.epoch, self.room.race.number):
            peer.entries_sent = resume.moves or None  # a client without entries may have no board
        await self.seats.of(seat).send_board()

    async def command(self, peer: Peer, request: to_server.Command, password: str = "") -> None:
        """Carry out a command of a seat. ``password``: the hash of the one in the request. Raises `Refused`."""
        await self.commands.decide(
            lambda room, context: decide.decide(room, peer.seat, request, context._replace(password=password))
        )

    def send_list(self, peer: Peer) -> None:
        """Send the entry list and its links to a host who asked for it."""
        peer.send_big(encode(to_client.EntryList(entrants.rows(self.room))))

    async def hang_up(self, peer: Peer) -> None:
        self.peers.leave(peer)
        self.spectators.leave(peer)
        if peer.seat and not self.cached.gone:
            await self.commands.decide(lambda room, context: decide.disconnect(room, peer.seat, peer.via))

    def send_elsewhere(self) -> int:
        """Let everybody connect again whose client then names this room. Returns how many."""
        going = [peer for peer in self.peers.everybody() if peer.named == self.room.code]
        for peer in going:
            peer.send_queue.close(Close.GOING_AWAY, "Another process serves this room")
        return len(going)

    async def drop_dead_peers(self, alive: Callable[[str], bool]) -> None:
        """Mark people with dead connections as away, and connected people as here."""

        def rule(room: Room, context: Context) -> Events:
            here = {*self._arriving, *(peer.via for peer in self.peers.seated.values())}
            return decide.dead_connections(room, lambda via: via in here or alive(via))

        if rule(self.room, Context(self._clock.now(), "", self.cached.progress)):  # rarely the case
            await self.commands.decide(rule)
        for seat, peer in list(self.peers.seated.items()):
            person = self.room.people.get(seat)
            called = self.room.tournament is not None and seat in self.room.tournament.arena.racing
            if person is not None and person.via is None and not called:
                await self.commands.decide(partial(_back, seat, peer.via, peer.address_in(self.room.code)))

    async def watch(self, peer: Peer, guest: str, request: to_server.Watch) -> None:
        """Let a guest watch, and send everything that a spectator may know. Raises `Refused`."""
        address = peer.address_in(self.room.code)
        peer.name = decide.watch(self.room, guest, request, self._clock.now(), address)
        peer.guest = guest
        self.peers.watchers.add(peer)
        self.peers.welcome(peer)
        await self._begin_to_show(peer)

    async def show_boards(self, peer: Peer, on: bool) -> None:
        """Show the boards to somebody who does not race, or stop. Raises `Refused`."""
        if not on:
            self.spectators.leave(peer)
            return
        self._may_look(peer)
        if peer not in self.spectators.viewers:
            await self._begin_to_show(peer)

    def _may_look(self, peer: Peer) -> None:
        if not peer.seat and peer not in self.peers.watchers:
            raise Refused("not-in-room")
        decide.check_may_watch(self.room, peer.guest)

    async def _begin_to_show(self, peer: Peer) -> None:
        try:
            await self.spectators.refresh()
        except StoreDown:
            self.spectators.forget()
            self.cached.soon(self.schedule.show_again())
        with contextlib.suppress(Refused):  # meanwhile their race may have begun, or they were disconnected
            self._may_look(peer)
            self.spectators.enter(peer)
            self.schedule.set()

    def react(self, peer: Peer, sign: to_server.Sign) -> None:
        """Show a sign to all who do not race. Raises `Refused`."""
        self._may_look(peer)
        decide.check_may_react(self.room, peer.guest)
        self.reactions.add(sign)

    async def spectator_chats(self, peer: Peer, request: to_server.Chat) -> None:
        """A spectator sends a chat message. Raises `Refused`."""
        address = peer.address_in(self.room.code)
        await self.commands.decide(
            lambda room, context: decide.spectator_chats(room, peer.guest, peer.name, request, address)
        )


def _back(seat: int, via: str, address: str, room: Room, context: Context) -> Events:
    person = room.people.get(seat)
    if room.tournament is not None and seat in room.tournament.arena.racing:
        return []  # called to a race
    return decide_lobby.reconnect(room, seat, via, address) if person is not None and person.via is None else []
