"""The requests of one client: each is limited, and then passed to the client's room."""

import time
from dataclasses import dataclass

from msgspec.structs import replace

from fortythieves.errors import Invalid, Refused, refuse_if
from fortythieves.protocol import to_client, to_server
from fortythieves.protocol.to_client import Close
from fortythieves.protocol.wire import encode, read_request
from fortythieves_server import __version__
from fortythieves_server.common import prices
from fortythieves_server.common.limits import Bucket, Limits
from fortythieves_server.common.loop_share import LoopShare
from fortythieves_server.common.prices import Account, Accounts
from fortythieves_server.process.house_bots import Bots
from fortythieves_server.rooms.live_room import LiveRoom
from fortythieves_server.rooms.peer import Peer
from fortythieves_server.rooms.room_service import RoomService
from fortythieves_server.web.guest_tokens import Guests


@dataclass(slots=True, eq=False)
class Services:
    """The objects that all sessions of a process share."""

    rooms: RoomService
    guests: Guests
    bots: Bots
    limits: Limits
    share: LoopShare
    #: The accounts of each guest and each address in a room.
    room_accounts: Accounts
    #: Whether other processes may serve rooms, too, and are chosen by the room in the address.
    has_others: bool


class Session:
    __slots__ = ("_account", "_guest", "_has_moved", "_held_up", "_messages", "_services", "greeted", "peer", "room")

    def __init__(self, services: Services, account: Account, peer: Peer, messages: Bucket) -> None:
        self._services = services
        self._account = account
        #: The messages that the connection may send.
        self._messages = messages
        self._guest = ""
        #: Whether so many moves wait that no more are read before they are answered.
        self._held_up = False
        #: Whether it has moved since all its moves were answered.
        self._has_moved = False
        self.greeted = False
        self.peer = peer
        self.room: LiveRoom | None = None

    @property
    def may_move_now(self) -> bool:
        return self.room is not None and self.peer.seat > 0 and not self._held_up

    def move_now(self, message: bytes) -> None:
        move = read_request(message)
        assert isinstance(move, to_server.Move)
        assert self.room is not None
        self._has_moved = True
        self._held_up = self.room.seats.move(self.peer, move)

    async def handle(self, message: to_server.Message) -> None:
        """Handle a message of any kind. Raises `Invalid`."""
        match message:
            case _ if not self.greeted:
                self._greet(message)
            case to_server.Move():
                await self._move(message)
            case to_server.Ping(t):
                now = self.room.cached.now() if self.room is not None else self._services.rooms.clock.now()
                self.peer.send_queue.put(encode(to_client.Pong(t, now)))
            case to_server.Hello():
                raise Invalid("hello comes once")
            case to_server.Request():
                await self._answer_waiting()  # they came first
                try:
                    await self._charged(message)
                except Refused as refused:
                    self.peer.send(to_client.Refused(message.c, refused.code, str(refused), refused.parameters))
                else:
                    self.peer.send(to_client.Ok(message.c))

    def _greet(self, message: to_server.Message) -> None:
        if not isinstance(message, to_server.Hello):
            raise Invalid("hello comes first")
        send_queue, guests = self.peer.send_queue, self._services.guests
        if message.v != to_server.VERSION:
            send_queue.close(Close.BAD_VERSION, f"This server speaks version {to_server.VERSION} of the protocol")
            return
        try:
            self._guest = guests.guest_of(message.token) if message.token else guests.issue()[0]
        except Refused as refused:
            self.peer.send(to_client.Notice(refused.code, str(refused)))
            send_queue.close(Close.BAD_TOKEN, str(refused))
            return
        self.greeted = True
        now, token = self._services.rooms.clock.now(), guests.token(self._guest)
        self.peer.send(to_client.Welcome(message.v, token, now, __version__, self._services.has_others))

    async def _move(self, move: to_server.Move) -> None:
        if self.room is None or not self.peer.seat:
            refused = Refused("not-in-room")
            why = refused.code, str(refused), refused.parameters
            self.peer.send(to_client.Unmoved(move.race, move.n, 0, *why))
            return
        if self._held_up:
            await self._answer_waiting()
        self._has_moved = True
        self._held_up = self.room.seats.move(self.peer, move)

    async def _answer_waiting(self) -> None:
        """Wait until all requested moves are answered."""
        if self._has_moved and self.room is not None and self.peer.seat:
            await self.room.seats.answer_waiting(self.peer.seat)
        self._has_moved = self._held_up = False

    async def _charged(self, message: to_server.Request) -> None:
        price = prices.price_of(message)
        refuse_if(self._account.pay(price) or not self._may_in_room(message), price.code)
        try:
            await self._services.share.do(self._account, self._command(message))
        except Refused as refused:
            if refused.code not in prices.TELLS_NOTHING and "guesses" in price.needs:
                self._account.charge("guesses")
            raise

    def _may_in_room(self, message: to_server.Request) -> bool:
        """Let the guest and the address of a message pay for it in its room. Returns whether they could."""
        extra = prices.EXTRA_MESSAGES.get(type(message))
        if extra and not self._messages.take(time.monotonic(), extra):
            return False
        price = prices.IN_ROOM.get(type(message))
        if isinstance(message, to_server.Join | to_server.Watch):
            code = message.code.strip().upper()
        elif self.room is not None:
            code = self.room.room.code
            if isinstance(message, to_server.Chat) and not self.peer.seat:
                price = prices.SPECTATOR_TALK
            elif isinstance(message, to_server.Membership) and message.do == "join":
                price = prices.JOINS_CIRCLE
        else:
            return True
        if price is None or self._account.is_house:
            return True
        account = self._services.room_accounts.of
        if account(f"{code} {self._guest} {price.kind}").pay(price.guest):
            return False
        return not account(f"{code} {self._account.address} {price.kind}").pay(price.address)

    async def _command(self, message: to_server.Request) -> None:
        rooms, peer, room = self._services.rooms, self.peer, self.room
        match message:
            case to_server.Create():
                self._no_room_yet()
                self.room = await rooms.create(peer, self._guest, message)
            case to_server.Join():
                self._no_room_yet()
                if self._account.is_house:
                    message = replace(message, bot=True)
                self.room = await rooms.join(peer, self._guest, message)
            case to_server.Watch():
                self._no_room_yet()
                self.room = await rooms.watch(peer, self._guest, message)
            case to_server.Challenge():
                await rooms.challenge(peer, self._guest, message)
            case to_server.Try() | to_server.ChangeChallenge() | to_server.RemoveTry():
                if room is None or not peer.name:
                    raise Refused("not-in-room")
                await rooms.in_challenge(room, peer, message)
            case to_server.Found():
                await rooms.found(peer, self._guest, message)
            case to_server.Membership() | to_server.ChangeCircle():
                if room is None or not peer.name:
                    raise Refused("not-in-room")
                await rooms.in_circle(room, peer, message)
            case to_server.Look() if room is not None:
                await rooms.show_boards(room, peer, message.on)
            case to_server.React() if room is not None:
                rooms.react(room, peer, message.sign)
            case to_server.Predict() if room is not None:
                await rooms.predict(room, peer, message)
            case to_server.Review() if room is not None and (peer.seat or room.room.challenge):
                await rooms.review(room, peer, message.race)
            case to_server.Chat() if room is not None and peer.name:
                await rooms.spectator_chats(room, peer, message)
            case to_server.Command():
                if room is None or not peer.seat:
                    raise Refused("watching" if peer.name else "not-in-room")
                await rooms.command(room, peer, message)
                if isinstance(message, to_server.AddBot):
                    self._services.bots.add(room.room.code, message.level, self._account.address)

    def _no_room_yet(self) -> None:
        refuse_if(self.room is not None and (self.peer.seat or self.peer.name), "in-room")
