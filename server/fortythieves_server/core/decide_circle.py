"""The rules of a circle: joining, leading and removing, and which results count. Pure."""

from msgspec.structs import replace

from fortythieves.errors import found, refuse_if
from fortythieves.protocol import to_server
from fortythieves.rules.settings import Settings
from fortythieves.solver.day import begins_at, day_of
from fortythieves.times import Ms, ms_of
from fortythieves_server.core import event_limits, events
from fortythieves_server.core.challenge import Challenge
from fortythieves_server.core.circle import MEMBERS, Circle
from fortythieves_server.core.names_and_texts import clean_name, distinct_among
from fortythieves_server.core.room_state import Race, Room
from fortythieves_server.core.rule_context import Events, earliest

#: How long after its end a day or a challenge is scored: its last tries are reported by then. A guess.
AFTER = ms_of(30)
#: The circles are scored for a day within this many ms, each at its own time. A guess.
SPREAD = 600_000
#: How many challenges may be open in a circle, and of one member.
OPEN_DEALS, OPEN_DEALS_EACH = 50, 5


def circle_of(room: Room) -> Circle:
    return found(room.circle, "not-member")


def founded(guest: str, request: to_server.Found) -> events.Created:
    """The room of a new circle. Its code and address are still missing. Raises `Refused`."""
    first = events.MemberCame(guest, clean_name(request.name), request.face or 0)
    circle = events.Founded(clean_name(request.title), first)
    return events.Created("", Settings(seats=1, public=False, watching="link"), "", circle=circle)


def decide(room: Room, guest: str, request: to_server.Membership | to_server.ChangeCircle, address: str) -> Events:
    """The events that follow from a guest's request. Raises `Refused`."""
    if isinstance(request, to_server.ChangeCircle):
        decided = _changed(room, guest, request)
    else:
        decided = _membership(room, guest, request, address)
    event_limits.check(room.counts, decided, address)
    return decided


def _membership(room: Room, guest: str, request: to_server.Membership, address: str) -> Events:
    """A guest comes or leaves; a member that leads removes one, or a challenge; and the leader appoints one."""
    circle, own = circle_of(room), circle_of(room).number_of(guest)
    if request.do == "join":
        return _join(circle, guest, request, address)
    refuse_if(own is None, "not-member")
    if request.do == "leave":
        return [events.MemberWent(own or 0, "left")]
    if request.do == "drop":
        refuse_if(not circle.is_led_by(guest), "not-host")
        return [events.DealDropped(request.deal)] if request.deal in circle.deals else []
    member = found(circle.here.get(request.number), "unknown-seat", seat=request.number)
    may = circle.is_led_by(guest) and request.number != circle.leader
    refuse_if(not may or (own != circle.leader and (member.leads or request.do != "remove")), "not-host")
    if request.do == "remove":
        return [events.MemberWent(request.number, "removed")]
    leads = request.do == "appoint"
    return [] if member.leads == leads else [events.Appointed(request.number, leads)]


def _join(circle: Circle, guest: str, request: to_server.Membership, address: str) -> Events:
    if circle.number_of(guest) is not None:
        return []
    refuse_if(guest in circle.removed, "kicked")
    refuse_if(circle.closed, "locked")
    members = circle.here.values()
    refuse_if(event_limits.has_no_place(MEMBERS, [one.address for one in members], address), "full")
    name = distinct_among((one.name for one in members), clean_name(request.name))
    return [events.MemberCame(guest, name, request.face or 0, address)]


def _changed(room: Room, guest: str, request: to_server.ChangeCircle) -> Events:
    circle = circle_of(room)
    refuse_if(not circle.is_led_by(guest), "not-host")
    changed = events.CircleChanged(clean_name(request.title), request.counted, request.closed)
    is_same = (changed.name, changed.counted, changed.closed) == (circle.name, circle.counted, circle.closed)
    return [] if is_same else [changed]


def check_is_member(room: Room, guest: str) -> None:
    """Raise `Refused` unless the guest may play in the name of the circle."""
    refuse_if(circle_of(room).number_of(guest) is None, "not-member")


def deal_added(room: Room, guest: str, code: str, closes_at: Ms, address: str, source: str = "") -> Events:
    """A member's challenge on the deal of the race ``source`` counts in the circle. Raises `Refused`."""
    check_is_member(room, guest)
    deals = circle_of(room).deals.values()
    of_guest = sum(deal.guest == guest for deal in deals)
    refuse_if(len(deals) >= OPEN_DEALS or of_guest >= OPEN_DEALS_EACH, "many-deals")
    added: Events = [events.DealAdded(code, closes_at, guest, source)]
    event_limits.check(room.counts, added, address)
    return added


def race_opened(room: Room, guest: str, code: str, address: str, now: Ms) -> Events:
    """A member waits for others in the room ``code``. Raises `Refused`."""
    number = found(circle_of(room).number_of(guest), "not-member")
    opened: Events = [events.RaceOpened(code, number, now, address)]
    event_limits.check(room.counts, opened, address)
    return opened


def next_due(room: Room) -> Ms | None:
    """When a day or a challenge inside is scored next. Days need two members."""
    circle = circle_of(room)
    deals = (deal.closes_at + AFTER for deal in circle.deals.values())
    day = begins_at(circle.next_day + 1) + _after_day(room) if len(circle.here) > 1 else None
    return earliest(day, *deals)


def _after_day(room: Room) -> Ms:
    """How long after a day it is scored. The code of a room is a random number to the base 36."""
    return AFTER + Ms(int(room.code, 36) % SPREAD)


def overdue(room: Room, now: Ms) -> list[tuple[events.ScoreKind, str]]:
    """The days and challenges that are over and not scored."""
    circle = circle_of(room)
    days = range(circle.next_day, day_of(now - _after_day(room)) if len(circle.here) > 1 else 0)
    deals = (code for code, deal in circle.deals.items() if deal.closes_at + AFTER <= now)
    # Of the days, only the last one has results yet.
    return [*(("day", str(day)) for day in days[-1:]), *(("challenge", code) for code in deals)]


def score(room: Room, kind: events.ScoreKind, key: str, challenge: Challenge | None, now: Ms) -> Events:
    """The places of the members in a challenge or a day. None: it is gone, or there was none."""
    circle = circle_of(room)
    if key not in circle.deals if kind == "challenge" else int(key) < circle.next_day:
        return []
    if challenge is not None and not challenge.closed and challenge.opened.closes_at > now:  # it was prolonged
        return [replace(circle.deals[key], closes_at=challenge.opened.closes_at)]
    tries = challenge.tries.values() if challenge is not None else ()
    results = ((one.guest, one.result) for one in tries if one.result is not None and not one.removed)
    rows = circle.places_of(results)
    return [events.Scored(kind, key, now, rows) if rows or kind == "day" else events.DealDropped(key)]


def race_to_report(room: Room) -> Race | None:
    """The first race of a circle that is over and that its circle does not know. A rematch may have begun since."""
    races = (*room.past.values(), room.race) if room.of_circle else ()
    return next((race for race in races if race.number > room.reported and race.over_at is not None), None)


def race_over(room: Room, code: str, race: Race, now: Ms) -> Events:
    """The places of the members in a race of the circle, in the room ``code``. A second report does no harm."""
    circle, key, racers = circle_of(room), f"{code}/{race.number}", race.racers.values()
    rows = circle.places_of((one.guest, one.result) for one in racers if one.result is not None and not one.bot)
    is_empty = all(result.home <= race.game.home for result in race.results.values())
    if not rows or is_empty or any(one.key == key for one in circle.scores):
        return [events.DealDropped(code)] if code in circle.races else []
    return [events.Scored("race", key, now, rows)]
