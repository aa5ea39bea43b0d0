"""Which rooms the front page lists, and for how long. Pure.

A room is listed while a person is in it. An announced tournament is listed even if it is empty, provided that it
starts soon and one of its hosts was there recently.
"""

from typing import NamedTuple

from fortythieves.times import Ms, ms_of
from fortythieves.tournament.teams import members
from fortythieves_server.core.room_state import Room
from fortythieves_server.core.views import View, stars_of

#: The most rooms of one address, the liveliest first. The list has fifty places, so an address with many rooms leaves
#: most places to others. A school behind one address can still list three classes. A guess.
OF_ONE_ADDRESS = 3
#: How soon a tournament must start, and how recently a host must have been there.
ANNOUNCED_WITHIN, HOST_SEEN_WITHIN = ms_of(14 * 86_400), ms_of(86_400)
#: How long a process's report of a room with people is valid. Processes report every five seconds, and are taken
#: for dead after fifteen (`PROCESS_TTL`).
GOOD_FOR = ms_of(20)


#: How many teams the preview of a room names, for guests that choose one. The page of the tournament names all.
PREVIEW_TEAMS = 100


class Listing(NamedTuple):
    """A room on the front page. ``until`` 0: it is not listed, or no longer."""

    code: str
    #: The hash of the address that opened it. The code, if there is none.
    address: str
    #: When something last happened in it, and until when it is listed without a new report.
    active_at: Ms
    until: Ms
    summary: View


def listing(room: Room, active_at: Ms, now: Ms) -> Listing:
    shown = summary(room)
    return Listing(room.code, room.address or room.code, active_at, _until(room, shown, now) or Ms(0), shown)


def _until(room: Room, shown: View, now: Ms) -> Ms | None:
    if not (shown["open"] or shown["watchable"]):
        return None
    starts_at = _announced(room, now)
    if starts_at is not None:
        return _until_start(room, starts_at, now)
    return now + GOOD_FOR if any(person.here and not person.bot for person in room.people.values()) else None


def _announced(room: Room, now: Ms) -> Ms | None:
    """When a tournament that has not begun will start, or None."""
    tournament = room.tournament
    at = tournament.next_at if tournament is not None and tournament.phase == "entry" else None
    return at if at is not None and at > now else None


def _until_start(room: Room, starts_at: Ms, now: Ms) -> Ms | None:
    hosts = [person for seat, person in room.people.items() if room.is_led_by(seat) or room.is_creator(person.guest)]
    seen = max((now if person.away_at is None else person.away_at for person in hosts), default=Ms(0))
    until = min(starts_at, seen + HOST_SEEN_WITHIN)
    return until if starts_at <= now + ANNOUNCED_WITHIN and until > now else None


def summary(room: Room) -> View:
    """The entry of a public room on the front page."""
    race = room.race
    host = room.people.get(room.host) if room.host is not None else None
    tournament = room.tournament
    may_be_listed = not room.unlisted and not room.closed
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
        "open": may_be_listed
        and room.settings.public
        and not room.locked
        and len(room.people) < room.settings.seats
        and (tournament.may_enter() if tournament else _wants_people(room)),
        "tournament": tournament
        and {
            "name": tournament.plan.name,
            "format": tournament.plan.format,
            "entry": tournament.plan.entry,
            "phase": tournament.phase,
            "next_at": tournament.next_at,
        },
    }


def preview(room: Room) -> View:
    """The preview for a guest with the code before joining, also of a private room, and without its password."""
    shown, tournament = summary(room), room.tournament
    if tournament is None:
        return shown
    games = [row.get("game", room.settings.game) for row in tournament.plan.ladder] or [room.settings.game]
    more = {
        "about": tournament.plan.about,
        "games": list(dict.fromkeys(games)),
        # With a schedule it depends on the number of entrants. An arena has no rounds.
        "rounds": None if tournament.plan.has_schedule or tournament.is_arena else tournament.plan.rounds,
        "links_only": tournament.plan.links_only,
        "entrants": sum(entrant.state == "in" for entrant in tournament.entrants.values()),
        "may_enter": tournament.may_enter() and not room.locked,
        "closed": tournament.closed,
        "closes_at": tournament.closes_at,
        "most": tournament.plan.most,
        "team_size": tournament.plan.team_size,
        # The entrants of a tournament with a password or a list are not public.
        "teams": [*members(tournament.entrants)][:PREVIEW_TEAMS]
        if tournament.plan.team_size and tournament.plan.entry == "open"
        else [],
        "check_in": tournament.check_in_times
        and {"opens": tournament.check_in_times.opens, "ends": tournament.check_in_times.ends},
    }
    return {**shown, "tournament": {**shown["tournament"], **more}}


def _wants_people(room: Room) -> bool:
    """Whether a visitor could race with a person there."""
    late = room.race.on and room.settings.late == "refuse"
    return not late and any(person.here and not person.bot for person in room.people.values())
