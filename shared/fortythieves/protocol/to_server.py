"""All messages from a client to the server, one class each. PROTOCOL.md has an example of each.

On the wire, a message is an array: its tag, then its fields in this order.
``c`` is the client's own counter. The answer repeats it (`to_client.Ok`, `to_client.Refused`).
"""

from functools import reduce
from operator import or_
from typing import Annotated, Any, Literal, get_args

import msgspec

from fortythieves.times import Ms

#: The version of the protocol, in `Hello` and in `to_client.Welcome`.
VERSION = 1

Text = Annotated[str, msgspec.Meta(max_length=12_000)]
Token = Annotated[str, msgspec.Meta(max_length=300)]
Key = Annotated[str, msgspec.Meta(min_length=1, max_length=32)]
Password = Annotated[str, msgspec.Meta(max_length=100)]
Ticket = Annotated[str, msgspec.Meta(max_length=64)]
Reason = Annotated[str, msgspec.Meta(max_length=200)]
MoveText = Annotated[str, msgspec.Meta(max_length=12)]
#: `\Z`, because `$` would allow a newline at the end.
Nonce = Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{32}\Z")]
#: The SHA-256 of a nonce, or "" for none.
Commitment = Annotated[str, msgspec.Meta(pattern=r"^([0-9a-f]{64})?\Z")]
#: All that spectators can say without words. Clients draw them.
Sign = Literal["clap", "wow", "heart", "fire", "laugh", "sad"]
SIGNS: tuple[Sign, ...] = get_args(Sign)
#: A person has one of so many pictures in one of so many colours, which clients draw. Picture 0 is for bots.
PICTURES, COLOURS = 49, 8
#: The colour times `PICTURES`, plus the picture.
Face = Annotated[int, msgspec.Meta(ge=0, lt=PICTURES * COLOURS)]
Count = Annotated[int, msgspec.Meta(ge=0, le=2**53)]


class Message(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """Base of every message to the server."""


class Hello(Message, frozen=True, tag="hello"):
    """The first message: the protocol version, and the guest token if the client has one."""

    v: int
    token: Token | None = None


class Ping(Message, frozen=True, tag="ping"):
    """Ask for the server's clock. The answer repeats ``t``."""

    t: float


class Resume(msgspec.Struct, array_like=True, frozen=True):
    """What the client knew before its connection broke: the room's epoch, the race, the number of its moves, and the
    length of the room's log. If that is more than the server has, data was lost.
    """

    epoch: str
    race: Count
    moves: Count
    n: Count = 0


class Request(Message, frozen=True):
    """Base of the messages that have an answer."""

    c: Count


class Create(Request, frozen=True, tag="create"):
    """Open a room and take a seat in it. Settings that are left out have their defaults."""

    name: Text
    settings: dict[str, Any]
    bot: bool = False
    #: For a tournament: the differences from the default plan (`fortythieves.tournament.plan`), and a password if any.
    plan: dict[str, Any] | None = None
    password: Password = ""
    #: The wanted face. nil: any.
    face: Face | None = None
    #: The room of a circle whose members are to race here, and get points for it.
    circle: Annotated[str, msgspec.Meta(max_length=64)] = ""


class Join(Request, frozen=True, tag="join"):
    """Take a seat in a room, or return to it."""

    code: Annotated[str, msgspec.Meta(max_length=64)]
    name: Text
    resume: Resume | None = None
    bot: bool = False
    #: For a tournament with a password.
    password: Password = ""
    #: From a personal link of a tournament: the part after the `#`.
    ticket: Ticket = ""
    #: The wanted face. nil: any. The room's view has the one that the server chose.
    face: Face | None = None


class Watch(Request, frozen=True, tag="watch"):
    """Enter a room as a spectator."""

    code: Annotated[str, msgspec.Meta(max_length=64)]
    name: Text
    #: For a tournament with a password for spectators.
    password: Password = ""
    face: Face | None = None
    #: Whether it only shows what racers may know. Such a connection may stay while its guest races on another one.
    projector: bool = False


class Challenge(Request, frozen=True, tag="challenge"):
    """Open a challenge on the deal of a finished race in which this guest raced: friends race on it at any time.
    The answer is `to_client.Challenged`.
    """

    code: Annotated[str, msgspec.Meta(max_length=64)]
    race: Count
    #: How long it stays open.
    days: Annotated[int, msgspec.Meta(ge=1, le=30)]
    #: The room of a circle in which it counts.
    circle: Annotated[str, msgspec.Meta(max_length=64)] = ""


class Found(Request, frozen=True, tag="found"):
    """Open a circle: a group with a table of its own. The answer is `to_client.Challenged`, with its room."""

    title: Text
    name: Text
    face: Face | None = None


class Membership(Request, frozen=True, tag="membership"):
    """A spectator of a circle joins it, or leaves it. A member that leads removes another one, or drops a challenge.
    The leader appoints one that leads, or dismisses it. The answer is `to_client.OwnTry`.
    """

    do: Literal["join", "leave", "remove", "appoint", "dismiss", "drop"]
    number: Count = 0
    name: Text = ""
    face: Face | None = None
    #: The room of the challenge that does not count.
    deal: Annotated[str, msgspec.Meta(max_length=64)] = ""


class ChangeCircle(Request, frozen=True, tag="change_circle"):
    """A member that leads changes the circle: its name, how many of the best scores of a member count (0: all), and
    whether nobody can join.
    """

    title: Text
    counted: Annotated[int, msgspec.Meta(ge=0, le=100)]
    closed: bool = False


class Try(Request, frozen=True, tag="try"):
    """A spectator of a challenge begins the one try, or asks which room it has. The answer is `to_client.OwnTry`."""

    name: Text
    face: Face | None = None
    #: For a challenge with a password.
    password: Password = ""


class ChangeChallenge(Request, frozen=True, tag="change_challenge"):
    """The owner of a challenge changes how long it is open, or the password for a try."""

    #: Since it was opened. 0: it closes now, for good.
    days: Annotated[int, msgspec.Meta(ge=0, le=30)]
    #: "": none. None: no change.
    password: Password | None = None


class RemoveTry(Request, frozen=True, tag="remove_try"):
    """The owner of a challenge removes the result of a try."""

    number: Count


class Command(Request, frozen=True):
    """Base of the commands of a seat in a room."""


class OfSeat(Command, frozen=True):
    """Base of the commands about a seat."""

    seat: int


class Switch(Command, frozen=True):
    """Base of the commands that are on or off."""

    on: bool


class ChangeSettings(Command, frozen=True, tag="settings"):
    """Host: change some settings. All players become unready."""

    settings: dict[str, Any]


class Ready(Command, frozen=True, tag="ready"):
    """Become ready. ``commitment``: the SHA-256 (in hexadecimal, or "") of a nonce, see `Reveal`."""

    commitment: Commitment


class Reveal(Command, frozen=True, tag="reveal"):
    """Sent when the countdown has begun: the nonce (16 bytes in hexadecimal) to which one committed, for the deal."""

    nonce: Nonce


class Unready(Command, frozen=True, tag="unready"):
    """Become unready."""


class Start(Command, frozen=True, tag="start"):
    """Host: start the countdown for all present or ready players."""


class Lock(Command, frozen=True, tag="lock"):
    """Host: stop or allow new players."""

    locked: bool


class Kick(OfSeat, frozen=True, tag="kick"):
    """Host: remove a player for good. During a race that is a disqualification."""

    #: Also refuse new guests from the same address for ten minutes.
    hold: bool = False


class HandOver(OfSeat, frozen=True, tag="host"):
    """Host: make another player the host."""


class AddBot(Command, frozen=True, tag="bot"):
    """Host: add a house bot."""

    level: Annotated[int, msgspec.Meta(ge=1, le=3)]


class Chat(Command, frozen=True, tag="chat"):
    """Send a chat message to the room. A message with a ``key`` that was used before is ignored."""

    key: Key
    text: Text


class Mute(Command, frozen=True, tag="mute"):
    """Hosts: mute the author of this chat message (``on``), or end that."""

    line: Count
    on: bool


class Admit(Command, frozen=True, tag="admit"):
    """Host: let a removed person in again. ``number``: from `removed` in the view."""

    number: Count


class Remove(Command, frozen=True, tag="remove"):
    """Hosts: remove the spectator who wrote this chat message for good."""

    line: Count
    #: As in `Kick`.
    hold: bool = False


class Rename(Command, frozen=True, tag="rename"):
    """Change the player's name, and the face (nil: as it is)."""

    name: Text
    face: Face | None = None


class GiveUp(Command, frozen=True, tag="give_up"):
    """Give up the race. For ten seconds this can be taken back."""


class TakeBack(Command, frozen=True, tag="take_back"):
    """Take giving up back, and go on."""


class AgreeToEnd(Switch, frozen=True, tag="agree_to_end"):
    """Not in a tournament: a racer would rather end the race, or (``on`` false) not. It ends once all agree."""


class StandAside(Switch, frozen=True, tag="stand_aside"):
    """Not in a tournament: a racer gives up if only they hold back the boards, or (``on`` false) does not."""


class EndRace(Command, frozen=True, tag="end_race"):
    """Host, not in a tournament: end the race for all active racers, or call off its countdown."""


class Rematch(Command, frozen=True, tag="rematch"):
    """After a race: set up the next one with the same people, and become ready for it as with `Ready`."""

    commitment: Commitment


class Look(Switch, frozen=True, tag="look"):
    """From a seat that does not race (any more): show me the boards, or stop. Spectators need not ask."""


class React(Command, frozen=True, tag="react"):
    """Show a sign to all others that do not race. A racer shows it to everybody, once in three seconds."""

    sign: Sign


class Predict(OfSeat, frozen=True, tag="predict"):
    """Once, and not as a racer: this seat will win the race. Nobody sees it before the race is over."""


class Review(Command, frozen=True, tag="review"):
    """Host: ask for suspicious facts of a finished race. The answer is `to_client.Reviewed`."""

    race: Count


class Leave(Command, frozen=True, tag="leave"):
    """Leave the room for good. During a race that also gives up."""


class Enter(Switch, frozen=True, tag="enter"):
    """Tournament: enter it or return to it. ``on`` false: withdraw from it."""


class CheckIn(OfSeat, frozen=True, tag="check_in"):
    """Tournament: check in before the first round. ``seat``: the entrant's seat, or for a host any seat."""


class Registration(Command, frozen=True, tag="registration"):
    """Tournament, hosts: close registration, or (``open``) open it."""

    open: bool


class HalfBye(OfSeat, frozen=True, tag="half_bye"):
    """Tournament: ask to sit out a round that is not drawn yet, for half a point, or (``on`` false) take that back.

    ``seat``: the entrant's seat, or for a host any entrant's.
    """

    round: Count
    on: bool


class Team(OfSeat, frozen=True, tag="team"):
    """Tournament: choose a team that exists or a new one, before the first draw of that entrant. "": no team.

    ``seat``: the entrant's seat, or for a host any entrant's. ``board``: for a host, the position in the team.
    0: at its end, or as it is.
    """

    team: Text
    board: Annotated[int, msgspec.Meta(ge=0, le=1000)] = 0


class ChangePlan(Command, frozen=True, tag="plan"):
    """Tournament, hosts: change some of the plan."""

    plan: dict[str, Any]
    #: The new password for entering. "": no change.
    password: Password = ""


class Round(Command, frozen=True, tag="round"):
    """Tournament, hosts: act on the next, drawn, running or last round."""

    do: Literal["start", "pause", "resume", "end", "skip", "replay", "replay_unfinished", "confirm"]
    reason: Reason = ""
    #: The round that is confirmed. nil: the last one that is decided.
    round: Count | None = None


class Timer(Command, frozen=True, tag="timer"):
    """Tournament, hosts: when the next round starts (ms by the server's clock). nil: when a host starts it."""

    at: Annotated[Ms, msgspec.Meta(ge=0, le=2**53)] | None


class Judge(OfSeat, frozen=True, tag="judge"):
    """Tournament, hosts: disqualify an entrant (``out``), or take that back, with a reason."""

    out: bool
    reason: Reason
    #: As in `Kick`.
    hold: bool = False


class Withdraw(OfSeat, frozen=True, tag="withdraw"):
    """Tournament, hosts: withdraw an entrant, who may return."""


class RenameEntrant(OfSeat, frozen=True, tag="rename_entrant"):
    """Tournament, hosts: give an entrant another name."""

    name: Text


#: A seat, and its points from a round. nil: as the races say.
Given = tuple[int, Annotated[float, msgspec.Meta(ge=0, le=1000)] | None]


class Correct(Command, frozen=True, tag="correct"):
    """Tournament, hosts: correct the points of an entrant, or of both of a pair, in a finished round, with a reason."""

    round: Count
    given: Annotated[tuple[Given, ...], msgspec.Meta(min_length=1, max_length=2)]
    reason: Reason


class ReplayMatch(OfSeat, frozen=True, tag="replay_match"):
    """Tournament, hosts: let the pair of this seat race the last round once more, with a reason."""

    reason: Reason


class Swap(Command, frozen=True, tag="swap"):
    """Tournament, hosts: in the round that is drawn, let two entrants take each other's position.

    ``against``: whom ``one`` was drawn against, 0 for a bye. So a request that arrives twice does not swap them back.
    """

    one: int
    other: int
    against: int


class Announce(Command, frozen=True, tag="announce"):
    """Tournament, hosts: show an announcement instead of the last one. "": remove it."""

    text: Text


class Undo(Command, frozen=True, tag="undo_deed"):
    """Tournament, hosts: take back the last action of hosts since the draw. ``at``: when it was."""

    at: Annotated[Ms, msgspec.Meta(ge=0, le=2**53)]


class ShowList(Command, frozen=True, tag="show_list"):
    """Tournament, hosts: ask for the entry list with its seats and personal links."""


class Release(Command, frozen=True, tag="release"):
    """Tournament, hosts: take a name of the entry list from its seat, and give it a new link."""

    name: Annotated[str, msgspec.Meta(max_length=24)]


class CoHost(OfSeat, frozen=True, tag="co_host"):
    """Tournament, host: give a player the host's rights, or take them back."""

    on: bool


class Move(Message, frozen=True, tag="move"):
    """One entry for the racer's log: a move, or "undo".

    ``n``: how many entries the log has so far. A message that arrives twice is applied once and answered twice.
    """

    race: Count
    n: Count
    text: MoveText


#: All of them, in this order, and the type of any one of them.
MESSAGES: tuple[type[Message], ...] = tuple(
    kind
    for kind in [*vars().values()]
    if isinstance(kind, type) and issubclass(kind, Message) and kind.__struct_config__.tag
)
ANY = reduce(or_, MESSAGES)
