"""Who may have the record of a race, and the files of a tournament. Pure.

A code is the right to come, and to see what one who comes is shown. Where its host lets nobody watch, or not without a
password, it is no more than that.
"""

from fortythieves_server.core.room_state import Race, Room


def asks_watchers(room: Room) -> bool:
    """Whether whoever watches has to say the tournament's password."""
    held = room.tournament
    return held is not None and held.plan.entry == "password" and held.plan.spectators == "password"


def is_of(room: Room, guest: str) -> bool:
    """Whether a guest belongs to a room: has opened it, sits there, or has a seat that is kept."""
    if not guest:
        return False
    kept = room.tournament is not None and room.tournament.seat_of(guest) is not None
    return kept or room.is_creator(guest) or room.seat_of(guest) is not None


def is_for_racers(race: Race) -> bool:
    """Whether a race is the affair of those alone who ran in it."""
    return race.settings.watching == "nobody"


def may_have(room: Room, race: Race, guest: str) -> bool:
    """Whether a guest may have the record of a race of the room that `is_for_racers`."""
    if not guest:
        return False
    return room.is_creator(guest) or any(racer.guest == guest for racer in race.racers.values())
