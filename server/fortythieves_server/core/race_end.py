"""When a race is ended for all who still race, though its time is not over. Pure.

A win can bring the end nearer, the host can end a race among friends, and so can those who still race, if they agree.
Nobody waits for somebody who is away.
"""

from fortythieves.errors import Refused
from fortythieves.protocol import to_server
from fortythieves.times import Ms
from fortythieves_server.core import event_limits, events
from fortythieves_server.core.room_state import Room, evolve
from fortythieves_server.core.rule_context import Context, Events, not_in_tournament, on, own_racer, stopped

#: A racer who is away this long holds nobody up any more. A guess.
ABSENT = Ms(60_000)


def stops_at(room: Room) -> Ms | None:
    """When the race is ended for all who still race, as things are."""
    times = (room.race.stops_at, None if room.tournament else _nobody_objects_from(room))
    return min((at for at in times if at is not None), default=None)


def _nobody_objects_from(room: Room) -> Ms | None:
    """From when on all who still race agree to end it or are absent. None: somebody plays on, or nobody waits."""
    race = room.race
    voted = any(race.racers[seat].wants_end for seat in race.active)
    # Only those who have raced: nobody can take a race from somebody by coming into the room.
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


@on(to_server.AgreeToEnd)
def _agree_to_end(room: Room, seat: int, request: to_server.AgreeToEnd, context: Context) -> Events:
    not_in_tournament(room)
    racer = own_racer(room, seat, context.now)
    if racer.wants_end == request.on:
        return []
    if racer.end_votes >= event_limits.END_VOTES:
        raise Refused("voted-too-often")
    voted = events.EndVoted(seat, request.on)
    after = evolve(room, context.now, voted)
    at = _nobody_objects_from(after) if request.on else None
    return [voted, *(stopped(after, context) if at is not None and at <= context.now else [])]


@on(to_server.EndRace, host=True)
def _end_race(room: Room, seat: int, request: to_server.EndRace, context: Context) -> Events:
    not_in_tournament(room)
    if not room.race.on:
        return []
    if not room.race.running(context.now):
        raise Refused("not-started")
    # Somebody who has just come in and stands in for an absent host cannot take the race from those who race.
    if seat not in room.race.racers and room.people[seat].guest != room.organiser:
        raise Refused("not-racing")
    return [*stopped(room, context)]
