"""The rules of a circle: joining, leading and removing, and which results count. Pure."""

from fortythieves.errors import found, refuse_if
from fortythieves.protocol import to_server
from fortythieves.rules.settings import Settings
from fortythieves.solver.day import begins_at, day_of
from fortythieves.times import Ms, ms_of
from fortythieves_server.core import event_limits, events
from fortythieves_server.core.challenge import Challenge
from fortythieves_server.core.circle import MEMBERS, Circle
from fortythieves_server.core.names_and_texts import clean_name, distinct_among
from fortythieves_server.core.room_state import Room
from fortythieves_server.core.rule_context import Context, Events

#: How long after its end a day or a challenge is scored: its last tries are reported by then. A guess.
AFTER = ms_of(30)
#: How many challenges may be open in a circle.
OPEN_DEALS = 50


def circle_of(room: Room) -> Circle:
    return found(room.circle, "no-circle")


def founded(guest: str, request: to_server.Found, now: Ms) -> events.Created:
    """The room of a new circle. Its code and address are still missing. Raises `Refused`."""
    first = events.MemberCame(guest, clean_name(request.name), request.face or 0)
    circle = events.Founded(clean_name(request.title), first, day_of(now))
    return events.Created("", Settings(seats=1, public=False, watching="link"), "", circle=circle)


def membership(room: Room, guest: str, request: to_server.Membership, context: Context, address: str) -> Events:
    """A guest comes or leaves; a member that leads removes one, and the leader appoints one."""
    circle, own = circle_of(room), circle_of(room).number_of(guest)
    if request.do == "join":
        return _join(room, guest, request, context, address)
    refuse_if(own is None, "not-member")
    if request.do == "leave":
        return [events.MemberWent(own or 0, "left")]
    member = found(circle.here.get(request.number), "unknown-seat", seat=request.number)
    may = circle.members[own or 0].leads and request.number != circle.leader
    refuse_if(not may or (own != circle.leader and (member.leads or request.do != "remove")), "not-host")
    if request.do == "remove":
        return [events.MemberWent(request.number, "removed")]
    leads = request.do == "appoint"
    return [] if member.leads == leads else [events.Appointed(request.number, leads)]


def _join(room: Room, guest: str, request: to_server.Membership, context: Context, address: str) -> Events:
    circle = circle_of(room)
    if circle.number_of(guest) is not None:
        return []
    number = circle.numbers.get(guest)
    refuse_if(number is not None and circle.members[number].gone == "removed", "kicked")
    refuse_if(len(circle.here) >= MEMBERS, "full")
    name = distinct_among((one.name for one in circle.here.values()), clean_name(request.name))
    came: Events = [events.MemberCame(guest, name, request.face or 0)]
    event_limits.check(room.counts, came, address)
    return came


def changed(room: Room, guest: str, request: to_server.ChangeCircle) -> Events:
    circle = circle_of(room)
    own = circle.number_of(guest)
    refuse_if(own is None or not circle.members[own].leads, "not-host")
    title = clean_name(request.title)
    is_same = (title, request.counted) == (circle.name, circle.counted)
    return [] if is_same else [events.CircleChanged(title, request.counted)]


def check_is_member(room: Room, guest: str) -> None:
    """Raise `Refused` unless the guest may play in the name of the circle."""
    circle = circle_of(room)
    refuse_if(circle.number_of(guest) is None, "not-member")
    refuse_if(len(circle.deals) >= OPEN_DEALS, "log-full")


def next_due(room: Room) -> Ms:
    """When a day or a challenge inside is scored next."""
    circle = circle_of(room)
    return min(begins_at(circle.next_day + 1), *circle.deals.values(), Ms(2**53)) + AFTER


def overdue(room: Room, now: Ms) -> list[tuple[events.ScoreKind, str]]:
    """The days and challenges that are over and not scored."""
    circle = circle_of(room)
    days = range(circle.next_day, day_of(now - AFTER))
    deals = (code for code, closes_at in circle.deals.items() if closes_at + AFTER <= now)
    # Of the days, only the last one has results yet.
    return [*(("day", str(day)) for day in days[-1:]), *(("challenge", code) for code in deals)]


def score(room: Room, kind: events.ScoreKind, key: str, challenge: Challenge | None, now: Ms) -> Events:
    """The places of the members in a challenge or a day. None: it is gone, or there was none."""
    circle = circle_of(room)
    if key not in circle.deals if kind == "challenge" else int(key) < circle.next_day:
        return []
    tries = challenge.tries.values() if challenge is not None else ()
    results = ((one.guest, one.result) for one in tries if one.result is not None and not one.removed)
    return [events.Scored(kind, key, now, circle.places_of(results))]


def race_over(room: Room, race: Room, now: Ms) -> Events:
    """The places of the members in a race of the circle. A second report does no harm."""
    circle, key = circle_of(room), f"{race.code}/{race.race.number}"
    racers = race.race.racers.values()
    rows = circle.places_of((one.guest, one.result) for one in racers if one.result is not None and not one.bot)
    if not rows or any(one.key == key for one in circle.scores):
        return []
    return [events.Scored("race", key, now, rows)]
