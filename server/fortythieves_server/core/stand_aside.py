"""Racers who agree that nobody waits for them: if the boards wait for one of them, that racer gives up. Pure.

The boards are shown as far as the slowest racer is. So one who has left the table holds all of them back. Whoever
agrees to stand aside gives up by the clock, once all others have made more moves. This can be taken back for as long as
any giving up, and until it is final the racer still counts as the slowest. So nobody comes back after something was
shown that they had not reached.
"""

from collections.abc import Mapping

from fortythieves.errors import Refused
from fortythieves.protocol import to_server
from fortythieves.times import Ms
from fortythieves_server.core import event_limits, events
from fortythieves_server.core.playthrough import Progress
from fortythieves_server.core.race_end import ABSENT
from fortythieves_server.core.room_state import Room
from fortythieves_server.core.rule_context import Context, Events, not_in_tournament, on, own_racer

#: Nobody who has made a move within this time is passed by. A guess.
IDLE = Ms(90_000)


@on(to_server.StandAside)
def _stand_aside(room: Room, seat: int, request: to_server.StandAside, context: Context) -> Events:
    not_in_tournament(room)
    racer = own_racer(room, seat, context.now)
    moves = _moves_of(context.progress, seat) if request.on else None
    if racer.aside == moves:
        return []
    if racer.end_votes >= event_limits.END_VOTES:
        raise Refused("voted-too-often")
    return [events.StoodAside(seat, moves)]


def passed_by(room: Room, progress: Mapping[int, Progress]) -> dict[int, Ms]:
    """The seats that stand aside and hold the boards back, and when they give up."""
    race = room.race
    if room.settings.watch != "frontier" or room.settings.late == "join" or race.revealing:
        return {}
    moves = {seat: _moves_of(progress, seat) for seat in race.active}
    aside = {seat for seat in moves if race.racers[seat].aside == moves[seat] and race.racers[seat].plays}
    slowest = min((made for seat, made in moves.items() if seat not in aside), default=None)
    return {seat: _idle_at(room, progress, seat) for seat in aside if slowest is None or moves[seat] < slowest}


def _moves_of(progress: Mapping[int, Progress], seat: int) -> int:
    return progress[seat].moves if seat in progress else 0


def _idle_at(room: Room, progress: Mapping[int, Progress], seat: int) -> Ms:
    """When the seat has made no move for long enough, or has been away for as long as nobody waits."""
    idle = (progress[seat].at if seat in progress else room.race.starts_at or Ms(0)) + IDLE
    person = room.people.get(seat)
    return idle if person is None or person.away_at is None else min(idle, person.away_at + ABSENT)


def due(room: Room, context: Context) -> list[events.GaveUp]:
    """Whoever stands aside gives up for the sake of those who watch."""
    if not context.watched or not room.race.running(context.now):
        return []
    return [events.GaveUp(seat) for seat, at in passed_by(room, context.progress).items() if at <= context.now]
