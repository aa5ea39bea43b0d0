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
    for seat in filter(lambda seat: valid(event, seat), event.entrants):
        own = [done for done in event.rounds if not done.skipped and seat in done.seats]
        there = [done for done in own if seat in raced(event, done.races[0])]
        rows[seat] = (
            sum((points_of(event, done, seat) for done in own), Fraction(0)),
            sum(place(event, done, seat) == 1 for done in there),
            sum(done.races[0][seat].result.solved for done in there),
            sum(done.races[0][seat].result.home for done in there),
        )
    return rows


def meeting(event: Event, done: Round, seat: int) -> tuple[float, int | None] | None:
    """What a Swiss round gave, and the opponent; None for a bye or an opponent who is disqualified."""
    if seat in done.byes:
        return 1.0, None
    for pair in done.pairs:
        if seat in pair:
            other = pair[0] + pair[1] - seat
            if not valid(event, other):
                return 1.0, None
            race = raced(event, done.races[0])
            if seat not in race:
                return 0.0, other
            if other not in race or better(race[seat], race[other]):
                return 1.0, other
            return (0.0 if better(race[other], race[seat]) else 0.5), other
    return None


def swiss(event: Event) -> dict[int, tuple[Any, ...]]:
    seats = [seat for seat in event.entrants if valid(event, seat)]
    rounds = [done for done in event.rounds if not done.skipped]
    met = {seat: [found for done in rounds if (found := meeting(event, done, seat))] for seat in seats}
    total = {seat: sum(given for given, _ in met[seat]) for seat in seats}
    return {
        seat: (
            total[seat],
            sum(total[other or seat] for _, other in met[seat]),
            sum(given * total[other or seat] for given, other in met[seat]),
            sum(given == 1 and other is not None for given, other in met[seat]),
            sum(race[seat].result.home for race in (raced(event, done.races[0]) for done in rounds) if seat in race),
        )
        for seat in seats
    }
