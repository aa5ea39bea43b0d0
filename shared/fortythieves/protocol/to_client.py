"""All messages from the server to a client, one class each. PROTOCOL.md has an example of each.

On the wire, a message is an array: its tag, then its fields in this order.
"""

from collections.abc import Mapping, Sequence
from functools import reduce
from operator import or_
from typing import Any

import msgspec

from fortythieves.times import Ms


class Message(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """Base of every message to a client."""


class Welcome(Message, frozen=True, tag="welcome"):
    """The answer to hello: protocol version, a fresh guest token, the server's clock (ms), its software version.

    ``several``: several processes may serve rooms, each those that are named in the addresses of its connections.
    """

    v: int
    token: str
    now: Ms
    software: str
    several: bool = False


class Pong(Message, frozen=True, tag="pong"):
    """The answer to ping: the client's number, and the clock of the room, or else of the server (ms)."""

    t: float
    now: Ms


class Ok(Message, frozen=True, tag="ok"):
    """Command ``c`` was carried out, and is on disk."""

    c: int


class Refused(Message, frozen=True, tag="refused"):
    """Command ``c`` was understood but is not allowed. Nothing happened.

    ``message`` is the sentence in English, and ``parameters`` are for other languages (`errors.Refused`).
    """

    c: int
    code: str
    message: str
    parameters: Mapping[str, int | str] = {}


class RoomState(Message, frozen=True, tag="room"):
    """The whole room: its epoch, the length of its log, the receiver's seat, the public view, and its clock (ms)."""

    epoch: str
    n: int
    seat: int
    view: dict[str, Any]
    now: Ms


class Patch(Message, frozen=True, tag="patch"):
    """A change of the view, as a JSON merge patch (RFC 7396). The log now has ``n`` events. ``now``: as above."""

    n: int
    patch: dict[str, Any]
    now: Ms


class OwnBoard(Message, frozen=True, tag="board"):
    """The player's own board: the columns as dealt, and every move with the cards that it revealed."""

    race: int
    start: Sequence[str]
    moves: Sequence[tuple[str, str]]


class Moved(Message, frozen=True, tag="moved"):
    """An entry of the player's own log is on disk. The log now has ``n`` entries. ``turned``: the revealed cards."""

    race: int
    n: int
    text: str
    turned: str


class Unmoved(Message, frozen=True, tag="unmoved"):
    """The move sent as number ``n`` was refused. The log has ``at`` entries; the client drops its pending moves."""

    race: int
    n: int
    at: int
    code: str
    message: str
    parameters: Mapping[str, int | str] = {}


class ProgressRows(Message, frozen=True, tag="progress"):
    """Progress of the racers with new progress: seat, moves, cards home, cards in the stock."""

    race: int
    rows: Sequence[tuple[int, int, int, int]]


class Gallery(Message, frozen=True, tag="gallery"):
    """All that a spectator may see now: the columns as dealt (null: not yet), and entries of each seat's log.

    ``policy`` decides the visible part: ``watch`` and ``delay`` of the settings, or ``over`` after the race.
    """

    race: int
    policy: str
    start: Sequence[str] | None
    logs: Sequence[tuple[int, Sequence[tuple[str, str]]]]


class Shown(Message, frozen=True, tag="shown"):
    """More of the boards: the seat, how many entries were already shown, and the next ones. Never skipped."""

    race: int
    logs: Sequence[tuple[int, int, Sequence[tuple[str, str]]]]


class Hidden(Message, frozen=True, tag="hidden"):
    """Why no more is shown: how many stock cards all active racers have drawn. Only the latest counts."""

    race: int
    stock: int


class History(Message, frozen=True, tag="history"):
    """How the race went so far: by seat, the ms since the start and the cards home since then. Leaders only."""

    race: int
    rows: Sequence[tuple[int, Sequence[tuple[Ms, int]]]]


#: The name, its seat (nil: none), and the part of its link after the `#`.
ListRow = tuple[str, int | None, str, str]


class EntryList(Message, frozen=True, tag="entry_list"):
    """The entry list of a tournament, for a host that asked for it."""

    rows: Sequence[ListRow]


class Watchers(Message, frozen=True, tag="watchers"):
    """The number of spectators. Only the latest counts."""

    count: int


class Reactions(Message, frozen=True, tag="reactions"):
    """How many of each of the signs (`to_server.SIGNS`) came just now, and those of racers: the seat, and which sign.
    Some may be missing.
    """

    counts: Sequence[int]
    racers: Sequence[tuple[int, int]] = ()


class Reviewed(Message, frozen=True, tag="reviewed"):
    """For the host only: groups of seats that shared an address, and seats that drew through the stock before they
    moved more than a few cards.
    """

    race: int
    shared: Sequence[Sequence[int]]
    only_drew: Sequence[int]


class Challenged(Message, frozen=True, tag="challenged"):
    """A challenge or a circle was opened: its room."""

    code: str


class OwnTry(Message, frozen=True, tag="own_try"):
    """The receiver's try of a challenge: its number and its room; once it has a result, its place, if it has one.

    In a circle: the receiver's number as a member, 0 for none, and "". In a room whose races count in a circle, only to
    its members: the number, and the room of the circle.
    """

    number: int
    code: str
    place: int | None


class Notice(Message, frozen=True, tag="notice"):
    """Something to tell the player. No answer is expected."""

    code: str
    message: str


#: All of them, in this order, and the type of any one of them.
MESSAGES: tuple[type[Message], ...] = tuple(
    kind
    for kind in [*vars().values()]
    if isinstance(kind, type) and issubclass(kind, Message) and kind.__struct_config__.tag
)
ANY = reduce(or_, MESSAGES)


class Close:
    """The WebSocket close codes with which the server closes a connection."""

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
