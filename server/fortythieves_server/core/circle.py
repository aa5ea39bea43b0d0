"""The state of a circle: a group of guests, and their places in deals of the day, challenges and races. Pure.

A circle is a room without seats. It asks days and challenges for their results once these are over. Its own races
report theirs. So nothing is stored twice, and a circle costs nothing while nobody plays.
"""

from collections.abc import Iterable, Mapping
from functools import cached_property

import msgspec
from msgspec.structs import replace

from fortythieves.rules.ranking import Result, places
from fortythieves.solver.day import day_of
from fortythieves.times import Ms, ms_of
from fortythieves_server.core import events, view_types

#: The most members, and the last scores, which are kept.
MEMBERS, SHOWN = 100, 200
#: The most open races that are shown, and for how long. Guesses.
RACES, RACE_SHOWN = 5, ms_of(2 * 3600)
#: Only the first places are kept: the others get no points.
PLACES = 8


class Member(msgspec.Struct, frozen=True):
    guest: str
    name: str
    face: int
    address: str  # its hash, "" if unknown
    leads: bool = False
    gone: bool = False


class Circle(msgspec.Struct, frozen=True, dict=True):
    name: str
    counted: int = 0
    closed: bool = False  # admits no new member
    members: Mapping[int, Member] = {}  # also those that are gone, while they have scores
    given: int = 0  # the last number that a member was given
    leader: int | None = None  # the member that may appoint others
    removed: frozenset[str] = frozenset()  # guests that may not return
    scores: tuple[events.Scored, ...] = ()
    deals: Mapping[str, events.DealAdded] = {}  # the challenges inside that are not scored yet
    challenged: Mapping[str, str] = {}  # the last challenges, by the race of their deal: a deal is scored once
    races: Mapping[str, events.RaceOpened] = {}  # the newest that did not end yet, one of each member
    next_day: int = 0  # the next day to score, if there are two members
    used_until: Ms = Ms(0)  # the last member came, or the last challenge closes

    @cached_property
    def numbers(self) -> Mapping[str, int]:
        return {member.guest: number for number, member in self.members.items()}

    def number_of(self, guest: str) -> int | None:
        """The number of a member."""
        number = self.numbers.get(guest)
        return None if number is None or self.members[number].gone else number

    def hides_from(self, guest: str) -> bool:
        """Whether a guest gets the view with less."""
        return self.number_of(guest) is None

    @cached_property
    def here(self) -> Mapping[int, Member]:
        return {number: member for number, member in self.members.items() if not member.gone}

    def is_led_by(self, guest: str) -> bool:
        number = self.number_of(guest)
        return number is not None and self.members[number].leads

    def places_of(self, results: Iterable[tuple[str, Result]]) -> tuple[tuple[int, int], ...]:
        """The first places among the members with a result; none if only one has one."""
        ranked = {n: result for guest, result in results if (n := self.number_of(guest)) and result.is_ranked}
        found = sorted((place, number) for number, place in places(ranked).items() if place <= PLACES)
        return tuple((number, place) for place, number in found) if len(ranked) > 1 else ()


def evolve(circle: Circle | None, at: Ms, event: events.Event) -> Circle | None:
    if circle is None:
        return None
    match event:
        case events.MemberCame():
            return _came(circle, at, event)
        case events.MemberWent(number, gone):
            removed = circle.removed | {circle.members[number].guest} if gone == "removed" else circle.removed
            return _tidied(replace(_with(circle, number, gone=True, leads=False), removed=removed))
        case events.Appointed(number, leads):
            return _with(circle, number, leads=leads)
        case events.CircleChanged(name, counted, closed):
            return replace(circle, name=name, counted=counted, closed=closed)
        case events.DealAdded(code, closes_at):
            used_until = max(circle.used_until, closes_at)
            challenged = dict([*circle.challenged.items(), (event.source, code)][-SHOWN:])
            return replace(circle, deals={**circle.deals, code: event}, challenged=challenged, used_until=used_until)
        case events.RaceOpened(code, number, now):
            others = [one for one in circle.races.values() if one.number != number and one.at + RACE_SHOWN > now]
            return replace(circle, races={one.code: one for one in (*others[1 - RACES :], event)})
        case events.DealDropped(code):
            return _without_deal(circle, code)
        case events.Scored(kind, key, _, rows):
            next_day = int(key) + 1 if kind == "day" else circle.next_day
            scores = (*circle.scores, event)[-SHOWN:] if rows else circle.scores
            return _tidied(replace(_without_deal(circle, key.partition("/")[0]), next_day=next_day, scores=scores))
    return circle


def founded(at: Ms, event: events.Founded) -> Circle:
    return _came(Circle(event.name), at, event.first)


def _came(circle: Circle, at: Ms, event: events.MemberCame) -> Circle:
    number = circle.numbers.get(event.guest, circle.given + 1)
    members = {**circle.members, number: Member(event.guest, event.name, event.face, event.address)}
    used_until, given = max(circle.used_until, at), max(circle.given, number)
    next_day = circle.next_day if len(circle.here) > 1 else day_of(at)
    return _tidied(replace(circle, members=members, given=given, next_day=next_day, used_until=used_until))


def _with(circle: Circle, number: int, **changes: object) -> Circle:
    return replace(circle, members={**circle.members, number: replace(circle.members[number], **changes)})


def _without_deal(circle: Circle, code: str) -> Circle:
    """The circle without a challenge, or without an open race."""
    deals = {key: deal for key, deal in circle.deals.items() if key != code}
    return replace(circle, deals=deals, races={key: race for key, race in circle.races.items() if key != code})


def _tidied(circle: Circle) -> Circle:
    """The circle without former members that have no score, and with a leader: one that leads already, or the first."""
    if len(circle.here) < len(circle.members):
        scored = {number for score in circle.scores for number, _ in score.rows}
        kept = {number: one for number, one in circle.members.items() if not one.gone or number in scored}
        circle = replace(circle, members=kept)
    if circle.leader in circle.here:
        return circle
    leader = min(circle.here, key=lambda number: (not circle.here[number].leads, number), default=None)
    return replace(circle if leader is None else _with(circle, leader, leads=True), leader=leader)


def shown(circle: Circle, *, blind: bool) -> view_types.Circle:
    """The public view. ``blind``: for guests that are no members."""
    view: view_types.Circle = {"name": circle.name, "count": len(circle.here), "closed": circle.closed}
    if blind:
        return view
    return {
        **view,
        "counted": circle.counted,
        "leader": circle.leader,
        "members": {
            str(number): view_types.Member(one.name, one.leads, one.gone) for number, one in circle.members.items()
        },
        "deals": {code: deal.closes_at for code, deal in circle.deals.items()},
        "races": {code: (race.number, race.at) for code, race in circle.races.items() if race.number in circle.here},
        "scores": [view_types.Score(one.kind, one.key, one.at, one.rows) for one in circle.scores],
    }


def faces(circle: Circle, *, blind: bool) -> dict[str, int]:
    return {} if blind else {str(number): one.face for number, one in circle.members.items()}
