"""The plan of a tournament: its format, its rounds, who may enter, and when it starts."""

from collections.abc import Mapping
from itertools import pairwise
from types import MappingProxyType
from typing import Annotated, Any, Literal

import msgspec

from fortythieves.errors import Refused
from fortythieves.rules.settings import Settings
from fortythieves.times import Ms

Format = Literal["points", "knockout", "swiss"]
Entry = Literal["open", "password", "list"]
Spectators = Literal["password", "open"]

#: The most rounds of a tournament, including skipped ones.
MOST_ROUNDS = 30
#: The room's settings that a round may replace.
OF_A_ROUND = ("game", "time_limit", "undo", "deal")

_HIGHEST_TIME = 2**53 - 1

Points = Annotated[float, msgspec.Meta(ge=0, le=1000)]
PointsTable = Annotated[tuple[Points, ...], msgspec.Meta(min_length=1, max_length=100)]
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=24)]


class Plan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The settings of a whole tournament."""

    #: The name of the event.
    name: Annotated[str, msgspec.Meta(max_length=60)] = ""
    #: How entrants are compared: all with all, or in pairs.
    format: Format = "points"
    #: The number of rounds. In a knock-out it follows from the number of entrants instead.
    rounds: Annotated[int, msgspec.Meta(ge=1, le=MOST_ROUNDS)] = 5
    #: Points by place in a round. Lower places get none.
    points: Annotated[tuple[Points, ...], msgspec.Meta(min_length=1, max_length=100)] = (
        25,
        18,
        15,
        12,
        10,
        8,
        6,
        4,
        2,
        1,
    )
    #: The changes of each round to the room's settings. After the last row, the first one is used again.
    ladder: Annotated[tuple[dict[str, Any], ...], msgspec.Meta(max_length=MOST_ROUNDS)] = ()
    #: Knock-out: whether the losers of the semi-finals race for third place.
    third_place: bool = True
    #: When the first round starts. None: when the host starts it.
    starts_at: Annotated[Ms, msgspec.Meta(ge=0, le=_HIGHEST_TIME)] | None = None
    #: Whether later rounds start by timer, or when the host starts them.
    by_timer: bool = True
    #: Seconds from the end of a round to the start of the next.
    pause: Annotated[int, msgspec.Meta(ge=20, le=86_400)] = 60
    #: Who may enter: everybody, those who know the password, or those on the list.
    entry: Entry = "open"
    #: For a tournament with a password: whether spectating and downloads need it, or only the room code.
    spectators: Spectators = "password"
    #: The names on the entry list; case is ignored. In a knock-out, their order is the seeding.
    listed: Annotated[tuple[Name, ...], msgspec.Meta(max_length=1000)] = ()
    #: Whether a name on the list can only be claimed by its personal link, not by typing it.
    links_only: bool = False
    #: The last round in which somebody may still enter. None: half the rounds, rounded down. 0: only before the first.
    late: Annotated[int, msgspec.Meta(ge=0, le=MOST_ROUNDS)] | None = None
    #: Seconds from the start of a round after which an absent racer without a move is withdrawn.
    no_show: Annotated[int, msgspec.Meta(ge=10, le=3600)] = 60
    #: One attempt: no undo, and giving up is final.
    deadly: bool = False
    #: Whether progress of the others is hidden until the round is over.
    blind: bool = False
    #: Whether racers cannot chat until the round is over.
    quiet: bool = False

    def changed(self, changes: Mapping[str, Any]) -> "Plan":
        """A copy of this plan with some changes.

        Raises `Refused` ("bad-plan") with a sentence about what is wrong.
        """
        try:
            plan = msgspec.convert({**msgspec.to_builtins(self), **changes}, Plan)
        except msgspec.ValidationError as error:
            raise _bad(str(error)) from None
        plan.check()
        return plan

    def check(self) -> None:
        """Raise `Refused` for what the types cannot express."""
        if any(round(value, 2) != value for value in self.points):
            raise _bad("points-decimals")
        if any(better < worse for better, worse in pairwise(self.points)):
            raise _bad("points-order")
        for row in self.ladder:
            _check_row(row)
        if len({name.casefold() for name in self.listed}) < len(self.listed):
            raise _bad("listed-twice")

    def settings_of(self, room: Settings, number: int) -> Settings:
        """The settings of round ``number`` (from 1) in a room with the settings ``room``."""
        row = self.ladder[(number - 1) % len(self.ladder)] if self.ladder else {}
        deadly = {"undo": "none"} if self.deadly else {}
        # Nobody joins a running round, and a round does not start because everybody is ready.
        return room.changed({**row, **deadly, "late": "watch", "auto_start": False})

    def rounds_of(self, entrants: int) -> int:
        """The number of rounds, with so many entrants in the first draw."""
        if self.format != "knockout":
            return self.rounds
        return (entrants - 1).bit_length() if entrants > 1 else 0

    def late_until(self, entrants: int) -> int:
        """The last round in which somebody may still enter. 0: nobody after the first draw."""
        if self.format == "knockout":
            return 0
        rounds = self.rounds_of(entrants)
        # Somebody who enters during the last round would never be drawn.
        return min(rounds // 2 if self.late is None else self.late, rounds - 1)

    def may_enter(self, drawn: int, entrants: int) -> bool:
        """Whether somebody new may enter after so many draws."""
        return drawn <= self.late_until(entrants)


def _check_row(row: Mapping[str, Any]) -> None:
    if unknown := sorted(set(row) - set(OF_A_ROUND)):
        raise _bad("unknown-round-setting", setting=repr(unknown[0]))
    try:
        settings = Settings().changed(row)
    except Refused as refused:
        raise Refused("bad-plan", **{"detail": str(refused).rstrip("."), **refused.details}) from None
    if settings.practice is not None:
        raise _bad("round-deal")


def _bad(detail: str, **parameters: object) -> Refused:
    return Refused("bad-plan", detail=detail, **parameters)


#: Presets for hosts: changes to the default plan.
PRESETS: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {
        "points-evening": {"format": "points", "rounds": 5},
        "knockout-cup": {"format": "knockout", "pause": 120},
        "swiss-club": {"format": "swiss", "rounds": 5, "pause": 120},
        "ladder": {
            "format": "points",
            "rounds": 5,
            "ladder": (
                {"game": "little-forty"},
                {"game": "number-ten"},
                {"game": "lucas"},
                {"game": "streets"},
                {"game": "forty-thieves"},
            ),
        },
        "classroom-blind": {
            "format": "points",
            "rounds": 3,
            "points": (10, 9, 8, 7, 6, 5, 4, 3, 2, 1),
            "by_timer": False,
            "deadly": True,
            "blind": True,
        },
    }
)
