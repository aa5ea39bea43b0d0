"""The vocabulary of the room log: what can happen to a room, one class an event.

Nothing happens to a room except by one of these. A log entry is the JSON of an event with the store's
time stamp before it; replaying the log gives the room (`room_state.replay`). Renaming a class or a field
breaks the rooms that are stored, so add, and give what is new a default.
"""

from typing import Literal

import msgspec

from fortythieves.record.promise import Promise
from fortythieves.rules.race_rules import Ending
from fortythieves.rules.settings import Settings
from fortythieves.tournament.plan import Plan

#: Why an entrant is out of a tournament until he enters again.
Why = Literal["left", "no_show", "host"]


class Event(msgspec.Struct, frozen=True, tag_field="event", gc=False):
    """Base of everything that can happen to a room."""


class Revealed(msgspec.Struct, frozen=True):
    """A secret deal that is over and known, for practice: its race (``CODE/N``), secret, and nonces by seat, in hex."""

    deal: str
    secret: str
    nonces: dict[int, str]


class Created(Event, frozen=True, tag="created"):
    """The room is opened, its first race set up with this secret (64 hex digits); ``revealed``: for practice.

    With a ``plan`` it is a tournament; ``password`` is the hash of what is asked at the door, "" if nothing is.
    """

    code: str
    settings: Settings
    secret: str
    revealed: Revealed | None = None
    plan: Plan | None = None
    password: str = ""
    #: The hash of where it was opened from (`Guests.address_hash`), never the address.
    address: str = ""
    #: That the first race is on this secret.
    promise: Promise | None = None


class Joined(Event, frozen=True, tag="joined"):
    """A guest sits down at a seat that nobody had before. ``via`` is the connection, as in `Here`."""

    seat: int
    guest: str
    name: str
    bot: bool
    via: str
    address: str = ""


class Here(Event, frozen=True, tag="here"):
    """The seat is served by the connection ``via`` (process/number); an older one is no longer its.

    ``address`` is a hash of where it comes from, which is another one in every room.
    """

    seat: int
    via: str
    address: str = ""


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
    """The seat is ready, and committed to a nonce by its SHA-256 (64 hex digits, or "" for none).

    ``nonce``: in rooms of servers before there were commitments, the nonce itself (32 hex digits, or ""); else "".
    """

    seat: int
    nonce: str = ""
    commitment: str = ""


class Unreadied(Event, frozen=True, tag="unreadied"):
    """The seat is not ready after all."""

    seat: int


class Hosted(Event, frozen=True, tag="hosted"):
    """The seat is the host now."""

    seat: int
    #: The role was handed over for good; else its holder only stands in until the one comes back whose it is.
    given: bool = False


class Locked(Event, frozen=True, tag="locked"):
    """Nobody else is let in, or again."""

    locked: bool


class Unlisted(Event, frozen=True, tag="unlisted"):
    """An operator has taken the room off the front page, or lets it be listed again."""

    unlisted: bool


class RoomClosed(Event, frozen=True, tag="room_closed"):
    """An operator has closed the room for good: nobody is in it any more, and nobody gets in."""

    reason: str = ""


class Counted(Event, frozen=True, tag="counted"):
    """The countdown begins for these seats; settings are frozen. `Frozen` follows in the same commit.

    Where it does not, a server from before there were commitments counted down: the nonces of `Readied` are frozen.
    """

    racers: tuple[int, ...]


class Frozen(Event, frozen=True, tag="frozen"):
    """What the racers have committed to is frozen and published, by seat; the nonces may be revealed for so many ms.

    An event of its own, so that a server that knows nothing of commitments cannot read the race, nor deal another deck.
    """

    commitments: dict[int, str] = {}
    within: int = 0
    #: Of a race that a server set up which promised nothing yet.
    promise: Promise | None = None


class Contributed(Event, frozen=True, tag="contributed"):
    """The seat has revealed the nonce that it committed to (32 hex digits): it goes into the deal."""

    seat: int
    nonce: str


class Dealt(Event, frozen=True, tag="dealt"):
    """Nobody reveals any more: the nonces of all `Contributed` before this one settle the deck."""


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
    end: Ending
    when: int
    home: int
    moves: int
    reached_at: int


class SetUp(Event, frozen=True, tag="set_up"):
    """The next race is set up with this secret (64 hex digits), which the server has promised."""

    secret: str
    promise: Promise | None = None


class Chatted(Event, frozen=True, tag="chatted"):
    """The seat said something; ``key`` is the client's own name for it. Seat 0: a watcher, who goes by ``name``."""

    seat: int
    key: str
    text: str
    name: str = ""
    #: The watcher, and the hash of where they come from.
    guest: str = ""
    address: str = ""


class Muted(Event, frozen=True, tag="muted"):
    """A host takes the chat away from the one who said a line, or gives it back; ``line``: its number."""

    line: int
    on: bool
    by: int


class Removed(Event, frozen=True, tag="removed"):
    """A host removes the watcher who said a line, for good."""

    line: int
    by: int


class Held(Event, frozen=True, tag="held"):
    """A host holds new guests of an address (its hash) off the room for a while."""

    address: str
    by: int


class Entered(Event, frozen=True, tag="entered"):
    """Tournament: the seat is in, from the next round that is drawn; or in again."""

    seat: int


class Withdrawn(Event, frozen=True, tag="withdrawn"):
    """Tournament: the seat is out until it enters again."""

    seat: int
    why: Why
    #: The host who said so.
    by: int | None = None


class Planned(Event, frozen=True, tag="planned"):
    """Tournament: a host changed the plan; ``password`` is the hash of another one at the door, "" if there is none."""

    plan: Plan
    by: int
    password: str = ""


class Drawn(Event, frozen=True, tag="drawn"):
    """Tournament: the race that is set up is this round's, for these seats. A bye is no race, but a seat that waits.

    ``again``: the round goes on, because some were exactly equal, or is played once more.
    """

    round: int
    seats: tuple[int, ...]
    pairs: tuple[tuple[int, int], ...] = ()
    byes: tuple[int, ...] = ()
    again: bool = False


class Decided(Event, frozen=True, tag="decided"):
    """Tournament: the round is decided, for the time being; ``last``: and with it the tournament."""

    round: int
    last: bool


class Timed(Event, frozen=True, tag="timed"):
    """Tournament: the next round begins at this time (ms); None: when a host says so."""

    at: int | None
    #: The host who said so; None: the clock, because nothing could be drawn.
    by: int | None = None
    #: The round that he starts with it, at once; None: he sets its time.
    round: int | None = None


class Paused(Event, frozen=True, tag="paused"):
    """Tournament: nothing begins any more until it goes on."""

    paused: bool
    by: int


class Skipped(Event, frozen=True, tag="skipped"):
    """Tournament: the round counts for nothing."""

    round: int
    #: The host who said so; None: the clock, because nobody was there to race.
    by: int | None
    reason: str = ""


class Annulled(Event, frozen=True, tag="annulled"):
    """Tournament: what was played of the round does not count; it is played once more, on a new deal."""

    round: int
    by: int
    reason: str = ""


class Confirmed(Event, frozen=True, tag="confirmed"):
    """Tournament: a host confirms the results of the round."""

    round: int
    by: int


class Disqualified(Event, frozen=True, tag="disqualified"):
    """Tournament: a host takes the seat out of it for good."""

    seat: int
    by: int
    reason: str


class Reinstated(Event, frozen=True, tag="reinstated"):
    """Tournament: a host takes a disqualification back."""

    seat: int
    by: int
    reason: str


class LinksDrawn(Event, frozen=True, tag="links_drawn"):
    """Tournament: the links of its list are made of this key (64 hex digits)."""

    key: str


class Released(Event, frozen=True, tag="released"):
    """Tournament: a host frees a line of the list, which gets another link.

    ``seat`` held it, if anybody did, and has another ``name`` now.
    """

    line: str
    seat: int | None
    by: int
    name: str = ""


class CoHosted(Event, frozen=True, tag="co_hosted"):
    """Tournament: the seat may do what the host may, or no longer."""

    seat: int
    on: bool
    by: int


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
    | Unlisted
    | RoomClosed
    | Counted
    | Frozen
    | Contributed
    | Dealt
    | StartedLate
    | GaveUp
    | TookBack
    | Finished
    | SetUp
    | Chatted
    | Muted
    | Removed
    | Held
    | Entered
    | Withdrawn
    | Planned
    | Drawn
    | Decided
    | Timed
    | Paused
    | Skipped
    | Annulled
    | Confirmed
    | Disqualified
    | Reinstated
    | LinksDrawn
    | Released
    | CoHosted
)

encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder(Any).decode
