"""The state of an arena: the races under way, the results of the others, and the waiting racers. Pure.

Each race has a separate room (`events.OfArena`). The log of the arena only has the matches and their results. So the
messages to the people in the arena do not grow with the number of races.
"""

from collections.abc import Mapping
from typing import Any, SupportsFloat

import msgspec
from msgspec.structs import replace

from fortythieves.rules.ranking import Result
from fortythieves.times import Ms, ms_of
from fortythieves.tournament.arena import Sheet, after, sheets
from fortythieves.tournament.plan import Plan
from fortythieves.tournament.results import Entrants, field
from fortythieves.tournament.rounds import Correction, Round
from fortythieves_server.core import events, view_types

#: How many races that were over last are shown.
SHOWN = 10


class Heat(msgspec.Struct, frozen=True):
    """A race of an arena, which is under way or over."""

    number: int
    code: str  # its room
    seats: tuple[int, ...]
    at: Ms
    game: str
    starts_at: Ms = Ms(0)
    race: Mapping[int, Result] | None = None  # none: under way. Empty: it never began, because its room is gone.
    skipped: bool = False
    corrections: tuple[Correction, ...] = ()
    early: tuple[int, ...] = ()  # who gave up too early, or did nothing

    @property
    def round(self) -> Round:
        races = (self.race,) if self.race else ()
        return Round(
            self.number,
            self.seats,
            races=races,
            skipped=self.skipped,
            corrections=self.corrections,
            early=self.early,
        )


class Arena(msgspec.Struct, frozen=True):
    opened_at: Ms | None = None
    stopped_at: Ms | None = None  # when a host has ended it early
    under_way: Mapping[int, Heat] = {}  # the races under way, by number
    ended: Mapping[int, Heat] = {}  # the races that are over, by number, in the order in which they ended
    sheets: Mapping[int, Sheet] = {}  # the points and wins of each seat
    #: By seat: the others in the last race, and when that ended, or the seat entered.
    last: Mapping[int, frozenset[int]] = {}
    since: Mapping[int, Ms] = {}
    count: int = 0  # how many races were begun

    @property
    def racing(self) -> dict[int, int]:
        return {seat: heat.number for heat in self.under_way.values() for seat in heat.seats}

    def heats(self) -> list[Heat]:
        """The races that are over, by number."""
        return [heat for _, heat in sorted(self.ended.items())]

    def closes_at(self, plan: Plan) -> Ms | None:
        """From when on no race begins. None: it is not open yet."""
        if self.opened_at is None:
            return None
        at = self.opened_at + ms_of(60 * plan.minutes)
        return at if self.stopped_at is None else min(at, self.stopped_at)


def matched(arena: Arena, at: Ms, event: events.Matched, games: Mapping[int, str]) -> Arena:
    """The arena when races begin. ``games``: the game of each race, by its number."""
    begun = {race.number: Heat(race.number, race.code, race.seats, at, games[race.number]) for race in event.races}
    others = {seat: frozenset(race.seats) - {seat} for race in event.races for seat in race.seats}
    return replace(
        arena, under_way={**arena.under_way, **begun}, last={**arena.last, **others}, count=max([arena.count, *begun])
    )


def ended(arena: Arena, at: Ms, event: events.HeatEnded, plan: Plan, entrants: Entrants) -> Arena:
    heat = arena.under_way.get(event.number)
    if heat is None:
        return arena
    race = {one.seat: one.result for one in event.results}
    done = replace(heat, race=race, starts_at=event.starts_at, early=event.early)
    return replace(
        arena,
        under_way={number: one for number, one in arena.under_way.items() if number != event.number},
        ended={**arena.ended, done.number: done},
        sheets={**arena.sheets, **after(plan, entrants, arena.sheets, done.round)},
        since={**arena.since, **dict.fromkeys(heat.seats, at)},
    )


def changed(arena: Arena, number: int, **changes: Any) -> Arena:
    """The arena with a race that is over changed by a host: `skipped`, or with `corrections`."""
    return replace(arena, ended={**arena.ended, number: replace(arena.ended[number], **changes)})


def counted(arena: Arena, plan: Plan, entrants: Entrants) -> Arena:
    return replace(arena, sheets=sheets(plan, entrants, (heat.round for heat in arena.heats())))


def shown(arena: Arena, plan: Plan, entrants: Entrants) -> view_types.Arena:
    """The public view. Each part that changes is small, because all people in the room receive it."""
    # The sheets have the points of the last races. A race that began earlier may end later.
    last = [*arena.ended.values()][-SHOWN:]
    return {
        "opened_at": arena.opened_at,
        "closes_at": arena.closes_at(plan),
        "under_way": {
            str(heat.number): view_types.Heat(heat.code, heat.at, list(heat.seats), heat.game)
            for heat in arena.under_way.values()
        },
        "ended": {str(heat.number): _ended(heat, entrants) for heat in last},
        "sheets": {str(seat): _sheet(sheet) for seat, sheet in arena.sheets.items()},
        "racing": {str(seat): number for seat, number in arena.racing.items()},
    }


def _sheet(sheet: Sheet) -> view_types.Sheet:
    total, last = short(sheet.total), short(sheet.points[-1]) if sheet.points else 0
    return view_types.Sheet(total, len(sheet.points), sheet.wins, sheet.row, sheet.solved, sheet.home, last)


def _ended(heat: Heat, entrants: Entrants) -> view_types.HeatResult:
    places = field(entrants, heat.round)
    rows: list[tuple[int, int | None, view_types.RacerState, int]] = [
        (seat, places.get(seat), one.state, one.home) for seat, one in (heat.race or {}).items()
    ]
    return view_types.HeatResult(heat.code, heat.game, rows, heat.skipped, shown_corrections(heat.round))


def shown_corrections(done: Round) -> list[view_types.Correction]:
    return [view_types.Correction(one.seat, short(one.value), one.reason) for one in done.corrections]


def short(value: SupportsFloat) -> float:
    """The same number, as a whole number if it is one. In JSON that takes a quarter of the bytes."""
    number = float(value)
    return int(number) if number.is_integer() else number
