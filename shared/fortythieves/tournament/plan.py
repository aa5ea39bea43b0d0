"""The plan of a tournament: its format, its rounds, its entry rules, and its start."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise, zip_longest
from types import MappingProxyType
from typing import Annotated, Any, Literal

import msgspec
from msgspec import inspect
from msgspec.structs import replace

from fortythieves.errors import Refused
from fortythieves.rules.settings import SECRET, Settings
from fortythieves.times import Ms
from fortythieves.tournament.berger import count_of, largest, levels, rounds_in, snake

Format = Literal["points", "knockout", "double", "swiss", "roundrobin", "arena"]
Entry = Literal["open", "password", "list"]
Spectators = Literal["password", "open"]
Tiebreak = Literal[
    "wins", "solved", "home", "par", "best", "last", "beaten", "buchholz", "buchholz_cut1", "sonneborn", "direct"
]

#: The tie-breaks of each format that a host can choose from.
TIEBREAKS: Mapping[Format, tuple[Tiebreak, ...]] = MappingProxyType(
    {
        "points": ("wins", "solved", "home", "par", "best", "last"),
        "knockout": ("beaten",),
        "double": ("beaten",),
        "swiss": ("buchholz", "buchholz_cut1", "sonneborn", "direct", "wins", "home", "par"),
        "roundrobin": ("direct", "sonneborn", "wins", "home"),
        "arena": ("wins", "solved", "home"),
    }
)
#: Those that decide if the host chooses none, in this order. In a Swiss, wins come first. Exact ties are rare, so of
#: two with equal scores the one with fewer wins has points from byes, and the one that raced for them is ahead.
DEFAULT_TIEBREAKS: Mapping[Format, tuple[Tiebreak, ...]] = MappingProxyType(
    {**TIEBREAKS, "points": ("wins", "solved", "home"), "swiss": ("wins", "buchholz", "direct", "sonneborn", "home")}
)
#: The formats in which all rounds follow from the first draw.
SCHEDULED: frozenset[Format] = frozenset({"knockout", "double", "roundrobin"})

#: The fields of a plan with lists of names: entrants, their teams, and groups that are kept apart.
LISTS = ("listed", "listed_teams", "apart")

#: The most others from whom an entrant can be kept apart. With the opponents of 29 rounds these are fewer than half of
#: 158 entrants. So among as many or more there is a pairing without any of them (Dirac), and it is found quickly.
MOST_APART = 49
#: The most groups that are kept apart.
MOST_GROUPS_APART = 100

#: The most rounds of a tournament, including skipped ones.
MOST_ROUNDS = 30
#: The most groups of a round robin, and the most of each that qualify.
MOST_GROUPS = 32
MOST_ADVANCING = 8
#: The most names on an entry list.
MOST_LISTED = 1000
#: The formats in which teams can compete, and how many members of a team count at most.
TEAM_FORMATS: frozenset[Format] = frozenset({"points", "swiss"})
LARGEST_TEAM = 10
#: How many members more than boards a team of a Swiss can have by default.
RESERVES = 4
#: The room's settings that a round may replace.
OF_A_ROUND = ("game", "time_limit", "undo", "deal")

_HIGHEST_TIME = 2**53 - 1

Points = Annotated[float, msgspec.Meta(ge=0, le=1000)]
PointsTable = Annotated[tuple[Points, ...], msgspec.Meta(min_length=1, max_length=100)]
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=24)]
TeamName = Annotated[str, msgspec.Meta(max_length=24)]
Group = Annotated[tuple[Name, ...], msgspec.Meta(min_length=2, max_length=MOST_APART + 1)]


class Plan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The settings of a whole tournament."""

    #: The name of the event.
    name: Annotated[str, msgspec.Meta(max_length=60)] = ""
    #: A description, prizes, rules. Plain text of several lines.
    about: Annotated[str, msgspec.Meta(max_length=2000)] = ""
    #: How entrants are compared: all with all, in pairs, or in many small races of free entrants.
    format: Format = "points"
    #: The number of rounds. If there is a schedule, it follows from the number of entrants instead.
    rounds: Annotated[int, msgspec.Meta(ge=1, le=MOST_ROUNDS)] = 5
    #: Points by place in a round. Lower places get none.
    points: PointsTable = (25, 18, 15, 12, 10, 8, 6, 4, 2, 1)
    #: The tie-breaks, in the order in which they decide. None: `DEFAULT_TIEBREAKS`.
    tiebreaks: Annotated[tuple[Tiebreak, ...], msgspec.Meta(min_length=1, max_length=10)] | None = None
    #: The changes of each round to the room's settings. After the last row, the first one follows.
    ladder: Annotated[tuple[dict[str, Any], ...], msgspec.Meta(max_length=MOST_ROUNDS)] = ()
    #: Knock-out: whether the losers of the semi-finals race for third place.
    third_place: bool = True
    #: Double elimination: whether there is a second final if the first one is won from the losers' bracket.
    second_final: bool = True
    #: Round robin: the number of groups, if enough enter.
    groups: Annotated[int, msgspec.Meta(ge=1, le=MOST_GROUPS)] = 1
    #: Round robin: how many of each group go on into a knock-out. None: two, or none if there is one group.
    advance: Annotated[int, msgspec.Meta(ge=0, le=MOST_ADVANCING)] | None = None
    #: When the first round starts. None: when the host starts it.
    starts_at: Annotated[Ms, msgspec.Meta(ge=0, le=_HIGHEST_TIME)] | None = None
    #: Whether later rounds start by timer, or when the host starts them.
    by_timer: bool = True
    #: Seconds from the end of a round to the start of the next.
    pause: Annotated[int, msgspec.Meta(ge=20, le=86_400)] = 60
    #: Entry: for all, with a password, or for a list of names.
    entry: Entry = "open"
    #: For a tournament with a password: whether spectating and downloads need it, or only the room code.
    spectators: Spectators = "password"
    #: The names on the entry list; case is ignored. If there are seeds, this is their order.
    listed: Annotated[tuple[Name, ...], msgspec.Meta(max_length=MOST_LISTED)] = ()
    #: The team of each line of the list, in the same order. "": none; so are those that are missing at the end.
    listed_teams: Annotated[tuple[TeamName, ...], msgspec.Meta(max_length=MOST_LISTED)] = ()
    #: Whether a name on the list can only be claimed by its personal link, not by typing it.
    links_only: bool = False
    #: The most entrants in the tournament at a time. None: as many as the room has seats for.
    most: Annotated[int, msgspec.Meta(ge=2, le=MOST_LISTED)] | None = None
    #: Seconds before the first round at which registration closes. None: it does not close by itself.
    entry_closes: Annotated[int, msgspec.Meta(ge=0, le=604_800)] | None = None
    #: Seconds before the first round at which check-in ends. 0: there is none.
    check_in: Annotated[int, msgspec.Meta(ge=0, le=7_200)] = 0
    #: The last round during which an entrant may still enter. None: half the rounds, rounded down. 0: none.
    late: Annotated[int, msgspec.Meta(ge=0, le=MOST_ROUNDS)] | None = None
    #: Points and Swiss: how many members of a team count in a round; in a Swiss, these are its boards. 0: no teams.
    team_size: Annotated[int, msgspec.Meta(ge=0, le=LARGEST_TEAM)] = 0
    #: The most members of a team. None: in a Swiss `RESERVES` more than boards, otherwise as many as enter.
    team_most: Annotated[int, msgspec.Meta(ge=2, le=MOST_LISTED)] | None = None
    #: Swiss: groups of names, for example of a club. No pair is within a group if that can be avoided. If there
    #: are teams, these are names of teams.
    apart: Annotated[tuple[Group, ...], msgspec.Meta(max_length=MOST_GROUPS_APART)] = ()
    #: Swiss: how many half-point byes an entrant may ask for. One is usual in chess.
    half_byes: Annotated[int, msgspec.Meta(ge=0, le=2)] = 1
    #: Swiss: the last round with half-point byes. None: the last but one, and it is never a later one.
    half_byes_until: Annotated[int, msgspec.Meta(ge=1, le=MOST_ROUNDS)] | None = None
    #: Seconds from the start of a round after which an absent racer without a move is withdrawn.
    no_show: Annotated[int, msgspec.Meta(ge=10, le=3600)] = 60
    #: One attempt: no undo, and giving up is final.
    deadly: bool = False
    #: Whether progress of the others is hidden until the round is over.
    blind: bool = False
    #: Whether racers cannot chat until the round is over.
    quiet: bool = False
    #: Arena: for how many minutes races begin.
    minutes: Annotated[int, msgspec.Meta(ge=5, le=480)] = 60
    #: Arena: how many are in a race.
    race_size: Annotated[int, msgspec.Meta(ge=2, le=10)] = 2
    #: Arena: how many wins in a row double the points of the races that follow. 0: none.
    streak: Annotated[int, msgspec.Meta(ge=0, le=9)] = 2

    @property
    def tiebreak_order(self) -> tuple[Tiebreak, ...]:
        """The tie-breaks that decide, in this order."""
        return DEFAULT_TIEBREAKS[self.format] if self.tiebreaks is None else self.tiebreaks

    def changed(self, changes: Mapping[str, Any]) -> "Plan":
        """A copy of this plan with some changes. Raises `Refused` ("bad-plan") with a sentence about the mistake."""
        try:
            plan = msgspec.convert({**msgspec.to_builtins(self), **changes}, Plan)
        except msgspec.ValidationError as error:
            _check_bounds(changes)
            raise _bad(str(error)) from None
        plan.check()
        return plan

    @property
    def names(self) -> int:
        """How many names are in its lists; a group that is kept apart counts as one."""
        return sum(len(getattr(self, name)) for name in LISTS)

    def with_lists_of(self, other: "Plan", lists: Iterable[str] = LISTS) -> "Plan":
        """The same with these lists of names of another plan."""
        return replace(self, **{name: getattr(other, name) for name in lists})

    def check(self) -> None:
        """Raise `Refused` for a plan that does not work, although its types are right."""
        for row in self.ladder:
            _check_row(row)
        has_groups, team_most = self.format == "roundrobin", self.team_most
        wrong = {
            "points-decimals": any(round(value, 2) != value for value in self.points),
            "points-order": any(better < worse for better, worse in pairwise(self.points)),
            "listed-twice": len({name.casefold() for name in self.listed}) < len(self.listed),
            "arena-open": self.format == "arena" and (self.blind or self.quiet),
            "tiebreak-twice": len({*self.tiebreak_order}) < len(self.tiebreak_order),
            "team-lines": len(self.listed_teams) > len(self.listed),
            "team-format": self.team_size > 0 and self.format not in TEAM_FORMATS,
            "team-one": self.team_size == 1,
            "team-most": self.team_size > 0 and team_most is not None and team_most < self.team_size,
            "groups-advance": has_groups and self.groups > 1 and not self.advancing,
            "groups-one": has_groups and self.groups == 1 and self.advancing == 1,
        }
        for detail in (detail for detail, is_wrong in wrong.items() if is_wrong):
            raise _bad(detail)
        for tiebreak in self.tiebreak_order:
            if tiebreak not in TIEBREAKS[self.format]:
                raise _bad("tiebreak-of-format", tiebreak=tiebreak)
        for name, group in kept_apart(self.apart).items():
            if len(group) > MOST_APART + 1:
                raise _bad("apart-many", name=name, most=MOST_APART)
        self.check_room(len(self.listed))

    def check_room(self, entrants: int) -> None:
        """Raise `Refused` if there are too many entrants for the groups."""
        if self.most_entrants is not None and entrants > self.most_entrants:
            raise _bad("groups-full", groups=self.groups, entrants=entrants, most=self.most_entrants)

    @property
    def advancing(self) -> int:
        """How many of each group go on."""
        return self.advance if self.advance is not None else 2 if self.groups > 1 else 0

    @property
    def most_entrants(self) -> int | None:
        """How many can take part so that there are not too many rounds. None: as many as the room has seats."""
        if self.format != "roundrobin":
            return None
        return self.groups * largest(MOST_ROUNDS - levels(self.groups * self.advancing))

    @property
    def has_boards(self) -> bool:
        """Whether teams meet, with a board for each member."""
        return self.team_size > 0 and self.format == "swiss"

    @property
    def most_members(self) -> int | None:
        """How many members of a team can be in at a time. None: as many as enter."""
        if self.team_most is not None:
            return self.team_most
        return self.team_size + RESERVES if self.has_boards else None

    @property
    def team_of_line(self) -> dict[str, str]:
        """The team of each line of the entry list, by its name. "": none."""
        return dict(zip_longest(self.listed, self.listed_teams, fillvalue=""))

    def settings_of(self, room: Settings, number: int) -> Settings:
        """The settings of round ``number`` (from 1) in a room with the settings ``room``."""
        row = self.ladder[(number - 1) % len(self.ladder)] if self.ladder else {}
        deadly = {"undo": "none"} if self.deadly else {}
        # If several races had one deal, later racers would know the cards.
        secret = {"deal": SECRET} if self.format == "arena" else {}
        # No racer joins a running round, and a round does not start because all are ready.
        return room.changed({**row, **deadly, **secret, "late": "watch", "auto_start": False})

    @property
    def has_schedule(self) -> bool:
        """Whether all later rounds follow from the first draw, so that nobody chooses, skips or enters late."""
        return self.format in SCHEDULED

    @property
    def last_half_bye(self) -> int:
        """The last round in which an entrant may have a half-point bye. 0: there is none. Teams have reserves."""
        if self.format != "swiss" or self.team_size or not self.half_byes:
            return 0
        last = self.rounds - 1  # An opponent could not answer a result of the last round.
        return last if self.half_byes_until is None else min(self.half_byes_until, last)

    def rounds_of(self, entrants: int) -> int:
        """The number of rounds, given the number of entrants in the first draw."""
        if not self.has_schedule:
            return self.rounds
        if self.format == "double":
            return 2 * levels(entrants) + self.second_final
        if self.format == "knockout":
            return levels(entrants)
        count = count_of(entrants, self.groups, self.advancing)
        sizes = [len(group) for group in snake(range(entrants), count)]
        return max(map(rounds_in, sizes)) + levels(sum(min(self.advancing, size) for size in sizes))

    def late_until(self, entrants: int) -> int:
        """The last round during which an entrant may still enter. 0: none after the first draw."""
        if self.has_schedule:
            return 0
        rounds = self.rounds_of(entrants)
        # An entrant who enters during the last round would never be drawn.
        return min(rounds // 2 if self.late is None else self.late, rounds - 1)

    def may_enter(self, drawn: int, entrants: int, *, ended: bool) -> bool:
        """Whether a new entrant may enter after this many draws. ``ended``: whether the round drawn last is over."""
        if not drawn:
            return True
        last = self.late_until(entrants)
        return drawn < last or (drawn == last and not ended)


def _check_bounds(changes: Mapping[str, Any]) -> None:
    """Raise `Refused` for a whole number that is too low or too high, and for too long a list."""
    for name, least, most in bounds():
        value = changes.get(name)
        if type(value) is int and not least <= value <= most:
            raise _bad("out-of-range", setting=name, least=least, most=most)
    listed = changes.get("listed")
    if isinstance(listed, Sequence) and len(listed) > MOST_LISTED:
        raise _bad("list-long", names=len(listed), most=MOST_LISTED)


def bounds() -> Iterator[tuple[str, int, int]]:
    """The settings that are whole numbers, each with its lowest and highest value."""
    for field in inspect.type_info(Plan).fields:  # type: ignore[attr-defined]  # a struct has fields
        kinds = field.type.types if isinstance(field.type, inspect.UnionType) else (field.type,)
        for kind in kinds:
            if isinstance(kind, inspect.IntType) and kind.ge is not None and kind.le is not None:
                yield field.name, kind.ge, kind.le


def kept_apart(groups: Sequence[Sequence[str]]) -> dict[str, frozenset[str]]:
    """For each name in the groups (casefolded), this name and those it is kept apart from: all, or already too many."""
    apart: dict[str, frozenset[str]] = {}
    for group in groups:
        names = frozenset(name.casefold() for name in group)
        joined: dict[frozenset[str], frozenset[str]] = {}  # most names of a group were in the same groups before
        for name in names:
            known = apart.get(name, names)
            if known not in joined:
                joined[known] = known if len(known) > MOST_APART + 1 else known | names
            apart[name] = joined[known]
    return apart


def _check_row(row: Mapping[str, Any]) -> None:
    if unknown := sorted(set(row) - set(OF_A_ROUND)):
        raise _bad("unknown-round-setting", setting=repr(unknown[0]))
    try:
        Settings().changed(row)
    except Refused as refused:
        raise Refused("bad-plan", **{"detail": str(refused).rstrip("."), **refused.details}) from None


def _bad(detail: str, **parameters: object) -> Refused:
    return Refused("bad-plan", detail=detail, **parameters)
