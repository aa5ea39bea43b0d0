"""The state of an arena: the races under way, the results of the others, and the waiting racers. Pure.

Each race has a separate room (`events.OfArena`). The log of the arena only has the matches and their results. So the
messages to the people in the arena do not grow with the number of races.
"""

from collections.abc import Mapping
from typing import Any, SupportsFloat

import msgspec
from msgspec.structs import replace

from fortythieves.times import Ms, ms_of
from fortythieves.tournament.arena import Sheet, after, sheets
from fortythieves.tournament.plan import Plan
from fortythieves.tournament.results import Entrants, field
from fortythieves.tournament.rounds import Round
from fortythieves_server.core import events, view_types

#: How many races that were over last are shown.
SHOWN = 10


class Heat(msgspec.Struct, frozen=True):
    """A race of an arena, which is under way or over."""

    round: Round  # once it is over, with its race, unless it never began because its room is gone
    code: str  # its room
    at: Ms
    game: str
    starts_at: Ms = Ms(0)


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
        return {seat: number for number, heat in self.under_way.items() for seat in heat.round.seats}

    def heats(self) -> dict[int, Heat]:
        """The races that are over, by number, without those that never began."""
        return {number: heat for number, heat in sorted(self.ended.items()) if heat.round.races}

    def closes_at(self, plan: Plan) -> Ms | None:
        """From when on no race begins. None: it is not open yet."""
        if self.opened_at is None:
            return None
        at = self.opened_at + ms_of(60 * plan.minutes)
        return at if self.stopped_at is None else min(at, self.stopped_at)


def matched(arena: Arena, at: Ms, event: events.Matched, games: Mapping[int, str]) -> Arena:
    """The arena when races begin. ``games``: the game of each race, by its number."""
    rounds = ((race.code, Round(race.number, race.seats)) for race in event.races)
    begun = {one.number: Heat(one, code, at, games[one.number]) for code, one in rounds}
    others = {seat: frozenset(race.seats) - {seat} for race in event.races for seat in race.seats}
    return replace(
        arena, under_way={**arena.under_way, **begun}, last={**arena.last, **others}, count=max([arena.count, *begun])
    )


def ended(arena: Arena, at: Ms, event: events.HeatEnded, plan: Plan, entrants: Entrants) -> Arena:
    heat = arena.under_way.get(event.number)
    if heat is None:
        return arena
    races = ({one.seat: one.result for one in event.results},) if event.results else ()
    done = replace(heat.round, races=races, early=event.early)
    return replace(
        arena,
        under_way={number: one for number, one in arena.under_way.items() if number != event.number},
        ended={**arena.ended, done.number: replace(heat, round=done, starts_at=event.starts_at)},
        sheets={**arena.sheets, **after(plan, entrants, arena.sheets, done)},
        since={**arena.since, **dict.fromkeys(done.seats, at)},
    )


def changed(arena: Arena, number: int, **changes: Any) -> Arena:
    """The arena with a race that is over changed by a host: `skipped`, or with `corrections`."""
    heat = arena.ended[number]
    return replace(arena, ended={**arena.ended, number: replace(heat, round=replace(heat.round, **changes))})


def counted(arena: Arena, plan: Plan, entrants: Entrants) -> Arena:
    return replace(arena, sheets=sheets(plan, entrants, (heat.round for heat in arena.heats().values())))


def shown(arena: Arena, plan: Plan, entrants: Entrants) -> view_types.Arena:
    """The public view. Each part that changes is small, because all people in the room receive it."""
    # The sheets have the points of the last races. A race that began earlier may end later.
    last = [*arena.ended.items()][-SHOWN:]
    return {
        "opened_at": arena.opened_at,
        "closes_at": arena.closes_at(plan),
        "under_way": {
            str(number): view_types.Heat(heat.code, heat.at, list(heat.round.seats), heat.game)
            for number, heat in arena.under_way.items()
        },
        "ended": {str(number): _ended(heat, entrants) for number, heat in last},
        "sheets": {str(seat): _sheet(sheet) for seat, sheet in arena.sheets.items()},
        "racing": {str(seat): number for seat, number in arena.racing.items()},
    }


def _sheet(sheet: Sheet) -> view_types.Sheet:
    total, last = short(sheet.total), short(sheet.points[-1]) if sheet.points else 0
    return view_types.Sheet(total, len(sheet.points), sheet.wins, sheet.row, sheet.solved, sheet.home, last)


def _ended(heat: Heat, entrants: Entrants) -> view_types.HeatResult:
    done, places = heat.round, field(entrants, heat.round)
    rows: list[tuple[int, int | None, view_types.RacerState, int]] = [
        (seat, places.get(seat), one.state, one.home) for race in done.races for seat, one in race.items()
    ]
    return view_types.HeatResult(heat.code, heat.game, rows, done.skipped, shown_corrections(done))


def shown_corrections(done: Round) -> list[view_types.Correction]:
    return [view_types.Correction(one.seat, short(one.value), one.reason) for one in done.corrections]


def short(value: SupportsFloat) -> float:
    """The same number, as a whole number if it is one. In JSON that takes a quarter of the bytes."""
    number = float(value)
    return int(number) if number.is_integer() else number
