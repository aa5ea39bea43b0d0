"""Who may download the record of a race, and the files of a tournament. Pure.

A room code allows its holder to enter, and to see what is shown there. If the host allows no spectators, or only with a
password, the code allows nothing more.
"""

from fortythieves_server.core.room_state import Race, Room


def asks_watchers(room: Room) -> bool:
    tournament = room.tournament
    return tournament is not None and tournament.plan.entry == "password" and tournament.plan.spectators == "password"


def is_of(room: Room, guest: str) -> bool:
    """Whether a guest belongs to a room: its creator, somebody at a seat, or the owner of a kept seat."""
    if not guest:
        return False
    kept = room.tournament is not None and room.tournament.seat_of(guest) is not None
    return kept or room.is_creator(guest) or room.seat_of(guest) is not None


def is_for_racers(race: Race) -> bool:
    """Whether only its racers may have the record of a race."""
    return race.settings.watching == "nobody"


def may_have(room: Room, race: Race, guest: str) -> bool:
    """Whether a guest may have the record of a race of the room for which `is_for_racers` holds."""
    if not guest:
        return False
    organises = room.of_arena is not None and room.of_arena.creator == guest
    return organises or room.is_creator(guest) or any(racer.guest == guest for racer in race.racers.values())
