"""What is shown of a room, and what of a change. Pure; nothing hidden is ever in a view.

The public view is one nested map of plain values. It is the same for everybody in the room, changes only
with an event of the room log, and is documented field by field in PROTOCOL.md.
"""

from collections.abc import Mapping
from typing import Any

import msgspec

from fortythieves_server.race import Line, Person, Race, Racer, Room

#: How many earlier races a view lists.
PAST_SHOWN = 10

View = dict[str, Any]


def room_view(room: Room, *, racing: bool = False) -> View:
    """Everything that anybody in the room may know, boards and their progress apart.

    ``racing``: for one who runs in the race that is on; what watchers say meanwhile is not in it.
    """
    unheard = room.race.number if racing and room.race.on else None
    return {
        "code": room.code,
        "host": room.host,
        "locked": room.locked,
        "settings": msgspec.to_builtins(room.settings),
        "people": {str(seat): _person(person) for seat, person in room.people.items()},
        "race": _race(room.race, blind=is_blind(room)),
        "past": _past_races(room),
        "chat": {
            str(n): _line(line) for n, line in room.chat.items() if line.kept_from is None or line.kept_from != unheard
        },
        "tournament": room.tournament.shown if room.tournament else None,
    }


def is_blind(room: Room) -> bool:
    """Whether nobody is told yet how anybody is doing."""
    return room.tournament is not None and room.tournament.plan.blind and room.race.on


def _past_races(room: Room) -> View:
    if room.tournament is not None:
        return {}  # What was is in the rounds.
    return {str(number): _past(race) for number, race in list(room.past.items())[-PAST_SHOWN:]}


def _person(person: Person) -> View:
    return {
        "name": person.name,
        "bot": person.bot,
        "here": person.here,
        "ready": person.ready,
        "since": person.since,
        "away_at": person.away_at,
    }


def _race(race: Race, *, blind: bool) -> View:
    over = race.over_at is not None
    return {
        "number": race.number,
        "game": race.settings.game,
        "commitment": race.commitment,
        "practice": race.settings.deal if race.settings.practice else None,
        "starts_at": race.starts_at,
        "ends_at": race.ends_at,
        # Published once they are frozen: nobody can choose a nonce knowing the others' and change the deal.
        "nonces": {str(seat): nonce for seat, nonce in race.nonces.items()},
        "over_at": race.over_at,
        "secret": race.secret if over and race.is_secret else None,
        "racers": {
            str(seat): _blind(racer) if blind else _racer(racer, race.places.get(seat))
            for seat, racer in race.racers.items()
        },
    }


def _blind(racer: Racer) -> View:
    """A racer of whom nothing is told but whether he still races."""
    if not racer.racing:
        return {"name": racer.name, "state": "done"}
    return {"name": racer.name, "state": "racing", "gave_up_at": racer.gave_up_at}


def _racer(racer: Racer, place: int | None) -> View:
    result = racer.result
    return {
        "name": racer.name,
        "state": racer.state,
        "gave_up_at": racer.gave_up_at,
        "finished_at": result.when if result else None,
        "home": result.home if result else None,
        "moves": result.moves if result else None,
        "reached_at": result.reached_at if result else None,
        "place": place,
    }


def _past(race: Race) -> View:
    return {
        "game": race.settings.game,
        "places": [
            [
                seat,
                racer.name,
                race.places.get(seat),
                racer.state,
                racer.result.home,
                racer.result.moves,
                max(0, racer.result.when - (race.starts_at or 0)),  # some leave before the start
            ]
            for seat, racer in race.racers.items()
            if racer.result
        ],
    }


def _line(line: Line) -> View:
    return {"seat": line.seat, "name": line.name, "at": line.at, "text": line.text}


def merge_patch(old: Mapping[str, Any], new: Mapping[str, Any]) -> View:
    """The JSON merge patch (RFC 7396) that makes ``old`` into ``new``; empty if they are equal.

    In a view null stands for "absent", so the patch may say either; both read the same.
    """
    patch: View = {key: None for key in old if key not in new}
    for key, value in new.items():
        before = old.get(key)
        if value == before:
            continue
        if isinstance(value, dict) and isinstance(before, dict):
            patch[key] = merge_patch(before, value)
        else:
            patch[key] = value
    return patch


def summary(room: Room) -> View:
    """What the front page shows of a public room."""
    race = room.race
    host = room.people.get(room.host) if room.host is not None else None
    held = room.tournament
    return {
        "code": room.code,
        "game": room.settings.game,
        "host": host.name if host else "",
        "people": sum(person.here for person in room.people.values()),
        "seats": room.settings.seats,
        "phase": "racing" if race.on else "lobby" if race.starts_at is None else "over",
        "watchable": race.on and room.settings.watching == "everyone",
        "open": room.settings.public
        and not room.locked
        and len(room.people) < room.settings.seats
        and (held.may_enter() if held else _wants_people(room)),
        "tournament": held
        and {
            "name": held.plan.name,
            "format": held.plan.format,
            "entry": held.plan.entry,
            "phase": held.phase,
            "next_at": held.next_at,
        },
    }


def _wants_people(room: Room) -> bool:
    """Whether there is somebody to race with."""
    late = room.race.on and room.settings.late == "refuse"
    return not late and any(person.here and not person.bot for person in room.people.values())
