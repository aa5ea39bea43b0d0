"""The rules of a challenge: who may open one, begin a try, and see its results. Pure.

A try is a race of one in a room of its own, on the deal of an earlier race. The room of the challenge has no seats:
all are spectators, and its owner is the guest who opened it.
"""

from fortythieves.errors import found, refuse_if
from fortythieves.protocol import to_server
from fortythieves.rules.ranking import Result
from fortythieves.rules.settings import Settings
from fortythieves.solver import day
from fortythieves.solver.day import DayProof
from fortythieves.times import Ms, ms_of
from fortythieves_server.core import event_limits, events
from fortythieves_server.core.challenge import CHALLENGER, Challenge
from fortythieves_server.core.finished_race import sharing
from fortythieves_server.core.names_and_texts import clean_name, distinct_beside_list
from fortythieves_server.core.room_state import Race, Room
from fortythieves_server.core.rule_context import Context, Events

#: The shortest race.
SHORTEST = 60
#: The longest race on the deal of a day, s. A guess.
DAY_LIMIT = 3600
#: The one seat of a try.
SEAT = 1
#: Seconds from the call to a try until its race has begun, at most: to come, and the longest countdown.
BEGINS_WITHIN = 18


def challenge_of(room: Room) -> Challenge:
    return found(room.challenge, "no-challenge")


def opened(
    source: Room, race: Race, guest: str, request: to_server.Challenge, now: Ms
) -> tuple[int, events.Created, events.Opened]:
    """A challenge on the deal of a finished race, by one of its racers. Raises `Refused`.

    Returns the racer's seat, and the room of the challenge, which still lacks its code, its address, and the challenge.
    That lacks the ghost.
    """
    seat = found(race.seat_of(guest), "not-your-race")
    refuse_if(race.over_at is None or race.source is not None, "not-your-race")
    refuse_if(source.tournament is not None or source.of_arena is not None, "tournament")
    racer, starts_at = race.racers[seat], race.starts_at or Ms(0)
    assert racer.result is not None
    refuse_if(not racer.result.is_ranked, "not-your-race")
    seen = tuple(sorted({one.guest for one in race.racers.values()} - {guest}))
    closes_at, result = now + request.days * day.DAY, _since(racer.result, starts_at)
    face = source.faces.get(seat, 0)
    challenge = events.Opened(closes_at, guest, racer.name, face, result, (), seen, opens_at=now)
    settings = race.settings.changed({"seats": 1, "public": False, "watching": "link", "late": "refuse"})
    given = race.dealt._replace(source=(source.code, race.number))
    return seat, events.Created("", settings, "", given=given), challenge


def opened_day(proof: DayProof) -> events.Created:
    """The room of the deal of a day. Its code is still missing."""
    key, _ = day.game_of(proof.day)
    settings = Settings(game=key, seats=1, public=False, watching="link", late="refuse", time_limit=DAY_LIMIT)
    opens_at, closes_at = day.begins_at(proof.day), day.begins_at(proof.day + 1)
    secret = day.secret_of(bytes.fromhex(proof.key), proof.counter).hex()
    return events.Created("", settings, secret, challenge=events.Opened(closes_at, opens_at=opens_at, day=proof))


def _since(result: Result, starts_at: Ms) -> Result:
    """The result with times since the start."""
    return result._replace(when=result.when - starts_at, reached_at=result.reached_at - starts_at)


def check_may_try(room: Room, guest: str, address: str, now: Ms) -> None:
    """Raise `Refused` unless a guest may begin a try, or has begun one."""
    challenge = challenge_of(room)
    refuse_if(challenge.has_seen_deal(guest), "knows-deal")
    if guest in challenge.numbers:
        return
    refuse_if(now < challenge.opened.opens_at, "not-open-yet")
    refuse_if(challenge.closed or _time_left(challenge, now) < SHORTEST, "challenge-over")
    event_limits.check(room.counts, [events.TryStarted(guest, "", 0, "")], address)


def _time_left(challenge: Challenge, now: Ms) -> int:
    """Seconds for a race that is called now."""
    return int(challenge.opened.closes_at - now) // 1000 - BEGINS_WITHIN


def room_of_try(room: Room, guest: str, name: str, face: int, now: Ms) -> events.Created:
    """The room of a try. Its code, address and times are still missing."""
    challenge = challenge_of(room)
    limit = max(SHORTEST, min(room.settings.time_limit, _time_left(challenge, now)))
    settings = room.settings.changed({"time_limit": limit, "watching": "nobody", "countdown": 3})
    called = events.Called(SEAT, guest, _name(room, guest, name), face=face)
    of_arena = events.OfArena(room.code, (called,), limit, creator=room.creator, until=challenge.opened.closes_at)
    race = room.race
    given = race.dealt._replace(source=race.source or (room.code, race.number))
    return events.Created("", settings, "", of_arena=of_arena, given=given)


def _name(room: Room, guest: str, name: str) -> str:
    return distinct_beside_list(room, clean_name(name), guest)


def start(room: Room, guest: str, name: str, face: int, code: str, address: str, context: Context) -> Events:
    """Begin a guest's try in the room ``code``, if they have not begun one: then that one goes on. Raises `Refused`."""
    check_may_try(room, guest, address, context.now)
    if guest in challenge_of(room).numbers:
        return []
    return [events.TryStarted(guest, _name(room, guest, name), face, code, address)]


def try_ended(room: Room, guest: str, code: str, over: events.HeatEnded) -> Events:
    """The events of the challenge when a guest's try is over. A second report does no harm."""
    challenge = challenge_of(room)
    number = challenge.numbers.get(guest)
    if number is None or challenge.tries[number].code != code or challenge.tries[number].result is not None:
        return []
    [finished] = over.results
    return [events.TryFinished(number, _since(finished.result, over.starts_at))]


def same_address(challenge: Challenge) -> list[tuple[int, ...]]:
    """The groups of tries from one address: there, a guest may have seen the deal before."""
    return sharing({number: [one.address] for number, one in challenge.tries.items() if one.address})


def check_is_owner(room: Room, guest: str) -> None:
    challenge_of(room)
    refuse_if(not room.is_creator(guest), "not-host")


def control(
    room: Room,
    guest: str,
    request: to_server.ChangeChallenge | to_server.RemoveTry,
    now: Ms,
    password: str | None = None,
) -> Events:
    """The owner changes or closes the challenge, or removes a result. ``password``: its hash, or None for no change."""
    check_is_owner(room, guest)
    challenge = challenge_of(room)
    if isinstance(request, to_server.ChangeChallenge):
        return _changed(room, challenge, request.days, now, password)
    is_of_guest = request.number in challenge.tries and request.number != CHALLENGER
    refuse_if(not is_of_guest, "unknown-seat", seat=request.number)
    return [] if challenge.tries[request.number].removed else [events.TryRemoved(request.number)]


def _changed(room: Room, challenge: Challenge, days: int, now: Ms, password: str | None) -> Events:
    opened = challenge.opened
    closes_at = opened.opens_at + days * day.DAY
    after = events.ChallengeChanged(closes_at, opened.password if password is None else password)
    if challenge.closed or after == events.ChallengeChanged(opened.closes_at, opened.password):
        return []
    is_shorter = closes_at < min(opened.closes_at, now + ms_of(room.settings.time_limit))
    # Once it is closed, everyone gets the records, which have the deck: a try under way would see it.
    under_way = [n for n, one in challenge.tries.items() if is_shorter and one.result is None and not one.removed]
    changed: Events = [*map(events.TryRemoved, under_way), after if closes_at > now else events.ChallengeClosed()]
    event_limits.check(room.counts, changed)
    return changed


def due(room: Room, now: Ms) -> Events:
    at = next_due(room)
    return [events.ChallengeClosed()] if at is not None and now >= at else []


def next_due(room: Room) -> Ms | None:
    challenge = challenge_of(room)
    return None if challenge.closed else challenge.opened.closes_at
