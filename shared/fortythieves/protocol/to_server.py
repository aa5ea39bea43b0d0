"""Everything a client may say, one class a message (PROTOCOL.md has an example of each).

On the wire a message is an array: its tag, then its fields in this order.
``c`` is the client's own counter, given back in the answer (`to_client.Ok`, `to_client.Refused`).
"""

from typing import Annotated, Any, Literal

import msgspec

#: Newest version of the protocol, said in `Hello` and answered in `to_client.Welcome`.
VERSION = 2
#: All versions that are spoken here: a new one stands beside the one before it for a release.
SPOKEN = range(1, VERSION + 1)

Text = Annotated[str, msgspec.Meta(max_length=12_000)]
Token = Annotated[str, msgspec.Meta(max_length=300)]
Key = Annotated[str, msgspec.Meta(min_length=1, max_length=32)]
Password = Annotated[str, msgspec.Meta(max_length=100)]
Ticket = Annotated[str, msgspec.Meta(max_length=64)]
Reason = Annotated[str, msgspec.Meta(max_length=200)]
MoveText = Annotated[str, msgspec.Meta(max_length=12)]
#: `\Z` and not `$`, which would let a newline pass at the end.
Nonce = Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{32}\Z")]
#: The SHA-256 of a nonce; "" for none. Clients of version 1 say the nonce itself, which counts as none: the server
#: knows it before others have committed, and could let somebody choose last.
Commitment = Annotated[str, msgspec.Meta(pattern=r"^([0-9a-f]{32}|[0-9a-f]{64})?\Z")]
Count = Annotated[int, msgspec.Meta(ge=0, le=2**53)]


class Said(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """Base of every message to the server."""


class Hello(Said, frozen=True, tag="hello"):
    """The first message: the version spoken, and the guest pass, if there is one."""

    v: int
    token: Token | None = None


class Ping(Said, frozen=True, tag="ping"):
    """Asks for the server's clock; ``t`` comes back as it is."""

    t: float


class Resume(msgspec.Struct, array_like=True, frozen=True):
    """How far a client got before its connection broke: the room's epoch, the race, its own moves."""

    epoch: str
    race: Count
    moves: Count


class Create(Said, frozen=True, tag="create"):
    """Open a room and sit down in it; settings left out have their defaults."""

    c: Count
    name: Text
    settings: dict[str, Any]
    bot: bool = False
    #: A tournament: what is not as in the default plan (`fortythieves.tournament.plan`), and the password, if any.
    plan: dict[str, Any] | None = None
    password: Password = ""


class Join(Said, frozen=True, tag="join"):
    """Sit down in a room, or come back to one's seat in it."""

    c: Count
    code: Annotated[str, msgspec.Meta(max_length=64)]
    name: Text
    resume: Resume | None = None
    bot: bool = False
    #: Of a tournament that asks for one.
    password: Password = ""
    #: Of a line of a tournament's list: what its link has behind the `#`.
    ticket: Ticket = ""


class Watch(Said, frozen=True, tag="watch"):
    """Come into a room as a watcher."""

    c: Count
    code: Annotated[str, msgspec.Meta(max_length=64)]
    name: Text
    #: Of a tournament that asks watchers for it, too.
    password: Password = ""


class Command(Said, frozen=True):
    """Base of what is said by a seat in a room."""

    c: Count


class ChangeSettings(Command, frozen=True, tag="settings"):
    """Host: change some settings; nobody is ready any more."""

    settings: dict[str, Any]


class Ready(Command, frozen=True, tag="ready"):
    """Ready to race, committed to the nonce with this SHA-256 (in hex, or ""): see `Reveal`."""

    commitment: Commitment


class Reveal(Command, frozen=True, tag="reveal"):
    """The countdown has begun: the nonce (16 bytes in hex) that one has committed to. It goes into the deal."""

    nonce: Nonce


class Unready(Command, frozen=True, tag="unready"):
    """Not ready after all."""


class Start(Command, frozen=True, tag="start"):
    """Host: start the countdown for everybody who is here or ready."""


class Lock(Command, frozen=True, tag="lock"):
    """Host: let nobody else in, or do again."""

    locked: bool


class Kick(Command, frozen=True, tag="kick"):
    """Host: remove somebody for good; in a race that is a disqualification."""

    seat: int
    #: Hold new guests of the same address off the room for ten minutes.
    hold: bool = False


class HandOver(Command, frozen=True, tag="host"):
    """Host: make somebody else the host."""

    seat: int


class AddBot(Command, frozen=True, tag="bot"):
    """Host: let a house bot join."""

    level: Annotated[int, msgspec.Meta(ge=1, le=3)]


class Chat(Command, frozen=True, tag="chat"):
    """Say something to the room; the same ``key`` again is not said again."""

    key: Key
    text: Text


class Mute(Command, frozen=True, tag="mute"):
    """Hosts: whoever said this line of the chat says nothing more (``on``), or may again."""

    line: Count
    on: bool


class Remove(Command, frozen=True, tag="remove"):
    """Hosts: remove the watcher who said this line of the chat for good."""

    line: Count
    #: As in `Kick`.
    hold: bool = False


class Rename(Command, frozen=True, tag="rename"):
    """Take another name."""

    name: Text


class GiveUp(Command, frozen=True, tag="give_up"):
    """Give up the race; for ten seconds it can be taken back."""


class TakeBack(Command, frozen=True, tag="take_back"):
    """Go on after all."""


class Rematch(Command, frozen=True, tag="rematch"):
    """After a race: set up the next one with the same people, and be ready for it, as by `Ready`."""

    commitment: Commitment


class Look(Command, frozen=True, tag="look"):
    """Somebody who does not race (any more): show me the boards, or no longer. A watcher is shown them anyhow."""

    on: bool


class Review(Command, frozen=True, tag="review"):
    """Host: what stands out in a race that is over; the answer is `to_client.Reviewed`."""

    race: Count


class Leave(Command, frozen=True, tag="leave"):
    """Leave the room for good; in a race that gives up."""


class Enter(Command, frozen=True, tag="enter"):
    """Tournament: enter it, or come back to it; ``on`` false: withdraw from it."""

    on: bool


class ChangePlan(Command, frozen=True, tag="plan"):
    """Tournament, hosts: change some of the plan."""

    plan: dict[str, Any]
    #: What it may ask for at the door from now on; "": what it was.
    password: Password = ""


class Round(Command, frozen=True, tag="round"):
    """Tournament, hosts: about the round that is next, drawn, on, or was last."""

    do: Literal["start", "pause", "resume", "skip", "replay", "confirm"]
    reason: Reason = ""


class Timer(Command, frozen=True, tag="timer"):
    """Tournament, hosts: when the next round begins (ms by the server's clock), or nil: when a host says so."""

    at: Count | None


class Judge(Command, frozen=True, tag="judge"):
    """Tournament, hosts: disqualify an entrant (``out``), or take it back, for a reason."""

    seat: int
    out: bool
    reason: Reason
    #: As in `Kick`.
    hold: bool = False


class Withdraw(Command, frozen=True, tag="withdraw"):
    """Tournament, hosts: take out an entrant who may come back."""

    seat: int


class ShowList(Command, frozen=True, tag="show_list"):
    """Tournament, hosts: say who holds which line of the list, and by which links lines are claimed."""


class Release(Command, frozen=True, tag="release"):
    """Tournament, hosts: nobody holds this line of the list any more, and its link is another one."""

    name: Annotated[str, msgspec.Meta(max_length=24)]


class CoHost(Command, frozen=True, tag="co_host"):
    """Tournament, host: let somebody do what the host may, or no longer."""

    seat: int
    on: bool


class Move(Said, frozen=True, tag="move"):
    """One entry for one's own log: a move, or "undo".

    ``n`` is how many entries the log has, so the same message twice is applied once and answered twice.
    """

    race: Count
    n: Count
    text: MoveText


Message = (
    Hello
    | Ping
    | Create
    | Join
    | Watch
    | ChangeSettings
    | Ready
    | Reveal
    | Unready
    | Start
    | Lock
    | Kick
    | HandOver
    | AddBot
    | Chat
    | Mute
    | Remove
    | Rename
    | GiveUp
    | TakeBack
    | Rematch
    | Look
    | Review
    | Leave
    | Enter
    | ChangePlan
    | Round
    | Timer
    | Judge
    | Withdraw
    | ShowList
    | Release
    | CoHost
    | Move
)
