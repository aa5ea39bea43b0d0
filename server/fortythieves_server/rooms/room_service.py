"""The requests of players, spectators, hosts and operators: create, join or watch a room, and act in it."""

import contextlib
import itertools
import logging
import time
from collections.abc import Callable

from msgspec.structs import replace

from fortythieves.errors import Refused, found, refuse_if
from fortythieves.protocol import to_client, to_server
from fortythieves.protocol.to_client import Close
from fortythieves.protocol.wire import encode
from fortythieves.rules.settings import FRIENDS, Settings
from fortythieves.times import Ms
from fortythieves.tournament.plan import Plan
from fortythieves_server.common.counters import Counters
from fortythieves_server.common.logs import about
from fortythieves_server.common.prices import NOBODY, Account
from fortythieves_server.core import (
    decide,
    decide_challenge,
    decide_circle,
    decide_entrants,
    decide_hosts,
    decide_lobby,
    decide_tournament,
    events,
)
from fortythieves_server.core.evolve import begin
from fortythieves_server.core.faces import face_for
from fortythieves_server.core.finished_race import asks_watchers
from fortythieves_server.core.room_state import Room
from fortythieves_server.core.rule_context import Context, Events, Sign, check_winnable, unsigned
from fortythieves_server.rooms.decision_inputs import Rule, cleaned, race_of
from fortythieves_server.rooms.file_process import FileProcess
from fortythieves_server.rooms.live_room import Keep, LiveRoom
from fortythieves_server.rooms.passwords import Passwords
from fortythieves_server.rooms.peer import Peer, SendQueue
from fortythieves_server.rooms.records import FinishedRaces
from fortythieves_server.rooms.registry import FrontPage, Registry, new_code
from fortythieves_server.rooms.sweeper import CHECK_AT_LEAST, LINGER, PRESENCE, SWEEP, BringBack, Sweeper
from fortythieves_server.store.redis_errors import StoreDown
from fortythieves_server.store.schema import LET_IN_BYTES, size_of
from fortythieves_server.store.store import Store

log = logging.getLogger(__name__)

#: Codes among which one is looked for that this process should serve. With eight processes, one in 70 rooms gets none.
CODES = 32
TOURNAMENT = Settings(seats=600, auto_start=False)
#: The same for an arena: a thousand entrants, and short races, because racers who are done wait for the others.
ARENA = replace(TOURNAMENT, seats=1000, time_limit=300, after_win=60)


class RoomService:
    def __init__(
        self,
        store: Store,
        keep: Keep,
        passwords: Passwords,
        file_process: FileProcess,
        sign: Sign = unsigned,
        linger: float = LINGER,
        is_here: Callable[[str], bool] = lambda code: True,
    ) -> None:
        """``is_here``: whether this process should serve a room, by its code."""
        self.store = store
        self.clock = store.clock
        self.counts = Counters()
        self.registry = Registry(store, keep, sign, file_process)
        self.front_page = FrontPage(store)
        self.sweeper = Sweeper(self.registry, self.front_page, store, linger, is_here)
        self.finished = FinishedRaces(self.registry, store, keep)
        self._is_here = is_here
        self._passwords = passwords
        self._file_process = file_process
        self._numbers = itertools.count(1)

    def open(
        self, bring_back: BringBack | None = None, sweep_every: float = SWEEP, check_every: float = PRESENCE
    ) -> None:
        """Start to let rooms act, and the periodic work (seconds). ``bring_back`` is called for bots that are away."""
        self.sweeper.bring_back = bring_back or self.sweeper.bring_back
        self.sweeper.open(sweep_every, check_every)

    async def close(self) -> None:
        await self.sweeper.close()
        await self.registry.close()

    def peer(self, send_queue: SendQueue, address: str = "", account: Account = NOBODY) -> Peer:
        """A peer with a new name. ``address``: the hash of its address. ``account`` pays for the messages to it."""
        return Peer(f"{self.store.process}/{next(self._numbers)}", send_queue, self.counts, address, account)

    async def create(self, peer: Peer, guest: str, request: to_server.Create) -> LiveRoom:
        """Open a room and seat its host. Raises `Refused`; then there is no room."""
        plan = await self._plan(peer, request)
        defaults = FRIENDS if plan is None else ARENA if plan.format == "arena" else TOURNAMENT
        settings = defaults.changed(request.settings)
        check_winnable(settings, plan, Context(self.clock.now(), "", {}, has_winnable=self.store.pool.is_filled))
        if await self.store.is_short():  # the script looks, too, but at the limit even its answer would have to wait
            raise Refused("server-full")
        password = await self._new_password(peer, request.password) if plan is not None else ""
        created = events.Created("", settings, "", plan, password, peer.address)
        join = to_server.Join(request.c, "", request.name, None, request.bot, face=request.face)
        # A guest who cannot take a seat must not leave an empty room behind.
        room = begin(self.clock.now(), created)
        decide_lobby.join(room, guest, join, peer.via, Context(room.at, "", {}))
        if request.circle:
            circle = await self._circle(request.circle, guest, peer.account)
            created = replace(created, of_circle=circle.room.code)
        created = await self._open(peer, created, self._code)
        live = await self.join(peer, guest, replace(join, code=created.code))
        if request.circle:
            address = peer.address_in(circle.room.code)
            with contextlib.suppress(Refused):  # the log of the circle is full: the race counts nevertheless
                await circle.decide(
                    lambda room, context: decide_circle.race_opened(room, guest, created.code, address, context.now),
                    peer.account,
                )
        return live

    async def _open(
        self, peer: Peer, created: events.Created, codes: Callable[[], str] | None = None
    ) -> events.Created:
        """Open a room for which a peer pays. Raises `Refused`."""
        created = await self.registry.open(created, CHECK_AT_LEAST, codes)
        peer.account.charge("kept", size_of(created))
        return created

    def _code(self) -> str:
        """A code for a new room. If possible, this process should serve it: then its host is already here."""
        codes = [new_code() for _ in range(CODES)]
        return next(filter(self._is_here, codes), codes[0])

    async def _plan(self, peer: Peer, request: to_server.Create) -> Plan | None:
        if request.plan is None:
            return None
        plan = decide_tournament.changed(Plan(), await cleaned(request.plan, self._file_process, peer.account))
        decide_tournament.check_start(plan.starts_at, self.clock.now())
        refuse_if(plan.entry == "password" and not request.password, "bad-plan", detail="password-needed")
        refuse_if(request.circle, "bad-plan", detail="it cannot be of a circle")
        return plan

    async def join(self, peer: Peer, guest: str, request: to_server.Join) -> LiveRoom:
        """Seat a guest or let one return, and send the whole state. Raises `Refused`."""
        live = await self.registry.room(request.code.strip().upper(), peer.account)
        live = await self._check_password(live, peer, guest, request.password)
        address, resume, arrived = peer.address_in(live.room.code), request.resume, time.monotonic()
        before = live.room.via_of(guest)
        if resume is not None and await live.has_lost(guest, resume):
            peer.send(to_client.Notice("data-lost", str(Refused("data-lost"))))
            resume = None

        def rule(room: Room, context: Context) -> Events:
            waited = Ms(1000 * (time.monotonic() - arrived))
            return decide_lobby.join(room, guest, request, peer.via, context, address, waited, before)

        live.arriving.add(peer.via)
        try:
            # While Redis is away it may close, and another one may come.
            await live.decide(rule, peer.account, lambda: peer.send_queue.open)
        finally:
            live.arriving.discard(peer.via)
        seat, via = live.room.seat_of(guest), live.room.via_of(guest)
        if seat is None or via is None:  # disconnected, removed, or its seat was lost, during the commit
            refuse_if(peer.send_queue.open, "store-down")
            return live
        if via != peer.via:
            peer.send_queue.close(Close.TAKEN_OVER, "Another connection took this seat")
            return live
        peer.seat, peer.guest, peer.entries_sent = seat, guest, None
        live.peers.seated[seat] = peer
        live.peers.welcome(peer)
        if resume and (resume.epoch, resume.race) == (live.cached.epoch, live.room.race.number):
            peer.entries_sent = resume.moves or None  # a client without entries may have no board
        await live.seats.send_board(seat)
        if live.room.of_circle:
            with contextlib.suppress(Refused):  # the guest is no member
                circle = await self._circle(live.room.of_circle, guest, peer.account)
                number = decide_circle.circle_of(circle.room).number_of(guest)
                peer.send(to_client.OwnTry(number or 0, circle.room.code, None))
        return live

    async def command(self, live: LiveRoom, peer: Peer, request: to_server.Command) -> None:
        """Carry out a command of a seat. Raises `Refused`; then nothing happened."""
        password = ""
        # If the seat may not change the plan, its rule refuses that, and neither a hash nor clean texts are needed.
        if isinstance(request, to_server.ChangePlan) and live.room.is_led_by(peer.seat):
            password = await self._new_password(peer, request.password)
            request = replace(request, plan=await cleaned(request.plan, self._file_process, peer.account))

        def rule(room: Room, context: Context) -> Events:
            return decide.decide(room, peer.seat, request, context._replace(password=password))

        await live.decide(rule, peer.account)
        if isinstance(request, to_server.ShowList):
            peer.send_big(encode(to_client.EntryList(decide_entrants.rows(live.room))))

    async def hang_up(self, live: LiveRoom, peer: Peer) -> None:
        live.peers.leave(peer)
        if peer.seat and not live.cached.gone:
            await live.decide(lambda room, context: decide.disconnect(room, peer.seat, peer.via), peer.account)

    # Challenges

    async def challenge(self, peer: Peer, guest: str, request: to_server.Challenge) -> None:
        """Open a challenge on the deal of a finished race, and send its code. Raises `Refused`."""
        source = await self.registry.room(request.code.strip().upper(), peer.account)
        race = found(race_of(source.room, request.race), "not-your-race")
        seat, created, challenge = decide_challenge.opened(source.room, race, guest, request, self.clock.now())
        challenge = replace(challenge, ghost=tuple(await self.finished.ghost(source.room.code, race, seat)))
        created = replace(created, address=peer.address, challenge=challenge)
        circle = await self._circle(request.circle, guest, peer.account) if request.circle else None

        played = f"{source.room.code}/{race.number}"
        known = decide_circle.circle_of(circle.room).challenged.get(played) if circle is not None else None
        if known is not None and await self.registry.find(known) is not None:
            peer.send(to_client.Challenged(known))  # a circle scores a deal once
            return

        def added(room: Room) -> Events:
            refuse_if(decide_circle.circle_of(room).challenged.get(played) != known, "many-deals")
            address = peer.address_in(room.code)
            return decide_circle.deal_added(room, guest, created.code, challenge.closes_at, address, played)

        if circle is not None:
            added(circle.room)  # otherwise no challenge is opened
            created = replace(created, challenge=replace(challenge, circle=circle.room.code))
        created = await self._open(peer, created)
        if circle is not None:
            try:
                await circle.decide(lambda room, _: added(room), peer.account)
            except Refused:  # another challenge was faster, or the circle is gone
                live = await self.registry.room(created.code)
                await live.decide(lambda *_: [events.ChallengeClosed()])
                raise
        peer.send(to_client.Challenged(created.code))

    async def in_challenge(
        self, live: LiveRoom, peer: Peer, request: to_server.Try | to_server.ChangeChallenge | to_server.RemoveTry
    ) -> None:
        """Begin the guest's one try, or send which room it has; or act for the owner. Raises `Refused`."""
        if not isinstance(request, to_server.Try):
            password: str | None = None
            if isinstance(request, to_server.ChangeChallenge) and request.password is not None:
                decide_challenge.check_is_owner(live.room, peer.guest)  # before a hash, which is expensive
                password = await self._new_password(peer, request.password)
            await live.decide(
                lambda room, context: decide_challenge.control(room, peer.guest, request, context.now, password),
                peer.account,
            )
            await self.sweeper.heats.score_closed(live.room)
            return
        challenge = decide_challenge.challenge_of(live.room)
        if challenge.opened.password and peer.guest not in challenge.numbers:
            await self._passwords.check(peer.address, request.password, challenge.opened.password)
        face = peer.face if request.face is None else request.face
        await self.sweeper.heats.begin_try(
            live, peer.guest, request.name, face, peer.address_in(live.room.code), peer.account
        )
        live.peers.send_own_try(peer)

    # Circles

    async def found(self, peer: Peer, guest: str, request: to_server.Found) -> None:
        """Open a circle, and send its code. Raises `Refused`."""
        created = replace(decide_circle.founded(guest, request), address=peer.address)
        created = await self._open(peer, created)
        peer.send(to_client.Challenged(created.code))

    async def _circle(self, code: str, guest: str, account: Account) -> LiveRoom:
        """The circle of a member. Raises `Refused`, always in the same way, so that nobody finds rooms like this."""
        try:
            live = await self.registry.room(code.strip().upper(), account)
        except Refused as refused:
            raise Refused("not-member") if refused.code == "unknown-room" else refused from None
        decide_circle.check_is_member(live.room, guest)
        return live

    async def in_circle(
        self, live: LiveRoom, peer: Peer, request: to_server.Membership | to_server.ChangeCircle
    ) -> None:
        """Act as a member of a circle, or become one. Raises `Refused`."""
        address = peer.address_in(live.room.code)
        await live.decide(lambda room, _: decide_circle.decide(room, peer.guest, request, address), peer.account)
        live.peers.send_own_try(peer)

    # Spectators

    async def watch(self, peer: Peer, guest: str, request: to_server.Watch) -> LiveRoom:
        """Let a guest watch a room, and send everything that a spectator may know. Raises `Refused`."""
        live = await self.registry.room(request.code.strip().upper(), peer.account)
        if asks_watchers(live.room) and not await self.finished.is_let_in(live.room, guest):
            live = await self._check_password(live, peer, guest, request.password)
            if not self.store.memory.is_short:
                peer.account.charge("kept", LET_IN_BYTES)
                with contextlib.suppress(StoreDown):  # then the guest needs the password once more next time
                    await self.store.directory.let_in(live.room.code, guest)
        with contextlib.suppress(StoreDown):
            await live.catch_up()
        refuse_if(live.cached.gone, "unknown-room", code=live.room.code)
        address = peer.address_in(live.room.code)
        peer.name = decide.watch(live.room, guest, request, live.cached.now(), address)
        peer.guest, peer.face = guest, face_for(live.room, 0, request.face, bot=False)
        peer.is_projector = request.projector
        live.peers.watchers[peer] = None
        live.peers.welcome(peer)
        live.peers.send_own_try(peer)
        if not peer.is_projector:
            await self._begin_to_show_boards(live, peer)
        return live

    async def show_boards(self, live: LiveRoom, peer: Peer, on: bool) -> None:
        """Show the boards to a player who does not race, or stop. Raises `Refused`."""
        if not on:
            live.spectators.peers.pop(peer, None)
            return
        _may_look(live, peer)
        if peer not in live.spectators.peers:
            await self._begin_to_show_boards(live, peer)

    async def _begin_to_show_boards(self, live: LiveRoom, peer: Peer) -> None:
        try:
            await live.spectators.refresh()
        except StoreDown:
            live.spectators.forget()
            live.cached.run_soon(live.spectators.refresh_when_possible())
        with contextlib.suppress(Refused):  # their race may have begun, or they were disconnected
            _may_look(live, peer)
            live.spectators.enter(peer)
            live.set_timer()

    def react(self, live: LiveRoom, peer: Peer, sign: to_server.Sign) -> None:
        """Show a sign to all people here, or to all except racers if it is not a racer's. Raises `Refused`."""
        racer = peer.seat if live.room.race.is_racing(peer.seat) else 0
        if not racer:
            _may_look(live, peer)
        decide.check_may_react(live.room, peer.guest, racer)
        live.reactions.add(sign, racer)

    async def spectator_chats(self, live: LiveRoom, peer: Peer, request: to_server.Chat) -> None:
        _check_looks(live, peer)
        address = peer.address_in(live.room.code)
        await live.decide(
            lambda room, context: decide.spectator_chats(room, peer.guest, peer.name, request, address, peer.face),
            peer.account,
        )

    async def predict(self, live: LiveRoom, peer: Peer, request: to_server.Predict) -> None:
        _may_look(live, peer)
        address = peer.address_in(live.room.code)
        await live.decide(
            lambda room, context: decide.predict(room, peer.guest, request, context, address), peer.account
        )

    async def _new_password(self, peer: Peer, password: str) -> str:
        return await self._passwords.new(peer.address, password) if password else ""

    async def _check_password(self, live: LiveRoom, peer: Peer, guest: str, password: str) -> LiveRoom:
        """Raise `Refused` if a guest is new to a tournament and does not know its password. Returns the room."""
        room, tournament = live.room, live.room.tournament
        if tournament is None or tournament.plan.entry != "password" or not room.creator:
            return live
        is_known = room.seat_of(guest) is not None or tournament.seat_of(guest) is not None
        # A host has invited the bots of the server.
        if not is_known and not room.is_creator(guest) and not peer.account.is_house:
            await self._passwords.check(peer.address, password, tournament.password)
        # The check takes time, and a room without people here may have left memory.
        return await self.registry.room(room.code, peer.account)

    # Hosts and operators

    async def review(self, live: LiveRoom, peer: Peer, number: int) -> None:
        """Send the host the review of a finished race, or of a challenge. Raises `Refused`."""
        if live.room.challenge is not None:
            refuse_if(not live.room.is_creator(peer.guest), "not-host")
            peer.send(to_client.Reviewed(number, decide_challenge.same_address(live.room.challenge), []))
            return
        refuse_if(peer.seat != live.room.host, "not-host")
        peer.send(await self.finished.review(live, number, peer.account))

    async def unlist(self, code: str, *, unlisted: bool) -> None:
        """An operator takes a room off the front page, or allows it there again. Raises `Refused`."""
        done = f"taken room {code} off the list" if unlisted else f"allowed room {code} on the list"
        await self._operate(code, lambda room, context: decide_hosts.unlisted(room, unlisted=unlisted), done)

    async def close_room(self, code: str, reason: str) -> None:
        """An operator closes a room for good, and all its connections. Raises `Refused`."""
        await self._operate(code, lambda room, context: decide_hosts.closed(room, reason), f"closed room {code}")

    async def _operate(self, code: str, rule: Rule, done: str) -> None:
        live = await self.registry.room(code)
        await live.decide(rule)
        log.warning("an operator has %s", done, extra=about(code))
        with contextlib.suppress(StoreDown):  # then the front page is updated with all others
            await self.front_page.publish([live])


def _check_looks(live: LiveRoom, peer: Peer) -> None:
    refuse_if(peer.is_projector or not (peer.seat or peer in live.peers.watchers), "not-in-room")


def _may_look(live: LiveRoom, peer: Peer) -> None:
    _check_looks(live, peer)
    decide.check_may_watch(live.room, peer.guest)
