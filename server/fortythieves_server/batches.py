"""Moves that are committed together: all that wait at the same time in one race of a room go by one script."""

import asyncio
import time
from collections.abc import Callable
from typing import NamedTuple

from fortythieves_server.answers import Behind, Closed, Lost
from fortythieves_server.commits import Commit, Commits, settle
from fortythieves_server.counts import Slowest
from fortythieves_server.keys import of_room
from fortythieves_server.scripts import Script
from fortythieves_server.track import Progress

#: The most moves in one script, so that nobody else waits long for it.
MOST = 128

_WHY: dict[bytes, Callable[[], Exception]] = {
    b"behind": Behind,
    b"early": lambda: Closed("not-started"),
    b"late": lambda: Closed("over"),
    b"sealed": lambda: Closed("finished"),
    b"lost": Lost,
}


class Where(NamedTuple):
    """A race of a room, as it was when moves in it were decided."""

    code: str
    epoch: str
    race: int
    #: Its start and its end, in ms, the end excluded.
    window: tuple[int, int]


class Entry(NamedTuple):
    """A move that is to be appended to a seat's log."""

    seat: int
    #: How many entries the log has before it, and the time of the last of them.
    n: int
    last: int
    text: str
    #: The seat's with this move; a time of 0 in it becomes the move's own.
    progress: Progress


class _Batch:
    """The moves of one race that wait."""

    __slots__ = ("began", "commit", "waiting", "where")

    def __init__(self, where: Where, commit: Commit) -> None:
        self.where = where
        self.commit = commit
        self.began = time.perf_counter()
        self.waiting: list[asyncio.Future[int]] = []


class Batches:
    """Gathers moves.

    ``listeners(code)``: how many of those whom Redis counts as listening to a room are this process.
    """

    def __init__(self, commits: Commits, script: Script, process: str, listeners: Callable[[str], int]) -> None:
        self._commits = commits
        self._script = script
        self._process = process
        self._listeners = listeners
        #: How long moves took to be on disk, by room.
        self.slowest = Slowest()
        #: By room: what was put there last, whether it is sent already or not.
        self._batches: dict[str, _Batch] = {}

    async def move(self, where: Where, entry: Entry) -> int:
        """Make a move together with others; see `Store.move`."""
        batch = self._batches.get(where.code)
        if batch is None or batch.commit.sent or batch.where != where or len(batch.waiting) >= MOST:
            batch = self._begin(where)
        seat, n, last, text, progress = entry
        done: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        batch.commit.keys.append(of_room(where.code, "moves", where.race, seat))
        before, after = f"{progress.moves} {progress.home}", f"{progress.stock} {progress.outcome or '-'}"
        batch.commit.arguments += (seat, n, last, text, before, progress.reached_at, after)
        batch.waiting.append(done)
        return await done

    def _begin(self, where: Where) -> _Batch:
        code, epoch, race, window = where
        nudge = f"{self._process} moves {race}"
        names = [of_room(code, "meta"), of_room(code, "progress", race)]
        common: list[str | bytes | int] = [epoch, *window, race, of_room(code, "nudge"), nudge, self._listeners(code)]
        commit = Commit(self._script, names, common, lambda answer: self._hand_out(batch, answer))
        batch = _Batch(where, commit)
        self._commits.put(commit)
        self._batches[code] = batch
        return batch

    def _hand_out(self, batch: _Batch, answer: list[bytes] | Exception) -> None:
        if self._batches.get(batch.where.code) is batch:
            del self._batches[batch.where.code]
        if isinstance(answer, Exception) or len(answer) != len(batch.waiting) + 1:
            # No such room, or one of another epoch, is one word for all of them.
            why = answer if isinstance(answer, Exception) else Lost()
            for done in batch.waiting:
                settle(done, why)
            return
        now = time.perf_counter()
        self.slowest.add(batch.where.code, now - batch.began, now)
        at = int(answer[0])
        for done, said in zip(batch.waiting, answer[1:], strict=True):
            settle(done, _time(at, said))


def _time(at: int, said: bytes) -> int | Exception:
    """When a move was made, or why it was not."""
    if not said:
        return at
    return _WHY[said]() if said in _WHY else int(said)
