"""Moves that are committed together: all that wait at the same time in one race of a room go by one script."""

import logging
import time
from collections.abc import Callable
from functools import cached_property

import msgspec

from fortythieves_server.common.counters import Slowest
from fortythieves_server.common.logs import about
from fortythieves_server.core.judge_moves import Progress
from fortythieves_server.store.group_commit import Commit, Commits
from fortythieves_server.store.redis_errors import Behind, Closed, Lost
from fortythieves_server.store.schema import of_room
from fortythieves_server.store.scripts import Script

log = logging.getLogger(__name__)

#: The most moves in one script, so that nobody else waits long for it.
MOST = 128

_WHY: dict[bytes, Callable[[], Exception]] = {
    b"behind": Behind,
    b"early": lambda: Closed("not-started"),
    b"late": lambda: Closed("over"),
    b"sealed": lambda: Closed("finished"),
    b"lost": Lost,
}


class Where(msgspec.Struct, frozen=True, dict=True):
    """A race of a room, as it was when moves in it were decided; and what is said of it with each of them."""

    code: str
    epoch: str
    race: int
    #: Its start and its end, in ms, the end excluded.
    window: tuple[int, int]

    @cached_property
    def names(self) -> tuple[str, str]:
        """The keys of what all moves change."""
        return of_room(self.code, "meta"), of_room(self.code, "progress", self.race)

    @cached_property
    def logs(self) -> str:
        """What the keys of the seats' logs begin with."""
        return of_room(self.code, "moves", self.race)

    @cached_property
    def channel(self) -> str:
        """On which others hear of moves."""
        return of_room(self.code, "nudge")

    @cached_property
    def words(self) -> str:
        """What the script has to know of it."""
        return f"{self.epoch} {self.window[0]} {self.window[1]} {self.race}"


class Entry(msgspec.Struct, eq=False):
    """A move that is to be appended to a seat's log."""

    seat: int
    #: How many entries the log has before it, and the time of the last of them.
    n: int
    last: int
    text: str
    #: The seat's with this move; a time of 0 in it becomes the move's own.
    progress: Progress

    def answered(self, answer: int | Exception) -> None:
        """Called with the time of the move once it is on disk, or with why it was not made."""
        raise NotImplementedError


class _Batch(Commit, gc=False):
    """The moves of one race that wait. Nothing refers to it once it is answered."""

    of: "MoveBatches"
    where: Where
    began: float
    waiting: list[Entry]

    def answered(self, answer: list[bytes] | Exception) -> None:
        self.of.hand_out(self, answer)


class MoveBatches:
    """Gathers moves.

    ``listeners(channel)``: how many of those whom Redis counts as listening are this process.
    """

    def __init__(self, commits: Commits, script: Script, process: str, listeners: Callable[[str], int]) -> None:
        self._commits = commits
        self._script = script
        self._process = process
        self._listeners = listeners
        #: How long moves took to be on disk, by room.
        self._slowest = Slowest()
        #: By room: what was put there last, whether it is sent already or not.
        self._batches: dict[str, _Batch] = {}

    def put(self, where: Where, entry: Entry) -> None:
        """Make a move together with others; the entry is told of the answer. Raises `StoreDown`."""
        batch = self._batches.get(where.code)
        if batch is None or batch.sent or batch.where != where or len(batch.waiting) >= MOST:
            batch = self._begin(where)
        seat, after = entry.seat, entry.progress
        batch.keys.append(f"{where.logs}:{seat}")
        batch.arguments.append(
            f"{seat} {entry.n} {entry.last} {entry.text}"
            f" {after.moves} {after.home} {after.reached_at} {after.stock} {after.outcome or '-'}"
        )
        batch.waiting.append(entry)

    def slow_rooms(self, count: int) -> list[tuple[str, float]]:
        """The rooms whose moves took longest to be on disk in the last minute or two, and how many seconds that was."""
        return self._slowest.worst(count, time.perf_counter())

    def _begin(self, where: Where) -> _Batch:
        common: list[str | bytes | int] = [where.words, where.channel, self._process, self._listeners(where.channel)]
        batch = _Batch(self._script, [*where.names], common, False, self, where, time.perf_counter(), [])
        self._commits.put(batch)
        self._batches[where.code] = batch
        return batch

    def hand_out(self, batch: _Batch, answer: list[bytes] | Exception) -> None:
        """Tell everybody whose move was in a batch what became of it."""
        code = batch.where.code
        if self._batches.get(code) is batch:
            del self._batches[code]
        if isinstance(answer, Exception) or len(answer) != len(batch.waiting) + 1:
            # No such room, or one of another epoch, is one word for all of them.
            why = answer if isinstance(answer, Exception) else Lost()
            for entry in batch.waiting:
                _tell(code, entry, why)
            return
        now = time.perf_counter()
        self._slowest.add(code, now - batch.began, now)
        at = int(answer[0])
        for entry, said in zip(batch.waiting, answer[1:], strict=True):
            _tell(code, entry, at if not said else _other(said))


def _tell(code: str, entry: Entry, answer: int | Exception) -> None:
    try:
        entry.answered(answer)
    except Exception:  # What goes wrong with one move is no affair of all others.
        log.exception("room %s: the answer to a move failed", code, extra=about(code))


def _other(said: bytes) -> int | Exception:
    """When a move was made already, or why it was not."""
    return _WHY[said]() if said in _WHY else int(said)
