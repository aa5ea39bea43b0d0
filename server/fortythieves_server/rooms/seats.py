"""The moves of the seats of a room: decided, committed, acknowledged, and sent to clients that missed them.

The order is always: decide against the current state, commit, and only then show the new state to others.
"""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from functools import partial

from fortythieves.errors import Refused
from fortythieves.protocol import to_client, to_server
from fortythieves.protocol.to_client import Close
from fortythieves.protocol.wire import encode
from fortythieves.times import Ms
from fortythieves_server.common.logs import about
from fortythieves_server.common.prices import KEPT, MOVE_BYTES, MOVES_KEPT_AT_ONCE
from fortythieves_server.core import decide
from fortythieves_server.core.playthrough import Playthrough, Progress
from fortythieves_server.core.room_state import Race
from fortythieves_server.rooms.broadcast import Peers
from fortythieves_server.rooms.cached_room import NOW, RETRY_AFTER, CachedRoom, SeatLog, new_playthrough
from fortythieves_server.rooms.peer import Peer
from fortythieves_server.store.move_batches import Made, PendingMove, RaceRef
from fortythieves_server.store.redis_errors import Behind, Closed, Lost, StoreDown

log = logging.getLogger(__name__)

#: The most waiting moves of one seat. A client that sends more is not read until they are answered. A guess.
WAITING = 32
#: A client that missed more moves than this gets its whole board. A guess.
RESUME_MOVES = 200

#: The message to a player if the server itself has failed.
BUG = "The server has failed. You did nothing wrong."


class _InFlight(PendingMove, eq=False, gc=False):
    """A move that is played on the board, and not yet on disk. Until then, only its player may see it."""

    log: SeatLog
    peer: Peer
    request: to_server.Move
    playthrough: Playthrough
    turned: str


class Seats:
    """The seats of the race of one room.

    The log of a seat is locked while one of its moves is in flight. Moves that arrive then wait, and each answer starts
    the next one.
    """

    def __init__(self, cached: CachedRoom, peers: Peers) -> None:
        self._cached = cached
        self._peers = peers
        #: The arguments for commits of moves in the current race.
        self._where: tuple[Race, RaceRef] | None = None
        #: The message with the board as dealt, for an epoch and a race. All racers get the same.
        self._dealt: tuple[str, int, bytes] = "", 0, b""

    def move(self, peer: Peer, request: to_server.Move) -> bool:
        """Make a move now, or after the moves that wait. The peer gets the answer.

        Returns whether so many moves wait that `answer_waiting` must be called before the next one.
        """
        seat = self._cached.seat_log(peer.seat)
        if not seat.locked:
            self._decide(seat, peer, request)
            return False
        seat.enqueue(partial(self._move_at, seat.number, peer, request))
        return seat.waiting >= WAITING

    def _move_at(self, number: int, peer: Peer, request: to_server.Move) -> None:
        if not self._cached.gone:
            seat = self._cached.seat_log(number)  # another race may have begun, with another log
            if seat.locked:
                seat.enqueue(partial(self._move_at, number, peer, request))
            else:
                self._decide(seat, peer, request)

    async def answer_waiting(self, number: int) -> None:
        """Wait until all moves of a seat that wait now are answered."""
        seat = self._cached.seat_log(number)
        if seat.waiting:
            async with seat.acquired():
                pass

    def _decide(self, seat: SeatLog, peer: Peer, request: to_server.Move) -> None:
        cached, number, playthrough = self._cached, seat.number, seat.playthrough
        race, now = cached.room.race, cached.now()
        try:
            if playthrough is None or len(playthrough.entries) < cached.moves_of(number):
                if request.race != race.number or number not in race.racers or race.revealing:
                    decide.check_may_move(cached.room, number, request.race, now)  # before anything is read for it
                seat.locked = True
                cached.run_soon(self._read_and_decide(seat, peer, request, sure=False))
                return
            n = len(playthrough.entries)
            if 0 <= request.n < n and request.race == race.number:
                text, turned = playthrough.entries[request.n]
                if text == request.text:  # sent twice: made once, answered twice
                    self._acknowledge(number, peer, request, turned)
                    return
            decide.check_may_move(cached.room, number, request.race, now)
            if request.n != n:
                if (peer.entries_sent or 0) > n:
                    # During a failover, the board was read from the old master, which had more.
                    peer.send(to_client.Notice("data-lost", str(Refused("data-lost"))))
                    self._peers.welcome(peer)
                    peer.entries_sent = None
                    cached.run_soon(self.send_board(number))
                raise Refused("out-of-turn", n=request.n, at=n)
            is_charged = n % MOVES_KEPT_AT_ONCE == 0
            if is_charged and peer.account.pay(KEPT):
                raise Refused("too-fast")
            held, text, where = playthrough.log_hash, request.text, self._commit_arguments()
            turned, after = playthrough.play(text)
            if is_charged:
                self._charge_moves(peer)
            move = _InFlight(number, n, held, text, after, seat, peer, request, playthrough, turned)
            cached.store.moves.put(where, move, now)
            seat.locked = True
        except Exception as error:  # noqa: BLE001 - `_fail` distinguishes a refusal from a bug
            if isinstance(error, StoreDown) or not isinstance(error, Refused):
                seat.playthrough = None  # the move may be on it
            self._fail(seat, peer, request, cached.epoch, error)

    def _charge_moves(self, peer: Peer) -> None:
        """Charge the next moves of a seat, and count them."""
        memory, size = self._cached.store.memory, MOVE_BYTES * MOVES_KEPT_AT_ONCE
        peer.account.charge("kept", memory.price(size))
        memory.grew(size)

    async def _read_and_decide(self, seat: SeatLog, peer: Peer, request: to_server.Move, *, sure: bool) -> None:
        """Read the rest of the log, then decide. The caller has locked the log."""
        try:
            if seat.is_current:
                await seat.read(sure=sure)
        except Exception as error:  # noqa: BLE001 - as above
            self._fail(seat, peer, request, self._cached.epoch, error)
            seat.release()
        else:
            seat.locked = False
            self._move_at(seat.number, peer, request)
            if not seat.locked:
                seat.release()

    def _answered(self, epoch: str, race: int, moves: Sequence[_InFlight], answers: Sequence[Made | Exception]) -> None:
        """Moves of a race are on disk, or have failed. Their racers see each other's before they are acknowledged."""
        rows = {}
        for move, answer in zip(moves, answers, strict=True):
            if isinstance(answer, Made):
                rows[move.seat] = move.playthrough.confirm(answer.at, answer.log_hash)
        try:
            self._advance(epoch, race, rows)
        finally:
            for move, answer in zip(moves, answers, strict=True):
                try:
                    self._answer(epoch, move, answer)
                except Exception:  # one failing move must not affect the others
                    code, seat = self._cached.room.code, move.seat
                    log.exception(
                        "room %s: the answer to a move of seat %d failed", code, seat, extra=about(code, seat)
                    )

    def _answer(self, epoch: str, move: _InFlight, answer: Made | Exception) -> None:
        seat = move.log
        if isinstance(answer, Behind):  # another process made a move; the log stays locked for this one
            seat.playthrough = None
            self._cached.run_soon(self._read_and_decide(seat, move.peer, move.request, sure=True))
            return
        try:
            if isinstance(answer, Made):
                self._acknowledge(seat.number, move.peer, move.request, move.turned)
            else:
                seat.playthrough = None
                self._fail(seat, move.peer, move.request, epoch, answer)
        finally:
            seat.release()

    def _fail(self, seat: SeatLog, peer: Peer, request: to_server.Move, epoch: str, error: Exception) -> None:
        """Tell a peer why a move, decided in ``epoch``, was not made."""
        cached = self._cached
        match error:
            case Refused() as refused:
                if isinstance(refused, Closed):
                    cached.note_stale()
            case Lost():
                refused = Refused("store-down")
                cached.note_loss(epoch)
            case bug:
                code, number = cached.room.code, seat.number
                log.error("room %s: a move of seat %d failed", code, number, exc_info=bug, extra=about(code, number))
                peer.send_queue.close(Close.BUG, BUG)
                return
        at = len(seat.playthrough.times) if seat.playthrough is not None else cached.moves_of(seat.number)
        peer.send(to_client.Unmoved(request.race, request.n, at, refused.code, str(refused), refused.parameters))

    def _acknowledge(self, number: int, peer: Peer, request: to_server.Move, turned: str) -> None:
        """Acknowledge a move.

        Each connection gets the entries of the log in order and once. Only a repeated request gets a second answer.
        Moves of a replaced connection may still be made while the new connection catches up.
        """
        race = self._cached.room.race.number
        served = self._peers.seated.get(number, peer)
        sent = served.entries_sent
        if request.race == race and sent == request.n:
            served.entries_sent = request.n + 1
            served.send(to_client.Moved(race, request.n + 1, request.text, turned))
        elif request.race == race and (sent is None or sent < request.n):
            self._cached.run_soon(self._send_missed(number, served, request, turned, asks=served is peer))
        elif served is peer:  # otherwise it already has the move, or the next race
            served.send(to_client.Moved(request.race, request.n + 1, request.text, turned))

    async def _send_missed(self, number: int, peer: Peer, request: to_server.Move, turned: str, *, asks: bool) -> None:
        """Send all earlier entries first. A peer that asked and had no board yet is answered after it."""
        had_board = peer.entries_sent is not None
        await self.send_board(number)
        if asks and not had_board:
            peer.send(to_client.Moved(request.race, request.n + 1, request.text, turned))

    # The boards of players

    async def send_board(self, number: int) -> None:
        """Send a player the board, or the missing entries, as soon as they can be read."""
        cached = self._cached
        while (peer := self._peers.seated.get(number)) is not None:
            race = cached.room.race
            if number not in race.racers or not race.has_started(cached.now()):
                return
            if peer.entries_sent is None and not cached.moves_of(number):
                peer.send_queue.put(self._board_as_dealt(race))
                peer.entries_sent = 0
                return
            try:
                playthrough = await cached.seat_log(number).up_to_date(sure=peer.entries_sent is not None)
            except StoreDown:
                await asyncio.sleep(RETRY_AFTER)
                continue
            peer = self._peers.seated.get(number)
            if peer is not None and playthrough is not None:
                _send_entries(peer, race.number, playthrough)
            return

    def _board_as_dealt(self, race: Race) -> bytes:
        """It is encoded once for hundreds of racers that start together."""
        epoch, number, frame = self._dealt
        if (epoch, number) != (self._cached.epoch, race.number):
            frame = encode(to_client.OwnBoard(race.number, new_playthrough(race).start, []))
            self._dealt = self._cached.epoch, race.number, frame
        return frame

    # Progress

    def _advance(self, epoch: str, race: int, rows: Mapping[int, Progress]) -> None:
        """Seats have made progress, in some race of some epoch."""
        cached = self._cached
        if cached.gone or cached.epoch != epoch or cached.room.race.number != race:
            return
        # Another process may have made the next move of a seat, and its notification came first.
        seats = [seat for seat, row in rows.items() if row.moves >= cached.moves_of(seat)]
        if not seats:
            return
        for seat in seats:
            cached.progress[seat] = rows[seat]
            if rows[seat].outcome:
                cached.act_by(NOW)
        self._peers.moved(seats)

    def add_from_elsewhere(self, race: int, number: int, progress: Progress) -> None:
        """Another process has committed a move, or knows more moves than this one."""
        if race != self._cached.room.race.number or self._cached.moves_of(number) >= progress.moves:
            return
        self._advance(self._cached.epoch, race, {number: progress})
        peer = self._peers.seated.get(number)
        if peer is not None and peer.entries_sent is not None:
            self._cached.run_soon(self.send_board(number))  # made in another tab, or before this connection

    def _commit_arguments(self) -> RaceRef:
        """The arguments for commits of moves in this race."""
        room, epoch = self._cached.room, self._cached.epoch
        race = room.race
        if self._where is None or self._where[0] is not race or self._where[1].epoch != epoch:
            times = race.starts_at or Ms(0), race.stops_at or Ms(0)
            answered = partial(self._answered, epoch, race.number)
            self._where = race, RaceRef.of(room.code, epoch, room.n, room.at, race.number, *times, answered)
        return self._where[1]


def _send_entries(peer: Peer, race: int, playthrough: Playthrough) -> None:
    """Send a player the entries on disk that it has not received, or the whole board."""
    on_disk, sent = len(playthrough.times), peer.entries_sent
    if sent is not None and 0 <= on_disk - sent <= RESUME_MOVES:
        for n in range(sent, on_disk):
            peer.send(to_client.Moved(race, n + 1, *playthrough.entries[n]))
    else:
        peer.send_big(encode(to_client.OwnBoard(race, playthrough.start, playthrough.entries[:on_disk])))
    peer.entries_sent = on_disk
