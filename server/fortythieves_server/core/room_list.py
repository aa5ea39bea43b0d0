"""Which rooms the front page lists, and for how long. Pure.

A room is listed while a person is in it. An announced tournament is listed even if it is empty, provided that it
starts soon and one of its hosts was there recently.
"""

from collections.abc import Iterator
from typing import NamedTuple

from fortythieves.times import Ms, ms_of
from fortythieves.tournament.teams import members
from fortythieves_server.core.room_state import Room
from fortythieves_server.core.views import View, stars_of, without_seats

#: The most rooms of one address, the liveliest first. The list has fifty places, so an address with many rooms leaves
#: most places to others. A school behind one address can still list three classes. A guess.
OF_ONE_ADDRESS = 3
#: How soon a tournament must start, and how recently a host must have been there.
ANNOUNCED_WITHIN, HOST_SEEN_WITHIN = ms_of(14 * 86_400), ms_of(86_400)
#: How long a process's report of a room with people is valid. Processes report every five seconds, and are taken
#: for dead after fifteen (`PROCESS_TTL`).
GOOD_FOR = ms_of(20)

#: How many faces are shown. A guess.
FACES = 8
#: How many teams the preview of a room names, for guests that choose one. The page of the tournament names all.
PREVIEW_TEAMS = 100


class Listing(NamedTuple):
    """A room on the front page. ``until`` 0: it is not listed, or no longer."""

    code: str
    address: str  # the hash of the address that opened it. The code, if there is none.
    #: When something last happened in it, and until when it is listed without a new report.
    active_at: Ms
    until: Ms
    summary: View


def listing(room: Room, active_at: Ms, now: Ms) -> Listing:
    shown = summary(room)
    until = _until(room, now) if shown["open"] or shown["watchable"] else Ms(0)
    return Listing(room.code, room.address or room.code, active_at, until, shown)


def _until(room: Room, now: Ms) -> Ms:
    starts_at = room.tournament.next_at if room.tournament and room.tournament.phase == "entry" else None
    if starts_at is None or starts_at <= now:
        return now + GOOD_FOR if _has_person(room) else Ms(0)
    hosts = [person for seat, person in room.people.items() if room.is_led_by(seat) or room.is_creator(person.guest)]
    seen = max((now if person.away_at is None else person.away_at for person in hosts), default=Ms(0))
    until = min(starts_at, seen + HOST_SEEN_WITHIN)
    return until if starts_at <= now + ANNOUNCED_WITHIN and until > now else Ms(0)


def _has_person(room: Room) -> bool:
    return any(person.here and not person.bot for person in room.people.values())


def summary(room: Room) -> View:
    race = room.race
    host = room.people.get(room.host) if room.host is not None else None
    tournament = room.tournament
    may_be_listed = not room.unlisted and not room.closed
    has_place = room.settings.public and room.closed_to is None
    return {
        "code": room.code,
        "game": room.settings.game,
        "host": host.name if host else "",
        "people": sum(person.here for person in room.people.values()),
        "seats": room.settings.seats,
        "phase": "racing" if race.on else "lobby" if race.starts_at is None else "over",
        "winnable": room.settings.winnable is not None,
        "stars": stars_of(race) if race.on else room.settings.winnable or None,
        "watchable": may_be_listed and race.on and room.settings.watching == "everyone",
        # In a race among friends, a visitor needs a person to race with.
        "open": may_be_listed and has_place and (tournament.may_enter() if tournament else _has_person(room)),
        "seeking": room.seeks_people,
        "starts_at": race.starts_at if race.on else None,
        "closed_to": room.closed_to,
        "faces": [room.faces[seat] for seat in _shown(room)][:FACES],
        "tournament": tournament
        and {
            **{name: getattr(tournament.plan, name) for name in ("name", "format", "entry")},
            "phase": tournament.phase,
            "next_at": tournament.next_at,
        },
    }


def _shown(room: Room) -> Iterator[int]:
    """The seats whose faces strangers see: nobody's in a locked room, or if the entrants are not public."""
    if not room.locked and (room.tournament is None or room.tournament.plan.entry == "open"):
        yield from (seat for seat, person in room.people.items() if person.here)


def preview(room: Room, guest: str = "") -> View:
    """The preview for a guest with the code before joining, also of a private room, and without its password.

    After a try of a challenge, it has the guest's place and the number of places.
    """
    shown, tournament, challenge = summary(room), room.tournament, room.challenge
    if tournament is None:
        number = challenge.numbers.get(guest) if challenge else None
        place = challenge.place(number) if challenge and number else None
        own = {"own": (place, len(challenge.ranked))} if challenge and place else {}
        return {**without_seats(room, blind=True), **shown, **own}
    plan, times = tournament.plan, tournament.check_in_times
    games = [row.get("game", room.settings.game) for row in plan.ladder] or [room.settings.game]
    more = {
        **{name: getattr(plan, name) for name in ("about", "links_only", "most", "team_size")},
        "games": list(dict.fromkeys(games)),
        # With a schedule it depends on the number of entrants. An arena has no rounds.
        "rounds": None if plan.has_schedule or tournament.is_arena else plan.rounds,
        "entrants": tournament.count_in,
        "may_enter": tournament.may_enter() and not room.locked,
        "closed": tournament.closed,
        "closes_at": tournament.closes_at,
        # The entrants of a tournament with a password or a list are not public.
        "teams": [*members(tournament.entrants)][:PREVIEW_TEAMS] if plan.team_size and plan.entry == "open" else [],
        "check_in": times and times._asdict(),
    }
    return {**shown, "tournament": {**shown["tournament"], **more}}
