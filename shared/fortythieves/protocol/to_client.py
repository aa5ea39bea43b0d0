"""Everything the server may say, one class a message (PROTOCOL.md has an example of each).

On the wire a message is an array: its tag, then its fields in this order.
"""

from collections.abc import Sequence
from typing import Any

import msgspec


class Said(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """Base of every message to a client."""


class Welcome(Said, frozen=True, tag="welcome"):
    """Answer to hello: the version, a fresh guest pass, the server's clock (ms), its software version."""

    v: int
    token: str
    now: int
    software: str


class Pong(Said, frozen=True, tag="pong"):
    """Answer to ping: what was sent, and the server's clock (ms)."""

    t: float
    now: int


class Ok(Said, frozen=True, tag="ok"):
    """Command ``c`` was carried out (and is on disk)."""

    c: int


class Refused(Said, frozen=True, tag="refused"):
    """Command ``c`` was understood and not allowed; nothing happened."""

    c: int
    code: str
    message: str


class RoomState(Said, frozen=True, tag="room"):
    """The whole room: its epoch, how many events its log has, the receiver's seat, the public view."""

    epoch: str
    n: int
    seat: int
    view: dict[str, Any]


class Patch(Said, frozen=True, tag="patch"):
    """What changed in the view, as a JSON merge patch (RFC 7396); ``n`` events are in the log now."""

    n: int
    patch: dict[str, Any]


class OwnBoard(Said, frozen=True, tag="board"):
    """One's own board: the columns as dealt, and every move with the cards it turned."""

    race: int
    start: Sequence[str]
    moves: Sequence[tuple[str, str]]


class Moved(Said, frozen=True, tag="moved"):
    """An entry of one's own log is on disk; ``n`` entries are there now. ``turned``: the cards it turned up."""

    race: int
    n: int
    text: str
    turned: str


class Unmoved(Said, frozen=True, tag="unmoved"):
    """The move sent as number ``n`` was refused; the log has ``at`` entries: drop what is pending."""

    race: int
    n: int
    at: int
    code: str
    message: str


class ProgressRows(Said, frozen=True, tag="progress"):
    """How far the racers are, only what changed: seat, moves, cards home, cards in the stock."""

    race: int
    rows: Sequence[tuple[int, int, int, int]]


class Gallery(Said, frozen=True, tag="gallery"):
    """All that may be seen of the boards now: the columns as dealt (null: not yet), and of each seat's log the entries.

    ``policy`` is what decides that: ``watch`` and ``delay`` of the settings, or ``over`` after the race.
    """

    race: int
    policy: str
    start: Sequence[str] | None
    logs: Sequence[tuple[int, Sequence[tuple[str, str]]]]


class Shown(Said, frozen=True, tag="shown"):
    """More of the boards: seat, how many of its entries were shown before, and the next ones. Never skipped."""

    race: int
    logs: Sequence[tuple[int, int, Sequence[tuple[str, str]]]]


class Hidden(Said, frozen=True, tag="hidden"):
    """Why not more of the boards is shown: up to which move and which card of the stock. Only the latest counts."""

    race: int
    moves: int
    stock: int


#: The name, the seat that holds it (nil: nobody), and what its link has behind the `#`.
ListRow = tuple[str, int | None, str]


class EntryList(Said, frozen=True, tag="entry_list"):
    """For hosts who asked: the list of a tournament."""

    rows: Sequence[ListRow]


class Watchers(Said, frozen=True, tag="watchers"):
    """How many people watch. Only the latest counts."""

    count: int


class Reviewed(Said, frozen=True, tag="reviewed"):
    """To the host alone: seats that shared an address, in groups, and those that drew through the stock and hardly
    moved a card before.
    """

    race: int
    shared: Sequence[Sequence[int]]
    only_drew: Sequence[int]


class Notice(Said, frozen=True, tag="notice"):
    """Something to tell the person; no answer is owed."""

    code: str
    message: str


Message = (
    Welcome
    | Pong
    | Ok
    | Refused
    | RoomState
    | Patch
    | OwnBoard
    | Moved
    | Unmoved
    | ProgressRows
    | Gallery
    | Shown
    | Hidden
    | EntryList
    | Watchers
    | Reviewed
    | Notice
)


class Close:
    """Why the server closes a connection (WebSocket close codes)."""

    GOING_AWAY = 1012
    BUG = 1011
    TOO_BIG = 1009
    INVALID = 4000
    TAKEN_OVER = 4001
    KICKED = 4002
    BAD_TOKEN = 4003
    ROOM_GONE = 4004
    BAD_VERSION = 4005
    TOO_SLOW = 4008
    TOO_FAST = 4009
