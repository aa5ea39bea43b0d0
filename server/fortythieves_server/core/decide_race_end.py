"""How a race ends early: by giving up, by agreement, by its host, or because spectators wait for an absent racer. Pure.

Spectators see the boards as far as all racers have revealed cards, so an absent racer holds them back. A racer that
agreed to stand aside gives up by the clock once all others have got further. Until that is final, it can be taken back,
and the boards still wait. So spectators never see a move from a position that a returning racer may still reach.
"""

from collections.abc import Mapping

from fortythieves.errors import Refused, refuse_if
from fortythieves.protocol import to_server
from fortythieves.rules.race_rules import is_final
from fortythieves.times import Ms
from fortythieves_server.core import event_limits, events, rule_context
from fortythieves_server.core.evolve import evolve
from fortythieves_server.core.playthrough import Progress
from fortythieves_server.core.room_state import Room
from fortythieves_server.core.rule_context import Context, Events, advance, not_in_tournament, own_racer, stop_all
from fortythieves_server.core.visibility import waits_for_reveals

#: The others no longer wait for a racer that is away this long. A guess.
ABSENT = Ms(60_000)


def stops_at(room: Room) -> Ms | None:
    """When the race ends for all active racers, if nothing else happens."""
    return rule_context.earliest(room.race.stops_at, None if room.tournament else _nobody_objects_from(room))


def _nobody_objects_from(room: Room) -> Ms | None:
    """When all active racers agree to end the race or are absent. None: a racer plays on, or no person waits."""
    race = room.race
    voted = any(race.racers[seat].wants_end for seat in race.active)
    # Only finished racers: a person that joins the room cannot end the race of others.
    done = [room.people[seat] for seat, racer in race.racers.items() if not racer.racing and seat in room.people]
    waits = any(person.here and not person.bot for person in done)
    if not voted and not waits:
        return None
    at = race.starts_at or Ms(0)
    for seat in race.active:
        racer, person = race.racers[seat], room.people.get(seat)
        if racer.wants_end or (voted and (racer.bot or racer.gave_up_at is not None)):
            continue
        if person is None or person.away_at is None:
            return None
        at = max(at, person.away_at + ABSENT)
    return at


def agree_to_end(room: Room, seat: int, request: to_server.AgreeToEnd, context: Context) -> Events:
    not_in_tournament(room)
    racer = own_racer(room, seat, context.now)
    if racer.wants_end == request.on:
        return []
    refuse_if(racer.end_votes >= event_limits.END_VOTES, "voted-too-often")
    voted = events.EndVoted(seat, request.on)
    after = evolve(room, context.now, voted)
    at = _nobody_objects_from(after) if request.on else None
    return [voted, *(stop_all(after, context) if at is not None and at <= context.now else [])]


def end_race(room: Room, seat: int, request: to_server.EndRace, context: Context) -> Events:
    not_in_tournament(room)
    if not room.race.on:
        return []
    # A stand-in host that does not race cannot end the race of others.
    refuse_if(seat not in room.race.racers and room.people[seat].guest != room.organiser, "not-racing")
    # In the countdown, it never takes place.
    following = [] if room.race.running(context.now) else [rule_context.set_up_race(room, context)]
    return [events.RaceEnded(seat), *stop_all(room, context), *following]


#: A racer that has made a move within this time is not passed by. A guess.
IDLE = Ms(90_000)


def stand_aside(room: Room, seat: int, request: to_server.StandAside, context: Context) -> Events:
    not_in_tournament(room)
    racer = own_racer(room, seat, context.now)
    moves = _moves_of(context.progress, seat) if request.on else None
    if racer.aside == moves:
        return []
    refuse_if(racer.end_votes >= event_limits.END_VOTES, "voted-too-often")
    return [events.StoodAside(seat, moves)]


def passed_by(room: Room, progress: Mapping[int, Progress]) -> dict[int, Ms]:
    """The seats that stand aside and hold the boards back, and when they give up."""
    race = room.race
    if not waits_for_reveals(room.settings) or race.revealing:
        return {}
    got = {seat: advance(race, seat, progress) for seat in race.active}
    aside = {seat for seat in got if race.racers[seat].aside == _moves_of(progress, seat) and race.racers[seat].plays}
    slowest = min((cards for seat, cards in got.items() if seat not in aside), default=None)
    passed = {}
    for seat in aside:
        if slowest is None or got[seat] < slowest:
            person = room.people.get(seat)
            idle_at = (progress[seat].at if seat in progress else race.starts_at or Ms(0)) + IDLE
            away_at = person.away_at if person else None
            passed[seat] = idle_at if away_at is None else min(idle_at, away_at + ABSENT)
    return passed


def _moves_of(progress: Mapping[int, Progress], seat: int) -> int:
    return progress[seat].moves if seat in progress else 0


def due(room: Room, context: Context) -> list[events.GaveUp]:
    if not context.watched or not room.race.running(context.now):
        return []
    return [events.GaveUp(seat) for seat, at in passed_by(room, context.progress).items() if at <= context.now]


#: Earliest time to give up after the start. A guess.
GIVE_UP_AFTER = Ms(5_000)


def give_up(room: Room, seat: int, request: to_server.GiveUp, context: Context) -> Events:
    racer = own_racer(room, seat, context.now)
    refuse_if(context.now < (room.race.starts_at or Ms(0)) + GIVE_UP_AFTER, "too-early")
    plan = room.of_arena or (room.tournament and room.tournament.plan)
    if plan and plan.deadly:
        return [*rule_context.take_out_of_race(room, seat, "left", context)]
    return [] if racer.gave_up_at is not None else [events.GaveUp(seat)]


def take_back(room: Room, seat: int, request: to_server.TakeBack, context: Context) -> Events:
    racer = room.race.racers.get(seat)
    gave_up_at = racer.gave_up_at if racer and racer.racing else None
    # Giving up may be final already, even if that is not in the log yet.
    if (racer and racer.state == "gave_up") or (gave_up_at is not None and is_final(gave_up_at, context.now)):
        raise Refused("not-given-up")
    racer = own_racer(room, seat, context.now)
    if racer.gave_up_at is None:
        return []
    refuse_if(racer.taken_back >= event_limits.TAKEN_BACK, "not-given-up")
    return [events.TookBack(seat)]
