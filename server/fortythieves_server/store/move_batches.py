"""Moves that are committed together: all waiting moves of one race are sent by one script."""

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from fortythieves.times import Ms
from fortythieves_server.common.counters import Slowest
from fortythieves_server.common.logs import about
from fortythieves_server.core.playthrough import Progress
from fortythieves_server.store.group_commit import Commit, GroupCommit
from fortythieves_server.store.redis_errors import Behind, Closed, Lost
from fortythieves_server.store.schema import of_room, row_of
from fortythieves_server.store.scripts import Script

log = logging.getLogger(__name__)

#: The most moves in one script, so that other commits do not wait long. A guess.
MOST = 128

_WHY: dict[bytes, Callable[[], Exception]] = {
    b"behind": Behind,
    b"early": lambda: Closed("not-started"),
    b"late": lambda: Closed("over"),
    b"sealed": lambda: Closed("finished"),
    b"lost": Lost,
}
#: The answers if the room is missing or has another epoch.
_NO_ROOM = ([b"gone"], [b"epoch"])


class Made(msgspec.Struct, frozen=True, gc=False):
    """A move that is on disk: its time, and the hash of the log with it."""

    at: Ms
    log_hash: str


#: Called with moves, and for each with `Made` once it is on disk, or with an exception.
Answered = Callable[[Sequence[Any], Sequence[Made | Exception]], None]


class RaceRef(msgspec.Struct, frozen=True):
    """The race in which moves were decided, and the keys of its logs."""

    code: str
    epoch: str
    race: int
    #: The keys that every move needs, the prefix of the keys of the seats' logs, and the channel of the room.
    keys: tuple[str, str, str]
    logs: str
    channel: str
    #: The beginning of the script's first argument.
    argument: str
    answered: Answered

    @classmethod
    def of(
        cls, code: str, epoch: str, n: int, at: Ms, race: int, starts_at: Ms, ends_at: Ms, answered: Answered
    ) -> "RaceRef":
        """The race in a room's log of ``n`` events, the last one at ``at``. ``ends_at``: no moves from then on."""
        keys = of_room(code, "meta"), of_room(code, "progress", race), of_room(code, "log")
        channel = of_room(code, "notify")
        argument = f"{epoch} {starts_at} {ends_at} {race} {n} {at} {channel}"
        return cls(code, epoch, race, keys, of_room(code, "moves", race), channel, argument, answered)


class PendingMove(msgspec.Struct, eq=False):
    """A move to append to a seat's log."""

    seat: int
    #: The length of the log before it, and the hash of that log (`playthrough.extended`).
    n: int
    log_hash: str
    text: str
    #: The seat's progress after this move. A time of 0 means the time of the move.
    progress: Progress


class _Batch(Commit, gc=False):
    """The waiting moves of one race. Nothing refers to it after its answer."""

    of: "MoveBatches"
    race: RaceRef
    now: Ms
    began: float
    waiting: list[PendingMove]

    @property
    def moves(self) -> int:
        return len(self.waiting)

    def arguments_now(self) -> list[str | bytes | int]:
        return [self.of.common_argument(self), *self.arguments]

    def answered(self, answer: list[bytes] | Exception) -> None:
        self.of.deliver(self, answer)


@dataclass(slots=True, eq=False)
class MoveBatches:
    """Collects moves."""

    _commits: GroupCommit
    _script: Script
    _process: str
    #: How many subscribers of a channel that Redis counts belong to this process.
    _own_subscribers: Callable[[str], int]
    #: The seconds until moves were on disk, by room.
    _slowest: Slowest = field(default_factory=Slowest, init=False)
    #: The latest batch of each room, sent or not.
    _batches: dict[str, _Batch] = field(default_factory=dict, init=False)

    def put(self, race: RaceRef, move: PendingMove, now: Ms) -> None:
        """Commit a move together with others. The race gets the answers. ``now``: the time of the room. Raises
        `StoreDown`.
        """
        batch = self._batches.get(race.code)
        if batch is None or batch.sent or batch.race != race or len(batch.waiting) >= MOST:
            batch = self._begin(race, now)
        seat = move.seat
        batch.keys.append(f"{race.logs}:{seat}")
        batch.arguments.append(f"{seat} {move.n} {move.log_hash} {move.text} {row_of(move.progress)}")
        batch.waiting.append(move)

    def slow_rooms(self, count: int) -> list[tuple[str, float]]:
        """The rooms with the slowest moves in the last minute or two, and the seconds until these were on disk."""
        return self._slowest.worst(count, time.perf_counter())

    def _begin(self, race: RaceRef, now: Ms) -> _Batch:
        batch = _Batch(self._script, [*race.keys], [], False, False, self, race, now, time.perf_counter(), [])
        self._commits.put(batch)
        self._batches[race.code] = batch
        return batch

    def common_argument(self, batch: _Batch) -> str:
        """The first argument. The subscription may have moved after a batch was sent, so then all others count."""
        listeners: str | int = "later"
        if not self._commits.waits_for_replicas:
            own = self._own_subscribers(batch.race.channel)
            listeners = min(own, 0) if batch.sent else own
        return f"{batch.race.argument} {batch.now} {self._process} {listeners}"

    def deliver(self, batch: _Batch, answer: list[bytes] | Exception) -> None:
        code = batch.race.code
        if self._batches.get(code) is batch:
            del self._batches[code]
        answers: list[Made | Exception]
        if isinstance(answer, Exception) or answer in _NO_ROOM:
            answers = [answer if isinstance(answer, Exception) else Lost()] * len(batch.waiting)
        else:
            now = time.perf_counter()
            self._slowest.add(code, now - batch.began, now)
            if self._commits.waits_for_replicas:  # now they have these moves
                self._commits.publish(batch.race.channel, answer.pop())
            answers = [_WHY[word]() if word in _WHY else _made(word) for word in answer]
        try:
            batch.race.answered(batch.waiting, answers)
        except Exception:  # one failing room must not affect the others
            log.exception("room %s: the answers to moves failed", code, extra=about(code))


def _made(word: bytes) -> Made:
    at, log_hash = word.split(b" ")
    return Made(Ms(at), log_hash.decode())
