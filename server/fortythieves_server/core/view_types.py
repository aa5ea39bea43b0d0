"""The types of the public view of a room, which PROTOCOL.md describes. The types of the web client are made from them.

Seats and numbers that are keys are texts. A key with null may be absent.
"""

from collections.abc import Sequence
from typing import Literal, NamedTuple, NotRequired, TypedDict

from fortythieves.rules.race_rules import Ending
from fortythieves.rules.settings import Settings
from fortythieves.times import Ms
from fortythieves.tournament.plan import Plan
from fortythieves.tournament.rounds import Entrant

#: ``done``: in a blind round, the only public state of a finished racer.
RacerState = Literal["racing", "done"] | Ending
Phase = Literal["entry", "drawn", "racing", "pause", "over"]
#: Why no new entrant may enter.
Closed = Literal["closed", "full"]
RoundState = Literal["drawn", "racing", "played", "confirmed", "skipped"]
StageName = Literal["final", "second", "semi", "quarter", "last", "up", "upper", "low", "lower"]


class Person(TypedDict):
    """A person or a bot at a seat of the room."""

    name: str
    bot: bool
    here: bool
    ready: bool
    since: Ms
    away_at: Ms | None


class Racer(TypedDict):
    """A seat in the race. The result is there once it is known; in a blind round only the state is shown."""

    name: str
    state: RacerState
    gave_up_at: NotRequired[Ms | None]
    finished_at: NotRequired[Ms | None]
    home: NotRequired[int | None]
    moves: NotRequired[int | None]
    reached_at: NotRequired[Ms | None]
    place: NotRequired[int | None]


class DealPromise(TypedDict):
    """The server's signature of the commitment for this race."""

    at: Ms
    key: str
    signature: str


class Race(TypedDict):
    """The current race."""

    number: int
    game: str
    commitment: str | None
    promise: DealPromise | None
    starts_at: Ms | None
    ends_at: Ms | None
    commitments: dict[str, str]
    nonces: dict[str, str]
    over_at: Ms | None
    secret: str | None
    #: How hard a winnable deal is, if that is known; once the race is over, its place among the 16 that the server
    #: was committed to, and the hashes that lead from there to the commitment.
    stars: int | None
    leaf: int | None
    path: list[str] | None
    #: The earlier race of which this is the deal: its room, its number. Before the end of a try: its challenge, and 1.
    source: NotRequired[tuple[str, int] | None]
    ended_by: NotRequired[int]  # the seat of the host that ended it
    day: NotRequired[int]  # only on the deal of a day: its number
    agreed: list[int]  # the seats of the active racers that agree to end it
    aside: dict[str, int]  # the seats that stand aside, each as long as its log has this many moves
    racers: dict[str, Racer]
    predicted: NotRequired[dict[str, int]]  # once it is over: how many spectators said that a seat wins


class PastPlace(NamedTuple):
    """How an earlier race went for one racer; ``ms``: since the start."""

    seat: int
    name: str
    place: int | None
    state: RacerState
    home: int
    moves: int
    ms: Ms


class PastRace(TypedDict):
    """An earlier race."""

    game: str
    places: list[PastPlace]


class Match(TypedDict):
    """A match; ``first_to``: how many races win it; ``wins``: by seat; ``winner``: a seat, once one has won it."""

    first_to: int
    wins: dict[str, tuple[str, int]]  # the name, and the races won
    winner: int | None


class ChatLine(TypedDict):
    """A line of chat. Seat 0: a spectator."""

    seat: int
    name: str
    at: Ms
    text: str
    face: int


class RoundResult(NamedTuple):
    """How a round went for one entrant."""

    place: int | None
    state: RacerState
    home: int
    moves: int
    ms: Ms
    points: float | None


class Correction(NamedTuple):
    """The points of an entrant in a round, set by a host; in a pair 1 for a win, 0.5 for a tie."""

    seat: int
    value: float
    reason: str


class Announced(NamedTuple):
    """An announcement of a host."""

    at: Ms
    text: str


class CheckIn(TypedDict):
    """Check-in before the first round; ``opens``, ``ends``: null while unknown; ``here``: present entrants by seat."""

    opens: Ms | None
    ends: Ms | None
    over: bool
    here: dict[str, bool]


class Stage(NamedTuple):
    """The name of a round of a bracket; ``number``: of entrants left in a knock-out, otherwise of the round."""

    name: StageName
    number: int


class BracketMatch(NamedTuple):
    """A match of a bracket; ``round``: 0 before it is drawn. Of the seats, 0: not known yet; null: nobody."""

    round: int
    one: int | None
    other: int | None
    winner: int | None


class Level(TypedDict):
    """The matches of a bracket at the same distance from its final."""

    stage: Stage
    matches: list[BracketMatch]


class Brackets(TypedDict):
    """The levels of each bracket, from the first on; ``third``: the match for third place."""

    winners: dict[str, Level]
    losers: dict[str, Level]
    third: BracketMatch | None


class Round(TypedDict):
    """A round of a tournament; ``races``: the numbers of those that count; ``results``: by seat, once it is over.

    ``walkovers``: the pairs of the groups that were not drawn because an entrant had left.
    """

    game: str
    races: list[int]
    pairs: list[tuple[int, int]]
    byes: list[int]
    state: RoundState
    results: dict[str, RoundResult]
    corrections: NotRequired[list[Correction]]
    half_byes: NotRequired[list[int]]
    lost: NotRequired[list[int]]
    stage: NotRequired[Stage]
    walkovers: NotRequired[list[tuple[int, int]]]


class Standing(NamedTuple):
    """One row of the standings, best first."""

    place: int | None
    seat: int
    score: float
    tiebreaks: list[float]


class TeamStanding(NamedTuple):
    """One row of the standings of the teams, best first."""

    place: int | None
    team: str
    score: float
    tiebreaks: list[float]


class AuditEntry(NamedTuple):
    """An audit entry: a public action of a host.

    ``by``: the host's seat; null: the clock. ``what``: the tag of the event. ``about``: a seat or a round. ``undone``:
    whether it was taken back.
    """

    at: Ms
    by: int | None
    what: str
    about: int | None
    reason: str
    undone: bool = False


class Heat(NamedTuple):
    """A race of an arena that is under way, in a separate room; ``at``: when its racers were matched."""

    code: str
    at: Ms
    seats: list[int]
    game: str


class HeatResult(NamedTuple):
    """A race of an arena that is over; of each racer the seat, the place, how it ended, and the cards home."""

    code: str
    game: str
    racers: list[tuple[int, int | None, RacerState, int]]
    skipped: bool
    corrections: list[Correction]


class Sheet(NamedTuple):
    """The results of an entrant of an arena; ``row``: wins in a row; ``last``: the points of the last race."""

    points: float
    races: int
    wins: int
    row: int
    solved: int
    home: int
    last: float


class Arena(TypedDict):
    """An arena. Numbers of races and seats are keys; ``racing``: the race of each seat that is in one."""

    opened_at: Ms | None
    closes_at: Ms | None
    under_way: dict[str, Heat]
    ended: dict[str, HeatResult]
    sheets: dict[str, Sheet]
    racing: dict[str, int]


class Tournament(TypedDict):
    """A tournament; ``round``: the one that is drawn, runs or was last, 0 before the first.

    ``undo``: when the action of a host was that can be taken back.
    """

    plan: Plan
    phase: Phase
    paused: bool
    round: int
    rounds_planned: int
    next_at: Ms | None
    again: bool
    may_enter: bool
    closed: Closed | None
    closes_at: Ms | None
    check_in: CheckIn | None
    entrants: dict[str, Entrant]
    co_hosts: list[int]
    rounds: dict[str, Round]
    standings: list[Standing]
    tiebreaks: list[str]
    desk: list[AuditEntry]
    undo: Ms | None
    announcement: Announced | None
    #: The pairs of the last round with a match that was cut off when a host ended it.
    unfinished: list[tuple[int, int]]
    #: By seat, the rounds that are not drawn yet and in which an entrant is to have a half-point bye.
    half_byes: dict[str, list[int]]
    teams: NotRequired[list[TeamStanding]]  # only with teams, from the first race on
    arena: NotRequired[Arena]  # only in an arena
    brackets: NotRequired[Brackets]
    next_stage: NotRequired[Stage]  # of the next round
    groups: NotRequired[list[list[int]]]  # the seats of each, by number in the group
    coming: NotRequired[dict[str, int]]  # the next opponent of each in the group; 0: none


class TryRow(NamedTuple):
    """A result of a challenge. ``code``: the room of the try, "" of the challenger.

    ``when``, ``reached_at``: ms since its start.
    """

    name: str
    code: str
    state: Ending
    when: Ms
    home: int
    moves: int
    reached_at: Ms


class Challenge(TypedDict):
    """A challenge, by the guest ``name``; or the deal of a ``day`` (its number and its stars), without a challenger.

    ``ghost``: the ms since the start, and how many cards were home since then; ``locked``: whether a try needs a
    password; ``tries``: how many were begun. The rest is for guests who have finished theirs: the earlier race, how
    many tries have a place, the middle one of these, and the best ones by number. Number 1 is the challenger's own
    result.
    """

    name: str
    result: TryRow | None
    ghost: list[tuple[Ms, int]]
    opens_at: Ms
    closes_at: Ms
    closed: bool
    locked: bool
    tries: int
    day: tuple[int, int] | None
    race: NotRequired[tuple[str, int] | None]
    finished: NotRequired[int]
    median: NotRequired[TryRow | None]
    best: NotRequired[dict[str, TryRow]]


class Member(NamedTuple):
    """A member of a circle. ``leads``: may remove others. ``gone``: is no longer there, but has places in scores."""

    name: str
    leads: bool
    gone: bool


class Score(NamedTuple):
    """The first places of members, by number, in a ``day``, a ``challenge`` (its room) or a ``race`` (CODE/RACE)."""

    kind: Literal["day", "challenge", "race"]
    key: str
    at: Ms
    rows: Sequence[tuple[int, int]]


class Circle(TypedDict):
    """A circle, how many members it has, and whether nobody can join. The rest is for members: how many of the best
    scores count (0: all), the number of the member that may appoint others, the members by number, the rooms of its
    open challenges and when these close, the rooms in which a member waits since a time, and the last scores.
    """

    name: str
    count: int
    closed: bool
    counted: NotRequired[int]
    leader: NotRequired[int | None]
    members: NotRequired[dict[str, Member]]
    deals: NotRequired[dict[str, Ms]]
    races: NotRequired[dict[str, tuple[int, Ms]]]
    scores: NotRequired[list[Score]]


class View(TypedDict):
    """The public view of a room. ``muted``: the muted guests, each by one of their lines of chat.

    ``removed``: the last removed people, each by a number.
    """

    code: str
    host: int | None
    creator: int | None
    locked: bool
    settings: Settings
    people: dict[str, Person]
    #: The face of each seat in the room, in the race or in the tournament; of a challenge: of each shown result.
    faces: dict[str, int]
    race: Race
    past: dict[str, PastRace]
    match: NotRequired[Match]  # only if `best_of` is not 1
    tournament: Tournament | None
    chat: dict[str, ChatLine]
    muted: dict[str, str]
    removed: dict[str, str]
    arena: NotRequired[str]  # for a race of an arena or a try: the room of the arena or the challenge
    challenge: NotRequired[Challenge]
    circle: NotRequired[Circle]
