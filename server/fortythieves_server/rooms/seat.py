"""The seats of a race in this process: their boards, their logs, and their waiting requests.

The order is always: decide against the current state, commit, and only then show the new state to others.
"""

import asyncio
import logging
from collections.abc import Callable
from functools import partial

from fortythieves.errors import Refused
from fortythieves.protocol import to_client, to_server
from fortythieves.protocol.to_client import Close
from fortythieves.times import Ms
from fortythieves_server.common.logs import about
from fortythieves_server.common.prices import KEPT, KEPT_AT_ONCE
from fortythieves_server.core import decide
from fortythieves_server.core.playthrough import Playthrough, Progress
from fortythieves_server.core.room_state import Race
from fortythieves_server.rooms.board_messages import FreshBoard, new_playthrough, send_entries
from fortythieves_server.rooms.broadcast import Peers
from fortythieves_server.rooms.cached_room import CachedRoom
from fortythieves_server.rooms.fifo_lock import FifoLock
from fortythieves_server.rooms.peer import Peer
from fortythieves_server.store.move_batches import Entry, Where
from fortythieves_server.store.redis_errors import Behind, Closed, Lost, StoreDown
from fortythieves_server.store.store import Store

log = logging.getLogger(__name__)

#: The most waiting requests of one seat. A client that sends more is not read until they are answered. A guess.
WAITING = 32
#: Seconds between two attempts to read while Redis is away.
AGAIN = 1.0

#: The message to a player if the server itself has failed.
BUG = "The server has failed. You did nothing wrong."


class _InFlight(Entry, eq=False, gc=False):
    """A move that was made on a playthrough. Nobody may see it until it is on disk."""

    owner: "Seat"
    peer: Peer
    request: to_server.Move
    playthrough: Playthrough
    where: Where
    turned: str

    def answered(self, answer: Ms | Exception) -> None:
        self.owner.answered(self, answer)


class Seat(FifoLock):
    """One seat: the only way to its board and its log.

    It is held while a move is in flight or the log is being read. Requests that arrive meanwhile wait, and each answer
    starts the next one.
    """

    __slots__ = ("_number", "_playthrough", "_seats")

    def __init__(self, number: int, seats: "Seats") -> None:
        super().__init__()
        self._number = number
        self._seats = seats
        #: The log as far as it was read. None: not read. While a move is in flight, it is the last entry.
        self._playthrough: Playthrough | None = None

    def ask(self, peer: Peer, request: to_server.Move) -> bool:
        """Make a move now or in its turn. The peer gets the answer.

        Returns whether so many requests wait that `answer_waiting` must be called before more are made.
        """
        if not self.held:
            self._decide(peer, request)
            return False
        self.enqueue(partial(self._ask_again, peer, request))
        return self.waiting >= WAITING

    def _ask_again(self, peer: Peer, request: to_server.Move) -> None:
        if not self._seats.cached.gone:
            self._seats.of(self._number).ask(peer, request)  # another race may have another seat of this number by now

    async def answer_waiting(self) -> None:
        """Wait until all requests that wait now are answered."""
        if self.waiting:
            async with self.hold():
                pass

    def _decide(self, peer: Peer, request: to_server.Move) -> None:
        seats, number, playthrough = self._seats, self._number, self._playthrough
        cached = seats.cached
        race, now = cached.room.race, seats.clock.now()
        try:
            if playthrough is None or len(playthrough.entries) < cached.moves_of(number):
                if request.race != race.number or number not in race.racers or race.revealing:
                    decide.check_may_move(cached.room, number, request.race, now)  # before anything is read for it
                self.held = True
                cached.soon(self._read_and_decide(peer, request, sure=False))
                return
            n = len(playthrough.entries)
            if 0 <= request.n < n and request.race == race.number:
                text, turned = playthrough.entries[request.n]
                if text == request.text:  # sent twice: made once, answered twice
                    self._acknowledge(peer, request, turned)
                    return
            decide.check_may_move(cached.room, number, request.race, now)
            if request.n != n:
                raise Refused("out-of-turn", n=request.n, at=n)
            is_charged = n % KEPT_AT_ONCE == 0
            if is_charged and peer.account.pay(KEPT):
                raise Refused("too-fast")
            last, text, where = playthrough.at, request.text, seats.where()
            turned, after = playthrough.play(text)
            if is_charged:
                peer.account.charge("moves", KEPT_AT_ONCE)
            move = _InFlight(number, n, last, text, after, self, peer, request, playthrough, where, turned)
            seats.store.moves.put(where, move)
            self.held = True
        except Refused as refused:
            self._fail(peer, request, cached.epoch, refused)
        except Exception as error:  # noqa: BLE001 - the queue for Redis is full, or a bug; `_fail` distinguishes them
            self._playthrough = None  # the move may be on it
            self._fail(peer, request, cached.epoch, error)

    async def _read_and_decide(self, peer: Peer, request: to_server.Move, *, sure: bool) -> None:
        """Read the rest of the log, then decide. The caller has the turn."""
        try:
            if self._is_current:
                await self._read(sure=sure)
        except Exception as error:  # noqa: BLE001 - as above
            self._fail(peer, request, self._seats.cached.epoch, error)
            self.release()
        else:
            self.held = False
            self._ask_again(peer, request)
            if not self.held:
                self.release()

    def answered(self, move: _InFlight, answer: Ms | Exception) -> None:
        """A move is on disk, or has failed."""
        if isinstance(answer, Behind):  # it is still this move's turn
            self._playthrough = None
            self._seats.cached.soon(self._read_and_decide(move.peer, move.request, sure=True))
            return
        try:
            if isinstance(answer, Ms):
                self._seats.advance(move.where, self._number, move.playthrough.confirm(answer))
                self._acknowledge(move.peer, move.request, move.turned)
            else:
                self._playthrough = None
                self._fail(move.peer, move.request, move.where.epoch, answer)
        finally:
            self.release()

    def _fail(self, peer: Peer, request: to_server.Move, epoch: str, error: Exception) -> None:
        """Tell a peer why a move, decided in ``epoch``, was not made."""
        match error:
            case Refused():
                refused = error
            case Closed(code=code):
                refused = Refused(code)
            case Lost() | StoreDown():
                refused = Refused("store-down")
            case bug:
                code, seat = self._seats.cached.room.code, self._number
                log.error("room %s: a move of seat %d failed", code, seat, exc_info=bug, extra=about(code, seat))
                peer.send_queue.close(Close.BUG, BUG)
                return
        if isinstance(error, Closed | Lost):
            self._seats.on_trouble(error, epoch)
        at = (
            len(self._playthrough.times) if self._playthrough is not None else self._seats.cached.moves_of(self._number)
        )
        peer.send(to_client.Unmoved(request.race, request.n, at, refused.code, str(refused), refused.parameters))

    @property
    def _is_current(self) -> bool:
        """Whether the playthrough belongs to the current race and epoch."""
        return self._seats.of(self._number) is self

    async def playthrough(self, *, sure: bool = False) -> Playthrough | None:
        """The playthrough, with all entries that this process knows of. ``sure``: read the log even if no news arrived.

        Only entries with a time are on disk. None if there is another race by now. Raises `StoreDown`.
        """
        playthrough = self._playthrough
        if sure or playthrough is None or len(playthrough.times) < self._seats.cached.moves_of(self._number):
            async with self.hold():
                if self._is_current:
                    playthrough = await self._read(sure=sure)
        return playthrough if self._is_current else None

    async def _read(self, *, sure: bool) -> Playthrough:
        """Read the rest of the log. The caller has the turn."""
        seats, room, playthrough = self._seats, self._seats.cached.room, self._playthrough
        if playthrough is None:
            playthrough = new_playthrough(room.race)
        known = len(playthrough.entries)
        if sure or known < seats.cached.moves_of(self._number):
            self._playthrough = None  # in case reading fails, or the log does not fit this deal
            playthrough.follow(await seats.store.logs.moves(room.code, room.race.number, self._number, known))
        self._playthrough = playthrough
        return playthrough

    def _acknowledge(self, peer: Peer, request: to_server.Move, turned: str) -> None:
        """Tell the player that a move was made.

        Each connection gets the entries of the log in order and once. Only a repeated request gets a second answer.
        Moves of a replaced connection may still be made while the new connection catches up.
        """
        number = self._seats.cached.room.race.number
        served = self._seats.peers.seated.get(self._number, peer)
        sent = served.entries_sent
        if request.race == number and sent == request.n:
            served.entries_sent = request.n + 1
            served.send(to_client.Moved(number, request.n + 1, request.text, turned))
        elif request.race == number and (sent is None or sent < request.n):
            self._seats.cached.soon(self._send_missed(served, request, turned, asks=served is peer))
        elif served is peer:  # otherwise it already knows, or has been sent the next race
            served.send(to_client.Moved(request.race, request.n + 1, request.text, turned))

    async def _send_missed(self, peer: Peer, request: to_server.Move, turned: str, *, asks: bool) -> None:
        """Send all earlier entries first. A peer that asked and had no board yet is answered after it."""
        had_board = peer.entries_sent is not None
        await self.send_board()
        if asks and not had_board:
            peer.send(to_client.Moved(request.race, request.n + 1, request.text, turned))

    async def send_board(self) -> None:
        """Send the player the board, or the missing entries, as soon as they can be read."""
        seats, number = self._seats, self._number
        while (peer := seats.peers.seated.get(number)) is not None:
            race = seats.cached.room.race
            if number not in race.racers or not race.has_started(seats.clock.now()):
                return
            if peer.entries_sent is None and not seats.cached.moves_of(number):
                peer.send_queue.put(seats.fresh_board.of(seats.cached))
                peer.entries_sent = 0
                return
            try:
                playthrough = await seats.of(number).playthrough(sure=peer.entries_sent is not None)
            except StoreDown:
                await asyncio.sleep(AGAIN)
                continue
            peer = seats.peers.seated.get(number)
            if peer is not None and playthrough is not None:
                send_entries(peer, race.number, playthrough)
            return


class Seats:
    """The seats of the race of one room.

    ``on_finish()`` is called when a seat's race has ended. ``on_trouble(answer, epoch)`` is called when a move, decided
    in ``epoch``, fails because the room is not as this process knows it.
    """

    def __init__(
        self,
        cached: CachedRoom,
        peers: Peers,
        store: Store,
        on_finish: Callable[[], None],
        on_trouble: Callable[[Closed | Lost, str], None],
    ) -> None:
        self.cached = cached
        self.peers = peers
        self.store = store
        self.clock = store.clock
        self.on_trouble = on_trouble
        self._on_finish = on_finish
        self._seats: dict[int, Seat] = {}
        self.fresh_board = FreshBoard()
        #: The arguments for commits of moves in the current race.
        self._where: tuple[Race, Where] | None = None

    def of(self, number: int) -> Seat:
        seat = self._seats.get(number)
        if seat is None:
            seat = self._seats[number] = Seat(number, self)
        return seat

    def ask(self, peer: Peer, request: to_server.Move) -> bool:
        """See `Seat.ask`."""
        return self.of(peer.seat).ask(peer, request)

    def start_over(self, progress: dict[int, Progress]) -> None:
        """Forget all boards: there is another race, or the known state is invalid."""
        self.cached.progress = progress
        self._seats.clear()

    def advance(self, where: Where, number: int, progress: Progress) -> None:
        """A seat has made progress, in some race of some epoch."""
        cached = self.cached
        if cached.gone or cached.epoch != where.epoch or cached.room.race.number != where.race:
            return
        if cached.moves_of(number) > progress.moves:
            return  # another process has made the next move, and its notification came first
        cached.progress[number] = progress
        self.peers.moved(number)
        if progress.outcome:
            self._on_finish()

    def hear(self, race: int, number: int, progress: Progress) -> None:
        """Another process has committed a move, or knows more moves than this one."""
        if race != self.cached.room.race.number or self.cached.moves_of(number) >= progress.moves:
            return
        self.advance(self.where(), number, progress)
        peer = self.peers.seated.get(number)
        if peer is not None and peer.entries_sent is not None:
            self.cached.soon(self.of(number).send_board())  # made in another tab, or before this connection

    def where(self) -> Where:
        """The arguments for commits of moves in this race."""
        room, epoch = self.cached.room, self.cached.epoch
        race = room.race
        if self._where is None or self._where[0] is not race or self._where[1].epoch != epoch:
            self._where = race, Where(room.code, epoch, race.number, (race.starts_at or Ms(0), race.stops_at or Ms(0)))
        return self._where[1]

    async def playthrough(self, race: int, number: int) -> Playthrough | None:
        """A seat's playthrough. None if there is another race by now. Raises `StoreDown`."""
        return await self.of(number).playthrough() if race == self.cached.room.race.number else None
