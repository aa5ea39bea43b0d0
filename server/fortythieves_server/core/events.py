"""The events of the room log: everything that can happen to a room, one class each.

A room only changes by an event. A log entry is the JSON of an event after the store's timestamp. Replaying the log
gives the room (`evolve.replay`). A change of a class or a field needs another `store.schema.SCHEMA`.
``by`` is the seat of the host that did it; None: the player, or the clock.
"""

from collections.abc import Callable
from functools import reduce
from operator import or_
from typing import Literal

import msgspec

from fortythieves.record.race_record import Deal
from fortythieves.record.signature import Promise
from fortythieves.rules.race_rules import Ending
from fortythieves.rules.ranking import Result
from fortythieves.rules.settings import Settings
from fortythieves.solver.day import DayProof
from fortythieves.times import Ms
from fortythieves.tournament.plan import Plan

#: Why an entrant is out of a tournament, until the entrant returns.
Why = Literal["left", "no_show", "host"]


class Event(msgspec.Struct, frozen=True, tag_field="event", gc=False):
    """Base of all events of a room."""


#: Why a guest is no longer a member of a circle, and what its members are scored in.
Gone = Literal["left", "removed"]
ScoreKind = Literal["day", "challenge", "race"]


class OfSeat(Event, frozen=True):
    """Base of the events about one seat."""

    seat: int


class Called(msgspec.Struct, frozen=True):
    """An entrant of an arena that is called to a race."""

    seat: int
    guest: str
    name: str
    bot: bool = False
    face: int = 0


class OfArena(msgspec.Struct, frozen=True):
    """A room for one race of an arena: the room of the arena, the racers, and the rules of the plan for a race.

    Or for one try of a challenge.
    """

    arena: str
    racers: tuple[Called, ...]
    no_show: int  # seconds after the start by which a racer has made a move, or did not start
    deadly: bool = False  # whether giving up is final
    creator: str = ""  # the guest that opened the arena
    until: Ms = Ms(0)  # its result is needed until then, or longer


class Opened(msgspec.Struct, frozen=True):
    """A challenge: each guest may race once on its deal, whenever they like, until it closes.

    It is of a guest who has raced on this deal, or it is the deal of a day, which the server opens.
    """

    closes_at: Ms
    #: Who opened it, and how they raced on this deal. The times are since the start.
    guest: str = ""
    name: str = ""
    face: int = 0
    result: Result | None = None
    #: When how many cards were home: the ms since the start, and the cards. It shows no card.
    ghost: tuple[tuple[Ms, int], ...] = ()
    #: The other guests who have raced on this deal. They know its cards.
    seen: tuple[str, ...] = ()
    opens_at: Ms = Ms(0)
    day: DayProof | None = None
    #: The hash of the password for a try. "": none.
    password: str = ""
    #: The circle that scores it. "": none.
    circle: str = ""


class MemberCame(Event, frozen=True, tag="member_came"):
    """Circle: a guest is a member, perhaps again."""

    guest: str
    name: str
    face: int
    address: str = ""  # its hash


class Founded(msgspec.Struct, frozen=True):
    """A circle: its name, and its first member."""

    name: str
    first: MemberCame


class Created(Event, frozen=True, tag="created"):
    """The room is opened. Its first race has this secret (64 hex digits).

    With a ``plan`` it is a tournament. ``password`` is the hash of the password for entering, "" if there is none.
    """

    code: str
    settings: Settings
    secret: str
    plan: Plan | None = None
    password: str = ""
    address: str = ""  # the hash of the address that opened it (`Guests.address_hash`), never the address itself
    promise: Promise | None = None  # the server's promise that the first race uses this secret
    of_arena: OfArena | None = None  # it is for one race of an arena, or for one try of a challenge
    given: Deal | None = None  # its race is on this deal of an earlier race, which has the secret
    challenge: Opened | None = None
    circle: Founded | None = None
    of_circle: str = ""  # the room of the circle whose members race here


class Joined(OfSeat, frozen=True, tag="joined"):
    """A guest takes a new seat. ``via`` and ``arrived_at`` as in `Here`."""

    guest: str
    name: str
    bot: bool
    via: str
    address: str = ""
    face: int = 0
    arrived_at: Ms = Ms(0)


class Here(OfSeat, frozen=True, tag="here"):
    """The connection ``via`` (process/number) serves the seat. ``address``: a hash that differs in every room.

    ``arrived_at``: when it asked for the seat, perhaps long before it got it.
    """

    via: str
    address: str = ""
    arrived_at: Ms = Ms(0)


class Away(OfSeat, frozen=True, tag="away"):
    """The seat's connection is gone."""


class Left(OfSeat, frozen=True, tag="left"):
    """The player has left for good; ``kicked``: removed by the host."""

    kicked: bool = False


class Renamed(OfSeat, frozen=True, tag="renamed"):
    """The player at the seat has a new name, or a new ``face``."""

    name: str
    by: int | None = None
    face: int | None = None


class Changed(Event, frozen=True, tag="changed"):
    """The host changed the settings. All players are unready."""

    settings: Settings
    #: Tournament: the round that is drawn gets an ordinary secret deal instead of a winnable one. All stay ready.
    gives_up_winnable: bool = False


class Readied(OfSeat, frozen=True, tag="readied"):
    """The seat is ready, and committed to a nonce by its SHA-256 (64 hex digits, "": none). None: no longer ready."""

    commitment: str | None


class Hosted(OfSeat, frozen=True, tag="hosted"):
    """The seat is now the host."""

    for_good: bool = False  # handed over; otherwise the seat stands in until the real host returns


class Locked(Event, frozen=True, tag="locked"):
    """Whether the room admits no new players."""

    locked: bool


class Unlisted(Event, frozen=True, tag="unlisted"):
    """Whether an operator keeps the room off the front page."""

    unlisted: bool


class RoomClosed(Event, frozen=True, tag="room_closed"):
    """An operator has closed the room for good. It is empty, and no guest can join."""

    reason: str = ""


class Counted(Event, frozen=True, tag="counted"):
    """The countdown begins for these seats. Settings and commitments (by seat) are frozen.

    ``within``: how long nonces may be revealed. ``promise``: of a winnable deal, which `Claimed` brings next.
    """

    racers: tuple[int, ...]
    commitments: dict[int, str] = {}
    within: Ms = Ms(0)
    promise: Promise | None = None


class Claimed(Event, frozen=True, tag="claimed"):
    """The winnable deals of which the nonces choose one: the secret, a winning line and the stars of each.

    It follows `Counted` in the same commit. From here on the log alone is enough, even if the pool is lost.
    """

    secrets: tuple[str, ...]
    lines: tuple[tuple[str, ...], ...]
    stars: tuple[int, ...]


class Contributed(OfSeat, frozen=True, tag="contributed"):
    """The seat has revealed its nonce (32 hex digits), a part of the deal."""

    nonce: str


class Dealt(Event, frozen=True, tag="dealt"):
    """No more nonces are accepted. The nonces of all `Contributed` before this event decide the deck."""


class StartedLate(OfSeat, frozen=True, tag="started_late"):
    """The seat joins the running race, with the clock running."""


class GaveUp(OfSeat, frozen=True, tag="gave_up"):
    """The seat gives up. This can be taken back for a while."""


class TookBack(OfSeat, frozen=True, tag="took_back"):
    """The seat takes giving up back."""


class EndVoted(OfSeat, frozen=True, tag="end_voted"):
    """The racer at the seat agrees to end the race, or takes that back."""

    on: bool


class RaceEnded(OfSeat, frozen=True, tag="race_ended"):
    """The host at the seat ends the race. `Finished` of all racers follow."""


class StoodAside(OfSeat, frozen=True, tag="stood_aside"):
    """The racer agrees that the others do not wait, while the racer's log has this many moves. None: no longer."""

    moves: int | None


class Finished(OfSeat, frozen=True, tag="finished"):
    """The seat's race is over since ``when`` (for a win, its last move). Its move log is sealed at ``moves`` entries.

    ``home`` cards were home since ``reached_at``.
    """

    end: Ending
    when: Ms
    home: int
    moves: int
    reached_at: Ms

    @property
    def result(self) -> Result:
        return Result(self.end, self.when, self.home, self.moves, self.reached_at)


class SetUp(Event, frozen=True, tag="set_up"):
    """The next race is set up with this secret (64 hex digits), which the server has promised."""

    secret: str
    promise: Promise | None = None


class Predicted(Event, frozen=True, tag="predicted"):
    """A guest outside the race says that this racer will win it. Only the first prediction of a guest counts."""

    racer: int
    guest: str
    address: str = ""  # its hash


class Chatted(OfSeat, frozen=True, tag="chatted"):
    """The seat wrote a chat message. ``key`` is the client's id for it. Seat 0: a spectator called ``name``."""

    key: str
    text: str
    name: str = ""
    guest: str = ""  # the spectator
    address: str = ""  # its hash
    face: int = 0  # the spectator's


class Muted(Event, frozen=True, tag="muted"):
    """A host mutes the author of a chat message, or ends that. ``message``: its number."""

    message: int
    on: bool
    by: int


class Removed(Event, frozen=True, tag="removed"):
    """A host removes the author of a chat message, a spectator, for good."""

    message: int
    by: int


class Admitted(Event, frozen=True, tag="admitted"):
    """A host lets a removed person in again. ``number``: of the event that removed them."""

    number: int
    by: int


class AddressBlocked(Event, frozen=True, tag="address_blocked"):
    """A host refuses new guests of an address (given as its hash) for a while."""

    address: str
    by: int


class Entered(OfSeat, frozen=True, tag="entered"):
    """Tournament: the seat enters or returns, from the next drawn round on."""


class Withdrawn(OfSeat, frozen=True, tag="withdrawn"):
    """Tournament: the seat is out until it returns."""

    why: Why
    by: int | None = None


class CheckedIn(OfSeat, frozen=True, tag="checked_in"):
    """Tournament: the entrant at the seat is here, before the first round."""

    by: int | None = None


class CheckInEnded(Event, frozen=True, tag="check_in_ended"):
    """Tournament: check-in is over. The entrants at these seats have not checked in, and are withdrawn."""

    out: tuple[int, ...] = ()


class Registration(Event, frozen=True, tag="registration"):
    """Tournament: registration is open or closed, whatever the plan has."""

    open: bool
    by: int | None = None


class HalfBye(OfSeat, frozen=True, tag="half_bye"):
    """Tournament: the seat will have a half-point bye in this round, or (``on`` false) will not."""

    round: int
    on: bool
    by: int | None = None


class Teamed(OfSeat, frozen=True, tag="teamed"):
    """Tournament: the entrant at the seat is in this team. "": in none."""

    team: str
    board: int = 0  # the position in the team; 0: where the entry list has it, or at the end
    by: int | None = None


class Planned(Event, frozen=True, tag="planned"):
    """Tournament: a host changed the plan. ``password`` is the hash of the new password, "" if there is none.

    ``same``: those of its `LISTS` that did not change. The plan is stored without them, because a thousand names in
    each event would fill the log.
    """

    plan: Plan
    by: int
    password: str = ""
    same: tuple[str, ...] = ()


class Drawn(Event, frozen=True, tag="drawn"):
    """Tournament: the race that is set up is for this round and these seats. A bye is a seat that waits.

    ``again``: it continues a round after an exact tie, or replays it.
    """

    round: int
    seats: tuple[int, ...]
    pairs: tuple[tuple[int, int], ...] = ()
    byes: tuple[int, ...] = ()
    again: bool = False
    half_byes: tuple[int, ...] = ()
    lost: tuple[int, ...] = ()


class Decided(Event, frozen=True, tag="decided"):
    """Tournament: the round is decided for now. ``last``: so is the tournament."""

    round: int
    last: bool


class Timed(Event, frozen=True, tag="timed"):
    """Tournament: the next round starts at this time. None: when a host starts it."""

    at: Ms | None
    by: int | None = None
    round: int | None = None  # the round that the host starts with this; None: only its time is set


class Paused(Event, frozen=True, tag="paused"):
    """Tournament: nothing starts until it is resumed."""

    paused: bool
    by: int


class Skipped(Event, frozen=True, tag="skipped"):
    """Tournament: the round does not count."""

    round: int
    by: int | None
    reason: str = ""


class Annulled(Event, frozen=True, tag="annulled"):
    """Tournament: the races of the round so far do not count. It is replayed on a new deal."""

    round: int
    by: int
    reason: str = ""


class Confirmed(Event, frozen=True, tag="confirmed"):
    """Tournament: a host confirms the results of the round."""

    round: int
    by: int


class Disqualified(OfSeat, frozen=True, tag="disqualified"):
    """Tournament: a host disqualifies the seat, or takes that back."""

    on: bool
    by: int
    reason: str


#: A seat, and its points in a round. None: the points of the races.
SeatPoints = tuple[int, float | None]


class Corrected(Event, frozen=True, tag="corrected"):
    """Tournament: a host sets the points of a round, see `rounds.Correction`."""

    round: int
    points: tuple[SeatPoints, ...]
    by: int
    reason: str


class MatchAnnulled(Event, frozen=True, tag="match_annulled"):
    """Tournament: the races of a pair in the last round do not count. Only this pair is to replay."""

    round: int
    pair: tuple[int, int]
    by: int
    reason: str


class RoundStopped(Event, frozen=True, tag="round_stopped"):
    """Tournament: a host ends the running round. `Finished` of all racers follow. ``cut``: those that still played."""

    round: int
    by: int
    reason: str = ""
    cut: tuple[int, ...] = ()


class Swapped(Event, frozen=True, tag="swapped"):
    """Tournament: in the round that is drawn, two entrants take each other's position."""

    round: int
    one: int
    other: int
    by: int


class Announced(Event, frozen=True, tag="announced"):
    """Tournament: a host shows an announcement. "": removes it."""

    text: str
    by: int


class Undone(Event, frozen=True, tag="undone"):
    """Tournament: a host takes back the last action of hosts, which was at ``since``."""

    since: Ms
    by: int


class ArenaOpened(Event, frozen=True, tag="arena_opened"):
    """Arena: races begin from now on."""


class Match(msgspec.Struct, frozen=True):
    """A race of an arena that begins: its number, its room, and its racers."""

    number: int
    code: str
    seats: tuple[int, ...]


class Matched(Event, frozen=True, tag="matched"):
    """Arena: these races begin. Their racers are away from the arena until they come back."""

    races: tuple[Match, ...]


class HeatEnded(Event, frozen=True, tag="heat_ended"):
    """Arena: a race is over. No results: it never began, because its room is gone."""

    number: int
    starts_at: Ms = Ms(0)
    results: tuple[Finished, ...] = ()
    #: The seats that gave up too early, or did nothing.
    early: tuple[int, ...] = ()
    #: The seats that have revealed a card or brought one home. The others are no-shows.
    begun: tuple[int, ...] = ()


class ParFound(Event, frozen=True, tag="par_found"):
    """Tournament: the par of a race is known."""

    race: int
    par: int


class ResultReported(Event, frozen=True, tag="result_reported"):
    """A race of an arena or a circle, or a try: the arena, the circle or the challenge knows how it ended."""

    race: int


class TryStarted(Event, frozen=True, tag="try_started"):
    """Challenge: a guest begins their one try, in a room of its own. ``address``: its hash, "" if unknown."""

    guest: str
    name: str
    face: int
    code: str
    address: str = ""


class TryFinished(Event, frozen=True, tag="try_finished"):
    """Challenge: a try is over. The times of its result are since its start."""

    number: int
    result: Result


class TryRemoved(Event, frozen=True, tag="try_removed"):
    """Challenge: its owner removes the result of a try."""

    number: int


class ChallengeChanged(Event, frozen=True, tag="challenge_changed"):
    """Challenge: its owner changes when it closes, or its password (its hash, "" for none)."""

    closes_at: Ms
    password: str


class ChallengeClosed(Event, frozen=True, tag="challenge_closed"):
    """Challenge: no try begins or counts any more."""


class MemberWent(Event, frozen=True, tag="member_went"):
    """Circle: a guest is no longer a member."""

    number: int
    gone: Gone


class Appointed(Event, frozen=True, tag="appointed"):
    """Circle: a member may change it and remove others, or no longer."""

    number: int
    leads: bool


class CircleChanged(Event, frozen=True, tag="circle_changed"):
    """Circle: its name, how many of the best scores of a member count (0: all), and whether nobody can join."""

    name: str
    counted: int
    closed: bool


class DealAdded(Event, frozen=True, tag="deal_added"):
    """Circle: one of its challenges is open. ``guest``: the member who opened it. ``source``: the race of its deal."""

    code: str
    closes_at: Ms
    guest: str
    source: str = ""


class RaceOpened(Event, frozen=True, tag="race_opened"):
    """Circle: a member waits for others in the room ``code``."""

    code: str
    number: int
    at: Ms
    address: str


class DealDropped(Event, frozen=True, tag="deal_dropped"):
    """Circle: a challenge does not count: a member who leads says so, or fewer than two have a result. Or a race ended
    without a score.
    """

    code: str


class Scored(Event, frozen=True, tag="scored"):
    """Circle: the first places of members, by number, in a day, a challenge (its room) or a race (CODE/RACE).

    No rows: a day is over, and fewer than two members have a result.
    """

    kind: ScoreKind
    key: str
    at: Ms
    rows: tuple[tuple[int, int], ...]


class LinksDrawn(Event, frozen=True, tag="links_drawn"):
    """Tournament: the personal links are derived from this key (64 hex digits)."""

    key: str


class Released(Event, frozen=True, tag="released"):
    """Tournament: a host releases a name of the list, which gets a new link. Its ``seat`` gets another ``name``."""

    row: str
    seat: int | None
    by: int
    name: str = ""


class CoHosted(OfSeat, frozen=True, tag="co_hosted"):
    """Tournament: the seat has the host's rights, or no longer."""

    on: bool
    by: int


KINDS = tuple(kind for base in (Event, OfSeat) for kind in base.__subclasses__() if kind is not OfSeat)

encode = msgspec.json.Encoder().encode
decode: Callable[[bytes], Event] = msgspec.json.Decoder(reduce(or_, KINDS)).decode
