"""The rules of an arena: matching, the rules of the room of one race, and its result in the arena. Pure."""

from collections.abc import Collection, Mapping, Sequence

from msgspec.structs import replace

from fortythieves.errors import Refused, found, refuse_if
from fortythieves.protocol import to_server
from fortythieves.rules.settings import Settings
from fortythieves.times import Ms, ms_of
from fortythieves.tournament.arena import Sheet, early
from fortythieves.tournament.matching import Free, match, next_look
from fortythieves.tournament.results import is_in
from fortythieves_server.core import event_limits, events
from fortythieves_server.core.evolve import evolve
from fortythieves_server.core.names_and_texts import clean_reason
from fortythieves_server.core.playthrough import Progress
from fortythieves_server.core.room_state import Race, Room
from fortythieves_server.core.rule_context import Context, Events, advance, begin_countdown, take_out_of_race
from fortythieves_server.core.tournament import Tournament, settings_of

#: How long a race waits until its racers have moved to its room. A guess.
COME_WITHIN = Ms(8_000)
#: How long after its time limit the arena looks for a race that is not over: its room may be gone. A guess.
OVERDUE = Ms(120_000)


def due(room: Room, tournament: Tournament, context: Context) -> Events:
    """The events that are due by the clock, besides the races to begin (`picks`)."""
    arena = tournament.arena
    if tournament.over:
        return []
    closes_at = arena.closes_at(tournament.plan)
    if closes_at is None:
        at = tournament.next_at
        return [events.ArenaOpened()] if at is not None and context.now >= at else []
    return [events.Decided(0, True)] if context.now >= closes_at and not arena.under_way else []


def next_due(room: Room, tournament: Tournament) -> Ms | None:
    """When `due`, `picks` or `overdue` will next have something to do, or None."""
    arena = tournament.arena
    if tournament.over:
        return None
    closes_at = arena.closes_at(tournament.plan)
    if closes_at is None:
        return tournament.next_at
    times = [_overdue_at(tournament, heat.at) for heat in arena.under_way.values()] or [closes_at]
    if not _is_closed(room, tournament) and room.at < closes_at:
        at = next_look(free(room, tournament), tournament.plan.race_size, room.at)
        times += [] if at is None else [max(at, arena.opened_at or at)]
    return min(times)


def _is_closed(room: Room, tournament: Tournament) -> bool:
    """Whether no race begins for now."""
    full = event_limits.is_full(room.counts, event_limits.Kind.ARENA)
    return tournament.over or tournament.paused or full or tournament.arena.opened_at is None


def free(room: Room, tournament: Tournament) -> list[Free]:
    arena, racing = tournament.arena, tournament.arena.racing
    opened_at = arena.opened_at or Ms(0)
    return [
        Free(
            seat,
            arena.sheets.get(seat, Sheet()).total,
            max(opened_at, person.since, person.back_at, arena.since.get(seat, Ms(0))),
            arena.last.get(seat, frozenset()),
            person.address,
        )
        for seat, entrant in tournament.entrants.items()
        if entrant.state == "in" and seat not in racing
        if (person := room.people.get(seat)) is not None and person.here
    ]


def picks(room: Room, context: Context, without: Collection[int] = ()) -> list[tuple[int, ...]]:
    """The seats of each race to begin now, all of them except ``without``."""
    tournament = room.tournament
    if tournament is None or not tournament.is_arena or _is_closed(room, tournament):
        return []
    closes_at = tournament.arena.closes_at(tournament.plan)
    if closes_at is None or context.now >= closes_at:
        return []
    there = [one for one in free(room, tournament) if one.seat not in without]
    return match(there, tournament.plan.race_size, context.now, context.secret)


def room_of(room: Room, tournament: Tournament, seats: Sequence[int], number: int) -> tuple[Settings, events.OfArena]:
    """The settings of a room for a race of these seats, and its racers."""
    plan = tournament.plan
    settings = settings_of(tournament, number).changed({"seats": len(seats), "public": False})
    if settings.watching == "everyone":  # the front page lists the arena, and not each of its races
        settings = settings.changed({"watching": "link"})
    called = tuple(
        events.Called(seat, person.guest, tournament.entrants[seat].name, person.bot, room.faces[seat])
        for seat in seats
        for person in (room.people[seat],)
    )
    return settings, events.OfArena(room.code, called, plan.no_show, plan.deadly, room.creator)


def matched(room: Room, races: Sequence[tuple[str, tuple[int, ...]]], context: Context) -> Events:
    """The races to begin, each with its room, if all their racers are still free."""
    tournament = room.tournament
    if tournament is None or _is_closed(room, tournament):
        return []
    waiting = {one.seat for one in free(room, tournament)}
    begun: list[events.Match] = []
    for code, seats in races:
        if waiting.issuperset(seats):
            waiting.difference_update(seats)
            begun.append(events.Match(tournament.arena.count + len(begun) + 1, code, seats))
    return [events.Matched(tuple(begun))] if begun else []


def heat_ended(room: Room, code: str, over: events.HeatEnded | None) -> Events:
    """The events of the arena when a race is over. None: its room is gone."""
    tournament = room.tournament
    heats = tournament.arena.under_way.values() if tournament is not None else ()
    heat = next((heat for heat in heats if heat.code == code), None)
    if tournament is None or heat is None:
        return []
    ended = replace(over or events.HeatEnded(0), number=heat.round.number)
    breaks = [
        events.Withdrawn(seat, "no_show")
        for seat in heat.round.seats
        if ended.results and seat not in ended.begun and is_in(tournament.entrants, seat)
    ]
    return [ended, *breaks]


def overdue(tournament: Tournament, now: Ms) -> list[str]:
    """The rooms of races that should be over for a while."""
    heats = tournament.arena.under_way.values()
    return [heat.code for heat in heats if now >= _overdue_at(tournament, heat.at)]


def _overdue_at(tournament: Tournament, at: Ms) -> Ms:
    limits = [tournament.settings.time_limit, *(row.get("time_limit", 0) for row in tournament.plan.ladder)]
    return at + COME_WITHIN + ms_of(tournament.settings.countdown) + ms_of(max(limits)) + OVERDUE


# Requests of hosts


def by_host(room: Room, tournament: Tournament, seat: int, request: to_server.Round, context: Context) -> Events | None:
    """The requests about rounds that mean something else in an arena. None: they mean the same."""
    arena, reason = tournament.arena, clean_reason(request.reason)
    match request.do:
        case "start":
            refuse_if(tournament.over, "no-round")
            going_on: Events = [events.Paused(False, seat)] if tournament.paused else []
            return going_on if tournament.begun else [*going_on, events.Timed(context.now, seat, 1)]
        case "end":
            refuse_if(tournament.phase != "racing", "no-round")
            return [] if arena.stopped_at is not None else [events.RoundStopped(0, seat, reason)]
        case "skip":
            heat = found(arena.ended.get(request.round or 0), "no-race")
            return [] if heat.round.skipped else [events.Skipped(heat.round.number, seat, reason)]
        case "replay" | "confirm":
            raise Refused("no-round")
    return None


# The room of one race


def heat_due(room: Room, context: Context) -> Events:
    """Before a race of an arena: the countdown, once all its racers are there, or have had time to come."""
    if room.race.starts_at is not None or context.now < _counts_at(room):
        return []
    return begin_countdown(room, sorted(room.people), context)


def _counts_at(room: Room) -> Ms:
    ready = all(person.here and person.ready for person in room.people.values())
    return room.at if ready else room.opened_at + COME_WITHIN


def heat_next_due(room: Room, progress: Mapping[int, Progress]) -> Ms | None:
    """When `heat_due`, `no_shows` or telling the arena will next have something to do."""
    race = room.race
    if race.starts_at is None:
        return _counts_at(room)
    if not race.on:
        return None if room.is_reported else room.at
    if _alone(room, progress) is not None:
        return max(room.at, race.starts_at)
    late = _late(room)
    return late if late is not None and {*race.active} - _begun(race, progress) else None


def _late(room: Room) -> Ms | None:
    race, of_arena = room.race, room.of_arena
    if of_arena is None or race.revealing or race.starts_at is None or race.ends_at is None:
        return None
    return min(race.starts_at + ms_of(of_arena.no_show), race.ends_at)


def _begun(race: Race, progress: Mapping[int, Progress]) -> set[int]:
    """The racers that have revealed a card or brought one home."""
    return {seat for seat in race.racers if advance(race, seat, progress)}


def no_shows(room: Room, context: Context) -> Events:
    """End the race for each racer that has not begun in time, and for a racer without any rival."""
    race, late = room.race, _late(room)
    ends: Events = []
    if late is not None and context.now >= late:
        begun = _begun(race, context.progress)
        idle = [seat for seat in race.active if seat not in begun]
        ends += [end for seat in idle for end in take_out_of_race(room, seat, "stopped", context)]
        for end in ends:
            room = evolve(room, context.now, end)
    if (alone := _alone(room, context.progress)) is not None and race.has_started(context.now):
        ends += take_out_of_race(room, alone, "stopped", context)
    return ends


def _alone(room: Room, progress: Mapping[int, Progress]) -> int | None:
    """The racer, if there is one, that races on although all others did not start or gave up too early."""
    race = room.race
    rivals = race.results.keys()
    if len(race.active) != 1 or not rivals or rivals - {*_early(race, progress)}:
        return None
    return race.active[0] if race.active[0] in progress else None


def result_to_report(room: Room, progress: Mapping[int, Progress]) -> events.HeatEnded | None:
    """The result that this room must still report to its arena, if any. The arena knows the number."""
    if room.of_arena is None or room.is_reported or room.race.over_at is None:
        return None
    race, begun = room.race, tuple(sorted(_begun(room.race, progress)))
    results = tuple(events.Finished(seat, *result) for seat, result in sorted(race.results.items()))
    return events.HeatEnded(0, race.starts_at or Ms(0), results, _early(race, progress), begun)


def _early(race: Race, progress: Mapping[int, Progress]) -> tuple[int, ...]:
    """The racers that are done and have not raced."""
    got = {seat: advance(race, seat, progress) for seat in race.results}
    return early(race.results, got, race.starts_at or Ms(0), race.settings.time_limit)
