"""The state of an arena: the races under way, the results of the others, and the waiting racers. Pure.

Each race has a separate room (`events.OfArena`). The log of the arena only has the matches and their results. So the
messages to the people in the arena do not grow with the number of races.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from fortythieves.rules.ranking import Result
from fortythieves.times import Ms, ms_of
from fortythieves.tournament.arena import Sheet, after, sheets
from fortythieves.tournament.plan import Plan
from fortythieves.tournament.results import Entrants, field
from fortythieves.tournament.rounds import Correction, Played, Round
from fortythieves_server.core import events, view_types

#: How many races that are over are kept together, so that an event copies few of them.
_CHUNK = 100
#: How many races that were over last are shown.
SHOWN = 10


class Heat(msgspec.Struct, frozen=True):
    """A race of an arena, which is under way or over."""

    number: int
    #: Its room.
    code: str
    seats: tuple[int, ...]
    at: Ms
    game: str
    starts_at: Ms = Ms(0)
    #: None: under way. Empty: it never began, because its room is gone.
    race: Mapping[int, Played] | None = None
    skipped: bool = False
    corrections: tuple[Correction, ...] = ()

    @property
    def round(self) -> Round:
        races = (self.race,) if self.race else ()
        return Round(self.number, self.seats, races=races, skipped=self.skipped, corrections=self.corrections)


class Arena(msgspec.Struct, frozen=True):
    opened_at: Ms | None = None
    #: When a host has ended it early.
    stopped_at: Ms | None = None
    #: The races under way, by number.
    under_way: Mapping[int, Heat] = {}
    #: The races that are over, in the order in which they ended.
    ended: tuple[tuple[Heat, ...], ...] = ()
    #: The points and wins of each seat.
    sheets: Mapping[int, Sheet] = {}
    #: The others in the last race of a seat.
    last: Mapping[int, frozenset[int]] = {}
    #: When the last race of a seat ended, or the seat entered.
    since: Mapping[int, Ms] = {}
    #: How many races were begun.
    count: int = 0

    @property
    def racing(self) -> dict[int, int]:
        """The race under way of each seat that is in one."""
        return {seat: heat.number for heat in self.under_way.values() for seat in heat.seats}

    def heats(self) -> Iterator[Heat]:
        """The races that are over, by number."""
        yield from sorted((heat for some in self.ended for heat in some), key=lambda heat: heat.number)

    def heat(self, number: int | None) -> Heat | None:
        """The race with this number, if it is over."""
        return next((heat for some in self.ended for heat in some if heat.number == number), None)

    def closes_at(self, plan: Plan) -> Ms | None:
        """From when on no race begins. None: it is not open yet."""
        if self.opened_at is None:
            return None
        at = self.opened_at + ms_of(60 * plan.minutes)
        return at if self.stopped_at is None else min(at, self.stopped_at)


def matched(arena: Arena, at: Ms, event: events.Matched, game_of: Callable[[int], str]) -> Arena:
    """The arena when races begin. ``game_of``: the game of a race, by its number."""
    begun = {race.number: Heat(race.number, race.code, race.seats, at, game_of(race.number)) for race in event.races}
    others = {seat: frozenset(race.seats) - {seat} for race in event.races for seat in race.seats}
    return replace(
        arena,
        under_way={**arena.under_way, **begun},
        last={**arena.last, **others},
        count=max([arena.count, *begun]),
    )


def ended(arena: Arena, at: Ms, event: events.HeatEnded, plan: Plan, entrants: Entrants) -> Arena:
    """The arena when a race is over."""
    heat = arena.under_way.get(event.number)
    if heat is None:
        return arena
    race = {one.seat: _played(one) for one in event.results}
    done = replace(heat, race=race, starts_at=event.starts_at)
    *full, open_ = arena.ended or ((),)
    chunks = (*full, (*open_, done)) if len(open_) < _CHUNK else (*arena.ended, (done,))
    return replace(
        arena,
        under_way={number: one for number, one in arena.under_way.items() if number != event.number},
        ended=chunks,
        sheets={**arena.sheets, **after(plan, entrants, arena.sheets, done.round)},
        since={**arena.since, **dict.fromkeys(heat.seats, at)},
    )


def _played(one: events.Finished) -> Played:
    result = Result(one.end == "solved", one.when, one.home, one.reached_at, one.moves)
    return Played(one.end, result)


def changed(arena: Arena, number: int, **changes: Any) -> Arena:
    """The arena with a race that is over changed by a host: `skipped`, or with `corrections`."""
    return replace(
        arena,
        ended=tuple(
            tuple(replace(heat, **changes) if heat.number == number else heat for heat in some) for some in arena.ended
        ),
    )


def counted(arena: Arena, plan: Plan, entrants: Entrants) -> Arena:
    """The arena with its sheets recomputed, because other races or entrants count now."""
    return replace(arena, sheets=sheets(plan, entrants, (heat.round for heat in arena.heats())))


def shown(arena: Arena, plan: Plan, entrants: Entrants) -> view_types.Arena:
    """The public view. Each part that changes is small, because all people in the room receive it."""
    racing = arena.racing
    # The sheets have the points of the last races. A race that began earlier may end later.
    last = [heat for some in arena.ended[-2:] for heat in some][-SHOWN:]
    return {
        "opened_at": arena.opened_at,
        "closes_at": arena.closes_at(plan),
        "under_way": {str(heat.number): _under_way(heat) for heat in arena.under_way.values()},
        "ended": {str(heat.number): _ended(heat, entrants) for heat in last},
        "sheets": {
            str(seat): view_types.Sheet(
                _short(sheet.total),
                len(sheet.points),
                sheet.wins,
                sheet.row,
                sheet.solved,
                sheet.home,
                _short(sheet.points[-1]) if sheet.points else 0,
            )
            for seat, sheet in arena.sheets.items()
        },
        "racing": {str(seat): number for seat, number in racing.items()},
    }


def _under_way(heat: Heat) -> view_types.Heat:
    return view_types.Heat(heat.code, heat.at, list(heat.seats), heat.game)


def _ended(heat: Heat, entrants: Entrants) -> view_types.HeatResult:
    places = field(entrants, heat.round)
    rows: list[tuple[int, int | None, view_types.RacerState, int]] = [
        (seat, places.get(seat), one.state, one.result.home) for seat, one in (heat.race or {}).items()
    ]
    corrections = [view_types.Correction(one.seat, _short(one.value), one.reason) for one in heat.corrections]
    return view_types.HeatResult(heat.code, heat.game, rows, heat.skipped, corrections)


def _short(value: object) -> float:
    number = float(value)  # type: ignore[arg-type]  # a fraction, or a float
    return int(number) if number.is_integer() else number
