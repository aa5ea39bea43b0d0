"""The boards of the race that a room is in, as one process knows them: folds over the move logs, kept up to date.

The order of work is always: decide against the fold, commit, and only then is it the fold that others see.
"""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Callable

from fortythieves import to_client, to_server
from fortythieves.errors import Refused
from fortythieves.wire import encode
from fortythieves_server import decide
from fortythieves_server.audience import Known, Line
from fortythieves_server.clock import Clock
from fortythieves_server.race import Race, Room
from fortythieves_server.store import Behind, Entry, Store, Where
from fortythieves_server.track import Progress, Track

log = logging.getLogger(__name__)

#: A client that missed more moves than this gets its board anew.
RESUME_MOVES = 200


class _Board:
    """A seat's track as this process knows it, None if it has to be read; used under its lock."""

    __slots__ = ("lock", "track")

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.track: Track | None = None


class Boards:
    """The boards of one room. ``on_move`` is told each seat that has come further."""

    def __init__(
        self,
        known: Callable[[], Known],
        progress: dict[int, Progress],
        store: Store,
        clock: Clock,
        on_move: Callable[[int, Progress], None],
    ) -> None:
        #: How far each seat is that has made a move.
        self.progress = progress
        self._known = known
        self._store = store
        self._clock = clock
        self._on_move = on_move
        self._boards: defaultdict[int, _Board] = defaultdict(_Board)
        #: The board as it was dealt, by epoch and race.
        self._fresh: tuple[tuple[str, int], bytes] | None = None

    @property
    def _room(self) -> Room:
        return self._known().room

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

    async def move(self, seat: int, request: to_server.Move) -> str:
        """Make a move; returns the cards that it turned. Raises `Refused`, `Closed`, `Lost`, `StoreDown`."""
        board = self._boards[seat]
        async with board.lock:
            behind = False
            while True:
                try:
                    return await self._move(board, seat, request, behind)
                except Behind:
                    behind = True

    async def _move(self, board: _Board, seat: int, request: to_server.Move, behind: bool) -> str:
        current = self._room.race
        if request.race != current.number or seat not in current.racers:
            decide.may_move(self._room, seat, request.race, self._clock.now())
        track = await self._track(board, seat, sure=behind)
        if request.n < len(track.entries):
            text, turned = track.entries[request.n]
            if text == request.text:
                return turned  # Said twice: done once, answered twice.
        decide.may_move(self._room, seat, request.race, self._clock.now())
        if request.n != len(track.entries):
            raise Refused("out-of-turn", n=request.n, at=len(track.entries))
        where = Where(
            self._room.code, self._known().epoch, current.number, (current.starts_at or 0, current.ends_at or 0)
        )
        last = track.at
        turned = track.play(request.text)
        board.track = None  # Until it is on disk nobody sees it.
        at = await self._store.move(where, Entry(seat, request.n, last, request.text, track.progress_ahead))
        track.confirm(at)
        if (self._known().epoch, self._room.race.number) == (where.epoch, where.race):
            board.track = track
            self._advance(seat, track.progress)
        return turned

    async def _track(self, board: _Board, seat: int, *, sure: bool) -> Track:
        """The seat's track, as far as anybody has heard; ``sure``: read the log even if nobody has. Under its lock."""
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
        async with board.lock:
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
            line.outbox.put(self._fresh_board())
            line.told = 0
            return
        board = self._boards[seat]
        async with board.lock:
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
        dealt = self._known().epoch, current.number
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
            progress[seat] = track.progress._replace(moves=len(entries))
        return progress


def _new_track(race: Race) -> Track:
    return Track(race.game, race.deck, race.settings.undo, race.starts_at or 0)


def _tell(line: Line, number: int, track: Track) -> None:
    entries = track.entries
    if line.told is not None and 0 <= len(entries) - line.told <= RESUME_MOVES:
        for n, (text, turned) in enumerate(entries[line.told :], start=line.told + 1):
            line.tell(to_client.Moved(number, n, text, turned))
    else:
        line.tell(to_client.OwnBoard(number, track.start, entries))
    line.told = len(entries)
