"""A second, slow implementation of the standings, word for word from TOURNAMENTS.md."""

from collections.abc import Callable, Collection, Iterable, Mapping
from fractions import Fraction
from itertools import chain, zip_longest
from typing import Any

from msgspec.structs import replace

from fortythieves.rules.ranking import Result
from fortythieves.tournament.rounds import Round
from tests.shared.tournament.play import Event

#: By seat or team: the place, the score, and the tie-breaks.
Table = dict[Any, tuple[float, ...]]
#: By seat or team, for each round: its points, and the opponent, or 0 or "" if they did not play.
Met = Mapping[Any, list[tuple[float, Any]]]


def better(a: Result, b: Result) -> bool:
    """Whether one result is ahead of another."""
    if a.solved != b.solved:
        return a.solved
    if a.solved and a.when != b.when:
        return a.when < b.when
    if a.home != b.home:
        return a.home > b.home
    return (a.reached_at, a.moves) < (b.reached_at, b.moves)


def is_ahead(race: Mapping[int, Result], one: int, other: int) -> bool:
    """Whether one is ahead of another, who may be absent."""
    return one in race and (other not in race or better(race[one], race[other]))


def valid(event: Event, seat: int) -> bool:
    return event.entrants[seat].state != "disqualified"


def is_in(event: Event, seat: int) -> bool:
    return event.entrants[seat].state == "in"


def held(event: Event) -> list[Round]:
    """The rounds that count."""
    return [done for done in event.rounds if done.races and not done.skipped]


def there(event: Event) -> list[int]:
    """All entrants that can have a place."""
    drawn = {seat for done in event.rounds for seat in done.everybody}
    return [seat for seat in event.entrants if is_in(event, seat) or (seat in drawn and valid(event, seat))]


def raced(event: Event, race: Any) -> dict[int, Result]:
    return {s: p for s, p in race.items() if valid(event, s) and p.state != "disqualified" and p.moves}


def first_of(event: Event, done: Round, seat: int) -> list[Result]:
    """The result of the first race of a round that an entrant started. Empty: there is none."""
    return [race[seat] for race in (raced(event, race) for race in done.races) if seat in race][:1]


def said(done: Round) -> dict[int, float]:
    """The results that a host has given."""
    return {one.seat: one.value for one in done.corrections}


def ranked(rows: Mapping[Any, Iterable[Any]], first: int = 1) -> Table:
    """The table of these scores and tie-breaks."""
    exact = {one: tuple(row) for one, row in rows.items()}
    places = {one: first + sum(other > row for other in exact.values()) for one, row in exact.items()}
    return {one: (places[one], *map(float, row)) for one, row in exact.items()}


def in_order(
    scores: Mapping[Any, float], names: Iterable[str], value: Callable[[str, Any, list[Any]], float]
) -> dict[Any, tuple[float, ...]]:
    """The scores with tie-breaks. ``value``: of a tie-break, for one of those that are equal so far."""
    rows: dict[Any, tuple[float, ...]] = {one: (score,) for one, score in scores.items()}
    for name in names:
        equals = {one: [other for other in rows if rows[other] == rows[one]] for one in rows}
        rows = {one: (*row, value(name, one, equals[one])) for one, row in rows.items()}
    return rows


def direct(met: Met, one: Any, equals: Collection[Any]) -> float:
    """The points against equal ones, if all of these have met each other."""
    everybody = all({*equals} - {each} <= {other for _, other in met[each]} for each in equals)
    return sum(given for given, other in met[one] if other in equals) if everybody else 0


def worths(met: Met, one: Any) -> list[float]:
    """The worth of the opponent of each round."""
    found, before = [], 0.0
    for left, (given, other) in zip(reversed(range(len(met[one]))), met[one], strict=True):
        played = sum(points if against else 0.5 for points, against in met[other]) if other else 0
        found.append(played if other else before + (1 - given) + 0.5 * left)
        before += given
    return found


# Points and the arena


def place(event: Event, done: Round, seat: int) -> int:
    race = raced(event, done.races[0])
    return 1 + sum(better(other, race[seat]) for other in race.values())


def points_of(event: Event, done: Round, seat: int) -> Fraction:
    race = raced(event, done.races[0])
    if seat in said(done):
        return Fraction(str(said(done)[seat]))
    if seat not in race:
        return Fraction(0)
    first = place(event, done, seat)
    equals = sum(place(event, done, other) == first for other in race)
    table = [Fraction(str(value)) for value in event.plan.points] + [Fraction(0)] * len(race)
    return sum(table[first - 1 : first - 1 + equals], Fraction(0)) / equals


def points(event: Event) -> Table:
    rows = {}
    for seat in there(event):
        own = [done for done in held(event) if seat in done.seats]
        ran = [done for done in own if seat in raced(event, done.races[0])]
        last = held(event)[-1:]
        values = {
            "wins": sum(place(event, done, seat) == 1 for done in ran),
            "solved": sum(done.races[0][seat].solved for done in ran),
            "home": sum(done.races[0][seat].home for done in ran),
            "par": sum(done.races[0][seat].home - par_of(done, seat) for done in ran),
            "best": max([points_of(event, done, seat) for done in own], default=0),
            "last": points_of(event, last[0], seat) if last and seat in last[0].seats else 0,
        }
        total = sum((points_of(event, done, seat) for done in own), Fraction(0))
        rows[seat] = (total, *(values[name] for name in event.plan.tiebreak_order))
    return ranked(rows)


def raced_on(done: Round) -> Round:
    """A race of an arena without those who gave up early or did not start. Nobody is in it if one is left."""
    left = {s: p for s, p in done.races[0].items() if s not in done.early and p.started}
    return replace(done, races=(left if len(left) > 1 else {},))


def own_races(event: Event, seat: int) -> list[tuple[Fraction, bool | None]]:
    """The points of each own race of an arena, and whether it was won. None: there was no rival."""
    found: list[tuple[Fraction, bool | None]] = []
    for whole in held(event):
        if seat in whole.seats:
            done = raced_on(whole)
            race, needed = raced(event, done.races[0]), event.plan.streak
            won: bool | None = seat in race and all(is_ahead(race, seat, other) for other in race if other != seat)
            if not race and seat in raced(event, whole.races[0]) and seat not in whole.early:
                won = None
            counted = [before for _, before in found if before is not None]
            streak = needed > 0 and len(counted) >= needed and all(counted[-needed:])
            given = points_of(event, done, seat)
            found.append((given * 2 if streak and seat not in said(done) else given, won))
    return found


def arena(event: Event) -> Table:
    rows = {}
    for seat in there(event):
        own = own_races(event, seat)
        races = [raced(event, raced_on(done).races[0]) for done in held(event)]
        ran = [race[seat] for race in races if seat in race]
        values = {
            "wins": sum(won is True for _, won in own),
            "solved": sum(one.solved for one in ran),
            "home": sum(one.home for one in ran),
        }
        total = sum((given for given, _ in own), Fraction(0))
        rows[seat] = (total, *(values[name] for name in event.plan.tiebreak_order))
    return ranked(rows)


# Pairs


def duel(event: Event, done: Round, one: int, other: int) -> tuple[tuple[float, float], bool]:
    """The points of both of a pair, and whether both raced or a host has decided."""
    given = said(done)
    if one in given and other in given:
        return (given[one], given[other]), True
    races = [raced(event, race) for race in done.races]
    race = next((race for race in races if one in race or other in race), {})
    both, points = one in race and other in race, (is_ahead(race, one, other), is_ahead(race, other, one))
    return ((0.5, 0.5) if both and not any(points) else (float(points[0]), float(points[1]))), both


def meeting(event: Event, done: Round, seat: int) -> tuple[float, int]:
    """The points from a Swiss round, and the opponent; 0 if the two did not both race."""
    if seat in done.byes or seat in done.half_byes:
        return (1.0 if seat in done.byes else 0.5), 0
    for pair in done.pairs:
        if seat in pair:
            other = sum(pair) - seat
            given, both = duel(event, done, seat, other)
            return (given[0], other * both) if valid(event, other) else (1.0, 0)
    return 0.0, 0


def par_of(done: Round, seat: int) -> int:
    """The par of the first race that a seat has started and that counts."""
    started = [seat in race and race[seat].started for race in done.races]
    return done.pars[started.index(True)] or 0


def swiss(event: Event) -> Table:
    met = {seat: [meeting(event, done, seat) for done in held(event)] for seat in there(event)}

    def value(name: str, seat: int, equals: list[int]) -> float:
        match name:
            case "buchholz":
                return sum(worths(met, seat))
            case "buchholz_cut1":
                return sum(sorted(worths(met, seat))[1:])
            case "sonneborn":
                return sum(given * one for (given, _), one in zip(met[seat], worths(met, seat), strict=True))
            case "wins":
                return sum(given == 1 and other > 0 for given, other in met[seat])
            case "direct":
                return direct(met, seat, equals)
            case "par":
                ran = [done for done in held(event) if first_of(event, done, seat)]
                return sum(first_of(event, done, seat)[0].home - par_of(done, seat) for done in ran)
        return sum(one.home for done in held(event) for one in first_of(event, done, seat))

    scores = {seat: sum(given for given, _ in of) for seat, of in met.items()}
    return ranked(in_order(scores, event.plan.tiebreak_order, value))


# Brackets


def result(event: Event, done: Round, pair: tuple[int, int]) -> tuple[int | None, bool]:
    """The winner of a pair's races, and whether the pair still races. The better seed is the first of the two."""
    left = [seat for seat in pair if valid(event, seat)]
    if not done.races:
        return None, True
    if len(left) < 2:
        return (left[0] if left else None), False
    given = said(done)
    if {*pair} <= {*given}:
        return next((seat for seat in pair if given[seat] == 1), None), False
    races = [raced(event, race) for race in done.races]
    won = [one for race in races for one, other in (pair, pair[::-1]) if is_ahead(race, one, other)]
    if won:
        return won[0], False
    if not any(seat in race for race in races for seat in pair):
        return None, False
    here = [seat for seat in pair if is_in(event, seat)]
    if len(here) == 1:
        return here[0], False
    again = len(here) == 2 and len(done.races) - 1 < 3
    return (None, True) if again else (pair[0], False)


def beaten(event: Event, done: Round, seat: int) -> int:
    """How many others a racer beat in a round."""
    first = raced(event, done.races[0])
    if seat in first:
        return sum(better(first[seat], other) for other in first.values())
    again = seat in done.replayed and any(seat in raced(event, race) for race in done.races)
    return 0 if again else -1


def spots(seeds: list[int], best: int = 1, size: int = 1) -> list[int | None]:
    """The part of a bracket with the best seed ``best`` when ``size`` are left, from its top. None: an empty spot."""
    if size >= len(seeds):
        return [seeds[best - 1] if best <= len(seeds) else None]
    return spots(seeds, best, 2 * size) + spots(seeds, 2 * size + 1 - best, 2 * size)


class Cup:
    """A knock-out, read from its rounds."""

    def __init__(self, event: Event, rounds: list[Round]) -> None:
        self.event = event
        self.rounds = [done for done in rounds if not done.skipped]
        first = self.rounds[0]
        self.seeds = [*first.byes, *first.seats]
        bracket = spots(self.seeds)
        sizes = [1 << level for level in range(1, len(bracket).bit_length())]
        #: The seats in each part, by level.
        self.levels = [[{*bracket[at : at + n]} for at in range(0, len(bracket), n)] for n in sizes]
        self.thirds = {done.number: self.third(done) for done in self.rounds}

    def level(self, one: int, other: int) -> int:
        """The level, from 1, at which two meet if they win until then."""
        return 1 + next(n for n, of in enumerate(self.levels) if any({one, other} <= part for part in of))

    def third(self, done: Round) -> tuple[int, int] | None:
        """The race for third place: the second pair of the last level, or the only one if a finalist has a bye."""
        late = [pair for pair in done.pairs if self.level(*pair) == len(self.levels)]
        return late[-1] if late and (len(late) == 2 or done.byes) else None

    def main(self, done: Round) -> list[tuple[int, int]]:
        return [pair for pair in done.pairs if pair != self.thirds[done.number]]

    def alive(self, done: Round) -> set[int]:
        """The seats that were still in the bracket when a round was drawn."""
        return {*done.byes, *chain(*self.main(done))}

    def level_of(self, done: Round) -> int:
        return max([self.level(*pair) for pair in self.main(done)], default=len(self.levels))

    def winner(self, done: Round, pair: tuple[int, int]) -> int | None:
        """The winner of a pair. If the next round is drawn, it decides, even if earlier results have changed."""
        later = self.rounds[self.rounds.index(done) + 1 :]
        went_on = [seat for seat in pair if later and seat in self.alive(later[0])]
        return went_on[0] if went_on else result(self.event, done, pair)[0]

    def left(self) -> set[int]:
        """The seats that are still in the knock-out and have not left."""
        last = self.rounds[-1]
        winners = {self.winner(last, pair) for pair in self.main(last)}
        return {seat for seat in {*last.byes, *winners} if seat is not None and is_in(self.event, seat)}

    def can_win(self) -> set[int]:
        last = self.rounds[-1]
        racing = {*chain(*[pair for pair in self.main(last) if result(self.event, last, pair)[1]])}
        return self.left() | {seat for seat in racing if is_in(self.event, seat)}

    def following(self) -> tuple[set[frozenset[int]], set[int]] | None:
        """The pairs and the byes of the next round; None: there is none."""
        left = self.left()
        pairs: set[frozenset[int]] = set()
        for of in self.levels:
            pairs = pairs or {frozenset(left & part) for part in of if len(left & part) == 2}
        byes = left - {*chain(*pairs)}
        return (pairs | self.for_third(), byes) if pairs or self.for_third() else None

    def for_third(self) -> set[frozenset[int]]:
        """The losers of the semi-finals, if there is a race for the third place in the next round."""
        last = self.rounds[-1]
        semis = self.main(last)
        if not self.event.plan.third_place or len(semis) != 2 or self.level_of(last) != len(self.levels) - 1:
            return set()
        winners = [self.winner(last, pair) for pair in semis]
        losers = [sum(pair) - winner for pair, winner in zip(semis, winners, strict=True) if winner is not None]
        is_one = len(losers) == 2 and all(is_in(self.event, seat) for seat in losers) and bool(self.left())
        return {frozenset(losers)} if is_one else set()

    def score(self, seat: int) -> float:
        passed = 0.0
        for done in self.rounds:
            own = next((pair for pair in self.main(done) if seat in pair), None)
            if own is not None:
                passed = self.level_of(done) - (self.winner(done, own) != seat or not done.races)
            elif seat in done.byes:
                passed = self.level_of(done) - (not done.races)
        last = self.rounds[-1]
        settled = last.races and not any(result(self.event, last, pair)[1] for pair in self.main(last))
        if settled and self.left() == {seat}:
            passed = len(self.levels)
        for done in self.rounds:
            third = self.thirds[done.number]
            if third and seat in third and result(self.event, done, third)[0] == seat:
                passed += 0.5
        never = not any(seat in raced(self.event, race) for done in self.rounds for race in done.races)
        return 0.0 if never and seat not in self.can_win() else passed

    def beaten(self, seat: int) -> float:
        drawn = [done for done in self.rounds if done.races and seat in chain(*self.main(done))]
        if not any(seat in raced(self.event, race) for done in self.rounds for race in done.races):
            return 0 if seat in self.can_win() and not drawn else -1
        if not drawn:
            return 0
        return beaten(self.event, drawn[-1], seat)

    def table(self, seats: Collection[int]) -> Table:
        last = self.rounds[-1]
        is_won = any(
            result(self.event, last, pair)[0] for pair in self.main(last) if self.level(*pair) == len(self.levels)
        )
        first = 1 if is_won or self.can_win() else 2
        return ranked({seat: (self.score(seat), self.beaten(seat)) for seat in seats}, first)


def knockout(event: Event) -> Table:
    return Cup(event, event.rounds).table(there(event))


# Teams


def teams(event: Event) -> Table:
    drawn = {seat for done in event.rounds for seat in (*done.seats, *done.byes)}
    of: dict[str, list[int]] = {}
    for seat, entrant in event.entrants.items():
        if entrant.team:
            of.setdefault(entrant.team, []).append(seat)
    placed = [
        team
        for team, seats in of.items()
        if any(seat in drawn or event.entrants[seat].state != "withdrawn" for seat in seats)
        and any(valid(event, seat) for seat in seats)
    ]
    return (sums_of_teams if event.plan.format == "points" else matches_of_teams)(event, of, placed)


def sums_of_teams(event: Event, of: dict[str, list[int]], placed: list[str]) -> Table:
    def sum_of(team: str, done: Round) -> Fraction:
        own = [points_of(event, done, seat) for seat in of[team] if seat in done.seats and valid(event, seat)]
        return sum(sorted(own, reverse=True)[: event.plan.team_size], Fraction(0))

    rows = {}
    for team in placed:
        own = [sum_of(team, done) for done in held(event)]
        alone = sum(
            all(mine > sum_of(other, done) for other in placed if other != team) and mine > 0
            for mine, done in zip(own, held(event), strict=True)
        )
        rows[team] = (sum(own, Fraction(0)), max(own, default=Fraction(0)), alone)
    return ranked(rows)


def matches_of_teams(event: Event, of: dict[str, list[int]], placed: list[str]) -> Table:
    """The opponent of a team is another team, None if it has a bye, and "" if it was not drawn."""

    def opponent(team: str, done: Round) -> str | None:
        for pair in done.pairs:
            names = [event.entrants[seat].team for seat in pair]
            if team in names:
                return names[1 - names.index(team)]
        return None if any(event.entrants[seat].team == team for seat in done.byes) else ""

    def boards(team: str, done: Round) -> float:
        own = [seat for seat in (*chain(*done.pairs), *done.byes) if event.entrants[seat].team == team]
        own = [seat for seat in own if valid(event, seat)]
        if opponent(team, done) is None:
            return 0.5 * len(own)
        return sum(meeting(event, done, seat)[0] for seat in own)

    def given(team: str, done: Round) -> float:
        other = opponent(team, done)
        if other == "" or not boards(team, done):
            return 0.0
        if other is None or boards(team, done) > boards(other, done):
            return 1.0
        return 0.5 if boards(team, done) == boards(other, done) else 0.0

    def played(team: str, done: Round) -> str:
        ran = any(valid(event, s) and meeting(event, done, s)[1] > 0 for s in of[team] if s in done.seats)
        return opponent(team, done) or "" if ran else ""

    met = {team: [(given(team, done), played(team, done)) for done in held(event)] for team in of}
    rows = {
        team: (
            sum(points for points, _ in met[team]),
            sum(boards(team, done) for done in held(event)),
            sum(worths(met, team)),
        )
        for team in placed
    }
    equals = {team: [other for other in placed if rows[other] == rows[team]] for team in placed}
    return ranked({team: (*rows[team], direct(met, team, equals[team])) for team in placed})


# Groups


def dealt(seats: int, groups: int) -> list[int]:
    """The sizes of the groups, by dealing one entrant after the other."""
    sizes, at, step = [0] * groups, 0, 1
    for _ in range(seats):
        sizes[at] += 1
        if 0 <= at + step < groups:
            at += step
        else:
            step = -step
    return sizes


def berger(size: int) -> list[list[set[int]]]:
    """The rounds of a group by the method of the table: the last number stays, the others rotate by half."""
    n = size + size % 2
    circle = [*range(1, n)]
    rounds = []
    for _ in range(n - 1 if size > 1 else 0):
        pairs = [{circle[0], n}] + [{circle[i], circle[-i]} for i in range(1, n // 2)]
        rounds.append([{one for one in pair if one <= size} for pair in pairs])
        circle = circle[n // 2 :] + circle[: n // 2]
    return rounds


class Groups:
    """A round robin, read from its rounds."""

    def __init__(self, event: Event) -> None:
        self.event = event
        self.rounds = [done for done in event.rounds if not done.skipped]
        plan = event.plan
        advance = plan.advance if plan.advance is not None else (2 if plan.groups > 1 else 0)
        first = self.rounds[0]
        everybody = len(first.byes) + 2 * len(first.pairs)
        count = plan.groups
        while count > 1 and everybody < count * max(advance + 1, 2):
            count -= 1
        pairs, byes = [*first.pairs], [*first.byes]
        self.groups: list[list[int]] = []
        for size in dealt(everybody, count):
            group = [0] * size
            for meeting in berger(size)[0]:
                low, high = min(meeting), max(meeting)
                if low == high:
                    group[low - 1] = byes.pop(0)
                else:
                    group[low - 1], group[high - 1] = pairs.pop(0)
            self.groups.append(group)
        #: The meetings of each round of the tables, for each group.
        rounds = (
            [[{group[n - 1] for n in meeting} for meeting in row] for row in berger(len(group))]
            for group in self.groups
        )
        self.table = [*zip_longest(*rounds, fillvalue=[])]
        self.held: dict[int, Round] = {}
        self.cup: list[Round] = []
        for done in self.rounds:
            free = [r for r in range(len(self.table)) if r not in self.held]
            fits = [r for r in free if all({*pair} in [*chain(*self.table[r])] for pair in done.pairs)]
            if self.cup or not fits:
                self.cup.append(done)
            else:
                self.held[fits[0]] = done

    def here(self, pair: set[int]) -> list[int]:
        return [seat for seat in pair if is_in(self.event, seat)]

    def raced(self, seat: int) -> int:
        """In how many group rounds a seat raced a duel or has a correction."""
        rounds = [done for done in self.held.values() if done.races]
        return sum(bool(first_of(self.event, done, seat)) or seat in said(done) for done in rounds)

    def is_annulled(self, group: list[int], seat: int) -> bool:
        state = self.event.entrants[seat].state
        if state == "withdrawn" and self.cup and seat in self.cup[0].everybody:
            return False
        if state == "withdrawn":
            last = self.held.get(len(berger(len(group))) - 1)
            was_there = last is not None and seat in (*last.seats, *last.byes)
            return not was_there and self.raced(seat) < (len(group) - 1) / 2
        return state == "disqualified"

    def over(self) -> bool:
        """Whether no round of the groups is left to be raced."""
        complete = [
            r
            for r, round_of_all in enumerate(self.table)
            if any(len(self.here(pair)) == 2 for group in round_of_all for pair in group)
        ]
        return all(done.races for done in self.held.values()) and (bool(self.cup) or {*complete} <= {*self.held})

    def duels(self, group: list[int]) -> list[tuple[int, int, int, float, bool]]:
        """(round of the table, seat, opponent, points, raced) of all duels that count in a group, from both sides."""
        found = []
        for r, of_groups in enumerate(self.table):
            done = self.held.get(r)
            if (done is None and not self.over()) or (done is not None and not done.races):
                continue
            for meeting in of_groups[self.groups.index(group)]:
                if len(meeting) < 2 or any(self.is_annulled(group, seat) for seat in meeting):
                    continue
                one, other = sorted(meeting)
                given, both = self.result(done, one, other)
                found += [(r, one, other, given[0], both), (r, other, one, given[1], both)]
        return found

    def result(self, done: Round | None, one: int, other: int) -> tuple[tuple[float, float], bool]:
        """The points of both from a duel, and whether both raced."""
        if done is None or not any({*pair} == {one, other} for pair in done.pairs):
            free = [s for s in (one, other) if (s in done.byes if done else is_in(self.event, s))]
            mine = [float(free == [s] and self.raced(s) > 0) for s in (one, other)]
            return (mine[0], mine[1]), False
        return duel(self.event, done, one, other)

    def rows(self, group: list[int]) -> dict[int, tuple[float, ...]]:
        """(points, tie-breaks ...) of the seats that have a place in a group."""
        duels = self.duels(group)
        met = {seat: [(given, other) for _, who, other, given, _ in duels if who == seat] for seat in group}
        score = {seat: sum(given for given, _ in met[seat]) for seat in group}

        def value(name: str, seat: int, equals: list[int]) -> float:
            match name:
                case "direct":
                    return direct(met, seat, equals)
                case "sonneborn":
                    return sum(given * score[other] for given, other in met[seat])
                case "wins":
                    return sum(given == 1 and both for _, who, _, given, both in duels if who == seat)
            rounds = [self.held[r] for r, who, *_ in duels if who == seat and r in self.held]
            return sum(one.home for done in rounds for one in first_of(self.event, done, seat))

        seats = {seat: score[seat] for seat in group if not self.is_annulled(group, seat)}
        return in_order(seats, self.event.plan.tiebreak_order, value)


def roundrobin(event: Event) -> Table:
    groups = Groups(event)
    rows: dict[int, tuple[float, ...]] = {}
    in_group: dict[int, int] = {}
    for group in groups.groups:
        found = groups.rows(group)
        rows |= found
        in_group |= {seat: 1 + sum(other > row for other in found.values()) for seat, row in found.items()}
    qualified = [seat for seat in (groups.cup[0].everybody if groups.cup else ()) if valid(event, seat)]
    cup = Cup(event, groups.cup).table(qualified) if groups.cup else {}
    places = {seat: place for seat, (place, *_) in cup.items()}
    taken = len(places) + (bool(groups.cup) and 1 not in places.values())
    behind = {seat: place for seat, place in in_group.items() if seat not in places}
    places |= {seat: 1 + taken + sum(other < place for other in behind.values()) for seat, place in behind.items()}
    never = {*there(event)} - {*chain(*groups.groups)}
    places |= dict.fromkeys(never, 1 + taken + len(behind))
    nothing = (0.0,) * (1 + len(event.plan.tiebreak_order))
    return {seat: (place, *rows.get(seat, nothing)) for seat, place in places.items()}
