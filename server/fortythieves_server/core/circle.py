"""The state of a circle: a group of guests, and their places in deals of the day, challenges and races. Pure.

A circle is a room without seats. It asks days and challenges for their results once these are over. Its own races
report theirs. So nothing is stored twice, and a circle costs nothing while nobody plays.
"""

from collections.abc import Iterable, Mapping

import msgspec
from msgspec.structs import replace

from fortythieves.rules.ranking import Result, places
from fortythieves.times import Ms
from fortythieves_server.core import events, view_types

#: The most members, and the scores and open challenges that are shown.
MEMBERS, SHOWN = 100, 200
#: Only the first places are kept: the others get no points.
PLACES = 8


class Member(msgspec.Struct, frozen=True):
    guest: str
    name: str
    face: int
    since: Ms
    leads: bool = False
    #: Why the guest is no longer a member.
    gone: events.Gone | None = None


class Circle(msgspec.Struct, frozen=True):
    name: str
    counted: int
    members: Mapping[int, Member] = {}
    numbers: Mapping[str, int] = {}  # of each guest that is or was a member
    scores: tuple[events.Scored, ...] = ()
    deals: Mapping[str, Ms] = {}  # the challenges inside that are not scored yet, and when they close
    next_day: int = 0  # the next day to score
    used_at: Ms = Ms(0)

    def number_of(self, guest: str) -> int | None:
        """The number of a member."""
        number = self.numbers.get(guest)
        return None if number is None or self.members[number].gone else number

    def hides_from(self, guest: str) -> bool:
        """Whether a guest gets the view with less."""
        return self.number_of(guest) is None

    @property
    def here(self) -> Mapping[int, Member]:
        return {number: member for number, member in self.members.items() if not member.gone}

    @property
    def leader(self) -> int | None:
        """The member that may appoint others: of those that lead, the first."""
        return min((number for number, member in self.here.items() if member.leads), default=None)

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
            return _with_leader(_with(circle, number, gone=gone, leads=False))
        case events.Appointed(number, leads):
            return _with(circle, number, leads=leads)
        case events.CircleChanged(name, counted):
            return replace(circle, name=name, counted=counted)
        case events.DealAdded(code, closes_at):
            return replace(circle, deals={**circle.deals, code: closes_at}, used_at=at)
        case events.Scored(kind, key, _, rows):
            deals = {code: closes_at for code, closes_at in circle.deals.items() if code != key}
            next_day = int(key) + 1 if kind == "day" else circle.next_day
            scores = (*circle.scores, event)[-SHOWN:] if rows else circle.scores
            used_at = at if rows else circle.used_at
            return replace(circle, deals=deals, next_day=next_day, scores=scores, used_at=used_at)
    return circle


def founded(at: Ms, event: events.Founded) -> Circle:
    return _came(Circle(event.name, 0, next_day=event.next_day), at, event.first)


def _came(circle: Circle, at: Ms, event: events.MemberCame) -> Circle:
    number = circle.numbers.get(event.guest, len(circle.members) + 1)
    member = Member(event.guest, event.name, event.face, at)
    members, numbers = {**circle.members, number: member}, {**circle.numbers, event.guest: number}
    return _with_leader(replace(circle, members=members, numbers=numbers, used_at=at))


def _with(circle: Circle, number: int, **changes: object) -> Circle:
    return replace(circle, members={**circle.members, number: replace(circle.members[number], **changes)})


def _with_leader(circle: Circle) -> Circle:
    """If none of the members leads, the first one does."""
    if circle.leader is not None or not circle.here:
        return circle
    return _with(circle, min(circle.here), leads=True)


def shown(circle: Circle, *, blind: bool) -> view_types.Circle:
    """The public view. ``blind``: for guests who are not members."""
    view: view_types.Circle = {"name": circle.name, "count": len(circle.here)}
    if blind:
        return view
    scored = {number for score in circle.scores for number, _ in score.rows}
    return {
        **view,
        "counted": circle.counted,
        "leader": circle.leader,
        "members": {
            str(number): view_types.Member(one.name, one.leads, bool(one.gone))
            for number, one in circle.members.items()
            if not one.gone or number in scored
        },
        "deals": {**circle.deals},
        "scores": [view_types.Score(one.kind, one.key, one.at, one.rows) for one in circle.scores],
    }


def faces(circle: Circle, *, blind: bool) -> dict[str, int]:
    return {} if blind else {str(number): one.face for number, one in circle.members.items()}
