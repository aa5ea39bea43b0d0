"""Moves of the race of a room in this process: they are judged here, and committed. Holds the boards.

The order of work is always: decide against the fold, commit, and only then is it the fold that others see.
"""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

from msgspec.structs import replace

from fortythieves.errors import Refused
from fortythieves.protocol import to_client, to_server
from fortythieves.protocol.wire import encode
from fortythieves_server.core import decide
from fortythieves_server.core.judge_moves import Progress, Track
from fortythieves_server.core.room_state import Race, Room
from fortythieves_server.rooms.broadcast import Known, Line
from fortythieves_server.store.clock import Clock
from fortythieves_server.store.store import Behind, Closed, Entry, Lost, Store, StoreDown, Where

log = logging.getLogger(__name__)

#: A client that missed more moves than this gets its board anew.
RESUME_MOVES = 200


#: What came of a move: the cards that it turned, or why it was not made.
Result = str | Exception


class _Board:
    """A seat's track as this process knows it, None if it has to be read; used by one at a time, in turns."""

    __slots__ = ("_waiting", "taken", "track")

    def __init__(self) -> None:
        self.track: Track | None = None
        #: Whether it is somebody's turn, and who comes next.
        self.taken = False
        self._waiting: tuple[asyncio.Future[None], ...] = ()  # Nearly always nobody, for a thousand seats.

    async def __aenter__(self) -> None:
        if self.taken:
            turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiting += (turn,)
            try:
                await turn
            except asyncio.CancelledError:
                if turn.done() and not turn.cancelled():
                    self.give_back()
                raise
        self.taken = True

    async def __aexit__(self, *_: object) -> None:
        self.give_back()

    def give_back(self) -> None:
        """Let whoever waits longest have the next turn."""
        while self._waiting:
            turn, *rest = self._waiting
            self._waiting = (*rest,)
            if not turn.done():
                turn.set_result(None)
                return
        self.taken = False


class _Made(Entry, eq=False, gc=False):
    """A move that somebody asked for and that was made on a track, which nobody may see until it is on disk."""

    boards: "Boards"
    board: _Board
    line: Line
    request: to_server.Move
    track: Track
    where: Where
    turned: str

    def answered(self, answer: int | Exception) -> None:
        """It is on disk, or will not be."""
        self.boards.committed(self, answer)


class Boards:
    """The boards of one room.

    ``on_move`` is told each seat that has come further, ``on_answer`` what came of a move that a line asked for, of a
    seat and in an epoch; ``soon`` does what nobody waits for.
    """

    def __init__(
        self,
        known: Known,
        progress: dict[int, Progress],
        store: Store,
        clock: Clock,
        on_move: Callable[[int, Progress], None],
        on_answer: Callable[[Line, int, to_server.Move, str, Result], None],
        soon: Callable[[Coroutine[Any, Any, None]], None],
    ) -> None:
        #: How far each seat is that has made a move.
        self.progress = progress
        self._known = known
        self._store = store
        self._clock = clock
        self._on_move = on_move
        self._on_answer = on_answer
        self._soon = soon
        self._boards: defaultdict[int, _Board] = defaultdict(_Board)
        #: The board as it was dealt, by epoch and race.
        self._fresh: tuple[tuple[str, int], bytes] | None = None
        #: Where moves of a race go.
        self._where: tuple[Race, Where] | None = None

    @property
    def _room(self) -> Room:
        return self._known.room

    def start_over(self, progress: dict[int, Progress]) -> None:
        """There is another race, or what was known is not so any more."""
        self.progress = progress
        self._boards.clear()

    def moves_of(self, seat: int) -> int:
        """How many entries a seat's log has, as far as anybody has heard."""
        return self.progress[seat].moves if seat in self.progress else 0

    def length(self, seat: int) -> int:
        """The same, a move included that was made here."""
        track = self._boards[seat].track
        return len(track.entries) if track is not None else self.moves_of(seat)

    def hear(self, number: int, seat: int, progress: Progress) -> bool:
        """Another process has committed a move: whether that is news."""
        if number != self._room.race.number or self.moves_of(seat) >= progress.moves:
            return False
        self._advance(seat, progress)
        return True

    def _advance(self, seat: int, progress: Progress) -> None:
        self.progress[seat] = progress
        self._on_move(seat, progress)

    # --- moves -----------------------------------------------------------------------------------------------

    def move(self, line: Line, request: to_server.Move) -> Awaitable[None] | None:
        """Make a move; whoever asked for it is told what came of it. One that has to wait its turn must be awaited."""
        if self.is_free(line.seat):
            self.move_now(line, request)
            return None
        return self._move_later(line, request)

    def is_free(self, seat: int) -> bool:
        """Whether a move of the seat need not wait: its track is at hand, and it is nobody's turn."""
        board = self._boards.get(seat)
        if board is None or board.taken or board.track is None:
            return False
        progress = self.progress.get(seat)
        return progress is None or len(board.track.entries) >= progress.moves

    def move_now(self, line: Line, request: to_server.Move) -> None:
        """Make a move of a seat that is free. Without a task and a lock for each, this is how nearly all are made."""
        board, seat = self._boards[line.seat], line.seat
        track = board.track
        assert track is not None
        try:
            made = self._make(board, track, line, seat, request)
        except Refused as refused:
            self._on_answer(line, seat, request, self._known.epoch, refused)
            return
        if isinstance(made, str):
            self._on_answer(line, seat, request, self._known.epoch, made)
            return
        board.taken, board.track = True, None
        try:
            self._store.put_move(made.where, made)
        except Exception as error:  # noqa: BLE001 - too much waits already, or a bug: who is told tells them apart.
            board.give_back()
            self._on_answer(line, seat, request, made.where.epoch, error)

    def committed(self, made: _Made, answer: int | Exception) -> None:
        """A move that was made at once is on disk, or will not be."""
        if isinstance(answer, Behind):
            self._soon(self._make_again(made))  # It is still this move's turn.
            return
        try:
            if isinstance(answer, int):
                self._confirm(made, answer)
                self._on_answer(made.line, made.seat, made.request, made.where.epoch, made.turned)
            else:
                self._on_answer(made.line, made.seat, made.request, made.where.epoch, answer)
        finally:
            made.board.give_back()

    async def _make_again(self, made: _Made) -> None:
        try:
            await self._make_and_answer(made.board, made.line, made.seat, made.request, behind=True)
        finally:
            made.board.give_back()

    async def _move_later(self, line: Line, request: to_server.Move) -> None:
        board = self._boards[line.seat]
        async with board:
            await self._make_and_answer(board, line, line.seat, request, behind=False)

    async def _make_and_answer(
        self, board: _Board, line: Line, seat: int, request: to_server.Move, *, behind: bool
    ) -> None:
        epoch = self._known.epoch
        result: Result
        try:
            result = await self._make_and_commit(board, line, seat, request, behind=behind)
        except (Refused, Closed, Lost, StoreDown) as error:
            result = error
        self._on_answer(line, seat, request, epoch, result)

    async def _make_and_commit(
        self, board: _Board, line: Line, seat: int, request: to_server.Move, *, behind: bool
    ) -> str:
        """Make a move, again from the start if the log has moved on in between. In its turn."""
        while True:
            room = self._room
            if request.race != room.race.number or seat not in room.race.racers or room.race.revealing:
                decide.may_move(room, seat, request.race, self._clock.now())
            made = self._make(board, await self._track(board, seat, sure=behind), line, seat, request)
            if isinstance(made, str):
                return made
            board.track = None
            try:
                at = await self._store.move(made.where, made)
            except Behind:
                behind = True
                continue
            self._confirm(made, at)
            return made.turned

    def _make(self, board: _Board, track: Track, line: Line, seat: int, request: to_server.Move) -> _Made | str:
        """Make a move on a track; or the cards that it turned already. Raises `Refused`; then nothing happened."""
        n = len(track.entries)
        room = self._known.room
        # The track is that of the current race: an entry of another race, or with a number of its own, is not in it.
        if 0 <= request.n < n and request.race == room.race.number:
            text, turned = track.entries[request.n]
            if text == request.text:
                return turned  # Said twice: done once, answered twice.
        decide.may_move(room, seat, request.race, self._clock.now())
        if request.n != n:
            raise Refused("out-of-turn", n=request.n, at=n)
        last, text = track.at, request.text
        turned = track.play(text)
        where = self._where_to()
        return _Made(seat, n, last, text, track.progress_ahead, self, board, line, request, track, where, turned)

    def _where_to(self) -> Where:
        """Where moves of this race go."""
        room, epoch = self._known.room, self._known.epoch
        race = room.race
        if self._where is None or self._where[0] is not race or self._where[1].epoch != epoch:
            self._where = race, Where(room.code, epoch, race.number, (race.starts_at or 0, race.ends_at or 0))
        return self._where[1]

    def _confirm(self, made: _Made, at: int) -> None:
        """A move is on disk."""
        track, where = made.track, made.where
        track.confirm(at)
        if self._known.epoch == where.epoch and self._known.room.race.number == where.race:
            made.board.track = track
            self._advance(made.seat, track.progress)

    async def _track(self, board: _Board, seat: int, *, sure: bool) -> Track:
        """The seat's track, as far as anybody has heard; ``sure``: read the log even if nobody has. In its turn."""
        room = self._room
        if board.track is None:
            board.track = _new_track(room.race)
        known = len(board.track.entries)
        if sure or known < self.moves_of(seat):
            board.track.follow(await self._store.moves(room.code, room.race.number, seat, known))
        return board.track

    # --- what is shown ---------------------------------------------------------------------------------------

    async def track(self, number: int, seat: int) -> Track | None:
        """A seat's track, None if there is another race by now. Raises `StoreDown`."""
        board = self._boards[seat]
        async with board:
            if number != self._room.race.number:
                return None
            track = await self._track(board, seat, sure=False)
            return track if number == self._room.race.number else None

    async def show(self, seat: int, line_of: Callable[[int], Line | None]) -> None:
        """Send a racer the board, or the entries that the client has not been told yet. Raises `StoreDown`.

        ``line_of``: whoever is served at the seat by then.
        """
        current = self._room.race
        line = line_of(seat)
        if line is None or seat not in current.racers or not current.has_started(self._clock.now()):
            return
        if line.told is None and not self.moves_of(seat):
            line.send_queue.put(self._fresh_board())
            line.told = 0
            return
        board = self._boards[seat]
        async with board:
            line = line_of(seat)
            if line is None:
                return
            track = await self._track(board, seat, sure=line.told is not None)
            line = line_of(seat)
            if line is not None and current.number == self._room.race.number:
                _tell(line, current.number, track)

    def _fresh_board(self) -> bytes:
        """The board as it was dealt: the same for all, so hundreds who begin together are sent it at once."""
        current = self._room.race
        dealt = self._known.epoch, current.number
        if self._fresh is None or self._fresh[0] != dealt:
            self._fresh = dealt, encode(to_client.OwnBoard(current.number, _new_track(current).start, []))
        return self._fresh[1]

    async def progress_of_logs(self, room: Room) -> dict[int, Progress]:
        """How far everybody is by the move logs alone. Raises `StoreDown`."""
        progress = {}
        for seat in room.race.racers:
            entries = await self._store.moves(room.code, room.race.number, seat)
            if not entries:
                continue
            track = _new_track(room.race)
            try:
                track.follow(entries)
            except Refused:  # Not even this log is whole. It can still be closed.
                log.exception("room %s: the moves of seat %d cannot be folded", room.code, seat)
                track = _new_track(room.race)
            progress[seat] = replace(track.progress, moves=len(entries))
        return progress


def _new_track(race: Race) -> Track:
    return Track(race.game, race.deck, race.settings.undo, race.starts_at or 0)


def _tell(line: Line, number: int, track: Track) -> None:
    entries = track.entries
    if line.told is not None and 0 <= len(entries) - line.told <= RESUME_MOVES:
        for n, (text, turned) in enumerate(entries[line.told :], start=line.told + 1):
            line.tell(to_client.Moved(number, n, text, turned))
    else:
        line.send_big(encode(to_client.OwnBoard(number, track.start, entries)))
    line.told = len(entries)
