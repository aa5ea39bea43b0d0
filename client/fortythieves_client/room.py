"""The public view of a room: a snapshot, and then JSON merge patches (RFC 7396)."""

from typing import Any, Literal, cast

from fortythieves.times import Ms

View = dict[str, Any]

Phase = Literal["lobby", "countdown", "racing", "over"]


class Room:
    """The latest public view, and questions about it. The keys are in PROTOCOL.md, "The view"."""

    __slots__ = ("epoch", "n", "seat", "view")

    def __init__(self, epoch: str, n: int, seat: int, view: View) -> None:
        self.update(epoch, n, seat, view)

    def update(self, epoch: str, n: int, seat: int, view: View) -> None:
        """Replace the view."""
        #: It changes if the server loses data. Then the earlier view is invalid.
        self.epoch = epoch
        #: The number of events in the room log.
        self.n = n
        #: Our own seat.
        self.seat = seat
        #: In a view, a missing key means null, and null means missing.
        self.view: View = merge({}, view)

    def patch(self, n: int, patch: View) -> None:
        """Apply a change of the view."""
        self.view = merge(self.view, patch)
        self.n = n

    @property
    def code(self) -> str:
        """The six-letter code of the room."""
        return str(self.view["code"])

    @property
    def host(self) -> int | None:
        """The host's seat."""
        return cast("int | None", self.view.get("host"))

    @property
    def settings(self) -> View:
        """The settings of this race."""
        return cast("View", self.view["settings"])

    @property
    def people(self) -> dict[int, View]:
        """The people by seat, present or away."""
        return {int(seat): person for seat, person in self.view.get("people", {}).items()}

    @property
    def tournament(self) -> View | None:
        """The tournament of this room, or None."""
        return cast("View | None", self.view.get("tournament"))

    @property
    def me(self) -> View | None:
        """Our own entry among the people, or None if we have left."""
        return self.people.get(self.seat)

    @property
    def race(self) -> View:
        """The race that is set up, running, or just over."""
        return cast("View", self.view["race"])

    @property
    def racers(self) -> dict[int, View]:
        """The racers by seat."""
        return {int(seat): racer for seat, racer in self.race.get("racers", {}).items()}

    @property
    def my_race(self) -> View | None:
        """Our own entry among the racers. None if we wait for the next race."""
        return self.racers.get(self.seat)

    @property
    def over(self) -> bool:
        """Whether the race is over. The server decides that, not the clock."""
        return self.race.get("over_at") is not None

    def phase(self, now: Ms) -> Phase:
        """The phase of the race at a server time."""
        if self.over:
            return "over"
        starts_at = self.race.get("starts_at")
        if starts_at is None:
            return "lobby"
        return "countdown" if now < starts_at else "racing"

    @property
    def ranking(self) -> list[tuple[int, int]]:
        """(place, seat) of all ranked racers, best first. Empty until the race is over."""
        placed = ((racer.get("place"), seat) for seat, racer in self.racers.items())
        return sorted((place, seat) for place, seat in placed if place is not None)


def merge(target: Any, patch: Any) -> Any:
    """Apply a patch as in RFC 7396, section 2, and return the result. ``target`` is changed if it is a map."""
    if not isinstance(patch, dict):
        return patch
    if not isinstance(target, dict):
        target = {}
    for key, value in patch.items():
        if value is None:
            target.pop(key, None)
        else:
            target[key] = merge(target.get(key), value)
    return target
