"""A second, slow implementation of the standings, word for word from TOURNAMENTS.md."""

from fractions import Fraction
from itertools import chain
from typing import Any

from fortythieves.rules.ranking import Result
from fortythieves.tournament.rounds import Round
from tests.shared.tournament.play import Event


def better(a: Result, b: Result) -> bool:
    """Whether one result is ahead of another."""
    if a.solved != b.solved:
        return a.solved
    if a.solved and a.when != b.when:
        return a.when < b.when
    if a.home != b.home:
        return a.home > b.home
    return (a.reached_at, a.moves) < (b.reached_at, b.moves)


def valid(event: Event, seat: int) -> bool:
    return event.entrants[seat].state != "disqualified"


def raced(event: Event, race: Any) -> dict[int, Result]:
    return {s: p for s, p in race.items() if valid(event, s) and p.state != "disqualified" and p.moves}


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
    """(score, tie-breaks ...) of all entrants that are not disqualified."""
    rows = {}
    raced_rounds = [done for done in event.rounds if not done.skipped]
    for seat in filter(lambda seat: valid(event, seat), event.entrants):
        own = [done for done in event.rounds if not done.skipped and seat in done.seats]
        there = [done for done in own if seat in raced(event, done.races[0])]
        best = {
            "wins": sum(place(event, done, seat) == 1 for done in there),
            "solved": sum(done.races[0][seat].solved for done in there),
            "home": sum(done.races[0][seat].home for done in there),
            "best": max([float(points_of(event, done, seat)) for done in own], default=0),
            "last": float(points_of(event, raced_rounds[-1], seat)) if raced_rounds else 0,
        }
        total = sum((points_of(event, done, seat) for done in own), Fraction(0))
        rows[seat] = (total, *(best[name] for name in event.plan.tiebreak_order))
    return rows


def arena(event: Event) -> dict[int, tuple[Any, ...]]:
    """(score, points of each own race, tie-breaks ...) of all entrants that are not disqualified."""
    rows: dict[int, tuple[Any, ...]] = {}
    for seat in filter(lambda seat: valid(event, seat), event.entrants):
        own = [done for done in event.rounds if not done.skipped and done.races and seat in done.seats]
        won = [
            seat in raced(event, done.races[0])
            and all(
                better(raced(event, done.races[0])[seat], other)
                for rival, other in raced(event, done.races[0]).items()
                if rival != seat
            )
            for done in own
        ]
        cells = []
        for n, done in enumerate(own):
            said = [one.value for one in done.corrections if one.seat == seat]
            needed = event.plan.streak
            doubled = needed > 0 and n >= needed and all(won[n - needed : n])
            cells.append(Fraction(str(said[0])) if said else points_of(event, done, seat) * (2 if doubled else 1))
        there = [raced(event, done.races[0])[seat] for done in own if seat in raced(event, done.races[0])]
        values = {"wins": sum(won), "solved": sum(one.solved for one in there), "home": sum(one.home for one in there)}
        rows[seat] = (sum(cells, Fraction(0)), tuple(cells), *(values[name] for name in event.plan.tiebreak_order))
    return rows


def meeting(event: Event, done: Round, seat: int) -> tuple[float, int]:
    """The points from a Swiss round, and the opponent; 0 if the two did not both race."""
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
        return sum(one[seat].home for one in race if seat in one)

    rows: dict[int, tuple[Any, ...]] = {seat: (sum(given for given, _ in met[seat]),) for seat in seats}
    for name in event.plan.tiebreak_order:
        equals = {seat: [other for other in seats if rows[other] == rows[seat]] for seat in seats}
        rows = {seat: (*rows[seat], value(name, seat, equals[seat])) for seat in seats}
    return rows


def is_in(event: Event, seat: int) -> bool:
    return event.entrants[seat].state == "in"


def result(event: Event, done: Round, pair: tuple[int, int]) -> tuple[int | None, bool]:
    """The winner of a pair's races, and whether the pair still races. The better seed is the first of the two."""
    there = [seat for seat in pair if valid(event, seat)]
    if not done.races:
        return None, True
    if len(there) < 2:
        return (there[0] if there else None), False
    said = {one.seat: one.value for one in done.corrections}
    if {*pair} <= {*said}:
        return next((seat for seat in pair if said[seat] == 1), None), False
    tied = False
    for race in (raced(event, race) for race in done.races):
        started = [seat for seat in pair if seat in race]
        if len(started) == 1:
            return started[0], False
        if started and (better(race[pair[0]], race[pair[1]]) or better(race[pair[1]], race[pair[0]])):
            return (pair[0] if better(race[pair[0]], race[pair[1]]) else pair[1]), False
        tied = tied or bool(started)
    if not tied:
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


Tree = int | tuple["Tree", "Tree"] | None


def tree(seats: list[int], best: int, size: int) -> Tree:
    """The part of a bracket with the best seed ``best`` when ``size`` are left. None: an empty spot."""
    if size >= len(seats):
        return seats[best - 1] if best <= len(seats) else None
    return tree(seats, best, 2 * size), tree(seats, 2 * size + 1 - best, 2 * size)


def members(part: Tree) -> set[int]:
    if part is None:
        return set()
    return members(part[0]) | members(part[1]) if isinstance(part, tuple) else {part}


def parts(part: Tree) -> list[list[Tree]]:
    """The parts of a bracket by level, starting with the parts that have one match of the first level."""
    if not isinstance(part, tuple):
        return []
    upper, lower = parts(part[0]), parts(part[1])
    deep = max(len(upper), len(lower))
    return [[*chain(*(half[n] for half in (upper, lower) if n < len(half)))] for n in range(deep)] + [[part]]


class Cup:
    """A knock-out, read from its rounds."""

    def __init__(self, event: Event, rounds: list[Round]) -> None:
        self.event = event
        self.rounds = [done for done in rounds if not done.skipped]
        first = self.rounds[0]
        self.seeds = [*first.byes, *first.seats]
        #: The seats in each part, by level.
        self.levels = [[members(part) for part in of] for of in parts(tree(self.seeds, 1, 1))]
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

    def places(self) -> dict[int, int]:
        """The places of all entrants that are not disqualified."""
        seats = [seat for seat in self.seeds if valid(self.event, seat)]
        rank = {seat: (self.score(seat), self.beaten(seat)) for seat in seats}
        last = self.rounds[-1]
        is_won = any(
            result(self.event, last, pair)[0] for pair in self.main(last) if self.level(*pair) == len(self.levels)
        )
        first = 1 if is_won or self.can_win() else 2
        return {seat: first + sum(other > rank[seat] for other in rank.values()) for seat in seats}


def knockout(event: Event) -> dict[int, tuple[int, float, float]]:
    """(place, score, beaten) of all drawn entrants that are not disqualified."""
    if all(done.skipped for done in event.rounds):
        return {}
    cup = Cup(event, event.rounds)
    return {seat: (place, cup.score(seat), cup.beaten(seat)) for seat, place in cup.places().items()}


def teams(event: Event) -> dict[str, tuple[Any, ...]]:
    """(score, tie-breaks ...) of each team that has a place."""
    drawn = {seat for done in event.rounds for seat in (*done.seats, *done.byes)}
    rounds = [done for done in event.rounds if not done.skipped and done.races]
    of: dict[str, list[int]] = {}
    for seat, entrant in event.entrants.items():
        if entrant.team:
            of.setdefault(entrant.team, []).append(seat)
    there = [
        team
        for team, seats in of.items()
        if any(seat in drawn or event.entrants[seat].state != "withdrawn" for seat in seats)
        and any(valid(event, seat) for seat in seats)
    ]
    if event.plan.format == "points":
        return sums_of_teams(event, rounds, of, there)
    return matches_of_teams(event, rounds, of, there)


def sums_of_teams(
    event: Event, rounds: list[Round], of: dict[str, list[int]], there: list[str]
) -> dict[str, tuple[Any, ...]]:
    def sum_of(team: str, done: Round) -> Fraction:
        own = [points_of(event, done, seat) for seat in of[team] if seat in done.seats and valid(event, seat)]
        while len(own) > event.plan.team_size:
            own.remove(min(own))
        return sum(own, Fraction(0))

    rows = {}
    for team in there:
        own = [sum_of(team, done) for done in rounds]
        alone = sum(
            all(mine > sum_of(other, done) for other in there if other != team) and mine > 0
            for mine, done in zip(own, rounds, strict=True)
        )
        rows[team] = (sum(own, Fraction(0)), float(max(own, default=0)), alone)
    return rows


def matches_of_teams(
    event: Event, rounds: list[Round], of: dict[str, list[int]], there: list[str]
) -> dict[str, tuple[Any, ...]]:
    """The opponent of a team is another team, None if it has a bye, and "" if it was not drawn."""
    n = len(rounds)

    def opponent(team: str, done: Round) -> str | None:
        for pair in done.pairs:
            if event.entrants[pair[0]].team == team:
                return event.entrants[pair[1]].team
            if event.entrants[pair[1]].team == team:
                return event.entrants[pair[0]].team
        return None if any(event.entrants[seat].team == team for seat in done.byes) else ""

    def boards(team: str, done: Round) -> float:
        everybody = [*(seat for pair in done.pairs for seat in pair), *done.byes]
        own = [seat for seat in everybody if event.entrants[seat].team == team and valid(event, seat)]
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

    def played(team: str, done: Round) -> bool:
        return any(valid(event, s) and meeting(event, done, s)[1] > 0 for s in of[team] if s in done.seats)

    def worth(team: str, r: int) -> float:
        done = rounds[r - 1]
        if played(team, done):
            other = opponent(team, done) or ""
            return sum(given(other, one) if played(other, one) else 0.5 for one in rounds)
        before = sum(given(team, one) for one in rounds[: r - 1])
        return before + (1 - given(team, done)) + 0.5 * (n - r)

    rows = {
        team: (
            sum(given(team, done) for done in rounds),
            sum(boards(team, done) for done in rounds),
            sum(worth(team, r) for r in range(1, n + 1)),
        )
        for team in there
    }
    found = {}
    for team in there:
        equals = [other for other in there if rows[other] == rows[team]]
        met = {one: {opponent(one, done): done for done in rounds if played(one, done)} for one in equals}
        everybody = all({*equals} - {one} <= {*met[one]} for one in equals)
        inside = [given(team, done) for done in rounds if played(team, done) and opponent(team, done) in equals]
        found[team] = (*rows[team], sum(inside) if everybody and len(equals) > 1 else 0.0)
    return found


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
        longest = max(len(berger(len(group))) for group in self.groups)
        self.table = [
            [
                [{group[n - 1] for n in meeting} for meeting in berger(len(group))[r]]
                if r < len(berger(len(group)))
                else []
                for group in self.groups
            ]
            for r in range(longest)
        ]
        self.held: dict[int, Round] = {}
        self.cup: list[Round] = []
        for done in self.rounds:
            fits = [r for r in range(longest) if all({*pair} in [*chain(*self.table[r])] for pair in done.pairs)]
            fits = [r for r in fits if r not in self.held]
            if self.cup or not fits:
                self.cup.append(done)
            else:
                self.held[fits[0]] = done

    def here(self, pair: set[int]) -> list[int]:
        return [seat for seat in pair if is_in(self.event, seat)]

    def raced(self, seat: int) -> int:
        """In how many group rounds a seat raced a duel or has a correction."""
        return sum(
            any(seat in raced(self.event, race) for race in done.races)
            or any(one.seat == seat for one in done.corrections)
            for done in self.held.values()
            if done.races
        )

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
        drawn = done is not None and any({*pair} == {one, other} for pair in done.pairs)
        if done is None or not drawn:
            free = [s for s in (one, other) if (s in done.byes if done else is_in(self.event, s))]
            mine = [float(free == [s] and self.raced(s) > 0) for s in (one, other)]
            return (mine[0], mine[1]), False
        said = {correction.seat: correction.value for correction in done.corrections}
        if one in said and other in said:
            return (said[one], said[other]), True
        races = [raced(self.event, race) for race in done.races]
        race = next((race for race in races if one in race or other in race), {})
        if one in race and other in race:
            if better(race[one], race[other]):
                return (1.0, 0.0), True
            return ((0.0, 1.0) if better(race[other], race[one]) else (0.5, 0.5)), True
        return (float(one in race), float(other in race)), False

    def rows(self, group: list[int]) -> dict[int, tuple[float, ...]]:
        """(points, tie-breaks ...) of the seats that have a place in a group."""
        duels = self.duels(group)
        seats = [seat for seat in group if not self.is_annulled(group, seat)]
        score = {seat: sum(given for _, who, _, given, _ in duels if who == seat) for seat in group}

        def value(name: str, seat: int, equals: list[int]) -> float:
            own = [(r, other, given, both) for r, who, other, given, both in duels if who == seat]
            match name:
                case "direct":
                    met = [{other for _, who, other, _, _ in duels if who == one} for one in equals]
                    everybody = all({*equals} - {one} <= others for one, others in zip(equals, met, strict=True))
                    return sum(given for _, other, given, _ in own if other in equals) if everybody else 0
                case "sonneborn":
                    return sum(given * score[other] for _, other, given, _ in own)
                case "wins":
                    return sum(given == 1 and both for _, _, given, both in own)
            homes = 0
            for r, *_ in own:
                done = self.held.get(r)
                races = [raced(self.event, race) for race in done.races] if done else []
                homes += next((race[seat].home for race in races if seat in race), 0)
            return homes

        rows: dict[int, tuple[float, ...]] = {seat: (score[seat],) for seat in seats}
        for name in self.event.plan.tiebreak_order:
            equals = {seat: [other for other in seats if rows[other] == rows[seat]] for seat in seats}
            rows = {seat: (*rows[seat], value(name, seat, equals[seat])) for seat in seats}
        return rows


def roundrobin(event: Event) -> dict[int, tuple[Any, ...]]:
    """(place in the group, points, tie-breaks ...) of all entrants with a place in a group."""
    if not any(not done.skipped for done in event.rounds):
        return {}
    groups = Groups(event)
    found: dict[int, tuple[Any, ...]] = {}
    for group in groups.groups:
        rows = groups.rows(group)
        found |= {seat: (1 + sum(other > row for other in rows.values()), *row) for seat, row in rows.items()}
    return found


def last_places(event: Event) -> dict[int, int]:
    """The places at the end of a round robin."""
    own = roundrobin(event)
    if not own and not any(not done.skipped for done in event.rounds):
        return {}
    groups = Groups(event)
    ahead = Cup(event, groups.cup).places() if groups.cup else {}
    behind = {seat: row[0] for seat, row in own.items() if seat not in ahead}
    taken = len(ahead) + (bool(groups.cup) and 1 not in ahead.values())
    last = 1 + taken + len(behind)
    drawn = {seat for done in event.rounds for seat in done.everybody}
    there = {seat for seat in event.entrants if valid(event, seat) and (is_in(groups.event, seat) or seat in drawn)}
    never = there - {*chain(*groups.groups)}
    return {
        **ahead,
        **{seat: 1 + taken + sum(other < place for other in behind.values()) for seat, place in behind.items()},
        **dict.fromkeys(never, last),
    }
