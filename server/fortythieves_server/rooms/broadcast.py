"""The connections of one room in this process, and what is sent to them: events, progress, chat.

Two kinds of news. *Exact*: what changed in the view, numbered by the events of the room's log. *Convergent*: how far
the racers are; only the latest matters, so it goes out once a tick, in one frame for all.
"""

from collections.abc import Callable, Iterator, Mapping
from hashlib import blake2b
from typing import Protocol, cast

import msgspec

from fortythieves.protocol import to_client
from fortythieves.protocol.wire import encode
from fortythieves_server.common.counters import Counters
from fortythieves_server.common.prices import Account
from fortythieves_server.core import views
from fortythieves_server.core.judge_moves import Progress
from fortythieves_server.core.room_state import Room
from fortythieves_server.rooms.pacing import Pacing
from fortythieves_server.rooms.send_queue import SendQueue

#: More people than this are a crowd, which is told of events once a tick, too, of several at once.
CROWD = 40
#: Bytes of a view that is kept as it was encoded, also for a few: that of a tournament has a hundred thousand.
BIG = 8192


class Line:
    """One client's connection, as its room sees it."""

    __slots__ = ("account", "address", "counts", "guest", "n", "name", "seat", "send_queue", "told", "via", "view")

    def __init__(
        self, via: str, send_queue: SendQueue, counts: Counters, address: str = "", account: Account | None = None
    ) -> None:
        self.via = via
        #: The hash of where it comes from (`Guests.address_hash`).
        self.address = address
        self.send_queue = send_queue
        self.counts = counts
        #: Who pays for what is big.
        self.account = account
        #: 0: none, or a watcher, who goes by ``name``.
        self.seat = 0
        self.name = ""
        self.guest = ""
        #: How many entries of its own log the client has; None before it has its board.
        self.told: int | None = None
        #: The view that the client has, and after how many events.
        self.view: views.View = {}
        self.n = 0

    def address_in(self, code: str) -> str:
        """The hash of where it comes from, for one room: what two rooms know of their guests cannot be put together."""
        return blake2b(self.address.encode(), key=code.encode(), digest_size=8).hexdigest() if self.address else ""

    def tell(self, message: to_client.Said) -> None:
        """Queue a message that is for this client alone."""
        match message:
            case to_client.Moved():
                self.counts.moves += 1
            case to_client.Unmoved(code=code) | to_client.Refused(code=code):
                self.counts.refused[code] += 1
        self.send_queue.put(encode(message))

    def send_big(self, frame: bytes) -> None:
        """Queue a frame that may be big, and charge it to the address of this client."""
        self.charge(0.0, frame)
        self.send_queue.put(frame)

    def charge(self, seconds: float, frame: bytes) -> None:
        """Charge a frame that took so long to be made to the address of this client."""
        if self.account is not None:
            self.account.charge("bytes", len(frame))
            self.account.charge_work(seconds)


class Known(Protocol):
    """What this process knows of a room, at any time."""

    room: Room
    epoch: str

    @property
    def progress(self) -> Mapping[int, Progress]:
        """How far each seat is that has made a move."""


class Audience:
    """The lines of one room.

    ``on_tick`` is called whenever it is told how far the racers are.
    """

    def __init__(self, known: Known, on_tick: Callable[[], None], pacing: Pacing) -> None:
        #: By seat.
        self.lines: dict[int, Line] = {}
        self.watchers: set[Line] = set()
        self._known = known
        self._on_tick = on_tick
        self._pacing = pacing
        self._camera = views.Views()
        self._views = self._camera.of(known.room)
        #: The views as they are sent, and the progress of all: made once for all who come before the next change.
        self._encoded: dict[bool, tuple[views.View, msgspec.Raw]] = {}
        self._all_progress: bytes | None = None
        self._watchers_told = 0
        #: Who has come further, and whether there are events, that everybody is told of soon.
        self._moved: set[int] = set()
        self._has_events = False

    def __len__(self) -> int:
        return len(self.lines) + len(self.watchers)

    def everybody(self) -> Iterator[Line]:
        """Who sits at a seat, and who watches."""
        yield from self.lines.values()
        yield from self.watchers

    # --- one who comes ---------------------------------------------------------------------------------------

    def welcome(self, line: Line) -> None:
        """Tell somebody who has just come, or has to forget what was, all that may be known."""
        known = self._known
        racing = known.room.race.is_racing(line.seat)
        line.view, line.n = self._views[racing], known.room.n
        line.send_big(encode(to_client.RoomState(known.epoch, known.room.n, line.seat, self._encoded_view(racing))))
        if line in self.watchers:
            line.tell(to_client.Watchers(self._watchers_told))
        if known.progress and not views.is_blind(known.room):
            line.send_big(self._progress_of_all())

    def _encoded_view(self, racing: bool) -> views.View:
        """A view of which a message is made without writing it down anew."""
        view = self._views[racing]
        known = self._encoded.get(racing)
        if known is not None and known[0] is view:
            return cast("views.View", known[1])
        encoded = msgspec.Raw(msgspec.msgpack.encode(view))
        if len(self) > CROWD or len(encoded) > BIG:  # Else it is not worth being kept.
            self._encoded[racing] = view, encoded
        return cast("views.View", encoded)

    def _progress_of_all(self) -> bytes:
        if self._all_progress is None:
            self._all_progress = _progress_frame(self._known, self._known.progress)
        return self._all_progress

    # --- everybody -------------------------------------------------------------------------------------------

    def tell(self, message: to_client.Said) -> None:
        """Queue a message for everybody."""
        frame = encode(message)
        for line in self.everybody():
            line.send_queue.put(frame)

    def tell_watchers(self, count: int) -> None:
        """Tell how many people watch, if that has changed."""
        if count != self._watchers_told:
            self._watchers_told = count
            self.tell(to_client.Watchers(count))

    def room_changed(self) -> None:
        """Tell what changed: at once, or in a crowd after a moment, with whatever else happens in it."""
        self._all_progress = None  # There may be another race.
        self._views = self._camera.of(self._known.room)
        if self._has_events:
            return
        if len(self) <= CROWD:
            self._send_patches()
        else:
            self._has_events = True
            self._pacing.soon(len(self), self._send_patches)

    def _send_patches(self) -> None:
        self._has_events = False
        known = self._known
        frames: dict[tuple[int, bool], bytes] = {}
        for line in self.everybody():
            if line.n == known.room.n:
                continue  # Who has just come in knows it all.
            # Those who race and those who do not see different chat.
            racing = known.room.race.is_racing(line.seat)
            key = id(line.view), racing
            if key not in frames:
                frames[key] = encode(to_client.Patch(known.room.n, views.merge_patch(line.view, self._views[racing])))
            line.view, line.n = self._views[racing], known.room.n
            line.send_queue.put(frames[key])

    def moved(self, seat: int) -> None:
        """Tell how far a seat is now, soon."""
        self._all_progress = None
        if not self._moved:
            self._pacing.soon(len(self), self._send_progress)
        self._moved.add(seat)

    def _send_progress(self) -> None:
        known = self._known
        moved = {seat: known.progress[seat] for seat in self._moved if seat in known.progress}
        self._moved.clear()
        if not moved or views.is_blind(known.room):
            return
        self._on_tick()
        frame = _progress_frame(known, moved)
        # Who alone has moved knows it all from his own board: in a room of four, one write of five.
        alone = self.lines.get(next(iter(moved))) if len(moved) == 1 else None
        for line in self.everybody():
            if line is not alone:
                line.send_queue.put_latest(frame, self._progress_of_all)

    def start_over(self) -> None:
        """What was known is not so any more: forget it. Everybody has to be welcomed again."""
        self._all_progress = None
        self._views = self._camera.of(self._known.room)
        self._moved.clear()

    # --- one who goes ----------------------------------------------------------------------------------------

    def leave(self, line: Line) -> None:
        """A line is closed."""
        self.watchers.discard(line)
        if self.lines.get(line.seat) is line:
            del self.lines[line.seat]

    def close(self, code: int, reason: str) -> None:
        """Close all lines."""
        for line in self.everybody():
            line.send_queue.close(code, reason)
        self.lines.clear()
        self.watchers.clear()
        self._moved.clear()


def _progress_frame(known: Known, progress: Mapping[int, Progress]) -> bytes:
    rows = [(seat, row.moves, row.home, row.stock) for seat, row in progress.items()]
    return encode(to_client.ProgressRows(known.room.race.number, rows))
