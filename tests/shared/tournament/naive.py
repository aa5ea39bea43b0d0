"""The standings once more, slowly and word for word from TOURNAMENTS.md."""

from fractions import Fraction
from typing import Any

from fortythieves.tournament.rounds import Played, Round
from tests.shared.tournament.play import Event


def better(one: Played, other: Played) -> bool:
    """Whether one result is ahead of another."""
    a, b = one.result, other.result
    if a.solved != b.solved:
        return a.solved
    if a.solved and a.when != b.when:
        return a.when < b.when
    if a.home != b.home:
        return a.home > b.home
    return (a.reached_at, a.moves) < (b.reached_at, b.moves)


def valid(event: Event, seat: int) -> bool:
    return event.entrants[seat].state != "disqualified"


def raced(event: Event, race: Any) -> dict[int, Played]:
    return {s: p for s, p in race.items() if valid(event, s) and p.state != "disqualified" and p.result.moves}


def place(event: Event, done: Round, seat: int) -> int:
    race = raced(event, done.races[0])
    return 1 + sum(better(other, race[seat]) for other in race.values())


def points_of(event: Event, done: Round, seat: int) -> Fraction:
    race = raced(event, done.races[0])
    if seat not in race:
        return Fraction(0)
    first = place(event, done, seat)
    equals = sum(place(event, done, other) == first for other in race)
    table = [Fraction(str(value)) for value in event.plan.points] + [Fraction(0)] * len(race)
    return sum(table[first - 1 : first - 1 + equals], Fraction(0)) / equals


def points(event: Event) -> dict[int, tuple[Any, ...]]:
    """(score, tie-breaks ...) of all who are not disqualified."""
    rows = {}
    raced_rounds = [done for done in event.rounds if not done.skipped]
    for seat in filter(lambda seat: valid(event, seat), event.entrants):
        own = [done for done in event.rounds if not done.skipped and seat in done.seats]
        there = [done for done in own if seat in raced(event, done.races[0])]
        best = {
            "wins": sum(place(event, done, seat) == 1 for done in there),
            "solved": sum(done.races[0][seat].result.solved for done in there),
            "home": sum(done.races[0][seat].result.home for done in there),
            "best": max([float(points_of(event, done, seat)) for done in own], default=0),
            "last": float(points_of(event, raced_rounds[-1], seat)) if raced_rounds else 0,
        }
        total = sum((points_of(event, done, seat) for done in own), Fraction(0))
        rows[seat] = (total, *(best[name] for name in event.plan.tiebreak_order))
    return rows


def meeting(event: Event, done: Round, seat: int) -> tuple[float, int]:
    """What a Swiss round gave, and the opponent; 0 if the two did not both race."""
    if seat in done.byes or seat in done.half_byes:
        return (1.0 if seat in done.byes else 0.5), 0
    for pair in done.pairs:
        if seat in pair:
            other = pair[0] + pair[1] - seat
            race = raced(event, done.races[0])
            if not valid(event, other) or (seat in race and other not in race):
                return 1.0, 0
            if seat not in race:
                return 0.0, 0
            if better(race[seat], race[other]):
                return 1.0, other
            return (0.0 if better(race[other], race[seat]) else 0.5), other
    return 0.0, 0


def swiss(event: Event) -> dict[int, tuple[Any, ...]]:
    drawn = {seat for done in event.rounds for seat in (*done.seats, *done.byes, *done.half_byes)}
    seats = [s for s in event.entrants if valid(event, s) and (s in drawn or event.entrants[s].state == "in")]
    rounds = [done for done in event.rounds if not done.skipped]
    met = {seat: [meeting(event, done, seat) for done in rounds] for seat in seats}
    n = len(rounds)

    def worth(seat: int, r: int) -> float:
        given, other = met[seat][r - 1]
        if other:
            return sum(points if against else 0.5 for points, against in met[other])
        spr = sum(points for points, _ in met[seat][: r - 1])
        return spr + (1 - given) + 0.5 * (n - r)

    def value(name: str, seat: int, equals: list[int]) -> float:
        worths = [worth(seat, r) for r in range(1, n + 1)]
        race = [raced(event, done.races[0]) for done in rounds]
        match name:
            case "buchholz":
                return sum(worths)
            case "buchholz_cut1":
                return sum(sorted(worths)[1:])
            case "sonneborn":
                return sum(given * one for (given, _), one in zip(met[seat], worths, strict=True))
            case "wins":
                return sum(given == 1 and other > 0 for given, other in met[seat])
            case "direct":
                everybody = all({*equals} - {one} <= {other for _, other in met[one]} for one in equals)
                return sum(given for given, other in met[seat] if other in equals) if everybody else 0
        return sum(one[seat].result.home for one in race if seat in one)

    rows: dict[int, tuple[Any, ...]] = {seat: (sum(given for given, _ in met[seat]),) for seat in seats}
    for name in event.plan.tiebreak_order:
        equals = {seat: [other for other in seats if rows[other] == rows[seat]] for seat in seats}
        rows = {seat: (*rows[seat], value(name, seat, equals[seat])) for seat in seats}
    return rows
