"""Random tournaments: entrants join, leave, return and are disqualified, and races have many ties."""

import hashlib
import random
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, TypeVar

from msgspec.structs import replace

from fortythieves.rules.ranking import Result
from fortythieves.times import Ms
from fortythieves.tournament.draw import draw, plays_on
from fortythieves.tournament.plan import Format, Plan
from fortythieves.tournament.rounds import Correction, Drawing, Entrant, Round, State
from fortythieves.tournament.standings import Row, comparison, standings


def plan_of(**changes: Any) -> Plan:
    """The default plan with some unchecked changes. There are half-point byes only if a test sets them."""
    return replace(Plan(), **{"half_byes": 0, **changes})


def chance_of(*what: object) -> str:
    return hashlib.sha256(repr(what).encode()).hexdigest()


def entrants_of(count: int) -> dict[int, Entrant]:
    return {seat: Entrant(f"N{seat}") for seat in range(1, count + 1)}


def unsolved(home: int) -> Result:
    return Result("timed_out", Ms(1_200_000), home, home + 1, Ms(0))


def solved(ms: int) -> Result:
    return Result("solved", Ms(ms), 104, 200, Ms(ms))


ABSENT = Result("did_not_start", Ms(1_200_000), 0, 0, Ms(0))
#: An entrant who was there but made no move; this counts as absent.
IDLE = Result("gave_up", Ms(5_000), 0, 0, Ms(0))


def race_of(homes: Mapping[int, int]) -> dict[int, Result]:
    return {seat: unsolved(home) for seat, home in homes.items()}


V = TypeVar("V")


#: Calm: no entrant leaves or is absent, and no round is skipped. Even: all entrants are equally good, so many ties are
#: still ties after the most extra races. Absent: half of them are no-shows. Up to 17 others never tie.
How = Literal["usual", "calm", "even", "absent"]


class Event:
    def __init__(self, plan: Plan, count: int, seed: object, how: How = "usual") -> None:
        self.plan = plan
        self.random = random.Random(repr(seed))
        self.entrants = entrants_of(count)
        self.rounds: list[Round] = []
        self.how, self.calm = how, how == "calm"

    def draw(self) -> Drawing | None:
        return draw(self.plan, self.entrants, self.rounds, chance_of(self.random.random()), self.asking())

    def asking(self) -> set[int]:
        return {seat for seat in self.entrants if self.random.random() < 0.15} if self.plan.half_byes else set()

    def play(self) -> Iterator[Round]:
        """Each round after its draw and before its race, until the tournament is over."""
        while True:
            self.come_and_go()
            drawing = self.draw()
            if drawing is None:
                return
            number, of = len(self.rounds) + 1, drawing
            drawn = Round(number, of.seats, of.pairs, of.byes, half_byes=of.half_byes, lost=of.lost)
            yield drawn
            self.race(drawn)

    def to_the_end(self) -> "Event":
        for _ in self.play():
            pass
        return self

    def race(self, drawn: Round) -> None:
        done, racing = drawn, drawn.seats
        while racing:
            done = replace(done, races=(*done.races, self.results(racing)))
            self.come_and_go()
            racing = plays_on(self.plan, self.entrants, [*self.rounds, done])
        done = replace(done, skipped=not self.calm and self.random.random() < 0.1)
        self.rounds.append(done)

    def results(self, seats: Iterable[int]) -> dict[int, Result]:
        race = {seat: self.result(seat) for seat in seats}
        return {seat: played for seat, played in race.items() if played}

    def result(self, seat: int) -> Result | None:
        if self.how == "absent":
            return ABSENT if self.random.random() < 0.5 else unsolved(1 + self.random.randint(0, 9) * 17 + seat)
        if not self.calm and (self.entrants[seat].state != "in" or self.random.random() < 0.1):
            return self.random.choice([None, ABSENT, IDLE])
        if self.how == "even":
            return unsolved(int(self.random.random() < 0.2))
        return solved(self.random.randint(1, 4)) if self.random.random() < 0.3 else unsolved(self.random.randint(0, 3))

    def come_and_go(self) -> None:
        if self.calm:
            return
        for seat, entrant in self.entrants.items():
            dice = self.random.random()
            if dice < 0.05:
                self.set_state(seat, "disqualified" if self.random.random() < 0.3 else "withdrawn")
            elif dice < 0.25 and entrant.state != "in":
                self.set_state(seat, "in")
        if self.plan.may_enter(len(self.rounds), len(self.entrants), ended=False) and self.random.random() < 0.5:
            seat = max(self.entrants, default=0) + self.random.randint(1, 3)
            self.entrants[seat] = Entrant(f"N{seat}", len(self.rounds) + 1)

    def set_state(self, seat: int, state: State) -> None:
        self.entrants[seat] = replace(self.entrants[seat], state=state)

    def in_now(self) -> set[int]:
        return {seat for seat, entrant in self.entrants.items() if entrant.state == "in"}


class Ranked(Event):
    """A tournament with a list of names in which the lower seat wins: 1 wins against all."""

    def __init__(self, kind: Format, count: int, **changes: Any) -> None:
        listed = tuple(f"N{seat}" for seat in range(1, count + 1))
        super().__init__(plan_of(format=kind, entry="list", listed=listed, **changes), count, kind, "calm")

    def next(self, *absent: int, best: int = 0) -> Round | None:
        """Play a round, if there is one. ``best``: a seat that beats all others in it."""
        drawing = draw(self.plan, self.entrants, self.rounds, chance_of(len(self.rounds)))
        if drawing is None:
            return None
        here = {*drawing.seats} & self.in_now()
        race = race_of({seat: 2000 if seat == best else 1500 - seat for seat in here})
        race |= {seat: ABSENT for seat in absent if seat in here}
        number, of = len(self.rounds) + 1, drawing
        self.rounds.append(Round(number, of.seats, of.pairs, of.byes, (race,), lost=of.lost))
        assert plays_on(self.plan, self.entrants, self.rounds) == ()
        return self.rounds[-1]

    def to_the_end(self, absent: Mapping[int, Collection[int]] | None = None) -> "Ranked":
        """``absent``: the no-shows by round."""
        while self.next(*(absent or {}).get(len(self.rounds) + 1, ())):
            pass
        return self

    def rows(self) -> tuple[Row, ...]:
        return standings(self.plan, self.entrants, self.rounds)

    def table(self) -> list[tuple[int | None, int, float]]:
        return [(row.place, row.seat, row.score) for row in self.rows()]


class Arena(Event):
    """An arena with thirty races, each between a few random entrants. Better ones win more often: there are streaks."""

    def draw(self) -> Drawing | None:
        free = sorted(self.in_now())
        if len(self.rounds) >= 30 or len(free) < 2:
            return None
        return Drawing(tuple(self.random.sample(free, self.random.randint(2, min(len(free), self.plan.race_size)))))

    def race(self, drawn: Round) -> None:
        super().race(drawn)
        early = tuple(seat for seat in drawn.seats if not self.calm and self.random.random() < 0.1)
        self.rounds[-1] = replace(self.rounds[-1], early=early)

    def result(self, seat: int) -> Result | None:
        found = super().result(seat)
        return unsolved(30 + seat % 4) if found and self.random.random() < 0.6 else found


class InTeams(Event):
    """A tournament of teams of different sizes. Some entrants have no team at first, and some never have one."""

    def __init__(self, plan: Plan, count: int, seed: object, how: How = "usual") -> None:
        super().__init__(plan, count, seed, how)
        self._teams = [f"Team {n}" for n in range(1, max(2, round(count / (plan.team_size + 1))) + 1)]
        self._choose()

    def _choose(self) -> None:
        for seat, entrant in self.entrants.items():
            if not entrant.team and (self.calm or (seat % 7 and self.random.random() < 0.9)):
                team = self.random.choice(self._teams)
                last = max((one.board for one in self.entrants.values() if one.team == team), default=0)
                self.entrants[seat] = replace(entrant, team=team, board=last + 1)

    def come_and_go(self) -> None:
        super().come_and_go()
        self._choose()


def event_of(kind: Format, count: int, seed: object, rounds: int = 5, how: How = "usual", **changes: Any) -> Event:
    plan = plan_of(format=kind, rounds=rounds, **changes)
    made = Arena if kind == "arena" else InTeams if plan.team_size else Event
    return made(plan, count, (kind, count, seed), how)


def copy_of(event: Event, rounds: Sequence[Round]) -> Event:
    other = Event(event.plan, 0, 0)
    other.entrants, other.rounds = event.entrants, [*rounds]
    return other


def shuffled(event: Event, seed: int) -> Event:
    dice = random.Random(seed)

    def mixed(items: Mapping[int, V]) -> dict[int, V]:
        return dict(dice.sample(sorted(items.items(), key=lambda item: item[0]), len(items)))

    other = copy_of(event, [replace(done, races=tuple(mixed(race) for race in done.races)) for done in event.rounds])
    other.entrants = mixed(event.entrants)
    return other


def corrected(event: Event, rounds: int) -> Event:
    for at in range(len(event.rounds))[-rounds:]:
        done = event.rounds[at]
        if not done.counts:
            continue
        corrections: tuple[Correction, ...] = ()
        if not done.pairs:
            seat = event.random.choice(done.seats)
            corrections = (Correction(seat, event.random.choice((0.0, 12.5, 30.0))),)
        elif event.random.random() < 0.7:
            one, other = event.random.choice(done.pairs)
            values = (
                ((1.0, 0.0), (0.0, 1.0))
                if comparison(event.plan, event.rounds[: at + 1]) == "bracket"
                else ((0.0, 1.0), (0.5, 0.5), (0.0, 0.0))
            )
            given = event.random.choice(values)
            corrections = (Correction(one, given[0]), Correction(other, given[1]))
        if done.pairs and event.random.random() < 0.5:
            pair = event.random.choice(done.pairs)
            again = done.played_again(pair)
            done = replace(again, races=(*again.races, {seat: event.result(seat) or ABSENT for seat in pair}))
        event.rounds[at] = replace(done, corrections=corrections)
    return event


def halfway(event: Event) -> list[Round]:
    """The rounds until the middle one is drawn. If it was raced several times, only its first race is there."""
    rounds = event.rounds[: (len(event.rounds) + 1) // 2]
    return [
        *rounds[:-1],
        *(replace(last, races=last.races[:1] * (len(last.races) > 1), skipped=False) for last in rounds[-1:]),
    ]
