"""The vocabulary of the room log: what can happen to a room, one class an event.

Nothing happens to a room except by one of these. A log entry is the JSON of an event with the store's
time stamp before it; replaying the log gives the room (`race.replay`). Renaming a class or a field
breaks the rooms that are stored, so add, and give what is new a default.
"""

from typing import Literal

import msgspec

from fortythieves.settings import Settings

End = Literal["solved", "stuck", "gave_up", "timed_out", "did_not_start", "disqualified"]


class Event(msgspec.Struct, frozen=True, tag_field="event"):
    """Base of everything that can happen to a room."""


class Revealed(msgspec.Struct, frozen=True):
    """A secret deal that is over and known, for practice: its race (``CODE/N``), secret, and nonces by seat, in hex."""

    deal: str
    secret: str
    nonces: dict[int, str]


class Created(Event, frozen=True, tag="created"):
    """The room is opened, its first race set up with this secret (64 hex digits); ``revealed``: for practice."""

    code: str
    settings: Settings
    secret: str
    revealed: Revealed | None = None


class Joined(Event, frozen=True, tag="joined"):
    """A guest sits down at a seat that nobody had before. ``via`` is the connection, as in `Here`."""

    seat: int
    guest: str
    name: str
    bot: bool
    via: str


class Here(Event, frozen=True, tag="here"):
    """The seat is served by the connection ``via`` (process/number); an older one is no longer its."""

    seat: int
    via: str


class Away(Event, frozen=True, tag="away"):
    """The seat's connection is gone."""

    seat: int


class Left(Event, frozen=True, tag="left"):
    """The person is gone for good; ``kicked`` if the host said so."""

    seat: int
    kicked: bool = False


class Renamed(Event, frozen=True, tag="renamed"):
    """The person at the seat has another name."""

    seat: int
    name: str


class Changed(Event, frozen=True, tag="changed"):
    """The host changed the settings: nobody is ready any more."""

    settings: Settings


class Readied(Event, frozen=True, tag="readied"):
    """The seat is ready; its nonce (32 hex digits, or "") goes into the deal."""

    seat: int
    nonce: str


class Unreadied(Event, frozen=True, tag="unreadied"):
    """The seat is not ready after all."""

    seat: int


class Hosted(Event, frozen=True, tag="hosted"):
    """The seat is the host now."""

    seat: int


class Locked(Event, frozen=True, tag="locked"):
    """Nobody else is let in, or again."""

    locked: bool


class Counted(Event, frozen=True, tag="counted"):
    """The countdown begins for these seats; settings and nonces are frozen."""

    racers: tuple[int, ...]


class StartedLate(Event, frozen=True, tag="started_late"):
    """The seat joins the running race, the clock running."""

    seat: int


class GaveUp(Event, frozen=True, tag="gave_up"):
    """The seat gives up; it can be taken back for a while."""

    seat: int


class TookBack(Event, frozen=True, tag="took_back"):
    """The seat goes on after all."""

    seat: int


class Finished(Event, frozen=True, tag="finished"):
    """The seat's race is over, and its move log sealed at ``moves`` entries.

    ``when`` is when it happened, in ms: the time of the last move of one who solved it.
    ``home`` cards were home since ``reached_at``.
    """

    seat: int
    end: End
    when: int
    home: int
    moves: int
    reached_at: int


class SetUp(Event, frozen=True, tag="set_up"):
    """The next race is set up with this secret (64 hex digits)."""

    secret: str


class Chatted(Event, frozen=True, tag="chatted"):
    """The seat said something; ``key`` is the client's own name for it. Seat 0: a watcher, who goes by ``name``."""

    seat: int
    key: str
    text: str
    name: str = ""


Any = (
    Created
    | Joined
    | Here
    | Away
    | Left
    | Renamed
    | Changed
    | Readied
    | Unreadied
    | Hosted
    | Locked
    | Counted
    | StartedLate
    | GaveUp
    | TookBack
    | Finished
    | SetUp
    | Chatted
)

encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder(Any).decode
