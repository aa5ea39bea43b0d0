"""What the host of a tournament plans: the format, the rounds, who may enter, and when it begins."""

from collections.abc import Mapping
from itertools import pairwise
from types import MappingProxyType
from typing import Annotated, Any, Literal

import msgspec

from fortythieves.errors import Refused
from fortythieves.rules.settings import Settings

Format = Literal["points", "knockout", "swiss"]
Entry = Literal["open", "password", "list"]
Spectators = Literal["password", "open"]

#: No tournament has more rounds, not even with those that are skipped.
MOST_ROUNDS = 30
#: What a round may have of its own, besides what the room's settings say.
OF_A_ROUND = ("game", "time_limit", "undo", "deal")

_HIGHEST_TIME = 2**53 - 1

Points = Annotated[float, msgspec.Meta(ge=0, le=1000)]
PointsTable = Annotated[tuple[Points, ...], msgspec.Meta(min_length=1, max_length=100)]
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=24)]


class Plan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What holds for a whole tournament."""

    #: Of the event.
    name: Annotated[str, msgspec.Meta(max_length=60)] = ""
    #: Who is compared with whom: all with all, or pairs.
    format: Format = "points"
    #: How many rounds; in a knock-out that follows from the number of entrants.
    rounds: Annotated[int, msgspec.Meta(ge=1, le=MOST_ROUNDS)] = 5
    #: Points by place in a round. Further places get none.
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
    #: What each round changes in the room's settings; after the last row it begins again from the first.
    ladder: Annotated[tuple[dict[str, Any], ...], msgspec.Meta(max_length=MOST_ROUNDS)] = ()
    #: Knock-out: whether those who lost the semi-finals race for the third place.
    third_place: bool = True
    #: When the first round begins (ms since the epoch), or None: when the host says so.
    starts_at: Annotated[int, msgspec.Meta(ge=0, le=_HIGHEST_TIME)] | None = None
    #: Whether the further rounds begin by themselves, or when the host says so.
    by_timer: bool = True
    #: Seconds from the end of a round to the start of the next one.
    pause: Annotated[int, msgspec.Meta(ge=20, le=86_400)] = 60
    #: Who may enter: everybody, whoever knows the password, whoever is on the list.
    entry: Entry = "open"
    #: With a password: who may watch, and have records and results. Whoever knows it, too, or everybody with the code.
    spectators: Spectators = "password"
    #: The names that are let in, whatever their case. In a knock-out their order is the seeding.
    listed: Annotated[tuple[Name, ...], msgspec.Meta(max_length=1000)] = ()
    #: Whether a line of the list is claimed only by its link, and not by typing its name.
    links_only: bool = False
    #: The last round in which somebody may still enter; None: half of them, rounded down; 0: only before the first.
    late: Annotated[int, msgspec.Meta(ge=0, le=MOST_ROUNDS)] | None = None
    #: Seconds from the start of a round until somebody who is not here and made no move is withdrawn.
    no_show: Annotated[int, msgspec.Meta(ge=10, le=3600)] = 60
    #: One try: no undo, and giving up is final.
    deadly: bool = False
    #: Whether nobody sees anything of the others before the round is over.
    blind: bool = False
    #: Whether racers say nothing in the chat until the round is over.
    quiet: bool = False

    def changed(self, changes: Mapping[str, Any]) -> "Plan":
        """This plan with some of it changed.

        Raises `Refused` ("bad-plan") with what is wrong in words.
        """
        try:
            plan = msgspec.convert({**msgspec.to_builtins(self), **changes}, Plan)
        except msgspec.ValidationError as error:
            raise _bad(str(error)) from None
        plan.check()
        return plan

    def check(self) -> None:
        """Raise `Refused` for what the types cannot say."""
        if any(round(value, 2) != value for value in self.points):
            raise _bad("points have at most two decimals")
        if any(better < worse for better, worse in pairwise(self.points)):
            raise _bad("no place gets more points than the place before it")
        for row in self.ladder:
            _check_row(row)
        if len({name.casefold() for name in self.listed}) < len(self.listed):
            raise _bad("a name is on the list twice")

    def settings_of(self, room: Settings, number: int) -> Settings:
        """The settings of a round (the first is 1), in a room that has these."""
        row = self.ladder[(number - 1) % len(self.ladder)] if self.ladder else {}
        deadly = {"undo": "none"} if self.deadly else {}
        # Nobody joins a round that runs, and none begins because everybody is ready.
        return room.changed({**row, **deadly, "late": "watch", "auto_start": False})

    def rounds_of(self, entrants: int) -> int:
        """How many rounds there will be, with so many in the first draw."""
        if self.format != "knockout":
            return self.rounds
        return (entrants - 1).bit_length() if entrants > 1 else 0

    def late_until(self, entrants: int) -> int:
        """The last round in which somebody may still enter; 0: nobody after the first draw."""
        if self.format == "knockout":
            return 0
        rounds = self.rounds_of(entrants)
        # Who came in during the last round would never be drawn.
        return min(rounds // 2 if self.late is None else self.late, rounds - 1)

    def may_enter(self, drawn: int, entrants: int) -> bool:
        """Whether somebody new may enter when so many rounds are drawn."""
        return drawn <= self.late_until(entrants)


def _check_row(row: Mapping[str, Any]) -> None:
    if unknown := sorted(set(row) - set(OF_A_ROUND)):
        raise _bad(f"a round has no setting {unknown[0]!r} of its own")
    try:
        settings = Settings().changed(row)
    except Refused as refused:
        raise _bad(str(refused.details.get("detail", refused)).rstrip(".")) from None
    if settings.practice is not None:
        raise _bad("a round is on a secret deal or on a numbered one")


def _bad(detail: str) -> Refused:
    return Refused("bad-plan", detail=detail)


#: What a host may begin with: changes to the plan that nobody touched.
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
